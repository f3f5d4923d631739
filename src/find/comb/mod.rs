//! Tours that are formulae: put together of pieces, so that the number of a square and the square of a number are computed
//! on a board of any size and never stored.
//!
//! A search finds the pieces when a tour is made; every seed gives other pieces. A board with both sides of at least five
//! is laid out in tiles, a board three or four wide in blocks. Both layouts are bands of pieces, each walked in the cut
//! of the piece before. Quadrants are Parberry's construction.
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
mod nest;
mod piece;
mod quadrants;
#[cfg(test)]
mod tests;
mod thin;
mod tiled;
mod tour;

pub use bands::Bands;
pub use quadrants::{Quadrants, Quarters};
pub use tiled::{Tiled, TiledLayout};
pub use tour::{Comb, CombError};
