//! Tours as grids of move numbers: writing and reading.

use super::holes::Holes;
use super::rectangle::{Board, BoardError, Square};
use super::shape::Shape;
use super::tour::{Tour, without};
use crate::bounded::{Word, excerpt};
use crate::memory::{filled, reserve, zeros};
use std::fmt;
use std::ops::Range;

/// Maximal number of rows and of columns of a grid that is read. It bounds the memory that a broken text can take.
const SIDE_MAX: usize = 1 << 20;
/// The number of a square that the tour leaves out, among the numbers of a grid.
const LEFT_OUT: u32 = u32::MAX;
/// The number of a square that no move visits, and that is no hole.
const EMPTY: u32 = u32::MAX - 1;
/// Stands among the numbers for a word that is none.
const NO_NUMBER: u32 = u32::MAX - 2;
/// Stands among the numbers for a letter alone, a or A; b is the next one.
const LETTERS: u32 = u32::MAX - 32;

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
    /// The tour as a grid of move numbers.
    pub fn grid(&self) -> NumberGrid<'_> {
        NumberGrid { board: self.board(), squares: self.squares() }
    }
}

/// Why a text is not a grid of move numbers. Rows and columns count from 1 at the top left.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GridError {
    #[error("the grid is empty")]
    Empty,
    /// The grid has more than 2^20 rows or columns; this is the place of the first number beyond.
    #[error("row {row}, column {col}: a grid has at most {SIDE_MAX} rows and {SIDE_MAX} columns")]
    TooLarge { row: usize, col: usize },
    /// A word is neither a number nor, where squares may be left out, a `.`.
    #[error("row {row}, column {col}: '{text}' is not a move number")]
    NotANumber { row: usize, col: usize, text: String },
    /// A row has another number of words than the first one.
    #[error(
        "row {row} has {found} numbers, but the rows above it have {expected}{}",
        if found < expected { "; a square that the tour leaves out is a ." } else { "" }
    )]
    Width { row: usize, found: usize, expected: usize },
    /// A number that is past the end of the board, or stands twice: `why` follows it, `missing` is the least one that no square has.
    #[error("row {row}, column {col}: {number} {why}, and {missing} is missing")]
    Number { row: usize, col: usize, number: u64, why: String, missing: u64 },
    /// The grid has more squares than a board can have.
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// Reads a grid word by word, so that its text need not be in memory.
///
/// ```
/// # use destrier::board::{Board, GridRows};
/// let mut rows = GridRows::default();
/// for line in ["1 4 7", "6 . 2", "3 8 5"] {
///     for word in line.split(' ') {
///         rows.push(word.as_bytes())?;
///     }
///     rows.end_row()?;
/// }
/// let (shape, squares) = rows.finish()?;
/// assert_eq!((shape.to_string().as_str(), squares.len()), ("3x3-b2", 8));
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
    zeros: usize,
    /// Whether a number stands twice, as far as that was looked for.
    has_repeated: bool,
}

