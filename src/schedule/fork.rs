//! Sharing by rayon: every part of the tree above a size becomes a task on rayon's work-stealing deques.
//!
//! A task enters one node; if its share of the tree is still large, each child becomes a task of its own, otherwise the
//! worker finishes it in bursts like any other. Idle threads steal the oldest, which is the largest, task. A task that runs on
//! another worker than the one that made it is counted as a hire of that worker, so that schedulers can be compared.

use super::meter::WorkerState;
use super::worker::{NO_MAIL, Totals, Worker};
use super::{Crew, RunError};
use crate::event::EventKind;
use crate::search::{HandOver, Search, Status, Task};
use rayon::Scope;
use std::sync::{Mutex, PoisonError};

/// Parts of the tree per worker down to which tasks are made.
const PARTS_PER_WORKER: f64 = 256.0;

type Workers<'a, S> = Vec<Mutex<Worker<'a, S>>>;

/// Runs the tree as tasks of a rayon pool of its own.
pub fn run<S: Search + Clone + Sync>(crew: &Crew, search: &S) -> Vec<Totals> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(crew.size()).thread_name(|id| format!("worker-{id}"));
    let workers: Workers<S> = (0..crew.size()).map(|id| Mutex::new(Worker::new(id, crew, search))).collect();
    let fork = Fork { crew, workers: &workers, share_min: 1.0 / (PARTS_PER_WORKER * crew.size() as f64) };
    let thread = |thread: rayon::ThreadBuilder| {
        crew.lower_priority();
        thread.run();
    };
    let root = |pool: &rayon::ThreadPool| {
        pool.scope(|scope| fork.task(scope, &Task::root(), None));
    };
    if let Err(error) = pool.build_scoped(thread, root) {
        crew.fail(RunError::Spawn { worker: 0, error: std::io::Error::other(error) });
    }
    let finish = |worker: Mutex<Worker<S>>| {
        let intact = !worker.is_poisoned();
        worker.into_inner().unwrap_or_else(PoisonError::into_inner).finish(intact)
    };
    workers.into_iter().map(finish).collect()
}

struct Fork<'f, 'a, S> {
    crew: &'a Crew,
    workers: &'f Workers<'a, S>,
    share_min: f64,
}

impl<'f, S: Search + Clone + Sync> Fork<'f, '_, S> {
    /// Works on one task on whatever thread rayon runs it; `by` made it.
    fn task<'s>(&'s self, scope: &Scope<'s>, task: &Task, by: Option<usize>)
    where
        'f: 's,
    {
        let id = rayon::current_thread_index().unwrap_or(0);
        let mut children = Vec::new();
        self.crew.guard(id, || {
            // Each thread locks its own worker alone, and never while it runs another task.
            let mut worker = self.workers[id].lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(by) = by.filter(|&by| by != id) {
                self.crew.meters().of(by).count_hire();
                worker.report(EventKind::Hired { by, depth: task.choices.len() });
            }
            worker.set_state(WorkerState::Busy);
            worker.begin(task);
            if task.share > self.share_min {
                let alive = task.choices.is_empty() || worker.enter_one() == Status::Yielded;
                children.extend(std::iter::from_fn(|| alive.then(|| worker.split(HandOver::Next))?));
            } else {
                worker.work(&NO_MAIL, |_| false);
            }
            worker.set_state(WorkerState::Idle);
            worker.publish_cpu();
        });
        // Rayon runs what was spawned last first: the first child is to come first.
        for child in children.into_iter().rev() {
            if self.crew.control().stopped().is_none() {
                scope.spawn(move |scope| self.task(scope, &child, Some(id)));
            }
        }
    }
}
