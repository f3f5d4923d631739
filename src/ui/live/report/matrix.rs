//! The heat map of the balance report: who hired whom.

use super::BalanceReport;
use crate::board::Board;
use crate::run::balance::Matrix;
use crate::ui::kit::{Role, Theme, heat};
use crate::words;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

/// Width of the numbers of the bosses.
const HIRER: u16 = 6;
/// Letters of a figure in the heat map, if figures fit.
const HIRES_LETTERS: u32 = 3;

impl BalanceReport {
    /// Draws the heat map of hires: bosses as rows, helpers as columns.
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
        heat::scale(theme, "1", &words::grouped(matrix.most))
            .render(Rect { x: sheet.area.x, y: below, height: 1, ..room }, &mut self.page);
    }
}
