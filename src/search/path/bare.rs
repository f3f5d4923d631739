//! The recursion of the sparse gear: it keeps its place in registers and on the machine's stack alone.

use super::origin::Origin;
use super::rules::{PathGraph, VacantSquares, several};
use crate::board::{SMALL_SQUARES_MAX, SquareMask, Symmetries};
use crate::search::tally::{Tally, TourSink};
use std::ops::AddAssign;

/// What lies below a square.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Below {
    /// Squares entered.
    pub nodes: u64,
    /// Tours found.
    pub tours: u64,
}

impl AddAssign for Below {
    fn add_assign(&mut self, more: Below) {
        self.nodes += more.nodes;
        self.tours += more.tours;
    }
}

/// Vacant squares, the last one not among them, from which on there is no more to search: see [`PathRecursion::walk_to_last`].
const ONE_WAY: u32 = 4;

/// What the recursion needs besides its place. With `WATCHED` it keeps the way, counts by depth and hands out tours.
pub struct PathRecursion<'a, M, const WATCHED: bool> {
    pub graph: &'a PathGraph<M>,
    pub origin: &'a Origin<M>,
    /// The required last square, while there is one.
    pub last: usize,
    /// The squares on the path, as many as the depth tells.
    pub way: [u8; SMALL_SQUARES_MAX],
    /// Takes the counts that are not returned: dead ends, and all by depth.
    pub tally: &'a mut Tally,
    /// Whether to count by depth.
    pub levels: bool,
    /// If classes are counted; it is WATCHED then.
    pub classes: Option<&'a Symmetries>,
    pub sink: Option<&'a mut dyn TourSink>,
}

impl<M: SquareMask, const WATCHED: bool> PathRecursion<'_, M, WATCHED> {
    /// Enters every square of `moves` and all below, `last` being required last. Counts tours with their weight.
    pub fn require(&mut self, last: usize, mut ground: VacantSquares<M>, moves: M) -> Below {
        ground.vacant &= !M::bit(last);
        self.last = last;
        let mut below = self.walk_to_last(ground, moves, self.graph.neighbours(last));
        if !WATCHED {
            below.tours *= self.origin.weight(last);
        }
        below
    }

    /// Enters every square of `moves` and all below, the last square being known and `gate` its neighbours.
    ///
    /// Where the rules leave moves and no more than four squares are vacant besides the last one, there is exactly one
    /// way to go on, and nobody needs to go it. Take four, b and B on the colour of the last square L, w and W on the
    /// other, with the head: w and W have two exits each among b, B and L, and b and B have theirs among w and W. If
    /// the head forces no move, b and B both have w and W as exits; no two squares have more than two neighbours in
    /// common, so the head has but one of b and B to go to, and only one of w and W is a neighbour of L: the order is
    /// settled. If it forces b, whose other exit be w, then B has both w and W, and since W is no neighbour of b, W is
    /// one of L: head b w B W L. With fewer squares it is the same with less.
    fn walk_to_last(&mut self, ground: VacantSquares<M>, mut moves: M, gate: M) -> Below {
        let mut below = Below::default();
        while !moves.is_empty() {
            let mut square = moves.first();
            moves = moves.without_first();
            let mut ground = VacantSquares { vacant: ground.vacant ^ M::bit(square), ..ground };
            loop {
                below.nodes += 1;
                let depth = self.graph.squares() - 1 - ground.vacant.len() as usize;
                self.note(square, depth);
                let next = self.graph.moves_to_last(&mut ground, square, gate);
                if several(next) {
                    let next = self.graph.sparing_moves_to_last(&ground, next, gate);
                    if next.is_empty() {
                        self.dead_end(depth);
                    } else {
                        below += self.walk_to_last(ground, next, gate);
                    }
                    break;
                }
                if next.is_empty() {
                    if ground.vacant.is_empty() {
                        below += self.tour();
                    } else {
                        self.dead_end(depth);
                    }
                    break;
                }
                if !WATCHED && ground.vacant.len() <= ONE_WAY {
                    below += Below { nodes: u64::from(ground.vacant.len()) + 1, tours: 1 };
                    break;
                }
                square = next.first();
                ground.vacant ^= next;
            }
        }
        below
    }

    /// Enters every square of `moves` and all below while no square is required last.
    pub fn walk_to_any(&mut self, ground: VacantSquares<M>, mut moves: M) -> Below {
        let mut below = Below::default();
        while !moves.is_empty() {
            let mut square = moves.first();
            moves = moves.without_first();
            let mut ground = VacantSquares { vacant: ground.vacant ^ M::bit(square), ..ground };
            loop {
                below.nodes += 1;
                let depth = self.graph.squares() - ground.vacant.len() as usize;
                self.note(square, depth);
                let (mut next, stranded) = self.graph.moves_to_any(&mut ground, square, self.origin.ends);
                if stranded.is_empty() && several(next) {
                    next = self.graph.sparing_moves_to_any(&ground, next, self.origin.ends);
                }
                if next.is_empty() {
                    self.dead_end(depth);
                    break;
                }
                if stranded.is_empty() && several(next) {
                    below += self.walk_to_any(ground, next);
                    break;
                }
                // A square left behind is the last one. Only if all stranded squares are entered next is there none.
                for last in stranded.iter() {
                    let next = next & !M::bit(last);
                    if !next.is_empty() {
                        below += self.require(last, ground, next);
                    }
                }
                if several(stranded) {
                    break;
                }
                let on = if stranded.is_empty() { next } else { stranded };
                square = on.first();
                ground.vacant ^= on;
            }
        }
        below
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
    fn tour(&mut self) -> Below {
        let squares = self.graph.squares();
        self.note(self.last, squares);
        let tours = match (&mut self.sink, self.classes) {
            (Some(sink), _) if WATCHED => sink.tour(&self.way[..squares]),
            (None, Some(symmetries)) if WATCHED => self.origin.worth(symmetries, &self.way[..squares]),
            (None, None) if WATCHED => self.origin.weight(self.last),
            _ => 1,
        };
        Below { nodes: 1, tours }
    }
}
