//! Who works on which context: handed out one by one, those with the most states first, to whichever thread is free.
//!
//! Each context comes with what it reads and with its own part of the layer to write, cut out beforehand; nothing else
//! is shared but what all read.

use super::gather::{Gather, StoreFindings};
use super::watch::CountWatch;
use crate::lock::LockAlways as _;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// The threads, and whoever watches them.
pub(super) struct CountThreads<'a> {
    /// The threads.
    pub(super) pool: &'a rayon::ThreadPool,
    /// Progress, and the wish to stop.
    pub(super) watch: &'a CountWatch,
}

/// The work of one context.
struct ContextTask {
    context: u32,
    /// Its place among all contexts, and among those with states.
    place: usize,
    number: u32,
    states: u64,
}

/// A thread's own way to do a task.
type TaskWork<'a> = Box<dyn FnMut(&ContextTask) -> io::Result<StoreFindings> + 'a>;

impl CountThreads<'_> {
    /// Does every context of a step with `kernel`; `sources` and `targets` are cut by group. Nothing if stopped.
    ///
    /// Only what touches the counts is built for each of their widths.
    ///
    /// # Errors
    /// The first of the kernel's.
    pub(super) fn each_context<S: Default + Send, T: Default + Send, W>(
        &self,
        gather: &Gather<'_>,
        sources: Vec<S>,
        targets: Vec<T>,
        means: impl Fn() -> W + Sync,
        kernel: impl Fn(u32, &mut [S], &mut [T], &mut W) -> io::Result<StoreFindings> + Sync,
    ) -> io::Result<Option<StoreFindings>> {
        let concerned = gather.rules.concerned;
        let sources = gather.groups.contexts(concerned, sources);
        let targets = gather.groups.contexts(concerned, targets);
        let tasks = tasks(gather, &mut sources.iter().map(|(context, _)| *context));
        // Nobody else's, each: the lock only lets a thread take what was cut out for it.
        let parts = sources.into_iter().zip(targets).map(|((_, sources), (_, targets))| Mutex::new((sources, targets)));
        let parts: Vec<Mutex<(Vec<S>, Vec<T>)>> = parts.collect();
        self.hand_out(&tasks, &|| {
            let mut means = means();
            let (parts, kernel) = (&parts, &kernel);
            Box::new(move |task| {
                let mut parts = parts[task.place].locked();
                let (sources, targets) = &mut *parts;
                kernel(task.context, sources, targets, &mut means)
            })
        })
    }

    /// Hands out the tasks in order; each thread does its own as `doing` has it.
    fn hand_out<'d>(
        &self,
        tasks: &[ContextTask],
        doing: &(dyn Fn() -> TaskWork<'d> + Sync),
    ) -> io::Result<Option<StoreFindings>> {
        self.watch.show(|now| now.contexts = tasks.len() as u32);
        let (next, failed, watch) = (AtomicUsize::new(0), AtomicBool::new(false), self.watch);
        let goes_on = || !watch.is_stopped() && !failed.load(Relaxed);
        let found = self.pool.broadcast(|thread| {
            let mut doing = doing();
            let mut found = StoreFindings::default();
            while let Some(task) = tasks.get(next.fetch_add(1, Relaxed)).filter(|_| goes_on()) {
                watch.take_up(thread.index(), task.number);
                let part = doing(task).inspect_err(|_| failed.store(true, Relaxed))?;
                watch.put_down(thread.index(), task.states, part.nonzero);
                found = found.and(part);
            }
            Ok(found)
        });
        let found = found.into_iter().collect::<io::Result<Vec<StoreFindings>>>()?;
        Ok((!watch.is_stopped()).then(|| found.into_iter().fold(StoreFindings::default(), StoreFindings::and)))
    }
}

/// The tasks of these contexts, without those that have no states, the largest first.
fn tasks(gather: &Gather<'_>, contexts: &mut dyn Iterator<Item = u32>) -> Vec<ContextTask> {
    let states = |context| gather.after.states_of(context, gather.rules.concerned);
    let task = |(place, context)| ContextTask { context, place, number: 0, states: states(context) };
    let mut tasks: Vec<ContextTask> = contexts.enumerate().map(task).filter(|task| task.states > 0).collect();
    for (number, task) in (0..).zip(&mut tasks) {
        task.number = number;
    }
    tasks.sort_by_key(|task| std::cmp::Reverse(task.states));
    tasks
}
