//! Radley's search for closed tours. It starts in a corner, with the first move fixed and the corner's other neighbour
//! reserved for the last move. One of his prune tests cuts branches within a depth window.
//!
//! ```text
//! 1 . . . . .    The knight starts in the corner and goes to 2; R is entered last, so that every closed tour
//! . . R . . .    is found once, in one of its two directions. Both reductions can be switched off.
//! . 2 . . . .
//! . . . . . .
//! ```
//!
//! Depth 1 is the corner. The depth of a cut branch is the depth that its square would have had.
//!
//! # Source
//! James Radley, "Knight's Tour - A JVM thread performance benchmark", 2002, section Algorithm.

use super::kernel::{Branches, Burst, BurstEnd, BurstOutput, Drawing, HandOver, Kernel, Tally, Task};
use super::lanes::{SearchLanes, Subtree};
use super::prune::{AllIsolated, AnyIsolated, CountOnly, NoTest, Prune, Region, Test, Vicinity};
use super::stack::Stack;
use crate::board::{Board, SmallBoard, Square, SquareMask};
use std::ops::RangeInclusive;

/// Squares left at which the sparse gear changes to the lanes: some thousand nodes below each, at most about half a
/// million. With two fewer the search takes a quarter longer; with two more it gains 3 to 10 per cent.
const LANES_LEFT: usize = 22;
/// Open squares below which a subtree with tours is walked without asking the lanes again where they are.
const TOURS_LEFT: u32 = 8;

/// The start, reductions and tests of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RadleyOptions {
    /// The corner to start from.
    pub start: Square,
    /// The prune test.
    pub prune: Prune,
    /// Depths at which branches may be cut: the source's PRUNE_START and PRUNE_END.
    pub window: RangeInclusive<usize>,
    /// Whether rejected branches are cut. If not, they are counted as pruned but searched, which shows the cost of the
    /// test.
    pub cut: bool,
    /// Whether only the first of the two moves from the corner is tried. If not, every tour is found in both directions.
    pub fix_first: bool,
    /// Whether the corner's other neighbour is reserved for the last move.
    pub reserve_last: bool,
}

impl RadleyOptions {
    /// The source's search as shipped: top left corner, both reductions, no pruning.
    pub fn shipped() -> RadleyOptions {
        let start = Board::new(1, 1).ok().and_then(|board| board.at(0));
        RadleyOptions {
            start: start.unwrap_or_else(|| unreachable!("every board has a square 0")),
            prune: Prune::None,
            window: 0..=usize::MAX,
            cut: true,
            fix_first: true,
            reserve_last: true,
        }
    }
}

/// Radley's search of one board.
#[derive(Clone, Debug)]
pub struct Radley<M> {
    rules: RadleyOptions,
    stack: Stack<M>,
    lanes: Box<SearchLanes<M>>,
    /// Vacant squares without the reserved one.
    open: M,
    /// The reserved square, as a set; empty at depth 1 and when nothing is reserved.
    reserved: M,
    /// Squares from which one more move ends the tour: neighbours of the reserved square if there is one, else of the
    /// start.
    closing: M,
}

impl<M: SquareMask> Radley<M> {
    /// The search of `board` by these rules; `None` when the mask cannot hold the board.
    ///
    /// # Panics
    /// When the start is not on the board.
    pub fn new(board: Board, rules: RadleyOptions) -> Option<Radley<M>> {
        assert!(rules.start.index() < board.squares(), "the start must be on the board");
        let lanes = Box::new(SearchLanes::new(SmallBoard::new(board)?));
        let (open, reserved, closing) = (M::EMPTY, M::EMPTY, M::EMPTY);
        let mut search = Radley { rules, stack: Stack::new(), lanes, open, reserved, closing };
        search.begin(&Task { choices: Box::default(), share: 0.0 });
        Some(search)
    }

    fn start(&self) -> usize {
        self.rules.start.index() as usize
    }

    /// Computes the open, reserved and closing squares from the choices alone.
    fn recompute_sets(&mut self) {
        let start = self.start();
        let chosen = self.stack.chosen();
        let visited = chosen.iter().fold(M::EMPTY, |set, &s| set | M::bit(s as usize));
        let exits = self.lanes.graph.neighbours(start);
        self.reserved = match chosen.get(1) {
            Some(&second) if self.rules.reserve_last => exits & !M::bit(second as usize),
            _ => M::EMPTY,
        };
        self.open = self.lanes.graph.all() & !visited & !self.reserved;
        self.closing =
            if self.reserved.is_empty() { exits } else { self.lanes.graph.neighbours(self.reserved.first()) };
    }

    /// Enters `square` and finds the moves from it.
    fn enter<T: Test, const LEVELS: bool>(&mut self, square: usize, out: &mut BurstOutput<'_>) {
        self.stack.enter(square);
        let depth = self.stack.depth();
        if depth <= 2 {
            self.recompute_sets();
        } else {
            // The reserved square is not open. It is entered last and leaves the open squares unchanged.
            self.open &= !M::bit(square);
        }
        out.count_node(LEVELS, depth);
        let moves = self.moves::<T, LEVELS>(square, depth, out);
        self.stack.open(moves);
        if depth == self.lanes.graph.squares() && self.closes(square) {
            out.tally.tours += out.sink.as_mut().map_or(1, |sink| sink.tour(self.stack.chosen()));
        }
    }

    /// Whether the path, which has all squares and ends in `square`, is a closed tour.
    fn closes(&self, square: usize) -> bool {
        self.lanes.graph.neighbours(self.start()).has(square)
    }

