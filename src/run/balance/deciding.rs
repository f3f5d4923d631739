//! The chain of hires that decided the end of a run: who gave the last task to end its branch, who gave that worker its own
//! one, and so on, back to a task without a giver.
//!
//! ```text
//! 0  ######+##########                  0 gave depth 3 to 2,
//! 2        ##########+#####             2 gave depth 7 to 1,
//! 1                   ###########|      and 1 ended last.
//! ```
//!
//! Each branch of the chain lies in the one before, so a chain has no more hires than the tree has levels.

use crate::event::{Event, EventKind};
use crate::run::task::WorkerTask;
use std::sync::Arc;
use std::time::Duration;

/// Most hires of a chain; a search has fewer, because its boards have fewer squares. A longer one begins anew.
const HIRES_MAX: usize = 1 << 8;

/// One hire of the chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecidingHire {
    /// When it was.
    pub at: Duration,
    /// The worker that gave the branch.
    pub by: usize,
    /// The worker that got it.
    pub worker: usize,
    /// Depth of the branch.
    pub depth: usize,
}

/// The last hire of a chain, and those before it, which many chains share.
#[derive(Debug)]
struct ChainLink {
    hire: DecidingHire,
    before: Option<Arc<ChainLink>>,
    /// Number of hires with this one.
    hires: usize,
    /// When the first task of the chain began.
    began: Duration,
}

/// A task in progress: when it began, and the hires that led to it.
type TaskChain = (Duration, Option<Arc<ChainLink>>);

/// The hires that led to a task which ended when no other one did so later.
#[derive(Clone, Debug, Default)]
pub struct DecidingChain {
    /// By worker: its task, and the one before, whose end may be reported late.
    now: Vec<[TaskChain; 2]>,
    last: Option<(Duration, usize, TaskChain)>,
}

/// The task that ended last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastTask {
    /// Its worker.
    pub worker: usize,
    /// When it ended.
    pub to: Duration,
    /// When the first task of the chain began, which had no giver.
    pub began: Duration,
    /// The hires that led to it, in order.
    pub hires: Vec<DecidingHire>,
}

impl DecidingChain {
    /// No worker of so many has had a task.
    pub fn new(workers: usize) -> DecidingChain {
        DecidingChain { now: vec![Default::default(); workers], last: None }
    }

    /// Adds an event that begins a task. What began without a giver begins a chain.
    pub fn take(&mut self, event: &Event) {
        let chain = match event.kind {
            EventKind::Began { .. } => None,
            EventKind::Hired { by, depth, .. } => {
                let giver = self.now.get(by).map(|[now, _]| now.clone()).unwrap_or_default();
                let before = giver.1.filter(|link| link.hires < HIRES_MAX);
                let hires = before.as_ref().map_or(1, |link| link.hires + 1);
                let began = before.as_ref().map_or(giver.0, |link| link.began);
                let hire = DecidingHire { at: event.at, by, worker: event.worker, depth };
                Some(Arc::new(ChainLink { hire, before, hires, began }))
            }
            _ => return,
        };
        if let Some([now, before]) = self.now.get_mut(event.worker) {
            *before = std::mem::replace(now, (event.at, chain));
        }
    }

    /// Adds a task that has ended.
    pub fn end(&mut self, task: &WorkerTask) {
        let &WorkerTask { worker, from, to, .. } = task;
        let is_last = self.last.as_ref().is_none_or(|(last, ..)| to >= *last);
        let Some(tasks) = self.now.get(worker).filter(|_| is_last) else { return };
        if let Some(task) = tasks.iter().find(|(began, _)| *began == from) {
            self.last = Some((to, worker, task.clone()));
        }
    }

    /// The task that ended last.
    pub fn last(&self) -> Option<LastTask> {
        let (to, worker, (from, chain)) = self.last.as_ref()?;
        let began = chain.as_ref().map_or(*from, |link| link.began);
        let links = std::iter::successors(chain.as_deref(), |link| link.before.as_deref());
        let mut hires: Vec<DecidingHire> = links.map(|link| link.hire).collect();
        hires.reverse();
        Some(LastTask { worker: *worker, to: *to, began, hires })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::task::{Stretch, Tasks};

    fn ms(at: u64) -> Duration {
        Duration::from_millis(at)
    }

    fn hired(by: usize, depth: usize) -> EventKind {
        EventKind::Hired { by, depth, left: None, company: Vec::new(), entered: None }
    }

    fn idle() -> EventKind {
        EventKind::Idle { nominee: None, level: None, nodes: 9 }
    }

    fn chain_of(events: &[(u64, usize, EventKind)]) -> DecidingChain {
        let (mut tasks, mut deciding) = (Tasks::new(4, ms(0)), DecidingChain::new(4));
        for (at, worker, kind) in events {
            let event = Event { at: ms(*at), worker: *worker, kind: kind.clone() };
            for stretch in tasks.take(&event).into_iter().flatten() {
                if let Stretch::Task(task) = stretch {
                    deciding.end(&task);
                }
            }
            deciding.take(&event);
        }
        deciding
    }

    fn step(at: u64, by: usize, worker: usize, depth: usize) -> DecidingHire {
        DecidingHire { at: ms(at), by, worker, depth }
    }

    /// The picture of the module, and a worker that is hired before the end of its task is reported.
    #[test]
    fn the_chain_leads_from_the_beginning_to_the_last_task() {
        let mut events = vec![
            (0, 0, EventKind::Began { depth: 0 }),
            (10, 2, hired(0, 3)),
            (20, 3, hired(0, 4)),
            (25, 1, hired(2, 7)),
            (30, 0, idle()),
            (40, 2, idle()),
            (50, 1, idle()),
        ];
        let last = |worker, to, hires: &[DecidingHire]| {
            Some(LastTask { worker, to: ms(to), began: ms(0), hires: hires.to_vec() })
        };
        assert_eq!(chain_of(&events).last(), last(1, 50, &[step(10, 0, 2, 3), step(25, 2, 1, 7)]));
        // Worker 3 ends at 60, and is hired again before that is known.
        events.extend([(62, 3, hired(0, 9)), (60, 3, idle())]);
        assert_eq!(chain_of(&events).last(), last(3, 60, &[step(20, 0, 3, 4)]));
        events.push((63, 3, idle()));
        assert_eq!(chain_of(&events).last(), last(3, 63, &[step(62, 0, 3, 9)]));
    }

    #[test]
    fn a_run_without_hires_has_an_empty_chain() {
        assert_eq!(chain_of(&[]).last(), None);
        let events = [(0, 1, EventKind::Began { depth: 0 }), (5, 1, idle())];
        let last = LastTask { worker: 1, to: ms(5), began: ms(0), hires: Vec::new() };
        assert_eq!(chain_of(&events).last(), Some(last));
    }
    /// A recording may hold anything.
    #[test]
    fn a_chain_of_any_length_takes_little_memory() {
        let mut deciding = DecidingChain::new(2);
        for at in 0..100_000 {
            deciding.take(&Event { at: ms(at), worker: 0, kind: hired(0, 1) });
        }
        let task = |from, to| {
            let chain = crate::run::task::Chain::default();
            WorkerTask { worker: 0, by: Some(0), depth: Some(1), from: ms(from), to: ms(to), nodes: None, chain }
        };
        deciding.end(&task(99_999, 100_000));
        assert!(deciding.last().is_some_and(|last| (1..=HIRES_MAX).contains(&last.hires.len())));
    }
}
