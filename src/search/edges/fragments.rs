//! The position of an edge search: which squares still need moves, which of them are the two ends of one fragment, and
//! what is forced.
//!
//! ```text
//! a . . b    bare squares need two moves (. here), the two ends of a fragment one each (a and b are mates);
//! . x x .    a square inside a fragment (x) needs none and is gone from all masks, and with it every move to it,
//! . . . .    so that no move is ever deleted one by one.
//! ```
//!
//! The number of moves open to each square is not stored either. [`Degrees::of`] adds up eight shifted
//! copies of the live squares, for all squares at once, in some fifty instructions without a branch.

use crate::board::{SmallBoard, SquareMask};

/// Classes of squares by degree, bit by bit: degree = `odd` + 2 x (0, 1 if `two_up`, 2 or more if `four_up`).
#[derive(Clone, Copy)]
struct Degrees<M> {
    odd: M,
    two_up: M,
    four_up: M,
}

/// Records every move that is fixed, and for a view also why. What is not recorded costs nothing.
pub(crate) trait Record {
    /// Records the move between `a` and `b`; `fixed` moves were fixed before it.
    fn fix(&mut self, fixed: usize, a: usize, b: usize);

    /// The only moves left to `square` are fixed next: two if it is `bare`, else one.
    #[inline(always)]
    fn force(&mut self, _square: usize, _bare: bool) {}

    /// `square` has fewer moves open than it needs.
    #[inline(always)]
    fn too_few(&mut self, _square: usize) {}

    /// The moves left to `square` cannot all be fixed: a move forced before took one, or they close a fragment.
    #[inline(always)]
    fn unforced(&mut self, _square: usize) {}
}

/// Records nothing.
impl Record for () {
    #[inline(always)]
    fn fix(&mut self, _: usize, _: usize, _: usize) {}
}

/// The result of forced moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ForcedResult {
    /// Some square cannot get its moves any more.
    Dead,
    /// No more pieces are left than the given number.
    Few,
    /// No move is forced; this end of a fragment has the fewest moves open.
    Branch(usize),
}

/// A set of fragments without a common square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragments<M, const N: usize> {
    /// Squares that need a move.
    live: M,
    /// Squares that need two moves.
    bare: M,
    /// Ends whose mate is a knight's move away; the set holds no other live square.
    beside: M,
    /// By end of a fragment, its other end; a bare square is its own mate.
    mates: [u8; N],
}

impl<M: SquareMask> Degrees<M> {
    /// The number of neighbours in `live`, for every square; bits outside the board have no meaning.
    #[inline(always)]
    fn of(graph: &SmallBoard<M>, live: M) -> Degrees<M> {
        // One column aside, then two rows away; two columns aside, then one row away: two-bit sums of two squares each.
        let [[a, b], [c, d]] = graph.columns_aside(live);
        let [ones_below, ones_above, others_below, others_above] = graph.rows_apart(a ^ b, c ^ d);
        let [t1, t2, t3, t4] = graph.rows_apart(a & b, c & d);
        // Adding the four low bits carries up to three twos. Of t1, t2, t5 .. any two squares produce at most one.
        let (x, t5) = (ones_below ^ ones_above, ones_below & ones_above);
        let (y, t6) = (others_below ^ others_above, others_below & others_above);
        let t7 = x & y;
        let (p, q) = (t1 | t2 | t5, t3 | t4 | t6);
        let four_up = (t1 & t2) | (t3 & t4) | (p & q) | ((p | q) & t7);
        Degrees { odd: x ^ y, two_up: p | q | t7, four_up }
    }
}

impl<M: SquareMask, const N: usize> Fragments<M, N> {
    /// The position without a fixed move.
    pub(crate) fn new(graph: &SmallBoard<M>) -> Fragments<M, N> {
        Fragments { live: graph.all(), bare: graph.all(), beside: M::EMPTY, mates: std::array::from_fn(|s| s as u8) }
    }

    /// Squares that need a move.
    #[inline(always)]
    pub(crate) fn live(&self) -> M {
        self.live
    }

    #[inline(always)]
    pub(crate) fn ends(&self) -> M {
        self.live & !self.bare
    }

