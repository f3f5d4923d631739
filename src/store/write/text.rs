//! Buffered text output of the writers and their error, and the plainest of them: a grid of move numbers, row by row.

use crate::board::{Ending, Route, Square, TourFault, WALK_BLOCK, verify_in_blocks};
use crate::memory::filled;
use std::fmt;
use std::io::{self, Write};

/// Number of bytes that are buffered before they are written.
pub(super) const BLOCK: usize = 1 << 16;

/// Why a tour was not written, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Writing failed; a closed pipe is [`io::ErrorKind::BrokenPipe`].
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The route is no tour. The part that has been written must be discarded.
    #[error("no tour: {0}")]
    Fault(#[from] TourFault),
}

/// A buffer of text before an output.
pub(super) struct TextOut<'a> {
    to: &'a mut dyn Write,
    pub(super) block: Vec<u8>,
}

impl<'a> TextOut<'a> {
    pub(super) fn new(to: &'a mut dyn Write) -> TextOut<'a> {
        // More than a block, because names of many squares are added before the length is tested.
        TextOut { to, block: Vec::with_capacity(BLOCK + 16 * WALK_BLOCK) }
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.block.extend_from_slice(text.as_bytes());
    }

    /// Appends formatted text.
    pub(super) fn push_fmt(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a vector never fails.
        let _ = self.block.write_fmt(text);
    }

    /// Writes the buffer if it is full. It must be called after every few words.
    #[inline]
    pub(super) fn flush_if_full(&mut self) -> io::Result<()> {
        if self.block.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.to.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }
}

/// Writes a tour as a grid: every square shows the number of the move that enters it, from 1, right-aligned. A square that
/// is left out shows `.`. The caller has to write an empty line between two grids.
///
/// ```text
///  1  4  7 10
/// 12  9  2  5
///  3  6 11  8
/// ```
///
/// On a board of up to 2^24 squares the route is first walked and verified, and its numbers take four bytes a square. On a
/// larger board the route is asked for the number of every square, row by row, and verified in that order.
///
/// # Errors
/// [`WriteError`] when writing fails or the route is no tour.
pub fn grid(route: &dyn Route, to: &mut dyn Write) -> Result<(), WriteError> {
    let board = route.board();
    let width = board.squares().to_string().len();
    let numbers = (board.squares() <= NUMBERED_MAX).then(|| numbers(route)).transpose()?;
    let mut out = TextOut::new(to);
    for square in board.all() {
        let number = match &numbers {
            Some(numbers) => numbers[square.index() as usize],
            None if route.holes().contains(square) => 0,
            None => number_of(route, square)?,
        };
        push_number(number, width, &mut out.block);
        let is_last = (square.index() + 1).is_multiple_of(board.cols());
        out.push_str(if is_last { "\n" } else { " " });
        out.flush_if_full()?;
    }
    Ok(out.flush()?)
}

/// Squares of the largest board whose numbers are held in memory: 64 megabytes.
const NUMBERED_MAX: u32 = 1 << 24;
/// Digits of the largest number.
const DIGITS: usize = 10;

/// The numbers of all squares, from 1; 0 for a square that is left out.
fn numbers(route: &dyn Route) -> Result<Vec<u32>, TourFault> {
    let mut numbers = filled(0, route.board().squares() as usize);
    let mut number = 0;
    verify_in_blocks(route, |block| {
        for square in &block.squares {
            number += 1;
            numbers[square.index() as usize] = number;
        }
        Ok::<(), TourFault>(())
    })?;
    Ok(numbers)
}

/// Appends a number, right-aligned; `.` for 0.
#[inline]
fn push_number(number: u32, width: usize, block: &mut Vec<u8>) {
    let mut digits = [b' '; DIGITS];
    let (mut at, mut rest) = (DIGITS - 1, number);
    digits[at] = if number == 0 { b'.' } else { b'0' + (rest % 10) as u8 };
    while rest >= 10 {
        rest /= 10;
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
    }
    block.extend_from_slice(&digits[DIGITS - width..]);
}

/// The number of a square, from 1. It is verified that the number leads back to the square, and that a knight's move leads
/// to the square. Then all squares together are a tour: their numbers are different, and there are as many as squares.
fn number_of(route: &dyn Route, square: Square) -> Result<u32, TourFault> {
    let board = route.board();
    let expected = board.squares() - route.holes().len() as u32;
    let length = || TourFault::Length { board, found: route.squares() as usize, expected: expected as usize };
    let index = route.number_of(square).filter(|&index| index < expected).ok_or_else(length)?;
    let number = index as usize + 1;
    if route.square_at(index) != Some(square) {
        return Err(TourFault::Repeated { board, number, square, earlier: number });
    }
    // In a closed tour the first square follows the last.
    let is_start = index == 0;
    if !is_start || route.ending() == Ending::Closed {
        let from = route.square_at(index.checked_sub(1).unwrap_or(expected - 1)).ok_or_else(length)?;
        match board.adjacent(from, square) {
            true => {}
            false if is_start => return Err(TourFault::NotClosed { board, last: from, first: square }),
            false => return Err(TourFault::NotAMove { board, number, from, to: square }),
        }
    }
    Ok(index + 1)
}
