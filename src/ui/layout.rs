//! Where the panes lie, and how dense the workers are drawn: pure geometry, shared by what draws and what moves the
//! selection.
//!
//! ```text
//! header    board, solver, figures, progress; three lines, two on a small screen
//! threads   every worker, at the richest density that fits
//! board     depths          balance
//! hires                     history
//! footer    keys, or what has just been said
//! ```
//!
//! Where there is no room, panes are dropped in this order: hires and history, balance, depths, board, the frame.
//! Any of them can still be zoomed.

use crate::board::Board;
use ratatui::layout::{Rect, Size};

/// The smallest screen that is drawn on.
pub const SCREEN_MIN: Size = Size { width: 40, height: 10 };

/// A part of the screen that can be focused and zoomed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pane {
    /// Every worker.
    Threads,
    /// The position of the selected worker.
    Board,
    /// Nodes and cuts by depth.
    Depths,
    /// How well the work is shared.
    Balance,
    /// Who hired whom.
    Hires,
    /// The past.
    History,
}

impl Pane {
    /// Every pane; the key that zooms one is its place here, from 1.
    pub const ALL: [Pane; 6] = [Pane::Threads, Pane::Board, Pane::Depths, Pane::Balance, Pane::Hires, Pane::History];

    /// The key that zooms it.
    pub fn key(self) -> u8 {
        Pane::ALL.iter().position(|&pane| pane == self).map_or(0, |index| index as u8 + 1)
    }
}

/// Where everything lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The header, two or three lines.
    pub header: Rect,
    /// The panes that are shown.
    pub panes: Vec<(Pane, Rect)>,
    /// Whether panes have frames.
    pub framed: bool,
    /// The last line.
    pub footer: Rect,
}

impl Layout {
    /// The layout of a screen of at least [`SCREEN_MIN`].
    pub fn of(screen: Size, workers: usize, board: Board, zoom: Option<Pane>) -> Layout {
        let header_rows = if screen.height >= 20 && screen.width >= 72 { 3 } else { 2 };
        let header = Rect::new(0, 0, screen.width, header_rows);
        let footer = Rect::new(0, screen.height - 1, screen.width, 1);
        let body = Rect::new(0, header_rows, screen.width, screen.height - header_rows - 1);
        let framed = body.height >= 9;
        let panes = match zoom {
            Some(pane) => vec![(pane, body)],
            None if framed => framed_panes(body, workers, board),
            None => bare_panes(body, workers),
        };
        Layout { header, panes, framed, footer }
    }

    /// Where a pane lies, if it is shown.
    pub fn rect(&self, pane: Pane) -> Option<Rect> {
        self.panes.iter().find(|(shown, _)| *shown == pane).map(|&(_, rect)| rect)
    }

    /// What is left of a pane inside its frame.
    pub fn inner(&self, rect: Rect) -> Rect {
        if self.framed { rect.inner(ratatui::layout::Margin::new(1, 1)) } else { rect }
    }

    /// How the workers are drawn, if they are.
    pub fn grid(&self, workers: usize) -> Option<Grid> {
        let inner = self.inner(self.rect(Pane::Threads)?);
        Some(Grid::fit(workers, inner.width, inner.height))
    }
}

/// Rows of the middle at least, frame included.
const MIDDLE_MIN: u16 = 10;
/// Rows of hires and history at least, frame included.
const LOWER_MIN: u16 = 5;
const BALANCE_WIDTH: u16 = 22;
const DEPTHS_WIDTH_MIN: u16 = 26;

