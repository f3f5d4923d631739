//! Boards of one width and every length of a range: what one sweep answers for.

use super::question::Question;
use super::sweep::{Kind, sweeps_for};
use crate::board::{Board, BoardError};
use std::fmt;
use std::str::FromStr;

/// The longest fixed side: 18 slots, or 19 with the apex.
const ACROSS_MAX: u64 = 9;

/// Boards of which one side is fixed, of at most 9 squares, and the other goes through a range. Its text is as one types
/// it: `8x1..40`, or `1..40x8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Boards {
    /// The fixed side.
    across: u32,
    /// The range, both ends in it.
    from: u32,
    to: u32,
    /// Whether the rows are fixed: boards are named so.
    rows_fixed: bool,
}

/// Why a text is no range of boards.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardsError {
    /// It is something else.
    #[error("'{0}' is no range of boards: write one side as a range, such as 8x1..40 or 1..40x8")]
    Syntax(String),
    /// Both sides are ranges.
    #[error("'{0}' has two ranges: one sweep has one width. Write one side as a number, such as 8x1..40")]
    TwoRanges(String),
    /// A side of no square.
    #[error("'{0}' begins at 0: a board has at least one row and one column. Begin at 1, such as 8x1..40")]
    Zero(String),
    /// The fixed side is 0.
    #[error("'{0}' has a side of 0: a board has at least one row and one column")]
    Empty(String),
    /// The range ends before it begins.
    #[error("'{text}' goes down: write the smaller number first, {to}..{from}")]
    Down {
        /// What was typed.
        text: String,
        /// Its first number.
        from: u64,
        /// Its second.
        to: u64,
    },
    /// More than a frontier can be planned for.
    #[error("'{0}' is too wide: the fixed side of a range is at most {ACROSS_MAX} squares; the other may be longer")]
    TooWide(String),
    /// The longest is no board.
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl Boards {
    /// Whether a text means a range, a good one or a bad one.
    pub fn is_range(text: &str) -> bool {
        text.contains("..")
    }

    /// The fixed side, in squares.
    pub(super) fn across(self) -> u32 {
        self.across
    }

    /// The lengths of the other side, in squares.
    pub(super) fn lengths(self) -> impl Iterator<Item = u32> {
        self.from..=self.to
    }

    /// How many squares the other side of the longest has.
    pub(super) fn longest(self) -> u32 {
        self.to
    }

    /// The same range of boards that are so many squares across.
    pub(super) fn narrowed(self, across: u32) -> Boards {
        Boards { across, ..self }
    }

    /// The board of a length, as it was typed.
    pub(super) fn board(self, length: u32) -> Board {
        let (rows, cols) = if self.rows_fixed { (self.across, length) } else { (length, self.across) };
        Board::new(rows.into(), cols.into()).unwrap_or_else(|_| unreachable!("the longest one is a board"))
    }

    /// The boards, the shortest first.
    pub fn all(self) -> impl Iterator<Item = Board> {
        self.lengths().map(move |length| self.board(length))
    }

    /// The longest one with the fixed side across, and two rows more: see `order`.
    pub(super) fn ground(self) -> Board {
        let ground = Board::new(u64::from(self.to) + 2, self.across.into());
        ground.unwrap_or_else(|_| unreachable!("it was made when the range was read"))
    }

    /// The sweeps that answer a question of every board, each with the lengths of the boards that it is for. Those of one
    /// board are in the order of [`sweeps_for`] it.
    pub(super) fn sweeps(self, of: &Question) -> Vec<(&'static str, Kind, Vec<u32>)> {
        let mut sweeps: Vec<(&'static str, Kind, Vec<u32>)> = Vec::new();
        for length in self.lengths() {
            for (name, kind, _) in sweeps_for(&Question { board: self.board(length), ..*of }) {
                match sweeps.iter_mut().find(|sweep| sweep.1 == kind) {
                    Some((.., lengths)) => lengths.push(length),
                    None => sweeps.push((name, kind, vec![length])),
                }
            }
        }
        sweeps
    }
}

impl FromStr for Boards {
    type Err = BoardsError;

    /// Reads `8x1..40` or `1..40x8`.
    fn from_str(text: &str) -> Result<Boards, BoardsError> {
        let syntax = || BoardsError::Syntax(text.to_owned());
        let number = |part: &str| match part.bytes().all(|byte| byte.is_ascii_digit()) && !part.is_empty() {
            // More digits than fit in 64 bits is still a number: too large a one.
            true => Ok(part.parse::<u64>().unwrap_or(u64::MAX)),
            false => Err(syntax()),
        };
        let (rows, cols) = text.split_once(['x', 'X']).ok_or_else(syntax)?;
        let (across, range, rows_fixed) = match (rows.split_once(".."), cols.split_once("..")) {
            (None, Some(range)) => (rows, range, true),
            (Some(range), None) => (cols, range, false),
            (Some(_), Some(_)) => return Err(BoardsError::TwoRanges(text.to_owned())),
            (None, None) => return Err(syntax()),
        };
        let (across, from, to) = (number(across)?, number(range.0)?, number(range.1)?);
        match (across, from) {
            (0, _) => return Err(BoardsError::Empty(text.to_owned())),
            (_, 0) => return Err(BoardsError::Zero(text.to_owned())),
            _ if to < from => return Err(BoardsError::Down { text: text.to_owned(), from, to }),
            _ if across > ACROSS_MAX => return Err(BoardsError::TooWide(text.to_owned())),
            _ => {}
        }
        let longest = if rows_fixed { Board::new(across, to)? } else { Board::new(to, across)? };
        let to = if rows_fixed { longest.cols() } else { longest.rows() };
        // The ground under it has to be one, too.
        Board::new(u64::from(to) + 2, across).map_err(|_| BoardError::TooLarge(longest.rows().into(), longest.cols().into()))?;
        Ok(Boards { across: across as u32, from: from as u32, to, rows_fixed })
    }
}

impl fmt::Display for Boards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Boards { across, from, to, rows_fixed } = self;
        f.pad(&if *rows_fixed { format!("{across}x{from}..{to}") } else { format!("{from}..{to}x{across}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;

    fn boards(text: &str) -> Boards {
        text.parse().unwrap()
    }

    #[test]
    fn ranges_are_read_and_written_and_their_boards_are_as_typed() {
        for (text, first, last, count) in
            [("8x1..40", "8x1", "8x40", 40), ("1..40x8", "1x8", "40x8", 40), ("9X3..3", "9x3", "9x3", 1)]
        {
            let all: Vec<String> = boards(text).all().map(|board| board.to_string()).collect();
            assert_eq!((all[0].as_str(), all[all.len() - 1].as_str(), all.len()), (first, last, count), "{text}");
            assert_eq!(boards(text).to_string(), text.to_lowercase());
        }
    }

    #[test]
    fn what_is_no_range_is_told_why() {
        for (text, why) in [
            ("8x5..3", "'8x5..3' goes down: write the smaller number first, 3..5"),
            ("8x0..3", "begins at 0"),
            ("0x1..3", "has a side of 0"),
            ("1..3x1..4", "has two ranges"),
            ("8x..", "is no range of boards: write one side as a range, such as 8x1..40"),
            ("8x1..", "is no range"),
            ("8x..4", "is no range"),
            ("1..4", "is no range"),
            ("8x1...4", "is no range"),
            ("8x1..4x2", "is no range"),
            ("8x-1..4", "is no range"),
            ("10x1..4", "'10x1..4' is too wide: the fixed side of a range is at most 9 squares"),
            ("9x1..4294967295", "is too large: a board has at most"),
            ("1x1..4294967294", "is too large: a board has at most"),
        ] {
            let error = text.parse::<Boards>().unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn a_sweep_is_for_the_boards_whose_colours_it_has() {
        let of = |text: &str, ending, strict| {
            let question = Question { strict, ..Question::new("1x1".parse().unwrap(), ending) };
            let sweeps = boards(text).sweeps(&question);
            sweeps.into_iter().map(|(name, _, lengths)| (name, lengths)).collect::<Vec<_>>()
        };
        let (white, black) = ("open tours whose first end is white", "open tours whose first end is black");
        assert_eq!(of("7x1..4", Ending::Closed, false), [("closed tours", vec![2, 4])]);
        assert_eq!(of("8x2..5", Ending::Open, false), [(white, vec![2, 3, 4, 5]), (black, vec![3, 5])]);
        let odd = [("open tours", vec![1, 3]), (white, vec![2, 4]), ("closed tours", vec![2, 4]), (black, vec![2, 4])];
        let mut found = of("7x1..4", Ending::Open, true);
        found.sort();
        let mut odd = odd.to_vec();
        odd.sort();
        assert_eq!(found, odd);
    }
}
