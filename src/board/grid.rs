//! Tours as a grid of move numbers, out and in.

use super::{Board, BoardError, Square, Tour};
use std::fmt;

/// Squares as a grid: every square holds the number of the move that enters it, from 1, right-aligned in columns.
///
/// ```text
///  1  4  7 10
/// 12  9  2  5
///  3  6 11  8
/// ```
///
/// The squares may be a part of a tour: those not among them are shown as `.`.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    /// The board.
    pub board: Board,
    /// The squares of this board, in order.
    pub squares: &'a [Square],
}

impl fmt::Display for Grid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut numbers = vec![0usize; self.board.squares() as usize];
        for (i, square) in self.squares.iter().enumerate() {
            numbers[square.index() as usize] = i + 1;
        }
        let width = self.board.squares().to_string().len();
        for row in numbers.chunks(self.board.cols() as usize) {
            for (col, &number) in row.iter().enumerate() {
                let gap = if col == 0 { "" } else { " " };
                match number {
                    0 => write!(f, "{gap}{:>width$}", '.')?,
                    _ => write!(f, "{gap}{number:>width$}")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Tour {
    /// The tour as a grid of move numbers, which [`parse_grid`] reads.
    pub fn grid(&self) -> Grid<'_> {
        Grid { board: self.board(), squares: self.squares() }
    }
}

/// Why a text is not a grid of move numbers. Rows and columns count from 1 at the top left.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GridError {
    /// No number at all.
    #[error("the grid is empty")]
    Empty,
    /// Something else than a number.
    #[error("row {row}, column {col}: '{text}' is not a move number")]
    NotANumber {
        /// Row of the word.
        row: usize,
        /// Column of the word.
        col: usize,
        /// The word.
        text: String,
    },
    /// Rows of different width.
    #[error("row {row} has {found} numbers, but the rows above it have {expected}")]
    Width {
        /// The row.
        row: usize,
        /// How many numbers it has.
        found: usize,
        /// How many the first row has.
        expected: usize,
    },
    /// A number that no square of this board can have.
    #[error(
        "row {row}, column {col}: {number} is past the end: the moves of a {board} board are numbered {first} to \
         {last}, and {missing} is missing", last = u64::from(board.squares()) + first - 1
    )]
    PastEnd {
        /// The board.
        board: Board,
        /// Row of the number.
        row: usize,
        /// Column of the number.
        col: usize,
        /// The number.
        number: u64,
        /// The number the grid counts from, 0 or 1.
        first: u64,
        /// The least number that no square has.
        missing: u64,
    },
    /// A number that two squares have.
    #[error(
        "row {row}, column {col}: {number} stands in row {row_before}, column {col_before} already, and {missing} is missing"
    )]
    Repeated {
        /// Row of the second square.
        row: usize,
        /// Column of the second square.
        col: usize,
        /// The number.
        number: u64,
        /// Row of the first square.
        row_before: usize,
        /// Column of the first square.
        col_before: usize,
        /// The least number that no square has.
        missing: u64,
    },
    /// More squares than a board can have.
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// Reads a grid of move numbers, blank lines left out: its board, and its squares in the order of the numbers.
///
/// Rows are lines; numbers are separated by blanks or commas, so that a printed board and a CSV file will both do. They
/// go from 1 to the number of squares, or from 0 if the grid holds a 0: both habits are common, and a 0 leaves no
/// doubt. Every square occurs once, but the moves need not be a knight's: [`Tour::verify`] says that.
///
/// ```
/// # use destrier::board::{parse_grid, Ending, Tour};
/// let (board, squares) = parse_grid(
///     " 1  4  7 10
///      12  9  2  5
///       3  6 11  8",
/// )?;
/// let tour = Tour::verify(board, Ending::Open, squares)?;
/// assert_eq!(tour.move_list().to_string(), "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`GridError`] for the first number, row by row, that is wrong.
pub fn parse_grid(text: &str) -> Result<(Board, Vec<Square>), GridError> {
    let (cols, numbers) = parse_numbers(text)?;
    let board = Board::new((numbers.len() / cols) as u64, cols as u64)?;
    let first = u64::from(!numbers.contains(&0));
    let place = |index: usize| (index / cols + 1, index % cols + 1);
    let missing = || {
        let mut present = vec![false; numbers.len()];
        for number in &numbers {
            if let Some(mark) = slot(*number, first).and_then(|slot| present.get_mut(slot)) {
                *mark = true;
            }
        }
        present.iter().position(|mark| !mark).unwrap_or(0) as u64 + first
    };
    let mut squares: Vec<Option<Square>> = vec![None; numbers.len()];
    for (square, &number) in board.all().zip(&numbers) {
        let (row, col) = place(square.index() as usize);
        match slot(number, first).and_then(|slot| squares.get_mut(slot)) {
            None => return Err(GridError::PastEnd { board, row, col, number, first, missing: missing() }),
            Some(Some(before)) => {
                let (row_before, col_before) = place(before.index() as usize);
                return Err(GridError::Repeated { row, col, number, row_before, col_before, missing: missing() });
            }
            Some(empty) => *empty = Some(square),
        }
    }
    // As many numbers as squares, none twice, none past the end: every number has its square.
    Ok((board, squares.into_iter().flatten().collect()))
}

