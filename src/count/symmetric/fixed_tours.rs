//! The numbers of tours that a symmetry takes to themselves: the function that the commands call.
//!
//! It folds the board (`quotient`), sweeps over the graphs of the kinds of tours (`sweep`) and adds up the numbers.

use super::quotient::{FoldedBoard, QuotientGraph};
use super::sweep::{self, Bounds, SweepHalt};
use crate::board::{Ending, Shape, Square, Symmetry};
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
    /// The symmetry exchanges rows and columns of an oblong board, or takes holes to squares.
    #[error("a {symmetry} does not keep {} in place: it {}", shape.short(), what_moves(shape, *symmetry))]
    NotKept { shape: Shape, symmetry: Symmetry },
    /// The board has more than [`ORBITS_MAX`] orbits.
    #[error(
        "{} is too large: a {symmetry} leaves {orbits} orbits of squares, and at most {ORBITS_MAX} are counted",
        shape.short()
    )]
    TooLarge { shape: Shape, symmetry: Symmetry, orbits: usize },
    /// The border between done and open orbits, of `width` orbits where it is longest, does not fit in a state.
    #[error(
        "{} is too wide: under a {symmetry} its states need {width} orbits side by side, and at most {most} fit",
        shape.short()
    )]
    TooWide { shape: Shape, symmetry: Symmetry, width: usize, most: usize },
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
/// [`SymmetricError`] when the symmetry is the identity or not a symmetry of the shape, when the shape or its states exceed
/// the limits, when the threads cannot be started, and when [`Bounds::stop`] ends the count.
pub fn fixed_tours(
    shape: impl Into<Shape>,
    ending: Ending,
    strict: bool,
    symmetry: Symmetry,
    bounds: Bounds<'_>,
) -> Result<BigUint, SymmetricError> {
    let folded = fold(&shape.into(), symmetry)?;
    let count = |graph: Option<QuotientGraph>| {
        graph.map_or(Ok([0u32; 2].map(BigUint::from)), |graph| count(&folded, &graph, bounds))
    };
    if ending == Ending::Closed {
        let [_, rotations] = count(folded.cycles())?;
        let [reflections, _] = count(folded.paths_between_special())?;
        // The sweep counts each path from both of its ends.
        return Ok(rotations + folded.short_cycles() + reflections / 2u32);
    }
    // The tour of a single square has no direction: every symmetry leaves it as it is.
    if folded.shape.squares() == 1 {
        return Ok(BigUint::from(1u32));
    }
    let [paths, _] = count(folded.paths_from_special(strict))?;
    Ok(paths)
}

/// What a symmetry does to a shape that it does not keep in place.
fn what_moves(shape: &Shape, symmetry: Symmetry) -> &'static str {
    if shape.board().symmetries().contains(&symmetry) {
        "takes holes to squares"
    } else {
        "exchanges rows and columns, so it needs a square board"
    }
}

fn fold(shape: &Shape, symmetry: Symmetry) -> Result<FoldedBoard, SymmetricError> {
    if symmetry == Symmetry::Identity {
        return Err(SymmetricError::Identity);
    }
    if !shape.symmetries().contains(&symmetry) {
        return Err(SymmetricError::NotKept { shape: shape.clone(), symmetry });
    }
    // An orbit has at most four squares, so a larger board has too many orbits. Any other board is folded: it may have no
    // graph to count in, and then its number of orbits does not matter.
    if shape.squares() as usize > 4 * ORBITS_MAX {
        let orbits = orbit_count(shape, symmetry);
        return Err(SymmetricError::TooLarge { shape: shape.clone(), symmetry, orbits });
    }
    Ok(FoldedBoard::new(shape, symmetry))
}

/// Number of orbits of a shape's squares under one of its symmetries, by formula.
fn orbit_count(shape: &Shape, symmetry: Symmetry) -> usize {
    let board = shape.board();
    let [rows, cols, squares] = [board.rows(), board.cols(), board.squares()].map(|count| count as usize);
    // The number of squares and holes that stay in place, and the order of the symmetry.
    let (fixed, order) = match symmetry {
        Symmetry::Identity => (squares, 1),
        Symmetry::LeftRight => (rows * (cols % 2), 2),
        Symmetry::TopBottom => (cols * (rows % 2), 2),
        Symmetry::MainDiagonal | Symmetry::AntiDiagonal => (rows, 2),
        Symmetry::HalfTurn => (squares % 2, 2),
        Symmetry::QuarterTurn | Symmetry::ThreeQuarterTurn => (squares % 2, 4),
    };
    let stays = |&&hole: &&Square| symmetry.apply(board, hole) == hole;
    let fixed = fixed - shape.holes().squares().iter().filter(stays).count();
    fixed + (shape.squares() as usize - fixed) / order
}

/// Counts the Hamiltonian cycles or paths of a graph of `folded`: first those with an even sum of voltages, then those with
/// an odd sum. Every path has an even sum.
fn count(folded: &FoldedBoard, graph: &QuotientGraph, bounds: Bounds<'_>) -> Result<[BigUint; 2], SymmetricError> {
    let (shape, symmetry, orbits) = (folded.shape.clone(), folded.symmetry, folded.orbits());
    if orbits > ORBITS_MAX {
        return Err(SymmetricError::TooLarge { shape, symmetry, orbits });
    }
    sweep::count(graph, bounds).map_err(|halt| match halt {
        SweepHalt::Wide { width, most } => SymmetricError::TooWide { shape, symmetry, width, most },
        SweepHalt::Memory { done } => {
            let name = shape.short();
            let of =
                format!("counting the tours of {name} that a {symmetry} keeps ({done} of {orbits} orbits were done)");
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
    use crate::board::{Board, Holes};

    #[test]
    fn the_formula_gives_the_number_of_orbits_of_the_folded_board() {
        for (rows, cols) in (1..=7).flat_map(|rows| (1..=7).map(move |cols| (rows, cols))) {
            let board = Board::new(rows, cols).unwrap();
            let corners = [0, cols as u32 - 1, board.squares() - cols as u32, board.squares() - 1]
                .map(|at| board.at(at).unwrap());
            let middle = board.at(board.squares() / 2);
            for holes in [Holes::none(), Holes::new(corners), Holes::new(middle)] {
                let shape = Shape::new(board, holes);
                for symmetry in shape.symmetries() {
                    let folded = FoldedBoard::new(&shape, symmetry);
                    assert_eq!(orbit_count(&shape, symmetry), folded.orbits(), "{shape} {symmetry}");
                }
            }
        }
        let board = "100x100".parse().unwrap();
        let of = |symmetry| orbit_count(&board, symmetry);
        assert_eq!((of(Symmetry::HalfTurn), of(Symmetry::QuarterTurn), of(Symmetry::MainDiagonal)), (5000, 2500, 5050));
    }
}
