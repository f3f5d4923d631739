//! Writes a tour as a list of squares: a line of text, or a JSON array.
//!
//! Names of squares are composed of the names of columns and rows. The two parts are put together in one word of sixteen
//! bytes, which is copied whole; the bytes that do not belong to the name are cut off.

use super::text::{TextOut, WriteError};
use crate::board::{Board, Route, Square, VerifiedBlock, verify_in_blocks};
use serde::Serializer as _;
use std::io::{self, BufWriter, Write};

/// The word in a list between the moves and the squares that the tour leaves out.
pub const WITHOUT: &str = "without";

/// Writes a tour as one line: its board, its squares, and after the word `without` the squares that it leaves out.
///
/// ```
/// # use destrier::board::{Board, Ending, NumberedRoute, Tour};
/// # use destrier::store::write;
/// let board: Board = "3x4".parse()?;
/// let names = "a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2".split(' ');
/// let squares = names.map(|name| board.parse_square(name)).collect::<Result<Vec<_>, _>>()?;
/// let tour = NumberedRoute::from(&Tour::verify(board, Ending::Open, squares)?);
/// let mut text = Vec::new();
/// write::list(&tour, &mut text)?;
/// assert_eq!(text, b"3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`WriteError`] when writing fails or the route is no tour.
pub fn list(route: &dyn Route, to: &mut dyn Write) -> Result<(), WriteError> {
    let mut out = TextOut::new(to);
    write_moves(route, &mut out)?;
    out.push_str("\n");
    Ok(out.flush()?)
}

/// Writes the line without its line feed.
pub(super) fn write_moves(route: &dyn Route, out: &mut TextOut<'_>) -> Result<(), WriteError> {
    let board = route.board();
    let names = SquareNames::new(board, " ");
    out.push_fmt(format_args!("{board} "));
    names.append_route(route, out)?;
    if !route.holes().is_empty() {
        out.push_fmt(format_args!("{WITHOUT} "));
    }
    for &hole in route.holes().squares() {
        out.flush_if_full()?;
        names.append(hole, &mut out.block);
    }
    // Removes the blank behind the last name.
    out.block.pop();
    Ok(())
}

/// Writes a tour as a JSON array of names, `["a3","c2",..]`, without a line feed.
///
/// The array alone does not give board, ending and holes. [`TourReader`](crate::store::TourReader) reads them from an object
/// that has `board`, `ending` and, if there are any, `holes` ([`json_squares`]) before its `tour`.
///
/// # Errors
/// [`WriteError`] when writing fails or the route is no tour.
pub fn json(route: &dyn Route, to: &mut dyn Write) -> Result<(), WriteError> {
    let (names, mut out) = (SquareNames::new(route.board(), BETWEEN), TextOut::new(to));
    out.push_str("[\"");
    names.append_route(route, &mut out)?;
    // Removes what stands behind the last name.
    out.block.truncate(out.block.len() - BETWEEN.len());
    out.push_str("\"]");
    Ok(out.flush()?)
}

/// What stands between two names of an array.
const BETWEEN: &str = "\",\"";

/// Writes squares as a JSON array of names.
///
/// # Errors
/// An error of `to`.
pub fn json_squares(board: Board, squares: &[Square], to: &mut dyn Write) -> io::Result<()> {
    let names = squares.iter().map(|&square| board.name(square));
    let mut to = BufWriter::new(to);
    serde_json::Serializer::new(&mut to).collect_seq(names)?;
    to.flush()
}

/// Most bytes of a part of a name.
const PART: usize = 8;
/// Number of bytes copied for a name: those of two parts.
const NAME: usize = 2 * PART;
/// Number of names that are put together before they are appended.
const FEW: usize = 64;
/// Longest side of a board whose parts are held in memory. Rows have up to five digits, columns up to four letters.
const SIDE_MAX: u32 = 99_999;
/// Most bytes that may follow a name.
pub const AFTER_MAX: usize = 3;

/// Appends names of the squares of a board to text.
pub struct SquareNames {
    board: Board,
    after: &'static str,
    /// By column its letters; by row its digits and the bytes that follow a name. `None` on a board with a longer side.
    parts: Option<[Box<[ShortBytes]>; 2]>,
}

