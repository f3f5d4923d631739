//! Grids of move numbers, row by row.

use super::{Out, WriteError};
use crate::board::{Ending, Fault, Route, Square};
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
/// The route is asked square by square, row by row, and verified in that order.
///
/// # Errors
/// [`WriteError`] when writing fails or the route is no tour.
pub fn grid(route: &dyn Route, to: &mut dyn Write) -> Result<(), WriteError> {
    let board = route.board();
    let width = board.squares().to_string().len();
    let mut out = Out::new(to);
    for square in board.all() {
        let number = if route.holes().contains(square) { None } else { Some(number_of(route, square)?) };
        match number {
            Some(number) => out.add(format_args!("{number:>width$}")),
            None => out.add(format_args!("{:>width$}", '.')),
        }
        let is_last = (square.index() + 1).is_multiple_of(board.cols());
        out.text(if is_last { "\n" } else { " " });
        out.pass()?;
    }
    Ok(out.flush()?)
}

/// The number of a square, from 1, if that number leads back to the square and a knight's move leads to it. All squares
/// together are then a tour: no two have one number, and there are as many numbers as squares.
fn number_of(route: &dyn Route, square: Square) -> Result<u32, Fault> {
    let board = route.board();
    let expected = board.squares() - route.holes().len() as u32;
    let length = || Fault::Length { board, found: route.squares() as usize, expected: expected as usize };
    let index = route.number_of(square).filter(|&index| index < expected).ok_or_else(length)?;
    let number = index as usize + 1;
    if route.square_at(index) != Some(square) {
        return Err(Fault::Repeated { board, number, square, earlier: number });
    }
    // The first square follows the last, if the tour is closed.
    let is_start = index == 0;
    if !is_start || route.ending() == Ending::Closed {
        let from = route.square_at(index.checked_sub(1).unwrap_or(expected - 1)).ok_or_else(length)?;
        match board.adjacent(from, square) {
            true => {}
            false if is_start => return Err(Fault::NotClosed { board, last: from, first: square }),
            false => return Err(Fault::NotAMove { board, number, from, to: square }),
        }
    }
    Ok(index + 1)
}
