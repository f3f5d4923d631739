//! Squares and tours as text: the three notations of a square, and a tour as one line of squares.

use super::rectangle::{Board, Square};
use super::tour::Tour;
use std::fmt;

/// Why a text is not a square of a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SquareError {
    /// The text is in none of the three notations.
    #[error(
        "'{0}' is not a square: write e6 (column letter, row from the bottom), 2,4 (row,column from 0 at the top \
         left) or #65 (from 1, row by row)"
    )]
    Syntax(String),
    /// The text is a square in one of the notations, but the square is not on the board.
    #[error("'{text}' is not on the board {board}: {}", range(*board, *notation))]
    OffBoard { text: String, board: Board, notation: Notation },
}

/// The three notations of a square. All of them are in use in programs and papers, so a square may be read in any of them.
/// Squares are written in algebraic notation.
///
/// ```text
/// 3  a3 b3 c3 d3    0,0 0,1 0,2 0,3    #1  #2  #3  #4
/// 2  a2 b2 c2 d2    1,0 1,1 1,2 1,3    #5  #6  #7  #8
/// 1  a1 b1 c1 d1    2,0 2,1 2,2 2,3    #9 #10 #11 #12
///    a  b  c  d
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Notation {
    /// `c2`: column letter (a, b, .. z, aa, ab ..), then row number from the bottom.
    Algebraic,
    /// `1,2`: row and column, from 0 at the top left.
    RowCol,
    /// `#7`: number of the square, from 1, row by row from the top left.
    Number,
}

/// The range of the squares of `board`, in `notation`, as the second half of a message.
fn range(board: Board, notation: Notation) -> String {
    match notation {
        Notation::Algebraic => {
            let last = board.square(0, board.cols() - 1).map(|s| board.name(s)).unwrap_or_default();
            format!("its squares are a1 to {last}")
        }
        Notation::RowCol => {
            format!("its rows are 0 to {} and its columns 0 to {}", board.rows() - 1, board.cols() - 1)
        }
        Notation::Number => format!("its squares are #1 to #{}", board.squares()),
    }
}

impl Board {
    /// The algebraic name of a square: column letter (a, b, .. z, aa, ab ..), then row number from the bottom.
    pub fn name(self, square: Square) -> String {
        let mut name = String::new();
        self.write_name(square, &mut name).expect("writing to a string never fails");
        name
    }

    /// Writes the algebraic name of a square, as [`Board::name`] gives it, without allocating a string.
    ///
    /// # Errors
    /// An error of `out`.
    pub fn write_name(self, square: Square, out: &mut impl fmt::Write) -> fmt::Result {
        let (row, col) = self.row_col(square);
        // The buffer is filled from its end. A number of 32 bits has at most seven letters and ten digits.
        let mut name = [0u8; 17];
        let mut first = name.len();
        let mut put = |byte| {
            first -= 1;
            name[first] = byte;
        };
        let mut rest = self.rows() - row;
        while rest > 0 {
            put(b'0' + (rest % 10) as u8);
            rest /= 10;
        }
        // Letters are digits from 1 to 26: a is 1, z is 26, aa is 27.
        let mut rest = col + 1;
        while rest > 0 {
            put(b'a' + ((rest - 1) % 26) as u8);
            rest = (rest - 1) / 26;
        }
        name[first..].iter().try_for_each(|&byte| out.write_char(char::from(byte)))
    }

    /// The square with this algebraic name; letters may be capitals. `None` for what is no name, or on no square of the board.
    #[inline]
    pub fn named(self, name: &[u8]) -> Option<Square> {
        let (letters, digits) = name.split_at(name.iter().take_while(|byte| byte.is_ascii_alphabetic()).count());
        // No column has eight letters.
        if !(1..=7).contains(&letters.len()) {
            return None;
        }
        let col = letters.iter().fold(0, |col, letter| 26 * col + u64::from((letter | 0x20) - b'a') + 1) - 1;
        let row = digits.iter().try_fold(0, |row, digit| {
            let number = digit.is_ascii_digit().then(|| 10 * row + u64::from(digit - b'0'));
            number.map(|row| row.min(u32::MAX.into()))
        })?;
        self.square(self.rows().checked_sub(row as u32)?, u32::try_from(col).ok()?)
    }

    /// Reads a square in any of the three notations; letters may be capitals.
    ///
    /// ```
    /// # use destrier::board::Board;
    /// let board: Board = "3x4".parse().unwrap();
    /// let c2 = board.square(1, 2).unwrap();
    /// assert_eq!(board.parse_square("c2"), Ok(c2));
    /// assert_eq!(board.parse_square("1,2"), Ok(c2));
    /// assert_eq!(board.parse_square("#7"), Ok(c2));
    /// assert_eq!(
    ///     board.parse_square("c4").unwrap_err().to_string(),
    ///     "'c4' is not on the board 3x4: its squares are a1 to d3"
    /// );
    /// ```
    ///
    /// # Errors
    /// [`SquareError`] when the text is in no notation, or the square is not on this board.
    pub fn parse_square(self, text: &str) -> Result<Square, SquareError> {
        let syntax = || SquareError::Syntax(text.to_owned());
        let (notation, square) = if let Some(number) = text.strip_prefix('#') {
            let number = decimal(number).ok_or_else(syntax)?;
            (Notation::Number, number.checked_sub(1).and_then(|index| self.at(index)))
        } else if let Some((row, col)) = text.split_once(',') {
            let row = decimal(row.trim()).ok_or_else(syntax)?;
            let col = decimal(col.trim()).ok_or_else(syntax)?;
            (Notation::RowCol, self.square(row, col))
        } else {
            let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            decimal(digits).filter(|_| digits.len() < text.len()).ok_or_else(syntax)?;
            (Notation::Algebraic, self.named(text.as_bytes()))
        };
        square.ok_or_else(|| SquareError::OffBoard { text: text.to_owned(), board: self, notation })
    }
}