    /// The other end of the fragment of fixed moves that ends in `square`; a bare square is its own mate.
    #[inline(always)]
    pub(crate) fn mate(&self, square: usize) -> usize {
        usize::from(self.mates[square & (N - 1)])
    }

    /// Number of moves that a square still needs, 0..=2.
    #[inline(always)]
    pub(crate) fn needs(&self, square: usize) -> u8 {
        u8::from(self.live.has(square)) + u8::from(self.bare.has(square))
    }

    /// Number of fragments and bare squares.
    #[inline(always)]
    pub(crate) fn pieces(&self) -> usize {
        (self.live.len() + self.bare.len()) as usize / 2
    }

    /// Number of moves fixed so far.
    #[inline(always)]
    pub(crate) fn fixed(&self, graph: &SmallBoard<M>) -> usize {
        graph.squares() - self.pieces()
    }

    /// The squares to which `square` can be joined without closing its own fragment.
    #[inline(always)]
    pub(crate) fn options(&self, graph: &SmallBoard<M>, square: usize) -> M {
        graph.neighbours(square & (N - 1)) & self.live & !M::bit(self.mate(square))
    }

    /// Number of [`Fragments::options`] of a live square.
    #[inline(always)]
    pub(crate) fn degree(&self, graph: &SmallBoard<M>, square: usize) -> u32 {
        (graph.neighbours(square & (N - 1)) & self.live).len() - u32::from(self.beside.has(square))
    }

    /// Fixes the move between two live squares that are not mates.
    #[inline(always)]
    pub(crate) fn join(&mut self, graph: &SmallBoard<M>, record: &mut impl Record, a: usize, b: usize) {
        record.fix(self.fixed(graph), a, b);
        let (c, d) = (self.mate(a), self.mate(b));
        let both = M::bit(a) | M::bit(b);
        self.live &= !both | self.bare;
        self.bare &= !both;
        // Inside a fragment mates keep their old value, which is not read again.
        self.mates[c & (N - 1)] = d as u8;
        self.mates[d & (N - 1)] = c as u8;
        let ends = M::bit(c) | M::bit(d);
        let beside = if graph.neighbours(c).has(d) { ends } else { M::EMPTY };
        self.beside = (self.beside & !(both | ends)) | beside;
    }

    /// The position after the move between two live squares that are not mates.
    pub(crate) fn after(mut self, graph: &SmallBoard<M>, a: usize, b: usize) -> Fragments<M, N> {
        self.join(graph, &mut (), a, b);
        self
    }

    /// Makes forced moves until no move is forced, or at most `few` pieces (at least 2) are left.
    #[inline(always)]
    pub(crate) fn settle(&mut self, graph: &SmallBoard<M>, record: &mut impl Record, few: usize) -> ForcedResult {
        loop {
            if self.pieces() <= few {
                return ForcedResult::Few;
            }
            let Degrees { odd, two_up, four_up } = Degrees::of(graph, self.live);
            // The move that closes an end's own fragment counts in its degree, but is not open to it.
            let (beside, apart) = (self.beside, self.ends() & !self.beside);
            let (none, one) = (!(odd | two_up), odd & !two_up);
            let too_few = (self.bare & !two_up) | (apart & none) | (beside & one);
            if !too_few.is_empty() {
                record.too_few(too_few.first());
                return ForcedResult::Dead;
            }
            let (two, three) = (two_up & !odd & !four_up, two_up & odd & !four_up);
            let forced = ((self.bare | beside) & two) | (apart & one);
            if forced.is_empty() {
                let two_open = (apart & two) | (beside & three);
                return ForcedResult::Branch(if two_open.is_empty() {
                    self.narrowest(graph)
                } else {
                    two_open.first()
                });
            }
            for square in forced.iter() {
                if !self.force(graph, record, square) {
                    // With few pieces left this may be the end of a tour.
                    if self.pieces() > few {
                        record.unforced(square);
                        return ForcedResult::Dead;
                    }
                    break;
                }
            }
        }
    }

    /// Makes the only moves left to `square`; returns whether enough of them close no fragment.
    #[inline(always)]
    fn force(&mut self, graph: &SmallBoard<M>, record: &mut impl Record, square: usize) -> bool {
        if !self.live.has(square) {
            return true;
        }
        record.force(square, self.bare.has(square));
        let options = self.options(graph, square);
        if options.is_empty() {
            return false;
        }
        let first = options.first();
        if self.bare.has(square) {
            let others = options.without_first();
            if others.is_empty() || self.mate(first) == others.first() {
                return false;
            }
            self.join(graph, record, square, others.first());
        }
        self.join(graph, record, square, first);
        true
    }

