//! The boards that `find` and `count` are asked about: one, or every board whose sides are in a range.

use crate::board::{Board, BoardError, Shape};
use crate::cli::args::parse_span;
use std::fmt;
use std::str::FromStr;

/// One board, with holes or without, or many, as typed.
#[derive(Clone, Debug)]
pub enum AskedBoards {
    One(Shape),
    Many(Boards),
}

impl FromStr for AskedBoards {
    type Err = String;

    fn from_str(text: &str) -> Result<AskedBoards, String> {
        if text.contains("..") {
            return text.parse().map(AskedBoards::Many).map_err(|error: BoardsError| error.to_string());
        }
        text.parse().map(AskedBoards::One)
    }
}

/// Many boards, as typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boards {
    /// `3..40x3..40`: every board of these rows and columns.
    Sides(Sides, Sides),
    /// `5..64`: square boards.
    Squares(Sides),
}

/// Sides from the first to the last, both among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sides {
    first: u64,
    last: u64,
}

impl Sides {
    /// The sides, in order.
    pub fn all(self) -> impl Iterator<Item = u64> {
        self.first..=self.last
    }
}

/// Why a text is neither a board nor a range of boards.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardsError {
    /// It is no board, or the largest of the range is none.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A side of a range is no range of numbers.
    #[error("'{0}' is no range of sides: write 5..64, the smaller side first")]
    Sides(String),
    /// A range with holes.
    #[error("'{0}': a range is of whole boards; name one board with its holes, such as 6x6-a1,f1")]
    Holes(String),
    /// Too many boards to wait for.
    #[error("'{0}' is {1} boards; a range has up to {max}", max = Boards::MAX)]
    Many(String, u64),
}

impl Boards {
    /// Boards of the largest range.
    const MAX: u64 = 1_000_000;

    /// The smallest and the largest.
    pub fn ends(self) -> (Board, Board) {
        let ((first_rows, last_rows), (first_cols, last_cols)) = match self {
            Boards::Sides(rows, cols) => ((rows.first, rows.last), (cols.first, cols.last)),
            Boards::Squares(sides) => ((sides.first, sides.last), (sides.first, sides.last)),
        };
        (known(first_rows, first_cols), known(last_rows, last_cols))
    }

    /// Every board, row range by row range.
    pub fn all(self) -> Vec<Board> {
        match self {
            Boards::Sides(rows, cols) => rows.all().flat_map(|r| cols.all().map(move |c| known(r, c))).collect(),
            Boards::Squares(sides) => sides.all().map(|side| known(side, side)).collect(),
        }
    }
}

/// A board of a range that was read.
fn known(rows: u64, cols: u64) -> Board {
    Board::new(rows, cols).unwrap_or_else(|_| unreachable!("the smallest and the largest have been boards"))
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last { write!(f, "{}", self.first) } else { write!(f, "{}..{}", self.first, self.last) }
    }
}

impl fmt::Display for Boards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Boards::Sides(rows, cols) => write!(f, "{rows}x{cols}"),
            Boards::Squares(sides) => write!(f, "{0}..{1}", sides.first, sides.last),
        }
    }
}

impl FromStr for Sides {
    type Err = BoardsError;

    fn from_str(text: &str) -> Result<Sides, BoardsError> {
        match parse_span(text) {
            Some((first, last)) if first <= last => Ok(Sides { first, last }),
            _ => Err(BoardsError::Sides(text.to_owned())),
        }
    }
}

impl FromStr for Boards {
    type Err = BoardsError;

    /// Reads a range: `3..40x3..40`, `6x5..10`, `5..64`.
    fn from_str(text: &str) -> Result<Boards, BoardsError> {
        let names_hole = |(_, names): (&str, &str)| names.starts_with(|letter: char| letter.is_ascii_alphabetic());
        if text.split_once('-').is_some_and(names_hole) {
            return Err(BoardsError::Holes(text.to_owned()));
        }
        let (boards, rows, cols) = match text.split_once(['x', 'X']) {
            Some((rows, cols)) => {
                let (rows, cols) = (rows.parse()?, cols.parse()?);
                (Boards::Sides(rows, cols), rows, cols)
            }
            None => {
                let sides = text.parse()?;
                (Boards::Squares(sides), sides, sides)
            }
        };
        Board::new(rows.first, cols.first)?;
        Board::new(rows.last, cols.last)?;
        let count = |sides: Sides| sides.last - sides.first + 1;
        let boards_in_all = match boards {
            Boards::Sides(rows, cols) => count(rows).saturating_mul(count(cols)),
            Boards::Squares(sides) => count(sides),
        };
        if boards_in_all > Boards::MAX {
            return Err(BoardsError::Many(text.to_owned(), boards_in_all));
        }
        Ok(boards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str) -> String {
        let boards = text.parse::<Boards>().unwrap();
        assert_eq!(boards.to_string(), text);
        boards.all().iter().map(Board::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_range_is_every_board_in_it() {
        assert_eq!(listed("3..4x5..6"), "3x5 3x6 4x5 4x6");
        assert_eq!(listed("6x5..7"), "6x5 6x6 6x7");
        assert_eq!(listed("5..7"), "5x5 6x6 7x7");
        assert_eq!(listed("5..5"), "5x5");
        assert_eq!("3..40x3..40".parse::<Boards>().unwrap().all().len(), 38 * 38);
    }

    #[test]
    fn what_is_no_range_is_told_why() {
        let error = |text: &str| text.parse::<Boards>().unwrap_err().to_string();
        for text in ["7..5", "..5", "5..", "..", "5...7", "a..b"] {
            assert_eq!(error(text), format!("'{text}' is no range of sides: write 5..64, the smaller side first"));
        }
        assert!(error("5x1..9-a1").contains("'5x1..9-a1': a range is of whole boards"));
        assert!(error("0..5").contains("at least one row"));
        assert!(error("5..99999999").contains("too large"));
        assert!("six".parse::<AskedBoards>().unwrap_err().contains("write ROWSxCOLS"));
    }
}
