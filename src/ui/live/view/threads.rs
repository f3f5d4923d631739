//! The pane `threads`: state, depth, share of time searching and counters of the workers, as far as they fit.

use super::header;
use crate::run::TimePart;
use crate::run::balance::Balance;
use crate::schedule::Snapshot;
use crate::ui::kit::workers::WorkerOrder;
use crate::ui::kit::{
    Action, Density, Grid, LinePart, PaneFrame, PanePlace, Role, Theme, WorkerCells, WorkerLook, fit, padded, put,
    put_line, put_reason, workers,
};
use crate::ui::live::hires::Hires;
use crate::ui::live::model::LiveModel;
use crate::ui::live::workers::{GAVE, GOT, LOOKS, WorkerFigure, look_of};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use std::collections::BTreeMap;

/// Greatest width of a depth meter.
const METER_MAX: u16 = 96;

/// Width of a meter that leaves room for the figures without a column in narrower cells.
const METER_ROOMY: u16 = 28;
/// Widths of a wide cell without its meter, its columns and the number of the worker; and of a full one.
const WIDE: u16 = 18;
const FULL: u16 = 15;

/// The data of the pane.
struct Threads<'a> {
    /// The run at the moment shown.
    seen: &'a Snapshot,
    /// The latest hires.
    hires: &'a Hires,
    /// The depth of a full meter.
    depth_max: usize,
    /// The worker whose position is shown.
    selected: usize,
    /// The workers in the order on the screen.
    ranked: Vec<usize>,
    /// What they are ordered by.
    order: WorkerOrder,
    is_reversed: bool,
    balance: &'a Balance,
}

impl Threads<'_> {
    fn look(&self, worker: usize) -> WorkerLook {
        look_of(self.seen.workers[worker].state)
    }

    fn mark(&self, worker: usize) -> Option<WorkerLook> {
        self.hires.mark(worker, self.seen)
    }

    /// The length of a depth on a meter of `parts` parts: 0 without work, at least 1 with work.
    fn share(&self, worker: usize, depth: usize, parts: usize) -> usize {
        if self.seen.workers[worker].state.has_work() {
            (depth * parts / self.depth_max.max(1)).clamp(1, parts)
        } else {
            0
        }
    }

    fn depth(&self, worker: usize) -> usize {
        self.seen.workers[worker].depth
    }

    fn is_grouped(&self) -> bool {
        self.order == WorkerOrder::Group
    }

    /// The number of workers in each state that one of them is in.
    fn count(&self, workers: impl Iterator<Item = usize> + Clone) -> impl Iterator<Item = (WorkerLook, usize)> {
        let count = move |look| workers.clone().filter(|&worker| self.look(worker) == look).count();
        LOOKS.into_iter().map(move |look| (look, count(look))).filter(|&(_, count)| count > 0)
    }

    /// The number of workers with each mark.
    fn count_marks(&self) -> impl Iterator<Item = (WorkerLook, usize)> {
        let marked = |mark| (0..self.seen.workers.len()).filter(|&worker| self.mark(worker) == Some(mark)).count();
        [GAVE, GOT].into_iter().map(move |mark| (mark, marked(mark))).filter(|&(_, count)| count > 0)
    }
}

/// Draws the pane: the workers below their number, the states, and what keeps them from work or what a cell shows.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &LiveModel) {
    let (theme, seen, grid) = (model.surface.theme, &model.snapshot, model.grid());
    let threads = Threads {
        seen,
        hires: &model.hires,
        depth_max: model.about.board.squares() as usize,
        selected: model.selected,
        ranked: model.ranked(),
        order: model.order,
        is_reversed: model.is_reversed,
        balance: &model.balance,
    };
    let reversed = if model.is_reversed { ", reversed" } else { "" };
    let order = match model.order {
        WorkerOrder::Number => reversed.to_owned(),
        order => format!(" by {}{reversed}", order.name()),
    };
    let [shown, all] = [threads.ranked.len(), seen.workers.len()].map(words::grouped);
    let title = match &model.filter {
        Some(filter) => format!("threads {shown} of {all} {}{order}", filter.name()),
        None => format!("threads {all}{order}"),
    };
    // What a cell means stays there.
    let caption = caption(grid);
    let beside = if caption.is_empty() { 0 } else { caption.len() as u16 + 2 };
    let said = news_or_verdict(model, place, beside);
    let marked = said.is_some();
    let below = [caption, said.unwrap_or_default()].into_iter().filter(|text| !text.is_empty());
    let below = below.collect::<Vec<_>>().join("  ");
    let room = place.width().saturating_sub(title.len() as u16 + 10);
    let legend = if threads.order == WorkerOrder::Group {
        legend_of_groups(theme, &threads, room)
    } else {
        legend(theme, &threads, grid, room)
    };
    let inner = place.framed(buf, PaneFrame { title, legend, below, marked });
    if model.filter.is_some() && threads.ranked.is_empty() {
        return put_reason(buf, inner, theme, "no worker passes the filter now");
    }
    draw(buf, inner, theme, &threads, grid);
}

