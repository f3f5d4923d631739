//! The threads: the degree patterns that each thread processes, and its share of busy time; above them the current
//! step.
//!
//! A strip stands for all patterns of a step, from the first context to the last. The mark of a thread shows the
//! position of its context on the strip.

use crate::count::{CountPhase, ThreadMeter};
use crate::ui::count::model::CountModel;
use crate::ui::kit::{Density, Grid, PaneFrame, PanePlace, Role, Theme, WorkerCells, WorkerLook, meter, put, workers};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

const BUSY: WorkerLook = WorkerLook::new("B", Role::Busy, "counting");
const IDLE: WorkerLook = WorkerLook::new("w", Role::Waiting, "waiting");

/// Least strip width that is more precise than eighths of a cell.
const STRIP_MIN: u16 = 5;

/// The legend: numbers of threads that count and that wait.
fn legend(model: &CountModel, width: u16) -> Line<'static> {
    let busy = model.busy();
    let counts = [(BUSY, busy), (IDLE, model.seen.threads.len() - busy)];
    workers::legend(model.common.theme, counts.into_iter(), width.saturating_sub(20))
}

/// Draws the current step and every thread.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &CountModel) {
    let title = format!("threads {}", words::grouped(model.seen.threads.len()));
    let area = place.framed(buf, PaneFrame { legend: legend(model, place.width()), ..PaneFrame::titled(title) });
    draw_step(buf, Rect { height: 1, ..area }, model);
    let below = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    if below.height == 0 {
        return;
    }
    let grid = Grid::fit(model.seen.threads.len(), below.width, below.height);
    let pen = CountThreadPen { area: below, theme: model.common.theme, model, grid };
    let strip = usize::from(pen.strip_width());
    let heading = match grid.density {
        Density::Full => format!("{:>3}   {:<strip$.strip$} {:>4}", "#", "patterns", "work"),
        _ => format!(
            "{:>4}   {:<strip$.strip$} {:>7} {:>4} {:>7} {:>6}",
            "#", "patterns", "context", "work", "done", "states"
        ),
    };
    let number = |first: usize| first.to_string();
    pen.cells().draw(buf, model.seen.threads.len(), &heading, number, |buf, thread, at| pen.cell(buf, at, thread));
}

/// Draws the progress of the current square and the positions of the threads on it.
fn draw_step(buf: &mut Buffer, area: Rect, model: &CountModel) {
    let (theme, seen) = (model.common.theme, &model.seen);
    if matches!(seen.phase, CountPhase::Planning | CountPhase::Done) || seen.contexts == 0 {
        return;
    }
    let all = words::grouped(seen.contexts);
    let done = format!("{:>width$}", words::grouped(seen.contexts_done), width = all.len());
    let x = put(buf, area, area.x + 1, area.y, "contexts ", theme.style(Role::Label));
    let x = put(buf, area, x, area.y, &done, theme.style(Role::Strong));
    let x = put(buf, area, x, area.y, &format!(" of {all} "), theme.style(Role::Label));
    let strip = Rect { x, width: area.right().saturating_sub(x + 1), ..area };
    meter(buf, strip, theme, f64::from(seen.contexts_done) / f64::from(seen.contexts));
    for context in seen.threads.iter().filter_map(|thread| thread.context) {
        let x = strip.x + place(context, seen.contexts, strip.width);
        put(buf, strip, x, strip.y, theme.glyphs().column[8], theme.style(Role::Hired));
    }
}

/// The part of the strip, out of `parts`, that contains a context.
fn place(context: u32, contexts: u32, parts: u16) -> u16 {
    let at = u64::from(context) * u64::from(parts) / u64::from(contexts.max(1));
    (at as u16).min(parts.saturating_sub(1))
}

struct CountThreadPen<'a> {
    area: Rect,
    theme: Theme,
    model: &'a CountModel,
    grid: Grid,
}

