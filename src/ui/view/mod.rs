//! Draws a model: nothing else. One file per pane; each takes plain data and a rectangle.
//!
//! ```text
//!  destrier  8x8 closed  path  hire, shallowest  64 threads            RUNNING  0:12
//!  nodes 373M  31.2M/s   tours 2.13M  178k/s
//!  done 0.0012%   tree 10^12..10^15 nodes, tours unknown   left 3 days..9 years
//! ╭ 1 threads 64 ─────────────────────────────────────── B busy 62  i idle 2 ╮
//! │ every worker, at the richest density that fits                           │
//! ╰──────────────────────────────────────────────────────────────────────────╯
//! ╭ 2 board ────────────╮╭ 3 depths ────────────────────────╮╭ 4 balance ────╮
//! │ selected position   ││ nodes and cuts by depth          ││ efficiency ..  │
//! ╰─────────────────────╯╰──────────────────────────────────╯╰────────────────╯
//! ╭ 5 hires ────────────────────╮╭ 6 history ────────────────────────────────╮
//! │ log, busiest pairs          ││ busy workers, nodes/s, efficiency         │
//! ╰─────────────────────────────╯╰───────────────────────────────────────────╯
//!  q quit  ? help  p pause  ..
//! ```

mod balance;
mod board;
pub(super) mod braille;
pub(super) mod chart;
mod depths;
pub(super) mod footer;
mod header;
pub(super) mod help;
mod hires;
pub(super) mod history;
mod lanes;
mod threads;
pub(super) mod too_small;

use super::keys::KEYS;
use super::layout::{Layout, Pane};
use super::model::Model;
use super::theme::{Role, Theme};
use crate::schedule::Scheduler;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Widget};

/// Draws the model on the frame.
pub fn view(model: &Model, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let Some(layout) = model.layout() else {
        too_small::draw(buf, area);
        return;
    };
    header::draw(buf, layout.header, model);
    for &(pane, rect) in &layout.panes {
        draw_pane(buf, rect, &layout, model, pane);
    }
    footer::draw(buf, layout.footer, &model.surface, &KEYS);
    if model.surface.help {
        help::draw(buf, area, model.surface.theme, model.snapshot.lanes.is_some());
    }
}

fn draw_pane(buf: &mut Buffer, rect: Rect, layout: &Layout, model: &Model, pane: Pane) {
    let inner = layout.inner(rect);
    let (theme, seen) = (model.surface.theme, &model.snapshot);
    let depth_max = model.about.board.squares() as usize;
    let mut legend = Line::default();
    let title = match pane {
        Pane::Threads => {
            legend = threads::legend(theme, &threads(model), rect.width);
            format!("threads {}", seen.workers.len())
        }
        Pane::Board => board::title(model.selected),
        Pane::Depths => match &seen.lanes {
            Some(lanes) => {
                legend = lanes::legend(theme, lanes, rect.width);
                "live lanes".into()
            }
            None => depths::title(seen.levels),
        },
        Pane::Balance => if seen.lanes.is_some() { "lanes" } else { "balance" }.into(),
        Pane::Hires => {
            legend = hires::legend(theme, seen, &model.rates, rect.width);
            "hires".into()
        }
        Pane::History => "history".into(),
    };
    if layout.framed {
        let focused = model.focus == pane && !model.zoomed;
        frame_pane(buf, rect, theme, focused, (&title, pane.key()), legend);
    }
    match pane {
        Pane::Threads => threads::draw(buf, inner, theme, &threads(model), layout.grid(seen.workers.len())),
        Pane::Board => board::draw(buf, inner, theme, model.about.board, &model.drawing),
        Pane::Depths => match &seen.lanes {
            Some(lanes) => lanes::draw(buf, inner, theme, lanes),
            None => depths::draw(buf, inner, theme, seen, depth_max),
        },
        Pane::Balance => match &seen.lanes {
            Some(lanes) => lanes::draw_figures(buf, inner, theme, lanes),
            None => balance::draw(buf, inner, theme, seen, &model.rates),
        },
        Pane::Hires => {
            let scheduler = if seen.lanes.is_some() { Scheduler::Serial } else { model.scheduler };
            hires::draw(buf, inner, theme, &model.hires, (!model.about.finds).then_some(scheduler));
        }
        Pane::History => {
            history::draw(buf, inner, theme, &model.history, seen.workers.len(), history::OF_SEARCH);
        }
    }
}

fn threads(model: &Model) -> threads::Threads<'_> {
    threads::Threads {
        workers: &model.snapshot.workers,
        depths: &model.depths,
        hires: &model.hires,
        now: model.snapshot.elapsed,
        depth_max: model.about.board.squares() as usize,
        selected: model.selected,
    }
}

/// A frame with the name of the pane and the key that zooms it at its top left, and a legend at its top right.
pub(super) fn frame_pane(
    buf: &mut Buffer,
    rect: Rect,
    theme: Theme,
    focused: bool,
    (title, key): (&str, u8),
    legend: Line<'_>,
) {
    let style = theme.style(if focused { Role::Focus } else { Role::Border });
    let title = Line::from(vec![
        Span::styled(format!(" {key} "), theme.style(Role::Label)),
        Span::styled(format!("{title} "), theme.style(Role::Strong)),
    ]);
    Block::new()
        .borders(Borders::ALL)
        .border_set(theme.glyphs().border)
        .border_style(style)
        .title(title)
        .title(legend.alignment(Alignment::Right))
        .render(rect, buf);
}

/// Writes `text` at `x`, `y` as far as `area` goes; answers where it ends.
pub(super) fn put(buf: &mut Buffer, area: Rect, x: u16, y: u16, text: &str, style: Style) -> u16 {
    if y >= area.bottom() || x >= area.right() {
        return x;
    }
    buf.set_stringn(x, y, text, usize::from(area.right() - x), style).0
}

/// A piece of a line that stays or goes as a whole.
pub(super) struct Part {
    spans: Vec<Span<'static>>,
    /// Parts of less worth go first where there is no room.
    worth: u8,
}

impl Part {
    pub fn new(worth: u8) -> Part {
        Part { spans: Vec::new(), worth }
    }

    pub fn with(mut self, theme: Theme, role: Role, text: impl Into<String>) -> Part {
        self.spans.push(Span::styled(text.into(), theme.style(role)));
        self
    }

    fn width(&self) -> usize {
        self.spans.iter().map(Span::width).sum()
    }
}

/// The parts that fit in `width`, `gap` blanks apart, in their order.
pub(super) fn fit(mut parts: Vec<Part>, width: u16, gap: usize) -> Line<'static> {
    parts.retain(|part| part.width() > 0);
    let wanted = |parts: &[Part]| parts.iter().map(|part| part.width() + gap).sum::<usize>().saturating_sub(gap);
    while wanted(&parts) > usize::from(width) {
        let Some(least) = (0..parts.len()).rev().min_by_key(|&i| parts[i].worth) else { break };
        parts.remove(least);
    }
    let mut spans = Vec::new();
    for part in parts {
        if !spans.is_empty() {
            spans.push(Span::raw(" ".repeat(gap)));
        }
        spans.extend(part.spans);
    }
    Line::from(spans)
}

/// A line with a blank at each end, as it stands in a frame; an empty one stays empty.
pub(super) fn padded(mut line: Line<'static>) -> Line<'static> {
    if !line.spans.is_empty() {
        line.spans.insert(0, " ".into());
        line.push_span(" ");
    }
    line
}
