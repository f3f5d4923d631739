//! A range of boards: one width and every length, for which one sweep answers.

use crate::board::Board;
use crate::count::error::CountError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;

/// The longest fixed side: 18 slots, or 19 with the apex.
const ACROSS_MAX: u32 = 9;
/// Most boards of a range: a count of more boards would take too long.
const BOARDS_MAX: u32 = 1_000_000;

/// Boards with one side fixed, of at most 9 squares, and the other side in a range. Its text is what the user types:
/// `8x1..40`, or `1..40x8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BoardRange {
    /// The fixed side, in squares.
    across: u32,
    /// The range, both ends included.
    from: u32,
    to: u32,
    /// Whether the fixed side is the rows; the boards are named in that order.
    rows_fixed: bool,
}

impl BoardRange {
    /// The boards from `first` to `last`, which differ in at most one side. If they are equal, the shorter side is the fixed
    /// one: that sweep has fewer states.
    ///
    /// # Errors
    /// [`CountError::Question`] when both sides differ, the fixed side is too long, or the range falls or is too long.
    pub fn new(first: Board, last: Board) -> Result<BoardRange, CountError> {
        let is_one = first == last;
        BoardRange::fixed(first.rows() == last.rows() && !(is_one && first.cols() < first.rows()), first, last)
    }

    /// The boards from `first` to `last`, whose rows are fixed, or else their columns.
    fn fixed(rows_fixed: bool, first: Board, last: Board) -> Result<BoardRange, CountError> {
        let why = "one sweep has one width: give one side as a range, and the other as a number, such as 8x1..40";
        CountError::refuse_if(!rows_fixed && first.cols() != last.cols(), why)?;
        let (first, last) = if rows_fixed { (first, last) } else { (first.transposed(), last.transposed()) };
        let range = BoardRange { across: first.rows(), from: first.cols(), to: last.cols(), rows_fixed };
        let why = "the fixed side of a range is at most 9 squares long: each more takes thirty times the states. The other \
                   side may be longer, such as 8x1..40";
        CountError::refuse_if(range.across > ACROSS_MAX, why)?;
        CountError::refuse_if(range.to < range.from, "a range of boards begins with the smallest, such as 8x1..40")?;
        CountError::refuse_if(range.to - range.from >= BOARDS_MAX, "a range has up to 1000000 boards")?;
        let swept = Board::new(u64::from(range.to) + 2, range.across.into());
        let why = "the longest board of a range must be at least two rows shorter than the largest board";
        CountError::refuse_if(swept.is_err(), why).map(|()| range)
    }

    /// Checks a range that was read from a file, whose fixed side stays as it is; its ends must be boards.
    pub(in crate::count) fn check(self) -> Result<BoardRange, CountError> {
        let end = |length: u32| {
            let (rows, cols) = if self.rows_fixed { (self.across, length) } else { (length, self.across) };
            Board::new(rows.into(), cols.into())
                .map_err(|_| CountError::Question("the range has no boards: its sides are too small or too long"))
        };
        BoardRange::fixed(self.rows_fixed, end(self.from)?, end(self.to)?)
    }

    pub(in crate::count) fn lengths(self) -> RangeInclusive<u32> {
        self.from..=self.to
    }

    /// The longest length, in squares.
    pub fn max_length(self) -> u32 {
        self.to
    }

    /// The range with another fixed side.
    pub(in crate::count) fn with_width(self, across: u32) -> BoardRange {
        BoardRange { across, ..self }
    }

    /// The board of a length, with its sides in the order that the user typed.
    pub fn board(self, length: u32) -> Board {
        let (rows, cols) = if self.rows_fixed { (self.across, length) } else { (length, self.across) };
        Board::new(rows.into(), cols.into()).unwrap_or_else(|_| unreachable!("the longest one is a board"))
    }

    /// The boards, the shortest first.
    pub fn boards(self) -> impl Iterator<Item = Board> {
        self.lengths().map(move |length| self.board(length))
    }

    /// The longest board with the fixed side across, and two further rows, as `order` needs them.
    pub(in crate::count) fn swept_board(self) -> Board {
        let swept = Board::new(u64::from(self.to) + 2, self.across.into());
        swept.unwrap_or_else(|_| unreachable!("BoardRange::new has checked it"))
    }
}

impl fmt::Display for BoardRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BoardRange { across, from, to, rows_fixed } = self;
        f.pad(&if *rows_fixed { format!("{across}x{from}..{to}") } else { format!("{from}..{to}x{across}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(first: &str, last: &str) -> Result<BoardRange, CountError> {
        BoardRange::new(first.parse().unwrap(), last.parse().unwrap())
    }

    #[test]
    fn boards_have_the_typed_orientation() {
        for (first, last, text, count) in
            [("8x1", "8x40", "8x1..40", 40), ("1x8", "40x8", "1..40x8", 40), ("9x3", "9x3", "9..9x3", 1)]
        {
            let range = range(first, last).unwrap();
            let all: Vec<String> = range.boards().map(|board| board.to_string()).collect();
            assert_eq!((all[0].as_str(), all[all.len() - 1].as_str(), all.len()), (first, last, count), "{text}");
            assert_eq!(range.to_string(), text);
        }
    }

    #[test]
    fn a_range_that_one_sweep_cannot_answer_is_refused_with_the_reason() {
        for (first, last, why) in [
            ("8x1", "9x2", "one sweep has one width"),
            ("10x1", "10x4", "at most 9 squares"),
            ("8x5", "8x3", "begins with the smallest"),
            ("1x4294967000", "1x4294967294", "two rows shorter"),
            ("1x1", "1x2000000", "up to 1000000 boards"),
        ] {
            let error = range(first, last).unwrap_err();
            assert!(error.is_usage() && error.to_string().contains(why), "{first} to {last}: {error}");
        }
    }
}
