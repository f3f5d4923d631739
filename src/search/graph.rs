//! The knight graph in the form that the innermost kernels need: neighbour masks without a bounds check, and the
//! neighbours of a whole set of squares at once.

use super::tally::DEPTHS;
use crate::board::{SmallBoard, SquareMask};

/// The knight graph of a board, for the innermost kernels.
#[derive(Clone, Debug)]
pub(super) struct KnightGraph<M> {
    squares: usize,
    /// By square, empty past the board. [`SquareMask::first`] is below [`DEPTHS`] even for the empty set, so that an index
    /// by it cannot fail.
    neighbours: [M; DEPTHS],
    /// Squares with at least one, or two, columns to the west and to the east of them.
    one_west: M,
    one_east: M,
    two_west: M,
    two_east: M,
    /// Number of squares in one row, and in two.
    row: u32,
    rows: u32,
}

impl<M: SquareMask> KnightGraph<M> {
    pub fn new(board: &SmallBoard<M>) -> KnightGraph<M> {
        let (rows, cols) = (board.board().rows() as usize, board.board().cols() as usize);
        let mut neighbours = [M::EMPTY; DEPTHS];
        neighbours[..board.squares()].copy_from_slice(board.neighbour_masks());
        let columns = |belongs: &dyn Fn(usize) -> bool| {
            (0..board.squares())
                .filter(|square| belongs(square % cols))
                .fold(M::EMPTY, |set, square| set | M::bit(square))
        };
        // A move by one column goes by two rows. A board without a third row has none, and there a shift by two rows could
        // be longer than a word.
        let [row, two_rows] = [1, 2].map(|n| if rows > n { (n * cols) as u32 } else { 0 });
        KnightGraph {
            squares: board.squares(),
            neighbours,
            one_west: columns(&|column| rows > 2 && column >= 1),
            one_east: columns(&|column| rows > 2 && column + 1 < cols),
            two_west: columns(&|column| rows > 1 && column >= 2),
            two_east: columns(&|column| rows > 1 && column + 2 < cols),
            row,
            rows: two_rows,
        }
    }

    /// Number of squares of the board.
    pub fn squares(&self) -> usize {
        self.squares
    }

    /// The neighbours of `square`; empty for a number past the board.
    #[inline(always)]
    pub fn neighbours(&self, square: usize) -> M {
        self.neighbours[square]
    }

    /// The neighbours of all squares of `set`; the result may hold numbers past the board.
    ///
    /// ```text
    ///   . f b f .     first one (b) or two (f) columns to either side of every square,
    ///   . . . . .     then two rows up and down for b, one row for f
    /// ```
    #[inline(always)]
    pub fn around(&self, set: M) -> M {
        let beside = ((set & self.one_west) >> 1) | ((set & self.one_east) << 1);
        let far = ((set & self.two_west) >> 2) | ((set & self.two_east) << 2);
        (beside << self.rows) | (beside >> self.rows) | (far << self.row) | (far >> self.row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<M: SquareMask>(board: &str, set: u128) {
        let small = SmallBoard::<M>::new(board.parse().unwrap()).unwrap();
        let graph = KnightGraph::new(&small);
        let squares = (0..small.squares()).filter(|square| set >> square & 1 == 1);
        let set = squares.clone().fold(M::EMPTY, |set, square| set | M::bit(square));
        let around = squares.fold(M::EMPTY, |around, square| around | small.neighbours(square));
        assert_eq!(graph.around(set) & small.all(), around, "{board} {set:?}");
    }

    proptest! {
        #[test]
        fn shifts_find_the_neighbours_of_every_set(set: u128) {
            for board in ["1x1", "1x64", "64x1", "2x32", "32x2", "3x21", "5x6", "8x8"] {
                check::<u64>(board, set);
                check::<u128>(board, set);
            }
            for board in ["1x128", "128x1", "2x64", "3x42", "11x11", "8x16"] {
                check::<u128>(board, set);
            }
        }
    }
}
