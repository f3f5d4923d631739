//! The boards that `find` and `count` are asked about: one, or every board whose sides are in a range.

use crate::board::{Board, Shape};
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
        if text.contains("..") { text.parse().map(AskedBoards::Many) } else { text.parse().map(AskedBoards::One) }
    }
}

/// Many boards, as typed: `3..40x3..40`, every board of these rows and columns, or `5..64`, square boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Boards {
    rows: Sides,
    /// `None` for square boards.
    cols: Option<Sides>,
}

/// Sides from the first to the last, both among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Sides {
    first: u64,
    last: u64,
}

impl Boards {
    /// Boards of the largest range: more are too many to wait for.
    const MAX: u64 = 1_000_000;

    /// The smallest and the largest.
    pub fn ends(self) -> (Board, Board) {
        let Boards { rows, cols } = self;
        let cols = cols.unwrap_or(rows);
        (known(rows.first, cols.first), known(rows.last, cols.last))
    }

    /// Every board, row range by row range.
    pub fn all(self) -> Vec<Board> {
        let cols = |row| self.cols.map_or(row..=row, |cols| cols.first..=cols.last);
        let boards = |row| cols(row).map(move |col| known(row, col));
        (self.rows.first..=self.rows.last).flat_map(boards).collect()
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
            Boards { rows, cols: Some(cols) } => write!(f, "{rows}x{cols}"),
            Boards { rows, cols: None } => write!(f, "{}..{}", rows.first, rows.last),
        }
    }
}

/// Reads the sides of a range.
fn sides(text: &str) -> Result<Sides, String> {
    let sides = parse_span(text).map(|(first, last)| Sides { first, last }).filter(|sides| sides.first <= sides.last);
    sides.ok_or_else(|| format!("'{text}' is no range of sides: write 5..64, the smaller side first"))
}

impl FromStr for Boards {
    type Err = String;

    /// Reads a range: `3..40x3..40`, `6x5..10`, `5..64`.
    fn from_str(text: &str) -> Result<Boards, String> {
        let names_hole = |(_, names): (&str, &str)| names.starts_with(|letter: char| letter.is_ascii_alphabetic());
        if text.split_once('-').is_some_and(names_hole) {
            let instead = "name one board with its holes, such as 6x6-a1,f1";
            return Err(format!("'{text}': a range is of whole boards; {instead}"));
        }
        let (rows, cols) = text.split_once(['x', 'X']).map_or((text, None), |(rows, cols)| (rows, Some(cols)));
        let boards = Boards { rows: sides(rows)?, cols: cols.map(sides).transpose()? };
        let (rows, cols) = (boards.rows, boards.cols.unwrap_or(boards.rows));
        for (rows, cols) in [(rows.first, cols.first), (rows.last, cols.last)] {
            Board::new(rows, cols).map_err(|error| error.to_string())?;
        }
        let number = |sides: Sides| sides.last - sides.first + 1;
        match number(rows).saturating_mul(boards.cols.map_or(1, number)) {
            ..=Boards::MAX => Ok(boards),
            many => Err(format!("'{text}' is {many} boards; a range has up to {}", Boards::MAX)),
        }
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
