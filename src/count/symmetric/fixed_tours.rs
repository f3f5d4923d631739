//! The numbers of tours that a symmetry takes to themselves: the function that the commands call.
//!
//! It folds the board (`quotient`), sweeps over the graphs of the kinds of tours (`sweep`) and adds up the numbers.

use super::quotient::{FoldedBoard, QuotientGraph};
use super::sweep::{self, Bounds, SweepHalt};
use crate::board::{Board, Ending, Symmetry};
use crate::count::shortage::Shortage;
use num_bigint::BigUint;

/// The most orbits of a board that can be counted. With more, even the search for the order of the orbits takes long.
pub const ORBITS_MAX: usize = 1024;

/// Why a number of symmetric tours could not be counted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SymmetricError {
    /// The symmetry is the identity.
    #[error("the identity takes every tour to itself: count all tours")]
    Identity,
    /// The symmetry exchanges rows and columns of an oblong board.
    #[error("a {symmetry} does not keep {board} in place: it exchanges rows and columns, so it needs a square board")]
    NotKept { board: Board, symmetry: Symmetry },
    /// The board has more than [`ORBITS_MAX`] orbits.
    #[error(
        "{board} is too large: a {symmetry} leaves {orbits} orbits of squares, and at most {ORBITS_MAX} are counted"
    )]
    TooLarge { board: Board, symmetry: Symmetry, orbits: usize },
    /// The border between done and open orbits does not fit in a state.
    #[error(
        "{board} is too wide: under a {symmetry} its states need {width} orbits side by side, and at most {most} fit"
    )]
    TooWide {
        board: Board,
        symmetry: Symmetry,
        /// Orbits on the longest border.
        width: usize,
        /// The most orbits that fit.
        most: usize,
    },
    /// The states do not fit in the memory limit.
    #[error(transparent)]
    Shortage(Box<Shortage>),
    /// The threads could not be started.
    #[error("{0}")]
    Threads(String),
    /// [`Bounds::stop`] ended the count.
    #[error("stopped")]
    Stopped,
}

impl SymmetricError {
    /// Whether the error is one of usage or bad input, which another command would avoid, and not a failure while running.
    pub fn is_usage(&self) -> bool {
        !matches!(self, SymmetricError::Threads(_) | SymmetricError::Stopped)
    }
}

/// The number of undirected tours of one ending that `symmetry` takes to themselves. `strict` leaves out the open tours whose
/// ends are a knight's move apart; it has no effect on closed tours.
///
/// # Errors
/// [`SymmetricError`] when the symmetry is the identity or not a symmetry of the board, when the board or its states exceed
/// the limits, when the threads cannot be started, and when [`Bounds::stop`] ends the count.
pub fn fixed_tours(
    board: Board,
    ending: Ending,
    strict: bool,
    symmetry: Symmetry,
    bounds: Bounds<'_>,
) -> Result<BigUint, SymmetricError> {
    let folded = fold(board, symmetry)?;
    let count = |graph: Option<QuotientGraph>| {
        graph.map_or(Ok([0u32; 2].map(BigUint::from)), |graph| count(&folded, &graph, bounds))
    };
    if ending == Ending::Closed {
        let [_, rotations] = count(folded.cycles())?;
        let [reflections, _] = count(folded.paths_between_special())?;
        // The sweep counts each path from both of its ends.
        return Ok(rotations + reflections / 2u32);
    }
    // The tour of a single square has no direction: every symmetry leaves it as it is.
    if board.squares() == 1 {
        return Ok(BigUint::from(1u32));
    }
    let graph = if strict { folded.paths_from_special_to_others() } else { folded.paths_from_special() };
    let [paths, _] = count(graph)?;
    Ok(paths)
}

fn fold(board: Board, symmetry: Symmetry) -> Result<FoldedBoard, SymmetricError> {
    if symmetry == Symmetry::Identity {
        return Err(SymmetricError::Identity);
    }
    if !board.symmetries().contains(&symmetry) {
        return Err(SymmetricError::NotKept { board, symmetry });
    }
    // An orbit has at most four squares, so a larger board has too many orbits. Any other board is folded: it may have no
    // graph to count in, and then its number of orbits does not matter.
    if board.squares() as usize > 4 * ORBITS_MAX {
        return Err(SymmetricError::TooLarge { board, symmetry, orbits: orbit_count(board, symmetry) });
    }
    Ok(FoldedBoard::new(board, symmetry))
}

/// Number of orbits of a board's squares under one of its symmetries, by formula.
fn orbit_count(board: Board, symmetry: Symmetry) -> usize {
    let [rows, cols, squares] = [board.rows(), board.cols(), board.squares()].map(|count| count as usize);
    // The number of squares that stay in place, and the order of the symmetry.
    let (fixed, order) = match symmetry {
        Symmetry::Identity => (squares, 1),
        Symmetry::LeftRight => (rows * (cols % 2), 2),
        Symmetry::TopBottom => (cols * (rows % 2), 2),
        Symmetry::MainDiagonal | Symmetry::AntiDiagonal => (rows, 2),
        Symmetry::HalfTurn => (squares % 2, 2),
        Symmetry::QuarterTurn | Symmetry::ThreeQuarterTurn => (squares % 2, 4),
    };
    fixed + (squares - fixed) / order
}

/// Counts the Hamiltonian cycles or paths of a graph of `folded`: first those with an even sum of voltages, then those with
/// an odd sum. Every path has an even sum.
fn count(folded: &FoldedBoard, graph: &QuotientGraph, bounds: Bounds<'_>) -> Result<[BigUint; 2], SymmetricError> {
    let (board, symmetry) = (folded.board(), folded.symmetry());
    let orbits = folded.orbits();
    if orbits > ORBITS_MAX {
        return Err(SymmetricError::TooLarge { board, symmetry, orbits });
    }
    sweep::count(graph, bounds).map_err(|halt| match halt {
        SweepHalt::Wide { width, most } => SymmetricError::TooWide { board, symmetry, width, most },
        SweepHalt::Memory { done } => {
            let of =
                format!("counting the tours of {board} that a {symmetry} keeps ({done} of {orbits} orbits were done)");
            SymmetricError::Shortage(Box::new(Shortage::beyond(of, bounds.memory)))
        }
        SweepHalt::Threads(error) => SymmetricError::Threads(error),
        SweepHalt::Stopped => SymmetricError::Stopped,
        SweepHalt::Overflow => unreachable!("a BigUint holds every number"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_gives_the_number_of_orbits_of_the_folded_board() {
        for (rows, cols) in (1..=7).flat_map(|rows| (1..=7).map(move |cols| (rows, cols))) {
            let board = Board::new(rows, cols).unwrap();
            for &symmetry in board.symmetries() {
                assert_eq!(
                    orbit_count(board, symmetry),
                    FoldedBoard::new(board, symmetry).orbits(),
                    "{board} {symmetry}"
                );
            }
        }
        let board = "100x100".parse().unwrap();
        let of = |symmetry| orbit_count(board, symmetry);
        assert_eq!((of(Symmetry::HalfTurn), of(Symmetry::QuarterTurn), of(Symmetry::MainDiagonal)), (5000, 2500, 5050));
    }
}
