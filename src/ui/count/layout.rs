//! The positions of the panes of the view of a count: pure geometry.
//!
//! ```text
//! header    board, tours, convention; phase, states; progress, speed, time left
//! answer    when it is known
//! sweep     rows
//! threads              memory
//! history
//! footer    keys or a notice
//! ```
//!
//! On a small screen panes are dropped in this order: history, memory, sweep, threads, the frames. Each pane can
//! still be zoomed.

use crate::ui::kit::{Grid, Page, Pane, PaneLayout};
use ratatui::layout::{Rect, Size};

/// A pane of the view of a count, which can be focused and zoomed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CountPane {
    /// The board with the frontier.
    Sweep,
    /// The states of each row.
    Rows,
    /// Every thread.
    Threads,
    /// Memory and counters.
    Memory,
    /// The charts over time.
    History,
}

impl Pane for CountPane {
    const ALL: &'static [CountPane] =
        &[CountPane::Sweep, CountPane::Rows, CountPane::Threads, CountPane::Memory, CountPane::History];
}

/// The input of the layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountRoom {
    /// Number of threads.
    pub threads: usize,
    /// Rows and columns of the board, turned so that its short side is across.
    pub board: (u32, u32),
    /// Whether the result is known.
    pub answered: bool,
    /// The zoomed pane, which fills the screen.
    pub zoom: Option<CountPane>,
}

/// The positions of all parts of the screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountLayout {
    /// The visible panes, with the page.
    pub panes: PaneLayout<CountPane>,
    /// The result, if it is shown.
    pub answer: Option<Rect>,
}

/// Least screen heights with frames, and with a third header line.
const FRAMED_HEIGHT: u16 = 16;
const TALL_HEIGHT: u16 = 20;
/// Height of the result, with a frame and without.
const ANSWER_HEIGHT: [u16; 2] = [8, 7];
/// Width of the pane `memory`, and least height of `memory` and `threads`, frame included.
const MEMORY_WIDTH: u16 = 30;
const LOWER_MIN: u16 = 8;
/// Least widths of `sweep` and of `rows` beside it, frames included.
const SWEEP_MIN: u16 = 19;
const ROWS_MIN: u16 = 38;
/// Least heights of `rows` and of `history`, frames included.
const UPPER_MIN: u16 = 9;
const HISTORY_MIN: u16 = 6;
/// Least screen width for `memory` beside `threads`.
const WIDE_WIDTH: u16 = 72;
/// Greatest height of a square, in lines.
const SQUARE_MAX: u16 = 4;

impl CountLayout {
    /// The layout; `None` if the screen is too small.
    pub fn of(screen: Size, wanted: CountRoom) -> Option<CountLayout> {
        let header = if screen.height >= TALL_HEIGHT { 3 } else { 2 };
        let page = Page::of(screen, header, screen.height >= FRAMED_HEIGHT)?;
        let (body, framed) = (page.body, page.framed);
        if let Some(pane) = wanted.zoom {
            return Some(CountLayout { panes: PaneLayout { page, panes: vec![(pane, body)] }, answer: None });
        }
        let answer = if wanted.answered { ANSWER_HEIGHT[usize::from(!framed)].min(body.height) } else { 0 };
        let rest = rows(body, answer, body.height - answer);
        let panes = if framed { framed_panes(rest, wanted) } else { bare_panes(rest, wanted.threads) };
        let answer = (answer > 0).then_some(Rect { height: answer, ..body });
        Some(CountLayout { panes: PaneLayout { page, panes }, answer })
    }
}

/// The part of an area that begins `top` lines below its top and is `height` lines high.
fn rows(area: Rect, top: u16, height: u16) -> Rect {
    Rect { y: area.y + top, height, ..area }
}

fn framed_panes(body: Rect, wanted: CountRoom) -> Vec<(CountPane, Rect)> {
    let beside = if body.width >= WIDE_WIDTH { MEMORY_WIDTH } else { 0 };
    let limit = (body.height * 9 / 20).saturating_sub(3).max(1);
    // Two lines of frame and one line for the current step.
    let lower = (Grid::rows_wanted(wanted.threads, body.width - beside - 2, limit) + 3).max(LOWER_MIN);
    let lower = if body.height >= lower + UPPER_MIN { lower } else { 0 };
    let rest = body.height - lower;
    let (high, history) = square(rest, wanted.board, body.width);
    let mut panes = upper_panes(rows(body, 0, rest - history), wanted.board.1, high);
    if lower > 0 {
        let area = rows(body, rest - history, lower);
        panes.push((CountPane::Threads, Rect { width: area.width - beside, ..area }));
        let memory = Rect { x: area.right() - beside, width: beside, ..area };
        panes.extend((beside > 0).then_some((CountPane::Memory, memory)));
    }
    panes.extend((history > 0).then(|| (CountPane::History, rows(body, body.height - history, history))));
    panes
}

