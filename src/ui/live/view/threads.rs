//! The pane `threads`: state, depth, share of time searching and counters of the workers, as far as they fit.

use super::header;
use crate::run::TimePart;
use crate::run::balance::group_noun;
use crate::ui::kit::workers::WorkerOrder;
use crate::ui::kit::{
    Action, Density, Grid, LinePart, PaneFrame, PanePlace, Role, Theme, WorkerCells, WorkerLook, fit, put, put_line,
    put_reason, workers,
};
use crate::ui::live::model::LiveModel;
use crate::ui::live::workers::{GAVE, GOT, LOOKS, WorkerFigure};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

/// Greatest width of a depth meter.
const METER_MAX: u16 = 96;

/// Width of a meter that leaves room for the figures without a column in narrower cells.
const METER_ROOMY: u16 = 28;
/// Widths of a wide cell without its meter, its columns and the number of the worker; and of a full one.
const WIDE: u16 = 19;
const FULL: u16 = 15;

/// The number of these workers with each look that one of them has.
fn count(model: &LiveModel, workers: impl Iterator<Item = usize> + Clone) -> impl Iterator<Item = (WorkerLook, usize)> {
    let count = move |look| workers.clone().filter(|&worker| model.look(worker) == look).count();
    LOOKS.into_iter().map(move |look| (look, count(look))).filter(|&(_, count)| count > 0)
}

/// Draws the pane: the workers below their number, the states, and what keeps them from work or what a cell shows.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &LiveModel) {
    let (grid, ranked) = (model.grid(), model.ranked());
    let reversed = if model.is_reversed { ", reversed" } else { "" };
    let order = match model.order {
        WorkerOrder::Number => reversed.to_owned(),
        order => format!(" by {}{reversed}", order.name()),
    };
    let [shown, all] = [ranked.len(), model.snapshot.workers.len()].map(words::grouped);
    let which = model.filter.as_ref().map_or(all.clone(), |filter| format!("{shown} of {all} {}", filter.name()));
    let (which, order) = match model.grouped {
        None => (which, order),
        // A group is told whole, whatever filter there is.
        Some(kind) => (all, format!(" by {}", group_noun(kind))),
    };
    let title = format!("threads {which}{order}{}", model.since());
    // What a cell means stays there.
    let caption =
        model.grouped.map_or_else(|| caption(grid), |_| "hires of its workers: by others within, from outside".into());
    let beside = if caption.is_empty() { 0 } else { caption.len() as u16 + 2 };
    let said = news_or_verdict(model, place, beside);
    let marked = said.is_some();
    let below = [caption, said.unwrap_or_default()].into_iter().filter(|text| !text.is_empty());
    let below = below.collect::<Vec<_>>().join("  ");
    let room = place.width().saturating_sub(title.len() as u16 + 10);
    let legend = legend(model, grid, room);
    let inner = place.framed(buf, PaneFrame { title, legend, below, marked });
    if model.filter.is_some() && ranked.is_empty() && model.grouped.is_none() {
        return put_reason(buf, inner, model.common.theme, "no worker passes the filter now");
    }
    if model.grouped.is_some() {
        model.draw_groups(buf, inner);
    } else if let Some(grid) = grid {
        ThreadPen { area: inner, theme: model.common.theme, model, ranked, grid }.draw(buf);
    }
}

/// The order by the column whose heading is under a cell of the pane, if there is one.
pub fn order_at(model: &LiveModel, area: Rect, at: Position) -> Option<WorkerOrder> {
    let grid = model.grid().filter(|grid| grid.heading && model.grouped.is_none() && at.y == area.y)?;
    let heading = ThreadPen { area, theme: model.common.theme, model, ranked: Vec::new(), grid }.heading();
    let before: String = heading.chars().take(usize::from((at.x - area.x) % grid.width) + 1).collect();
    let word = heading.split_whitespace().nth(before.split_whitespace().count().checked_sub(1)?)?;
    let is_under = |order: &WorkerOrder| word.ends_with(order.heading()) || word == order.name();
    WorkerOrder::ALL.into_iter().filter(|_| !before.ends_with(' ')).find(is_under)
}

