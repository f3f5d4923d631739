//! The visible part of a board and the position of its squares on the screen; the names of its rows and columns, and
//! the dark squares.

use super::draw::put;
use super::palette::Role;
use super::theme::Theme;
use crate::board::{Board, Square};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardLook {
    /// The moves as lines.
    Lines,
    /// The squares with the numbers of their moves, and lines if there is room.
    Numbers,
}

/// The visible part of a board and the position of its squares on the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// The cells that hold squares.
    pub area: Rect,
    pub board: Board,
    /// Width and height of a square in dots; a cell is 2 x 4 dots.
    pub dots: (u32, u32),
    /// Row and column of the first visible square.
    pub from: (u32, u32),
    /// Number of visible rows and columns.
    pub shown: (u32, u32),
    /// Width of the row names at the left of the area; the column names take one line below it. 0 means no names.
    pub gutter: u16,
}

/// Sides of a square that is drawn with lines only, in dots. Below the third size, squares share cells.
const LINE_DOTS: [u32; 11] = [2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32];
/// The index in [`LINE_DOTS`] of the size for a board that does not fit.
const LINE_BASE: usize = 2;
/// Greatest height of a square with a number, in lines.
const NUMBER_HEIGHT_MAX: u32 = 8;

/// The sizes of a square to choose from, smallest first, and the index of the one for a board that does not fit.
fn sizes(look: BoardLook, digits: u32) -> (Vec<(u32, u32)>, usize) {
    match look {
        BoardLook::Lines => (LINE_DOTS.map(|side| (side, side)).to_vec(), LINE_BASE),
        BoardLook::Numbers => {
            // One blank between numbers; a cell is twice as high as wide.
            let size = |high| (2 * (digits + 1).max(2 * high), 4 * high);
            ((1..=NUMBER_HEIGHT_MAX).map(size).collect(), 0)
        }
    }
}

impl Sheet {
    /// The visible part of `board` in `room`. The whole board is shown as large as it fits. If it does not fit, a
    /// part is shown at a readable size, which begins near square `from` (row and column). Numbers have `digits`
    /// digits. `zoom` selects a size that many steps larger or smaller. `names` says whether rows and columns are
    /// named.
    pub fn of(
        room: Rect,
        board: Board,
        look: BoardLook,
        digits: u32,
        zoom: i32,
        names: bool,
        from: (u32, u32),
    ) -> Sheet {
        let (sizes, base) = sizes(look, digits);
        Sheet::sized(room, board, &sizes, base, zoom, names, from)
    }

    /// [`Sheet::of`] with an explicit list of square sizes in dots, smallest first, and the index of the size for a
    /// board that does not fit.
    pub fn sized(
        room: Rect,
        board: Board,
        sizes: &[(u32, u32)],
        base: usize,
        zoom: i32,
        names: bool,
        from: (u32, u32),
    ) -> Sheet {
        let gutter = if names { board.rows().to_string().len() as u16 + 1 } else { 0 };
        let inside = if names {
            Rect {
                x: room.x + gutter.min(room.width),
                width: room.width.saturating_sub(gutter),
                height: room.height.saturating_sub(1),
                ..room
            }
        } else {
            room
        };
        let has = (u32::from(inside.width) * 2, u32::from(inside.height) * 4);
        let whole = |&(wide, high): &(u32, u32)| {
            u64::from(wide) * u64::from(board.cols()) <= has.0.into()
                && u64::from(high) * u64::from(board.rows()) <= has.1.into()
        };
        let fitting = sizes.iter().rposition(whole).unwrap_or(base);
        let last = sizes.len() as i32 - 1;
        let dots = sizes[(fitting as i32).saturating_add(zoom).clamp(0, last) as usize];
        let shown = ((has.1 / dots.1).clamp(1, board.rows()), (has.0 / dots.0).clamp(1, board.cols()));
        let from = (from.0.min(board.rows() - shown.0), from.1.min(board.cols() - shown.1));
        let width = ((shown.1 * dots.0).div_ceil(2) as u16).min(inside.width);
        let height = ((shown.0 * dots.1).div_ceil(4) as u16).min(inside.height);
        let area = Rect {
            x: inside.x + (inside.width - width) / 2,
            y: inside.y + (inside.height - height) / 2,
            width,
            height,
        };
        Sheet { area, board, dots, from, shown, gutter }
    }

    /// Whether the whole board is visible.
    pub fn is_whole(&self) -> bool {
        self.shown == (self.board.rows(), self.board.cols())
    }

