//! Tree searches that can be split.
//!
//! A [`Search`] walks a tree of choices (a square to visit, an edge to fix) depth first. It knows no thread, channel,
//! clock or atomic: a scheduler drives it in bursts, asks it for a part of its remaining work with
//! [`Search::split`], and reads what it counted from a [`Tally`]. A part travels as a [`Task`]: the choices that lead
//! to it from the root, so that any search of the same kind can go on there, on whatever thread.
//!
//! A kernel has two gears. In the explicit gear every level lies in a [`Stack`], the search may stop before any node,
//! and any level can be split. Below a level where few squares are left, the sparse gear hands each subtree to a bare
//! kernel that keeps nothing but registers: 99 nodes of 100 lie there, and one poll per such subtree costs nothing.
//! [`Poll::EVERY_NODE`] chooses between them at compile time. The bare kernel of the plain path searches walks several paths
//! at once, module `lanes`.

mod brute;
mod edges;
pub mod explain;
mod graph;
mod kernel;
mod lanes;
#[cfg(test)]
mod laws;
mod path;
mod probe;
mod prune;
pub mod quarter;
mod radley;
mod stack;

pub use brute::Brute;
pub use edges::Edges;
pub use kernel::Kernel;
pub use path::{OrbitImages, Path};
pub use probe::{Estimate, Prober, Ranged};
pub use prune::Prune;
pub use radley::{Radley, Rules};
pub use stack::Stack;

use crate::board::{Mask, SMALL_SQUARES_MAX};
use serde::{Deserialize, Serialize};

/// Number of depths a search can have, 0 included: depth = squares on the path, start = 1.
pub const DEPTHS: usize = SMALL_SQUARES_MAX + 1;

/// What a scheduler answers when a search asks whether to go on.
pub trait Poll {
    /// Ask before every node is entered (explicit gear), or only at nodes with enough squares left (sparse gear).
    const EVERY_NODE: bool;

    /// Asked before a node is entered; `true` makes the search return [`Status::Yielded`] without entering it.
    fn due(&mut self) -> bool;
}

/// A poll that lets exactly `n` nodes be entered.
#[derive(Debug)]
pub struct Nodes(pub u64);

impl Poll for Nodes {
    const EVERY_NODE: bool = true;

    #[inline(always)]
    fn due(&mut self) -> bool {
        let due = self.0 == 0;
        self.0 = self.0.saturating_sub(1);
        due
    }
}

/// How a call of [`Search::advance`] ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The poll was due; there may be more.
    Yielded,
    /// Nothing is left. Final until the next [`Search::begin`].
    Exhausted,
}

/// Which untried branch a search gives away.
#[derive(Default, Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum HandOver {
    /// The first untried sibling at the lowest open level: the largest part. Needs two untried branches, keeps one.
    #[default]
    Shallowest,
    /// The next move at the current level, Radley's rule. Needs a node entered since the task began.
    Next,
}

impl HandOver {
    /// Both rules, the default first.
    pub const ALL: [HandOver; 2] = [HandOver::Shallowest, HandOver::Next];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            HandOver::Shallowest => "shallowest",
            HandOver::Next => "next",
        }
    }
}

/// A subtree nobody has entered yet: the choices that lead to it, and its share of the whole tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    /// Choices from the root; the last one is still to be entered. Empty: the whole tree.
    pub choices: Box<[u8]>,
    /// Share of the whole tree, 0..=1, when every branching shares equally.
    pub share: f64,
}

impl Task {
    /// The whole tree.
    pub fn root() -> Task {
        Task { choices: Box::default(), share: 1.0 }
    }
}

/// What a search counted. A scheduler reads it between bursts and may clear it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Nodes entered.
    pub nodes: u64,
    /// Tours found, in the convention of the search, orbit images counted.
    pub tours: u64,
    /// Branches cut by a prune test. Kernels without one leave it 0.
    pub pruned: u64,
    /// Nodes entered by depth, while [`Out::levels`] is on.
    pub nodes_by_depth: [u64; DEPTHS],
    /// Branches cut by depth (the depth the branch would have had), while [`Out::levels`] is on.
    pub pruned_by_depth: [u64; DEPTHS],
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { nodes: 0, tours: 0, pruned: 0, nodes_by_depth: [0; DEPTHS], pruned_by_depth: [0; DEPTHS] }
    }
}

