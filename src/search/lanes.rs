//! Exhausts subtrees of a plain path search, several paths at a time. 99 of 100 nodes lie there.
//!
//! # Cost of a node
//!
//! A node is little work: take a square, look up its neighbours, intersect them with the open squares. A recursion
//! needs some 30 instructions, 6 cycles without stalls. It takes three times as long, because every node has two
//! branches that no processor can predict: is this a dead end (37 of 100 on 6x6), and is there another square to try
//! (no, at 59 of 100 nodes with moves). At about every second node a misprediction costs 15 to 20 cycles.
//!
//! So the code has no such branches. One *step* of a lane enters one square and computes both answers as numbers:
//!
//! ```text
//! untried {c6, e6, f5}, open O        level the lane stands at, in registers
//!   |  enter c6
//!   +- later  = {e6, f5}              always written above the levels laid aside,
//!   |                                 but the top only moves up when there is one
//!   +- moves  = N(c6) & (O - c6)
//!   |
//!   +- moves?  -> continue there      chosen by conditional moves:
//!   +- later?  -> stay                no branch, nothing to predict
//!   +- else    -> back to the top level, which was read in advance
//! ```
//!
//! Without branches one step waits for the one before: some 10 cycles from one `untried` to the next, in which the
//! processor could do four times as much. So there are several *lanes*, each with its own path, stepped in turn; their
//! steps are independent and overlap. Two rare cases remain, and one branch that is hardly ever taken tests for both.
//! No square is open after this one when the path is complete, and when the lane has no work, because such a lane holds
//! two empty sets.
//!
//! A lane without work takes over the lowest level that another lane has laid aside, which is the largest part. Lanes
//! wait for the others only when there is no such level, at the beginning and at the end of a subtree. In a subtree of
//! 3000 nodes that costs little.
//!
//! # With prune tests
//!
//! A test needs the isolated squares near the knight. [`SmallBoard::around`] finds all squares with a vacant neighbour
//! by shifts, so that the tests are set operations and conditional moves too. An isolated square that is not cut is a
//! dead end; it is counted and not entered.
//!
//! # What was tried
//!
//! Nanoseconds per node on one core of a Xeon (2.6 GHz), 6x6 below one prefix, without a test:
//!
//! | kernel | ns |
//! | --- | --- |
//! | recursion | 4.7 |
//! | recursion, two levels a call, or only children with moves | 4.7 |
//! | lanes, 1 / 2 / 3 / 4 / 5 | 3.1 / 1.6 / 1.2 / 1.2 / 1.3 |
//! | 3 lanes, testing for complete and idle lanes separately | 1.6 |
//! | 3 lanes, children counted at their parent instead of by steps | 1.5 |
//! | 3 lanes, the compiler free to test for the closing square first: a branch as good as random again | 2.9 |
//!
//! With `all-isolated`: recursion 7.2; 2 / 3 / 4 / 5 lanes 3.3 / 2.5 / 2.5 / 2.8; entering the isolated squares as well
//! 3.2; neighbours of sets from tables of 256 entries for every 8 squares instead of shifts 2.3, for 10 KB of memory.

use super::kernel::{DEPTHS, Tally};
use super::prune::{Test, Vicinity};
use crate::board::{SmallBoard, SquareMask};
use crate::system::at_best_level;
use std::hint::{cold_path, select_unpredictable};
use std::mem::take;
use std::ops::RangeInclusive;

/// Paths extended in turn. [`SearchLanes::run`] writes out one step for each.
const LANES: usize = 4;
/// A subtree has fewer open squares than this; a power of two, so that a mask bounds an index.
const LEVELS_MAX: usize = 64;

/// A subtree to exhaust: everything below the untried moves of one node.
#[derive(Clone, Debug)]
pub(super) struct Subtree<M> {
    /// The untried moves, a subset of the open squares.
    pub moves: M,
    /// Vacant squares without the reserved one, fewer than 64.
    pub open: M,
    /// The square reserved for the last move, as a set; empty when there is none.
    pub reserved: M,
    /// Squares on which a path through all open squares is a tour: all squares in an open search; in a closed one the
    /// neighbours of the reserved square or of the start.
    pub closing: M,
    /// Depths at which a test may cut branches.
    pub window: RangeInclusive<usize>,
}

/// Exhausts subtrees with several lanes.
#[derive(Clone, Debug)]
pub(super) struct SearchLanes<M> {
    pub graph: SmallBoard<M>,
    lanes: [SearchLane<M>; LANES],
    terms: SubtreeTerms<M>,
    nodes: u64,
    tours: u64,
}

