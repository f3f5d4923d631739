//! Writes a tour as a list of squares: a line of text, or a JSON array.

use super::names::SquareNames;
use super::text_out::{TextOut, WriteError};
use crate::board::{Board, Route, Square, verify_in_blocks};
use crate::store::holes::WITHOUT;
use std::io::{self, Write};

/// Writes a tour as one line: its board, its squares, and after the word `without` the squares that it leaves out.
///
/// ```
/// # use destrier::board::{Ending, NumberedRoute, Tour, parse_move_list};
/// # use destrier::store::write;
/// let (board, squares) = parse_move_list("3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2")?;
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
    verify_in_blocks(route, |block| {
        out.flush_if_full()?;
        names.append_block(block, &mut out.block);
        Ok::<(), WriteError>(())
    })?;
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
    let mut array = NameArray::new(route.board(), to);
    verify_in_blocks(route, |block| {
        let (names, text) = array.next()?;
        names.append_block(block, text);
        Ok::<(), WriteError>(())
    })?;
    array.end()
}

/// Writes squares as a JSON array of names.
///
/// # Errors
/// An error of `to`.
pub fn json_squares(board: Board, squares: &[Square], to: &mut dyn Write) -> io::Result<()> {
    let mut array = NameArray::new(board, to);
    let pushed = squares.iter().try_for_each(|&square| {
        let (names, text) = array.next()?;
        names.append(square, text);
        Ok(())
    });
    match pushed.and_then(|()| array.end()) {
        Err(WriteError::Fault(fault)) => unreachable!("these squares are not verified: {fault}"),
        Err(WriteError::Io(error)) => Err(error),
        Ok(()) => Ok(()),
    }
}

/// What stands between two names of an array.
const BETWEEN: &str = "\",\"";

/// A JSON array of names that is being written.
struct NameArray<'a> {
    out: TextOut<'a>,
    names: SquareNames,
    is_empty: bool,
}

impl<'a> NameArray<'a> {
    fn new(board: Board, to: &'a mut dyn Write) -> NameArray<'a> {
        let mut out = TextOut::new(to);
        out.push_str("[\"");
        NameArray { out, names: SquareNames::new(board, BETWEEN), is_empty: true }
    }

    /// The names, and where the next ones are appended. What stands behind the last name is there at the end.
    fn next(&mut self) -> Result<(&SquareNames, &mut Vec<u8>), WriteError> {
        self.is_empty = false;
        self.out.flush_if_full()?;
        Ok((&self.names, &mut self.out.block))
    }

    /// Ends the array; nothing stands behind the last name.
    fn end(mut self) -> Result<(), WriteError> {
        let begun = if self.is_empty { 1 } else { BETWEEN.len() };
        self.out.block.truncate(self.out.block.len() - begun);
        self.out.push_str(if self.is_empty { "]" } else { "\"]" });
        Ok(self.out.flush()?)
    }
}
