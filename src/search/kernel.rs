//! The trait of all tree searches, with what it takes and gives: bursts, parts of a tree, counts, tours, drawings.
//!
//! A caller holds a kernel behind a pointer and calls [`Kernel::advance`] once for a burst of some thousand nodes.
//! Inside a burst only the [`TourSink`] is called through a pointer. Each kernel chooses one of its
//! own compiled loops when the burst begins, by gear and by what it must count.

use crate::board::SMALL_SQUARES_MAX;
use crate::table::table;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// The mailbox of a burst that ends only by its polls.
static NO_MAIL: AtomicU32 = AtomicU32::new(0);

/// How far a kernel runs before it returns to its caller.
///
/// A kernel polls the burst before it enters a node. In the explicit gear it polls before every node. In the sparse
/// gear it polls only at nodes with enough squares left, and leaves every smaller subtree to a bare loop without polls.
#[derive(Debug)]
pub struct Burst<'a> {
    every_node: bool,
    left: u64,
    mail: &'a AtomicU32,
}

impl Burst<'static> {
    /// A burst in the explicit gear that enters at most `nodes` nodes.
    pub fn nodes(nodes: u64) -> Burst<'static> {
        Burst { every_node: true, left: nodes, mail: &NO_MAIL }
    }

    /// A burst in the sparse gear that ends at poll number `polls`, counted from 0.
    pub fn sparse(polls: u64) -> Burst<'static> {
        Burst { every_node: false, left: polls, mail: &NO_MAIL }
    }
}

impl Burst<'_> {
    /// Makes the burst end also at the first poll that finds `mail` not zero.
    pub fn until_mail(self, mail: &AtomicU32) -> Burst<'_> {
        let Burst { every_node, left, .. } = self;
        Burst { every_node, left, mail }
    }

    /// Whether the kernel polls before every node (explicit gear).
    #[inline(always)]
    pub fn every_node(&self) -> bool {
        self.every_node
    }

    /// A poll: `true` makes the kernel return [`BurstEnd::Yielded`] without entering the node. It costs two loads and a
    /// branch that is predicted well.
    #[inline(always)]
    pub fn is_due(&mut self) -> bool {
        let due = self.left == 0 || self.mail.load(Relaxed) != 0;
        self.left = self.left.wrapping_sub(1);
        due
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BurstEnd {
    /// A poll was due; there may be more nodes.
    Yielded,
    /// No branch is left. Final until the next [`Kernel::begin`].
    Exhausted,
}

/// The untried branches of a kernel, whatever the width of its masks. Implemented by [`Stack`](super::Stack).
pub trait Branches {
    /// Takes out a part by `rule`: of a level the lowest untried choice. `None` when there is no branch to give.
    fn split_lowest(&mut self, rule: HandOver) -> Option<Task>;

    /// Takes out all untried branches, each as a separate task.
    fn rest(&mut self) -> Vec<Task>;

    /// Number of untried branches of the current node.
    fn width(&self) -> usize;

    /// Drops every untried branch of the current node but number `k`, 0 to `width() - 1`.
    fn keep_only(&mut self, k: usize);

    /// Share of the whole tree that one child of the current node has, 0 to 1.
    fn child_share(&self) -> f64;

    /// Share of the whole tree that the untried branches have, 0 to 1.
    fn remaining(&self) -> f64;

    /// Level of the current node: number of choices on its path from the root.
    fn depth(&self) -> usize;

    /// The lowest level with an untried branch; `None` when no branch is left.
    fn open_level(&self) -> Option<usize>;
}

/// Makes kernels for more workers. Every kernel that can be cloned has it.
pub trait AnotherKernel {
    /// A kernel of this tree for another worker.
    fn another(&self) -> Box<dyn Kernel>;
}

impl<K: Kernel + Clone + 'static> AnotherKernel for K {
    fn another(&self) -> Box<dyn Kernel> {
        Box::new(self.clone())
    }
}

/// A tree search that can be stopped at any node and split.
///
/// All kernels obey these laws, and `laws.rs` tests them. However a tree is cut into bursts, gears and tasks, the
/// tallies of all tasks add up to the tally of one uninterrupted run. After a split, the two tasks are disjoint and
/// together equal the work left before it. The tasks of a rest are disjoint and together equal the work left.
pub trait Kernel: AnotherKernel + Send + Sync {
    /// The choices made and the branches untried in the explicit gear.
    fn branches(&self) -> &dyn Branches;

    /// Mutable access to [`Kernel::branches`].
    fn branches_mut(&mut self) -> &mut dyn Branches;

    /// Drops all work and stands before the subtree of `task`. Enters and counts no node yet.
    fn begin(&mut self, task: &Task);

    /// Walks until the burst ends or no branch is left. Counts into `out`, and hands it the tours.
    fn advance(&mut self, burst: Burst<'_>, out: &mut BurstOutput<'_>) -> BurstEnd;

    /// Takes out a part of the work left, by `rule`; `None` when there is no branch to give. The default gives the lowest
    /// untried choice of its level.
    fn split(&mut self, rule: HandOver) -> Option<Task> {
        self.branches_mut().split_lowest(rule)
    }

    /// Draws the current position into `drawing`.
    fn draw(&self, drawing: &mut Drawing);

    /// Depth of the current node: squares on the path, or moves fixed.
    fn depth(&self) -> usize {
        self.branches().depth()
    }
}

