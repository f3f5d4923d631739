//! The positions of the panes of the live view: pure geometry.
//!
//! ```text
//! header    board and solver; figures and progress; the time of the crew; what happened last, on a high screen
//! threads   every worker, at the richest density that fits     over time   what they did, on a wide screen
//! board     depths                                             hires; or balance, if no worker is hired
//! footer    keys or a notice
//! ```
//!
//! A [`Slot`] is a place in a row of them. Where a row has no room for all, it has the hires first, and then the board. On the
//! smallest screens there are no frames, and one line of the depths stands between the workers and the hires. Panes that are
//! chosen stand in the same order, and have the room of the others. Each pane can still be zoomed.

use super::view::LivePane;
use crate::board::Board;
use crate::ui::kit::{Density, Grid, Page, Pane, PaneLayout};
use ratatui::layout::{Rect, Size};

/// What is to be laid out.
#[derive(Clone, Copy, Debug)]
pub struct LiveShape<'a> {
    pub workers: usize,
    /// Workers or groups of them, each with a place among the workers.
    pub places: usize,
    /// The lines of the strip with a cell for each worker, if there is one.
    pub strip: u16,
    pub board: Board,
    /// Whether the run has workers that share a tree, and whether they hire.
    pub is_shared: bool,
    pub hires: bool,
    /// Whether the workers are shown over time where there is no room for both.
    pub over_time: bool,
    /// The panes that are chosen; none for all.
    pub chosen: &'a [LivePane],
}

