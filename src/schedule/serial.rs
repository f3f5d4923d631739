//! One worker: the plain twin that every other scheduler is tested against.

use super::crew::Crew;
use super::outcome::Totals;
use super::worker::NO_MAIL;
use crate::search::{Kernel, Task};

/// Runs these parts of the tree on one worker.
pub fn run(crew: &Crew, kernel: &dyn Kernel, tasks: &[Task]) -> Vec<Totals> {
    crew.run_threads(kernel, |worker| {
        worker.begins_with(tasks);
        worker.begin(tasks.to_vec());
        worker.work(&NO_MAIL, |_| false);
        worker.ran_dry(worker.now(), None, None);
    })
}
