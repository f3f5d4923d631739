//! The search of a tree under one of the schedulers.
//!
//! Each has a file with its card, its constant and its search, and a row below; `README.md` says how to add one.
//! Where to begin: [`Crew::run`](crate::schedule::Crew::run) in `tree.rs`, then the loop of a worker in `worker.rs`.

use crate::schedule::crew::lifecycle::CrewContext;
use crate::schedule::figures::outcome::Totals;
use crate::schedule::scheduler::Scheduler;
use crate::search::{Kernel, Task};

mod fixed;
mod fork;
mod hire;
#[cfg(test)]
mod overhead_tests;
mod serial;
mod shard_prefixes;
#[cfg(test)]
mod tests;
pub mod tree;
mod worker;

/// Searches with a crew until no work is left or the workers are to stop, and answers their totals. The lists are the tasks of
/// each worker, or one list for the worker that begins.
type TreeSearch = fn(&CrewContext, &dyn Kernel, Vec<Vec<Task>>) -> Vec<Totals>;

/// Every scheduler with its search, the default first, then in the order of the help and of the key for the next one.
const ROWS: [(Scheduler, TreeSearch); 5] = [
    (Scheduler::HIRE, hire::run),
    (Scheduler::RAYON, fork::run),
    (Scheduler::STATIC, fixed::even),
    (Scheduler::BLOCKS, fixed::blocks),
    (Scheduler::SERIAL, serial::run),
];

impl Scheduler {
    /// Every scheduler, the default first.
    pub const ALL: [Scheduler; ROWS.len()] = {
        let (mut all, mut row) = ([Scheduler::HIRE; ROWS.len()], 0);
        while row < ROWS.len() {
            all[row] = ROWS[row].0;
            row += 1;
        }
        all
    };
}
