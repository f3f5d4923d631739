//! Writes a tour as a list of squares: a line of text, or a JSON array.

use super::names::SquareNames;
use super::text_out::{TextOut, WriteError};
use crate::board::{Board, Route, Square, TourFault, verify_by_squares};
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
    for square in verify_by_squares(route) {
        out.flush_if_full()?;
        names.append(square?, &mut out.block);
    }
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
    write_names(route.board(), verify_by_squares(route), to)
}

/// Writes squares as a JSON array of names.
///
/// # Errors
/// An error of `to`.
pub fn json_squares(board: Board, squares: &[Square], to: &mut dyn Write) -> io::Result<()> {
    match write_names(board, squares.iter().map(|&square| Ok(square)), to) {
        Err(WriteError::Fault(fault)) => unreachable!("these squares are not verified: {fault}"),
        Err(WriteError::Io(error)) => Err(error),
        Ok(()) => Ok(()),
    }
}

fn write_names(
    board: Board,
    squares: impl Iterator<Item = Result<Square, TourFault>>,
    to: &mut dyn Write,
) -> Result<(), WriteError> {
    const BETWEEN: &str = "\",\"";
    let (mut out, text) = (TextOut::new(to), SquareNames::new(board, BETWEEN));
    out.push_str("[\"");
    let mut some = false;
    for square in squares {
        out.flush_if_full()?;
        text.append(square?, &mut out.block);
        some = true;
    }
    // Removes the separator behind the last name.
    out.block.truncate(out.block.len() - if some { BETWEEN.len() } else { 1 });
    out.push_str(if some { "\"]" } else { "]" });
    Ok(out.flush()?)
}
