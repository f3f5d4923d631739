//! The balance report, which fills the screen: the verdicts, every figure with its sentence, what decided the end, and the
//! charts. The report is a page as high as needed, of which the screen shows a part. On a wide screen the charts
//! stand beside the figures.

use crate::board::Board;
use crate::run::balance::{AllowedSpeedup, BalanceFigures, BalanceLine, Bar, Matrix};
use crate::ui::kit::{Role, Theme, heat, put, put_line, wrapped};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// Least width for charts beside the figures, and the width of the figures in that case.
const WIDE: u16 = 110;
const FIGURES_WIDTH: u16 = 56;
/// Widths of names and of figures, and the least width of a sentence behind them.
const NAME: u16 = 13;
const FIGURE: u16 = 17;
const SENTENCE_MIN: u16 = 30;
/// Longest page, in lines: all figures, histograms and a matrix take fewer.
const LINES_MAX: u16 = 1000;

/// The balance report, drawn as one long page.
pub struct BalanceReport {
    page: Buffer,
}

impl BalanceReport {
    /// A page without lines.
    fn empty(width: u16) -> BalanceReport {
        BalanceReport { page: Buffer::empty(Rect::new(0, 0, width, 0)) }
    }

    /// Draws the report of the figures, `width` columns wide.
    pub fn new(figures: &BalanceFigures, theme: Theme, width: u16) -> BalanceReport {
        let mut report = BalanceReport::empty(width);
        let whole = Rect::new(0, 0, width, LINES_MAX);
        if width < WIDE {
            let below = report.figures(whole, theme, figures);
            report.charts(Rect { y: below + 1, height: whole.height - below - 1, ..whole }, theme, figures);
        } else {
            report.figures(Rect { width: FIGURES_WIDTH, ..whole }, theme, figures);
            let beside = Rect { x: FIGURES_WIDTH + 2, width: width - FIGURES_WIDTH - 2, ..whole };
            report.charts(beside, theme, figures);
        }
        report
    }

    /// Number of lines.
    pub fn height(&self) -> u16 {
        self.page.area.height
    }

    /// Draws the part of the page that begins at line `from`.
    pub fn draw(&self, buf: &mut Buffer, area: Rect, from: u16) {
        for Position { x, y } in area.positions() {
            let line = y - area.y + from;
            if line < self.height() {
                buf[(x, y)] = self.page[(x - area.x, line)].clone();
            }
        }
    }

    /// Makes the page so many lines long, if it is shorter.
    fn grow(&mut self, lines: u16) {
        if lines > self.height() {
            self.page.resize(Rect { height: lines, ..self.page.area });
        }
    }

    /// Writes a text; returns the column behind it.
    fn put(&mut self, area: Rect, (x, y): (u16, u16), text: &str, theme: Theme, role: Role) -> u16 {
        self.grow(y + 1);
        put(&mut self.page, area, x, y, text, theme.style(role))
    }

    /// Writes a text, wrapped into lines; returns the line below it.
    fn sentence(&mut self, area: Rect, (x, mut y): (u16, u16), text: &str, theme: Theme, role: Role) -> u16 {
        for line in wrapped(text, usize::from(area.right().saturating_sub(x + 1))) {
            self.put(area, (x, y), &line, theme, role);
            y += 1;
        }
        y
    }

    /// Writes every figure with its sentence beside or below it, and then the notes; returns the line below.
    fn figures(&mut self, area: Rect, theme: Theme, figures: &BalanceFigures) -> u16 {
        let (name_at, mut y) = (area.x + 1, area.y);
        let beside = area.width >= NAME + FIGURE + SENTENCE_MIN;
        for verdict in &figures.verdicts {
            y = self.sentence(area, (name_at, y), &verdict.line(), theme, Role::Hired);
        }
        let further = [figures.time_lines(), figures.wait_lines(), figures.core_lines(), figures.span_lines()];
        let lines = figures.lines().into_iter().chain(further.into_iter().flatten());
        for BalanceLine { name, figure, meaning } in lines.filter(|line| line.figure != "-") {
            self.put(area, (name_at, y), name, theme, Role::Label);
            self.put(area, (name_at + NAME, y), &figure, theme, Role::Strong);
            let place = if beside { (name_at + NAME + FIGURE, y) } else { (name_at + 2, y + 1) };
            y = self.sentence(area, place, meaning, theme, if beside { Role::Text } else { Role::Label });
        }
        for group in &figures.groups {
            y = self.sentence(area, (name_at, y), &group.line(), theme, Role::Text);
        }
        for (place, line) in figures.deciding_lines().into_iter().enumerate() {
            if place == 0 {
                self.put(area, (name_at, y), "what decided the end", theme, Role::Strong);
                y += 1;
            }
            y = self.sentence(area, (name_at + 2, y), &line, theme, Role::Text);
        }
        for note in &figures.notes {
            y = self.sentence(area, (name_at, y), &format!("! {note}"), theme, Role::Held);
        }
        y
    }
}

/// Widths of the label of a bar and of its number.
const LABEL: usize = 13;
const COUNT: usize = 7;
/// Width of the longest bar, and the least width for two bar charts side by side.
const BAR_MAX: u16 = 30;
const TWO_CHARTS: u16 = 90;
/// A bar of a chart: its label, its figure, and its length as a share of the longest; or a dot where it would end.
type ChartBar = (String, String, f64, bool);

