//! Tours as grids of move numbers: writing and reading.

use super::holes::Holes;
use super::rectangle::{Board, BoardError, Square};
use super::tour::{Tour, without};
use crate::memory::{filled, reserve, zeros};
use std::fmt;

/// Maximal number of rows and of columns of a grid that is read. It bounds the memory that a broken text can take.
const SIDE_MAX: usize = 1 << 20;
/// The number of a square that the tour leaves out, among the numbers of a grid.
const LEFT_OUT: u32 = u32::MAX;
/// Stands among the numbers for a word that is none.
const NO_NUMBER: u32 = u32::MAX - 1;

/// The 8x8 tour that Suraj N. Kurapati prints, as [`parse_grid`] reads it. It is open and starts on e6, which is row 2 and
/// column 4 from 0. Its ends happen to be a knight's move apart.
///
/// # Source
/// Suraj N. Kurapati, "Knight's Tour in Cg", 2007, section "Sample output".
pub const KURAPATI: &str = include_str!("kurapati.txt");

/// Displays squares as a grid: every square shows the number of the move that enters it, from 1, right-aligned.
///
/// ```text
///  1  4  7 10
/// 12  9  2  5
///  3  6 11  8
/// ```
///
/// The squares may be a part of a tour. All other squares of the board are shown as `.`.
#[derive(Clone, Copy, Debug)]
pub struct NumberGrid<'a> {
    pub board: Board,
    /// The squares, on this board, in the order of the moves.
    pub squares: &'a [Square],
}

impl fmt::Display for NumberGrid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut numbers = zeros::<usize>(self.board.squares() as usize);
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
    pub fn grid(&self) -> NumberGrid<'_> {
        NumberGrid { board: self.board(), squares: self.squares() }
    }
}

/// Why a text is not a grid of move numbers. Rows and columns count from 1 at the top left.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GridError {
    #[error("the grid is empty")]
    Empty,
    /// The grid has more than 2^20 rows or columns.
    #[error("row {row}, column {col}: a grid has at most {SIDE_MAX} rows and {SIDE_MAX} columns")]
    TooLarge {
        /// Row of the first number beyond the limit.
        row: usize,
        /// Column of that number.
        col: usize,
    },
    /// A word is neither a number nor, where squares may be left out, a `.`.
    #[error("row {row}, column {col}: '{text}' is not a move number")]
    NotANumber {
        /// Row of the word.
        row: usize,
        /// Column of the word.
        col: usize,
        /// The word.
        text: String,
    },
    /// The rows have different widths.
    #[error(
        "row {row} has {found} numbers, but the rows above it have {expected}{}",
        if found < expected { "; a square that the tour leaves out is a ." } else { "" }
    )]
    Width {
        row: usize,
        /// Number of words in the row.
        found: usize,
        /// Number of words in the first row.
        expected: usize,
    },
    /// A number is too large for this board.
    #[error(
        "row {row}, column {col}: {number} is past the end: the moves of a {board} board{} are numbered {first} to \
         {last}, and {missing} is missing", without(*board, (last + 1 - first) as usize)
    )]
    PastEnd {
        board: Board,
        row: usize,
        /// Column of the number.
        col: usize,
        number: u64,
        /// The number from which the grid counts, 0 or 1.
        first: u64,
        /// The number of the last move.
        last: u64,
        /// The least number that no square has.
        missing: u64,
    },
    /// Two squares have one number.
    #[error(
        "row {row}, column {col}: {number} stands in row {row_before}, column {col_before} already, and {missing} is missing"
    )]
    Repeated {
        /// Row of the second square.
        row: usize,
        /// Column of the second square.
        col: usize,
        number: u64,
        /// Row of the first square.
        row_before: usize,
        /// Column of the first square.
        col_before: usize,
        /// The least number that no square has.
        missing: u64,
    },
    /// The grid has more squares than a board can have.
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// Reads a grid of move numbers: its board, and its squares in the order of the numbers. Blank lines are ignored.
///
/// Rows are lines; numbers are separated by blanks or commas, so a printed board and a CSV file can both be read. The
/// numbers run from 1 to the number of squares, or from 0 if the grid contains a 0. Every square occurs once, but the moves
/// need not be knight's moves: [`Tour::verify`] checks them.
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
    let mut rows = GridRows::default();
    for line in text.lines() {
        let words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        words.into_iter().try_for_each(|word| rows.push_word(word))?;
        rows.end_row()?;
    }
    let (board, holes, squares) = rows.finish()?;
    match holes.squares().first() {
        None => Ok((board, squares)),
        Some(&hole) => {
            let (row, col) = board.row_col(hole);
            Err(GridError::NotANumber { row: row as usize + 1, col: col as usize + 1, text: ".".to_owned() })
        }
    }
}

