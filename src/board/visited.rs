//! The visited squares of a board, one bit each.

use super::rectangle::{Board, Square};
use crate::memory::filled;

/// The squares of one board that were visited.
#[derive(Clone, Debug)]
pub struct Visited(Vec<u64>);

impl Visited {
    /// No square of the board.
    pub fn new(board: Board) -> Visited {
        Visited(filled(0, board.squares() as usize / 64 + 1))
    }

    /// Visits a square; returns whether it was visited before.
    ///
    /// # Panics
    /// When the square is not on the board.
    #[inline]
    pub fn enter(&mut self, square: Square) -> bool {
        let (word, bit) = (&mut self.0[square.index() as usize / 64], 1 << (square.index() % 64));
        let before = *word & bit != 0;
        *word |= bit;
        before
    }
}
