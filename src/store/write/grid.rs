//! Grids of move numbers, row by row.

use super::text_out::{TextOut, WriteError};
use crate::board::{Ending, Route, Square, TourFault, walked};
use crate::memory::filled;
use std::io::Write;

/// Writes a tour as a grid: in every square the number of the move that enters it, from 1, right-aligned; `.` where a
/// square is left out. Between two grids belongs an empty line.
///
/// ```text
///  1  4  7 10
/// 12  9  2  5
///  3  6 11  8
/// ```
///
/// On a board of up to 2^24 squares the route is walked and verified first, and four bytes a square remember
/// its numbers; on a larger one it is asked square by square, row by row, and verified in that order.
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
        append(number, width, &mut out.block);
        let is_last = (square.index() + 1).is_multiple_of(board.cols());
        out.text(if is_last { "\n" } else { " " });
        out.pass()?;
    }
    Ok(out.flush()?)
}

/// Squares of the largest board whose numbers are kept: 64 megabytes.
const NUMBERED_MAX: u32 = 1 << 24;
/// Digits of the largest number.
const DIGITS: usize = 10;

/// The numbers of all squares, from 1; 0 where one is left out.
fn numbers(route: &dyn Route) -> Result<Vec<u32>, TourFault> {
    let mut numbers = filled(0, route.board().squares() as usize);
    for (number, square) in (1..).zip(walked(route)) {
        numbers[square?.index() as usize] = number;
    }
    Ok(numbers)
}

/// Appends a number that is right-aligned; `.` for 0.
#[inline]
fn append(number: u32, width: usize, block: &mut Vec<u8>) {
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

/// The number of a square, from 1, if that number leads back to the square and a knight's move leads to it. All squares
/// together are then a tour: no two have one number, and there are as many numbers as squares.
fn number_of(route: &dyn Route, square: Square) -> Result<u32, TourFault> {
    let board = route.board();
    let expected = board.squares() - route.holes().len() as u32;
    let length = || TourFault::Length { board, found: route.squares() as usize, expected: expected as usize };
    let index = route.number_of(square).filter(|&index| index < expected).ok_or_else(length)?;
    let number = index as usize + 1;
    if route.square_at(index) != Some(square) {
        return Err(TourFault::Repeated { board, number, square, earlier: number });
    }
    // The first square follows the last, if the tour is closed.
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
