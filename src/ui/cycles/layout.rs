//! The positions of the panes of the view of the cycles: pure geometry.
//!
//! ```text
//! header   board, method, activity; cycle, phase, visits
//! board, or one for each of the four channels  | figures
//! words    what happens in this cycle
//! footer   keys or a notice
//! ```

use super::channel::Channel;
use crate::board::Board;
use crate::ui::kit::{Page, Sheet, Theme, heat};
use ratatui::layout::{Rect, Size};

/// The positions of all parts of the screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CyclesLayout {
    /// The header (two lines) and the footer.
    pub page: Page,
    /// The panes of the channels: the selected one, or all four.
    pub boards: Vec<(Channel, Rect)>,
    /// The pane of the figures.
    pub figures: Rect,
    /// The line of text.
    pub words: Rect,
}

/// Least screen height with frames.
const FRAMED_HEIGHT: u16 = 18;
/// Widths of the figures without frame: the most important ones, all in full, with extra space.
const FIGURES_NARROW: u16 = 20;
const FIGURES_WIDE: u16 = 34;
const FIGURES_ROOMY: u16 = 52;
/// Least screen widths for figures in full, and with extra space.
const WIDE_WIDTH: u16 = 72;
const ROOMY_WIDTH: u16 = 150;
/// Least screen size for four boards.
pub const FOUR: Size = Size { width: 140, height: 34 };
/// Letters of a rank with its marks.
const LETTERS: u32 = 3;

/// Digits of the visit numbers of a board.
pub fn digits(board: Board) -> usize {
    board.squares().to_string().len()
}

impl CyclesLayout {
    /// The layout for a board. It shows one channel, or with `all` four channels if they fit; `None` if the screen is
    /// too small.
    pub fn of(screen: Size, board: Board, theme: Theme, channel: Channel, all: bool) -> Option<CyclesLayout> {
        let page = Page::of(screen, 2, screen.height >= FRAMED_HEIGHT)?;
        let frame = if page.framed { 2 } else { 0 };
        let words = Rect { y: page.footer.y - 1, ..page.footer };
        let body = Rect { height: page.body.height - 1, ..page.body };
        let wanted = match screen.width {
            ROOMY_WIDTH.. => FIGURES_ROOMY,
            WIDE_WIDTH.. => FIGURES_WIDE,
            _ => FIGURES_NARROW,
        };
        let figures = Rect { x: body.width - wanted - frame, width: wanted + frame, ..body };
        let place = Rect { width: body.width - figures.width, ..body };
        let mut layout = CyclesLayout { page, boards: vec![(channel, place)], figures, words };
        if all && screen.width >= FOUR.width && screen.height >= FOUR.height {
            let four = quarters(place);
            let whole = |&rect: &Rect| layout.sheet(rect, board, theme, (0, 0)).is_whole();
            if four.iter().all(whole) {
                layout.boards = Channel::ALL.into_iter().zip(four).collect();
            }
        }
        if layout.boards.len() == 1 {
            // The board gets only the width that it needs; the figures use the rest.
            let sheet = layout.sheet(place, board, theme, (0, 0));
            let width = (sheet.area.width + sheet.gutter + frame + 1).clamp(16, place.width);
            layout.boards = vec![(channel, Rect { width, ..place })];
            layout.figures = Rect { x: width, width: screen.width - width, ..figures };
        }
        Some(layout)
    }

    /// The visible part of the board in a pane, which begins near square `from`.
    pub fn sheet(&self, pane: Rect, board: Board, theme: Theme, from: (u32, u32)) -> Sheet {
        let letters = LETTERS.max(digits(board) as u32);
        heat::sheet(self.page.inner(pane), board, letters, theme, self.page.framed, from)
    }
}

/// Four equal parts; the right and lower ones include the remainder.
fn quarters(place: Rect) -> [Rect; 4] {
    let (width, height) = (place.width / 2, place.height / 2);
    let left = Rect { width, height, ..place };
    let right = Rect { x: place.x + width, width: place.width - width, ..left };
    let low = |rect: Rect| Rect { y: place.y + height, height: place.height - height, ..rect };
    [left, right, low(left), low(right)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn panes_lie_on_the_screen_and_do_not_overlap(
            width in 40u16..300, height in 10u16..100, rows in 1u64..80, cols in 1u64..80, all: bool, ascii: bool,
        ) {
            let theme = Theme { ascii, ..Theme::RICH };
            let board = Board::new(rows, cols).unwrap();
            let layout = CyclesLayout::of(Size::new(width, height), board, theme, Channel::Rank, all).unwrap();
            let mut covered = vec![0u8; usize::from(width) * usize::from(height)];
            let boards = layout.boards.iter().map(|&(_, rect)| rect);
            let rects = [layout.page.header, layout.figures, layout.words, layout.page.footer].into_iter().chain(boards);
            for position in rects.flat_map(Rect::positions) {
                prop_assert!(position.x < width && position.y < height);
                covered[usize::from(position.y) * usize::from(width) + usize::from(position.x)] += 1;
            }
            prop_assert!(covered.iter().all(|&times| times == 1));
        }
    }
}