/// Constants of a subtree.
#[derive(Clone, Copy, Debug)]
struct SubtreeTerms<M> {
    reserved: M,
    /// Neighbours of the reserved square, which is vacant until the end.
    linked: M,
    closing: M,
    /// Open squares at the first node of the subtree.
    open: u32,
    /// Where moves may be cut: the greatest number of squares left, and its difference to the least.
    cuts: (u32, u32),
}

/// The levels to which one lane will return, and its counts. Levels are laid aside from index 1; those below `bottom`
/// were given to other lanes. There and at index 0 both sets are empty, so a lane that returns there has no work.
#[derive(Clone, Debug)]
struct SearchLane<M> {
    untried: [M; LEVELS_MAX + 1],
    open: [M; LEVELS_MAX + 1],
    bottom: usize,
    /// Isolated squares counted as entered without a step.
    isolated: u64,
    pruned: u64,
    /// By the number of squares that are open after the square entered.
    nodes_by_left: [u64; LEVELS_MAX],
    pruned_by_left: [u64; LEVELS_MAX],
}

/// The level a lane stands at, in registers. Both sets are empty when the lane has no work.
#[derive(Clone, Copy)]
struct Cursor<M> {
    untried: M,
    open: M,
    /// Index of the last level laid aside.
    top: usize,
}

impl<M: SquareMask> Cursor<M> {
    const EMPTY: Cursor<M> = Cursor { untried: M::EMPTY, open: M::EMPTY, top: 0 };

    fn is_empty(&self) -> bool {
        self.untried.is_empty()
    }
}

impl<M: SquareMask> SearchLanes<M> {
    pub fn new(graph: SmallBoard<M>) -> SearchLanes<M> {
        let lane = SearchLane {
            untried: [M::EMPTY; LEVELS_MAX + 1],
            open: [M::EMPTY; LEVELS_MAX + 1],
            bottom: 1,
            isolated: 0,
            pruned: 0,
            nodes_by_left: [0; LEVELS_MAX],
            pruned_by_left: [0; LEVELS_MAX],
        };
        let nothing = M::EMPTY;
        let terms = SubtreeTerms { reserved: nothing, linked: nothing, closing: nothing, open: 0, cuts: (0, 0) };
        SearchLanes { graph, lanes: std::array::from_fn(|_| lane.clone()), terms, nodes: 0, tours: 0 }
    }

    /// Enters every node of `subtree` and returns its tours; [`SearchLanes::drain`] then fetches the counts. Panics when 64
    /// squares or more are open.
    pub fn exhaust<T: Test, const LEVELS: bool>(&mut self, subtree: &Subtree<M>) -> u64 {
        assert!(subtree.open.len() < LEVELS_MAX as u32, "a lane has room for fewer than {LEVELS_MAX} levels");
        self.terms = self.terms(subtree);
        let mut cursors = [Cursor::EMPTY; LANES];
        for (k, square) in subtree.moves.iter().enumerate() {
            let cursor = &mut cursors[k % LANES];
            (cursor.untried, cursor.open) = (cursor.untried | M::bit(square), subtree.open);
        }
        loop {
            for k in 0..LANES {
                if cursors[k].is_empty() {
                    cursors[k] = self.refill(&cursors, k);
                }
            }
            match cursors.iter().filter(|cursor| cursor.is_empty()).count() {
                0 => self.run::<T, LEVELS>(&mut cursors),
                LANES => return self.tours,
                _ => self.step_all::<T, LEVELS>(&mut cursors),
            }
        }
    }

    /// Adds the counts of the last subtree to `tally`.
    pub fn drain<const LEVELS: bool>(&mut self, tally: &mut Tally) {
        let (nodes, tours) = (take(&mut self.nodes), take(&mut self.tours));
        // The reserved square is entered after the last open one, when that makes a tour.
        let reserved = self.terms.reserved.len();
        let lasts = tours * u64::from(reserved);
        tally.nodes += nodes + lasts;
        tally.tours += tours;
        for lane in &mut self.lanes {
            tally.nodes += take(&mut lane.isolated);
            tally.pruned += take(&mut lane.pruned);
        }
        if LEVELS {
            let squares = self.graph.squares();
            tally.nodes_by_depth[squares] += lasts;
            for left in 0..self.terms.open as usize {
                let depth = squares - reserved as usize - left;
                for lane in &mut self.lanes {
                    tally.nodes_by_depth[depth] += take(&mut lane.nodes_by_left[left]);
                    tally.pruned_by_depth[depth] += take(&mut lane.pruned_by_left[left]);
                }
            }
        }
    }

