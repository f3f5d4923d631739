//! The balance report, which fills the screen: the verdicts, every figure with its sentence, what decided the end, and the
//! [charts]. The report is a page as high as needed, of which the screen shows a part. On a wide screen the charts
//! stand beside the figures. In a pane of a large screen it is brief: without sentences.

mod charts;
mod matrix;

use crate::run::balance::{BalanceFigures, BalanceLine};
use crate::ui::kit::{Role, Theme, put, wrapped};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// Least width for charts beside the figures, and the width of the figures in that case.
const WIDE: u16 = 110;
const FIGURES_WIDTH: u16 = 56;
/// Least width of a brief report.
pub const BRIEF_WIDTH: u16 = 56;
/// Widths of names and of figures, and the least width of a sentence behind them.
const NAME: u16 = 13;
const FIGURE: u16 = 17;
const SENTENCE_MIN: u16 = 30;
/// Bars of the times of workers at most, in the whole report and in the brief one.
const TIME_BARS: usize = 32;
const TIME_BARS_BRIEF: usize = 8;
/// Longest page, in lines: all figures, bars of workers, histograms and a matrix take fewer.
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
            report.charts(Rect { y: below + 1, height: whole.height - below - 1, ..whole }, theme, figures, TIME_BARS);
        } else {
            report.figures(Rect { width: FIGURES_WIDTH, ..whole }, theme, figures);
            let beside = Rect { x: FIGURES_WIDTH + 2, width: width - FIGURES_WIDTH - 2, ..whole };
            report.charts(beside, theme, figures, TIME_BARS);
        }
        report
    }

    /// Number of lines.
    pub fn height(&self) -> u16 {
        self.page.area.height
    }

    /// Draws the report without its sentences: two columns of the figures that are known, above the charts. `first` are a
    /// name and a figure to begin with.
    pub fn brief(figures: &BalanceFigures, first: (&str, String), theme: Theme, width: u16) -> BalanceReport {
        let mut report = BalanceReport::empty(width);
        let (whole, lines) = (Rect::new(0, 0, width, LINES_MAX), figures.lines());
        let known = lines.into_iter().filter(|line| line.figure != "-").map(|line| (line.name, line.figure));
        let known: Vec<(&str, String)> = std::iter::once(first).chain(known).collect();
        let rows = known.len().div_ceil(2);
        for (i, (name, figure)) in known.into_iter().enumerate() {
            let (x, y) = (1 + (i / rows) as u16 * BRIEF_WIDTH / 2, (i % rows) as u16);
            report.put(whole, (x, y), name, theme, Role::Label);
            report.put(whole, (x + NAME, y), &figure, theme, Role::Strong);
        }
        let below = rows as u16 + 1;
        report.charts(Rect { y: below, height: whole.height - below, ..whole }, theme, figures, TIME_BARS_BRIEF);
        report
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
            y = self.sentence(area, (name_at, y), &verdict.told(), theme, Role::Hired);
        }
        let further = [figures.time_lines(), figures.core_lines(), figures.span_lines()];
        for BalanceLine { name, figure, meaning } in figures.lines().into_iter().chain(further.into_iter().flatten()) {
            self.put(area, (name_at, y), name, theme, Role::Label);
            self.put(area, (name_at + NAME, y), &figure, theme, Role::Strong);
            let place = if beside { (name_at + NAME + FIGURE, y) } else { (name_at + 2, y + 1) };
            y = self.sentence(area, place, meaning, theme, if beside { Role::Text } else { Role::Label });
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
