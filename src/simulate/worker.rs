//! A virtual worker: its kernel and its statistics.

use super::plan::Ticks;
use crate::schedule::SharingCounts;
use crate::search::Kernel;

/// A virtual worker. Its place in the protocol is held by the scheduler.
pub struct VirtualWorker {
    pub(super) kernel: Box<dyn Kernel>,
    /// Whether its task is exhausted.
    pub(super) exhausted: bool,
    /// The time since which it has no task; `None` while it has one.
    pub(super) idle_since: Option<Ticks>,
    pub(super) idle_longest: Ticks,
    /// The start of its last task, and the total time of all tasks before.
    pub(super) busy_since: Ticks,
    pub(super) busy: Ticks,
    /// Whether the observer knows the origin of its task.
    pub(super) begin_reported: bool,
    /// Nodes entered, and those already reported to the observer.
    pub nodes: u64,
    pub(super) reported_nodes: u64,
    /// Nodes when it last gave a branch, or got its own.
    pub(super) gave_at: u64,
    pub tours: u64,
    /// What it gave to others.
    pub sharing: SharingCounts,
}

impl VirtualWorker {
    pub(super) fn new(kernel: Box<dyn Kernel>) -> VirtualWorker {
        let [nodes, reported_nodes, gave_at, tours] = [0; 4];
        let (idle_since, idle_longest, busy_since, busy) = (Some(0), 0, 0, 0);
        let (exhausted, begin_reported) = (true, false);
        VirtualWorker {
            kernel,
            exhausted,
            idle_since,
            idle_longest,
            busy_since,
            busy,
            begin_reported,
            nodes,
            reported_nodes,
            gave_at,
            tours,
            sharing: SharingCounts::default(),
        }
    }

    pub fn has_task(&self) -> bool {
        self.idle_since.is_none()
    }

    /// The search of its task, or of its last task when it has none.
    pub fn kernel(&self) -> &dyn Kernel {
        &*self.kernel
    }

    /// Total time with a task until `at`.
    pub fn busy_by(&self, at: Ticks) -> Ticks {
        self.busy + if self.has_task() { at.saturating_sub(self.busy_since) } else { 0 }
    }
}