    fn leave(&mut self) -> bool {
        let Some(square) = self.stack.leave() else { return false };
        if self.stack.depth() < 2 {
            self.recompute_sets();
        } else if !self.reserved.has(square) {
            self.open |= M::bit(square);
        }
        true
    }

    /// The moves worth making from `square`, which has just been entered.
    fn moves<T: Test, const LEVELS: bool>(&self, square: usize, depth: usize, out: &mut BurstOutput<'_>) -> M {
        let options = self.lanes.graph.neighbours(square) & (self.open | self.reserved);
        if self.open.is_empty() {
            return options;
        }
        let mut moves = options & self.open;
        if depth == 1 && self.rules.fix_first && !moves.is_empty() {
            moves = M::bit(first_in_order(&self.lanes.graph, &[square as u8], moves));
        }
        if !T::TESTS || !self.rules.window.contains(&(depth + 1)) {
            return moves;
        }
        let vacant = self.open | self.reserved;
        let graph = &self.lanes.graph;
        let kept = T::keep(graph, moves, &Vicinity { vacant, options, linked: graph.around(vacant) });
        out.count_pruned(LEVELS, depth + 1, (moves ^ kept).len().into());
        if T::CUTS { kept } else { moves }
    }

    /// Runs the loop compiled for a test: one for each way to cut and to count. Without a test there is nothing to cut.
    fn kernel<T: Test>(&mut self, burst: &mut Burst<'_>, out: &mut BurstOutput<'_>) -> BurstEnd {
        match (self.rules.cut, out.levels) {
            (true, false) => self.run::<T, false>(burst, out),
            (true, true) => self.run::<T, true>(burst, out),
            (false, false) => self.run::<CountOnly<T>, false>(burst, out),
            (false, true) => self.run::<CountOnly<T>, true>(burst, out),
        }
    }

    fn run<T: Test, const LEVELS: bool>(&mut self, burst: &mut Burst<'_>, out: &mut BurstOutput<'_>) -> BurstEnd {
        let squares = self.lanes.graph.squares();
        loop {
            let untried = self.stack.untried();
            if untried.is_empty() {
                if !self.leave() {
                    return BurstEnd::Exhausted;
                }
                continue;
            }
            let depth = self.stack.depth();
            let near_leaves = !burst.every_node() && depth >= 2 && squares - depth <= LANES_LEFT;
            if near_leaves && !self.open.is_empty() && self.exhaust::<T, LEVELS>(untried, out) {
                continue;
            }
            if !near_leaves && burst.is_due() {
                return BurstEnd::Yielded;
            }
            let square = first_in_order(&self.lanes.graph, self.stack.chosen(), untried);
            self.enter::<T, LEVELS>(square, out);
        }
    }

    /// Exhausts all untried branches of the current node in the lanes. The lanes count tours but do not know their squares.
    /// So when a sink needs the tours, a subtree with tours is left to the explicit gear, and the result is `false`.
    fn exhaust<T: Test, const LEVELS: bool>(&mut self, moves: M, out: &mut BurstOutput<'_>) -> bool {
        if out.sink.is_some() && self.open.len() < TOURS_LEFT {
            return false;
        }
        let Radley { open, reserved, closing, .. } = *self;
        let subtree = Subtree { moves, open, reserved, closing, window: self.rules.window.clone() };
        let tours = self.lanes.exhaust::<T, LEVELS>(&subtree);
        if out.sink.is_some() && tours > 0 {
            self.lanes.drain::<LEVELS>(&mut Tally::default());
            return false;
        }
        self.lanes.drain::<LEVELS>(out.tally);
        self.stack.take_all();
        true
    }
}

/// The first of `untried` in the order of the source's moves from the last square of `way`.
fn first_in_order<M: SquareMask>(board: &SmallBoard<M>, way: &[u8], untried: M) -> usize {
    let Some(&head) = way.last() else { return untried.first() };
    let in_order = board.steps(head as usize).iter().map(|&square| square as usize);
    in_order.filter(|&square| square < board.squares()).find(|&square| untried.has(square)).unwrap_or(untried.first())
}

impl<M: SquareMask> Kernel for Radley<M> {
    fn branches(&self) -> &dyn Branches {
        &self.stack
    }

    fn branches_mut(&mut self) -> &mut dyn Branches {
        &mut self.stack
    }

    fn begin(&mut self, task: &Task) {
        self.stack.begin(task, M::bit(self.rules.start.index() as usize));
        self.recompute_sets();
    }

    fn advance(&mut self, mut burst: Burst<'_>, out: &mut BurstOutput<'_>) -> BurstEnd {
        let burst = &mut burst;
        match self.rules.prune {
            Prune::None if out.levels => self.run::<NoTest, true>(burst, out),
            Prune::None => self.run::<NoTest, false>(burst, out),
            Prune::AllIsolated => self.kernel::<AllIsolated>(burst, out),
            Prune::AnyIsolated => self.kernel::<AnyIsolated>(burst, out),
            Prune::Region => self.kernel::<Region>(burst, out),
        }
    }

    fn split(&mut self, rule: HandOver) -> Option<Task> {
        let board = &self.lanes.graph;
        self.stack.split(rule, |way, untried| first_in_order(board, way, untried))
    }

    fn draw(&self, drawing: &mut Drawing) {
        let reserved = (!self.reserved.is_empty()).then(|| self.reserved.first() as u32);
        drawing.path(self.stack.chosen().iter().map(|&square| square.into()), reserved);
    }
}

#[cfg(test)]
mod tests;