/// The height of a square of the board, as great as the history allows, and the height of the history.
fn square(rest: u16, (board_rows, cols): (u32, u32), width: u16) -> (u16, u16) {
    // Two lines of frame and one line of text above the board.
    let upper = |high: u16| u16::try_from(board_rows).unwrap_or(u16::MAX).saturating_mul(high).saturating_add(3);
    let fits = |high: &u16| {
        let history = HISTORY_MIN.max(rest * 3 / 10);
        cols.saturating_mul(2 * u32::from(*high)) <= u32::from(width) * 2 / 5
            && upper(*high).saturating_add(history) <= rest
    };
    let high = (1..=SQUARE_MAX).rev().find(fits).unwrap_or(1);
    let left = rest.saturating_sub(upper(high));
    (high, if left >= HISTORY_MIN { left } else { 0 })
}

fn upper_panes(area: Rect, cols: u32, high: u16) -> Vec<(CountPane, Rect)> {
    let wide = u16::try_from(cols).unwrap_or(u16::MAX).saturating_mul(2 * high).saturating_add(3);
    let sweep = wide.clamp(SWEEP_MIN, (area.width * 2 / 5).max(SWEEP_MIN));
    if area.width < sweep + ROWS_MIN {
        return vec![(CountPane::Rows, area)];
    }
    let right = Rect { x: area.x + sweep, width: area.width - sweep, ..area };
    vec![(CountPane::Sweep, Rect { width: sweep, ..area }), (CountPane::Rows, right)]
}

/// The panes of low screens: the rows, and below them the current step and the threads.
fn bare_panes(body: Rect, threads: usize) -> Vec<(CountPane, Rect)> {
    let lower = Grid::rows_wanted(threads, body.width, 2) + 1;
    if body.height < lower + 3 {
        return if body.height > 0 { vec![(CountPane::Rows, body)] } else { Vec::new() };
    }
    let upper = body.height - lower;
    vec![(CountPane::Rows, rows(body, 0, upper)), (CountPane::Threads, rows(body, upper, lower))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(width: u16, height: u16, threads: usize, answered: bool) -> Vec<CountPane> {
        let wanted = CountRoom { threads, board: (8, 8), answered, zoom: None };
        let layout = CountLayout::of(Size { width, height }, wanted).unwrap();
        assert_eq!(layout.answer.is_some(), answered);
        layout.panes.panes.iter().map(|(pane, _)| *pane).collect()
    }

    #[test]
    fn panes_are_dropped_in_the_order_of_their_worth() {
        use CountPane::{History, Memory, Rows, Sweep, Threads};
        assert_eq!(shown(200, 60, 256, false), [Sweep, Rows, Threads, Memory, History]);
        assert_eq!(shown(80, 24, 256, false), [Sweep, Rows, Threads, Memory]);
        assert_eq!(shown(70, 24, 2, false), [Sweep, Rows, Threads]);
        assert_eq!(shown(50, 24, 2, false), [Rows, Threads]);
        assert_eq!(shown(80, 16, 2, false), [Sweep, Rows]);
        assert_eq!(shown(40, 10, 256, false), [Rows, Threads]);
        assert_eq!(shown(80, 24, 2, true), [Sweep, Rows]);
        assert_eq!(shown(40, 10, 2, true), []);
    }

    proptest! {
        #[test]
        fn panes_lie_on_the_screen_and_do_not_overlap(
            width in 40u16..300, height in 10u16..100, threads in 1usize..4097, board in (1u32..300, 1u32..40),
            answered: bool, zoom in prop::option::of(prop::sample::select(CountPane::ALL)),
        ) {
            let layout = CountLayout::of(Size { width, height }, CountRoom { threads, board, answered, zoom }).unwrap();
            let mut covered = vec![0u8; usize::from(width) * usize::from(height)];
            let panes = layout.panes.panes.iter().map(|&(_, rect)| rect).chain(layout.answer);
            for position in panes.chain([layout.panes.page.header, layout.panes.page.footer]).flat_map(Rect::positions) {
                prop_assert!(position.x < width && position.y < height);
                covered[usize::from(position.y) * usize::from(width) + usize::from(position.x)] += 1;
            }
            prop_assert!(covered.iter().all(|&times| times == 1));
            prop_assert!(layout.panes.panes.iter().all(|(_, rect)| rect.height > 0 && rect.width >= SWEEP_MIN));
        }
    }
}
