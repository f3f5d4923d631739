//! Where the panes of the tour view lie, and which part of the board is shown how large: pure geometry.
//!
//! ```text
//! header   board, ending, title; move, square, how far
//! board                    | moves
//!                          | map, if the board is larger than its pane
//! footer   keys, a question, or what has just been said
//! ```

use crate::board::{Board, Square};
use crate::ui::layout::SCREEN_MIN;
use ratatui::layout::{Margin, Rect, Size};

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// The moves as lines.
    Lines,
    /// The squares with the numbers of their moves, and lines where there is room.
    Numbers,
}

/// Where everything lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The header: two lines, one on a low screen.
    pub header: Rect,
    /// The pane of the board.
    pub board: Rect,
    /// The pane of the moves.
    pub moves: Rect,
    /// The last line.
    pub footer: Rect,
    /// Whether panes have frames.
    pub framed: bool,
}

/// Lines of a screen that are enough for frames.
const FRAMED_HEIGHT: u16 = 16;
/// Columns of a screen from which on a move is described in a line.
const WIDE_WIDTH: u16 = 64;
/// Columns of the moves on a narrower screen.
const NARROW_MOVES: u16 = 15;

impl Layout {
    /// The layout of a screen; nothing when it is too small.
    pub fn of(screen: Size) -> Option<Layout> {
        if screen.width < SCREEN_MIN.width || screen.height < SCREEN_MIN.height {
            return None;
        }
        let framed = screen.height >= FRAMED_HEIGHT;
        let header = Rect::new(0, 0, screen.width, if framed { 2 } else { 1 });
        let footer = Rect::new(0, screen.height - 1, screen.width, 1);
        let body = Rect { y: header.height, height: screen.height - header.height - 1, ..header };
        let width = match (screen.width >= WIDE_WIDTH, framed) {
            (true, _) => (screen.width * 2 / 5).clamp(30, 46),
            (false, true) => NARROW_MOVES + 2,
            (false, false) => NARROW_MOVES,
        };
        let board = Rect { width: body.width - width, ..body };
        let moves = Rect { x: board.right(), width, ..body };
        Some(Layout { header, board, moves, footer, framed })
    }

    /// What is left of a pane inside its frame.
    pub fn inner(&self, pane: Rect) -> Rect {
        if self.framed { pane.inner(Margin::new(1, 1)) } else { pane }
    }
}

/// The part of a board that is shown, and where its squares lie on the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// The cells that hold squares.
    pub area: Rect,
    /// The board.
    pub board: Board,
    /// Dots of a square, across and down; a cell is 2 x 4 dots.
    pub dots: (u32, u32),
    /// Row and column of the first square that is shown.
    pub from: (u32, u32),
    /// Rows and columns that are shown.
    pub shown: (u32, u32),
    /// Columns at the left of the area for the names of the rows, and a line below it for those of the columns; none
    /// when 0.
    pub gutter: u16,
}

/// Sides of a square that is drawn by lines alone, in dots. Below the third, squares share cells.
const LINE_DOTS: [u32; 11] = [2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32];
/// The size in [`LINE_DOTS`] at which a board that does not fit is shown in part.
const LINE_BASE: usize = 2;
/// Lines of the largest square with a number.
const NUMBER_HEIGHT_MAX: u32 = 8;

/// Sizes of a square to choose from, the smallest first, and the one for a board that does not fit.
fn sizes(look: Look, digits: u32) -> (Vec<(u32, u32)>, usize) {
    match look {
        Look::Lines => (LINE_DOTS.map(|side| (side, side)).to_vec(), LINE_BASE),
        Look::Numbers => {
            // A blank between numbers; cells are twice as high as wide.
            let size = |high| (2 * (digits + 1).max(2 * high), 4 * high);
            ((1..=NUMBER_HEIGHT_MAX).map(size).collect(), 0)
        }
    }
}

impl Sheet {
    /// The part of `board` that is shown in `room`: all of it as large as it fits, or as much as fits at a size that
    /// can still be read, beginning near square `from` (row and column). Numbers have `digits` digits. `zoom` asks for
    /// so many sizes more or fewer; `names` whether rows and columns are named.
    pub fn of(room: Rect, board: Board, look: Look, digits: u32, zoom: i32, names: bool, from: (u32, u32)) -> Sheet {
        let (sizes, base) = sizes(look, digits);
        Sheet::sized(room, board, (&sizes, base), zoom, names, from)
    }