impl GridRows {
    /// Adds a word to the current row.
    ///
    /// # Errors
    /// [`GridError`] when the grid is too large, or the word is no cell: then it has a place in the row all the same.
    pub fn push(&mut self, word: &[u8]) -> Result<(), GridError> {
        // A number with a sign, or one that is past the end of every board, is said to be that.
        let other = || str::from_utf8(word).ok()?.parse().ok().filter(|&number| number < LETTERS);
        let number = match (Word::of(word), word) {
            (Word::Number(number), _) => number,
            (Word::Hole, _) => LEFT_OUT,
            (Word::Empty, _) => EMPTY,
            (_, [letter]) if letter.is_ascii_alphabetic() => LETTERS + u32::from(letter.to_ascii_lowercase() - b'a'),
            _ => other().unwrap_or(NO_NUMBER),
        };
        let (row, col) = (self.rows + 1, self.numbers.len() - self.begin + 1);
        if row.max(col) > SIDE_MAX {
            return Err(GridError::TooLarge { row, col });
        }
        reserve(&mut self.numbers, 1);
        self.numbers.push(number);
        let text = match word {
            _ if !(LETTERS..EMPTY).contains(&number) => return Ok(()),
            b"&" => "& of a LaTeX table, which is read without its signs,".to_owned(),
            _ => excerpt(word),
        };
        Err(GridError::NotANumber { row, col, text })
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
        for &number in row.iter().filter(|&&number| number < EMPTY) {
            self.visited += 1;
            self.zeros += usize::from(number == 0);
            self.largest = if number >= LETTERS { self.largest } else { self.largest.max(number) };
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
        self.zeros > 0
    }

    /// Squares that are empty: they have a sign for it, or a 0 if there are several.
    pub fn empty(&self) -> usize {
        self.numbers.iter().filter(|&&number| number == EMPTY).count() + if self.zeros > 1 { self.zeros } else { 0 }
    }

    /// Whether a row that begins with this number belongs to another grid, because the finished rows have all numbers up to a larger
    /// one.
    pub fn is_ended_by(&mut self, number: u32) -> bool {
        let may_end = self.is_full() && number <= self.largest && !self.has_repeated;
        // What is wrong with these rows stays wrong with more of them.
        self.has_repeated = may_end && self.finish().is_err() || self.has_repeated;
        may_end && !self.has_repeated
    }

    /// Whether the first number of the last row counts the rows, from 0 or 1 in the first one.
    pub fn counts_last(&self) -> bool {
        let (first, last) =
            (self.numbers.first(), self.numbers.get((self.rows.wrapping_sub(1)).wrapping_mul(self.cols)));
        first.zip(last).is_some_and(|(&first, &last)| first < 2 && last as usize == first as usize + self.rows - 1)
    }

    /// Whether this is the number behind that of the last row.
    pub fn is_next(&self, number: u32) -> bool {
        self.numbers.get(self.numbers.len().wrapping_sub(self.cols)).is_some_and(|&last| last + 1 == number)
    }

    /// Whether the finished rows have as many numbers as their largest one needs.
    pub fn is_full(&self) -> bool {
        self.largest as usize + usize::from(self.zeros > 0) == self.visited
    }

    /// The columns inside the numbers of the rows at the edge: 1, 2, 3 and so on from the top or from the bottom, or 0, 1, 2, or letters.
    pub fn inner_columns(&self) -> Range<usize> {
        let is_edge = |col: usize| {
            let numbers = || (0..self.rows).map(|row| self.numbers[row * self.cols + col] as usize);
            [0, 1, LETTERS as usize]
                .map(|first| first..first + self.rows)
                .into_iter()
                .any(|all| numbers().eq(all.clone()) || numbers().eq(all.rev()))
        };
        if self.numbers.len() != self.rows * self.cols {
            return 0..self.cols;
        }
        let begin = usize::from(self.cols > 1 && is_edge(0));
        begin..self.cols - usize::from(self.cols > begin + 1 && is_edge(self.cols - 1))
    }

    /// Whether the rows are a grid without the numbers of the rows at the edge.
    pub fn has_inner(&self) -> bool {
        let columns = self.inner_columns();
        columns.len() < self.cols && self.columns(columns).finish().is_ok()
    }

    /// The grid of these columns.
    pub fn columns(&self, columns: Range<usize>) -> GridRows {
        let mut inner = GridRows::default();
        for row in self.numbers.chunks_exact(self.cols.max(1)) {
            inner.numbers.extend_from_slice(&row[columns.clone()]);
            inner.end_row().unwrap_or_else(|_| unreachable!("rows have one width"));
        }
        inner
    }

    /// The same numbers in rows of this width.
    pub fn recut(&self, cols: usize) -> GridRows {
        GridRows { cols, rows: self.numbers.len() / cols, ..self.clone() }
    }

    /// The board with the squares left out, and the visited squares in the order of their numbers.
    ///
    /// # Errors
    /// [`GridError`] for the first wrong number, row by row.
    pub fn finish(&self) -> Result<(Shape, Vec<Square>), GridError> {
        let whole = self.finish_with(false);
        // Several zeros are squares that no move visits, if the other numbers allow it.
        if self.zeros > 1 && whole.is_err() { self.finish_with(true).or(whole) } else { whole }
    }

    fn finish_with(&self, is_zero_empty: bool) -> Result<(Shape, Vec<Square>), GridError> {
        let GridRows { cols, ref numbers, rows, .. } = *self;
        let visited = self.visited - if is_zero_empty { self.zeros } else { 0 };
        if visited == 0 {
            return Err(GridError::Empty);
        }
        let board = Board::new(rows as u64, cols as u64)?;
        let first = u32::from(self.zeros == 0 || is_zero_empty);
        let is_visited = |number: u32| number < EMPTY && !(is_zero_empty && number == 0);
        let slot = |number: u32| Some(number.checked_sub(first)? as usize).filter(|&slot| slot < visited);
        let place = |index: usize| (index / cols + 1, index % cols + 1);
        let missing = || {
            let mut present = zeros::<bool>(visited);
            numbers.iter().filter_map(|&number| slot(number)).for_each(|slot| present[slot] = true);
            present.iter().position(|mark| !mark).unwrap_or(0) as u64 + u64::from(first)
        };
        // Index of the square by its number; u32::MAX stands for no square yet.
        let mut squares = filled(u32::MAX, visited);
        for (index, &number) in numbers.iter().enumerate().filter(|&(_, &number)| is_visited(number)) {
            let why = match slot(number).map(|slot| std::mem::replace(&mut squares[slot], index as u32)) {
                Some(u32::MAX) => continue,
                Some(before) => {
                    let (row, col) = place(before as usize);
                    format!("stands in row {row}, column {col} already")
                }
                None => {
                    let (last, without) = (visited as u64 - 1 + u64::from(first), without(board, visited));
                    format!("is past the end: the moves of a {board} board{without} are numbered {first} to {last}")
                }
            };
            let ((row, col), number, missing) = (place(index), number.into(), missing());
            return Err(GridError::Number { row, col, number, why, missing });
        }
        let left_out = board.all().zip(numbers).filter(|&(_, &number)| number == LEFT_OUT);
        let holes = Holes::new(left_out.map(|(square, _)| square));
        // There are as many numbers as slots, all different and in range, so every slot has its square.
        Ok((Shape::new(board, holes), squares.into_iter().map(Square::from_index).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;
    use crate::board::{KURAPATI, parse_grid};

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

    /// A number that stands twice is looked for once, however often a row ends with a number as large as the squares so far.
    #[test]
    fn a_grid_with_a_number_twice_is_ended_by_no_row() {
        let mut rows = GridRows::default();
        for row in 1..100 {
            for number in [1, 1, 3 * row] {
                rows.push(number.to_string().as_bytes()).unwrap();
            }
            rows.end_row().unwrap();
            assert!(!rows.is_ended_by(1) && rows.has_repeated);
        }
        let mut rows = GridRows::default();
        [b"1", b"2"].iter().try_for_each(|word| rows.push(*word)).unwrap();
        rows.end_row().unwrap();
        assert!(!rows.is_ended_by(3) && rows.is_ended_by(2) && rows.is_ended_by(1));
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
