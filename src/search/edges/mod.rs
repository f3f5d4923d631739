//! Closed tours as sets of moves (edges), fixed one by one at the most constrained square.
//!
//! Fixed moves form fragments. A square with no choice left takes its last moves at once. A fragment is closed only
//! when it is the whole tour. The search branches at the end of a fragment with the fewest moves open, once for each of
//! them. So it meets every undirected tour exactly once, and few branches fail. A node is one branch taken; forced
//! moves are no nodes. When at most [`FEW`] pieces are left, they are strung together within the current node
//! ([`walk`]). Of tours that are images of each other the search walks one ([`images`]) and hands out all ([`expand`]).
//!
//! A position is 24 bytes of masks and one mate for each square ([`fragments`]). Every branch but the last of a node
//! gets a copy, and nothing is undone. Variants that were tried, in processor time for all tours of 6x7 (the walk
//! and the images: of 6x8; the last row: of 8x8), as multiples of this:
//!
//! | variant | time |
//! | --- | --- |
//! | open moves of every square as masks, copied with the mates; forced squares by a work list; no walk | 3.0 |
//! | no walk: forced moves to the end | 1.4 |
//! | degrees in bit-sliced counters kept up to date move by move, instead of added up anew | 1.12 |
//! | mates restored from a log of joins instead of copied | 1.11 |
//! | degrees added up after every forced move instead of once for all that are forced at a time | 1.12 |
//! | the walk from 4, 6 or 7 pieces on instead of 5 | 1.02, 1.06, 1.2 |
//! | every tour searched, images too | 3.2 |
//! | built for a processor with AVX-512; as one unit with thin LTO (16 of 20,000 parts of 8x8) | 1.00, 0.99 |
//!
//! Those 16 parts take 74 s on an AMD EPYC VM, so all tours of 8x8 take 26 core-hours there.
//! Which of several ends with equally few moves is taken matters little: five other rules gave 3 % fewer to 5 % more
//! nodes. Nor is there much to gain per node. On 6x8, images searched too, 72 million nodes meet 55 million tours; 5
//! nodes of 100 are dead ends, and 88 walks of 100 find a tour. Degrees of a child by subtraction from its parent's
//! save 6 % of the instructions and no time. A walk from the end with the fewest moves saves 8 % of the mispredicted
//! branches, adds 2 % of instructions, and saves no time either. A node takes 350 instructions at 2.5 a cycle, with
//! three mispredicted branches, on whose results the next ones depend. Positions side by side in wide words would share
//! a third of the instructions and none of those branches.
//!
//! # Source
//! D. E. Knuth, "The Art of Computer Programming", volume 4, fascicle 8a, "Hamiltonian Paths and Cycles", 2025,
//! Algorithm H. Degrees by shifts, the walk and the labels are this program's own.

pub(crate) mod expand;
pub(crate) mod fragments;
pub(crate) mod images;
#[cfg(test)]
mod tests;
pub(crate) mod walk;

use super::kernel::{Branches, Burst, BurstEnd, BurstOutput, Drawing, Kernel, Tally, Task};
use super::stack::Stack;
use crate::board::{Shape, SmallBoard, SquareMask};
use crate::system::at_best_level;
use expand::{MoveLog, TourExpander};
use fragments::{ForcedResult, Fragments, Record};
use images::{LabelVerdict, Labels, Stabiliser, SymmetryImages};
use std::sync::Arc;

/// Number of pieces (fragments or bare squares) that are strung together without looking for forced moves.
pub(crate) const FEW: usize = 5;
/// Number of such pieces while the labels of the tour are not known; forced moves soon reveal them.
pub(crate) const FEW_UNLABELLED: usize = 2;
/// Pieces left at which the sparse gear changes to the bare recursion: some hundred nodes below each.
const BARE_PIECES: usize = 24;

/// The edge search of one board, whose squares fit in `M` and number at most `N`, a power of two: `Edges<u64, 64>` or
/// `Edges<u128, 128>`.
///
/// Its depth is the number of moves fixed. In the figures by depth a node counts at the depth that its forced moves
/// lead to. The dead ends count as pruned: nodes where some square can no longer get its moves, or whose tours
/// are images of others.
#[derive(Clone, Debug)]
pub struct Edges<M, const N: usize> {
    root: Arc<EdgeRoot<M, N>>,
    stack: Stack<M>,
    /// The positions on the path to the current one, from the root.
    levels: Vec<EdgeLevel<M, N>>,
    /// The moves of the current position.
    log: MoveLog<N>,
}