impl Tally {
    /// Adds what another search counted.
    pub fn add(&mut self, other: &Tally) {
        self.nodes += other.nodes;
        self.tours += other.tours;
        self.pruned += other.pruned;
        let add = |sums: &mut [u64], more: &[u64]| sums.iter_mut().zip(more).for_each(|(sum, n)| *sum += n);
        add(&mut self.nodes_by_depth, &other.nodes_by_depth);
        add(&mut self.pruned_by_depth, &other.pruned_by_depth);
    }
}

/// Takes tours as they are found.
pub trait TourSink {
    /// Takes one tour, its squares in order, and answers how many tours were accepted (images included, duplicates
    /// and what goes past a limit excluded); the search adds that to [`Tally::tours`].
    fn tour(&mut self, squares: &[u8]) -> u64;
}

/// Where a burst puts what it finds.
pub struct Out<'a> {
    /// The counters.
    pub tally: &'a mut Tally,
    /// Whether to count by depth.
    pub levels: bool,
    /// Who takes the tours; without one they are only counted.
    pub sink: Option<&'a mut dyn TourSink>,
}

/// A position that a view can draw.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Drawing {
    /// Chains of squares (numbers of the board) joined by moves: one for a path, several for fragments. In order where
    /// there is one.
    pub chains: Vec<Vec<u32>>,
    /// The square kept for the last move.
    pub reserved: Option<u32>,
    /// Squares of the path before the first one drawn: of a very long path only the end is.
    pub skipped: u32,
}

impl Drawing {
    /// Squares of the longest path that is drawn from its start.
    pub const SQUARES_MAX: usize = 1 << 14;

    /// Whether nothing is on the board.
    pub fn is_empty(&self) -> bool {
        self.chains.iter().all(Vec::is_empty)
    }

    /// Draws a path, if it is a long one only its end.
    pub fn path(&mut self, squares: impl ExactSizeIterator<Item = u32>, reserved: Option<u32>) {
        let skipped = squares.len().saturating_sub(Self::SQUARES_MAX);
        self.chains.truncate(1);
        self.chains.resize_with(1, Vec::new);
        self.chains[0].clear();
        self.chains[0].extend(squares.skip(skipped));
        self.reserved = reserved;
        self.skipped = skipped as u32;
    }

    /// Draws several chains of a small board.
    pub fn fragments(&mut self, chains: impl IntoIterator<Item = Vec<u8>>) {
        self.chains.clear();
        self.chains.extend(chains.into_iter().map(|chain| chain.into_iter().map(u32::from).collect()));
        self.reserved = None;
        self.skipped = 0;
    }
}

/// A tree search that can be stopped at any node and split.
///
/// Laws, tested for every search: whatever the bursts, gears and splits, the tallies of all parts add up to those of
/// one uninterrupted run; after a split the two parts are disjoint and together what was left before; the parts of a
/// rest are disjoint and together what was left.
pub trait Search: Send {
    /// A set of choices: what [`Search::stack`] keeps for every level.
    type Choices: Mask;

    /// The choices made and untried in the explicit gear.
    fn stack(&self) -> &Stack<Self::Choices>;

    /// The same, to be changed.
    fn stack_mut(&mut self) -> &mut Stack<Self::Choices>;

    /// Forgets everything and stands before the subtree of `task`, entering (and counting) nothing yet.
    fn begin(&mut self, task: &Task);

    /// Goes on until the poll is due or nothing is left.
    fn advance<P: Poll>(&mut self, poll: &mut P, out: &mut Out<'_>) -> Status;

    /// Takes out a part of what is left, by `rule`, or answers that there is none to give.
    fn split(&mut self, rule: HandOver) -> Option<Task>;

    /// Takes out all that is left, in parts that nobody has entered; nothing is left then.
    fn rest(&mut self) -> Vec<Task> {
        self.stack_mut().rest()
    }

    /// Number of untried branches of the current node.
    fn width(&self) -> usize {
        self.stack().width()
    }

    /// Drops every untried branch of the current node but number `k` (0..[`Search::width`]).
    fn keep_only(&mut self, k: usize) {
        self.stack_mut().keep_only(k);
    }

    /// Share of the whole tree that one child of the current node has, 0..=1.
    fn child_share(&self) -> f64 {
        self.stack().child_share()
    }

    /// Share of the whole tree that is left in the hands of this search, 0..=1.
    fn remaining(&self) -> f64 {
        self.stack().remaining()
    }

    /// Depth of the current node: squares on the path, or moves fixed.
    fn depth(&self) -> usize {
        self.stack().depth()
    }

    /// The lowest level with an untried branch, or nothing when none is left.
    fn open_level(&self) -> Option<usize> {
        self.stack().open_level()
    }

    /// Draws the current position into `drawing`.
    fn draw(&self, drawing: &mut Drawing);
}