/// Where a number goes in a list that begins with number `first`.
fn slot(number: u64, first: u64) -> Option<usize> {
    usize::try_from(number.checked_sub(first)?).ok()
}

/// The width of the grid, at least 1, and its numbers, at least one row of them.
fn parse_numbers(text: &str) -> Result<(usize, Vec<u64>), GridError> {
    let mut cols = 0;
    let mut numbers = Vec::new();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    for (row, line) in lines.enumerate() {
        let before = numbers.len();
        let words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        for (col, word) in words.enumerate() {
            let not_a_number = || GridError::NotANumber { row: row + 1, col: col + 1, text: word.to_owned() };
            numbers.push(word.parse().map_err(|_| not_a_number())?);
        }
        let found = numbers.len() - before;
        if row == 0 {
            cols = found;
        } else if found != cols {
            return Err(GridError::Width { row: row + 1, found, expected: cols });
        }
    }
    if cols == 0 {
        return Err(GridError::Empty);
    }
    Ok((cols, numbers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;

    /// Kurapati, "Knight's Tour in C_g", 2007: the 8x8 tour printed there.
    const KURAPATI: &str = "\
27 12 37 16 25  2 47 18
36 15 26 13 50 17 24  3
11 28 63 38  1 48 19 46
56 35 14 49 62 51  4 23
29 10 57 64 39 22 45 20
34 55 32 61 52 59 42  5
 9 30 53 58  7 40 21 44
54 33  8 31 60 43  6 41
";

    #[test]
    fn a_printed_tour_is_read_verified_and_printed_again() {
        let (board, squares) = parse_grid(KURAPATI).unwrap();
        let tour = Tour::verify(board, Ending::Open, squares).unwrap();
        assert_eq!(board.name(tour.squares()[0]), "e6");
        assert_eq!(tour.grid().to_string(), KURAPATI);
    }

    #[test]
    fn numbers_from_0_and_commas_will_do() {
        let (_, squares) = parse_grid(KURAPATI).unwrap();
        let csv: String = KURAPATI
            .lines()
            .map(|line| {
                let numbers = line.split_whitespace().map(|n| (n.parse::<u32>().unwrap() - 1).to_string());
                numbers.collect::<Vec<_>>().join(",") + "\r\n\r\n"
            })
            .collect();
        assert_eq!(parse_grid(&csv).unwrap().1, squares);
        assert_eq!(parse_grid("0").unwrap(), parse_grid("1").unwrap());
    }

    #[test]
    fn a_part_of_a_tour_leaves_squares_empty() {
        let (board, squares) = parse_grid(KURAPATI).unwrap();
        let grid = Grid { board, squares: &squares[..3] }.to_string();
        assert!(grid.starts_with(" .  .  .  .  .  2  .  .\n .  .  .  .  .  .  .  3\n .  .  .  .  1"), "{grid}");
    }

    #[test]
    fn errors_name_the_place() {
        let error = |text| parse_grid(text).unwrap_err().to_string();
        assert_eq!(error(" \n"), "the grid is empty");
        assert_eq!(error(",\n,"), "the grid is empty");
        assert_eq!(error("1 2\n3 x"), "row 2, column 2: 'x' is not a move number");
        assert_eq!(error("1 2\n3 -4"), "row 2, column 2: '-4' is not a move number");
        assert_eq!(error("1 2\n\n3 4 5"), "row 2 has 3 numbers, but the rows above it have 2");
        assert_eq!(
            error("1 2\n4 9"),
            "row 2, column 2: 9 is past the end: the moves of a 2x2 board are numbered 1 to 4, and 3 is missing"
        );
        assert_eq!(
            error("0 1\n2 4"),
            "row 2, column 2: 4 is past the end: the moves of a 2x2 board are numbered 0 to 3, and 3 is missing"
        );
        assert_eq!(error("1 2\n2 4"), "row 2, column 1: 2 stands in row 1, column 2 already, and 3 is missing");
    }
}
