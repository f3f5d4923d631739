//! Tours into text and pictures, streamed: whatever the board, a block of text is all the memory that is needed.
//!
//! Every square is verified on the way. A route that is no tour is found out in the middle, with text written already:
//! [`WriteError::Fault`] says so, and what was written is not to be kept.

mod grid;
mod lines;
mod names;
mod packed;
mod svg;

pub use grid::grid;
pub use lines::Lines;
pub use packed::{Blocks, Far, packed, packed_all};
pub use svg::{Picture, svg};

use super::WITHOUT;
use crate::board::{Board, Fault, Route, Square, walked};
use names::Names;
use std::fmt;
use std::io::{self, Write};

/// Bytes that are gathered before they are written.
const BLOCK: usize = 1 << 16;

/// Why a tour was not written, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Writing failed; a closed pipe is [`io::ErrorKind::BrokenPipe`].
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The route is no tour. What was written until then is none either.
    #[error("no tour: {0}")]
    Fault(#[from] Fault),
}

/// Text on its way out.
struct Out<'a> {
    to: &'a mut dyn Write,
    block: Vec<u8>,
}

impl<'a> Out<'a> {
    fn new(to: &'a mut dyn Write) -> Out<'a> {
        // A little more than a block: what comes last need not fit in it.
        Out { to, block: Vec::with_capacity(BLOCK + 4096) }
    }

    fn text(&mut self, text: &str) {
        self.block.extend_from_slice(text.as_bytes());
    }

    /// Short text with values in it.
    fn add(&mut self, text: fmt::Arguments<'_>) {
        // A vector takes everything.
        let _ = self.block.write_fmt(text);
    }

    /// Writes the block if it is full; to be called after every few words.
    #[inline]
    fn pass(&mut self) -> io::Result<()> {
        if self.block.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }
}

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
    let mut out = Out::new(to);
    moves(route, &mut out)?;
    out.text("\n");
    Ok(out.flush()?)
}

/// The line without its end.
fn moves(route: &dyn Route, out: &mut Out<'_>) -> Result<(), WriteError> {
    let board = route.board();
    let names = Names::new(board, " ");
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
        Err(WriteError::Fault(fault)) => unreachable!("nobody looks at these squares: {fault}"),
        Err(WriteError::Io(error)) => Err(error),
        Ok(()) => Ok(()),
    }
}

fn names(
    board: Board,
    squares: impl Iterator<Item = Result<Square, Fault>>,
    to: &mut dyn Write,
) -> Result<(), WriteError> {
    const BETWEEN: &str = "\",\"";
    let (mut out, text) = (Out::new(to), Names::new(board, BETWEEN));
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

#[cfg(test)]
mod tests;
