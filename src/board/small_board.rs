//! Boards whose squares fit in a machine word: the knight graph as bit masks, for search kernels.

use super::rectangle::{Board, Square};
use super::shape::Shape;
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

/// Number of values of a byte.
const BYTES: usize = 256;

/// The entry of [`SmallBoard::steps`] for a move that leaves the board.
pub const OFF_BOARD: u8 = u8::MAX;

/// The knight graph of a board as masks. Its existence proves that the board has at most `M::SQUARES_MAX` squares.
///
/// A hole is in no mask, as if it were past the board. Squares keep the numbers that they have on the board.
#[derive(Clone, Debug)]
pub struct SmallBoard<M> {
    board: Board,
    squares: usize,
    all: M,
    /// By square, empty for a hole and past the board. An index by a byte cannot fail, nor one by [`SquareMask::first`], which is at most
    /// [`SMALL_SQUARES_MAX`], even for the empty set.
    neighbours: [M; BYTES],
    /// Squares with at least one column, and at least two columns, to the west of them.
    west: [M; 2],
    /// Squares with at least one column, and at least two columns, to the east of them.
    east: [M; 2],
    /// Number of squares in one row, and in two rows.
    rows: [u32; 2],
    steps: Box<[[u8; 8]]>,
}

impl<M: SquareMask> SmallBoard<M> {
    /// The graph of `shape`, or `None` when its board has more than `M::SQUARES_MAX` squares, holes included.
    pub fn new(shape: impl Into<Shape>) -> Option<SmallBoard<M>> {
        let shape: Shape = shape.into();
        let (board, cols) = (shape.board(), shape.board().cols());
        if board.squares() as usize > M::SQUARES_MAX {
            return None;
        }
        let bits = |squares: &mut dyn Iterator<Item = Square>| {
            squares.fold(M::EMPTY, |set, square| set | M::bit(square.index() as usize))
        };
        let mut neighbours = [M::EMPTY; BYTES];
        for (masks, square) in neighbours.iter_mut().zip(board.all()) {
            *masks = bits(&mut shape.neighbours(square));
        }
        // A move may pass over a hole, so these sets hold them.
        let set =
            |belongs: &dyn Fn(u32) -> bool| bits(&mut board.all().filter(|square| belongs(square.index() % cols)));
        // A move by one column goes by two rows. A board without a third row has none, and there a shift by two rows could
        // be longer than a word.
        let has = |rows_apart: u32| board.rows() > rows_apart;
        let step = |s: Square, k| board.step(s, k).filter(|&t| shape.has(t)).map_or(OFF_BOARD, |t| t.index() as u8);
        Some(SmallBoard {
            board,
            squares: shape.squares() as usize,
            all: bits(&mut shape.all()),
            neighbours,
            west: [1, 2].map(|by| set(&|col| has(3 - by) && col >= by)),
            east: [1, 2].map(|by| set(&|col| has(3 - by) && col + by < cols)),
            rows: [1, 2].map(|by| if has(by) { by * cols } else { 0 }),
            steps: board.all().map(|s| std::array::from_fn(|k| step(s, k))).collect(),
        })
    }

    /// The board whose knight graph this is.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Number of squares of a tour, at most `M::SQUARES_MAX`. Where there are holes, a square may have a greater number.
    #[inline(always)]
    pub fn squares(&self) -> usize {
        self.squares
    }

    #[inline(always)]
    pub fn all(&self) -> M {
        self.all
    }

    /// The squares a knight's move away from `square`; empty for a hole and for a number past the board.
    ///
    /// # Panics
    /// When the number is greater than 255.
    #[inline(always)]
    pub fn neighbours(&self, square: usize) -> M {
        self.neighbours[square]
    }

    /// The neighbour masks of all squares of the board.
    pub fn neighbour_masks(&self) -> &[M] {
        &self.neighbours[..self.board.squares() as usize]
    }

    /// The first half of every move from the squares of `set`: one column to the west and to the east, then two columns to
    /// the west and to the east. [`SmallBoard::rows_apart`] makes the second half.
    #[inline(always)]
    pub fn columns_aside(&self, set: M) -> [[M; 2]; 2] {
        let ([one_west, two_west], [one_east, two_east]) = (self.west, self.east);
        // A square one column to the west of another one has a column to the east of it.
        [[(set >> 1) & one_east, (set << 1) & one_west], [(set >> 2) & two_east, (set << 2) & two_west]]
    }

    /// The second half of every move: `beside` two rows down and up, `far` one row down and up. The results may hold numbers
    /// past the board.
    #[inline(always)]
    pub fn rows_apart(&self, beside: M, far: M) -> [M; 4] {
        let [row, two_rows] = self.rows;
        [beside << two_rows, beside >> two_rows, far << row, far >> row]
    }

    /// The neighbours of all squares of `set`; the result may hold numbers past the board.
    ///
    /// ```text
    ///   . f b f .     first one (b) or two (f) columns to either side of every square,
    ///   . . . . .     then two rows up and down for b, one row for f
    /// ```
    #[inline(always)]
    pub fn around(&self, set: M) -> M {
        let [[b, other_b], [f, other_f]] = self.columns_aside(set);
        let [s, t, u, v] = self.rows_apart(b | other_b, f | other_f);
        s | t | u | v
    }

    /// The squares to which the eight moves lead from `square`, in the order of [`MOVES`](super::MOVES). [`OFF_BOARD`] for a
    /// move that leaves the board or leads to a hole.
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
    use proptest::prelude::*;

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
        assert!((small.squares()..BYTES).all(|past| small.neighbours(past).is_empty()));
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
        assert!(SmallBoard::<u64>::new("5x13".parse::<Shape>().unwrap()).is_none());
        assert!(SmallBoard::<u128>::new("3x43".parse::<Shape>().unwrap()).is_none());
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

    fn check_around<M: SquareMask>(board: &str, set: u128) {
        let small = SmallBoard::<M>::new(board.parse::<Shape>().unwrap()).unwrap();
        let squares = (0..small.squares()).filter(|square| set >> square & 1 == 1);
        let set = squares.clone().fold(M::EMPTY, |set, square| set | M::bit(square));
        let around = squares.fold(M::EMPTY, |around, square| around | small.neighbours(square));
        assert_eq!(small.around(set) & small.all(), around, "{board} {set:?}");
    }

    proptest! {
        #[test]
        fn shifts_find_the_neighbours_of_every_set(set: u128) {
            for board in ["1x1", "1x64", "64x1", "2x32", "32x2", "3x21", "5x6", "8x8"] {
                check_around::<u64>(board, set);
                check_around::<u128>(board, set);
            }
            for board in ["1x128", "128x1", "2x64", "3x42", "11x11", "8x16"] {
                check_around::<u128>(board, set);
            }
        }
    }
}