/// The constant part of a search, shared by its copies.
#[derive(Debug)]
struct EdgeRoot<M, const N: usize> {
    graph: SmallBoard<M>,
    images: SymmetryImages,
    level: EdgeLevel<M, N>,
    log: MoveLog<N>,
    choices: M,
    /// Whether no move is fixed at the root: it branches at a bare square, whose two moves are the first two choices, the one to
    /// the square with the greater number first.
    is_bare: bool,
}

/// A position and what is known about it.
#[derive(Clone, Copy, Debug)]
struct EdgeLevel<M, const N: usize> {
    fragments: Fragments<M, N>,
    /// The end of a fragment that the choices join to another square.
    branch: usize,
    labels: Labels,
    /// Set once the labels are known to come first among their images.
    stabiliser: Option<Stabiliser>,
}

impl<M: SquareMask, const N: usize> Edges<M, N> {
    /// The search of `shape`; `None` when `M` or `N` cannot hold its board.
    pub fn new(shape: impl Into<Shape>) -> Option<Edges<M, N>> {
        Edges::with(&shape.into(), SymmetryImages::new)
    }

    /// The search of `shape` that counts classes of tours: tours that symmetries of the shape make of each other count one.
    /// The tours that it hands out do not change.
    pub fn classes(shape: impl Into<Shape>) -> Option<Edges<M, N>> {
        Edges::with(&shape.into(), SymmetryImages::classes)
    }

    fn with(shape: &Shape, images: impl FnOnce(&Shape, M) -> SymmetryImages) -> Option<Edges<M, N>> {
        let graph: SmallBoard<M> = SmallBoard::new(shape).filter(|_| shape.board().squares() as usize <= N)?;
        let (mut fragments, mut log) = (Fragments::new(&graph), MoveLog::new());
        // A tour alternates between colours, and two squares have only one move.
        let [light, dark] = shape.colours();
        let possible = light == dark && light > 1;
        let settled = if possible { fragments.settle(&graph, &mut log, FEW_UNLABELLED) } else { ForcedResult::Dead };
        // Around holes the forced moves may be a whole tour, or there may be none. Then the search fixes none at its root.
        let is_bare = match settled {
            ForcedResult::Dead => false,
            ForcedResult::Few => walk::count(&graph, &fragments) > 0,
            ForcedResult::Branch(_) => fragments.ends().is_empty(),
        };
        if is_bare {
            (fragments, log) = (Fragments::new(&graph), MoveLog::new());
        }
        let images = images(shape, fragments.ends());
        let mut level = EdgeLevel { fragments, branch: 0, labels: Labels::UNKNOWN, stabiliser: None };
        let choices = if is_bare {
            level.branch = graph.all().iter().min_by_key(|&square| graph.neighbours(square).len()).unwrap_or(0);
            graph.neighbours(level.branch).without_first()
        } else {
            let settled = level.judge(&images, &[], settled);
            level.choices(&graph, settled)
        };
        let root = Arc::new(EdgeRoot { graph, images, level, log: log.clone(), choices, is_bare });
        let mut search = Edges { root, stack: Stack::new(), levels: Vec::new(), log };
        search.begin(&Task { choices: Box::default(), share: 0.0 });
        Some(search)
    }

    fn level(&self) -> &EdgeLevel<M, N> {
        self.levels.last().unwrap_or(&self.root.level)
    }

    /// Whether the next choice is the first move of a search without a fixed one.
    fn is_first_of_bare(&self) -> bool {
        self.root.is_bare && self.levels.len() == 1
    }

    /// Makes the move of `choice` and the moves that it forces; the new position becomes the current one.
    fn make(&mut self, choice: usize) -> ForcedResult {
        let is_first_of_bare = self.is_first_of_bare();
        let EdgeRoot { graph, images, .. } = &*self.root;
        let mut level = *self.level();
        let before = level.fragments.fixed(graph);
        let few = if level.stabiliser.is_some() { FEW } else { FEW_UNLABELLED };
        level.fragments.join(graph, &mut self.log, level.branch, choice);
        let settled = if is_first_of_bare {
            ForcedResult::Branch(level.branch)
        } else {
            level.fragments.settle(graph, &mut self.log, few)
        };
        let moves = self.log.moves(before, level.fragments.fixed(graph));
        let settled = level.judge(images, moves, settled);
        self.levels.push(level);
        settled
    }

    /// Enters the next node by `choice`.
    fn enter<const LEVELS: bool>(&mut self, choice: usize, out: &mut BurstOutput<'_>) {
        self.stack.enter(choice);
        let is_first_of_bare = self.is_first_of_bare();
        let settled = self.make(choice);
        let pruned = u64::from(settled == ForcedResult::Dead);
        out.count_node(LEVELS, self.depth());
        out.count_pruned(LEVELS, self.depth(), pruned);
        let choices = self.level().choices(&self.root.graph, settled);
        let lower = !(!M::EMPTY << choice as u32);
        self.stack.open(if is_first_of_bare { choices & lower } else { choices });
        if settled == ForcedResult::Few {
            self.finish(out);
        }
    }

