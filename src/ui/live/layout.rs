//! The positions of the panes of the live view: pure geometry.
//!
//! ```text
//! header    board and solver; figures and progress; the time of the crew; what happened last, on a high screen
//! threads   every worker, at the richest density that fits     over time   what they did, on a wide screen
//! board     depths                                             hires; or balance, if no worker is hired
//! footer    keys or a notice
//! ```
//!
//! A [`Slot`] is a place in a row of them. What has no room is left out from the right. On the smallest screens there are no frames,
//! and one line of the depths stands between the workers and the hires. Each pane can still be zoomed.

use super::view::LivePane;
use crate::board::Board;
use crate::ui::kit::{Density, Grid, Page, PaneLayout};
use ratatui::layout::{Rect, Size};

/// What is to be laid out.
#[derive(Clone, Copy, Debug)]
pub struct LiveShape {
    pub workers: usize,
    /// Workers or groups of them, each with a place among the workers.
    pub places: usize,
    pub board: Board,
    /// Whether the run has workers that share a tree, and whether they hire.
    pub is_shared: bool,
    pub hires: bool,
    /// Whether the workers are shown over time where there is no room for both.
    pub over_time: bool,
}

impl LiveShape {
    /// How much is shown of each worker, and whether each row of the board has a line.
    fn richness(&self, layout: &PaneLayout<LivePane>) -> (Option<(Density, usize, bool)>, bool) {
        let inner = |pane| layout.inner(pane);
        let grid = inner(LivePane::Threads).map(|inner| Grid::fit(self.places, inner.width, inner.height));
        let board = inner(LivePane::Board).is_some_and(|inner| u32::from(inner.height) >= self.board.rows());
        (grid.map(|grid| (grid.density, grid.group, grid.heading)), board)
    }

    /// The panes of the upper row.
    fn upper(&self, body: Rect) -> Vec<Slot> {
        let threads = Slot {
            pane: LivePane::Threads,
            least: THREADS_MIN,
            wanted: body.width * THREADS_SHARE / 100,
            grows: false,
        };
        let over_time = Slot { pane: LivePane::OverTime, least: OVER_TIME_MIN, wanted: 0, grows: true };
        match (self.is_shared, self.over_time && body.width < THREADS_MIN + OVER_TIME_MIN) {
            (false, _) => vec![Slot { grows: true, ..threads }],
            (true, true) => vec![Slot { least: 0, ..over_time }],
            (true, false) => vec![threads, over_time],
        }
    }

    /// The panes of the lower row, whose board has squares `scale` lines high.
    fn lower(&self, area: Rect, scale: u16) -> Vec<Slot> {
        let digits = self.board.squares().to_string().len() as u16;
        let width = u16::try_from(self.board.cols()).unwrap_or(u16::MAX).saturating_mul((digits + 1).max(2 * scale));
        let width = width.saturating_add(3).clamp(BOARD_MIN, area.width.saturating_sub(DEPTHS_MIN).max(BOARD_MIN));
        let slot = |pane, [least, wanted]: [u16; 2], grows| Slot { pane, least, wanted, grows };
        let beside = if self.hires {
            slot(LivePane::Hires, [HIRES_MIN, HIRES_WIDE], false)
        } else {
            slot(LivePane::Balance, [BALANCE_MIN, BALANCE_MIN], false)
        };
        let depths = slot(LivePane::Depths, [DEPTHS_MIN, DEPTHS_WIDE], true);
        vec![slot(LivePane::Board, [width, width], false), depths, beside]
    }
}

/// A place in a row: its pane, its least width, and the one that it gets before others get more. One place of a row grows with
/// the screen.
struct Slot {
    pane: LivePane,
    least: u16,
    wanted: u16,
    grows: bool,
}

/// Gives each slot its place in a row, from the left, as long as there is room.
fn row(area: Rect, slots: &[Slot]) -> Vec<(LivePane, Rect)> {
    let mut room = area.width;
    let fits = |slot: &&Slot| room.checked_sub(slot.least).map(|rest| room = rest).is_some();
    let shown: Vec<&Slot> = slots.iter().take_while(fits).collect();
    // The first place is there on every screen.
    let shown = if shown.is_empty() { vec![&slots[0]] } else { shown };
    let grows = shown.iter().position(|slot| slot.grows).unwrap_or(shown.len() - 1);
    let mut widths: Vec<u16> = shown.iter().map(|slot| slot.least.min(area.width)).collect();
    let mut free = area.width - widths.iter().sum::<u16>();
    for (width, slot) in widths.iter_mut().zip(&shown) {
        let more = slot.wanted.saturating_sub(*width).min(free);
        (*width, free) = (*width + more, free - more);
    }
    widths[grows] += free;
    let mut x = area.x;
    let place = |(slot, width): (&Slot, u16)| {
        x += width;
        (slot.pane, Rect { x: x - width, width, ..area })
    };
    shown.into_iter().zip(widths).map(place).collect()
}

