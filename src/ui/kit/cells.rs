//! Draws workers in the cells of a [`Grid`]: headings or numbers of rows, and a cell for each worker or group of
//! workers.

use super::draw::{LinePart, fit, padded, put};
use super::grid::Grid;
use super::palette::Role;
use super::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// How a worker state is shown. The letter carries the meaning; the colour repeats it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct WorkerLook {
    /// The letter.
    pub letter: &'static str,
    /// The colour.
    pub role: Role,
    /// The name of the state.
    pub word: &'static str,
}

impl WorkerLook {
    /// A look.
    pub const fn new(letter: &'static str, role: Role, word: &'static str) -> WorkerLook {
        WorkerLook { letter, role, word }
    }

    /// The letter and `word`, as a part of a line.
    pub fn part(&self, theme: Theme, worth: u8, word: &str) -> LinePart {
        LinePart::new(worth).with(theme, self.role, self.letter).with(theme, Role::Label, format!(" {word}"))
    }
}

/// The number of workers with each look, which also explains the letters; the last ones are dropped first.
pub fn legend(theme: Theme, counts: impl Iterator<Item = (WorkerLook, usize)>, width: u16) -> Line<'static> {
    let part =
        |((look, count), worth): ((WorkerLook, usize), u8)| look.part(theme, worth, &format!("{} {count}", look.word));
    padded(fit(counts.zip((0..u8::MAX).rev()).map(part).collect(), width, 2))
}

/// The cells of workers.
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
