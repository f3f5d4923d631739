//! Why a board has no tour with the requested ends, and the sentences that say so.

use super::thin::LyingBoard;
use super::tiles::{self, SIDE_MIN};
use crate::board::{Board, Ending, Square};

/// Why there is no tour as requested.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CombError {
    /// The board has no such tour at all.
    #[error("{board} has no such {} tour: {reason}", ending.name())]
    NoTour {
        board: Board,
        /// Open or closed.
        ending: Ending,
        /// Why.
        reason: String,
    },
    /// Quadrants do not fit the board.
    #[error(
        "quadrants takes boards of n x n and n x (n + 2) squares, n even and at least 6, not {0}; use tiles, which takes any"
    )]
    Sides(Board),
    /// The two ends are not neighbours on the cycle of the tour, or the construction has no path from one to the other.
    #[error("{0}")]
    Ends(String),
}

/// Why the board has no such tour at all; `None` if it may have one.
pub(super) fn no_tour_reason(board: Board, ending: Ending, ends: [Option<Square>; 2]) -> Option<String> {
    let existence = board.existence(ending);
    if !existence.exists {
        return Some(existence.reason);
    }
    let dark = |square: Square| {
        let (row, col) = board.row_col(square);
        (row + col) % 2 == 1
    };
    let squares = board.squares();
    if let Some(end) = ends.into_iter().flatten().find(|&end| squares % 2 == 1 && dark(end)) {
        return Some(format!(
            "a tour of an odd number of squares starts and ends on the colour of the corners, and {} has the other colour",
            board.name(end)
        ));
    }
    let [Some(start), Some(end)] = ends else { return None };
    let (start_name, end_name) = (board.name(start), board.name(end));
    if ending == Ending::Closed && !board.adjacent(end, start) {
        return Some(format!("no knight's move leads from {end_name} back to {start_name}"));
    }
    if squares.is_multiple_of(2) && dark(start) == dark(end) {
        return Some(format!(
            "a tour of an even number of squares ends on the other colour, but {start_name} and {end_name} are of one colour"
        ));
    }
    (start == end && squares > 1)
        .then(|| format!("a tour of more than one square does not end on {start_name}, its start"))
}

pub(super) fn not_neighbours_message(board: Board) -> String {
    format!(
        "the constructed cycle on {board} does not lead from the requested end to the requested start; leave out one of them, or use edges"
    )
}

/// Which ends an open tour of the board can have.
pub(super) fn ends_message(board: Board) -> String {
    let piece = match board.rows().min(board.cols()) {
        SIDE_MIN.. => tiles::root(board),
        _ => LyingBoard::new(board).first_block(),
    };
    format!(
        "tiles has no open tour of {board} with the requested ends: both must lie in its first piece, rows 1 to {} and columns \
         1 to {} from the top left, and not every pair has a tour; use edges, or leave out the ends",
        piece.rows(),
        piece.cols()
    )
}
