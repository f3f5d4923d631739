//! The positions of the panes of the step view: pure geometry.
//!
//! ```text
//! header   question, step, activity; counts and depth, or the latest event on a low screen
//! board                    | moves
//!                          | log
//! footer   keys or a notice
//! ```

use crate::board::Board;
use crate::ui::kit::{BoardLook, Page, Sheet};
use ratatui::layout::{Rect, Size};

/// The positions of all parts of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepLayout {
    /// The header (two lines) and the footer.
    pub page: Page,
    /// The pane of the board.
    pub board: Rect,
    /// The pane of the moves.
    pub moves: Rect,
    /// The pane of the log; `None` on a low screen.
    pub log: Option<Rect>,
}

/// Least screen height with frames and a log.
const FRAMED_HEIGHT: u16 = 18;
/// Height of the moves: the heading and eight moves.
const MOVES_HEIGHT: u16 = 9;
/// Least width of moves and log, on a screen that is wide enough for words and on a narrower one.
const WORDS_WIDTH: u16 = 42;
const NARROW_WIDTH: u16 = 18;
/// Least screen width for words.
const WIDE_WIDTH: u16 = 72;

impl StepLayout {
    /// The layout for a board; `None` if the screen is too small.
    pub fn of(screen: Size, board: Board) -> Option<StepLayout> {
        let page = Page::of(screen, 2, screen.height >= FRAMED_HEIGHT)?;
        let (body, frame) = (page.body, if page.framed { 2 } else { 0 });
        let least = if screen.width >= WIDE_WIDTH { WORDS_WIDTH } else { NARROW_WIDTH } + frame;
        // The board gets only the width that it needs; the words use the rest.
        let most = Rect { width: body.width - least, ..body };
        let sheet = sheet(page.inner(most), board, BoardLook::Numbers, page.framed, (0, 0));
        let needed = sheet.area.width + sheet.gutter + frame + 1;
        let board = Rect { width: needed.clamp(12, most.width), ..most };
        let right = Rect { x: board.right(), width: body.width - board.width, ..body };
        if !page.framed {
            return Some(StepLayout { page, board, moves: right, log: None });
        }
        let moves = Rect { height: MOVES_HEIGHT + frame, ..right };
        let log = Rect { y: moves.bottom(), height: right.height - moves.height, ..right };
        Some(StepLayout { page, board, moves, log: Some(log) })
    }

    /// The visible part of the board.
    pub fn sheet(&self, board: Board, look: BoardLook, from: (u32, u32)) -> Sheet {
        sheet(self.page.inner(self.board), board, look, self.page.framed, from)
    }
}

/// The board in a room, with squares wide enough for a rank in brackets.
fn sheet(room: Rect, board: Board, look: BoardLook, names: bool, from: (u32, u32)) -> Sheet {
    let digits = board.squares().to_string().len().max(2) as u32;
    Sheet::of(room, board, look, digits, 0, names, from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn panes_lie_on_the_screen_and_do_not_overlap(
            width in 40u16..300, height in 10u16..100, rows in 1u64..40, cols in 1u64..40,
        ) {
            let layout = StepLayout::of(Size::new(width, height), Board::new(rows, cols).unwrap()).unwrap();
            let mut covered = vec![0u8; usize::from(width) * usize::from(height)];
            let rects = [layout.page.header, layout.board, layout.moves, layout.page.footer].into_iter().chain(layout.log);
            for position in rects.flat_map(Rect::positions) {
                prop_assert!(position.x < width && position.y < height);
                covered[usize::from(position.y) * usize::from(width) + usize::from(position.x)] += 1;
            }
            prop_assert!(covered.iter().all(|&times| times == 1));
        }
    }
}