/// What stands in the frame below the workers, which has so many columns less: what happened last, where the header has no
/// line for it, or what keeps them from work.
pub fn news_or_verdict(model: &LiveModel, place: &PanePlace<'_>, taken: u16) -> Option<String> {
    // Before a verdict stands its key.
    let (key, room) = (Action::Why.key(), place.caption_room().saturating_sub(taken.into()));
    let has_line = model.layout().is_some_and(|layout| layout.page.header.height > 3);
    let news = if has_line { None } else { header::news(model, room) };
    let verdict = || model.verdict().map(|verdict| format!("{key} {}", verdict.fitting(room.saturating_sub(2))));
    news.or_else(|| verdict().filter(|text| text.chars().count() <= room))
}

/// The number of workers in each state, which also explains the letters, and with each mark where marks are drawn.
fn legend(model: &LiveModel, grid: Option<Grid>, width: u16) -> Line<'static> {
    let all = 0..model.snapshot.workers.len();
    let marked = |mark| all.clone().filter(|&worker| model.mark(worker) == Some(mark)).count();
    let marks = [GAVE, GOT].map(|mark| (mark, marked(mark))).into_iter();
    let marks = marks.filter(|&(_, count)| count > 0 && grid.is_some_and(Grid::column_major));
    workers::legend(model.common.theme, count(model, all.clone()).chain(marks), width)
}

/// What a cell shows, where no heading names it.
fn caption(grid: Option<Grid>) -> String {
    match grid {
        Some(Grid { heading: true, .. }) | None => String::new(),
        Some(Grid { density: Density::Wide | Density::Full, .. }) => {
            "number, state, depth as a bar and a figure".into()
        }
        Some(Grid { density: Density::Short, .. }) => "number, state, depth, lowest level to give".into(),
        Some(Grid { density: Density::Pair, .. }) => "state, and depth as a column".into(),
        Some(Grid { density: Density::Single, .. }) => {
            "depth as a column, or the state of a worker without work".into()
        }
        Some(Grid { density: Density::Map, group, .. }) => format!("a cell is {group} workers: how many have a branch"),
    }
}

struct ThreadPen<'a> {
    area: Rect,
    theme: Theme,
    model: &'a LiveModel,
    /// The workers in the order on the screen.
    ranked: Vec<usize>,
    grid: Grid,
}