/// Reads a grid word by word, so that its text need not be in memory. A `.`, `*`, `**` or `#` is a square that the tour leaves out.
///
/// ```
/// # use destrier::board::{Board, GridRows};
/// let mut rows = GridRows::default();
/// for line in ["1 4 7", "6 . 2", "3 8 5"] {
///     line.split(' ').try_for_each(|word| rows.push_word(word))?;
///     rows.end_row()?;
/// }
/// let (board, holes, squares) = rows.finish()?;
/// assert_eq!((board.to_string().as_str(), holes.len(), squares.len()), ("3x3", 1, 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GridRows {
    /// Width of the first row; 0 until that row ends.
    cols: usize,
    /// The numbers of all rows so far, row after row.
    numbers: Vec<u32>,
    /// Index in `numbers` at which the unfinished row begins.
    begin: usize,
    /// Number of finished rows.
    rows: usize,
    /// Of the finished rows: how many squares are not left out, their largest number, and whether one is 0.
    visited: usize,
    largest: u32,
    has_zero: bool,
}

impl GridRows {
    /// Adds a word to the current row: a number, or a `.`, `*`, `**` or `#`.
    ///
    /// # Errors
    /// [`GridError`] when the grid is too large, or the word is neither: then it has a place in the row all the same.
    pub fn push_word(&mut self, word: &str) -> Result<(), GridError> {
        let number = match word {
            "." | "*" | "**" | "#" => Some(LEFT_OUT),
            _ => word.parse().ok().filter(|&number| number < NO_NUMBER),
        };
        self.push_number(number.unwrap_or(NO_NUMBER))?;
        let (row, col) = (self.rows + 1, self.numbers.len() - self.begin);
        number.map(drop).ok_or_else(|| GridError::NotANumber { row, col, text: word.to_owned() })
    }

    /// Adds a number of up to nine digits to the current row.
    ///
    /// # Errors
    /// [`GridError::TooLarge`].
    #[inline]
    pub fn push_number(&mut self, number: u32) -> Result<(), GridError> {
        let (row, col) = (self.rows + 1, self.numbers.len() - self.begin + 1);
        if row.max(col) > SIDE_MAX {
            return Err(GridError::TooLarge { row, col });
        }
        reserve(&mut self.numbers, 1);
        self.numbers.push(number);
        Ok(())
    }

    /// Ends the current row. A row without words is ignored.
    ///
    /// # Errors
    /// [`GridError::Width`] when the row is not as wide as the first row.
    pub fn end_row(&mut self) -> Result<(), GridError> {
        let row = &self.numbers[self.begin..];
        let found = row.len();
        if found == 0 {
            return Ok(());
        }
        for &number in row.iter().filter(|&&number| number != LEFT_OUT) {
            self.visited += 1;
            self.has_zero |= number == 0;
            self.largest = if number == NO_NUMBER { self.largest } else { self.largest.max(number) };
        }
        self.rows += 1;
        self.begin = self.numbers.len();
        if self.rows == 1 {
            self.cols = found;
        }
        let expected = self.cols;
        if found == expected { Ok(()) } else { Err(GridError::Width { row: self.rows, found, expected }) }
    }

    /// Width of the first row; 0 until that row ends.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Number of finished rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The numbers so far, row after row; that of a square left out is no move number.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Whether the numbers of the finished rows begin at 0.
    pub fn is_from_0(&self) -> bool {
        self.has_zero
    }