    /// Counts the tours that contain the current position, or hands them out.
    fn finish(&mut self, out: &mut BurstOutput<'_>) {
        let level = *self.level();
        let EdgeRoot { graph, images, .. } = &*self.root;
        let tour_weight =
            |stabiliser, out: &BurstOutput<'_>| if out.sink.is_none() { images.tour_weight(stabiliser) } else { None };
        if let Some(tour_weight) = level.stabiliser.and_then(|stabiliser| tour_weight(stabiliser, out)) {
            out.tally.tours += tour_weight * walk::count(graph, &level.fragments);
            return;
        }
        let (before, squares) = (level.fragments.fixed(graph), graph.squares());
        walk::each(graph, &level.fragments, &mut self.log, &mut |log| {
            let mut whole = level;
            whole.judge(images, log.moves(before, squares), ForcedResult::Few);
            // A whole tour has all labels. If it is still not known to come first, an image comes first.
            let Some(stabiliser) = whole.stabiliser else { return };
            out.tally.tours += tour_weight(stabiliser, out).unwrap_or_else(|| {
                let mut expander = TourExpander::new(images, stabiliser, out.sink.as_deref_mut(), log, squares);
                expander.expand(log);
                expander.finish()
            });
        });
    }

    /// Exhausts the subtrees of `untried`, whose tours have this stabiliser, by the bare recursion.
    fn exhaust<const LEVELS: bool>(&mut self, stabiliser: Stabiliser, untried: M, out: &mut BurstOutput<'_>) {
        let EdgeLevel { mut fragments, branch, .. } = *self.level();
        let EdgeRoot { graph, images, .. } = &*self.root;
        let (tally, sink) = (&mut *out.tally, &mut out.sink);
        let tour_weight = if sink.is_none() { images.tour_weight(stabiliser) } else { None };
        let tours = match tour_weight {
            Some(tour_weight) => {
                let mut bare = EdgeRecursion { graph, tally: &mut *tally, tours: () };
                tour_weight * bare.branch::<LEVELS>(&mut fragments, branch, untried)
            }
            None => {
                let fixed = fragments.fixed(graph);
                let mut expander = TourExpander::new(images, stabiliser, sink.as_deref_mut(), &self.log, fixed);
                let tours = ExpandedTours { log: &mut self.log, expander: &mut expander };
                EdgeRecursion { graph, tally: &mut *tally, tours }.branch::<LEVELS>(&mut fragments, branch, untried);
                expander.finish()
            }
        };
        tally.tours += tours;
        untried.iter().for_each(|choice| self.stack.take(choice));
    }

    fn run<const LEVELS: bool>(&mut self, burst: &mut Burst<'_>, out: &mut BurstOutput<'_>) -> BurstEnd {
        loop {
            let untried = self.stack.untried();
            if untried.is_empty() {
                if self.stack.leave().is_none() {
                    return BurstEnd::Exhausted;
                }
                self.levels.pop();
                continue;
            }
            let level = self.level();
            let near_leaves = !burst.every_node() && level.fragments.pieces() <= BARE_PIECES;
            if near_leaves && let Some(stabiliser) = level.stabiliser {
                self.exhaust::<LEVELS>(stabiliser, untried, out);
                continue;
            }
            if !near_leaves && burst.is_due() {
                return BurstEnd::Yielded;
            }
            self.enter::<LEVELS>(untried.first(), out);
        }
    }
}

impl<M: SquareMask, const N: usize> EdgeLevel<M, N> {
    /// Reads the labels that the latest `moves` give and finds the branching end. Returns the result of the moves, or
    /// [`ForcedResult::Dead`] if the tours below are images of others.
    fn judge(&mut self, images: &SymmetryImages, moves: &[[u8; 2]], settled: ForcedResult) -> ForcedResult {
        if self.stabiliser.is_none() && settled != ForcedResult::Dead {
            images.label(&mut self.labels, moves);
            match images.verdict(&self.labels) {
                LabelVerdict::Unknown => {}
                LabelVerdict::Image(_) => return ForcedResult::Dead,
                LabelVerdict::First(stabiliser) => self.stabiliser = Some(stabiliser),
            }
        }
        if let ForcedResult::Branch(end) = settled {
            self.branch = match self.stabiliser {
                Some(_) => end,
                None => images.unlabelled(&self.labels).unwrap_or(end),
            };
        }
        settled
    }

