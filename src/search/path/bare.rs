//! The recursion of the sparse gear: its state lies in registers and on the machine stack alone.

use super::origin::Origin;
use super::rules::{Exits, PathGraph, VacantSquares, several};
use crate::board::{SMALL_SQUARES_MAX, SquareMask, Symmetries};
use crate::search::kernel::{Tally, TourSink};
use crate::system::at_best_level;
use std::ops::AddAssign;

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct SubtreeCounts {
    /// Squares entered.
    pub nodes: u64,
    pub tours: u64,
}

impl AddAssign for SubtreeCounts {
    fn add_assign(&mut self, more: SubtreeCounts) {
        self.nodes += more.nodes;
        self.tours += more.tours;
    }
}

/// Vacant squares, the last one not included, at which one path remains: see [`PathRecursion::walk_to_last`].
const ONE_WAY: u32 = 4;

/// The recursion, without its position. With `WATCHED` it records the path, counts by depth and hands out tours.
///
/// The two walks take what a [`VacantSquares`] holds as arguments of their own: `vacant` and the planes of the exits. As one
/// value it lies in memory, and where the compiler copies it by vectors from words just written, a walk takes an eighth longer.
pub struct PathRecursion<'a, M, const WATCHED: bool> {
    pub graph: &'a PathGraph<M>,
    pub origin: &'a Origin<M>,
    /// The required last square, while there is one.
    pub last: usize,
    /// The squares on the path, up to the current depth.
    pub way: [u8; SMALL_SQUARES_MAX],
    /// Receives the counts that are not returned: dead ends, and all counts by depth.
    pub tally: &'a mut Tally,
    /// Whether to count by depth.
    pub levels: bool,
    /// The symmetries, if classes are counted; `WATCHED` is set then.
    pub classes: Option<&'a Symmetries>,
    pub sink: Option<&'a mut dyn TourSink>,
}