impl ThreadPen<'_> {
    /// Draws every worker.
    fn draw(&self, buf: &mut Buffer) {
        let all = self.ranked.len();
        self.cells().draw(
            buf,
            all,
            &self.heading(),
            |first| first.to_string(),
            |buf, place, at| match self.grid.density {
                Density::Map => self.group(buf, at, &self.ranked[place..all.min(place + self.grid.group)]),
                _ => self.worker(buf, at, self.ranked[place]),
            },
        );
        if self.grid.page.is_some() {
            self.rest(buf);
        }
    }

    /// The length of a depth on a meter of `parts` parts: 0 without work, at least 1 with work.
    fn share(&self, worker: usize, depth: usize, parts: usize) -> usize {
        let most = self.model.about.shape.squares() as usize;
        let has_work = self.model.snapshot.workers[worker].state.has_work();
        if has_work { (depth * parts / most.max(1)).clamp(1, parts) } else { 0 }
    }

    fn cells(&self) -> WorkerCells {
        WorkerCells { area: self.area, theme: self.theme, grid: self.grid }
    }

    fn meter_width(&self) -> u16 {
        let figures = match self.grid.density {
            Density::Wide => self.figures_width(self.has_more()),
            _ => FULL + self.digits() as u16,
        };
        self.cells().room(figures).min(METER_MAX)
    }

    /// The width of the number of a worker: the largest has a blank before it, or behind the cell to its left.
    fn digits(&self) -> usize {
        let is_long = self.model.snapshot.workers.len() > 1000;
        usize::from(is_long) + if self.grid.density == Density::Wide { 4 } else { 3 }
    }

    /// The width of a wide cell without its meter.
    fn figures_width(&self, more: bool) -> u16 {
        let columns = WorkerFigure::columns(more, self.model.about.finds);
        let columns: usize = columns.map(|(_, heading)| WorkerFigure::width(heading)).sum();
        WIDE + (self.digits() + columns) as u16
    }

    /// Whether there is room for every figure of a worker.
    fn has_more(&self) -> bool {
        self.grid.density == Density::Wide && self.cells().room(self.figures_width(false)) >= METER_ROOMY
    }

    /// The names of the figures.
    fn heading(&self) -> String {
        let (meter, digits) = (usize::from(self.meter_width()), self.digits());
        let [number, depth, figure] = ["#", "at", self.figure_name()].map(|heading| self.marked(heading));
        match self.grid.density {
            Density::Wide => {
                let columns = WorkerFigure::columns(self.has_more(), self.model.about.finds);
                let heading = |(_, heading): (_, &str)| {
                    format!("{:>width$}", self.marked(heading), width = WorkerFigure::width(heading))
                };
                let columns: String = columns.map(heading).collect();
                format!("{number:>digits$}   {:<meter$.meter$} {depth:>3} {:>4}{figure:>7}{columns}", "depth", "give")
            }
            _ => format!("{number:>digits$}   {:<meter$.meter$} {depth:>3}{figure:>7}", "depth"),
        }
    }

    /// A heading, with a mark if the workers are ordered by it: downwards from the greatest, or upwards.
    fn marked(&self, heading: &str) -> String {
        let is_number = self.model.order == WorkerOrder::Number;
        let is_ordered = heading == self.model.order.heading() && (!is_number || self.model.is_reversed);
        let mark = match (self.theme.ascii(), self.model.is_reversed != is_number) {
            _ if !is_ordered => "",
            (true, false) => "v",
            (true, true) => "^",
            (false, false) => "\u{25bc}",
            (false, true) => "\u{25b2}",
        };
        format!("{mark}{heading}")
    }

    /// The name of the figure beside the depth: what the workers are ordered by, where the other columns do not show it.
    fn figure_name(&self) -> &'static str {
        match (self.model.order, self.grid.density) {
            (WorkerOrder::Waiting, _) => WorkerOrder::Waiting.heading(),
            (WorkerOrder::Donations, _) if !self.has_more() => WorkerOrder::Donations.heading(),
            (WorkerOrder::Number | WorkerOrder::Depth, _) | (_, Density::Wide) => WorkerOrder::Searching.heading(),
            (order, _) => order.heading(),
        }
    }

    /// The figure beside the depth.
    fn figure(&self, worker: usize) -> String {
        let seen = &self.model.snapshot.workers[worker];
        let share = |part| self.model.balance.time_of(worker).map_or("-".into(), |time| time.percent(part));
        let name = self.figure_name();
        let column = WorkerFigure::columns(true, false).find(|(_, heading)| *heading == name);
        let part = if self.model.order == WorkerOrder::Waiting { TimePart::Waiting } else { TimePart::Searching };
        column.map_or_else(|| share(part), |(figure, _)| figure.brief(seen))
    }

    /// The depth of a worker with work.
    fn at(&self, worker: usize) -> String {
        let seen = &self.model.snapshot.workers[worker];
        if seen.state.has_work() { seen.depth.to_string() } else { "-".into() }
    }

    /// Says below a page of the table how many workers are not on it, and in which states.
    fn rest(&self, buf: &mut Buffer) {
        let (ranked, shown) = (&self.ranked, self.grid.shown(self.ranked.len()));
        let others = ranked[..shown.start].iter().chain(&ranked[shown.end..]).copied();
        let number = words::grouped(ranked.len() - shown.len());
        let mut parts = vec![LinePart::new(9).with(self.theme, Role::Label, format!("and {number} more:"))];
        let states = count(self.model, others).zip((1..9).rev());
        parts.extend(states.map(|((look, count), worth)| {
            look.part(self.theme, worth, &format!("{} {}", look.word, words::grouped(count)))
        }));
        let line =
            Rect { x: self.area.x + 1, y: self.area.bottom() - 1, width: self.area.width.saturating_sub(2), height: 1 };
        put_line(buf, line, &fit(parts, line.width, 2));
    }

    fn worker(&self, buf: &mut Buffer, (x, y): (u16, u16), worker: usize) {
        let seen = &self.model.snapshot.workers[worker];
        let look = self.model.look(worker);
        let level = seen.level.filter(|_| seen.state.has_work());
        let state = self.theme.style(look.role);
        let selected = if worker == self.model.selected { Modifier::REVERSED } else { Modifier::empty() };
        let text =
            |buf: &mut Buffer, x: u16, text: &str, role: Role| put(buf, self.area, x, y, text, self.theme.style(role));
        let number = |buf: &mut Buffer, digits: usize| {
            let style = self.theme.style(Role::Label).add_modifier(selected);
            put(buf, self.area, x, y, &format!("{worker:>digits$}"), style)
        };
        let letter = |buf: &mut Buffer, x: u16| {
            let x = put(buf, self.area, x, y, look.letter, state);
            if let Some(mark) = self.model.mark(worker) {
                put(buf, self.area, x, y, mark.letter, self.theme.style(mark.role));
            }
            x + 1
        };
        match self.grid.density {
            Density::Wide => {
                let x = number(buf, self.digits()) + 1;
                let x = letter(buf, x);
                let x = self.bar(buf, x, y, worker, state);
                let level = level.map_or("-".into(), |level| level.to_string());
                let x = text(buf, x, &format!(" {:>3} {level:>4}", self.at(worker)), Role::Text);
                let x = text(buf, x, &format!(" {:>6}", self.figure(worker)), Role::Text);
                let brief = |(figure, heading): (&WorkerFigure, &str)| {
                    format!("{:>width$}", figure.brief(seen), width = WorkerFigure::width(heading))
                };
                let columns: String =
                    WorkerFigure::columns(self.has_more(), self.model.about.finds).map(brief).collect();
                text(buf, x, &columns, Role::Text);
            }
            Density::Full => {
                let x = number(buf, self.digits()) + 1;
                let x = letter(buf, x);
                let x = self.bar(buf, x, y, worker, state);
                let x = text(buf, x, &format!(" {:>3}", self.at(worker)), Role::Text);
                text(buf, x, &format!(" {:>6}", self.figure(worker)), Role::Label);
            }
            Density::Short => {
                let x = number(buf, 3);
                let x = letter(buf, x);
                let x = put(buf, self.area, x, y, self.column(worker), state);
                // Drawn in the colour of the state: one style for a whole row takes few bytes.
                put(buf, self.area, x, y, &level.map_or("  ".into(), |level| format!("{level:<2}")), state);
            }
            Density::Pair => {
                let x = put(buf, self.area, x, y, look.letter, state.add_modifier(selected));
                put(buf, self.area, x, y, self.column(worker), state);
            }
            Density::Single | Density::Map => {
                let busy = look.letter == "B";
                let symbol = if busy { self.column(worker) } else { look.letter };
                put(buf, self.area, x, y, symbol, state.add_modifier(selected));
            }
        }
    }

    /// The depth of a worker in one cell.
    fn column(&self, worker: usize) -> &'static str {
        self.theme.glyphs().column[self.share(worker, self.model.snapshot.workers[worker].depth, 8)]
    }

    /// Draws the depth of a worker as a bar, grey up to its lowest open level; for a waiting worker, the worker at which
    /// it waits.
    fn bar(&self, buf: &mut Buffer, x: u16, y: u16, worker: usize, style: Style) -> u16 {
        let (width, glyphs) = (self.meter_width(), self.theme.glyphs());
        let seen = &self.model.snapshot.workers[worker];
        if let Some(busy) = seen.waits_at {
            put(buf, self.area, x, y, &format!("{} {busy}", glyphs.arrow), style);
            return x + width;
        }
        let halves = self.share(worker, seen.depth, usize::from(width) * 2);
        let closed = seen.level.map_or(0, |level| self.share(worker, level, usize::from(width) * 2));
        for cell in 0..width {
            let from = usize::from(cell) * 2;
            let (symbol, style) = match halves.saturating_sub(from) {
                0 => (glyphs.meter[2], self.theme.style(Role::Border)),
                1 => (glyphs.meter[1], style),
                _ if from + 1 < closed => (glyphs.meter[0], self.theme.style(Role::Label)),
                _ => (glyphs.meter[0], style),
            };
            put(buf, self.area, x + cell, y, symbol, style);
        }
        x + width
    }

    /// Draws one cell for several workers: the share of busy workers, in eighths.
    fn group(&self, buf: &mut Buffer, (x, y): (u16, u16), group: &[usize]) {
        let busy = group.iter().filter(|&&worker| self.model.snapshot.workers[worker].state.has_work()).count();
        let idle = self.model.look(group[0]);
        let (symbol, role) = match self.cells().share(busy, group.len()) {
            None => (idle.letter, idle.role),
            Some(symbol) => (symbol, Role::Busy),
        };
        let mut style = self.theme.style(role);
        if group.contains(&self.model.selected) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        put(buf, self.area, x, y, symbol, style);
    }
}