impl BalanceReport {
    /// Draws all charts, in two columns if there is room.
    pub(super) fn charts(&mut self, area: Rect, theme: Theme, figures: &BalanceFigures) {
        let told = |(label, share): (String, f64)| (label, words::percent_tenths(share), share, false);
        let counted = |bars: Vec<Bar>| -> Vec<ChartBar> {
            bars.into_iter().map(|Bar { label, count, share }| (label, words::grouped(count), share, false)).collect()
        };
        let charts = [
            ("workers with a branch, by share of the time", figures.at_work_bars().into_iter().map(told).collect()),
            ("speed-up allowed, by workers", allowed(figures)),
            ("tasks by their nodes", counted(figures.node_bars())),
            ("hires by depth", counted(figures.depth_bars())),
        ];
        let columns = if area.width >= TWO_CHARTS { 2 } else { 1 };
        let mut y = area.y;
        for row in charts.chunks(columns) {
            let width = area.width / columns as u16;
            let places = row.iter().zip((area.x..).step_by(width.into()));
            let below = places.map(|((title, bars), x)| {
                let place = Rect { x, y, width, height: area.bottom() - y };
                self.bars(place, theme, title, bars)
            });
            y = below.max().unwrap_or(y);
        }
        if let Some(matrix) = &figures.matrix {
            self.matrix(Rect { y, height: area.bottom() - y, ..area }, theme, matrix);
        }
    }

    /// Draws a bar chart under its title; returns the second line below it.
    fn bars(&mut self, area: Rect, theme: Theme, title: &str, bars: &[ChartBar]) -> u16 {
        if bars.is_empty() {
            return area.y;
        }
        self.put(area, (area.x + 1, area.y), title, theme, Role::Strong);
        let mut y = area.y + 1;
        for (label, figure, share, is_dot) in bars {
            let x = self.put(area, (area.x, y), &format!("{label:>LABEL$}  {figure:>COUNT$}  "), theme, Role::Text);
            let room = area.right().saturating_sub(x + 1).min(BAR_MAX);
            let long = (share * f64::from(room)).ceil() as usize;
            let (bar, role) = match (is_dot, theme.ascii()) {
                (false, _) => (theme.glyphs().meter[0].repeat(long), Role::Busy),
                (true, is_ascii) => (format!("{:>long$}", if is_ascii { "o" } else { "●" }), Role::Strong),
            };
            self.put(area, (x, y), &bar, theme, role);
            y += 1;
        }
        y + 1
    }
}

/// The speed-up that work and span allow, and behind that of as many workers as the run has a dot for the one that it reached.
fn allowed(figures: &BalanceFigures) -> Vec<ChartBar> {
    let allowed = figures.allowed();
    let longest = allowed.last().map_or(1.0, |last| last.most);
    let bars = allowed.into_iter().flat_map(|AllowedSpeedup { workers, most, .. }| {
        let reached = figures.reached().filter(|_| workers == figures.workers);
        let dot =
            reached.map(|reached| ("this run".to_owned(), words::rate(reached), (reached / longest).min(1.0), true));
        [Some((workers.to_string(), words::rate(most), most / longest, false)), dot]
    });
    bars.flatten().collect()
}

/// Width of the numbers of the hirers.
const HIRER: u16 = 6;
/// Letters of a figure in the heat map, if figures fit.
const HIRES_LETTERS: u32 = 3;

impl BalanceReport {
    /// Draws the heat map of hires: hirers as rows, helpers as columns.
    pub(super) fn matrix(&mut self, area: Rect, theme: Theme, matrix: &Matrix) {
        let y = self.sentence(area, (area.x + 1, area.y), &matrix.title(), theme, Role::Strong);
        let (rows, columns) = (matrix.hirers.len() as u64, matrix.helpers.len() as u64);
        let Ok(board) = Board::new(rows, columns) else { return };
        let room = Rect { x: area.x + HIRER, y: y + 1, width: area.width.saturating_sub(HIRER), height: rows as u16 };
        let sheet = heat::sheet(room, board, HIRES_LETTERS, theme, false, (0, 0));
        let below = sheet.area.y + rows as u16;
        self.grow(below + 1);
        let spot = |hires: u64| heat::Spot {
            value: matrix.heat(hires),
            text: if hires > 0 { format!("{:>3}", words::count(hires)) } else { String::new() },
            mark: None,
        };
        let place = |square: u32| (square as usize / matrix.helpers.len(), square as usize % matrix.helpers.len());
        heat::draw(&mut self.page, &sheet, theme, |square| {
            let (hirer, helper) = place(square.index());
            spot(matrix.hires[hirer][helper])
        });
        let (width, _) = sheet.cells().unwrap_or((1, 1));
        if width > 2 {
            for (x, helper) in (sheet.area.x..).step_by(width.into()).zip(&matrix.helpers) {
                self.put(area, (x, y), &format!("{helper:>3}"), theme, Role::Label);
            }
        }
        for (y, hirer) in (sheet.area.y..).zip(&matrix.hirers) {
            self.put(area, (sheet.area.x - HIRER, y), &format!("{hirer:>5}"), theme, Role::Label);
        }
        let scale = heat::scale(theme, "1", &words::grouped(matrix.most));
        put_line(&mut self.page, Rect { x: sheet.area.x, y: below, height: 1, ..room }, &scale);
    }
}