table! {
    /// Which untried branch a search gives away.
    /// `name`: the name of the rule on the command line.
    #[derive(Default, Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum HandOver(name: &'static str) {
        /// The first untried sibling at the lowest open level: the largest part. Needs two untried branches and keeps one.
        #[default]
        Shallowest: "shallowest";
        /// The next move at the current level, Radley's rule. Needs a node entered since the task began.
        Next: "next";
    }
}

/// A subtree that no worker has entered yet: the choices that lead to it, and its share of the whole tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    /// Choices from the root; the last one is still to be entered. Empty: the whole tree.
    pub choices: Box<[u8]>,
    /// Share of the whole tree, 0..=1, if every branching shares equally.
    pub share: f64,
}

impl Task {
    /// The whole tree.
    pub fn root() -> Task {
        Task { choices: Box::default(), share: 1.0 }
    }
}

/// Number of depths that a search can have, 0 included: depth = squares on the path, start = 1.
pub const DEPTHS: usize = SMALL_SQUARES_MAX + 1;

/// The counts of a search. A scheduler reads them between bursts and may clear them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Nodes entered.
    pub nodes: u64,
    /// Tours found, in the convention of the search, orbit images included.
    pub tours: u64,
    /// Branches cut by a prune test, or dead ends, whichever the kernel counts; 0 in a kernel that counts neither.
    pub pruned: u64,
    /// Nodes entered by depth, while [`BurstOutput::levels`] is on.
    #[serde(with = "by_depth")]
    pub nodes_by_depth: [u64; DEPTHS],
    /// Branches cut by depth (the depth the branch would have had), while [`BurstOutput::levels`] is on.
    #[serde(with = "by_depth")]
    pub pruned_by_depth: [u64; DEPTHS],
}

/// Figures by depth in a file, as far as they are not 0.
mod by_depth {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(counts: &[u64; super::DEPTHS], serializer: S) -> Result<S::Ok, S::Error> {
        let depths = counts.iter().rposition(|&count| count > 0).map_or(0, |deepest| deepest + 1);
        counts[..depths].serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u64; super::DEPTHS], D::Error> {
        let (counts, mut all) = (Vec::<u64>::deserialize(deserializer)?, [0; super::DEPTHS]);
        let depths = all.get_mut(..counts.len()).ok_or_else(|| D::Error::custom("no search has as many depths"))?;
        depths.copy_from_slice(&counts);
        Ok(all)
    }
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { nodes: 0, tours: 0, pruned: 0, nodes_by_depth: [0; DEPTHS], pruned_by_depth: [0; DEPTHS] }
    }
}

impl Tally {
    /// Adds the counts of another search.
    pub fn add(&mut self, other: &Tally) {
        self.nodes += other.nodes;
        self.tours += other.tours;
        self.pruned += other.pruned;
        let add = |sums: &mut [u64], more: &[u64]| sums.iter_mut().zip(more).for_each(|(sum, n)| *sum += n);
        add(&mut self.nodes_by_depth, &other.nodes_by_depth);
        add(&mut self.pruned_by_depth, &other.pruned_by_depth);
    }
}

/// Receives tours as a search finds them.
pub trait TourSink {
    /// Receives one tour, its squares in order, and returns how many tours it accepted (images included, duplicates and
    /// tours past a limit excluded). The search adds that number to [`Tally::tours`].
    fn tour(&mut self, squares: &[u8]) -> u64;
}

/// The destination of everything that a burst finds.
pub struct BurstOutput<'a> {
    /// The counters.
    pub tally: &'a mut Tally,
    /// Whether to count by depth.
    pub levels: bool,
    /// The receiver of the tours; with `None` they are only counted.
    pub sink: Option<&'a mut dyn TourSink>,
}

impl<'a> BurstOutput<'a> {
    /// Counts nodes and tours, without depths and without a sink.
    pub fn counting(tally: &'a mut Tally) -> BurstOutput<'a> {
        BurstOutput { tally, levels: false, sink: None }
    }

    /// Counts a node, if `levels` by its depth too.
    #[inline(always)]
    pub fn count_node(&mut self, levels: bool, depth: usize) {
        self.tally.nodes += 1;
        if levels {
            self.tally.nodes_by_depth[depth] += 1;
        }
    }

    /// Counts branches that are cut, if `levels` by their depth too.
    #[inline(always)]
    pub fn count_pruned(&mut self, levels: bool, depth: usize, pruned: u64) {
        self.tally.pruned += pruned;
        if levels {
            self.tally.pruned_by_depth[depth] += pruned;
        }
    }
}

/// The position of a search, in the form that a view draws.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Drawing {
    /// Chains of squares (numbers of the board) joined by moves: one for a path, several for fragments. The squares of a
    /// path are in its order.
    pub chains: Vec<Vec<u32>>,
    /// The square reserved for the last move.
    pub reserved: Option<u32>,
    /// Squares of the path that are not drawn: of a very long path only the end is drawn.
    pub skipped: u32,
}

impl Drawing {
    /// Squares of the longest path that is drawn from its start.
    pub const SQUARES_MAX: usize = 1 << 14;

    /// Whether no square is drawn.
    pub fn is_empty(&self) -> bool {
        self.chains.iter().all(Vec::is_empty)
    }

    /// Draws a path; of a path longer than [`Drawing::SQUARES_MAX`] the end.
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
