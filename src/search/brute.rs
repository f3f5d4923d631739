//! Carter's plain search: all open tours, directed, from one start or from every start. It tries every move and prunes
//! nothing.
//!
//! ```text
//! level   entered                 its children
//! 0       nothing                 the starts
//! d       the d-th square         its vacant neighbours
//! ```
//!
//! A node is a square entered; the start counts too. Where few squares are left, the sparse gear walks whole subtrees
//! in `lanes`, which count tours but do not know their squares. When there is a sink, a subtree with tours is walked
//! once more. Tours are so rare in this tree that the second walk costs almost nothing.
//!
//! # Source
//! Cameron Carter, "PCSE Final Project", 2016, section 2.1 Brute Force.

use super::kernel::{Branches, Burst, BurstEnd, BurstOutput, Drawing, Kernel, Task, TourSink};
use super::lanes::{SearchLanes, Subtree};
use super::prune::NoTest;
use super::stack::Stack;
use crate::board::{Shape, SmallBoard, Square, SquareMask};

/// Vacant squares at which the sparse gear changes to the lanes: at most some ten thousand nodes lie below, a fraction
/// of a millisecond.
const SPARSE: u32 = 20;

/// The plain search of one board.
#[derive(Clone, Debug)]
pub struct Brute<M> {
    all: M,
    starts: M,
    stack: Stack<M>,
    vacant: M,
    lanes: SearchLanes<M>,
}

impl<M: SquareMask> Brute<M> {
    /// The search of `shape` from `start`, or from every square; `None` when the mask cannot hold the board.
    ///
    /// # Panics
    /// When the start is not on the board, or is a hole.
    pub fn new(shape: impl Into<Shape>, start: Option<Square>) -> Option<Brute<M>> {
        let shape = shape.into();
        let small = SmallBoard::<M>::new(&shape)?;
        assert!(start.is_none_or(|start| shape.has(start)), "the start must be on the board");
        let all = small.all();
        let starts = start.map_or(all, |start| M::bit(start.index() as usize));
        Some(Brute { all, starts, stack: Stack::new(), vacant: all, lanes: SearchLanes::new(small) })
    }

    fn run<const LEVELS: bool>(&mut self, burst: &mut Burst<'_>, out: &mut BurstOutput<'_>) -> BurstEnd {
        loop {
            let untried = self.stack.untried();
            if untried.is_empty() {
                match self.stack.leave() {
                    Some(square) => self.vacant |= M::bit(square),
                    None => return BurstEnd::Exhausted,
                }
            } else if burst.is_due() {
                return BurstEnd::Yielded;
            } else if !burst.every_node() && self.vacant.len() <= SPARSE {
                self.walk::<LEVELS>(untried, out);
            } else {
                self.enter::<LEVELS>(untried.first(), out);
            }
        }
    }

    /// Enters `square` and opens its moves.
    fn enter<const LEVELS: bool>(&mut self, square: usize, out: &mut BurstOutput<'_>) {
        self.stack.enter(square);
        self.vacant ^= M::bit(square);
        self.stack.open(self.lanes.graph.neighbours(square) & self.vacant);
        out.count_node(LEVELS, self.stack.depth());
        if self.vacant.is_empty() {
            out.tally.tours += out.sink.as_mut().map_or(1, |sink| sink.tour(self.stack.chosen()));
        }
    }

    /// Exhausts the untried moves of the current node in the lanes.
    fn walk<const LEVELS: bool>(&mut self, moves: M, out: &mut BurstOutput<'_>) {
        self.stack.take_all();
        let (open, everywhere) = (self.vacant, self.all);
        let subtree = Subtree { moves, open, reserved: M::EMPTY, closing: everywhere, window: 0..=0 };
        let counted = out.tally.tours;
        let tours = self.lanes.exhaust::<NoTest, LEVELS>(&subtree);
        self.lanes.drain::<LEVELS>(out.tally);
        if let Some(sink) = &mut out.sink
            && tours > 0
        {
            let mut way = self.stack.chosen().to_vec();
            out.tally.tours = counted + self.hand_out(self.vacant, moves, &mut way, &mut **sink);
        }
    }

    /// Hands the tours of a subtree to the sink; returns how many it accepted.
    fn hand_out(&self, vacant: M, moves: M, way: &mut Vec<u8>, sink: &mut dyn TourSink) -> u64 {
        if vacant.is_empty() {
            return sink.tour(way);
        }
        let mut accepted = 0;
        for square in moves.iter() {
            let rest = vacant ^ M::bit(square);
            way.push(square as u8);
            accepted += self.hand_out(rest, self.lanes.graph.neighbours(square) & rest, way, sink);
            way.pop();
        }
        accepted
    }
}

