//! One worker: the plain twin against which every other scheduler is tested, and the shortest one to begin with.

use super::worker::{NO_MAIL, run_workers};
use crate::schedule::crew::lifecycle::CrewContext;
use crate::schedule::figures::outcome::Totals;
use crate::schedule::scheduler::{Scheduler, SchedulerCard};
use crate::search::{Kernel, Task};

impl Scheduler {
    /// One worker.
    pub const SERIAL: Scheduler = Scheduler::of(&SchedulerCard {
        is_single: true,
        without_hires: "a single worker hires none",
        ..SchedulerCard::new("serial", "one worker")
    });
}

/// Searches these parts of the tree with one worker.
pub fn run(context: &CrewContext, kernel: &dyn Kernel, task_lists: Vec<Vec<Task>>) -> Vec<Totals> {
    let tasks = task_lists.concat();
    run_workers(context, kernel, |worker| {
        worker.report_begin(&tasks);
        worker.begin(tasks.clone());
        worker.work(&NO_MAIL, |_| false);
        worker.report_end();
    })
}
