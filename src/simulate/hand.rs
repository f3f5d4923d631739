//! A virtual worker: its kernel, and an account of what it did.

use super::costs::Ticks;
use crate::search::Kernel;

/// A virtual worker, without what its scheduler knows of it.
pub struct VirtualWorker {
    pub(super) kernel: Box<dyn Kernel>,
    /// Whether its task is done.
    pub(super) exhausted: bool,
    /// Since when it has had no task; nothing when it has one.
    pub(super) idle_since: Option<Ticks>,
    pub(super) idle_longest: Ticks,
    /// When its last task began, and how long all before that took.
    pub(super) began: Ticks,
    pub(super) busy: Ticks,
    /// Whether it was told from where it has its task.
    pub(super) told: bool,
    /// Nodes entered, and those of them that were told of.
    pub nodes: u64,
    pub(super) told_nodes: u64,
    /// Tours found.
    pub tours: u64,
    /// Branches given away.
    pub hires: u64,
    /// Helpers donated.
    pub donations: u64,
}

impl VirtualWorker {
    /// A worker without a task.
    pub(super) fn new(kernel: Box<dyn Kernel>) -> VirtualWorker {
        let [nodes, told_nodes, tours, hires, donations] = [0; 5];
        let (idle_since, idle_longest, began, busy) = (Some(0), 0, 0, 0);
        let (exhausted, told) = (true, false);
        VirtualWorker {
            kernel,
            exhausted,
            idle_since,
            idle_longest,
            began,
            busy,
            told,
            nodes,
            told_nodes,
            tours,
            hires,
            donations,
        }
    }

    /// Whether it has a task.
    pub fn has_task(&self) -> bool {
        self.idle_since.is_none()
    }

    /// Its search, which is that of its last task when it has none.
    pub fn kernel(&self) -> &dyn Kernel {
        &*self.kernel
    }

    /// How long it has had a task by this time.
    pub fn busy_by(&self, at: Ticks) -> Ticks {
        self.busy + if self.has_task() { at.saturating_sub(self.began) } else { 0 }
    }
}