    /// As [`Sheet::of`], with the sizes of a square to choose from, in dots, the smallest first, and the place of the
    /// one for a board that does not fit.
    pub fn sized(
        room: Rect,
        board: Board,
        (sizes, base): (&[(u32, u32)], usize),
        zoom: i32,
        names: bool,
        from: (u32, u32),
    ) -> Sheet {
        let gutter = if names { board.rows().to_string().len() as u16 + 1 } else { 0 };
        let inside = match names {
            true => Rect {
                x: room.x + gutter.min(room.width),
                width: room.width.saturating_sub(gutter),
                height: room.height.saturating_sub(1),
                ..room
            },
            false => room,
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

    /// Whether the whole board is shown.
    pub fn is_whole(&self) -> bool {
        self.shown == (self.board.rows(), self.board.cols())
    }

    /// Cells of a square, across and down; nothing where squares share cells.
    pub fn cells(&self) -> Option<(u16, u16)> {
        self.dots.1.is_multiple_of(4).then_some(((self.dots.0 / 2) as u16, (self.dots.1 / 4) as u16))
    }

    /// Letters that have room in the middle of a square; none where two squares may meet in a cell there.
    pub fn letters(&self) -> u16 {
        if self.dots.1 < 4 { 0 } else { (self.dots.0 / 2) as u16 }
    }

    /// Whether a square of this row and column is shown.
    pub fn shows(&self, (row, col): (u32, u32)) -> bool {
        let within = |at: u32, from: u32, shown: u32| at >= from && at - from < shown;
        within(row, self.from.0, self.shown.0) && within(col, self.from.1, self.shown.1)
    }

    /// The dot in the middle of a square, from the top left of the area; also of squares a little outside.
    pub fn dot(&self, square: Square) -> (i32, i32) {
        let (row, col) = self.board.row_col(square);
        let middle =
            |at: u32, from: u32, dots: u32| (i64::from(at) - i64::from(from)) * i64::from(dots) + i64::from(dots / 2);
        // Squares that are drawn lie within a few rows and columns of those shown.
        (middle(col, self.from.1, self.dots.0) as i32, middle(row, self.from.0, self.dots.1) as i32)
    }

    /// The cell where a text of this width begins that stands in the middle of a square.
    pub fn cell(&self, square: Square, width: u16) -> (u16, u16) {
        let (x, y) = self.dot(square);
        (self.area.x + ((x.max(0) / 2) as u16).saturating_sub(width / 2), self.area.y + (y.max(0) / 4) as u16)
    }

    /// Where to begin so that `square` (row and column) is seen with some squares around it: where it is seen already,
    /// nothing moves.
    pub fn following(&self, square: (u32, u32)) -> (u32, u32) {
        let along = |at: u32, from: u32, shown: u32, all: u32| {
            let margin = (shown / 4).min(2);
            let seen = at >= from + margin.min(from) && at + margin.min(all - 1 - at) < from + shown;
            if seen { from } else { at.saturating_sub(shown / 2).min(all - shown) }
        };
        let (rows, cols) = (self.board.rows(), self.board.cols());
        (along(square.0, self.from.0, self.shown.0, rows), along(square.1, self.from.1, self.shown.1, cols))
    }

    /// Where to begin after scrolling so many halves of the shown part down and right.
    pub fn scrolled(&self, down: i32, right: i32) -> (u32, u32) {
        let along = |by: i32, from: u32, shown: u32, all: u32| {
            let step = i64::from(shown.div_ceil(2)) * i64::from(by);
            (i64::from(from) + step).clamp(0, i64::from(all - shown)) as u32
        };
        let (rows, cols) = (self.board.rows(), self.board.cols());
        (along(down, self.from.0, self.shown.0, rows), along(right, self.from.1, self.shown.1, cols))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sheet(room: (u16, u16), board: &str, look: Look, zoom: i32, from: (u32, u32)) -> Sheet {
        let board: Board = board.parse().unwrap();
        let digits = board.squares().to_string().len() as u32;
        Sheet::of(Rect::new(3, 1, room.0, room.1), board, look, digits, zoom, true, from)
    }

    #[test]
    fn a_board_that_fits_is_shown_whole_and_large_and_one_that_does_not_in_part() {
        let small = sheet((46, 19), "8x8", Look::Lines, 0, (5, 5));
        assert_eq!((small.cells(), small.shown, small.from), (Some((4, 2)), (8, 8), (0, 0)));
        let numbered = sheet((46, 19), "12x12", Look::Numbers, 0, (0, 0));
        assert_eq!((numbered.cells(), numbered.shown), (Some((4, 1)), (12, 10)));
        let crowded = sheet((46, 19), "30x30", Look::Lines, 0, (0, 0));
        assert!(crowded.is_whole() && crowded.cells().is_none());
        let large = sheet((46, 19), "10000x10000", Look::Lines, 0, (9999, 70));
        assert_eq!((large.cells(), large.shown, large.from), (Some((2, 1)), (18, 20), (9982, 70)));
    }

    proptest! {
        #[test]
        fn whatever_the_room_the_knight_is_seen_after_following(
            (wide, high) in (1u16..200, 1u16..60), (rows, cols) in (1u64..300, 1u64..300), zoom in -9i32..9,
            numbers in any::<bool>(), names in any::<bool>(), at in any::<prop::sample::Index>(),
            from in (0u32..300, 0u32..300),
        ) {
            let board = Board::new(rows, cols).unwrap();
            let look = if numbers { Look::Numbers } else { Look::Lines };
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
