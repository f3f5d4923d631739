//! Kurapati's tour and how often his rule makes one; and the orders of moves that make Warnsdorff's rule complete.
//!
//! The source prints one 8x8 tour, and says that ties do not matter. They do: from how many starts its own order
//! completes was recomputed by a model of its program, cycle by cycle.
//!
//! # Source
//! Suraj N. Kurapati, "Knight's Tour in Cg", 2007, section "Sample output"; D. Squirrel and P. Cull, "A Warnsdorff-rule
//! algorithm for knight's tours on square chessboards", 1996, and S. Ganzfried, "A simple algorithm for knight's
//! tours", 2004: every side from 5 on but 74.

use super::rows;
use crate::board::{Board, Ending, Holes, KURAPATI, Square, Tour, parse_grid};
use crate::find::{self, Attempt, RuleManner, SquirrelCull, Tie, Warnsdorff};
use crate::job::{Failure, running};
use crate::words::grouped;
use std::io::{self, Write};

/// Width, starts, starts that complete, starts of the right colour; with a line of headings.
pub(super) const COMPLETIONS: &str = include_str!("kurapati_completions.csv");
/// Sides on which the orders of Squirrel and Cull are tried.
const SIDES: std::ops::RangeInclusive<u64> = 5..=300;
/// The one that they do not complete, and where they end.
const FAILURE: (u64, usize) = (74, 5432);

/// Prints the tables; answers whether every figure is the published one.
pub fn run() -> Result<bool, Failure> {
    let mut out = io::stdout().lock();
    let sample = sample(&mut out)?;
    let completions = completions(&mut out)?;
    let orders = orders(&mut out)?;
    Ok(sample && completions && orders)
}

/// The two tours of which the source prints input or output.
fn sample(out: &mut impl Write) -> Result<bool, Failure> {
    let published = parse_grid(KURAPATI).map_err(running)?.1;
    let tour = from(8, 2, 4)?;
    let same = tour.as_ref().is_some_and(|tour| tour.squares() == published);
    let verdict = if same { "equal to the printed tour" } else { "DIFFERS from the printed tour" };
    writeln!(out, "8x8 from row 2, column 4 (from 0, row 0 at the top), ties in the source's order; {verdict}\n")?;
    if let Some(tour) = &tour {
        write!(out, "{}", tour.grid())?;
    }
    let large = from(32, 9, 15)?.is_some();
    let verdict = if large { "complete, as in the source" } else { "NOT complete, but it is in the source" };
    writeln!(out, "\n32x32 from row 9, column 15: {verdict}\n")?;
    Ok(same && large)
}

/// The tour that the source's rule makes from a square, if it makes one.
fn from(side: u64, row: u32, col: u32) -> Result<Option<Tour>, Failure> {
    let (board, start) = start(side, row, col)?;
    let squares = find::run(&mut knight(board, start)).0;
    let tour = squares.map(|squares| Tour::verify(board, Ending::Open, squares)).transpose();
    tour.map_err(running)
}

fn knight(board: Board, start: Square) -> Warnsdorff {
    Warnsdorff::new(board, &Holes::none(), Ending::Open, start, RuleManner::new(Tie::Kurapati))
}

/// A square of a square board, by row and column from 0.
pub(super) fn start(side: u64, row: u32, col: u32) -> Result<(Board, Square), Failure> {
    let board = square_board(side)?;
    Ok((board, board.square(row, col).ok_or_else(|| running(format!("{board} has no such square")))?))
}

pub(super) fn square_board(side: u64) -> Result<Board, Failure> {
    Board::new(side, side).map_err(running)
}

/// From how many starts the source's rule completes.
fn completions(out: &mut impl Write) -> Result<bool, Failure> {
    writeln!(out, "starts from which it completes; recomputed: by a model of the source's program\n")?;
    writeln!(out, "width  starts  possible by colour  recomputed    here")?;
    let mut all_same = true;
    for [width, starts, expected, possible] in rows(COMPLETIONS) {
        let board = square_board(width)?;
        let here = board.all().filter(|&start| find::run(&mut knight(board, start)).0.is_some()).count() as u64;
        let same = here == expected;
        all_same &= same;
        let mark = if same { "=" } else { "DIFFERS" };
        writeln!(out, "{width:5} {starts:>7} {possible:>19} {expected:>11} {here:>7} {mark}")?;
        out.flush()?;
    }
    writeln!(out)?;
    Ok(all_same)
}

/// On which sides the orders of Squirrel and Cull complete.
fn orders(out: &mut impl Write) -> Result<bool, Failure> {
    let mut failures = Vec::new();
    for side in SIDES {
        let board = square_board(side)?;
        let knight = board.at(0).and_then(|corner| SquirrelCull::new(board, corner, false));
        let mut knight = knight.ok_or_else(|| running(format!("{board} is not taken")))?;
        match find::run(&mut knight).0.map(|squares| Tour::verify(board, Ending::Open, squares)) {
            Some(Ok(_)) => {}
            Some(Err(fault)) => return Err(running(fault)),
            None => failures.push((side, knight.depth())),
        }
    }
    let (first, last) = (SIDES.start(), SIDES.end());
    let tours = SIDES.count() - failures.len();
    writeln!(out, "Squirrel and Cull's orders from the corner, every side from {first} to {last}: {tours} tours")?;
    for &(side, reached) in &failures {
        let squares = grouped(side * side);
        writeln!(out, "side {side} ends after {} of {squares} squares", grouped(reached as u64))?;
    }
    let same = failures == [FAILURE];
    let verdict = if same { "equal to" } else { "DIFFERS from" };
    let (side, reached) = (FAILURE.0, grouped(FAILURE.1 as u64));
    writeln!(out, "{verdict} the published result: all but {side}; there recomputed: {reached} squares")?;
    Ok(same)
}
