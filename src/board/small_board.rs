//! Boards whose squares fit in a machine word: the knight graph as bit masks, for search kernels.

use super::rectangle::{Board, Square};
use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A set of squares in one word: `u64` holds boards of up to 64 squares, `u128` of up to 128.
pub trait SquareMask:
    Copy
    + Eq
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// The empty set.
    const EMPTY: Self;
    /// Number of squares that the set can hold.
    const SQUARES_MAX: usize;

    /// The set of the one square `index`.
    ///
    /// # Panics
    /// In debug builds when `index` is not below [`SquareMask::SQUARES_MAX`].
    fn bit(index: usize) -> Self;
    /// The number of squares.
    fn len(self) -> u32;
    /// The lowest square. For an empty set a number of [`SquareMask::SQUARES_MAX`] or more.
    fn first(self) -> usize;
    /// The set without its lowest square; an empty set stays empty.
    fn without_first(self) -> Self;

    /// Whether the set has no square.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether square `index` is in the set.
    #[inline(always)]
    fn has(self, index: usize) -> bool {
        !(self & Self::bit(index)).is_empty()
    }

    /// The squares, lowest first.
    #[inline(always)]
    fn iter(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            (!self.is_empty()).then(|| {
                let first = self.first();
                self = self.without_first();
                first
            })
        })
    }
}

macro_rules! mask {
    ($word:ty) => {
        impl SquareMask for $word {
            const EMPTY: Self = 0;
            const SQUARES_MAX: usize = <$word>::BITS as usize;

            #[inline(always)]
            fn bit(index: usize) -> Self {
                1 << index
            }
            #[inline(always)]
            fn len(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    };
}
mask!(u64);
mask!(u128);

/// Squares of the largest [`SmallBoard`].
pub const SMALL_SQUARES_MAX: usize = 128;

/// The entry of [`SmallBoard::steps`] for a move that leaves the board.
pub const OFF_BOARD: u8 = u8::MAX;

/// The knight graph of a board as masks. Its existence proves that the board has at most `M::SQUARES_MAX` squares.
#[derive(Clone, Debug)]
pub struct SmallBoard<M> {
    board: Board,
    neighbours: Box<[M]>,
    steps: Box<[[u8; 8]]>,
}

impl<M: SquareMask> SmallBoard<M> {
    /// The graph of `board`, or `None` when the board has more than `M::SQUARES_MAX` squares.
    pub fn new(board: Board) -> Option<SmallBoard<M>> {
        if board.squares() as usize > M::SQUARES_MAX {
            return None;
        }
        let neighbours =
            board.all().map(|s| board.neighbours(s).fold(M::EMPTY, |set, n| set | M::bit(n.index() as usize)));
        let step = |s: Square, k| board.step(s, k).map_or(OFF_BOARD, |t| t.index() as u8);
        let steps = board.all().map(|s| std::array::from_fn(|k| step(s, k)));
        Some(SmallBoard { board, neighbours: neighbours.collect(), steps: steps.collect() })
    }

    /// The board whose knight graph this is.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Number of squares, at most `M::SQUARES_MAX`.
    #[inline(always)]
    pub fn squares(&self) -> usize {
        self.neighbours.len()
    }

    /// Every square.
    pub fn all(&self) -> M {
        (0..self.squares()).fold(M::EMPTY, |set, s| set | M::bit(s))
    }

    /// The squares a knight's move away from `square`.
    ///
    /// # Panics
    /// When the square is not on the board.
    #[inline(always)]
    pub fn neighbours(&self, square: usize) -> M {
        self.neighbours[square]
    }

    /// The neighbour masks of all squares, for a kernel that copies them into its own state.
    pub fn neighbour_masks(&self) -> &[M] {
        &self.neighbours
    }

    /// The squares to which the eight moves lead from `square`, in the order of [`MOVES`](super::MOVES). [`OFF_BOARD`] for a
    /// move that leaves the board.
    ///
    /// # Panics
    /// When the square is not on the board.
    pub fn steps(&self, square: usize) -> &[u8; 8] {
        &self.steps[square]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_masks<M: SquareMask>(board: &str) {
        let board: Board = board.parse().unwrap();
        let small = SmallBoard::<M>::new(board).unwrap();
        assert_eq!((small.board(), small.squares()), (board, board.squares() as usize));
        assert!(small.all().iter().eq(0..small.squares()));
        assert_eq!(small.neighbour_masks().len(), small.squares());
        for square in board.all() {
            let at = square.index() as usize;
            let mut neighbours: Vec<_> = board.neighbours(square).map(|s| s.index() as usize).collect();
            neighbours.sort();
            assert!(small.neighbours(at).iter().eq(neighbours.iter().copied()), "{board} {at}");
            assert_eq!(small.neighbours(at).len(), board.degree(square));
            let steps = std::array::from_fn(|k| board.step(square, k).map_or(OFF_BOARD, |s| s.index() as u8));
            assert_eq!(small.steps(at), &steps);
        }
    }

    #[test]
    fn masks_hold_the_graph_of_the_board() {
        for board in ["1x1", "1x64", "3x4", "5x6", "8x8"] {
            check_masks::<u64>(board);
            check_masks::<u128>(board);
        }
        check_masks::<u128>("11x11");
        check_masks::<u128>("8x16");
    }

    #[test]
    fn a_board_that_the_mask_cannot_hold_is_refused() {
        assert!(SmallBoard::<u64>::new("5x13".parse().unwrap()).is_none());
        assert!(SmallBoard::<u128>::new("3x43".parse().unwrap()).is_none());
    }

    fn check_set<M: SquareMask>() {
        let last = M::SQUARES_MAX - 1;
        let set = M::bit(3) | M::bit(5) | M::bit(last);
        assert!(set.iter().eq([3, 5, last]));
        assert_eq!((set.len(), set.first(), set.has(5), set.has(4)), (3, 3, true, false));
        assert!(M::EMPTY.is_empty() && M::EMPTY.without_first().is_empty() && M::EMPTY.first() > last);
    }

    #[test]
    fn masks_are_sets() {
        check_set::<u64>();
        check_set::<u128>();
    }
}