/// Some bytes, the first of them in the lowest bits, and how many of them are valid; the others are 0.
type ShortBytes = (u64, u8);

impl SquareNames {
    /// The names of the squares of `board`, each followed by at most [`AFTER_MAX`] bytes.
    pub fn new(board: Board, after: &'static str) -> SquareNames {
        debug_assert!(after.len() <= AFTER_MAX, "there is no room behind a name");
        let part = |text: &str| {
            let mut part = [0; PART];
            part[..text.len()].copy_from_slice(text.as_bytes());
            (u64::from_le_bytes(part), text.len() as u8)
        };
        // A name in the last row ends with 1, and a name in the first column begins with a: the rest is the part.
        let name = |row, col| board.square(row, col).map_or(String::new(), |square| board.name(square));
        let letters = |col| part(name(board.rows() - 1, col).trim_end_matches('1'));
        let digits = |row| part(&(name(row, 0).trim_start_matches('a').to_owned() + after));
        let is_short = board.rows().max(board.cols()) <= SIDE_MAX;
        let parts =
            is_short.then(|| [(0..board.cols()).map(letters).collect(), (0..board.rows()).map(digits).collect()]);
        SquareNames { board, after, parts }
    }

    /// Appends the name of a square, and the bytes that follow a name.
    pub fn append(&self, square: Square, text: &mut Vec<u8>) {
        // Writing to a vector never fails.
        let _ = write!(text, "{}{}", self.board.name(square), self.after);
    }

    /// Writes the names of the squares of a route, each with the bytes that follow it. Verifies the route on the way.
    fn append_route(&self, route: &dyn Route, out: &mut TextOut<'_>) -> Result<(), WriteError> {
        verify_in_blocks(route, |block| {
            out.flush_if_full()?;
            self.append_block(block, &mut out.block);
            Ok(())
        })
    }

    /// Appends the names of all squares of a block, each with the bytes that follow it.
    pub fn append_block(&self, block: &VerifiedBlock, text: &mut Vec<u8>) {
        let Some([letters, digits]) = &self.parts else {
            block.squares.iter().for_each(|&square| self.append(square, text));
            return;
        };
        // A few names at a time: room for all of them at the end of the text would be filled with zeros first.
        let mut few = [0; NAME * FEW];
        for (rows, cols) in block.rows.chunks(FEW).zip(block.cols.chunks(FEW)) {
            let mut at = 0;
            for (&row, &col) in rows.iter().zip(cols) {
                let ((letters, begin), (digits, end)) = (letters[col as usize], digits[row as usize]);
                let word = u128::from(letters) | u128::from(digits) << (8 * u32::from(begin));
                few[at..at + NAME].copy_from_slice(&word.to_le_bytes());
                at += usize::from(begin + end);
            }
            text.extend_from_slice(&few[..at]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_board() {
        for (board, squares) in [
            ("3x4", vec![0, 3, 8, 11]),
            ("12x30", vec![0, 29, 330, 359]),
            ("99999x3", vec![0, 2, 299_994, 299_996]),
            ("1x99999", vec![0, 25, 26, 701, 702, 18_277, 18_278, 99_998]),
            ("100000x1", vec![0, 99_999]),
            ("1x4294967294", vec![0, 4_294_967_293]),
        ] {
            let board: Board = board.parse().unwrap();
            let (names, mut text) = (SquareNames::new(board, "\",\""), Vec::new());
            let mut expected = String::new();
            let squares: Vec<Square> = squares.into_iter().filter_map(|index| board.at(index)).collect();
            let (rows, cols) = squares.iter().map(|&square| board.row_col(square)).unzip();
            names.append_block(&VerifiedBlock { squares: squares.clone(), rows, cols }, &mut text);
            for square in squares {
                names.append(square, &mut text);
                expected += &format!("{}\",\"", board.name(square));
            }
            expected = expected.repeat(2);
            assert_eq!(String::from_utf8(text).unwrap(), expected, "{board}");
        }
    }
}