fn framed_panes(body: Rect, workers: usize, board: Board) -> Vec<(Pane, Rect)> {
    let limit = (body.height * 62 / 100).min(body.height.saturating_sub(MIDDLE_MIN));
    let wanted = Grid::rows_wanted(workers, body.width - 2, limit.saturating_sub(2)) + 2;
    let rest = body.height.saturating_sub(wanted);
    if limit < 4 || rest < MIDDLE_MIN {
        return vec![(Pane::Threads, body)];
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
    let mut panes = vec![(Pane::Threads, rows(0, wanted))];
    panes.extend(middle_panes(rows(wanted, rest - lower), board, scale as u16));
    if lower > 0 {
        let [left, right] = split(rows(body.height - lower, lower), body.width * 2 / 5);
        panes.extend([(Pane::Hires, left), (Pane::History, right)]);
    }
    panes
}

/// Rows that are left for hires and history when a square of the board is `scale` rows high.
fn lower_rows(rest: u16, board: Board, scale: u32) -> u16 {
    let middle = u16::try_from(board.rows() * scale + 2).unwrap_or(u16::MAX).max(MIDDLE_MIN);
    rest.saturating_sub(middle)
}

fn middle_panes(area: Rect, board: Board, scale: u16) -> Vec<(Pane, Rect)> {
    let digits = board.squares().to_string().len() as u16;
    let square = (digits + 1).max(2 * scale);
    let board_width = u16::try_from(board.cols()).unwrap_or(u16::MAX).saturating_mul(square).saturating_add(3);
    let board_width = board_width.clamp(20, area.width.saturating_sub(DEPTHS_WIDTH_MIN).max(20));
    let rest = area.width.saturating_sub(board_width);
    if rest < DEPTHS_WIDTH_MIN {
        return vec![(Pane::Board, area)];
    }
    let [left, right] = split(area, board_width);
    if rest < DEPTHS_WIDTH_MIN + BALANCE_WIDTH {
        return vec![(Pane::Board, left), (Pane::Depths, right)];
    }
    let [depths, balance] = split(right, rest - BALANCE_WIDTH);
    vec![(Pane::Board, left), (Pane::Depths, depths), (Pane::Balance, balance)]
}

/// On the smallest screens: the workers, and the balance where rows are left over.
fn bare_panes(body: Rect, workers: usize) -> Vec<(Pane, Rect)> {
    let wanted = Grid::rows_wanted(workers, body.width, body.height);
    let rest = body.height - wanted.min(body.height);
    if rest < 3 {
        return vec![(Pane::Threads, body)];
    }
    let below = Rect { y: body.y + wanted + 1, height: rest - 1, ..body };
    vec![(Pane::Threads, Rect { height: wanted, ..body }), (Pane::Balance, below)]
}

fn split(area: Rect, left: u16) -> [Rect; 2] {
    [Rect { width: left, ..area }, Rect { x: area.x + left, width: area.width - left, ..area }]
}

/// How much is said of each worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Density {
    /// A line with all its figures, under a heading.
    Wide,
    /// Number, state, depth meter, depth and busy share: 24 cells.
    Full,
    /// Number, state, depth meter and lowest open level: 9 cells.
    Short,
    /// State and depth meter: 2 cells.
    Pair,
    /// State, or depth while busy: 1 cell.
    Single,
    /// Several workers in a cell: a map of how many of them are busy.
    Map,
}

/// The arrangement of the workers in their pane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    /// How much is said of each.
    pub density: Density,
    /// Cells side by side.
    pub columns: usize,
    /// Cells one above the other.
    pub rows: usize,
    /// Width of a cell.
    pub width: u16,
    /// Workers in a cell: 1, but for [`Density::Map`].
    pub group: usize,
}

/// Width of the worker number before a row of pairs, singles or map cells.
pub const ROW_LABEL: u16 = 5;
/// Rows that are filled before a second column is opened.
const ROWS_FIRST: usize = 8;

impl Grid {
    /// The richest arrangement of `workers` in `width` x `height` cells; none is ever left out.
    pub fn fit(workers: usize, width: u16, height: u16) -> Grid {
        let height = usize::from(height.max(1));
        for (density, cell, heading) in [(Density::Wide, 48, 1), (Density::Full, 24, 0), (Density::Short, 9, 0)] {
            let (columns_max, rows_max) = (usize::from(width / cell), height.saturating_sub(heading));
            if columns_max * rows_max >= workers {
                let columns = workers.div_ceil(rows_max.min(ROWS_FIRST)).clamp(1, columns_max);
                let columns = if columns * rows_max < workers { columns_max } else { columns };
                let rows = workers.div_ceil(columns);
                return Grid { density, columns, rows, width: width / columns as u16, group: 1 };
            }
        }
        let free = usize::from(width.saturating_sub(ROW_LABEL).max(8));
        for (density, cell) in [(Density::Pair, 2), (Density::Single, 1)] {
            let columns = free / cell / 8 * 8;
            if columns * height >= workers {
                let rows = workers.div_ceil(columns);
                return Grid { density, columns, rows, width: cell as u16, group: 1 };
            }
        }
        let columns = free / 8 * 8;
        let group = workers.div_ceil(columns * height);
        let rows = workers.div_ceil(columns * group);
        Grid { density: Density::Map, columns, rows, width: 1, group }
    }