impl<M: SquareMask> Kernel for Brute<M> {
    fn branches(&self) -> &dyn Branches {
        &self.stack
    }

    fn branches_mut(&mut self) -> &mut dyn Branches {
        &mut self.stack
    }

    fn begin(&mut self, task: &Task) {
        self.stack.begin(task, self.starts);
        self.vacant = self.stack.chosen().iter().fold(self.all, |set, &square| set & !M::bit(square as usize));
    }

    fn advance(&mut self, mut burst: Burst<'_>, out: &mut BurstOutput<'_>) -> BurstEnd {
        let burst = &mut burst;
        if out.levels { self.run::<true>(burst, out) } else { self.run::<false>(burst, out) }
    }

    fn draw(&self, drawing: &mut Drawing) {
        drawing.path(self.stack.chosen().iter().map(|&square| square.into()), None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Ending};
    use crate::search::{Tally, laws};
    use proptest::prelude::*;

    fn brute(board: &str, start: Option<u32>) -> Brute<u64> {
        let board: Board = board.parse().unwrap();
        Brute::new(board, start.map(|start| board.at(start).unwrap())).unwrap()
    }

    /// The search as a loop over the knight's moves on an array.
    fn plain(board: Board, square: Square, depth: usize, visited: &mut [bool], tally: &mut Tally) {
        visited[square.index() as usize] = true;
        tally.nodes += 1;
        tally.nodes_by_depth[depth] += 1;
        tally.tours += u64::from(depth == visited.len());
        for next in board.neighbours(square) {
            if !visited[next.index() as usize] {
                plain(board, next, depth + 1, visited, tally);
            }
        }
        visited[square.index() as usize] = false;
    }

    #[test]
    fn the_nodes_are_those_of_a_plain_recursion() {
        for text in ["1x1", "1x3", "2x5", "3x3", "3x4", "4x4", "3x6", "4x5", "5x4", "3x7"] {
            let board: Board = text.parse().unwrap();
            let mut expected = Tally::default();
            let mut visited = vec![false; board.squares() as usize];
            board.all().for_each(|start| plain(board, start, 1, &mut visited, &mut expected));
            assert!(laws::count(&brute(text, None), true, true) == expected, "{text}");
        }
    }

    /// Tours: OEIS A165134. Nodes: 38,010,672 without the 25 starts, by a search that stores the board as an array.
    #[test]
    fn figures_of_5x5() {
        let tally = laws::count(&brute("5x5", None), true, false);
        assert_eq!((tally.nodes, tally.tours), (38_010_672 + 25, 1728));
    }

    #[test]
    fn both_gears_and_both_masks_give_equal_counts() {
        for (text, start) in
            [("1x1", None), ("2x3", None), ("4x5", None), ("3x7", Some(2)), ("5x5", Some(12)), ("3x8", None)]
        {
            let search = brute(text, start);
            let board: Board = text.parse().unwrap();
            let wide = Brute::<u128>::new(board, start.and_then(|start| board.at(start))).unwrap();
            let explicit = laws::count(&search, false, true);
            assert!(laws::count(&search, true, true) == explicit, "{text}");
            assert!(laws::count(&wide, true, true) == explicit, "{text}");
            assert_eq!(explicit.nodes_by_depth.iter().sum::<u64>(), explicit.nodes);
            let bare = laws::count(&search, true, false);
            assert_eq!((bare.nodes, bare.tours), (explicit.nodes, explicit.tours), "{text}");
        }
    }

    #[test]
    fn every_tour_is_handed_out() {
        for (board, tours) in [("1x1", 1), ("3x4", 16), ("4x5", 164), ("3x7", 104)] {
            let search = brute(board, None);
            let found = laws::tours(&search, board.parse::<Board>().unwrap(), Ending::Open, &|tour, each| each(tour));
            assert_eq!(found.len(), tours, "{board}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn totals_do_not_depend_on_bursts_gears_and_parts(seed: u64) {
            for search in [brute("3x4", None), brute("3x7", None), brute("4x6", Some(7))] {
                let expected = laws::count(&search, false, true);
                prop_assert!(laws::count_shared(&search, seed) == expected);
            }
        }
    }
}
