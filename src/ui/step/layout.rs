//! The positions of the panes of the step view: pure geometry.
//!
//! ```text
//! header   question, step, activity; counts and depth, or the latest event on a low screen
//! board                    | moves
//!                          | tree, on a high screen
//!                          | steps
//! footer   keys or a notice
//! ```
//!
//! On a narrow screen the steps lie below both, because a sentence needs their width.

use crate::board::Board;
use crate::ui::kit::{BoardLook, Page, Pane, PaneLayout, Sheet};
use ratatui::layout::{Rect, Size};

/// A pane of the step view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepPane {
    /// The position.
    Board,
    /// The moves from the square at which the search stands.
    Moves,
    /// The search tree around the position.
    Tree,
    /// The latest steps in words.
    Steps,
}

impl Pane for StepPane {
    const ALL: &'static [StepPane] = &[StepPane::Board, StepPane::Moves, StepPane::Tree, StepPane::Steps];
}

impl StepPane {
    /// The name of the pane, which is also that of its words in the help.
    pub fn name(self) -> &'static str {
        match self {
            StepPane::Board => "board",
            StepPane::Moves => "moves",
            StepPane::Tree => "tree",
            StepPane::Steps => "steps",
        }
    }
}

/// Least screen height with frames and all panes but the tree.
const FRAMED_HEIGHT: u16 = 18;
/// Lines of the header, and of that of a low screen: the latest event may take two.
const HEADER: (u16, u16) = (2, 3);
/// Height of the moves with their frame: the heading and eight moves; where there is room, twice as many lines for reasons.
const MOVES_HEIGHT: (u16, u16) = (11, 19);
/// Least heights of the tree and of the steps with their frames: the longest sentence takes three lines.
const TREE_HEIGHT: u16 = 7;
const STEPS_HEIGHT: u16 = 5;
/// Least width of moves and steps, on a screen that is wide enough for words and on a narrower one.
const WORDS_WIDTH: u16 = 42;
const NARROW_WIDTH: u16 = 18;
/// Least screen width for words.
const WIDE_WIDTH: u16 = 72;

/// The layout for a board, one pane of which may fill the screen; `None` if the screen is too small.
pub fn layout(screen: Size, board: Board, zoom: Option<StepPane>) -> Option<PaneLayout<StepPane>> {
    let framed = screen.height >= FRAMED_HEIGHT;
    let page = Page::of(screen, if framed { HEADER.0 } else { HEADER.1 }, framed)?;
    let (body, frame) = (page.body, if page.framed { 2 } else { 0 });
    if let Some(pane) = zoom {
        return Some(PaneLayout { page, panes: vec![(pane, body)] });
    }
    let least = if screen.width >= WIDE_WIDTH { WORDS_WIDTH } else { NARROW_WIDTH } + frame;
    // The board gets only the width that it needs; the words use the rest.
    let most = Rect { width: body.width - least, ..body };
    let sheet = sheet(&page, most, board, BoardLook::Numbers, (0, 0));
    let needed = sheet.area.width + sheet.gutter + frame + 1;
    let left = Rect { width: needed.clamp(12, most.width), ..most };
    let right = Rect { x: left.right(), width: body.width - left.width, ..body };
    let mut panes = vec![(StepPane::Board, left)];
    if !page.framed {
        panes.push((StepPane::Moves, right));
        return Some(PaneLayout { page, panes });
    }
    if screen.width < WIDE_WIDTH {
        let steps = Rect { y: body.bottom() - STEPS_HEIGHT.max(body.height / 4), ..body };
        let steps = Rect { height: body.bottom() - steps.y, ..steps };
        let above = |pane: Rect| Rect { height: steps.y - pane.y, ..pane };
        let panes = vec![(StepPane::Board, above(left)), (StepPane::Moves, above(right)), (StepPane::Steps, steps)];
        return Some(PaneLayout { page, panes });
    }
    let is_high = right.height >= MOVES_HEIGHT.1 + 2 * (TREE_HEIGHT + STEPS_HEIGHT);
    let moves = if is_high { MOVES_HEIGHT.1 } else { MOVES_HEIGHT.0.min(right.height - STEPS_HEIGHT) };
    let moves = Rect { height: moves, ..right };
    let below = Rect { y: moves.bottom(), height: right.height - moves.height, ..right };
    let has_tree = below.height >= TREE_HEIGHT + STEPS_HEIGHT;
    let tree = Rect { height: if has_tree { below.height / 2 } else { 0 }, ..below };
    let steps = Rect { y: tree.bottom(), height: below.height - tree.height, ..below };
    panes.push((StepPane::Moves, moves));
    panes.extend(has_tree.then_some((StepPane::Tree, tree)));
    panes.push((StepPane::Steps, steps));
    Some(PaneLayout { page, panes })
}

/// The visible part of the board in its pane, with squares wide enough for a rank in brackets.
pub fn sheet(page: &Page, pane: Rect, board: Board, look: BoardLook, from: (u32, u32)) -> Sheet {
    let digits = board.squares().to_string().len().max(2) as u32;
    Sheet::of(page.inner(pane), board, look, digits, 0, page.framed, from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn panes_lie_on_the_screen_and_do_not_overlap(
            width in 40u16..300, height in 10u16..100, rows in 1u64..40, cols in 1u64..40, zoomed in 0usize..5,
        ) {
            let zoom = StepPane::ALL.get(zoomed).copied();
            let layout = layout(Size::new(width, height), Board::new(rows, cols).unwrap(), zoom).unwrap();
            let mut covered = vec![0u8; usize::from(width) * usize::from(height)];
            let panes = layout.panes.iter().map(|&(_, rect)| rect);
            let rects = [layout.page.header, layout.page.footer].into_iter().chain(panes);
            for position in rects.flat_map(Rect::positions) {
                prop_assert!(position.x < width && position.y < height);
                covered[usize::from(position.y) * usize::from(width) + usize::from(position.x)] += 1;
            }
            prop_assert!(covered.iter().all(|&times| times == 1));
        }
    }
}
