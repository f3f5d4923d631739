//! Boards and squares: sizes, numbers of squares, and the knight graph, which is computed.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};

/// The knight's eight moves as (rows down, columns right), in the order in which the source tries them. A move is named by
/// its index in this list, 0..8; every other numbering of the moves is a permutation of the list.
///
/// ```text
/// . 3 . 4 .
/// 1 . . . 6
/// . . K . .
/// 0 . . . 7
/// . 2 . 5 .
/// ```
///
/// # Source
/// James Radley, "Knight's Tour - A JVM thread performance benchmark", 2002, section Algorithm.
pub const MOVES: [(i32, i32); 8] = [(1, -2), (-1, -2), (2, -1), (-2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)];

/// The names of the moves by the compass, in the order of [`MOVES`]: north is up.
///
/// ```
/// # use destrier::board::{MOVE_NAMES, MOVES};
/// for (name, (down, right)) in MOVE_NAMES.iter().zip(MOVES) {
///     let count = |letter| name.matches(letter).count() as i32;
///     assert_eq!((count('S') - count('N'), count('E') - count('W')), (down, right));
/// }
/// ```
pub const MOVE_NAMES: [&str; 8] = ["WSW", "WNW", "SSW", "NNW", "NNE", "SSE", "ENE", "ESE"];

/// The index into [`MOVES`] of the move that leads back from where move `k`, 0..8, leads.
///
/// ```
/// # use destrier::board::{MOVES, opposite};
/// let back = |k: usize| MOVES[opposite(k)];
/// assert!((0..8).all(|k| (MOVES[k].0 + back(k).0, MOVES[k].1 + back(k).1) == (0, 0)));
/// ```
#[inline(always)]
pub const fn opposite(k: usize) -> usize {
    k ^ 6
}

/// A square, named by its number on its board: from 0, row by row from the top left.
///
/// Only a [`Board`] makes a square, so a square lies on the board that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u32);

impl Square {
    pub(super) fn from_index(index: u32) -> Square {
        Square(index)
    }

    /// The number of the square on its board, from 0.
    pub fn index(self) -> u32 {
        self.0
    }
}

impl From<Square> for u32 {
    fn from(square: Square) -> u32 {
        square.index()
    }
}

/// A rectangular board of `rows` x `cols` squares, at least 1x1 and at most [`Board::SQUARES_MAX`] squares.
///
/// Squares are numbered from 0, row by row from the top left. The squares of 3x4:
///
/// ```text
/// 0 1  2  3
/// 4 5  6  7
/// 8 9 10 11
/// ```
///
/// A board is read and written as `ROWSxCOLS`. The example prints the degree of every square of 4x5:
///
/// ```
/// # use destrier::board::Board;
/// let board: Board = "4x5".parse()?;
/// let digits: String = board.all().map(|square| board.degree(square).to_string()).collect();
/// assert_eq!(
///     digits,
///     "23432\
///      34643\
///      34643\
///      23432"
/// );
/// assert_eq!(board.to_string(), "4x5");
/// # Ok::<(), destrier::board::BoardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    rows: u32,
    cols: u32,
}

/// Serialised as text, such as `8x8`.
impl Serialize for Board {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Why a text or a pair of numbers is not a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardError {
    /// The text is neither `ROWSxCOLS` nor one number.
    #[error("'{0}' is not a board: write ROWSxCOLS, such as 6x6 or 3x10 (8 alone means 8x8)")]
    Syntax(String),
    /// The text is a board with holes, where only a whole board will do.
    #[error("'{0}' has holes, which do not go with this: name a whole board")]
    Holes(String),
    /// A side is 0.
    #[error("a board has at least one row and one column, not {0}x{1}")]
    Empty(u64, u64),
    /// The board has more squares than [`Board::SQUARES_MAX`].
    #[error("{0}x{1} is too large: a board has at most {max} squares", max = Board::SQUARES_MAX)]
    TooLarge(u64, u64),
}

impl Board {
    /// The largest number of squares of a board.
    pub const SQUARES_MAX: u32 = u32::MAX - 1;

    /// The board of `rows` x `cols` squares.
    ///
    /// # Errors
    /// [`BoardError`] when a side is 0 or there are more than [`Board::SQUARES_MAX`] squares.
    pub fn new(rows: u64, cols: u64) -> Result<Board, BoardError> {
        if rows == 0 || cols == 0 {
            return Err(BoardError::Empty(rows, cols));
        }
        match rows.checked_mul(cols) {
            Some(squares) if squares <= u64::from(Self::SQUARES_MAX) => {
                // Neither side exceeds the product, which fits in u32.
                Ok(Board { rows: rows as u32, cols: cols as u32 })
            }
            _ => Err(BoardError::TooLarge(rows, cols)),
        }
    }

    pub fn rows(self) -> u32 {
        self.rows
    }

    /// Number of columns.
    pub fn cols(self) -> u32 {
        self.cols
    }

    pub fn squares(self) -> u32 {
        self.rows * self.cols
    }

    /// The square in `row` (from 0 at the top) and `col` (from 0 at the left), if it is on the board.
    pub fn square(self, row: u32, col: u32) -> Option<Square> {
        (row < self.rows && col < self.cols).then(|| Square::from_index(row * self.cols + col))
    }

    /// The square with the number `index`, from 0 row by row, if it is on the board.
    pub fn at(self, index: u32) -> Option<Square> {
        (index < self.squares()).then(|| Square::from_index(index))
    }

    /// Row (from 0 at the top) and column (from 0 at the left) of a square of this board.
    pub fn row_col(self, square: Square) -> (u32, u32) {
        (square.index() / self.cols, square.index() % self.cols)
    }

