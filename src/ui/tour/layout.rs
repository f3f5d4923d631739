//! Where the panes of the tour view lie: pure geometry.
//!
//! ```text
//! header   board, ending, title; move, square, how far
//! board                    | moves
//!                          | map, if the board is larger than its pane
//! footer   keys, a question, or what has just been said
//! ```

use crate::ui::kit::Page;
use ratatui::layout::{Rect, Size};

/// Where everything lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TourLayout {
    /// The header, two lines, one on a low screen, and the footer.
    pub page: Page,
    /// The pane of the board.
    pub board: Rect,
    /// The pane of the moves.
    pub moves: Rect,
}

/// Lines of a screen that are enough for frames.
const FRAMED_HEIGHT: u16 = 16;
/// Columns of a screen from which on a move is described in a line.
const WIDE_WIDTH: u16 = 64;
/// Columns of the moves on a narrower screen.
const NARROW_MOVES: u16 = 15;

impl TourLayout {
    /// The layout of a screen; nothing when it is too small.
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