/// The layout of the live view; `None` if the screen is too small.
pub fn arrange(screen: Size, shape: &LiveShape, zoom: Option<LivePane>) -> Option<PaneLayout<LivePane>> {
    let with_header = |header| {
        let page = Page::of(screen, header, screen.height >= FRAMED_HEIGHT)?;
        let panes = if page.framed { framed_panes(page.body, shape) } else { bare_panes(page.body, shape) };
        Some(PaneLayout { page, panes })
    };
    let header = if screen.height >= 20 && screen.width >= 72 { 3 } else { 2 };
    let mut layout = with_header(header)?;
    // A line for what happened last, if workers and board lose nothing by it.
    if screen.height >= STORY_HEIGHT && header == 3 && shape.is_shared {
        let more = with_header(4)?;
        if screen.height >= ROOMY_HEIGHT || shape.richness(&more) == shape.richness(&layout) {
            layout = more;
        }
    }
    if let Some(pane) = zoom {
        layout.panes = vec![(pane, layout.page.body)];
    }
    Some(layout)
}

/// Least screen height with a line for what happened last, and with one at any rate. Elsewhere, as in a lesson, it stands in the
/// frame of the threads.
const STORY_HEIGHT: u16 = 24;
const ROOMY_HEIGHT: u16 = 30;
/// Least screen height with frames.
const FRAMED_HEIGHT: u16 = 12;
/// Lines of the time line.
const TIME_LINE: u16 = 2;
/// Least height of the lower row; of a low board, and of any other.
const LOWER_LOW: u16 = 8;
const LOWER_MIN: u16 = 10;
/// Widths of the panes, frames included: of the workers, also in percent, and of what they did over time.
const THREADS_MIN: u16 = 50;
const THREADS_SHARE: u16 = 42;
const OVER_TIME_MIN: u16 = 70;
const BOARD_MIN: u16 = 20;
const DEPTHS_MIN: u16 = 26;
const DEPTHS_WIDE: u16 = 75;
/// A time, two workers and a depth.
const HIRES_MIN: u16 = 27;
const BALANCE_MIN: u16 = 22;
/// The log, and the busiest pairs beside it.
const HIRES_WIDE: u16 = 58;
/// Rows over time for which the upper row is made higher; on a screen with so many lines fewer workers have two lines each.
const OVER_TIME_ROWS: u16 = 16;
const OVER_TIME_HIGH: u16 = 40;

fn framed_panes(body: Rect, shape: &LiveShape) -> Vec<(LivePane, Rect)> {
    let rows = u16::try_from(shape.board.rows()).unwrap_or(u16::MAX);
    let lower_min = rows.saturating_add(2).clamp(LOWER_LOW, LOWER_MIN);
    let most = body.height.saturating_sub(lower_min);
    let limit = (body.height * 62 / 100).min(most);
    let upper = row(body, &shape.upper(body));
    // The workers keep their heading where the time line takes the lines for it.
    let has_heading =
        |limit: u16| Grid::fit(shape.places, upper[0].1.width.saturating_sub(2), limit.saturating_sub(2)).heading;
    let more = (limit + TIME_LINE).min(most);
    let limit = if !has_heading(limit) && has_heading(more) { more } else { limit };
    let wanted = upper.iter().map(|&(pane, place)| match pane {
        LivePane::OverTime => over_time_rows(shape.workers, body.height) + 1,
        _ => Grid::rows_wanted(shape.places, place.width - 2, limit.saturating_sub(2)),
    });
    let wanted = wanted.max().unwrap_or(0).saturating_add(2).min(limit);
    let rest = body.height.saturating_sub(wanted);
    if limit < 4 || rest < lower_min {
        return upper;
    }
    let lower = Rect { y: body.y + wanted, height: rest, ..body };
    let has_room = |scale: &u16| {
        let least = |slots: Vec<Slot>| slots.iter().map(|slot| slot.least).sum::<u16>();
        rows.saturating_mul(*scale).saturating_add(2) <= rest && least(shape.lower(lower, *scale)) <= body.width
    };
    let scale = (1..=4).rev().find(has_room).unwrap_or(1);
    let upper = row(Rect { height: wanted, ..body }, &shape.upper(body));
    upper.into_iter().chain(row(lower, &shape.lower(lower, scale))).collect()
}