    /// The end of a fragment with the fewest moves open; the lowest of several.
    #[inline]
    fn narrowest(&self, graph: &SmallBoard<M>) -> usize {
        self.ends().iter().min_by_key(|&end| self.options(graph, end).len()).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use proptest::prelude::*;

    fn graph<M: SquareMask>(board: &str) -> SmallBoard<M> {
        let board: Board = board.parse().unwrap();
        SmallBoard::new(board).unwrap()
    }

    fn check_degrees<M: SquareMask>(board: &str, random: u64) {
        let graph = graph::<M>(board);
        let mut random = fastrand::Rng::with_seed(random);
        let density = random.f64();
        let random = graph.all().iter().filter(|_| random.f64() < density);
        let live = random.fold(M::EMPTY, |set, square| set | M::bit(square));
        let Degrees { odd, two_up, four_up } = Degrees::of(&graph, live);
        for square in graph.all().iter() {
            let degree = (graph.neighbours(square) & live).len();
            let class = (odd.has(square), two_up.has(square), four_up.has(square));
            assert_eq!(class, (degree % 2 == 1, degree >= 2, degree >= 4), "{board} {square}");
        }
    }

    proptest! {
        #[test]
        fn degrees_by_shifts_are_those_of_the_graph(random: u64) {
            for board in ["3x3", "8x8", "5x12", "12x5", "3x21", "21x3"] {
                check_degrees::<u64>(board, random);
                check_degrees::<u128>(board, random);
            }
            for board in ["11x11", "3x42", "42x3", "8x16", "16x8"] {
                check_degrees::<u128>(board, random);
            }
        }
    }

    /// ```text
    /// 0  .  .  .  4     0 - 7 is fixed, then 4 - 7: the ends are 0 and 4, not a move apart, and 10 - 7 is no longer
    /// .  .  7  .  .     open.
    /// 10 .  .  .  .
    /// ```
    #[test]
    fn joined_squares_become_ends_and_then_disappear() {
        let graph = graph::<u64>("3x5");
        let mut position = Fragments::<_, 16>::new(&graph);
        assert_eq!((position.pieces(), position.fixed(&graph)), (15, 0));
        position.join(&graph, &mut (), 0, 7);
        assert_eq!((position.mate(0), position.mate(7)), (7, 0));
        assert_eq!(position.beside, u64::bit(0) | u64::bit(7), "their own move would close them");
        assert_eq!(position.options(&graph, 7), u64::bit(4) | u64::bit(10) | u64::bit(14));
        assert_eq!(position.options(&graph, 0), u64::bit(11));
        position.join(&graph, &mut (), 4, 7);
        assert_eq!((position.mate(0), position.mate(4)), (4, 0));
        assert_eq!((position.live.has(7), position.beside), (false, 0));
        assert_eq!(position.ends(), u64::bit(0) | u64::bit(4));
        assert_eq!((position.pieces(), position.fixed(&graph)), (13, 2));
        assert_eq!(position.options(&graph, 10), u64::bit(1), "7 is gone");
    }

    #[test]
    fn corners_are_forced_and_a_lone_square_is_dead() {
        let mut position = Fragments::<_, 64>::new(&graph::<u64>("6x6"));
        let graph_6x6 = graph::<u64>("6x6");
        assert!(matches!(position.settle(&graph_6x6, &mut (), 2), ForcedResult::Branch(_)));
        assert_eq!(position.fixed(&graph_6x6), 8);
        for corner in [0, 5, 30, 35] {
            assert!(!position.live.has(corner));
        }
        let mut position = Fragments::<_, 16>::new(&graph::<u64>("3x3"));
        assert_eq!(position.settle(&graph::<u64>("3x3"), &mut (), 2), ForcedResult::Dead);
        let mut position = Fragments::<_, 16>::new(&graph::<u64>("3x4"));
        assert_eq!(position.settle(&graph::<u64>("3x4"), &mut (), 12), ForcedResult::Few);
    }
}
