//! Static sharing: prefixes of the tree are dealt out once, like a parallel `for`. No worker helps another: the others wait
//! until the slowest worker has finished.
//!
//! Worker 0 opens the tree with the search's own pruning. Each node is entered once and credited to worker 0. Which worker
//! gets which prefix is decided before any other worker begins, and depends only on the tree and the number of workers.
//!
//! Carter gives each thread a block of start squares, and neighbours in the tree are alike: of 6x8 by `edges`, which has
//! one start, the first of two workers has 98.6 % of the nodes. So [`TreeCut::Even`] opens the task with the largest share
//! until no prefix matters much, and deals neighbours to different workers, as that loop does with `schedule(static, 1)`:
//! 50.8 %. [`TreeCut::Blocks`] is the source's division, kept to be seen.
//!
//! # Source
//! Cameron Carter, "PCSE Final Project", 2016, section 2.1.

use super::worker::{KernelWorker, NO_MAIL, run_workers};
use crate::schedule::crew::lifecycle::CrewContext;
use crate::schedule::figures::outcome::Totals;
use crate::schedule::rule::TreeCut;
use crate::schedule::scheduler::{Scheduler, SchedulerCard, Sharing};
use crate::search::{BurstEnd, HandOver, Kernel, Task};
use std::collections::VecDeque;
use std::sync::OnceLock;

/// Prefixes of an even division, where the tree has as many. With a quarter of that one worker of six has 10 points more
/// than its share of the open tours of 6x6 by `path`. Opening the prefixes takes some milliseconds.
const EVEN: usize = 1 << 13;
/// Smallest number of prefixes per worker: enough to show balance, and so few in blocks that the lack of balance shows.
const PREFIXES_PER_WORKER: usize = 16;
/// An even division is made for at least this many workers, against trees that are narrow only at the top.
const NARROW: usize = 8;
/// Largest number of nodes entered while the tree is opened for blocks, against trees that stay narrow for ever.
const OPENED_MAX: usize = 1 << 16;

impl Scheduler {
    /// Many prefixes, dealt out in turn before the run.
    pub const STATIC: Scheduler = Scheduler::of(&SchedulerCard {
        simulated: |_| Sharing::Deal(TreeCut::Even),
        ..dealt(
            "static",
            "thousands of prefixes dealt out in turn before the run: no worker helps another, the shares are even",
        )
    });

    /// The starts, or a few prefixes, dealt out in blocks before the run.
    pub const BLOCKS: Scheduler = Scheduler::of(&SchedulerCard {
        simulated: |_| Sharing::Deal(TreeCut::Blocks),
        ..dealt(
            "static-blocks",
            "the starts, or a few prefixes, dealt out in blocks, as Carter did: shows uneven shares",
        )
    });
}

/// The card of a scheduler that deals the work out.
const fn dealt(name: &'static str, summary: &'static str) -> SchedulerCard {
    let without_hires = "static deals the work out once";
    SchedulerCard { deals: true, without_hires, ..SchedulerCard::new(name, summary) }
}

/// Lets each worker finish its own list of tasks. A single list is dealt out to all workers, in turn.
pub fn even(context: &CrewContext, kernel: &dyn Kernel, task_lists: Vec<Vec<Task>>) -> Vec<Totals> {
    run(context, kernel, &task_lists, TreeCut::Even)
}

/// As [`even`], in blocks.
pub fn blocks(context: &CrewContext, kernel: &dyn Kernel, task_lists: Vec<Vec<Task>>) -> Vec<Totals> {
    run(context, kernel, &task_lists, TreeCut::Blocks)
}

fn run(context: &CrewContext, kernel: &dyn Kernel, task_lists: &[Vec<Task>], cut: TreeCut) -> Vec<Totals> {
    match task_lists {
        [tasks] => deal(context, kernel, tasks, cut),
        // The run was saved before the tree was opened.
        [tasks, others @ ..] if others.iter().all(Vec::is_empty) && !has_dealt(context) => {
            deal(context, kernel, tasks, cut)
        }
        task_lists => run_workers(context, kernel, |worker| {
            finish(worker, task_lists.get(worker.id()).map_or(&[], Vec::as_slice))
        }),
    }
}

/// Whether a worker beside the one that opens the tree has worked.
fn has_dealt(context: &CrewContext) -> bool {
    (1..context.size()).any(|id| context.meters().of(id).figures.nodes.get() > 0)
}

/// Lets a worker finish its tasks.
fn finish(worker: &mut KernelWorker<'_>, mine: &[Task]) {
    if !mine.is_empty() {
        worker.report_begin(mine);
        worker.begin(mine.to_vec());
        worker.work(&NO_MAIL, |_| false);
        worker.report_end();
    }
}

/// Deals these parts of the tree out and lets each worker finish its share.
fn deal(context: &CrewContext, kernel: &dyn Kernel, tasks: &[Task], cut: TreeCut) -> Vec<Totals> {
    let dealt: OnceLock<Vec<Task>> = OnceLock::new();
    let opened = std::sync::Barrier::new(context.size());
    run_workers(context, kernel, |worker| {
        // A panic must not leave the others at the barrier; it continues behind the barrier.
        let opening = || {
            (worker.id() == 0).then(|| {
                worker.report_begin(tasks);
                let prefixes = open(worker, context.size(), tasks, cut);
                worker.report_end();
                dealt.set(prefixes)
            })
        };
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(opening)).err();
        opened.wait();
        if let Some(panic) = panic {
            std::panic::resume_unwind(panic);
        }
        let tasks = dealt.get().map_or(&[][..], Vec::as_slice);
        // In a pause the tree was opened by the steps before.
        worker.skip_steps();
        finish(worker, &cut.tasks_of(tasks, context.size(), worker.id()).cloned().collect::<Vec<_>>());
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
    /// Opens tasks with `open`, which answers the children of a task, until there are enough prefixes for this many
    /// workers.
    pub fn open(self, workers: usize, tasks: Vec<Task>, open: impl FnMut(Task) -> Vec<Task>) -> Vec<Task> {
        match self {
            // A single worker gets all tasks unopened.
            TreeCut::Even if workers > 1 => by_share(workers.max(NARROW) * PREFIXES_PER_WORKER, tasks, open),
            TreeCut::Blocks if tasks.len() < workers => by_length(workers * PREFIXES_PER_WORKER, tasks, open),
            _ => tasks,
        }
    }

    /// The prefixes that belong to a worker.
    pub fn tasks_of(self, tasks: &[Task], workers: usize, worker: usize) -> impl Iterator<Item = &Task> {
        let bound = |worker: usize| worker * tasks.len() / workers;
        let (own, step) = match self {
            TreeCut::Even => (worker.min(tasks.len())..tasks.len(), workers),
            TreeCut::Blocks => (bound(worker)..bound(worker + 1), 1),
        };
        tasks[own].iter().step_by(step)
    }
}

/// Opens the tasks with the largest share of the tree first, and keeps the tasks in order. It stops when at least `least`
/// tasks were opened and no more tasks than that are left to deal: then the tree has little more than that, and its end is
/// no work for one worker alone.
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

/// Opens the shortest tasks first, until there are `enough` tasks.
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
