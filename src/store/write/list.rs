//! Lists of squares, as lines and in JSON.

use super::names::SquareNames;
use super::text_out::{TextOut, WriteError};
use crate::board::{Board, Route, Square, TourFault, walked};
use crate::store::holes::WITHOUT;
use std::io::{self, Write};

/// Writes a tour as one line: its board, its squares, and after `without` those it leaves out.
///
/// ```
/// # use destrier::board::{Ending, Numbered, Tour, parse_move_list};
/// # use destrier::store::write;
/// let (board, squares) = parse_move_list("3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2")?;
/// let tour = Numbered::from(&Tour::verify(board, Ending::Open, squares)?);
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
    moves(route, &mut out)?;
    out.text("\n");
    Ok(out.flush()?)
}

/// The line without its end.
pub(super) fn moves(route: &dyn Route, out: &mut TextOut<'_>) -> Result<(), WriteError> {
    let board = route.board();
    let names = SquareNames::new(board, " ");
    out.add(format_args!("{board} "));
    for square in walked(route) {
        out.pass()?;
        names.append(square?, &mut out.block);
    }
    if !route.holes().is_empty() {
        out.add(format_args!("{WITHOUT} "));
    }
    for &hole in route.holes().squares() {
        out.pass()?;
        names.append(hole, &mut out.block);
    }
    // The blank behind the last name.
    out.block.pop();
    Ok(())
}

/// Writes a tour as a JSON array of names, `["a3","c2",..]`, without a line end.
///
/// It may stand alone, but says neither board nor ending nor holes: in an object with `board`, `ending` and, if there
/// are any, `holes` (which [`json_squares`] writes) before its `tour`, it is read back with all of them.
///
/// # Errors
/// As [`list`].
pub fn json(route: &dyn Route, to: &mut dyn Write) -> Result<(), WriteError> {
    names(route.board(), walked(route), to)
}

/// Writes some squares as a JSON array of names.
///
/// # Errors
/// What `to` answers.
pub fn json_squares(board: Board, squares: &[Square], to: &mut dyn Write) -> io::Result<()> {
    match names(board, squares.iter().map(|&square| Ok(square)), to) {
        Err(WriteError::Fault(fault)) => unreachable!("these squares are not verified: {fault}"),
        Err(WriteError::Io(error)) => Err(error),
        Ok(()) => Ok(()),
    }
}

fn names(
    board: Board,
    squares: impl Iterator<Item = Result<Square, TourFault>>,
    to: &mut dyn Write,
) -> Result<(), WriteError> {
    const BETWEEN: &str = "\",\"";
    let (mut out, text) = (TextOut::new(to), SquareNames::new(board, BETWEEN));
    out.text("[\"");
    let mut some = false;
    for square in squares {
        out.pass()?;
        text.append(square?, &mut out.block);
        some = true;
    }
    // What stands between two names is behind the last one, too.
    out.block.truncate(out.block.len() - if some { BETWEEN.len() } else { 1 });
    out.text(if some { "\"]" } else { "]" });
    Ok(out.flush()?)
}
