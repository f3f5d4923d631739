//! Who works on which context: handed out one by one, those with the most states first, to whichever thread is free.
//!
//! Each context comes with what it reads and with its own part of the layer to write, cut out beforehand; nothing else
//! is shared but what all read.

use super::gather::{Found, Gather};
use super::watch::Watch;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The threads, and whoever watches them.
pub(super) struct Crew<'a> {
    /// The threads.
    pub(super) pool: &'a rayon::ThreadPool,
    /// Progress, and the wish to stop.
    pub(super) watch: &'a Watch,
}

/// A context's work: nobody else's, the lock only lets a thread take what was cut out for it.
struct Task<S, T> {
    context: u32,
    /// Its place among them by pattern, whenever it is handed out.
    number: u32,
    states: u64,
    parts: Mutex<(Vec<S>, Vec<T>)>,
}

impl Crew<'_> {
    /// Does every context of a step with `kernel`; `sources` and `targets` are cut by group. Nothing if stopped.
    ///
    /// # Errors
    /// The first of the kernel's.
    pub(super) fn each_context<S: Default + Send, T: Default + Send, W>(
        &self,
        gather: &Gather<'_>,
        sources: Vec<S>,
        targets: Vec<T>,
        means: impl Fn() -> W + Sync,
        kernel: impl Fn(u32, &mut [S], &mut [T], &mut W) -> io::Result<Found> + Sync,
    ) -> io::Result<Option<Found>> {
        let concerned = gather.rules.concerned;
        let sources = gather.groups.contexts(concerned, sources);
        let targets = gather.groups.contexts(concerned, targets);
        let tasks = sources.into_iter().zip(targets).map(|((context, sources), (_, targets))| Task {
            context,
            number: 0,
            states: gather.after.states_of(context, concerned),
            parts: Mutex::new((sources, targets)),
        });
        let mut tasks: Vec<Task<S, T>> = tasks.filter(|task| task.states > 0).collect();
        for (number, task) in (0..).zip(&mut tasks) {
            task.number = number;
        }
        self.watch.show(|now| now.contexts = tasks.len() as u32);
        tasks.sort_by_key(|task| std::cmp::Reverse(task.states));
        let (next, failed, watch) = (AtomicUsize::new(0), AtomicBool::new(false), self.watch);
        let goes_on = || !watch.is_stopped() && !failed.load(Relaxed);
        let found = self.pool.broadcast(|thread| {
            let mut means = means();
            let mut found = Found::default();
            while let Some(task) = tasks.get(next.fetch_add(1, Relaxed)).filter(|_| goes_on()) {
                watch.take_up(thread.index(), task.number);
                let mut parts = task.parts.lock().unwrap_or_else(PoisonError::into_inner);
                let (sources, targets) = &mut *parts;
                let part = kernel(task.context, sources, targets, &mut means);
                let part = part.inspect_err(|_| failed.store(true, Relaxed))?;
                watch.put_down(thread.index(), task.states, part.nonzero);
                found = found.and(part);
            }
            Ok(found)
        });
        let found = found.into_iter().collect::<io::Result<Vec<Found>>>()?;
        Ok((!watch.is_stopped()).then(|| found.into_iter().fold(Found::default(), Found::and)))
    }
}
