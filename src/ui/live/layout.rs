//! The positions of the panes of the live view: pure geometry.
//!
//! ```text
//! header    board and solver; figures and progress; the time of the crew; what happened last, on a high screen
//! threads   every worker, at the richest density that fits; ordered by a figure, a page of them
//! board     depths          balance
//! hires                     history
//! footer    keys or a notice
//! ```
//!
//! Where there is no room for the lowest panes, the hires take the place of the balance: who gave work to whom is what the
//! view is for. On a still smaller screen panes are dropped in this order: hires, depths, board, the frame; without frames
//! one line of the depths stands between the workers and the hires. Each pane can still be zoomed.

use crate::board::Board;
use crate::ui::kit::{Grid, Page, PaneLayout};
use crate::ui::live::report::BRIEF_WIDTH;
use ratatui::layout::{Rect, Size};

/// A pane of the live view, which can be focused and zoomed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LivePane {
    /// Every worker.
    Threads,
    /// The position of the selected worker.
    Board,
    /// Nodes and cuts by depth.
    Depths,
    /// How evenly the work is shared.
    Balance,
    /// The hires between workers.
    Hires,
    /// The charts over time.
    History,
}

/// The layout of the live view; `None` if the screen is too small. `third` is the pane beside the depths where there is no
/// room for the lowest ones: the hires, or the balance of workers that do not hire.
pub fn arrange(
    screen: Size,
    workers: usize,
    board: Board,
    zoom: Option<LivePane>,
    third: LivePane,
    has_timeline: bool,
) -> Option<PaneLayout<LivePane>> {
    let header = match screen.height {
        STORY_HEIGHT.. if screen.width >= 72 => 4,
        20.. if screen.width >= 72 => 3,
        _ => 2,
    };
    let page = Page::of(screen, header, screen.height >= FRAMED_HEIGHT)?;
    let panes = match zoom {
        Some(pane) => vec![(pane, page.body)],
        None if page.framed => framed_panes(page.body, workers, board, third, has_timeline),
        None => bare_panes(page.body, workers, third),
    };
    Some(PaneLayout { page, panes })
}

/// Least screen height with a line for what happened last; on a lower one it stands in the frame of the threads.
pub const STORY_HEIGHT: u16 = 30;
/// Least screen height with frames.
const FRAMED_HEIGHT: u16 = 12;
/// Least height of the middle panes, frame included; of a low board, and of any other.
const MIDDLE_LOW: u16 = 8;
const MIDDLE_MIN: u16 = 10;
/// Least height of the panes `hires` and `history`, frame included.
const LOWER_MIN: u16 = 5;
const BALANCE_WIDTH: u16 = 22;
/// Width of the balance, frame included, where it shows its charts too, and least width of the depths beside it.
const BALANCE_WIDE: u16 = BRIEF_WIDTH + 2;
const DEPTHS_WIDE: u16 = 75;
/// Widths of the hires beside the depths: a time, two workers and a depth.
const HIRES_WIDTH_MIN: u16 = 27;
const HIRES_WIDTH_MAX: u16 = 31;
const DEPTHS_WIDTH_MIN: u16 = 26;

fn framed_panes(
    body: Rect,
    workers: usize,
    board: Board,
    third: LivePane,
    has_timeline: bool,
) -> Vec<(LivePane, Rect)> {
    let middle_min = u16::try_from(board.rows() + 2).unwrap_or(u16::MAX).clamp(MIDDLE_LOW, MIDDLE_MIN);
    let limit = (body.height * 62 / 100).min(body.height.saturating_sub(middle_min));
    let inner = Rect { width: body.width - 2, ..body };
    let (left, most) = (meters(inner, has_timeline), limit.saturating_sub(2));
    let over_time = if left == inner { 0 } else { workers.min(TIMELINE_ROWS) as u16 + 1 };
    let wanted = Grid::rows_wanted(workers, left.width, most).max(over_time.min(most)) + 2;
    let rest = body.height.saturating_sub(wanted);
    if limit < 4 || rest < middle_min {
        return vec![(LivePane::Threads, body)];
    }
    let scale = (1..=4).rev().find(|k| lower_rows(rest, board, *k) >= LOWER_MIN.max(rest * 3 / 10));
    let (scale, lower) = match scale {
        Some(scale) => (scale, lower_rows(rest, board, scale)),
        None => {
            let lower = lower_rows(rest, board, 1);
            (1, if lower >= LOWER_MIN { lower } else { 0 })
        }
    };
    let rows = |top: u16, height: u16| Rect { y: body.y + top, height, ..body };
    let mut panes = vec![(LivePane::Threads, rows(0, wanted))];
    let third = if lower > 0 { LivePane::Balance } else { third };
    panes.extend(middle_panes(rows(wanted, rest - lower), board, scale as u16, third));
    if lower > 0 {
        let [left, right] = split(rows(body.height - lower, lower), body.width * 2 / 5);
        panes.extend([(LivePane::Hires, left), (LivePane::History, right)]);
    }
    panes
}

/// Least width of the pane of the workers with the timeline beside them, and the share of the workers in percent.
const TIMELINE_BESIDE: u16 = 116;
const METERS_SHARE: u16 = 42;
/// Rows of the timeline for which the pane is made higher.
const TIMELINE_ROWS: usize = 16;