    /// Width and height of a square in cells; `None` if squares share cells.
    pub fn cells(&self) -> Option<(u16, u16)> {
        self.dots.1.is_multiple_of(4).then_some(((self.dots.0 / 2) as u16, (self.dots.1 / 4) as u16))
    }

    /// Number of letters that fit in the middle of a square; 0 if two squares may share a cell there.
    pub fn letters(&self) -> u16 {
        if self.dots.1 < 4 { 0 } else { (self.dots.0 / 2) as u16 }
    }

    /// Whether the square in this row and column is visible.
    pub fn shows(&self, (row, col): (u32, u32)) -> bool {
        let within = |at: u32, from: u32, shown: u32| at >= from && at - from < shown;
        within(row, self.from.0, self.shown.0) && within(col, self.from.1, self.shown.1)
    }

    /// The dot in the middle of a square, counted from the top left of the area; also for squares slightly outside.
    pub fn dot(&self, square: Square) -> (i32, i32) {
        let (row, col) = self.board.row_col(square);
        let middle =
            |at: u32, from: u32, dots: u32| (i64::from(at) - i64::from(from)) * i64::from(dots) + i64::from(dots / 2);
        // Squares that are drawn lie within a few rows and columns of the visible ones.
        (middle(col, self.from.1, self.dots.0) as i32, middle(row, self.from.0, self.dots.1) as i32)
    }

    /// The first cell of a text of this width that is centred in a square.
    pub fn cell(&self, square: Square, width: u16) -> (u16, u16) {
        let (x, y) = self.dot(square);
        (self.area.x + ((x.max(0) / 2) as u16).saturating_sub(width / 2), self.area.y + (y.max(0) / 4) as u16)
    }

    /// Writes a text in the middle of a square, if the square is visible.
    pub(in crate::ui) fn mark(&self, buf: &mut Buffer, square: Square, text: &str, style: Style) {
        if self.shows(self.board.row_col(square)) {
            let (x, y) = self.cell(square, text.chars().count() as u16);
            put(buf, self.area, x, y, text, style);
        }
    }

    /// The square under a cell, if squares do not share cells.
    pub fn square_at(&self, at: Position) -> Option<Square> {
        let (wide, high) = self.cells()?;
        let inside = self.area.contains(at).then_some((at.y - self.area.y, at.x - self.area.x))?;
        let (row, col) = (inside.0.checked_div(high)?, inside.1.checked_div(wide)?);
        self.board.square(self.from.0 + u32::from(row), self.from.1 + u32::from(col))
    }

    /// The scroll position that makes `square` (row and column) visible with some squares around it. It does not
    /// change if that is already so.
    pub fn following(&self, square: (u32, u32)) -> (u32, u32) {
        let along = |at: u32, from: u32, shown: u32, all: u32| {
            let margin = (shown / 4).min(2);
            let seen = at >= from + margin.min(from) && at + margin.min(all - 1 - at) < from + shown;
            if seen { from } else { at.saturating_sub(shown / 2).min(all - shown) }
        };
        let (rows, cols) = (self.board.rows(), self.board.cols());
        (along(square.0, self.from.0, self.shown.0, rows), along(square.1, self.from.1, self.shown.1, cols))
    }

    /// The scroll position after scrolling `down` and `right` by halves of the visible part.
    pub fn scrolled(&self, down: i32, right: i32) -> (u32, u32) {
        let along = |by: i32, from: u32, shown: u32, all: u32| {
            let step = i64::from(shown.div_ceil(2)) * i64::from(by);
            (i64::from(from) + step).clamp(0, i64::from(all - shown)) as u32
        };
        let (rows, cols) = (self.board.rows(), self.board.cols());
        (along(down, self.from.0, self.shown.0, rows), along(right, self.from.1, self.shown.1, cols))
    }

    /// The letters of a column.
    pub fn column_name(&self, col: u32) -> String {
        let name = self.board.square(0, col).map(|square| self.board.name(square)).unwrap_or_default();
        name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
    }
}

