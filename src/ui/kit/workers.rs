//! Workers on the screen: their arrangement in cells, which also moves the selection, how they look there, and their orders.
//! All workers are on the screen, in cells that show the less of each the more there are; or, as a table, those that fit with
//! all their figures.

use super::draw::{LinePart, fit, padded, put};
use super::palette::Role;
use super::theme::Theme;
use crate::table::table;
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

/// How much a cell shows of a worker, the most first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Density {
    /// A line with all figures, under a heading.
    Wide,
    /// Number, state, depth meter, depth and a figure: 24 cells.
    Full,
    /// Number, state, mark, depth meter and lowest open level: 9 cells.
    Short,
    /// State and depth meter: 2 cells.
    Pair,
    /// State, or depth while busy: 1 cell.
    Single,
    /// Several workers in one cell, which shows how many of them are busy.
    Map,
}

/// The arrangement of the workers in their pane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    /// How much a cell shows of a worker.
    pub density: Density,
    /// Number of cells side by side.
    pub columns: usize,
    /// Number of cells one above the other.
    pub rows: usize,
    /// Width of a cell.
    pub width: u16,
    /// Workers in a cell; more than 1 only for [`Density::Map`].
    pub group: usize,
    /// Whether a line with the names of the figures stands above the cells.
    pub heading: bool,
    /// The page of a table that does not hold all workers: its first worker, and how many it shows.
    pub page: Option<(usize, usize)>,
}

/// Width of the worker number before a row of pairs, singles or map cells.
pub const ROW_LABEL: u16 = 5;
/// Least widths of a cell with all figures, and of one with the most important ones.
const WIDE: u16 = 48;
const FULL: u16 = 24;
/// Rows that are filled before a second column starts.
const ROWS_FIRST: usize = 8;

impl Grid {
    /// The most detailed arrangement that fits `workers` in `width` x `height` cells. No worker is left out.
    pub fn fit(workers: usize, width: u16, height: u16) -> Grid {
        // Before the first frame there are no workers; the layout then has room for one.
        let (workers, height) = (workers.max(1), usize::from(height.max(1)));
        let (wide, full) = ((Density::Wide, WIDE), (Density::Full, FULL));
        for ((density, cell), heading) in [(wide, true), (full, true), (full, false), ((Density::Short, 9), false)] {
            let (columns_max, rows_max) = (usize::from(width / cell), height.saturating_sub(usize::from(heading)));
            if columns_max * rows_max >= workers {
                let columns = workers.div_ceil(rows_max.min(ROWS_FIRST)).clamp(1, columns_max);
                let columns = if columns * rows_max < workers { columns_max } else { columns };
                let rows = workers.div_ceil(columns);
                let width = width / columns as u16;
                return Grid { heading, ..Grid::of(density, columns, rows, width) };
            }
        }
        let free = usize::from(width.saturating_sub(ROW_LABEL).max(8));
        for (density, cell) in [(Density::Pair, 2), (Density::Single, 1)] {
            let columns = free / cell / 8 * 8;
            if columns * height >= workers {
                let rows = workers.div_ceil(columns);
                return Grid::of(density, columns, rows, cell as u16);
            }
        }
        let columns = free / 8 * 8;
        let group = workers.div_ceil(columns * height);
        let rows = workers.div_ceil(columns * group);
        Grid { group, ..Grid::of(Density::Map, columns, rows, 1) }
    }

    fn of(density: Density, columns: usize, rows: usize, width: u16) -> Grid {
        Grid { density, columns, rows, width, group: 1, heading: false, page: None }
    }

    /// A table of the workers with their figures in `width` x `height` cells. If they do not all fit, it is the page that
    /// shows the worker at `place`, and its last line is left free.
    pub fn table(workers: usize, width: u16, height: u16, place: usize) -> Grid {
        let all = Grid::fit(workers, width, height);
        if all.heading || height < 3 {
            return all;
        }
        let (density, cell) = if width >= WIDE { (Density::Wide, WIDE) } else { (Density::Full, FULL) };
        let (columns, rows) = (usize::from(width / cell), usize::from(height - 2));
        let (shown, width) = (columns * rows, width / columns as u16);
        let page = Some((place / shown * shown, shown));
        Grid { heading: true, page, ..Grid::of(density, columns, rows, width) }
    }

