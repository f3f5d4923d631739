//! Numbers of tours that a symmetry leaves alone.

use super::quotient::{FoldedBoard, QuotientGraph};
use super::sweep::{self, Bounds, SweepHalt};
use crate::board::{Board, Ending, Symmetry};
use num_bigint::BigUint;

/// The most orbits that are counted: beyond, even the order in which to take them is long to find.
pub const ORBITS_MAX: usize = 1024;

/// Why there is no number of symmetric tours.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SymmetricError {
    /// The identity was asked for.
    #[error("the identity takes every tour to itself: count all tours")]
    Identity,
    /// The symmetry exchanges rows and columns of an oblong board.
    #[error("a {symmetry} does not keep {board} in place: it exchanges rows and columns, so it needs a square board")]
    NotKept {
        /// The board.
        board: Board,
        /// The symmetry.
        symmetry: Symmetry,
    },
    /// More than [`ORBITS_MAX`] orbits.
    #[error(
        "{board} is too large: a {symmetry} leaves {orbits} orbits of squares, and at most {ORBITS_MAX} are counted"
    )]
    TooLarge {
        /// The board.
        board: Board,
        /// The symmetry.
        symmetry: Symmetry,
        /// How many.
        orbits: usize,
    },
    /// The border between done and open orbits does not fit in a state.
    #[error(
        "{board} is too wide: under a {symmetry} its states need {width} orbits side by side, and at most {most} fit"
    )]
    TooWide {
        /// The board.
        board: Board,
        /// The symmetry.
        symmetry: Symmetry,
        /// Orbits on the border at its longest.
        width: usize,
        /// The most that fit.
        most: usize,
    },
    /// More states than the memory holds.
    #[error(
        "the tours of {board} that a {symmetry} keeps need more than {memory} bytes of memory: {done} of {orbits} \
         orbits were done. --memory SIZE gives it more, where there is more"
    )]
    Memory {
        /// The board.
        board: Board,
        /// The symmetry.
        symmetry: Symmetry,
        /// The bound, in bytes.
        memory: u64,
        /// Orbits done when it was reached.
        done: usize,
        /// Orbits in all.
        orbits: usize,
    },
    /// No threads could be started.
    #[error("no threads: {0}")]
    Threads(String),
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
}

impl SymmetricError {
    /// Whether asking differently would help: usage or bad input rather than a failure while running.
    pub fn is_usage(&self) -> bool {
        !matches!(self, SymmetricError::Threads(_) | SymmetricError::Stopped)
    }
}

/// The number of tours of one ending, without direction, that `symmetry` takes to themselves; `strict` asks for open ones
/// whose ends are not a knight's move apart.
///
/// # Errors
/// Those of [`fixed_closed`].
pub fn fixed_tours(
    board: Board,
    (ending, strict): (Ending, bool),
    symmetry: Symmetry,
    bounds: Bounds<'_>,
) -> Result<BigUint, SymmetricError> {
    match (ending, strict) {
        (Ending::Closed, _) => fixed_closed(board, symmetry, bounds),
        (Ending::Open, false) => fixed_open(board, symmetry, bounds),
        (Ending::Open, true) => fixed_open_strict(board, symmetry, bounds),
    }
}

/// The number of closed tours, without direction, that `symmetry` takes to themselves.
///
/// # Errors
/// [`SymmetricError`] when the symmetry is the identity or not one of the board's, when the states do not fit in the
/// bounds, and when it was told to stop.
pub fn fixed_closed(board: Board, symmetry: Symmetry, bounds: Bounds<'_>) -> Result<BigUint, SymmetricError> {
    let folded = fold(board, symmetry)?;
    let rotations = match folded.cycles() {
        Some(graph) => count(&folded, &graph, bounds)?.1,
        None => BigUint::ZERO,
    };
    let reflections = match folded.paths_between_special() {
        // Each path is found from both of its ends.
        Some(graph) => count(&folded, &graph, bounds)?.0 / 2u32,
        None => BigUint::ZERO,
    };
    Ok(rotations + reflections)
}

/// The number of open tours, without direction, that `symmetry` takes to themselves, those among them whose ends are a
/// knight's move apart included.
///
/// # Errors
/// Those of [`fixed_closed`].
pub fn fixed_open(board: Board, symmetry: Symmetry, bounds: Bounds<'_>) -> Result<BigUint, SymmetricError> {
    fixed_paths(board, symmetry, bounds, FoldedBoard::paths_from_special)
}

/// The number of open tours, without direction, whose ends are not a knight's move apart, that `symmetry` takes to
/// themselves.
///
/// # Errors
/// Those of [`fixed_closed`].
pub fn fixed_open_strict(board: Board, symmetry: Symmetry, bounds: Bounds<'_>) -> Result<BigUint, SymmetricError> {
    fixed_paths(board, symmetry, bounds, FoldedBoard::paths_from_special_to_others)
}

fn fixed_paths(
    board: Board,
    symmetry: Symmetry,
    bounds: Bounds<'_>,
    graph: impl Fn(&FoldedBoard) -> Option<QuotientGraph>,
) -> Result<BigUint, SymmetricError> {
    let folded = fold(board, symmetry)?;
    // The tour of a single square has no direction to reverse: every symmetry leaves it as it is.
    if board.squares() == 1 {
        return Ok(BigUint::from(1u32));
    }
    graph(&folded).map_or(Ok(BigUint::ZERO), |graph| Ok(count(&folded, &graph, bounds)?.0))
}

fn fold(board: Board, symmetry: Symmetry) -> Result<FoldedBoard, SymmetricError> {
    if symmetry == Symmetry::Identity {
        return Err(SymmetricError::Identity);
    }
    if !board.symmetries().contains(&symmetry) {
        return Err(SymmetricError::NotKept { board, symmetry });
    }
    // An orbit has at most four squares. Of one that is not larger it may be plain that there is nothing to count.
    if board.squares() as usize > 4 * ORBITS_MAX {
        return Err(SymmetricError::TooLarge { board, symmetry, orbits: orbit_count(board, symmetry) });
    }
    Ok(FoldedBoard::new(board, symmetry))
}

/// How many orbits the squares of a board have under one of its symmetries, without a look at each.
fn orbit_count(board: Board, symmetry: Symmetry) -> usize {
    let [rows, cols, squares] = [board.rows(), board.cols(), board.squares()].map(|count| count as usize);
    // Squares that stay, and how often the symmetry must be applied until the others are where they were.
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

/// Counts the Hamiltonian cycles or paths of a graph made of `folded`: those with an even sum of voltages, which all paths
/// have, and those with an odd one.
fn count(
    folded: &FoldedBoard,
    graph: &QuotientGraph,
    bounds: Bounds<'_>,
) -> Result<(BigUint, BigUint), SymmetricError> {
    let (board, symmetry) = (folded.board(), folded.symmetry());
    let orbits = folded.orbits();
    if orbits > ORBITS_MAX {
        return Err(SymmetricError::TooLarge { board, symmetry, orbits });
    }
    let [even, odd] = sweep::count(graph, bounds).map_err(|halt| match halt {
        SweepHalt::Wide { width, most } => SymmetricError::TooWide { board, symmetry, width, most },
        SweepHalt::Memory { done } => SymmetricError::Memory { board, symmetry, memory: bounds.memory, done, orbits },
        SweepHalt::Threads(error) => SymmetricError::Threads(error.to_string()),
        SweepHalt::Stopped => SymmetricError::Stopped,
    })?;
    Ok((even, odd))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orbits_are_as_many_as_the_folded_board_has() {
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
