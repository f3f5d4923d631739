//! What the tests of all rooms write as text: tours as lists and grids, and the images of a tour.

use super::grid::{GridError, GridRows};
use super::notation::SquareError;
use super::rectangle::{Board, Square};
use super::symmetry::Symmetry;
use super::tour::Tour;

/// The 8x8 tour that Suraj N. Kurapati prints, a grid. It is open and starts on e6, which is row 2 and
/// column 4 from 0. Its ends happen to be a knight's move apart.
///
/// # Source
/// Suraj N. Kurapati, "Knight's Tour in Cg", 2007, section "Sample output".
pub const KURAPATI: &str = include_str!("kurapati.txt");

/// Reads a board and squares on it, which need not be a tour, in any notation.
pub fn parse_move_list(text: &str) -> Result<(Board, Vec<Square>), SquareError> {
    let mut words = text.split_whitespace();
    let board: Board = words.next().unwrap_or_default().parse().expect("a list begins with its board");
    let squares = words.map(|word| board.parse_square(word.strip_suffix(',').unwrap_or(word)));
    Ok((board, squares.collect::<Result<_, _>>()?))
}

/// Reads a grid of move numbers: its board, and its squares in the order of the numbers, which need not be a tour.
pub fn parse_grid(text: &str) -> Result<(Board, Vec<Square>), GridError> {
    let mut rows = GridRows::default();
    for line in text.lines() {
        let words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        words.map(str::as_bytes).try_for_each(|word| rows.push(word))?;
        rows.end_row()?;
    }
    let (shape, squares) = rows.finish()?;
    match shape.holes().squares().first() {
        None => Ok((shape.board(), squares)),
        Some(&hole) => {
            let (row, col) = shape.board().row_col(hole);
            Err(GridError::NotANumber { row: row as usize + 1, col: col as usize + 1, text: ".".to_owned() })
        }
    }
}

impl Tour {
    /// The image of the tour under a symmetry of its board; the direction stays. A symmetry that exchanges rows and columns
    /// gives a tour of the transposed board.
    pub fn image(&self, symmetry: Symmetry) -> Tour {
        let board = self.board();
        let squares: Vec<_> = self.squares().iter().map(|&square| symmetry.apply(board, square)).collect();
        let board = if symmetry.exchanges_sides() { board.transposed() } else { board };
        Tour::verify(board, self.ending(), squares).expect("a symmetry takes knight's moves to knight's moves")
    }
}
