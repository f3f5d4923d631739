//! One worker: the plain twin that every other scheduler is tested against.

use super::Crew;
use super::worker::{NO_MAIL, Totals};
use crate::search::{Search, Task};

/// Runs the whole tree on one worker.
pub fn run<S: Search + Clone + Sync>(crew: &Crew, search: &S) -> Vec<Totals> {
    crew.run_threads(search, |worker| {
        worker.begin(&Task::root());
        worker.work(&NO_MAIL, |_| false);
    })
}