/// The part of the pane of the workers that shows them as they are now; the timeline has the rest, if it has room.
pub fn meters(inner: Rect, has_timeline: bool) -> Rect {
    let width =
        if has_timeline && inner.width >= TIMELINE_BESIDE { inner.width * METERS_SHARE / 100 } else { inner.width };
    Rect { width, ..inner }
}

/// Height left for `hires` and `history` when a square of the board is `scale` lines high.
fn lower_rows(rest: u16, board: Board, scale: u32) -> u16 {
    let middle = u16::try_from(board.rows() * scale + 2).unwrap_or(u16::MAX).max(MIDDLE_MIN);
    rest.saturating_sub(middle)
}

/// The board, the depths, and a third pane of this width.
fn middle_panes(area: Rect, board: Board, scale: u16, third: LivePane) -> Vec<(LivePane, Rect)> {
    let digits = board.squares().to_string().len() as u16;
    let square = (digits + 1).max(2 * scale);
    let board_width = u16::try_from(board.cols()).unwrap_or(u16::MAX).saturating_mul(square).saturating_add(3);
    let board_width = board_width.clamp(20, area.width.saturating_sub(DEPTHS_WIDTH_MIN).max(20));
    let rest = area.width.saturating_sub(board_width);
    let width = match third {
        LivePane::Hires => HIRES_WIDTH_MIN.max(rest.saturating_sub(DEPTHS_WIDTH_MIN).min(HIRES_WIDTH_MAX)),
        _ if rest >= DEPTHS_WIDE + BALANCE_WIDE => BALANCE_WIDE,
        _ => BALANCE_WIDTH,
    };
    if rest < DEPTHS_WIDTH_MIN {
        return vec![(LivePane::Board, area)];
    }
    let [left, right] = split(area, board_width);
    if rest < DEPTHS_WIDTH_MIN + width {
        return vec![(LivePane::Board, left), (LivePane::Depths, right)];
    }
    let [depths, beside] = split(right, rest - width);
    vec![(LivePane::Board, left), (LivePane::Depths, depths), (third, beside)]
}

/// The panes of the smallest screens: the workers, and if lines are left one of the depths, and a third pane.
fn bare_panes(body: Rect, workers: usize, third: LivePane) -> Vec<(LivePane, Rect)> {
    let with_heading = Grid::rows_wanted(workers, body.width, body.height).min(body.height);
    // A second pane is worth more than a heading.
    let wanted = if body.height - with_heading == BELOW_MIN - 1 {
        Grid::rows_wanted(workers, body.width, with_heading.saturating_sub(1).max(1))
    } else {
        with_heading
    };
    let rest = body.height.saturating_sub(wanted);
    if rest < BELOW_MIN {
        return vec![(LivePane::Threads, body)];
    }
    let line = Rect { y: body.y + wanted, height: 1, ..body };
    let below = Rect { y: body.y + wanted + 1, height: rest - 1, ..body };
    vec![(LivePane::Threads, Rect { height: wanted, ..body }), (LivePane::Depths, line), (third, below)]
}

/// Least height of a third pane, with the line above it.
const BELOW_MIN: u16 = 3;

fn split(area: Rect, left: u16) -> [Rect; 2] {
    [Rect { width: left, ..area }, Rect { x: area.x + left, width: area.width - left, ..area }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn board(rows: u64, cols: u64) -> Board {
        Board::new(rows, cols).unwrap()
    }

    #[test]
    fn at_80x24_two_and_two_hundred_and_fifty_six_workers_leave_room_for_the_middle() {
        for workers in [1, 2, 64, 256, 4096] {
            let layout = arrange(Size::new(80, 24), workers, board(8, 8), None, LivePane::Hires, true).unwrap();
            for pane in [LivePane::Threads, LivePane::Board, LivePane::Depths, LivePane::Hires] {
                assert!(layout.rect(pane).is_some(), "{workers} {pane:?}");
            }
        }
    }

    /// The tutorial leaves a lesson 18 lines, of which the time line takes two.
    #[test]
    fn in_a_lesson_a_small_board_is_shown_in_the_past_too() {
        let layout = arrange(Size::new(80, 16), 4, board(6, 6), None, LivePane::Hires, true).unwrap();
        assert!(layout.inner(LivePane::Board).is_some_and(|inside| inside.height >= 6), "{layout:?}");
    }

    proptest! {
        #[test]
        fn panes_lie_on_the_screen_and_do_not_overlap(
            width in 40u16..300, height in 10u16..100, workers in 1usize..4097, rows in 1u64..40, cols in 1u64..40,
        ) {
            let layout = arrange(Size::new(width, height), workers, board(rows, cols), None, LivePane::Hires, true).unwrap();
            let mut covered = vec![0u8; usize::from(width) * usize::from(height)];
            let rects = layout.panes.iter().map(|&(_, rect)| rect).chain([layout.page.header, layout.page.footer]);
            for position in rects.flat_map(Rect::positions) {
                prop_assert!(position.x < width && position.y < height);
                covered[usize::from(position.y) * usize::from(width) + usize::from(position.x)] += 1;
            }
            prop_assert!(covered.iter().all(|&times| times <= 1));
        }

    }
}
