//! A square of a board.

/// A square, by its number on its board: from 0, row by row from the top left.
///
/// Only a [`Board`](super::Board) makes one, so it lies on that board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u32);

impl Square {
    pub(super) fn from_index(index: u32) -> Square {
        Square(index)
    }

    /// The number of the square, from 0.
    pub fn index(self) -> u32 {
        self.0
    }
}

impl From<Square> for u32 {
    fn from(square: Square) -> u32 {
        square.index()
    }
}
