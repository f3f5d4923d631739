//! The balance report, which fills the screen: every figure with its sentence, bars of tasks by nodes and of hires by
//! depth, and a heat map of hires between workers. The report is a page as high as needed, of which the screen shows
//! a part. On a wide screen the charts stand beside the figures. In a pane of a large screen it is brief: without sentences.

use crate::board::Board;
use crate::run::balance::{BalanceFigures, BalanceLine, Bar, Matrix, Verdict};
use crate::ui::kit::{Role, Theme, heat, put, wrapped};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

/// Least width for charts beside the figures, and the width of the figures in that case.
const WIDE: u16 = 110;
const FIGURES_WIDTH: u16 = 56;
/// Least width of a brief report.
pub const BRIEF_WIDTH: u16 = 56;
/// Widths of names and of figures, and the least width of a sentence behind them.
const NAME: u16 = 13;
const FIGURE: u16 = 17;
const SENTENCE_MIN: u16 = 30;
/// Widths of the label of a bar and of its number.
const LABEL: usize = 13;
const COUNT: usize = 7;
/// Width of the longest bar, and the least width for two bar charts side by side.
const BAR_MAX: u16 = 30;
const TWO_CHARTS: u16 = 90;
/// Width of the numbers of the bosses.
const HIRER: u16 = 6;
/// Letters of a figure in the heat map, if figures fit.
const HIRES_LETTERS: u32 = 3;
/// Longest page, in lines: eleven figures, a histogram, all depths and a matrix take fewer.
const LINES_MAX: u16 = 1000;

/// The balance report, drawn as one long page.
pub struct BalanceReport {
    page: Buffer,
    /// Number of lines in use.
    lines: u16,
}

impl BalanceReport {
    /// Draws the report of the figures, `width` columns wide.
    pub fn new(figures: &BalanceFigures, theme: Theme, width: u16) -> BalanceReport {
        let mut report = BalanceReport { page: Buffer::empty(Rect::new(0, 0, width, LINES_MAX)), lines: 0 };
        let whole = report.page.area;
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
        self.lines
    }

    /// Draws the report without its sentences: two columns of the figures that are known, above the charts. `first` are a
    /// name and a figure to begin with.
    pub fn brief(figures: &BalanceFigures, first: (&str, String), theme: Theme, width: u16) -> BalanceReport {
        let mut report = BalanceReport { page: Buffer::empty(Rect::new(0, 0, width, LINES_MAX)), lines: 0 };
        let (whole, lines) = (report.page.area, figures.lines());
        let known = lines.into_iter().filter(|line| line.figure != "-").map(|line| (line.name, line.figure));
        let known: Vec<(&str, String)> = std::iter::once(first).chain(known).collect();
        let rows = known.len().div_ceil(2);
        for (i, (name, figure)) in known.into_iter().enumerate() {
            let (x, y) = (1 + (i / rows) as u16 * BRIEF_WIDTH / 2, (i % rows) as u16);
            report.put(whole, (x, y), name, theme, Role::Label);
            report.put(whole, (x + NAME, y), &figure, theme, Role::Strong);
        }
        let below = rows as u16 + 1;
        report.charts(Rect { y: below, height: whole.height - below, ..whole }, theme, figures);
        report
    }

    /// Draws the part of the page that begins at line `from`.
    pub fn draw(&self, buf: &mut Buffer, area: Rect, from: u16) {
        for Position { x, y } in area.positions() {
            let line = y - area.y + from;
            if line < self.lines {
                buf[(x, y)] = self.page[(x - area.x, line)].clone();
            }
        }
    }

    /// Writes a text; returns the column behind it.
    fn put(&mut self, area: Rect, (x, y): (u16, u16), text: &str, theme: Theme, role: Role) -> u16 {
        self.lines = self.lines.max(y + 1);
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
        for Verdict { name, share, sentence, advice } in &figures.verdicts {
            let text = format!("{} {}: {sentence} {advice}", name.name(), words::percent(*share));
            y = self.sentence(area, (name_at, y), &text, theme, Role::Hired);
        }
        let (time, span) = (figures.time_lines(), figures.span_lines());
        for BalanceLine { name, figure, meaning } in figures.lines().into_iter().chain(time).chain(span) {
            self.put(area, (name_at, y), name, theme, Role::Label);
            self.put(area, (name_at + NAME, y), &figure, theme, Role::Strong);
            let place = if beside { (name_at + NAME + FIGURE, y) } else { (name_at + 2, y + 1) };
            y = self.sentence(area, place, meaning, theme, if beside { Role::Text } else { Role::Label });
        }
        for note in &figures.notes {
            y = self.sentence(area, (name_at, y), &format!("! {note}"), theme, Role::Held);
        }
        y
    }

    fn charts(&mut self, area: Rect, theme: Theme, figures: &BalanceFigures) {
        let (tasks, depths) = (figures.node_bars(), figures.depth_bars());
        let two = area.width >= TWO_CHARTS;
        let left = Rect { width: if two { area.width / 2 } else { area.width }, ..area };
        let below = self.bars(left, theme, "tasks by their nodes", &tasks);
        let right = match two {
            true => Rect { x: left.right(), width: area.width - left.width, ..area },
            false => Rect { y: below, ..area },
        };
        let below = below.max(self.bars(right, theme, "hires by depth", &depths));
        if let Some(matrix) = &figures.matrix {
            self.matrix(Rect { y: below, height: area.bottom() - below, ..area }, theme, matrix);
        }
    }

    /// Draws a bar chart under its title; returns the second line below it.
    fn bars(&mut self, area: Rect, theme: Theme, title: &str, bars: &[Bar]) -> u16 {
        if bars.is_empty() {
            return area.y;
        }
        self.put(area, (area.x + 1, area.y), title, theme, Role::Strong);
        let mut y = area.y + 1;
        for Bar { label, count, share } in bars {
            let text = format!("{label:>LABEL$}  {:>COUNT$}  ", words::grouped(*count));
            let x = self.put(area, (area.x, y), &text, theme, Role::Text);
            let room = area.right().saturating_sub(x + 1).min(BAR_MAX);
            let bar = theme.glyphs().meter[0].repeat((share * f64::from(room)).ceil() as usize);
            self.put(area, (x, y), &bar, theme, Role::Busy);
            y += 1;
        }
        y + 1
    }

    /// Draws the heat map of hires: bosses as rows, helpers as columns.
    fn matrix(&mut self, area: Rect, theme: Theme, matrix: &Matrix) {
        let y = self.sentence(area, (area.x + 1, area.y), &matrix.title(), theme, Role::Strong);
        let (rows, columns) = (matrix.hirers.len() as u64, matrix.helpers.len() as u64);
        let Ok(board) = Board::new(rows, columns) else { return };
        let room = Rect { x: area.x + HIRER, y: y + 1, width: area.width.saturating_sub(HIRER), height: rows as u16 };
        let sheet = heat::sheet(room, board, HIRES_LETTERS, theme, false, (0, 0));
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
        let below = sheet.area.y + rows as u16;
        heat::scale(theme, "1", &words::grouped(matrix.most))
            .render(Rect { x: sheet.area.x, y: below, height: 1, ..room }, &mut self.page);
        self.lines = self.lines.max(below + 1);
    }
}
