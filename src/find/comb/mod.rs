//! Tours put together of pieces, that are formulae: the number of a square and the square of a number are worked out,
//! whatever the size of the board.
//!
//! The pieces are found by `lace` when they are needed, other ones for every seed. Boards whose sides are at least
//! five are laid out in `tiles`, those three or four wide in blocks (`thin`); both are `bands` of pieces, each
//! walked in the cut of the one before (`nest`). `quadrants` is Parberry's construction.
//!
//! ```
//! # use destrier::board::{Board, Ending, Route};
//! # use destrier::find::comb::Comb;
//! let board: Board = "60000x60000".parse()?;
//! let comb = Comb::new(board, Ending::Closed, [None; 2], 1)?;
//! let middle = board.square(30_000, 30_000).ok_or("on the board")?;
//! let number = comb.number_of(middle).ok_or("visited")?;
//! assert_eq!(comb.square_at(number), Some(middle));
//! let next = comb.square_at(number + 1).ok_or("not the last")?;
//! assert!(board.adjacent(middle, next));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Source
//! A. Conrad, T. Hindrichs, H. Morsy and I. Wegener, "Solution of the knight's Hamiltonian path problem on chessboards",
//! Discrete Applied Mathematics 50, 1994, for the k-th square of such a tour in a constant number of operations. The
//! comb and the blocks of thin boards are this program's own.

mod bands;
mod lace;
mod nest;
mod piece;
mod quadrants;
mod stretch;
#[cfg(test)]
mod tests;
mod thin;
mod tiled;
mod tiles;

pub use bands::Bands;
pub use quadrants::{Quadrants, Quarters};
pub use tiled::{Layout, Tiled};

use crate::board::{Board, Ending, Route, Square};
use crate::find::strands::Ends;
use thin::Lying;
use tiles::SIDE_MIN;

/// A tour in tiles, or in blocks; see the module.
pub type Comb = Tiled<Bands>;

/// Why there is no comb as it was asked for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CombError {
    /// There is no such tour at all.
    #[error("{board} has no such {} tour: {reason}", ending.name())]
    NoTour {
        /// The board.
        board: Board,
        /// Open or closed.
        ending: Ending,
        /// Why.
        reason: String,
    },
    /// Quadrants are not made for the board.
    #[error("quadrants takes boards of n x n and n x (n + 2) squares, n even and at least 6, not {0}; tiles takes any")]
    Sides(Board),
    /// The two ends are not next to each other on the cycle that was laid, or no path leads from one to the other.
    #[error("{0}")]
    Ends(String),
}

impl Comb {
    /// A tour of a board with this ending. Where there is a closed one, an open one is a closed one as well, unless both
    /// ends are given and there is a path between them. The same seed gives the same tour.
    ///
    /// # Errors
    /// [`CombError`] when the board has no such tour, or when it cannot start and end where it is to.
    pub fn new(board: Board, ending: Ending, ends: [Option<Square>; 2], seed: u64) -> Result<Comb, CombError> {
        if let Some(reason) = against(board, ending, ends) {
            return Err(CombError::NoTour { board, ending, reason });
        }
        let mut random = fastrand::Rng::with_seed(seed);
        if board.existence(Ending::Closed).exists {
            let cycle = lay_cycle(board, &mut random).unwrap_or_else(|| unreachable!("every kind of cycle is found"));
            if let Some(comb) = Tiled::round(board, ending, cycle, ends) {
                return Ok(comb);
            }
        }
        if ending == Ending::Closed {
            return Err(CombError::Ends(not_neighbours(board)));
        }
        let [start, end] = ends;
        let mut lay = |ends| lay_path(board, ends, &mut random);
        let path = lay([start, end]).map(|path| (path, false)).or_else(|| lay([end, start]).map(|path| (path, true)));
        let (path, backwards) = path.ok_or_else(|| CombError::Ends(where_ends_may_lie(board)))?;
        Ok(Tiled::open(board, path, backwards))
    }

    /// Writes the numbers, from 0, of the squares of a row, from 0 at the top: one for every column. Rows are independent
    /// of each other, and so may be written by several threads.
    ///
    /// # Panics
    /// When there is no such row, or it is not as long.
    pub fn number_row(&self, row: u32, numbers: &mut [u32]) {
        let board = self.board();
        assert!(row < board.rows() && numbers.len() == board.cols() as usize, "a row of {board}");
        self.layout().number_row(row, numbers);
        if !self.is_plain() {
            numbers.iter_mut().for_each(|number| *number = self.number(*number));
        }
    }
}

/// Why there is no such tour at all, if there is none.
fn against(board: Board, ending: Ending, ends: [Option<Square>; 2]) -> Option<String> {
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
            "a tour of an odd number of squares starts and ends on the colour of the corners, and {} is of the other",
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
            "a tour of an even number of squares ends on the other colour, but {start_name} and {end_name} are of one"
        ));
    }
    (start == end && squares > 1)
        .then(|| format!("a tour of more than one square does not end on {start_name}, its start"))
}

fn lay_cycle(board: Board, random: &mut fastrand::Rng) -> Option<Bands> {
    match board.rows().min(board.cols()) {
        SIDE_MIN.. => tiles::lay(board, Ends::Closed, random),
        _ => Lying::new(board).three_closed(random),
    }
}

fn lay_path(board: Board, ends: [Option<Square>; 2], random: &mut fastrand::Rng) -> Option<Bands> {
    let lying = Lying::new(board);
    let laid = ends.map(|end| end.map(|end| lying.lay(end)));
    match lying.board.rows() {
        SIDE_MIN.. => tiles::lay(board, tiles::root_ends(board, ends)?, random),
        4 => lying.four_open(laid, random),
        3 => lying.three_open(laid, random),
        _ => Some(lying.alone()),
    }
}

fn not_neighbours(board: Board) -> String {
    format!("the cycle laid on {board} does not lead from that end to that start; leave one of them open, or use edges")
}

/// What ends an open tour of a board can have.
fn where_ends_may_lie(board: Board) -> String {
    let piece = match board.rows().min(board.cols()) {
        SIDE_MIN.. => tiles::root(board),
        _ => Lying::new(board).first_block(),
    };
    format!(
        "tiles has no open tour of {board} with these ends: they must lie in its first piece, rows 1 to {} and columns \
         1 to {} from the top left, and not every pair will do; use edges, or leave them open",
        piece.rows(),
        piece.cols()
    )
}