    /// The board with rows and columns exchanged.
    pub fn transposed(self) -> Board {
        Board { rows: self.cols, cols: self.rows }
    }

    /// Every square, row by row.
    pub fn all(self) -> impl Iterator<Item = Square> {
        (0..self.squares()).map(Square::from_index)
    }

    /// The four corners, row by row. On a board one row or column wide some of them are equal.
    pub fn corners(self) -> [Square; 4] {
        let last = self.squares() - 1;
        [0, self.cols() - 1, last + 1 - self.cols(), last].map(Square::from_index)
    }

    /// The square to which move `k` (0..8, an index into [`MOVES`]) leads from `square`, if it is on the board.
    pub fn step(self, square: Square, k: usize) -> Option<Square> {
        let (row, col) = self.row_col(square);
        let (down, right) = MOVES[k];
        self.square(row.checked_add_signed(down)?, col.checked_add_signed(right)?)
    }

    /// The squares a knight's move away, in the order of [`MOVES`].
    ///
    /// The neighbours of the corner and of the middle square of a 5x5 board, numbered in their order:
    ///
    /// ```
    /// # use destrier::board::{Board, NumberGrid};
    /// let board: Board = "5x5".parse().unwrap();
    /// let drawing = |row, col| {
    ///     let from = board.square(row, col).unwrap();
    ///     let squares: Vec<_> = board.neighbours(from).collect();
    ///     NumberGrid { board, squares: &squares }.to_string().replace("  ", " ")
    /// };
    /// assert_eq!(drawing(0, 0), " . . . . .\n . . 2 . .\n . 1 . . .\n . . . . .\n . . . . .\n");
    /// assert_eq!(drawing(2, 2), " . 4 . 5 .\n 2 . . . 7\n . . . . .\n 1 . . . 8\n . 3 . 6 .\n");
    /// ```
    pub fn neighbours(self, square: Square) -> impl Iterator<Item = Square> {
        (0..8).filter_map(move |k| self.step(square, k))
    }

    /// Number of squares a knight's move away, 0..=8.
    pub fn degree(self, square: Square) -> u32 {
        self.neighbours(square).count() as u32
    }

    /// Whether a knight's move leads from one square to the other.
    pub fn adjacent(self, a: Square, b: Square) -> bool {
        let ((ar, ac), (br, bc)) = (self.row_col(a), self.row_col(b));
        matches!((ar.abs_diff(br), ac.abs_diff(bc)), (1, 2) | (2, 1))
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

impl FromStr for Board {
    type Err = BoardError;

    /// Reads `ROWSxCOLS`, also with `×` or blanks between, or one number for a square board.
    fn from_str(text: &str) -> Result<Board, BoardError> {
        let syntax = || BoardError::Syntax(text.to_owned());
        let side = |part: &str| {
            if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
                return Err(syntax());
            }
            // A number that does not fit in 64 bits is a valid number, but too large.
            Ok(part.parse::<u64>().unwrap_or(u64::MAX))
        };
        if let Some((board, _)) = text.split_once('-')
            && board.parse::<Board>().is_ok()
        {
            return Err(BoardError::Holes(text.to_owned()));
        }
        let (rows, cols) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
        Board::new(side(rows.trim_end())?, side(cols.trim_start())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_read_and_written() {
        for (text, rows, cols) in [
            ("6x6", 6, 6),
            ("3X10", 3, 10),
            ("8×8", 8, 8),
            ("3 x 10", 3, 10),
            ("8", 8, 8),
            ("01x2", 1, 2),
            ("1x4294967294", 1, 4_294_967_294),
        ] {
            let board: Board = text.parse().unwrap();
            assert_eq!((board.rows(), board.cols()), (rows, cols), "{text}");
            assert_eq!(board.to_string().parse(), Ok(board));
        }
    }

    #[test]
    fn a_text_that_is_no_board_is_refused_with_the_reason() {
        let error = |text: &str| text.parse::<Board>().unwrap_err().to_string();
        for text in ["", "6x", "x6", "6x6x6", "-6x6", " 6x6", "6 6", "+6", "six"] {
            let reason = "is not a board: write ROWSxCOLS, such as 6x6 or 3x10 (8 alone means 8x8)";
            assert_eq!(error(text), format!("'{text}' {reason}"));
        }
        assert_eq!(error("0x5"), "a board has at least one row and one column, not 0x5");
        let most = "a board has at most 4294967294 squares";
        assert_eq!(error("9999999x9999999"), format!("9999999x9999999 is too large: {most}"));
        assert_eq!(error("4294967295x1"), format!("4294967295x1 is too large: {most}"));
        let digits = "9".repeat(40);
        assert_eq!(error(&digits), format!("{0}x{0} is too large: {most}", u64::MAX));
    }

    #[test]
    fn neighbours_are_the_adjacent_squares() {
        for (rows, cols) in (1..7).flat_map(|rows| (1..7).map(move |cols| (rows, cols))) {
            let board = Board::new(rows, cols).unwrap();
            for (a, b) in board.all().flat_map(|a| board.all().map(move |b| (a, b))) {
                assert_eq!(board.neighbours(a).any(|n| n == b), board.adjacent(a, b), "{board}");
                assert_eq!(board.adjacent(a, b), board.adjacent(b, a));
            }
        }
    }

    #[test]
    fn squares_are_numbered_row_by_row() {
        let board: Board = "3x4".parse().unwrap();
        for square in board.all() {
            let (row, col) = board.row_col(square);
            assert_eq!(board.square(row, col), Some(square));
            assert_eq!(board.at(square.index()), Some(square));
        }
        assert_eq!(board.square(1, 2).map(Square::index), Some(6));
        assert_eq!((board.square(3, 0), board.square(0, 4), board.at(12)), (None, None, None));
    }
}