/// What stands in the frame below the workers, which has so many columns less: what happened last, where the header has no
/// line for it, or what keeps them from work.
pub fn news_or_verdict(model: &LiveModel, place: &PanePlace<'_>, taken: u16) -> Option<String> {
    // The border has its corners, and a blank before and behind the caption; before a verdict stands its key.
    let (key, room) = (Action::Why.key(), usize::from(place.width().saturating_sub(6 + taken)));
    let has_line = model.layout().is_some_and(|layout| layout.page.header.height > 3);
    let news = if has_line { None } else { header::news(model, room) };
    let verdict = || model.verdict().map(|verdict| format!("{key} {}", verdict.fitting(room.saturating_sub(2))));
    news.or_else(|| verdict().filter(|text| text.chars().count() <= room))
}

/// The number of workers in each state, which also explains the letters, and with each mark where marks are drawn.
fn legend(theme: Theme, threads: &Threads<'_>, grid: Option<Grid>, width: u16) -> Line<'static> {
    let marks = threads.count_marks().filter(|_| grid.is_some_and(Grid::has_marks));
    workers::legend(theme, threads.count(0..threads.seen.workers.len()).chain(marks), width)
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

/// The number of busy workers in each group of cores, in the colour of the group.
fn legend_of_groups(theme: Theme, threads: &Threads<'_>, width: u16) -> Line<'static> {
    let mut groups: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
    for (group, worker) in threads.seen.workers.iter().filter_map(|worker| Some((worker.group?, worker))) {
        let [busy, all] = groups.entry(group).or_default();
        *all += 1;
        *busy += usize::from(worker.state.has_work());
    }
    let parts = groups.into_iter().zip((0..u8::MAX).rev()).map(|((group, [busy, all]), worth)| {
        let part = LinePart::new(worth).styled(theme.series(group), format!("#{group}"));
        part.with(theme, Role::Label, format!(" {busy}/{all}"))
    });
    padded(fit(parts.collect(), width, 2))
}

/// Draws every worker.
fn draw(buf: &mut Buffer, area: Rect, theme: Theme, threads: &Threads<'_>, grid: Option<Grid>) {
    let Some(grid) = grid else { return };
    let pen = ThreadPen { area, theme, threads, grid };
    let number = |first: usize| {
        let group = threads.ranked.get(first).and_then(|&worker| threads.seen.workers[worker].group);
        group.filter(|_| threads.is_grouped()).map_or_else(|| first.to_string(), |group| format!("#{group}"))
    };
    pen.cells().draw(buf, threads.ranked.len(), &pen.heading(), number, |buf, place, at| match grid.density {
        Density::Map => pen.group(buf, at, &threads.ranked[place..threads.ranked.len().min(place + grid.group)]),
        _ => pen.worker(buf, at, threads.ranked[place]),
    });
    if grid.page.is_some() {
        pen.rest(buf);
    }
}

struct ThreadPen<'a> {
    area: Rect,
    theme: Theme,
    threads: &'a Threads<'a>,
    grid: Grid,
}

impl ThreadPen<'_> {
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
        let is_long = self.threads.seen.workers.len() > 1000;
        usize::from(is_long) + if self.grid.density == Density::Wide { 4 } else { 3 }
    }

    /// The width of a wide cell without its meter.
    fn figures_width(&self, more: bool) -> u16 {
        let columns: usize = WorkerFigure::columns(more).map(|(_, heading)| WorkerFigure::width(heading)).sum();
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
                let columns = WorkerFigure::columns(self.has_more());
                let heading = |(_, heading): (_, &str)| {
                    format!("{:>width$}", self.marked(heading), width = WorkerFigure::width(heading))
                };
                let columns: String = columns.map(heading).collect();
                format!("{number:>digits$}   {:<meter$.meter$} {depth:>3} {:>3}{figure:>7}{columns}", "depth", "low")
            }
            _ => format!("{number:>digits$}   {:<meter$.meter$} {depth:>3}{figure:>7}", "depth"),
        }
    }

    /// A heading, with a mark if the workers are ordered by it: downwards from the greatest, or upwards.
    fn marked(&self, heading: &str) -> String {
        let is_ordered = match self.threads.order {
            WorkerOrder::Number => heading == "#" && self.threads.is_reversed,
            // No column says the group of a worker.
            WorkerOrder::Group => false,
            WorkerOrder::Depth => heading == "at",
            WorkerOrder::Waiting => heading == "waits",
            order => heading == order.name(),
        };
        let is_number = self.threads.order == WorkerOrder::Number;
        let mark = match (self.theme.ascii, self.threads.is_reversed != is_number) {
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
        match (self.threads.order, self.grid.density) {
            (WorkerOrder::Waiting, _) => "waits",
            (WorkerOrder::Nodes, Density::Full) => "nodes",
            (WorkerOrder::Hires, Density::Full) => "hires",
            _ => "search",
        }
    }

    /// The figure beside the depth.
    fn figure(&self, worker: usize) -> String {
        let seen = &self.threads.seen.workers[worker];
        let share = |part| self.threads.balance.time_of(worker).map_or("-".into(), |time| time.percent(part));
        match self.figure_name() {
            "waits" => share(TimePart::Waiting),
            "nodes" => words::count(seen.nodes),
            "hires" => words::count(seen.sharing.hires),
            _ => share(TimePart::Searching),
        }
    }

    /// The depth of a worker with work.
    fn at(&self, worker: usize) -> String {
        let has_work = self.threads.seen.workers[worker].state.has_work();
        if has_work { self.threads.depth(worker).to_string() } else { "-".into() }
    }

    /// Says below a page of the table how many workers are not on it, and in which states.
    fn rest(&self, buf: &mut Buffer) {
        let (ranked, shown) = (&self.threads.ranked, self.grid.shown(self.threads.ranked.len()));
        let others = ranked[..shown.start].iter().chain(&ranked[shown.end..]).copied();
        let number = words::grouped(ranked.len() - shown.len());
        let mut parts = vec![LinePart::new(9).with(self.theme, Role::Label, format!("and {number} more:"))];
        let states = self.threads.count(others).zip((1..9).rev());
        parts.extend(states.map(|((look, count), worth)| {
            look.part(self.theme, worth, &format!("{} {}", look.word, words::grouped(count)))
        }));
        let line =
            Rect { x: self.area.x + 1, y: self.area.bottom() - 1, width: self.area.width.saturating_sub(2), height: 1 };
        put_line(buf, line, &fit(parts, line.width, 2));
    }

    fn worker(&self, buf: &mut Buffer, (x, y): (u16, u16), worker: usize) {
        let seen = &self.threads.seen.workers[worker];
        let look = self.threads.look(worker);
        let level = seen.level.filter(|_| seen.state.has_work());
        let state = self.theme.style(look.role);
        let selected = if worker == self.threads.selected { Modifier::REVERSED } else { Modifier::empty() };
        let text =
            |buf: &mut Buffer, x: u16, text: &str, role: Role| put(buf, self.area, x, y, text, self.theme.style(role));
        let number = |buf: &mut Buffer, digits: usize| {
            let style = match seen.group.filter(|_| self.threads.is_grouped()) {
                Some(group) => self.theme.series(group),
                None => self.theme.style(Role::Label),
            };
            let style = style.add_modifier(selected);
            put(buf, self.area, x, y, &format!("{worker:>digits$}"), style)
        };
        let letter = |buf: &mut Buffer, x: u16| {
            let x = put(buf, self.area, x, y, look.letter, state);
            if let Some(mark) = self.threads.mark(worker) {
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
                let x = text(buf, x, &format!(" {:>3} {level:>3}", self.at(worker)), Role::Text);
                let x = text(buf, x, &format!(" {:>6}", self.figure(worker)), Role::Text);
                let brief = |(figure, heading): (&WorkerFigure, &str)| {
                    format!("{:>width$}", figure.brief(seen), width = WorkerFigure::width(heading))
                };
                let columns: String = WorkerFigure::columns(self.has_more()).map(brief).collect();
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
        self.theme.glyphs().column[self.threads.share(worker, self.threads.depth(worker), 8)]
    }

    /// Draws the depth of a worker as a bar, grey up to its lowest open level; for a waiting worker, the worker at which
    /// it waits.
    fn bar(&self, buf: &mut Buffer, x: u16, y: u16, worker: usize, style: Style) -> u16 {
        let (width, glyphs) = (self.meter_width(), self.theme.glyphs());
        let seen = &self.threads.seen.workers[worker];
        if let Some(busy) = seen.waits_at {
            put(buf, self.area, x, y, &format!("{} {busy}", glyphs.arrow), style);
            return x + width;
        }
        let halves = self.threads.share(worker, self.threads.depth(worker), usize::from(width) * 2);
        let closed = seen.level.map_or(0, |level| self.threads.share(worker, level, usize::from(width) * 2));
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
        let busy = group.iter().filter(|&&worker| self.threads.seen.workers[worker].state.has_work()).count();
        let idle = self.threads.look(group[0]);
        let (symbol, role) = match self.cells().share(busy, group.len()) {
            None => (idle.letter, idle.role),
            Some(symbol) => (symbol, Role::Busy),
        };
        let mut style = self.theme.style(role);
        if group.contains(&self.threads.selected) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        put(buf, self.area, x, y, symbol, style);
    }
}
