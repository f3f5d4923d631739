//! The trait of all tree searches, and the burst in which a caller drives one.
//!
//! A caller holds a kernel behind a pointer and calls [`Kernel::advance`] once for a burst of some thousand nodes.
//! Inside a burst only the [`TourSink`](super::TourSink) is called through a pointer. Each kernel chooses one of its
//! own compiled loops when the burst begins, by gear and by what it must count.

use super::drawing::Drawing;
use super::tally::BurstOutput;
use super::task::{HandOver, Task};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

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