    fn terms(&self, subtree: &Subtree<M>) -> SubtreeTerms<M> {
        let Subtree { reserved, closing, window, .. } = subtree;
        let linked = reserved.iter().fold(M::EMPTY, |set, square| set | self.graph.neighbours(square));
        // With `left` squares left after a move, the move has depth `first - left`, and the moves after it one more.
        let first = self.graph.squares() as u32 - reserved.len();
        let [from, to] = [window.start(), window.end()].map(|&depth| depth.min(DEPTHS) as u32);
        let cuts = if window.is_empty() { (0, 0) } else { ((first + 1).wrapping_sub(from), to - from) };
        SubtreeTerms { reserved: *reserved, linked, closing: *closing, open: subtree.open.len(), cuts }
    }

    /// Gives lane `k`, which has no work, the lowest level that another lane has laid aside.
    fn refill(&mut self, cursors: &[Cursor<M>; LANES], k: usize) -> Cursor<M> {
        self.lanes[k].bottom = 1;
        let givers = (0..LANES).filter(|&j| !cursors[j].is_empty() && self.lanes[j].bottom <= cursors[j].top);
        let Some(giver) = givers.max_by_key(|&j| self.lanes[j].open[self.lanes[j].bottom].len()) else {
            return Cursor::EMPTY;
        };
        let lane = &mut self.lanes[giver];
        let level = lane.bottom;
        lane.bottom += 1;
        Cursor { untried: take(&mut lane.untried[level]), open: take(&mut lane.open[level]), top: 0 }
    }

    /// Steps every lane with work once.
    fn step_all<T: Test, const LEVELS: bool>(&mut self, cursors: &mut [Cursor<M>; LANES]) {
        for (k, cursor) in cursors.iter_mut().enumerate() {
            if cursor.is_empty() {
                continue;
            }
            match self.step::<T, LEVELS>(*cursor, k) {
                Some(next) => {
                    self.nodes += 1;
                    *cursor = next;
                }
                None => *cursor = self.end::<LEVELS>(*cursor, k),
            }
        }
    }

