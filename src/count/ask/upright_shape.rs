//! The squares of a question as sweeps process them.

use crate::board::{Board, Holes, Shape, Square, Symmetry};
use std::collections::BTreeMap;

/// The board with its short side across, and whether rows and columns were exchanged.
pub fn upright(board: Board) -> (Board, bool) {
    if board.rows() < board.cols() { (board.transposed(), true) } else { (board, false) }
}

/// A shape on the smallest rectangle around its squares, with the short side across.
///
/// Rows and columns of a square rectangle are exchanged if left and right are alike then and not before: a sweep over such a shape
/// stores one of two mirror images (see `states/mirror.rs`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UprightShape {
    pub shape: Shape,
    /// The board of the question.
    asked: Board,
    /// The row and the column at which the rectangle begins.
    corner: (u32, u32),
    exchanged: bool,
}

impl UprightShape {
    pub fn new(shape: &Shape) -> UprightShape {
        let asked = shape.board();
        if !shape.has_holes() {
            let (upright, exchanged) = upright(asked);
            return UprightShape { shape: upright.into(), asked, corner: (0, 0), exchanged };
        }
        let ((top, rows), (left, cols)) = (extent(shape, true), extent(shape, false));
        let of = |exchanged| UprightShape::on_rectangle(shape, (top, left), (rows, cols), exchanged);
        match (of(rows < cols), of(true)) {
            (plain, other) if rows == cols && !is_mirrored(&plain.shape) && is_mirrored(&other.shape) => other,
            (plain, _) => plain,
        }
    }

    fn on_rectangle(shape: &Shape, corner: (u32, u32), (rows, cols): (u32, u32), exchanged: bool) -> UprightShape {
        let asked = shape.board();
        let (rows, cols) = if exchanged { (cols, rows) } else { (rows, cols) };
        let board = Board::new(rows.into(), cols.into()).unwrap_or(asked);
        let whole = UprightShape { shape: board.into(), asked, corner, exchanged };
        let holes = Holes::new(shape.holes().squares().iter().filter_map(|&hole| whole.square(hole)));
        UprightShape { shape: Shape::new(board, holes), ..whole }
    }

    /// Where a square of the question's board is, if it is on the rectangle.
    pub fn square(&self, square: Square) -> Option<Square> {
        let (row, col) = self.asked.row_col(square);
        let (row, col) = (row.checked_sub(self.corner.0)?, col.checked_sub(self.corner.1)?);
        if self.exchanged { self.shape.board().square(col, row) } else { self.shape.board().square(row, col) }
    }

    /// Number of squares with an even sum of row and column, and of the others.
    pub fn colours(&self) -> [u32; 2] {
        let (board, [light, dark]) = (self.shape.board(), self.shape.colours());
        let first_is_dark = board.at(0).is_some_and(|first| board.is_dark(first));
        if first_is_dark { [dark, light] } else { [light, dark] }
    }
}

/// The first row that has squares, and the number of rows from there to the last one; or the columns.
fn extent(shape: &Shape, of_rows: bool) -> (u32, u32) {
    let board = shape.board();
    let (lines, across) = if of_rows { (board.rows(), board.cols()) } else { (board.cols(), board.rows()) };
    // By holes and not by squares, of which there may be thousands of millions.
    let mut holes: BTreeMap<u32, u32> = BTreeMap::new();
    for (row, col) in shape.holes().squares().iter().map(|&hole| board.row_col(hole)) {
        *holes.entry(if of_rows { row } else { col }).or_default() += 1;
    }
    let has_squares = |line: &u32| holes.get(line) != Some(&across);
    let first = (0..lines).find(has_squares).unwrap_or(0);
    (first, (0..lines).rev().find(has_squares).unwrap_or(0) - first + 1)
}

/// Whether the shape stays as it is when left and right are exchanged.
pub fn is_mirrored(shape: &Shape) -> bool {
    let image = |&hole: &Square| Symmetry::LeftRight.apply(shape.board(), hole);
    shape.holes().squares().iter().all(|hole| shape.holes().contains(image(hole)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upright_shape(text: &str) -> UprightShape {
        UprightShape::new(&text.parse().unwrap())
    }

    #[test]
    fn a_shape_stands_on_its_rectangle_with_the_short_side_across() {
        for (asked, upright) in [
            ("3x4", "4x3"),
            ("5x4", "5x4"),
            // A row and a column are holes: what is left is 2x3.
            ("3x4-a3,b3,c3,d3,a1,a2", "3x2"),
            // The row in the middle stays.
            ("3x2-a2,b2", "3x2-a2,b2"),
            ("3x3-a1", "3x3-a1"),
            ("2x3-a1", "3x2-b3"),
            // Top and bottom are alike, and left and right when rows and columns are exchanged.
            ("4x4-a1,a4", "4x4-a4,d4"),
            ("4x4-a1,d1", "4x4-a1,d1"),
        ] {
            assert_eq!(upright_shape(asked).shape.to_string(), upright, "{asked}");
        }
    }

    /// Squares that are a move apart stay so, whatever was cut off.
    #[test]
    fn every_square_of_a_shape_has_its_place() {
        for text in ["4x5-a1,b1,c1,d1,e1,b3", "6x4-a1,a2,a3,a4,a5,a6,c4", "5x5-a5,e5,c1", "3x7", "5x5-a1,a5"] {
            let (asked, upright) = (text.parse::<Shape>().unwrap(), upright_shape(text));
            let place = |square| upright.square(square).filter(|&place| upright.shape.has(place)).unwrap();
            let mut places: Vec<Square> = asked.all().map(place).collect();
            places.sort();
            assert!(places.into_iter().eq(upright.shape.all()), "{text}");
            for square in asked.all() {
                let mut nexts: Vec<Square> = asked.neighbours(square).map(place).collect();
                let mut there: Vec<Square> = upright.shape.neighbours(place(square)).collect();
                nexts.sort();
                there.sort();
                assert_eq!(nexts, there, "{text}");
            }
            let is_even = |&square: &Square| {
                let (row, col) = upright.shape.board().row_col(square);
                (row + col).is_multiple_of(2)
            };
            let even = upright.shape.all().filter(is_even).count();
            assert_eq!(upright.colours(), [even as u32, upright.shape.squares() - even as u32], "{text}");
        }
    }
}
