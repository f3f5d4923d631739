//! The position of a worker: squares numbered in their order, moves drawn as lines.
//!
//! What is drawn depends on how many cells a square has:
//!
//! | a square has | shown |
//! |---|---|
//! | 4 x 2 or more | lines of braille dots, and numbers on them |
//! | a number and a blank | numbers; beside them the lines, where there is room |
//! | less | lines, two dots or more to a square, and a mark on the last one |
//! | less still | nothing but a sentence |

use super::put;
use crate::board::{Board, Square};
use crate::search::Drawing;
use crate::ui::theme::{Role, SERIES, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// Says whose position it is.
pub fn title(selected: usize) -> String {
    format!("board, worker {selected}")
}

/// Draws the position as richly as the area allows.
pub fn draw(buf: &mut Buffer, area: Rect, theme: Theme, board: Board, drawing: &Drawing) {
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
    let digits = board.squares().to_string().len() as u32;
    let (wide, high) = (u32::from(area.width) / board.cols(), u32::from(area.height) / board.rows());
    let lines = !theme.ascii;
    if lines && wide >= digits + 2 && wide >= 4 && high >= 2 {
        // Cells are twice as high as wide: the larger square that fits.
        let (wide, high) = (wide.min(2 * high), high.min(wide.div_ceil(2)));
        let place = Place::new(middle(area, board.cols() * wide), board, wide as u16, high as u16);
        draw_lines(buf, &place, theme, drawing);
        draw_numbers(buf, &place, theme, drawing, false);
    } else if wide > digits && high >= 1 {
        let place = Place::new(area, board, digits as u16 + 1, 1);
        draw_numbers(buf, &place, theme, drawing, true);
        let beside = Rect { x: place.area.right() + 3, ..area };
        if lines && beside.x + place.area.width <= area.right() {
            let beside = Rect { width: place.area.width, ..beside };
            draw_lines(buf, &Place::new(beside, board, digits as u16 + 1, 1), theme, drawing);
        }
    } else if lines && 2 * u32::from(area.width) >= 2 * board.cols() && 4 * u32::from(area.height) >= 2 * board.rows() {
        let place = Place::whole(area, board);
        draw_lines(buf, &place, theme, drawing);
        draw_heads(buf, &place, theme, drawing);
    } else {
        put(buf, area, area.x, area.y, &format!("no room for {board}"), theme.style(Role::Label));
    }
}

/// The part of an area that is `width` wide, in its middle.
fn middle(area: Rect, width: u32) -> Rect {
    Rect { x: area.x + (area.width.saturating_sub(width as u16)) / 2, ..area }
}

/// Where the squares lie.
struct Place {
    area: Rect,
    board: Board,
    /// Dots to a square, across and down.
    dots: (f64, f64),
}

impl Place {
    /// Squares of `wide` x `high` cells.
    fn new(area: Rect, board: Board, wide: u16, high: u16) -> Place {
        let (width, height) = (board.cols() as u16 * wide, board.rows() as u16 * high);
        let dots = (f64::from(wide) * 2.0, f64::from(high) * 4.0);
        Place { area: Rect { width, height, ..area }, board, dots }
    }

    /// The whole area, shared evenly; squares as square as they can be.
    fn whole(area: Rect, board: Board) -> Place {
        let side = |cells: u16, dots: u32, squares: u32| f64::from(u32::from(cells) * dots) / f64::from(squares);
        let side = side(area.width, 2, board.cols()).min(side(area.height, 4, board.rows()));
        Place { area, board, dots: (side, side) }
    }

    fn square(&self, index: u8) -> Option<Square> {
        self.board.at(u32::from(index))
    }

    /// The dot in the middle of a square.
    fn dot(&self, square: Square) -> (i32, i32) {
        let (row, col) = self.board.row_col(square);
        (((f64::from(col) + 0.5) * self.dots.0) as i32, ((f64::from(row) + 0.5) * self.dots.1) as i32)
    }

    /// The cell where the number of a square begins.
    fn cell(&self, square: Square, digits: u16) -> (u16, u16) {
        let (row, col) = self.board.row_col(square);
        let (wide, high) = ((self.dots.0 / 2.0) as u16, (self.dots.1 / 4.0) as u16);
        let x = self.area.x + col as u16 * wide + wide.saturating_sub(digits) / 2;
        (x, self.area.y + row as u16 * high + high / 2)
    }
}

/// Colour of one of several chains. Where there are too many for a colour each, a chain keeps its colour as long as it
/// keeps its lower end, however many others come and go before it in the list.
fn series(theme: Theme, drawing: &Drawing, chain: usize) -> Style {
    let squares = &drawing.chains[chain];
    match (drawing.chains.len() > SERIES.len(), squares.first().min(squares.last())) {
        (true, Some(&end)) => theme.series(end.into()),
        _ => theme.series(chain),
    }
}

/// Numbers the squares of every chain; `dots` marks the empty ones.
fn draw_numbers(buf: &mut Buffer, place: &Place, theme: Theme, drawing: &Drawing, dots: bool) {
    let digits = place.board.squares().to_string().len();
    let mark = |buf: &mut Buffer, square: Square, text: &str, style: Style| {
        let (x, y) = place.cell(square, digits as u16);
        put(buf, place.area, x, y, &format!("{text:>digits$}"), style);
    };
    if dots {
        for square in place.board.all() {
            mark(buf, square, theme.glyphs().dot, theme.style(Role::Border));
        }
    }
    let several = drawing.chains.len() > 1;
    for (i, chain) in drawing.chains.iter().enumerate() {
        let own = if several { series(theme, drawing, i) } else { theme.style(Role::Text) };
        for (number, square) in (1..).zip(chain).filter_map(|(n, &index)| Some((n, place.square(index)?))) {
            let style = match number {
                n if n == chain.len() && !several => theme.style(Role::Busy).add_modifier(Modifier::REVERSED),
                1 if !several => theme.style(Role::Good).add_modifier(Modifier::BOLD),
                _ => own,
            };
            mark(buf, square, &number.to_string(), style);
        }
    }
    if let Some(square) = drawing.reserved.and_then(|index| place.square(index)) {
        mark(buf, square, theme.glyphs().reserved, theme.style(Role::Waiting));
    }
}

/// Draws the moves of every chain in braille dots, 2 x 4 to a cell.
fn draw_lines(buf: &mut Buffer, place: &Place, theme: Theme, drawing: &Drawing) {
    for (i, chain) in drawing.chains.iter().enumerate() {
        let style = if drawing.chains.len() > 1 { series(theme, drawing, i) } else { theme.style(Role::Busy) };
        let squares: Vec<Square> = chain.iter().filter_map(|&index| place.square(index)).collect();
        for pair in squares.windows(2) {
            for (x, y) in line(place.dot(pair[0]), place.dot(pair[1])) {
                dot(buf, place.area, x, y, style);
            }
        }
    }
    if let Some(square) = drawing.reserved.and_then(|index| place.square(index)) {
        let (x, y) = place.dot(square);
        dot(buf, place.area, x, y, theme.style(Role::Waiting));
    }
}

/// Marks the last square of every chain, where there is no room for its number.
fn draw_heads(buf: &mut Buffer, place: &Place, theme: Theme, drawing: &Drawing) {
    for square in drawing.chains.iter().filter_map(|chain| place.square(*chain.last()?)) {
        let (x, y) = place.dot(square);
        let (x, y) = (place.area.x + (x / 2) as u16, place.area.y + (y / 4) as u16);
        put(buf, place.area, x, y, "●", theme.style(Role::Strong));
    }
}

/// The dots of a line, both ends included.
///
/// # Source
/// J. E. Bresenham, "Algorithm for computer control of a digital plotter", IBM Systems Journal 4, 1965.
fn line(from: (i32, i32), to: (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    let (dx, dy) = ((to.0 - from.0).abs(), -(to.1 - from.1).abs());
    let (sx, sy) = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
    let mut error = dx + dy;
    let mut next = Some(from);
    std::iter::from_fn(move || {
        let (mut x, mut y) = next?;
        let here = (x, y);
        let twice = 2 * error;
        if twice >= dy {
            error += dy;
            x += sx;
        }
        if twice <= dx {
            error += dx;
            y += sy;
        }
        next = (here != to).then_some((x, y));
        Some(here)
    })
}

/// Sets one dot, keeping those that are in its cell already.
fn dot(buf: &mut Buffer, area: Rect, x: i32, y: i32, style: Style) {
    /// Bits of the braille patterns by row and column of the dot.
    const BITS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
    const BLANK: u32 = 0x2800;
    let (cell_x, cell_y) = (area.x + (x / 2) as u16, area.y + (y / 4) as u16);
    if cell_x >= area.right() || cell_y >= area.bottom() {
        return;
    }
    let cell = &mut buf[(cell_x, cell_y)];
    let seen = cell.symbol().chars().next().map_or(0, u32::from);
    let dots = if (BLANK..BLANK + 0x100).contains(&seen) { seen } else { BLANK };
    if let Some(symbol) = char::from_u32(dots | BITS[(y % 4) as usize][(x % 2) as usize]) {
        cell.set_char(symbol).set_style(style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_dots_joins_both_ends_step_by_step() {
        for (from, to) in [((0, 0), (8, 3)), ((5, 9), (1, 1)), ((2, 2), (2, 2)), ((0, 4), (9, 4))] {
            let dots: Vec<_> = line(from, to).collect();
            assert_eq!((dots[0], dots[dots.len() - 1]), (from, to));
            assert!(
                dots.windows(2).all(|pair| (pair[0].0 - pair[1].0).abs() <= 1 && (pair[0].1 - pair[1].1).abs() <= 1)
            );
        }
    }
}