/// Lines of all workers over time.
fn over_time_rows(workers: usize, height: u16) -> u16 {
    let rows = u16::try_from(workers).unwrap_or(u16::MAX).min(OVER_TIME_ROWS);
    if height >= OVER_TIME_HIGH && 2 * rows <= OVER_TIME_ROWS { 2 * rows } else { rows }
}

/// The panes of the smallest screens: the workers, and if lines are left one of the depths, and what is beside them elsewhere.
fn bare_panes(body: Rect, shape: &LiveShape) -> Vec<(LivePane, Rect)> {
    let is_over_time = shape.over_time && shape.is_shared;
    let upper = if is_over_time { LivePane::OverTime } else { LivePane::Threads };
    let with_heading = Grid::rows_wanted(shape.places, body.width, body.height).min(body.height);
    // A second pane is worth more than a heading.
    let wanted = match body.height - with_heading {
        _ if is_over_time => (over_time_rows(shape.workers, body.height) + 1).min(body.height),
        rest if rest == BELOW_MIN - 1 && shape.places == shape.workers => {
            Grid::rows_wanted(shape.places, body.width, with_heading.saturating_sub(1).max(1))
        }
        _ => with_heading,
    };
    let rest = body.height.saturating_sub(wanted);
    if rest < BELOW_MIN {
        return vec![(upper, body)];
    }
    let line = Rect { y: body.y + wanted, height: 1, ..body };
    let below = Rect { y: body.y + wanted + 1, height: rest - 1, ..body };
    let beside = if shape.hires { LivePane::Hires } else { LivePane::Balance };
    vec![(upper, Rect { height: wanted, ..body }), (LivePane::Depths, line), (beside, below)]
}

/// Least height of a third pane, with the line above it.
const BELOW_MIN: u16 = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shape(workers: usize, rows: u64, cols: u64) -> LiveShape {
        let board = Board::new(rows, cols).unwrap();
        LiveShape { workers, places: workers, board, is_shared: true, hires: true, over_time: false }
    }

    #[test]
    fn at_80x24_two_and_two_hundred_and_fifty_six_workers_leave_room_for_the_middle() {
        for workers in [1, 2, 64, 256, 4096] {
            let layout = arrange(Size::new(80, 24), &shape(workers, 8, 8), None).unwrap();
            for pane in [LivePane::Threads, LivePane::Board, LivePane::Depths, LivePane::Hires] {
                assert!(layout.rect(pane).is_some(), "{workers} {pane:?}");
            }
        }
    }

    /// The tutorial leaves a lesson 18 lines, of which the time line takes two.
    #[test]
    fn in_a_lesson_a_small_board_is_shown_in_the_past_too() {
        let layout = arrange(Size::new(80, 16), &shape(4, 6, 6), None).unwrap();
        assert!(layout.inner(LivePane::Board).is_some_and(|inside| inside.height >= 6), "{layout:?}");
    }

    proptest! {
        #[test]
        fn panes_lie_on_the_screen_and_do_not_overlap(
            width in 40u16..300, height in 10u16..100, workers in 1usize..4097, rows in 1u64..40, cols in 1u64..40,
            kinds: [bool; 3],
        ) {
            let [is_shared, hires, over_time] = kinds;
            let shape = LiveShape { is_shared, hires, over_time, ..shape(workers, rows, cols) };
            let layout = arrange(Size::new(width, height), &shape, None).unwrap();
            let mut covered = vec![0u8; usize::from(width) * usize::from(height)];
            let rects = layout.panes.iter().map(|&(_, rect)| rect).chain([layout.page.header, layout.page.footer]);
            for position in rects.flat_map(Rect::positions) {
                prop_assert!(position.x < width && position.y < height);
                covered[usize::from(position.y) * usize::from(width) + usize::from(position.x)] += 1;
            }
            prop_assert!(covered.iter().all(|&times| times <= 1));
        }
    }

    #[test]
    fn a_wide_screen_shows_the_workers_over_time_and_a_narrow_one_instead_of_them() {
        let wide = arrange(Size::new(120, 36), &shape(16, 8, 8), None).unwrap();
        for pane in [LivePane::Threads, LivePane::OverTime, LivePane::Board, LivePane::Depths, LivePane::Hires] {
            assert!(wide.rect(pane).is_some(), "{pane:?} {wide:?}");
        }
        for size in [Size::new(80, 24), Size::new(40, 10)] {
            let narrow = |over_time| arrange(size, &LiveShape { over_time, ..shape(16, 8, 8) }, None).unwrap();
            let shown =
                |over_time| [LivePane::Threads, LivePane::OverTime].map(|pane| narrow(over_time).rect(pane).is_some());
            assert_eq!([shown(false), shown(true)], [[true, false], [false, true]]);
        }
    }
}