impl<M: SquareMask, const WATCHED: bool> PathRecursion<'_, M, WATCHED> {
    /// Enters every square of `moves` and everything below, with `last` required last. Counts tours with their weight.
    #[inline(always)]
    pub fn require(&mut self, last: usize, mut rest: VacantSquares<M>, moves: M) -> SubtreeCounts {
        rest.vacant &= !M::bit(last);
        self.last = last;
        let Exits(p, q, r) = rest.exits;
        let mut below = self.walk_to_last(rest.vacant, p, q, r, moves, self.graph.neighbours(last));
        if !WATCHED {
            below.tours *= self.origin.weight(last);
        }
        below
    }

    at_best_level! {
        /// Enters every square of `moves` and everything below; the last square is known, and `gate` holds its neighbours.
        ///
        /// Where the rules leave moves and at most four squares are vacant besides the last one, there is exactly one path to
        /// the end, so it is counted and not walked. Take four squares: b and B on the colour of the last square L, w and W on
        /// the other; the head is on the colour of w and W. Then w and W have two exits each among b, B and L, and b and B have
        /// theirs among w and W. If the head forces no move, b and B both have w and W as exits. No two squares have more than
        /// two neighbours in common, so the head has only one of b and B as a neighbour, and only one of w and W is a neighbour
        /// of L: the order is determined. If the head forces b, whose other exit is w, then B has both w and W. Since W is not
        /// a neighbour of b, W is a neighbour of L: head b w B W L. With fewer squares the argument has fewer cases.
        fn walk_to_last, walk_to_last_by_v3, walk_to_last_by_any of Self
            (self: &mut Self, vacant: M, p: M, q: M, r: M, moves: M, gate: M) -> SubtreeCounts {
            let mut moves = moves;
            let mut below = SubtreeCounts::default();
            while !moves.is_empty() {
                let mut square = moves.first();
                moves = moves.without_first();
                let mut rest = VacantSquares { vacant: vacant ^ M::bit(square), exits: Exits(p, q, r) };
                loop {
                    below.nodes += 1;
                    let depth = self.graph.squares() - 1 - rest.vacant.len() as usize;
                    self.note(square, depth);
                    let next = self.graph.moves_to_last(&mut rest, square, gate);
                    if several(next) {
                        let next = self.graph.sparing_moves_to_last(&rest, next, gate);
                        if next.is_empty() {
                            self.dead_end(depth);
                        } else {
                            let Exits(p, q, r) = rest.exits;
                            below += self.walk_to_last(rest.vacant, p, q, r, next, gate);
                        }
                        break;
                    }
                    if next.is_empty() {
                        if rest.vacant.is_empty() {
                            below += self.tour();
                        } else {
                            self.dead_end(depth);
                        }
                        break;
                    }
                    if !WATCHED && rest.vacant.len() <= ONE_WAY {
                        below += SubtreeCounts { nodes: u64::from(rest.vacant.len()) + 1, tours: 1 };
                        break;
                    }
                    square = next.first();
                    rest.vacant ^= next;
                }
            }
            below
        }
    }

    /// Enters every square of `moves` and everything below while no square is required last.
    #[inline(always)]
    pub fn walk(&mut self, rest: VacantSquares<M>, moves: M) -> SubtreeCounts {
        let Exits(p, q, r) = rest.exits;
        self.walk_to_any(rest.vacant, p, q, r, moves)
    }

    at_best_level! {
        /// As [`PathRecursion::walk`].
        fn walk_to_any, walk_to_any_by_v3, walk_to_any_by_any of Self
            (self: &mut Self, vacant: M, p: M, q: M, r: M, moves: M) -> SubtreeCounts {
            let mut moves = moves;
            let mut below = SubtreeCounts::default();
            while !moves.is_empty() {
                let mut square = moves.first();
                moves = moves.without_first();
                let mut rest = VacantSquares { vacant: vacant ^ M::bit(square), exits: Exits(p, q, r) };
                loop {
                    below.nodes += 1;
                    let depth = self.graph.squares() - rest.vacant.len() as usize;
                    self.note(square, depth);
                    let (mut next, stranded) = self.graph.moves_to_any(&mut rest, square, self.origin.ends);
                    if stranded.is_empty() && several(next) {
                        next = self.graph.sparing_moves_to_any(&rest, next, self.origin.ends);
                    }
                    if next.is_empty() {
                        self.dead_end(depth);
                        break;
                    }
                    if stranded.is_empty() && several(next) {
                        below += self.walk(rest, next);
                        break;
                    }
                    // A square left behind is the last one. There is none only if all stranded squares are entered next.
                    for last in stranded.iter() {
                        let next = next & !M::bit(last);
                        if !next.is_empty() {
                            below += self.require(last, rest, next);
                        }
                    }
                    if several(stranded) {
                        break;
                    }
                    let on = if stranded.is_empty() { next } else { stranded };
                    square = on.first();
                    rest.vacant ^= on;
                }
            }
            below
        }
    }

    #[inline(always)]
    fn note(&mut self, square: usize, depth: usize) {
        if WATCHED {
            self.way[depth - 1] = square as u8;
            if self.levels {
                self.tally.nodes_by_depth[depth] += 1;
            }
        }
    }

    #[inline(always)]
    fn dead_end(&mut self, depth: usize) {
        self.tally.pruned += 1;
        if WATCHED && self.levels {
            self.tally.pruned_by_depth[depth] += 1;
        }
    }

    /// Counts a tour that needs only its last square.
    #[inline(always)]
    fn tour(&mut self) -> SubtreeCounts {
        let squares = self.graph.squares();
        self.note(self.last, squares);
        let tours = match (&mut self.sink, self.classes) {
            (Some(sink), _) if WATCHED => sink.tour(&self.way[..squares]),
            (None, Some(symmetries)) if WATCHED => self.origin.class_weight(symmetries, &self.way[..squares]),
            (None, None) if WATCHED => self.origin.weight(self.last),
            _ => 1,
        };
        SubtreeCounts { nodes: 1, tours }
    }
}