impl CountThreadPen<'_> {
    fn cells(&self) -> WorkerCells {
        WorkerCells { area: self.area, theme: self.theme, grid: self.grid }
    }

    fn strip_width(&self) -> u16 {
        self.cells().room(match self.grid.density {
            Density::Wide => 35,
            Density::Full => 13,
            _ => 7,
        })
    }

    fn cell(&self, buf: &mut Buffer, (x, y): (u16, u16), thread: usize) {
        let meter = &self.model.seen.threads[thread];
        let WorkerLook { letter, role, .. } = if meter.context.is_some() { BUSY } else { IDLE };
        let look = self.theme.style(role);
        let mut text = |x: u16, text: &str, role: Role| put(buf, self.area, x, y, text, self.theme.style(role));
        let share = self.model.busy_share(thread).map_or("-".to_owned(), words::percent);
        match self.grid.density {
            Density::Wide => {
                let x = text(x, &format!("{thread:>4} "), Role::Label);
                let x = text(x, letter, role) + 1;
                let figures = format!(
                    " {:>7} {share:>4} {:>7} {:>6}",
                    meter.context.map_or("-".to_owned(), |context| words::grouped(context + 1)),
                    words::count(meter.contexts_done),
                    words::count(meter.states)
                );
                text(x + self.strip_width(), &figures, Role::Text);
                self.strip(buf, x, y, meter);
            }
            Density::Full => {
                let x = text(x, &format!("{thread:>3} "), Role::Label);
                let x = text(x, letter, role) + 1;
                text(x + self.strip_width(), &format!(" {share:>4}"), Role::Label);
                self.strip(buf, x, y, meter);
            }
            Density::Short if self.strip_width() >= STRIP_MIN => {
                let x = text(x, &format!("{thread:>3}"), Role::Label);
                let x = text(x, letter, role) + 1;
                self.strip(buf, x, y, meter);
            }
            Density::Short => {
                let x = text(x, &format!("{thread:>3}"), Role::Label);
                put(buf, self.area, x, y, &format!("{letter}{}", self.eighth(meter)), look);
            }
            Density::Pair => {
                put(buf, self.area, x, y, &format!("{letter}{}", self.eighth(meter)), look);
            }
            Density::Single => {
                let symbol = if meter.context.is_some() { self.eighth(meter) } else { letter };
                put(buf, self.area, x, y, symbol, look);
            }
            Density::Map => self.group(buf, x, y, thread),
        }
    }

    /// Draws the strip of a thread with its mark.
    fn strip(&self, buf: &mut Buffer, x: u16, y: u16, meter: &ThreadMeter) {
        let (width, glyphs) = (self.strip_width(), self.theme.glyphs());
        put(buf, self.area, x, y, &glyphs.meter[2].repeat(width.into()), self.theme.style(Role::Border));
        if let Some(context) = meter.context {
            let x = x + place(context, self.model.seen.contexts, width);
            put(buf, self.area, x, y, glyphs.column[8], self.theme.style(Role::Busy));
        }
    }

    /// The position of a thread on its strip, in eighths, as a glyph.
    fn eighth(&self, meter: &ThreadMeter) -> &'static str {
        let eighths = meter.context.map_or(0, |context| place(context, self.model.seen.contexts, 8) + 1);
        self.theme.glyphs().column[usize::from(eighths)]
    }

    /// Draws one cell for several threads: the share of busy threads, in eighths.
    fn group(&self, buf: &mut Buffer, x: u16, y: u16, first: usize) {
        let threads = &self.model.seen.threads[first..];
        let group = &threads[..self.grid.group.min(threads.len())];
        let busy = group.iter().filter(|thread| thread.context.is_some()).count();
        let (symbol, role) = match self.cells().share(busy, group.len()) {
            None => (IDLE.letter, IDLE.role),
            Some(symbol) => (symbol, BUSY.role),
        };
        put(buf, self.area, x, y, symbol, self.theme.style(role));
    }
}