    /// The places of the workers that are shown.
    pub fn shown(self, workers: usize) -> std::ops::Range<usize> {
        self.page.map_or(0..workers, |(first, shown)| first..workers.min(first + shown))
    }

    /// Number of rows, heading included, of the arrangement in at most `height_max` rows.
    pub fn rows_wanted(workers: usize, width: u16, height_max: u16) -> u16 {
        let grid = Grid::fit(workers, width, height_max);
        grid.rows as u16 + u16::from(grid.heading)
    }

    /// Whether successive workers stand one above the other, with room for a mark beside the state.
    pub fn column_major(self) -> bool {
        matches!(self.density, Density::Wide | Density::Full | Density::Short)
    }

    /// Column and row of a worker that is shown.
    pub fn place(self, worker: usize) -> (usize, usize) {
        let cell = (worker - self.page.map_or(0, |(first, _)| first)) / self.group;
        if self.column_major() {
            (cell / self.rows, cell % self.rows)
        } else {
            (cell % self.columns, cell / self.columns)
        }
    }

    /// Columns before the cells, for the numbers of rows.
    pub fn label(self) -> u16 {
        if self.column_major() { 0 } else { ROW_LABEL }
    }

    /// The first cell of a worker that is shown in this area.
    pub fn cell(self, area: Rect, worker: usize) -> (u16, u16) {
        let (column, row) = self.place(worker);
        (area.x + self.label() + column as u16 * self.width, area.y + u16::from(self.heading) + row as u16)
    }

    /// The first worker in the cell at a position, if a cell of these workers is there.
    pub fn place_at(self, area: Rect, at: Position, workers: usize) -> Option<usize> {
        self.shown(workers).step_by(self.group).find(|&worker| {
            let (x, y) = self.cell(area, worker);
            at.y == y && (x..x + self.width).contains(&at.x)
        })
    }

    /// The worker `right` cells to the right and `down` cells below; at an edge, `worker` itself.
    pub fn move_from(self, worker: usize, right: isize, down: isize, workers: usize) -> usize {
        let (across, along) = if self.column_major() { (self.rows as isize, 1) } else { (1, self.columns as isize) };
        let to = worker as isize + (right * across + down * along) * self.group as isize;
        if (0..workers as isize).contains(&to) { to as usize } else { worker }
    }
}

/// How a worker state is shown. The letter carries the meaning; the colour repeats it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkerLook {
    pub letter: &'static str,
    /// The colour.
    pub role: Role,
    /// The name of the state.
    pub word: &'static str,
}

impl WorkerLook {
    pub const fn new(letter: &'static str, role: Role, word: &'static str) -> WorkerLook {
        WorkerLook { letter, role, word }
    }

    /// The letter and `word`, as a part of a line.
    pub fn part(&self, theme: Theme, worth: u8, word: &str) -> LinePart {
        LinePart::new(worth).with(theme, self.role, self.letter).with(theme, Role::Label, format!(" {word}"))
    }
}

/// The number of workers with each look, which also explains the letters. Where they do not all fit, the last ones lose their
/// words, then their numbers.
pub fn legend(theme: Theme, counts: impl Iterator<Item = (WorkerLook, usize)>, width: u16) -> Line<'static> {
    let counts: Vec<(WorkerLook, usize)> = counts.collect();
    let line = |named: usize, width: u16| {
        let part = |(at, (look, count)): (usize, &(WorkerLook, usize))| {
            let count = words::grouped(count);
            let word = if at < named { format!("{} {count}", look.word) } else { count };
            look.part(theme, u8::MAX - at as u8, &word)
        };
        fit(counts.iter().enumerate().map(part).collect(), width, 2)
    };
    let fits = |&named: &usize| line(named, u16::MAX).width() <= usize::from(width);
    padded(line((0..=counts.len()).rev().find(fits).unwrap_or(0), width))
}

#[derive(Clone, Copy)]
pub struct WorkerCells {
    /// The inside of the pane.
    pub area: Rect,
    /// The look of the terminal.
    pub theme: Theme,
    /// The arrangement of the cells.
    pub grid: Grid,
}

impl WorkerCells {
    /// Width of a cell without `fixed` columns of figures.
    pub fn room(&self, fixed: u16) -> u16 {
        self.grid.width.saturating_sub(fixed).max(1)
    }

