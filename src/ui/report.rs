//! The balance of a run with the whole screen to itself: every figure with its sentence, tasks by their nodes and hires by
//! depth as bars, and who hired whom as a heat map. It is a page as high as it needs to be, of which a screen shows a
//! part; on a wide screen the charts stand beside the figures.

use super::kit::put;
use super::kit::{Role, Theme};
use super::kit::{heat, wrapped};
use crate::board::Board;
use crate::run::balance::{BalanceFigures, BalanceLine, Bar, Matrix};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

/// Columns from which on the charts stand beside the figures, and those of the figures then.
const WIDE: u16 = 110;
const FIGURES_WIDTH: u16 = 56;
/// Columns of names and of figures, behind which their sentences stand if there is room for them.
const NAME: u16 = 13;
const FIGURE: u16 = 17;
const SENTENCE_MIN: u16 = 30;
/// Columns of what a bar counts, and of how many.
const LABEL: usize = 13;
const COUNT: usize = 7;
/// Columns of the longest bar, and of two charts of bars side by side at least.
const BAR_MAX: u16 = 30;
const TWO_CHARTS: u16 = 90;
/// Columns of the numbers of hirers.
const HIRER: u16 = 6;
/// Letters of a figure in the heat map, where it has room for figures.
const HIRES_LETTERS: u32 = 3;
/// Lines of the longest page: eleven figures, a histogram, all depths and a matrix take less.
const LINES_MAX: u16 = 1000;

/// The page; see the module.
pub struct BalanceReport {
    page: Buffer,
    /// Lines that something stands on.
    lines: u16,
}

impl BalanceReport {
    /// Of these figures, so many columns wide.
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

    /// Its lines.
    pub fn height(&self) -> u16 {
        self.lines
    }

    /// Draws the part of it from a line on.
    pub fn draw(&self, buf: &mut Buffer, area: Rect, from: u16) {
        for Position { x, y } in area.positions() {
            let line = y - area.y + from;
            if line < self.lines {
                buf[(x, y)] = self.page[(x - area.x, line)].clone();
            }
        }
    }

    /// Writes a text; answers where it ends.
    fn put(&mut self, area: Rect, (x, y): (u16, u16), text: &str, theme: Theme, role: Role) -> u16 {
        self.lines = self.lines.max(y + 1);
        put(&mut self.page, area, x, y, text, theme.style(role))
    }

    /// Writes a text in as many lines as it takes; answers the line below.
    fn sentence(&mut self, area: Rect, (x, mut y): (u16, u16), text: &str, theme: Theme, role: Role) -> u16 {
        for line in wrapped(text, usize::from(area.right().saturating_sub(x + 1))) {
            self.put(area, (x, y), &line, theme, role);
            y += 1;
        }
        y
    }

    /// Every figure with its sentence, beside it or below, and what makes them less; answers the line below.
    fn figures(&mut self, area: Rect, theme: Theme, figures: &BalanceFigures) -> u16 {
        let (name_at, mut y) = (area.x + 1, area.y);
        let beside = area.width >= NAME + FIGURE + SENTENCE_MIN;
        for BalanceLine { name, figure, meaning } in figures.lines() {
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

    /// A chart of bars under its title; answers the line below, with one between.
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

    /// Who hired whom.
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
