//! Static sharing: prefixes of the tree, dealt out once, like a parallel `for`. Nobody helps anybody: what one worker cannot
//! finish, the others wait for.
//!
//! Worker 0 opens the tree with the search's own pruning; each node is entered once and credited to it. What is dealt to
//! whom is settled before anybody else begins, and depends on nothing but the tree and the number of workers.
//!
//! Carter gives each thread a block of start squares, and neighbours in the tree are alike: of 6x8 by `edges`, which
//! has one start, the first of two workers has 98.6 % of the nodes. So [`TreeCut::Even`] opens whatever has the largest share
//! until no prefix can matter much, and deals neighbours to different workers, as the same loop does with
//! `schedule(static, 1)`: 50.8 %. [`TreeCut::Blocks`] is the source's, to be looked at.
//!
//! # Source
//! Cameron Carter, "PCSE Final Project", 2016, section 2.1.

use super::worker::{KernelWorker, NO_MAIL, run_workers};
use crate::schedule::crew::context::CrewContext;
use crate::schedule::figures::outcome::Totals;
use crate::search::{BurstEnd, HandOver, Kernel, Task};
use std::collections::VecDeque;
use std::sync::OnceLock;

/// Prefixes of an even division, where the tree has as many: with a quarter of that one worker of six has 10 points more
/// than its share of the open tours of 6x6 by `path`. Opening them takes some milliseconds.
const EVEN: usize = 1 << 13;
/// Prefixes per worker, at least: enough to show balance, of blocks few enough to show the lack of it.
const PREFIXES_PER_WORKER: usize = 16;
/// Workers for whom an even division is looked for at least: against trees that only begin narrow.
const NARROW: usize = 8;
/// Nodes entered at most while opening the tree for blocks, against trees that stay narrow for ever.
const OPENED_MAX: usize = 1 << 16;

/// How a tree is divided beforehand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeCut {
    /// Into many prefixes, dealt out in turn.
    Even,
    /// As the source did: into the starts, or a few prefixes where there are too few of them, dealt out in blocks.
    Blocks,
}

/// Lets each worker finish what it has in hand; deals out what is in one.
pub fn run(context: &CrewContext, kernel: &dyn Kernel, hands: &[Vec<Task>], cut: TreeCut) -> Vec<Totals> {
    match hands {
        [tasks] => deal(context, kernel, tasks, cut),
        hands => {
            run_workers(context, kernel, |worker| finish(worker, hands.get(worker.id()).map_or(&[], Vec::as_slice)))
        }
    }
}

/// Lets a worker finish its own.
fn finish(worker: &mut KernelWorker<'_>, mine: &[Task]) {
    if !mine.is_empty() {
        worker.begins_with(mine);
        worker.begin(mine.to_vec());
        worker.work(&NO_MAIL, |_| false);
        worker.ran_dry(worker.now(), None, None);
    }
}

/// Deals these parts of the tree out and lets each worker finish its own.
fn deal(context: &CrewContext, kernel: &dyn Kernel, tasks: &[Task], cut: TreeCut) -> Vec<Totals> {
    let dealt: OnceLock<Vec<Task>> = OnceLock::new();
    let opened = std::sync::Barrier::new(context.size());
    run_workers(context, kernel, |worker| {
        // A panic must not leave the others at the barrier; it goes on behind it.
        let opening = || {
            (worker.id() == 0).then(|| {
                worker.begins_with(tasks);
                let prefixes = open(worker, context.size(), tasks, cut);
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
        finish(worker, &cut.own(tasks, context.size(), worker.id()).cloned().collect::<Vec<_>>());
    })
}

/// Opens these parts of the tree until there is work for every worker.
fn open(worker: &mut KernelWorker<'_>, workers: usize, tasks: &[Task], cut: TreeCut) -> Vec<Task> {
    let parts = |worker: &mut KernelWorker<'_>| std::iter::from_fn(|| worker.split(HandOver::Next)).flatten().collect();
    let tasks = match tasks {
        [root] if root.choices.is_empty() => {
            worker.begin(tasks.to_vec());
            parts(worker)
        }
        parts => parts.to_vec(),
    };
    cut.open(workers, tasks, |task| {
        worker.begin(vec![task]);
        if worker.enter_one() == BurstEnd::Yielded { parts(worker) } else { Vec::new() }
    })
}

impl TreeCut {
    /// Opens tasks, by what `open` makes of each, until there are enough prefixes to deal out to so many workers.
    pub fn open(self, workers: usize, tasks: Vec<Task>, open: impl FnMut(Task) -> Vec<Task>) -> Vec<Task> {
        match self {
            // One worker has it all.
            TreeCut::Even if workers > 1 => by_share(workers.max(NARROW) * PREFIXES_PER_WORKER, tasks, open),
            TreeCut::Blocks if tasks.len() < workers => by_length(workers * PREFIXES_PER_WORKER, tasks, open),
            _ => tasks,
        }
    }

    /// Those of the prefixes that are a worker's own.
    pub fn own(self, tasks: &[Task], workers: usize, worker: usize) -> impl Iterator<Item = &Task> {
        let bound = |worker: usize| worker * tasks.len() / workers;
        let (own, step) = match self {
            TreeCut::Even => (worker.min(tasks.len())..tasks.len(), workers),
            TreeCut::Blocks => (bound(worker)..bound(worker + 1), 1),
        };
        tasks[own].iter().step_by(step)
    }
}

/// Opens the largest first, by their share of the tree, and keeps them in its order. A tree in which more was opened than
/// there is to deal, `least` or more, has not much more than that: its end is no work for one worker alone.
fn by_share(least: usize, tasks: Vec<Task>, mut open: impl FnMut(Task) -> Vec<Task>) -> Vec<Task> {
    let (enough, mut opened) = (EVEN.max(least), 0);
    let mut limit = 1.0;
    let mut tasks = VecDeque::from(tasks);
    while !tasks.is_empty() && tasks.len() < enough && opened < tasks.len().max(least) {
        limit /= 2.0;
        for _ in 0..tasks.len() {
            let Some(task) = tasks.pop_front() else { break };
            if task.share < limit || tasks.len() + 1 >= enough {
                tasks.push_back(task);
            } else {
                opened += 1;
                tasks.extend(open(task));
            }
        }
    }
    tasks.into()
}

/// Opens the shortest first, until there are so many.
fn by_length(enough: usize, tasks: Vec<Task>, mut open: impl FnMut(Task) -> Vec<Task>) -> Vec<Task> {
    let mut tasks = VecDeque::from(tasks);
    for _ in 0..OPENED_MAX {
        if tasks.len() >= enough {
            break;
        }
        let Some(task) = tasks.pop_front() else { break };
        tasks.extend(open(task));
    }
    tasks.into()
}