    /// Draws `heading` above each column of cells where the grid has room for it, or `number` of its first worker before
    /// each row of narrow cells; then calls `cell` for the first worker of each cell, with the position of the cell.
    pub fn draw(
        &self,
        buf: &mut Buffer,
        workers: usize,
        heading: &str,
        number: impl Fn(usize) -> String,
        mut cell: impl FnMut(&mut Buffer, usize, (u16, u16)),
    ) {
        let WorkerCells { area, theme, grid } = *self;
        let (top, style) = (u16::from(grid.heading), theme.style(Role::Label));
        for column in 0..top * grid.columns as u16 {
            put(buf, area, area.x + column * grid.width, area.y, heading, style);
        }
        for row in 0..usize::from(grid.label().min(1)) * grid.rows {
            let number = format!("{:>4}", number(row * grid.columns * grid.group));
            put(buf, area, area.x, area.y + row as u16, &number, style);
        }
        for first in grid.shown(workers).step_by(grid.group) {
            cell(buf, first, grid.cell(area, first));
        }
    }

    /// A column as high as the share of busy workers in a cell, in eighths; `None` if none is busy.
    pub fn share(&self, busy: usize, all: usize) -> Option<&'static str> {
        (busy > 0).then(|| self.theme.glyphs().column[(busy * 8 / all).max(1)])
    }
}

table! {
    /// An order of the workers on the screen, greatest figure first. Workers that are equal in it are ordered by number.
    /// `name`: the word for the order on the screen, and the name of its figure. `heading`: that of the column.
    #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
    pub enum WorkerOrder(name: &'static str, heading: &'static str) {
        #[default]
        Number: "number", "#";
        /// By nodes entered, most first.
        Nodes: "nodes", "nodes";
        /// By depth, deepest first.
        Depth: "depth", "at";
        /// By hires, most first.
        Hires: "hires", "hires";
        /// By donations, most first.
        Donations: "donations", "passed";
        /// By time without work, longest first.
        Waiting: "waiting time", "waits";
        /// By time searching, longest first.
        Searching: "searching time", "search";
        /// By tours found, most first.
        Tours: "tours", "tours";
    }
}

impl WorkerOrder {
    /// The next order in the cycle.
    pub fn next(self) -> WorkerOrder {
        WorkerOrder::ALL[(self as usize + 1) % WorkerOrder::ALL.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    fn a_table_that_does_not_hold_all_workers_shows_the_page_of_the_selected_one() {
        let table = |workers, place| Grid::table(workers, 78, 8, place);
        assert_eq!(table(16, 3), Grid::fit(16, 78, 8));
        assert_eq!((table(256, 3).shown(256), table(256, 3).place(3)), (0..6, (0, 3)));
        assert_eq!((table(256, 254).shown(256), table(256, 254).place(254)), (252..256, (0, 2)));
        assert_eq!(Grid::table(256, 38, 8, 20).shown(256), 18..24);
    }

    #[test]
    fn a_legend_without_room_loses_words_before_numbers() {
        let looks = [("B", "searching"), ("w", "waiting"), (">", "handing over")];
        let looks = looks.map(|(letter, word)| WorkerLook::new(letter, Role::Busy, word));
        let said = |width| legend(Theme::RICH, looks.into_iter().zip([10, 2, 4]), width).to_string();
        assert_eq!(said(60), " B searching 10  w waiting 2  > handing over 4 ");
        assert_eq!([said(32), said(24)], [" B searching 10  w waiting 2  > 4 ", " B searching 10  w 2  > 4 "]);
        assert_eq!([said(14), said(8)], [" B 10  w 2  > 4 ", " B 10 "]);
    }

    proptest! {
        #[test]
        fn every_worker_has_a_place_of_its_own_inside_the_pane(
            width in 38u16..300, height in 1u16..100, workers in 1usize..4097,
        ) {
            let grid = Grid::fit(workers, width, height);
            let heading = usize::from(grid.heading);
            prop_assert!(grid.rows + heading <= usize::from(height));
            prop_assert!(grid.columns as u16 * grid.width <= width);
            let area = Rect::new(3, 2, width, height);
            for worker in (0..workers).step_by(grid.group) {
                let (x, y) = grid.cell(area, worker);
                prop_assert_eq!(grid.place_at(area, Position { x, y }, workers), Some(worker));
            }
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
            // A move past the end of a column or row leads to the start of the next.
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