    /// Rows, heading included, that the arrangement in at most `height_max` rows takes.
    pub(super) fn rows_wanted(workers: usize, width: u16, height_max: u16) -> u16 {
        let grid = Grid::fit(workers, width, height_max);
        grid.rows as u16 + u16::from(grid.density == Density::Wide)
    }

    /// Whether neighbours in number stand one above the other.
    fn column_major(self) -> bool {
        matches!(self.density, Density::Wide | Density::Full | Density::Short)
    }

    /// Column and row of a worker.
    pub fn place(self, worker: usize) -> (usize, usize) {
        let cell = worker / self.group;
        if self.column_major() {
            (cell / self.rows, cell % self.rows)
        } else {
            (cell % self.columns, cell / self.columns)
        }
    }

    /// The worker `right` cells to the right of another and `down` below it; the same one at an edge.
    pub fn move_from(self, worker: usize, right: isize, down: isize, workers: usize) -> usize {
        let (across, along) = match self.column_major() {
            true => (self.rows as isize, 1),
            false => (1, self.columns as isize),
        };
        let to = worker as isize + (right * across + down * along) * self.group as isize;
        if (0..workers as isize).contains(&to) { to as usize } else { worker }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn board(rows: u64, cols: u64) -> Board {
        Board::new(rows, cols).unwrap()
    }

    #[test]
    fn as_the_screen_and_the_crew_grow_the_richest_density_that_fits_is_chosen() {
        let density = |workers, width, height| Grid::fit(workers, width, height).density;
        assert_eq!(density(2, 78, 8), Density::Wide);
        assert_eq!(density(24, 78, 8), Density::Full);
        assert_eq!(density(64, 78, 8), Density::Short);
        assert_eq!(density(256, 78, 8), Density::Pair);
        assert_eq!(density(512, 78, 8), Density::Single);
        assert_eq!(density(4096, 78, 8), Density::Map);
        assert_eq!(density(256, 198, 32), Density::Full);
    }

    #[test]
    fn at_80x24_two_and_two_hundred_and_fifty_six_workers_leave_room_for_the_middle() {
        for workers in [1, 2, 64, 256, 4096] {
            let layout = Layout::of(Size::new(80, 24), workers, board(8, 8), None);
            for pane in [Pane::Threads, Pane::Board, Pane::Depths, Pane::Balance] {
                assert!(layout.rect(pane).is_some(), "{workers} {pane:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn panes_lie_on_the_screen_and_do_not_overlap(
            width in 40u16..300, height in 10u16..100, workers in 1usize..4097, rows in 1u64..40, cols in 1u64..40,
        ) {
            let layout = Layout::of(Size::new(width, height), workers, board(rows, cols), None);
            let mut covered = vec![0u8; usize::from(width) * usize::from(height)];
            let rects = layout.panes.iter().map(|&(_, rect)| rect).chain([layout.header, layout.footer]);
            for position in rects.flat_map(Rect::positions) {
                prop_assert!(position.x < width && position.y < height);
                covered[usize::from(position.y) * usize::from(width) + usize::from(position.x)] += 1;
            }
            prop_assert!(covered.iter().all(|&times| times <= 1));
        }

        #[test]
        fn every_worker_has_a_place_of_its_own_inside_the_pane(
            width in 38u16..300, height in 1u16..100, workers in 1usize..4097,
        ) {
            let grid = Grid::fit(workers, width, height);
            let heading = usize::from(grid.density == Density::Wide);
            prop_assert!(grid.rows + heading <= usize::from(height));
            prop_assert!(grid.columns as u16 * grid.width <= width);
            let places: std::collections::HashSet<_> = (0..workers).map(|worker| grid.place(worker)).collect();
            prop_assert_eq!(places.len(), workers.div_ceil(grid.group));
            for (column, row) in places {
                prop_assert!(column < grid.columns && row < grid.rows);
            }
        }

        #[test]
        fn moves_go_to_the_neighbour_cell_or_nowhere(
            width in 38u16..300, height in 1u16..40, workers in 1usize..600, seed in 0usize..600,
        ) {
            let grid = Grid::fit(workers, width, height);
            let worker = seed % workers;
            let (column, row) = grid.place(worker);
            let down = grid.move_from(worker, 0, 1, workers);
            // The end of a column or a line leads to the beginning of the next.
            if down != worker && row + 1 < grid.rows {
                prop_assert_eq!(grid.place(down), (column, row + 1));
            }
            let right = grid.move_from(worker, 1, 0, workers);
            if right != worker && column + 1 < grid.columns {
                prop_assert_eq!(grid.place(right), (column + 1, row));
            }
        }
    }
}
