//! The last few pieces: every way to string them together, walked from one end of a fragment to its mate.
//!
//! With few pieces left, looking for forced moves costs more than it saves in dead ends. The walk tries every open
//! neighbour of its head. The neighbour leads through its piece to that piece's other end, the new head:
//!
//! ```text
//! head -- x ~~~ mate of x = new head -- y ~~~ mate of y .. -- tail
//! ```
//!
//! The last step is counted, not taken: it leads to those neighbours of the head in the last piece whose mate is a
//! neighbour of the tail.

use super::expand::MoveLog;
use super::fragments::{Fragments, Record};
use crate::board::{SmallBoard, SquareMask};
use crate::system::at_best_level;

/// A walk through the open pieces of a position.
struct FragmentWalk<'a, M, const N: usize> {
    graph: &'a SmallBoard<M>,
    position: &'a Fragments<M, N>,
    /// The square that the last move leads to: the mate of the first head.
    tail: usize,
    /// Squares that can be entered last: their mate is a neighbour of the tail.
    last: M,
}

/// Number of tours that contain the position, which has at least one fragment.
#[inline(always)]
pub(crate) fn count<M: SquareMask, const N: usize>(graph: &SmallBoard<M>, position: &Fragments<M, N>) -> u64 {
    let (walk, head, open) = FragmentWalk::new(graph, position);
    match position.pieces() {
        1 => u64::from(graph.neighbours(head).has(walk.tail)),
        2 => u64::from((graph.neighbours(head) & open & walk.last).len()),
        3 => walk.count_two(head, open),
        pieces => walk.count(head, open, pieces - 1),
    }
}

/// Calls `found` with every tour that contains the position. The position has at least one fragment, and its moves are
/// in `log`; at each call the log holds all moves of the tour.
pub(crate) fn each<M: SquareMask, const N: usize>(
    graph: &SmallBoard<M>,
    position: &Fragments<M, N>,
    log: &mut MoveLog<N>,
    found: &mut dyn FnMut(&MoveLog<N>),
) {
    let (walk, head, open) = FragmentWalk::new(graph, position);
    walk.each(log, position.fixed(graph), head, open, found);
}

impl<'a, M: SquareMask, const N: usize> FragmentWalk<'a, M, N> {
    #[inline(always)]
    fn new(graph: &'a SmallBoard<M>, position: &'a Fragments<M, N>) -> (FragmentWalk<'a, M, N>, usize, M) {
        let head = position.ends().first();
        let tail = position.mate(head);
        let open = position.live() & !(M::bit(head) | M::bit(tail));
        let entries = (graph.neighbours(tail) & open).iter();
        let last = entries.fold(M::EMPTY, |set, square| set | M::bit(position.mate(square)));
        (FragmentWalk { graph, position, tail, last }, head, open)
    }

    at_best_level! {
        /// Number of paths from `head` through all `pieces` (at least 3) open ones to the tail.
        fn count, count_by_v3, count_by_any of Self (self: &Self, head: usize, open: M, pieces: usize) -> u64 {
            let mut ways = 0;
            for entry in (self.graph.neighbours(head) & open).iter() {
                let exit = self.position.mate(entry);
                let rest = open & !(M::bit(entry) | M::bit(exit));
                if (rest & self.last).is_empty() {
                    continue;
                }
                ways += if pieces == 3 { self.count_two(exit, rest) } else { self.count(exit, rest, pieces - 1) };
            }
            ways
        }
    }

    /// Number of paths from `head` through both open pieces to the tail.
    #[inline(always)]
    fn count_two(&self, head: usize, open: M) -> u64 {
        let last = open & self.last;
        let ways = |entry| {
            let exit = self.position.mate(entry);
            (self.graph.neighbours(exit) & last & !(M::bit(entry) | M::bit(exit))).len()
        };
        (self.graph.neighbours(head) & open).iter().map(|entry| u64::from(ways(entry))).sum()
    }

    /// Records every path from `head` through the open pieces to the tail and calls `found` for each.
    fn each(&self, log: &mut MoveLog<N>, fixed: usize, head: usize, open: M, found: &mut dyn FnMut(&MoveLog<N>)) {
        if open.is_empty() {
            if self.graph.neighbours(head).has(self.tail) {
                log.fix(fixed, head, self.tail);
                found(log);
            }
            return;
        }
        for entry in (self.graph.neighbours(head) & open).iter() {
            let exit = self.position.mate(entry);
            let rest = open & !(M::bit(entry) | M::bit(exit));
            if !rest.is_empty() && (rest & self.last).is_empty() {
                continue;
            }
            log.fix(fixed, head, entry);
            self.each(log, fixed + 1, exit, rest, found);
        }
    }
}