/// The value of decimal digits. A value that does not fit becomes the largest number, which lies on no board.
fn decimal(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u32::MAX))
}

/// Displays squares as one line: the board, then the squares in algebraic notation, `3x4 a3 c2 a1 b3 ..`.
#[derive(Clone, Copy, Debug)]
pub struct MoveList<'a> {
    pub board: Board,
    /// The squares, in the order of the moves.
    pub squares: &'a [Square],
}

impl fmt::Display for MoveList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.board)?;
        for &square in self.squares {
            f.write_str(" ")?;
            self.board.write_name(square, f)?;
        }
        Ok(())
    }
}

impl Tour {
    /// The tour as one line.
    pub fn move_list(&self) -> MoveList<'_> {
        MoveList { board: self.board(), squares: self.squares() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::parse_move_list;
    use proptest::prelude::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn names_count_columns_by_letters_and_rows_from_the_bottom() {
        let names = |text: &str| board(text).all().map(|s| board(text).name(s)).collect::<Vec<_>>().join(" ");
        assert_eq!(names("3x4"), "a3 b3 c3 d3 a2 b2 c2 d2 a1 b1 c1 d1");
        let wide = board("2x703");
        let name = |col| wide.name(wide.square(0, col).unwrap());
        assert_eq!([25, 26, 51, 52, 701, 702].map(name), ["z2", "aa2", "az2", "ba2", "zz2", "aaa2"]);
    }

    #[test]
    fn the_three_notations_agree() {
        let b = board("8x8");
        // e6 is the square in row 2, column 4 of the 8x8 board.
        for text in ["e6", "E6", "e06", "2,4", "2, 4", "#21"] {
            assert_eq!(b.parse_square(text), Ok(b.square(2, 4).unwrap()), "{text}");
        }
    }

    #[test]
    fn a_text_that_is_no_square_is_refused_with_the_notations() {
        for text in ["", "e", "6", "e6x", "6e", "e-1", "#", "#x", "1,", ",1", "1,2,3", "-1,2", "é1", "e 6", "#-1"] {
            assert_eq!(board("8x8").parse_square(text), Err(SquareError::Syntax(text.into())), "{text}");
        }
        assert_eq!(
            SquareError::Syntax("foo".into()).to_string(),
            "'foo' is not a square: write e6 (column letter, row from the bottom), 2,4 (row,column from 0 at the top \
             left) or #65 (from 1, row by row)"
        );
    }

    #[test]
    fn a_square_off_the_board_is_refused_with_the_range() {
        for (text, range) in [
            ("d0", "its squares are a1 to d3"),
            ("e1", "its squares are a1 to d3"),
            ("a99999999999", "its squares are a1 to d3"),
            ("zzzzzzzzzzzz1", "its squares are a1 to d3"),
            ("3,0", "its rows are 0 to 2 and its columns 0 to 3"),
            ("0,4", "its rows are 0 to 2 and its columns 0 to 3"),
            ("#0", "its squares are #1 to #12"),
            ("#13", "its squares are #1 to #12"),
        ] {
            let error = board("3x4").parse_square(text).unwrap_err();
            assert_eq!(error.to_string(), format!("'{text}' is not on the board 3x4: {range}"));
        }
    }

    #[test]
    fn a_move_list_names_its_board_and_its_squares() {
        let (board, squares) = parse_move_list("3x4 a3 c2 a1 b3 d2 b1 a3 #7 2,0, b3,\n d2").unwrap();
        assert_eq!(MoveList { board, squares: &squares }.to_string(), "3x4 a3 c2 a1 b3 d2 b1 a3 c2 a1 b3 d2");
    }

    proptest! {
        #[test]
        fn every_square_is_read_back(rows in 1u64..2000, cols in 1u64..2000, at in any::<prop::sample::Index>()) {
            let b = Board::new(rows, cols).unwrap();
            let square = b.at(at.index(b.squares() as usize) as u32).unwrap();
            let (row, col) = b.row_col(square);
            prop_assert_eq!(b.parse_square(&b.name(square)), Ok(square));
            prop_assert_eq!(b.parse_square(&format!("{row},{col}")), Ok(square));
            prop_assert_eq!(b.parse_square(&format!("#{}", square.index() + 1)), Ok(square));
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,20}") {
            let _ = board("3x4").parse_square(&text);
        }
    }
}