    /// Whether a row that begins with this number belongs to another grid, because the finished rows have all numbers up to a larger
    /// one.
    pub fn is_ended_by(&self, number: u32) -> bool {
        let is_full = self.largest as usize + usize::from(self.has_zero) == self.visited;
        is_full && number <= self.largest && self.finish().is_ok()
    }

    /// The grid without the numbers of the rows at its edge: 1, 2, 3 and so on from the top or from the bottom, or 0, 1, 2. `None` if it has
    /// none.
    pub fn without_row_numbers(&self) -> Option<GridRows> {
        let is_edge = |col: usize| {
            let numbers = || (0..self.rows).map(|row| self.numbers[row * self.cols + col] as usize);
            [0, 1]
                .map(|first| first..first + self.rows)
                .into_iter()
                .any(|all| numbers().eq(all.clone()) || numbers().eq(all.rev()))
        };
        let begin = usize::from(self.cols > 1 && is_edge(0));
        let end = self.cols - usize::from(self.cols > begin + 1 && is_edge(self.cols - 1));
        if end - begin == self.cols {
            return None;
        }
        let mut inner = GridRows::default();
        for row in self.numbers.chunks_exact(self.cols) {
            inner.numbers.extend_from_slice(&row[begin..end]);
            inner.end_row().ok()?;
        }
        Some(inner)
    }

    /// The board, the squares left out, and the visited squares in the order of their numbers.
    ///
    /// # Errors
    /// [`GridError`] for the first wrong number, row by row.
    pub fn finish(&self) -> Result<(Board, Holes, Vec<Square>), GridError> {
        let GridRows { cols, ref numbers, rows, visited, has_zero, .. } = *self;
        if visited == 0 {
            return Err(GridError::Empty);
        }
        let board = Board::new(rows as u64, cols as u64)?;
        let first = u32::from(!has_zero);
        let slot = |number: u32| Some(number.checked_sub(first)? as usize).filter(|&slot| slot < visited);
        let place = |index: usize| (index / cols + 1, index % cols + 1);
        let missing = || {
            let mut present = zeros::<bool>(visited);
            numbers.iter().filter_map(|&number| slot(number)).for_each(|slot| present[slot] = true);
            present.iter().position(|mark| !mark).unwrap_or(0) as u64 + u64::from(first)
        };
        // Index of the square by its number; u32::MAX stands for no square yet.
        let mut squares = filled(u32::MAX, visited);
        for (index, &number) in numbers.iter().enumerate().filter(|&(_, &number)| number != LEFT_OUT) {
            let (row, col) = place(index);
            let Some(slot) = slot(number) else {
                let (first, last) = (u64::from(first), visited as u64 - 1 + u64::from(first));
                return Err(GridError::PastEnd {
                    board,
                    row,
                    col,
                    number: number.into(),
                    first,
                    last,
                    missing: missing(),
                });
            };
            if squares[slot] != u32::MAX {
                let (row_before, col_before) = place(squares[slot] as usize);
                let number = number.into();
                return Err(GridError::Repeated { row, col, number, row_before, col_before, missing: missing() });
            }
            squares[slot] = index as u32;
        }
        let left_out = board.all().zip(numbers).filter(|&(_, &number)| number == LEFT_OUT);
        let holes = Holes::new(left_out.map(|(square, _)| square));
        // There are as many numbers as slots, all different and in range, so every slot has its square.
        Ok((board, holes, squares.into_iter().map(Square::from_index).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;

    #[test]
    fn a_printed_tour_is_read_verified_and_printed_again() {
        let (board, squares) = parse_grid(KURAPATI).unwrap();
        let tour = Tour::verify(board, Ending::Open, squares).unwrap();
        assert_eq!(board.name(tour.squares()[0]), "e6");
        assert_eq!(tour.grid().to_string(), KURAPATI);
    }

    #[test]
    fn numbers_from_0_and_commas_are_read() {
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
        let grid = NumberGrid { board, squares: &squares[..3] }.to_string();
        assert!(grid.starts_with(" .  .  .  .  .  2  .  .\n .  .  .  .  .  .  .  3\n .  .  .  .  1"), "{grid}");
    }

    #[test]
    fn errors_name_row_and_column() {
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
