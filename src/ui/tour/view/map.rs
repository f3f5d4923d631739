//! An overview of the whole board when only a part is visible: visited squares, the visible part, and the knight.

use crate::ui::kit::{Role, Sheet, put};
use crate::ui::tour::model::TourModel;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

/// Greatest height of the overview, in lines.
const HEIGHT_MAX: u16 = 16;

/// Draws the overview in the middle of `room`, as large as it fits. A cell samples one of its squares.
pub fn draw(buf: &mut Buffer, room: Rect, model: &TourModel, sheet: &Sheet) {
    let (board, theme) = (sheet.board, model.surface.theme);
    let room = Rect { x: room.x + 1, width: room.width.saturating_sub(2), ..room };
    // A cell is twice as high as wide.
    let across = |high: u16| (u64::from(high) * 2 * u64::from(board.cols())).div_ceil(board.rows().into()).max(1);
    let Some(high) = (2..=room.height.min(HEIGHT_MAX)).rev().find(|&high| across(high) <= room.width.into()) else {
        return;
    };
    let wide = across(high) as u16;
    let area = Rect { x: room.x + (room.width - wide) / 2, width: wide, height: high, ..room };
    // The squares of a cell: from its first square to the first one of the next cell.
    let first = |cell: u16, cells: u16, all: u32| (u64::from(cell) * u64::from(all) / u64::from(cells)) as u32;
    let within = |at: u32, low: u32, high: u32| at == low || (low..high).contains(&at);
    let knight = board.row_col(model.square());
    for y in 0..high {
        for x in 0..wide {
            let rows = (first(y, high, board.rows()), first(y + 1, high, board.rows()));
            let cols = (first(x, wide, board.cols()), first(x + 1, wide, board.cols()));
            let middle = board.square((rows.0 + rows.1) / 2, (cols.0 + cols.1) / 2);
            let number = middle.and_then(|square| model.route().number_of(square));
            let visited = number.is_some_and(|number| number <= model.k);
            let in_sheet = rows.1.max(rows.0 + 1) > sheet.from.0
                && rows.0 < sheet.from.0 + sheet.shown.0
                && cols.1.max(cols.0 + 1) > sheet.from.1
                && cols.0 < sheet.from.1 + sheet.shown.1;
            let (glyph, style) = match () {
                () if within(knight.0, rows.0, rows.1) && within(knight.1, cols.0, cols.1) => {
                    (theme.glyphs().knight, theme.style(Role::Hired))
                }
                () if visited => (theme.glyphs().column[5], theme.trail(if in_sheet { 0 } else { u32::MAX })),
                () if in_sheet => (theme.glyphs().dot, theme.style(Role::Label).add_modifier(Modifier::REVERSED)),
                () => (theme.glyphs().dot, theme.style(Role::Border)),
            };
            put(buf, area, area.x + x, area.y + y, glyph, style);
        }
    }
}