    /// The squares that the branching end can be joined to, if there is one.
    fn choices(&self, graph: &SmallBoard<M>, settled: ForcedResult) -> M {
        match settled {
            ForcedResult::Branch(_) => self.fragments.options(graph, self.branch),
            ForcedResult::Dead | ForcedResult::Few => M::EMPTY,
        }
    }
}

/// Counts or hands out the tours of a small subtree.
trait SubtreeTours<M, const N: usize>: Record {
    /// Number of tours that contain the position, which has at least one fragment; 0 if they are counted elsewhere.
    fn of(&mut self, graph: &SmallBoard<M>, position: &Fragments<M, N>) -> u64;
}

impl<M: SquareMask, const N: usize> SubtreeTours<M, N> for () {
    #[inline(always)]
    fn of(&mut self, graph: &SmallBoard<M>, position: &Fragments<M, N>) -> u64 {
        walk::count(graph, position)
    }
}

/// Hands out the tours; the expander counts them.
struct ExpandedTours<'a, 'b, 'c, const N: usize> {
    log: &'a mut MoveLog<N>,
    expander: &'a mut TourExpander<'b, 'c, N>,
}

impl<const N: usize> Record for ExpandedTours<'_, '_, '_, N> {
    #[inline(always)]
    fn fix(&mut self, fixed: usize, a: usize, b: usize) {
        self.log.fix(fixed, a, b);
    }
}

impl<M: SquareMask, const N: usize> SubtreeTours<M, N> for ExpandedTours<'_, '_, '_, N> {
    fn of(&mut self, graph: &SmallBoard<M>, position: &Fragments<M, N>) -> u64 {
        walk::each(graph, position, self.log, &mut |log| self.expander.expand(log));
        0
    }
}

/// The recursion that exhausts a small subtree.
struct EdgeRecursion<'a, M, T, const N: usize> {
    graph: &'a SmallBoard<M>,
    tally: &'a mut Tally,
    tours: T,
}

impl<M: SquareMask, T: SubtreeTours<M, N>, const N: usize> EdgeRecursion<'_, M, T, N> {
    at_best_level! {
        /// Joins `end` to each of `options`, which must not be empty; returns the tours found below.
        fn branch, branch_by_v3, branch_by_any of Self [const LEVELS: bool] [LEVELS]
            (self: &mut Self, fragments: &mut Fragments<M, N>, end: usize, options: M) -> u64 {
            let mut options = options;
            self.tally.nodes += u64::from(options.len());
            let mut tours = 0;
            loop {
                let choice = options.first();
                options = options.without_first();
                if options.is_empty() {
                    // The position is not needed again.
                    fragments.join(self.graph, &mut self.tours, end, choice);
                    return tours + self.settle::<LEVELS>(fragments);
                }
                let mut child = *fragments;
                child.join(self.graph, &mut self.tours, end, choice);
                tours += self.settle::<LEVELS>(&mut child);
            }
        }
    }

    #[inline(always)]
    fn settle<const LEVELS: bool>(&mut self, fragments: &mut Fragments<M, N>) -> u64 {
        let settled = fragments.settle(self.graph, &mut self.tours, FEW);
        if LEVELS {
            let fixed = fragments.fixed(self.graph);
            self.tally.nodes_by_depth[fixed] += 1;
            self.tally.pruned_by_depth[fixed] += u64::from(settled == ForcedResult::Dead);
        }
        match settled {
            ForcedResult::Dead => {
                self.tally.pruned += 1;
                0
            }
            ForcedResult::Few => self.tours.of(self.graph, fragments),
            ForcedResult::Branch(end) => self.branch::<LEVELS>(fragments, end, fragments.options(self.graph, end)),
        }
    }
}

impl<M: SquareMask, const N: usize> Kernel for Edges<M, N> {
    fn branches(&self) -> &dyn Branches {
        &self.stack
    }

    fn branches_mut(&mut self) -> &mut dyn Branches {
        &mut self.stack
    }

    fn begin(&mut self, task: &Task) {
        self.stack.begin(task, self.root.choices);
        self.log = self.root.log.clone();
        self.levels.clear();
        self.levels.push(self.root.level);
        if let Some((_, before)) = task.choices.split_last() {
            before.iter().for_each(|&choice| {
                self.make(usize::from(choice));
            });
        }
    }

    fn advance(&mut self, mut burst: Burst<'_>, out: &mut BurstOutput<'_>) -> BurstEnd {
        let burst = &mut burst;
        if out.levels { self.run::<true>(burst, out) } else { self.run::<false>(burst, out) }
    }

    fn depth(&self) -> usize {
        self.level().fragments.fixed(&self.root.graph)
    }

    fn draw(&self, drawing: &mut Drawing) {
        drawing.fragments(self.log.chains(self.depth()));
    }
}
