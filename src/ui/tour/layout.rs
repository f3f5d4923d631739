//! The positions of the panes of the tour view: pure geometry.
//!
//! ```text
//! header   board, ending, title; move, square, progress
//! board                    | moves
//!                          | map, if the board is larger than its pane
//! footer   keys, a question or a notice
//! ```

use crate::ui::kit::Page;
use ratatui::layout::{Rect, Size};

/// The positions of all parts of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TourLayout {
    /// The header (two lines, one on a low screen) and the footer.
    pub page: Page,
    /// The pane of the board.
    pub board: Rect,
    /// The pane of the moves.
    pub moves: Rect,
}

/// Least screen height with frames.
const FRAMED_HEIGHT: u16 = 16;
/// Least screen width for a line of words about a move.
const WIDE_WIDTH: u16 = 64;
/// Width of the moves on a narrower screen.
const NARROW_MOVES: u16 = 15;

impl TourLayout {
    /// The layout; `None` if the screen is too small.
    pub fn of(screen: Size) -> Option<TourLayout> {
        let framed = screen.height >= FRAMED_HEIGHT;
        let page = Page::of(screen, if framed { 2 } else { 1 }, framed)?;
        let body = page.body;
        let width = match (screen.width >= WIDE_WIDTH, framed) {
            (true, _) => (screen.width * 2 / 5).clamp(30, 46),
            (false, true) => NARROW_MOVES + 2,
            (false, false) => NARROW_MOVES,
        };
        let board = Rect { width: body.width - width, ..body };
        let moves = Rect { x: board.right(), width, ..body };
        Some(TourLayout { page, board, moves })
    }
}
