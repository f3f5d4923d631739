//! Distributes the contexts of a step to the threads: one by one, those with the most states first, to the next free
//! thread.
//!
//! Each context comes with its sources and with its own part of the next layer, cut out beforehand. The threads share
//! nothing else but data that all of them only read.

use super::counts::StoreFindings;
use super::gather::Gather;
use crate::count::states::context::{ContextGroups, Contexts, StepContext};
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
struct ContextTask<'a> {
    context: &'a StepContext,
    /// Index of the context among all contexts of the step.
    index: usize,
    /// States that are stored and were not before: none where images are added to them.
    stored: u64,
}

/// How a thread does a task, with its own scratch memory.
type TaskWork<'a> = Box<dyn FnMut(&ContextTask<'_>) -> io::Result<StoreFindings> + 'a>;

impl CountThreads<'_> {
    /// Runs `kernel` on every context of a step, with its sources and targets in the order of their numbers; here they are given by
    /// their places in the layers. Returns nothing if stopped, and fails with the first error of the kernel.
    ///
    /// The generic code is small: only what touches counts is compiled for each of their widths.
    pub fn for_each_context<S: Copy + Sync, T: Send, W>(
        &self,
        gather: &Gather<'_>,
        sources: &[S],
        targets: Vec<T>,
        scratch: impl Fn() -> W + Sync,
        kernel: impl Fn(ContextGroups<'_>, &[S], &mut [T], &mut W) -> io::Result<StoreFindings> + Sync,
    ) -> io::Result<Option<StoreFindings>> {
        let contexts = Contexts::new(gather.before, gather.after, gather.rules.concerned, gather.images);
        let sources: Vec<S> = contexts.sources.iter().map(|source| sources[source.place]).collect();
        let mut targets: Vec<Option<T>> = targets.into_iter().map(Some).collect();
        let mut targets: Vec<T> = contexts.targets.iter().filter_map(|target| targets[target.place].take()).collect();
        // No thread waits for a lock: each part belongs to one task. The lock only lets the thread of the task take it.
        let mut rest = &mut targets[..];
        let part = |context: &StepContext| Mutex::new(rest.split_off_mut(..context.targets.len()).unwrap_or_default());
        let parts: Vec<Mutex<&mut [T]>> = contexts.list.iter().map(part).collect();
        self.distribute(&tasks(gather, &contexts.list), &|| {
            let mut scratch = scratch();
            let (parts, kernel, contexts, sources) = (&parts, &kernel, &contexts, &sources);
            Box::new(move |task| {
                let (from, to) = (task.context.sources.clone(), task.context.targets.clone());
                let groups = ContextGroups {
                    ends: task.context.ends,
                    sources: &contexts.sources[from.clone()],
                    targets: &contexts.targets[to],
                };
                kernel(groups, &sources[from], &mut parts[task.index].locked(), &mut scratch)
            })
        })
    }

    /// Distributes the tasks in order; `make_work` makes the function with which a thread does its tasks.
    fn distribute<'d>(
        &self,
        tasks: &[ContextTask<'_>],
        make_work: &(dyn Fn() -> TaskWork<'d> + Sync),
    ) -> io::Result<Option<StoreFindings>> {
        self.watch.begin_contexts(tasks.len() as u32);
        let (next, failed, watch) = (AtomicUsize::new(0), AtomicBool::new(false), self.watch);
        let is_running = || !watch.is_stopped() && !failed.load(Relaxed);
        let found = self.pool.broadcast(|thread| {
            let mut work = make_work();
            let mut found = StoreFindings::default();
            while let Some(task) = tasks.get(next.fetch_add(1, Relaxed)).filter(|_| is_running()) {
                watch.start_context(thread.index(), task.index as u32);
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

/// The tasks of a step, the largest first.
fn tasks<'a>(gather: &Gather<'_>, contexts: &'a [StepContext]) -> Vec<ContextTask<'a>> {
    let stored = |context: &StepContext| if gather.images.is_none() { context.states } else { 0 };
    let task = |(index, context)| ContextTask { context, index, stored: stored(context) };
    let mut tasks: Vec<ContextTask<'_>> = contexts.iter().enumerate().map(task).collect();
    tasks.sort_by_key(|task| std::cmp::Reverse(task.context.states));
    tasks
}
