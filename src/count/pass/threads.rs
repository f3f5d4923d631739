//! Distributes the contexts of a step to the threads: one by one, those with the most states first, to the next free
//! thread.
//!
//! Each context comes with its sources and with its own part of the next layer, cut out beforehand. The threads share
//! nothing else but data that all of them only read.

use super::gather::{Gather, StoreFindings};
use crate::count::watch::CountWatch;
use crate::lock::LockAlways as _;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// The threads of a count, and its watch.
pub struct CountThreads<'a> {
    pub pool: &'a rayon::ThreadPool,
    /// The progress, and the flag that stops the count.
    pub watch: &'a CountWatch,
}

/// The work on one context.
struct ContextTask {
    context: u32,
    /// Index of the context among all contexts; `number` is its index among those with states.
    index: usize,
    number: u32,
    /// States that are written.
    states: u64,
    /// States that are stored and were not before: none where images are added to them.
    stored: u64,
}

/// How a thread does a task, with its own scratch memory.
type TaskWork<'a> = Box<dyn FnMut(&ContextTask) -> io::Result<StoreFindings> + 'a>;

impl CountThreads<'_> {
    /// Runs `kernel` on every context of a step; `sources` and `targets` are given by group. Returns nothing if
    /// stopped, and fails with the first error of the kernel.
    ///
    /// The generic code is small: only what touches counts is compiled for each of their widths.
    pub fn for_each_context<S: Default + Send, T: Default + Send, W>(
        &self,
        gather: &Gather<'_>,
        sources: Vec<S>,
        targets: Vec<T>,
        scratch: impl Fn() -> W + Sync,
        kernel: impl Fn(u32, &mut [S], &mut [T], &mut W) -> io::Result<StoreFindings> + Sync,
    ) -> io::Result<Option<StoreFindings>> {
        let concerned = gather.rules.concerned;
        let (contexts, mut sources) = gather.groups.contexts(concerned, sources);
        let (_, mut targets) = gather.groups.contexts(concerned, targets);
        let tasks = tasks(gather, &contexts);
        // No thread waits for a lock: each part belongs to one task. The lock only lets the thread of the task take it.
        let groups = 1 << concerned.count_ones();
        let parts = sources.chunks_mut(groups).zip(targets.chunks_mut(groups)).map(Mutex::new);
        let parts: Vec<Mutex<(&mut [S], &mut [T])>> = parts.collect();
        self.distribute(&tasks, &|| {
            let mut scratch = scratch();
            let (parts, kernel) = (&parts, &kernel);
            Box::new(move |task| {
                let mut parts = parts[task.index].locked();
                let (sources, targets) = &mut *parts;
                kernel(task.context, sources, targets, &mut scratch)
            })
        })
    }

    /// Distributes the tasks in order; `make_work` makes the function with which a thread does its tasks.
    fn distribute<'d>(
        &self,
        tasks: &[ContextTask],
        make_work: &(dyn Fn() -> TaskWork<'d> + Sync),
    ) -> io::Result<Option<StoreFindings>> {
        // The second part of a step adds its contexts to those of the first.
        self.watch.update(|now| now.contexts += tasks.len() as u32);
        let (next, failed, watch) = (AtomicUsize::new(0), AtomicBool::new(false), self.watch);
        let is_running = || !watch.is_stopped() && !failed.load(Relaxed);
        let found = self.pool.broadcast(|thread| {
            let mut work = make_work();
            let mut found = StoreFindings::default();
            while let Some(task) = tasks.get(next.fetch_add(1, Relaxed)).filter(|_| is_running()) {
                watch.start_context(thread.index(), task.number);
                let part = work(task).inspect_err(|_| failed.store(true, Relaxed))?;
                watch.finish_context(thread.index(), task.stored, part.nonzero.min(task.stored));
                found = found.and(part);
            }
            Ok(found)
        });
        let found = found.into_iter().collect::<io::Result<Vec<StoreFindings>>>()?;
        Ok((!watch.is_stopped()).then(|| found.into_iter().fold(StoreFindings::default(), StoreFindings::and)))
    }
}

/// The tasks of contexts that have states, the largest first.
fn tasks(gather: &Gather<'_>, contexts: &[u32]) -> Vec<ContextTask> {
    let (after, concerned) = (gather.after, gather.rules.concerned);
    let states = |context| match gather.images {
        None => after.context_states(context, concerned),
        Some(halving) => after.image_states(halving, context, concerned),
    };
    let task = |(index, &context)| {
        let states = states(context);
        ContextTask { context, index, number: 0, states, stored: if gather.images.is_none() { states } else { 0 } }
    };
    let mut tasks: Vec<ContextTask> = contexts.iter().enumerate().map(task).filter(|task| task.states > 0).collect();
    for (number, task) in (0..).zip(&mut tasks) {
        task.number = number;
    }
    tasks.sort_by_key(|task| std::cmp::Reverse(task.states));
    tasks
}