/// Draws the numbers of the rows at the left and the letters of the columns below, as many as fit.
pub fn draw_names(buf: &mut Buffer, sheet: &Sheet, theme: Theme) {
    let (area, style) = (sheet.area, theme.style(Role::Label));
    let whole = Rect { x: 0, y: 0, width: area.right() + 1, height: area.bottom() + 1 };
    let width = usize::from(sheet.gutter) - 1;
    let every = if sheet.dots.1 < 4 { 4u32.div_ceil(sheet.dots.1) } else { 1 };
    for row in sheet.from.0..sheet.from.0 + sheet.shown.0 {
        let name = sheet.board.rows() - row;
        if let Some(square) = sheet.board.square(row, sheet.from.1).filter(|_| (name - 1).is_multiple_of(every)) {
            let (_, y) = sheet.cell(square, 1);
            put(buf, whole, area.x - sheet.gutter, y, &format!("{name:>width$}"), style);
        }
    }
    let letters = sheet.column_name(sheet.from.1 + sheet.shown.1 - 1).len() as u32;
    let every = ((letters + u32::from(letters > 1)) * 2).div_ceil(sheet.dots.0);
    for col in (sheet.from.1..sheet.from.1 + sheet.shown.1).filter(|col| col.is_multiple_of(every)) {
        if let Some(square) = sheet.board.square(sheet.from.0, col) {
            let name = sheet.column_name(col);
            let (x, _) = sheet.cell(square, name.len() as u16);
            if x + name.len() as u16 <= area.right() {
                put(buf, whole, x, area.bottom(), &name, style);
            }
        }
    }
}

/// Draws the background of the dark squares.
pub fn draw_ground(buf: &mut Buffer, sheet: &Sheet, theme: Theme) {
    let (Some((wide, high)), Some(ground)) = (sheet.cells(), theme.dark_square()) else { return };
    for row in 0..sheet.shown.0 as u16 {
        for col in 0..sheet.shown.1 as u16 {
            // As on a chess board, the bottom left square is dark.
            let from_below = sheet.board.rows() - 1 - (sheet.from.0 + u32::from(row));
            if (from_below + sheet.from.1 + u32::from(col)).is_multiple_of(2) {
                let rect =
                    Rect { x: sheet.area.x + col * wide, y: sheet.area.y + row * high, width: wide, height: high };
                buf.set_style(rect.intersection(sheet.area), Style::new().bg(ground));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sheet(room: (u16, u16), board: &str, look: BoardLook, zoom: i32, from: (u32, u32)) -> Sheet {
        let board: Board = board.parse().unwrap();
        let digits = board.squares().to_string().len() as u32;
        Sheet::of(Rect::new(3, 1, room.0, room.1), board, look, digits, zoom, true, from)
    }

    #[test]
    fn a_board_that_fits_is_shown_whole_and_large_and_one_that_does_not_in_part() {
        let small = sheet((46, 19), "8x8", BoardLook::Lines, 0, (5, 5));
        assert_eq!((small.cells(), small.shown, small.from), (Some((4, 2)), (8, 8), (0, 0)));
        let numbered = sheet((46, 19), "12x12", BoardLook::Numbers, 0, (0, 0));
        assert_eq!((numbered.cells(), numbered.shown), (Some((4, 1)), (12, 10)));
        let crowded = sheet((46, 19), "30x30", BoardLook::Lines, 0, (0, 0));
        assert!(crowded.is_whole() && crowded.cells().is_none());
        let large = sheet((46, 19), "10000x10000", BoardLook::Lines, 0, (9999, 70));
        assert_eq!((large.cells(), large.shown, large.from), (Some((2, 1)), (18, 20), (9982, 70)));
    }

    proptest! {
        #[test]
        fn the_knight_is_visible_after_following(
            (wide, high) in (1u16..200, 1u16..60), (rows, cols) in (1u64..300, 1u64..300), zoom in -9i32..9,
            numbers in any::<bool>(), names in any::<bool>(), at in any::<prop::sample::Index>(),
            from in (0u32..300, 0u32..300),
        ) {
            let board = Board::new(rows, cols).unwrap();
            let look = if numbers { BoardLook::Numbers } else { BoardLook::Lines };
            let room = Rect::new(0, 0, wide, high);
            let sheet = Sheet::of(room, board, look, 5, zoom, names, from);
            let square = board.row_col(board.at(at.index(board.squares() as usize) as u32).unwrap());
            let moved = Sheet { from: sheet.following(square), ..sheet };
            prop_assert!(moved.shows(square));
            prop_assert_eq!(moved.following(square), moved.from);
            prop_assert!(moved.from.0 + moved.shown.0 <= board.rows() && moved.from.1 + moved.shown.1 <= board.cols());
            prop_assert!(room.union(sheet.area) == room || sheet.area.is_empty());
            let scrolled = Sheet { from: sheet.scrolled(1, -1), ..sheet };
            prop_assert!(scrolled.from.0 + scrolled.shown.0 <= board.rows());
        }
    }
}