    at_best_level! {
        /// Steps all lanes in turn until one of them has no work.
        #[inline(never)]
        fn run, run_by_v3, run_by_any of Self [T: Test, const LEVELS: bool] [T, LEVELS]
            (self: &mut Self, all: &mut [Cursor<M>; LANES]) -> () {
            let mut cursors = *all;
            let mut rounds = 0;
            let stopped = 'rounds: loop {
                // Written out, because the compiler unrolls a loop over the lanes only for the smallest kernels.
                macro_rules! step {
                    ($($k:literal)*) => {$(
                        match self.step::<T, LEVELS>(cursors[$k], $k) {
                            Some(next) => cursors[$k] = next,
                            None => break 'rounds $k,
                        }
                    )*};
                }
                step!(0 1 2 3);
                rounds += 1;
            };
            self.nodes += rounds * LANES as u64 + stopped as u64;
            *all = cursors;
            if !cursors[stopped].is_empty() {
                all[stopped] = self.end::<LEVELS>(cursors[stopped], stopped);
            }
        }
    }

    /// Enters the first untried square of lane `k` and returns where the lane continues. Returns `None`, unchanged, when
    /// there is no untried square, or no other open one.
    #[inline(always)]
    fn step<T: Test, const LEVELS: bool>(&mut self, at: Cursor<M>, k: usize) -> Option<Cursor<M>> {
        let later = at.untried.without_first();
        let open = at.open ^ at.untried ^ later;
        if open.is_empty() {
            cold_path();
            return None;
        }
        let top = at.top % LEVELS_MAX;
        let lane = &mut self.lanes[k];
        // The last level laid aside is read before the present one is written above it. If the present one is exhausted,
        // that write has no effect.
        let below = (lane.untried[top], lane.open[top]);
        (lane.untried[top + 1], lane.open[top + 1]) = (later, at.open);
        if LEVELS {
            lane.nodes_by_left[open.len() as usize % LEVELS_MAX] += 1;
        }
        let square = at.untried.first();
        let mut moves = self.graph.neighbours(square) & open;
        if T::TESTS {
            moves = self.test::<T, LEVELS>(square, moves, open, k);
        }
        let (exhausted, dead) = (later.is_empty(), moves.is_empty());
        let back = (select_unpredictable(exhausted, below.0, later), select_unpredictable(exhausted, below.1, at.open));
        Some(Cursor {
            untried: select_unpredictable(dead, back.0, moves),
            open: select_unpredictable(dead, back.1, open),
            top: top.wrapping_add(1).wrapping_sub(usize::from(exhausted)).wrapping_sub(usize::from(dead)),
        })
    }

    /// The moves from `square` that are neither cut nor lead to an isolated square; both of these are counted here. An
    /// isolated square is a dead end, unless it ends a tour.
    #[inline(always)]
    fn test<T: Test, const LEVELS: bool>(&mut self, square: usize, moves: M, open: M, k: usize) -> M {
        let terms = self.terms;
        let left = open.len();
        if terms.cuts.0.wrapping_sub(left) > terms.cuts.1 {
            return moves;
        }
        let vacant = open | terms.reserved;
        let linked = self.graph.around(open) | terms.linked;
        let near = Vicinity { vacant, options: self.graph.neighbours(square) & vacant, linked };
        let kept = T::keep(&self.graph, moves, &near);
        let followed = if T::CUTS { kept } else { moves };
        let entered = followed & (linked | terms.closing);
        let (pruned, isolated) = (u64::from((moves ^ kept).len()), u64::from((followed ^ entered).len()));
        let lane = &mut self.lanes[k];
        lane.pruned += pruned;
        lane.isolated += isolated;
        if LEVELS {
            let left = (left as usize - 1) % LEVELS_MAX;
            lane.nodes_by_left[left] += isolated;
            lane.pruned_by_left[left] += pruned;
        }
        entered
    }

    /// Enters the last open square in lane `k`, and returns where the lane continues: at the last level laid aside.
    #[cold]
    fn end<const LEVELS: bool>(&mut self, at: Cursor<M>, k: usize) -> Cursor<M> {
        self.nodes += 1;
        self.tours += u64::from(!(at.untried & self.terms.closing).is_empty());
        let lane = &mut self.lanes[k];
        if LEVELS {
            lane.nodes_by_left[0] += 1;
        }
        let top = at.top % LEVELS_MAX;
        Cursor { untried: lane.untried[top], open: lane.open[top], top: top.wrapping_sub(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::search::prune::NoTest;

    /// Returns the tours below a path and counts its nodes by depth, by plain recursion.
    fn plain(board: &SmallBoard<u64>, square: usize, open: u64, nodes_by_depth: &mut [u64; DEPTHS]) -> u64 {
        nodes_by_depth[board.squares() - open.len() as usize] += 1;
        let moves = board.neighbours(square) & open;
        let below = moves.iter().map(|next| plain(board, next, open ^ u64::bit(next), nodes_by_depth)).sum::<u64>();
        below + u64::from(open.is_empty())
    }

    fn check_open(board: &str, tours: u64) {
        let board = SmallBoard::<u64>::new(board.parse::<Shape>().unwrap()).unwrap();
        let all = board.all();
        let (mut expected, mut tally) = (Tally::default(), Tally::default());
        let mut lanes = SearchLanes::new(board.clone());
        for start in all.iter() {
            let open = all ^ u64::bit(start);
            expected.tours += plain(&board, start, open, &mut expected.nodes_by_depth);
            tally.nodes += 1;
            tally.nodes_by_depth[1] += 1;
            let subtree = Subtree { moves: board.neighbours(start), open, reserved: 0, closing: all, window: 0..=0 };
            lanes.exhaust::<NoTest, true>(&subtree);
            lanes.drain::<true>(&mut tally);
        }
        expected.nodes = expected.nodes_by_depth.iter().sum();
        assert_eq!((expected.tours, &tally), (tours, &expected));
    }

    /// Open tours from every start; numbers of directed tours: Carter 2016.
    #[test]
    fn open_tours_are_counted_as_by_a_plain_recursion() {
        for (board, tours) in [("3x4", 16), ("4x4", 0), ("4x5", 164)] {
            check_open(board, tours);
        }
    }

    #[test]
    #[should_panic(expected = "fewer than 64")]
    fn too_many_open_squares_are_refused() {
        let board = SmallBoard::<u128>::new("8x9".parse::<Shape>().unwrap()).unwrap();
        let all = board.all();
        let subtree = Subtree { moves: all, open: all, reserved: 0, closing: all, window: 0..=0 };
        SearchLanes::new(board).exhaust::<NoTest, false>(&subtree);
    }
}