impl LiveShape<'_> {
    /// Whether the pane is shown where there is room for it.
    fn has(&self, pane: LivePane) -> bool {
        let is_usual = match pane {
            LivePane::OverTime if !self.is_shared => return false,
            LivePane::Hires | LivePane::Hire if !self.hires => return false,
            LivePane::Balance => !self.hires,
            pane => ![LivePane::Worker, LivePane::Hire].contains(&pane),
        };
        self.chosen.contains(&pane) || is_usual && self.chosen.is_empty()
    }

    /// How much is shown of each worker, and whether each row of the board has a line.
    fn richness(&self, layout: &PaneLayout<LivePane>) -> (Option<(Density, usize, bool)>, bool) {
        let inner = |pane| layout.inner(pane);
        let grid = inner(LivePane::Threads).map(|inner| Grid::fit(self.places, inner.width, inner.height));
        let board = inner(LivePane::Board).is_some_and(|inner| u32::from(inner.height) >= self.board.rows());
        (grid.map(|grid| (grid.density, grid.group, grid.heading)), board)
    }

    /// The rows of the workers: now and over time in one row where it has room for both. Elsewhere one of them is shown, or each
    /// in a row, if both are chosen.
    fn upper(&self, width: u16) -> Vec<Vec<Slot>> {
        let threads = slot(LivePane::Threads, [THREADS_MIN, width * THREADS_SHARE / 100], false);
        let over_time = slot(LivePane::OverTime, [OVER_TIME_MIN, OVER_TIME_MIN], true);
        let mut slots: Vec<Slot> = [threads, over_time].into_iter().filter(|slot| self.has(slot.pane)).collect();
        match slots.len() {
            2 if width >= THREADS_MIN + OVER_TIME_MIN => vec![slots],
            2 if self.chosen.is_empty() => vec![vec![slots.swap_remove(usize::from(self.over_time))]],
            _ => slots.into_iter().map(|slot| vec![slot]).collect(),
        }
    }

    /// The panes of the lower row, those with more worth first. The squares of the board are as large as they fit, but no larger
    /// than usual where other panes want the room.
    fn lower(&self, area: Rect) -> Vec<Slot> {
        let digits = self.board.squares().to_string().len() as u16;
        let side = |squares: u32, each: u16| u16::try_from(squares).unwrap_or(u16::MAX).saturating_mul(each);
        let slots = |scale: u16| -> Vec<Slot> {
            let board = side(self.board.cols(), (digits + 1).max(2 * scale)).saturating_add(3);
            let slots = [
                slot(LivePane::Hires, [HIRES_MIN, HIRES_WIDE], false),
                slot(LivePane::Balance, [BALANCE_MIN, BALANCE_MIN], false),
                slot(LivePane::Worker, [HIRES_MIN, HIRES_WIDE], false),
                slot(LivePane::Hire, [HIRES_MIN, HIRES_WIDE], false),
                slot(LivePane::Board, [BOARD_MIN, board], false),
                slot(LivePane::Depths, [DEPTHS_MIN, DEPTHS_WIDE], true),
            ];
            slots.into_iter().filter(|slot| self.has(slot.pane)).collect()
        };
        let has_room = |&scale: &u16| {
            let is_whole = |slot: &Slot| scale > SQUARE_USUAL || slot.pane == LivePane::Board;
            let room = |slot: &Slot| if is_whole(slot) { slot.wanted } else { slot.least };
            let width = slots(scale).iter().map(room).fold(0, u16::saturating_add);
            side(self.board.rows(), scale) < area.height - 1 && width <= area.width
        };
        slots((1..=2 * SQUARE_USUAL).rev().find(has_room).unwrap_or(1))
    }

    /// The lines that a row of the workers wants, of at most so many: more than usual where each worker has more columns then. On
    /// the smallest screens all that it needs, but a second pane is worth more than a heading.
    fn wanted(&self, slots: &[Slot], page: &Page, most: u16) -> u16 {
        let (body, frame) = (page.body, if page.framed { 2 } else { 0 });
        let width = row(body, slots)[0].1.width - frame;
        let grid = |limit: u16| Grid::fit(self.places, width, limit.saturating_sub(frame));
        let is_story = !self.chosen.is_empty() && self.has(LivePane::OverTime) && slots.len() == 1;
        if !page.framed && slots[0].pane == LivePane::Threads && is_story {
            // What they do now gets as many lines as each of them needs for a cell, and over time the others.
            let is_each = |&lines: &u16| grid(lines).density < Density::Map;
            return (1..=most.div_ceil(2)).find(is_each).unwrap_or(most.div_ceil(2));
        }
        let rows = |limit: u16| Grid::rows_wanted(self.places, width, limit.saturating_sub(frame));
        let richness = |limit| (grid(limit).density, !grid(limit).heading);
        let [usual, more] = UPPER_SHARES.map(|percent| (body.height * percent / 100).min(most));
        let limit = match page.framed {
            true if richness(more) < richness(usual) => more,
            true => usual,
            false if rows(body.height) == most + 1 && self.places == self.workers => most,
            false => body.height,
        };
        let wanted = slots.iter().map(|slot| match slot.pane {
            LivePane::OverTime => self.places.min(OVER_TIME_ROWS) as u16 + 1,
            _ => rows(limit),
        });
        (wanted.max().unwrap_or(0) + frame).min(if page.framed { limit } else { body.height })
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

fn slot(pane: LivePane, [least, wanted]: [u16; 2], grows: bool) -> Slot {
    Slot { pane, least, wanted, grows }
}

/// Gives each slot its place in a row, those with more worth first, as long as there is room. They stand in the order of their keys.
fn row(area: Rect, slots: &[Slot]) -> Vec<(LivePane, Rect)> {
    let mut room = area.width;
    let fits = |slot: &&Slot| room.checked_sub(slot.least).map(|rest| room = rest).is_some();
    let shown: Vec<&Slot> = slots.iter().take_while(fits).collect();
    // The first place is there on every screen.
    let mut shown = if shown.is_empty() { vec![&slots[0]] } else { shown };
    shown.sort_by_key(|slot| slot.pane.key());
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

/// The layout of the live view; `None` if the screen is too small. Of chosen panes that this run has none of, all are shown.
pub fn arrange(screen: Size, shape: &LiveShape, zoom: Option<LivePane>) -> Option<PaneLayout<LivePane>> {
    let has_any = LivePane::all().any(|pane| shape.has(pane));
    let shape = &LiveShape { chosen: if has_any { shape.chosen } else { &[] }, ..*shape };
    let with_top = |header, strip| {
        let mut page = Page::of(screen, header, screen.height >= FRAMED_HEIGHT)?;
        (page.body.y, page.body.height) = (page.body.y + strip, page.body.height - strip);
        Some(PaneLayout { panes: panes(&page, shape), page })
    };
    // On the smallest screens over time has what happened last above it.
    let is_story = screen.height < FRAMED_HEIGHT && !shape.chosen.is_empty() && shape.has(LivePane::OverTime);
    let header = if screen.height >= 20 && screen.width >= 72 || is_story { 3 } else { 2 };
    let mut layout = with_top(header, 0)?;
    // A line for what happened last, if workers and board lose nothing by it, or the board is not shown.
    if screen.height >= STORY_HEIGHT && header == 3 && shape.is_shared {
        let more = with_top(4, 0)?;
        let has_room = screen.height >= ROOMY_HEIGHT || !shape.has(LivePane::Board);
        if has_room || shape.richness(&more) == shape.richness(&layout) {
            layout = more;
        }
    }
    // The strip, if they lose nothing by it; above one pane there is room for it.
    if shape.strip > 0 && header == 3 && shape.strip <= screen.height / STRIP_PART {
        let more = with_top(layout.page.header.height, shape.strip)?;
        if zoom.is_some() || shape.richness(&more) == shape.richness(&layout) {
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
/// The strip has at most this part of the lines.
const STRIP_PART: u16 = 6;
/// Least screen height with frames.
const FRAMED_HEIGHT: u16 = 12;
/// Least height of a row without a board, and of one of workers its greatest height in percent: usually, and where each worker has more columns then.
const UPPER_MIN: u16 = 4;
const UPPER_SHARES: [u16; 2] = [62, 70];
/// On the smallest screens that of a pane of the workers, and of the one below the line of the depths.
const BESIDE_MIN: u16 = 2;
/// Least height of the lower row; of a low board, and of any other.
const LOWER_LOW: u16 = 8;
const LOWER_MIN: u16 = 10;
/// Lines of a square, where other panes have what they want beside larger ones.
const SQUARE_USUAL: u16 = 4;
/// Widths of the panes, frames included: of the workers, also in percent, and of what they did over time.
const THREADS_MIN: u16 = 50;
const THREADS_SHARE: u16 = 42;
const OVER_TIME_MIN: u16 = 70;
const BOARD_MIN: u16 = 20;
const DEPTHS_MIN: u16 = 20;
const DEPTHS_WIDE: u16 = 75;
/// A time, two workers and a depth.
const HIRES_MIN: u16 = 27;
const BALANCE_MIN: u16 = 22;
/// The log, and the busiest pairs beside it.
const HIRES_WIDE: u16 = 58;
/// Rows over time for which the upper row is made higher.
const OVER_TIME_ROWS: usize = 16;

/// The rows of the workers, and below them the other panes: in a row, or on the smallest screens a line of the depths and one pane.
fn panes(page: &Page, shape: &LiveShape) -> Vec<(LivePane, Rect)> {
    let (uppers, lower) = (shape.upper(page.body.width), shape.lower(page.body));
    let least = if page.framed { UPPER_MIN } else { BESIDE_MIN };
    let lower_min = match shape.board.rows() as u16 {
        _ if lower.is_empty() => 0,
        _ if !page.framed => BESIDE_MIN + 1,
        rows if shape.has(LivePane::Board) => rows.saturating_add(2).clamp(LOWER_LOW, LOWER_MIN),
        _ => UPPER_MIN,
    };
    let (mut rest, mut panes) = (page.body, Vec::new());
    for (below, slots) in (0..uppers.len() as u16).rev().zip(&uppers) {
        let most = rest.height.saturating_sub(lower_min + least * below);
        let wanted = shape.wanted(slots, page, most);
        // The last row, or the only one that has room.
        let is_last = most < least || wanted > most || lower_min + below == 0;
        let height = if is_last { rest.height } else { wanted };
        panes.extend(row(Rect { height, ..rest }, slots));
        rest = Rect { y: rest.y + height, height: rest.height - height, ..rest };
        if rest.height == 0 {
            return panes;
        }
    }
    let is_line = |slot: &&Slot| slot.pane == LivePane::Depths;
    if let Some(beside) = lower.iter().find(|slot| !is_line(slot)).filter(|_| !page.framed) {
        let height = lower.iter().filter(is_line).count() as u16;
        panes.extend(lower.iter().find(is_line).map(|slot| (slot.pane, Rect { height, ..rest })));
        panes.push((beside.pane, Rect { y: rest.y + height, height: rest.height - height, ..rest }));
    } else {
        panes.extend(row(rest, &shape.lower(rest)));
    }
    panes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shape(workers: usize, rows: u64, cols: u64) -> LiveShape<'static> {
        let board = Board::new(rows, cols).unwrap();
        LiveShape {
            workers,
            places: workers,
            strip: 0,
            board,
            is_shared: true,
            hires: true,
            over_time: false,
            chosen: &[],
        }
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

    /// From the left those that are shown, at sizes with frames and without.
    #[test]
    fn chosen_panes_stand_in_their_order_and_have_the_room_of_the_others() {
        use LivePane::{Balance, Board, Depths, Hires, OverTime, Threads, Worker};
        for size in [(80, 24), (120, 36), (200, 60), (40, 16)].map(|(width, height)| Size::new(width, height)) {
            for chosen in [
                &[Threads, OverTime][..],
                &[Threads, Hires],
                &[Threads, Balance],
                &[Board],
                &[OverTime],
                &[Depths],
                &[Worker],
            ] {
                let layout = arrange(size, &LiveShape { chosen, ..shape(4, 8, 8) }, None).unwrap();
                let shown: Vec<LivePane> = layout.panes.iter().map(|&(pane, _)| pane).collect();
                assert_eq!(shown, chosen, "{size:?}");
                let cells: u32 = layout.panes.iter().map(|(_, rect)| rect.area()).sum();
                assert_eq!(cells, layout.page.body.area(), "{size:?} {chosen:?}");
            }
            // The example of the settings: side by side, or one below the other.
            let chosen = &[Threads, OverTime, Hires];
            let layout = arrange(size, &LiveShape { chosen, ..shape(4, 8, 8) }, None).unwrap();
            assert_eq!(layout.panes.len(), 3, "{layout:?}");
            assert!(size.width < 80 || layout.rect(OverTime).is_some_and(|rect| rect.height >= 7), "{layout:?}");
        }
    }

    #[test]
    fn of_chosen_panes_that_a_run_has_none_of_all_are_shown() {
        let finds = LiveShape { is_shared: false, hires: false, ..shape(4, 8, 8) };
        let all = arrange(Size::new(80, 24), &finds, None).unwrap();
        assert!(all.rect(LivePane::Balance).is_some());
        let chosen = &[LivePane::OverTime, LivePane::Hires];
        assert_eq!(arrange(Size::new(80, 24), &LiveShape { chosen, ..finds }, None), Some(all));
    }

    #[test]
    fn hires_come_before_a_board_that_has_no_room_beside_them() {
        for (width, rows, cols) in [(80, 5, 10), (80, 10, 12), (80, 3, 40), (60, 8, 8), (50, 8, 8), (40, 6, 6)] {
            let layout = arrange(Size::new(width, 24), &shape(64, rows, cols), None).unwrap();
            assert!(layout.rect(LivePane::Hires).is_some(), "{width} {rows}x{cols}");
            let board = layout.rect(LivePane::Board).is_some();
            assert_eq!(board, width >= BOARD_MIN + HIRES_MIN, "{width} {rows}x{cols}");
        }
    }

    #[test]
    fn thirty_two_workers_have_all_columns_on_a_large_screen() {
        // The time line of the past takes two lines.
        for height in [58, 60] {
            let layout = arrange(Size::new(200, height), &shape(32, 8, 8), None).unwrap();
            let inner = layout.inner(LivePane::Threads).unwrap();
            let grid = Grid::fit(32, inner.width, inner.height);
            assert_eq!((grid.density, grid.columns, grid.heading), (Density::Wide, 1, true));
            assert!(layout.inner(LivePane::Board).is_some_and(|inner| inner.height >= 8));
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
            kinds: [bool; 3], chosen: [bool; 8],
        ) {
            let [is_shared, hires, over_time] = kinds;
            let chosen = LivePane::all().zip(chosen).filter(|&(_, is_chosen)| is_chosen).map(|(pane, _)| pane);
            let chosen = &chosen.collect::<Vec<_>>()[..];
            let shape = LiveShape { is_shared, hires, over_time, chosen, ..shape(workers, rows, cols) };
            let layout = arrange(Size::new(width, height), &shape, None).unwrap();
            prop_assert!(!layout.panes.is_empty());
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
