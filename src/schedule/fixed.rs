//! Static sharing: the starts, or prefixes of the tree, dealt out once in blocks, like a parallel `for`.
//!
//! Carter gives each thread a block of start squares. Where there are fewer starts than would give every worker some,
//! the tree is opened further with the search's own pruning, each node entered once and credited to worker 0, until
//! there are enough prefixes or nothing is left to open. Nobody helps anybody: what one worker cannot finish, the others wait for.
//!
//! # Source
//! Cameron Carter, "PCSE Final Project", 2016, section 2.1.

use super::Crew;
use super::outcome::Totals;
use super::worker::{NO_MAIL, Worker};
use crate::search::{HandOver, Search, Status, Task};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::OnceLock;

/// Prefixes per worker when there is only one start: enough to show balance, few enough to show the lack of it.
const PREFIXES_PER_WORKER: usize = 16;
/// Nodes entered at most while opening the tree, against trees that stay narrow for ever.
const OPENED_MAX: usize = 1 << 16;

/// Lets each worker finish what it has in hand; deals out in blocks what is in one.
pub fn run<S: Search + Clone + Sync>(crew: &Crew, search: &S, hands: &[Vec<Task>]) -> Vec<Totals> {
    match hands {
        [tasks] => deal(crew, search, tasks),
        hands => crew.run_threads(search, |worker| finish(worker, hands.get(worker.id()).map_or(&[], Vec::as_slice))),
    }
}

/// Lets a worker finish its own.
fn finish<S: Search + Clone>(worker: &mut Worker<'_, S>, mine: &[Task]) {
    if !mine.is_empty() {
        worker.begins_with(mine);
        worker.begin(mine.to_vec());
        worker.work(&NO_MAIL, |_| false);
        worker.ran_dry(worker.now(), None, None);
    }
}

/// Deals these parts of the tree out in blocks and lets each worker finish its own.
fn deal<S: Search + Clone + Sync>(crew: &Crew, search: &S, tasks: &[Task]) -> Vec<Totals> {
    let dealt: OnceLock<Vec<Task>> = OnceLock::new();
    let opened = std::sync::Barrier::new(crew.size());
    crew.run_threads(search, |worker| {
        // A panic must not leave the others at the barrier; it goes on behind it.
        let opening = || {
            (worker.id() == 0).then(|| {
                worker.begins_with(tasks);
                let prefixes = open(worker, crew.size(), tasks);
                worker.ran_dry(worker.now(), None, None);
                dealt.set(prefixes)
            })
        };
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(opening)).err();
        opened.wait();
        if let Some(panic) = panic {
            std::panic::resume_unwind(panic);
        }
        let tasks = dealt.get().map_or(&[][..], Vec::as_slice);
        finish(worker, &tasks[block(tasks.len(), crew.size(), worker.id())]);
    })
}

/// Opens these parts of the tree, breadth first, until there is work for every worker.
fn open<S: Search + Clone>(worker: &mut Worker<'_, S>, workers: usize, tasks: &[Task]) -> Vec<Task> {
    let parts = |worker: &mut Worker<'_, S>| std::iter::from_fn(|| worker.split(HandOver::Next)).flatten().collect();
    let tasks = match tasks {
        [root] if root.choices.is_empty() => {
            worker.begin(tasks.to_vec());
            parts(worker)
        }
        parts => parts.to_vec(),
    };
    if tasks.len() >= workers {
        return tasks;
    }
    prefixes(workers, tasks, |task| {
        worker.begin(vec![task]);
        if worker.enter_one() == Status::Yielded { parts(worker) } else { Vec::new() }
    })
}

/// Opens tasks, breadth first, by what `open` makes of each, until there are enough prefixes to deal out to so many workers.
pub fn prefixes(workers: usize, tasks: Vec<Task>, mut open: impl FnMut(Task) -> Vec<Task>) -> Vec<Task> {
    let mut tasks = VecDeque::from(tasks);
    for _ in 0..OPENED_MAX {
        if tasks.len() >= workers * PREFIXES_PER_WORKER {
            break;
        }
        let Some(task) = tasks.pop_front() else { break };
        tasks.extend(open(task));
    }
    tasks.into()
}

/// Which of so many tasks are a worker's own: a block of them.
pub fn block(tasks: usize, workers: usize, worker: usize) -> Range<usize> {
    let bound = |worker: usize| worker * tasks / workers;
    bound(worker)..bound(worker + 1)
}
