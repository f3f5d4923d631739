//! Sharing by rayon: every part of the tree above a size becomes a task on rayon's work-stealing deques.
//!
//! A task enters one node; if its share of the tree is still large, each child becomes a task of its own, otherwise the
//! worker finishes it in bursts like any other. Idle threads steal the oldest, which is the largest, task. A task that runs on
//! another worker than the one that made it is counted as a hire of that worker, so that schedulers can be compared. A task
//! that comes to a thread while the run stops is kept as a part of the rest, no matter which thread made it, and is no hire.
//!
//! Rayon does not say when a thread finds nothing more to do: that a worker ran dry is told late, when it has stolen
//! something or goes home, with the time at which its last task before that had ended.

use super::worker::{KernelWorker, NO_MAIL};
use crate::event::EventKind;
use crate::lock::LockAlways as _;
use crate::schedule::crew::context::CrewContext;
use crate::schedule::figures::outcome::{RunError, Totals};
use crate::schedule::figures::workers::WorkerState;
use crate::search::{BurstEnd, HandOver, Kernel, Task};
use rayon::Scope;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Parts of the tree per worker down to which tasks are made.
const PARTS_PER_WORKER: f64 = 256.0;

/// Runs these parts of the tree as tasks of a rayon pool of its own.
pub fn run(context: &CrewContext, kernel: &dyn Kernel, tasks: &[Task]) -> Vec<Totals> {
    let worker = |id| Mutex::new(Thread { worker: KernelWorker::new(id, context, kernel), ended: None });
    let workers: Vec<Mutex<Thread<'_>>> = (0..context.size()).map(worker).collect();
    let share_min = 1.0 / (PARTS_PER_WORKER * context.size() as f64);
    let work = |id: usize, task: &Task, by: Option<usize>| {
        // Each thread locks its own worker alone, and never while it runs another task.
        let mut thread = workers[id].locked();
        if context.control().is_stopping() {
            thread.worker.put_down(task);
            return Vec::new();
        }
        thread.turn_to(task, by);
        let worker = &mut thread.worker;
        worker.set_state(WorkerState::Busy);
        worker.begin(vec![task.clone()]);
        let mut children = Vec::new();
        if task.share > share_min {
            let alive = task.choices.is_empty() || worker.enter_one() == BurstEnd::Yielded;
            children.extend(std::iter::from_fn(|| alive.then(|| worker.split(HandOver::Next))?).flatten());
        } else {
            worker.work(&NO_MAIL, |_| false);
        }
        // Still with work: where the machine is busy, a system call is where somebody else gets the processor.
        worker.publish_cpu();
        worker.set_state(WorkerState::Idle);
        thread.ended = Some(thread.worker.now());
        children
    };
    Fork { context, work: &work }.run(tasks);
    let finish = |thread: Mutex<Thread<'_>>| {
        let intact = !thread.is_poisoned();
        let mut thread = thread.into_inner().unwrap_or_else(PoisonError::into_inner);
        thread.run_dry();
        thread.worker.finish(intact)
    };
    workers.into_iter().map(finish).collect()
}

/// A thread of rayon's: its worker, and when the last of its tasks had ended, if it has had any.
struct Thread<'a> {
    worker: KernelWorker<'a>,
    ended: Option<Duration>,
}

impl Thread<'_> {
    /// Tells where a task comes from that is none of its own: from the worker that made it, or from nobody.
    fn turn_to(&mut self, task: &Task, by: Option<usize>) {
        if let Some(by) = by {
            self.run_dry();
            self.worker.context().meters().of(by).count_hire();
            let kind = EventKind::Hired { by, depth: task.choices.len(), left: None, company: Vec::new() };
            self.worker.report(kind);
        } else if self.ended.is_none() {
            self.worker.begins_with(std::slice::from_ref(task));
        }
    }

    /// Tells that it ran dry when its last task had ended.
    fn run_dry(&mut self) {
        if let Some(at) = self.ended.take() {
            self.worker.ran_dry(at, None, None);
        }
    }
}

/// Works on a task on the thread of a worker, which took it over from another one, if from any, and answers the tasks it
/// makes of it.
type ForkWork<'f> = dyn Fn(usize, &Task, Option<usize>) -> Vec<Task> + Sync + 'f;

/// The tasks of one run, as rayon runs them.
struct Fork<'f> {
    context: &'f CrewContext,
    work: &'f ForkWork<'f>,
}

impl Fork<'_> {
    fn run(&self, tasks: &[Task]) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.context.size());
        let thread = |thread: rayon::ThreadBuilder| {
            self.context.set_thread(thread.index());
            thread.run();
        };
        let root = |pool: &rayon::ThreadPool| {
            pool.scope(|scope| self.spawn(scope, tasks, None));
        };
        if let Err(error) = pool.thread_name(|id| format!("worker-{id}")).build_scoped(thread, root) {
            self.context.fail(RunError::Spawn { worker: 0, error: std::io::Error::other(error) });
        }
    }

    /// Works on one task on whatever thread rayon runs it; `by` made it.
    fn task<'s>(&'s self, scope: &Scope<'s>, task: &Task, by: Option<usize>) {
        let id = rayon::current_thread_index().unwrap_or(0);
        let mut children = Vec::new();
        self.context.guard(id, || {
            children = (self.work)(id, task, by.filter(|&by| by != id));
        });
        self.spawn(scope, &children, Some(id));
    }

    /// Lets rayon run these tasks, also those of a run that was stopped: its worker keeps what is left of them.
    fn spawn<'s>(&'s self, scope: &Scope<'s>, tasks: &[Task], by: Option<usize>) {
        // Rayon runs what was spawned last first: the first one is to come first.
        for task in tasks.iter().rev() {
            let task = task.clone();
            scope.spawn(move |scope| self.task(scope, &task, by));
        }
    }
}
