//! Collects, frame by frame, how the work of a run is shared.

use super::histogram::Histogram;
use super::pairs::Pairs;
use crate::event::{Event, EventKind};
use crate::run::frame::{Body, Frame};
use crate::run::spent::{Spent, Times};
use crate::run::task::{Stretch, Tasks, WorkerTask};
use crate::schedule::{EarlierRun, Snapshot, StopReason, WorkerSnapshot};
use std::time::Duration;

/// Hires at this depth or deeper are counted together.
pub(super) const DEPTHS: usize = 256;

/// Collects how well the work of a run is shared.
#[derive(Clone, Debug, Default)]
pub struct Balance {
    pub(super) tasks: Tasks,
    /// When these workers began or resumed the run.
    pub(super) began: Duration,
    /// When each worker first had work.
    pub(super) first: Vec<Option<Duration>>,
    /// The workers at the last look.
    pub(super) workers: Vec<WorkerSnapshot>,
    pub(super) elapsed: Duration,
    last: Times,
    pub(super) spent: Spent,
    pub(super) was_held: bool,
    pub(super) task_nodes: Histogram,
    pub(super) hire_nodes: Histogram,
    /// Tasks with an unknown number of nodes.
    pub(super) unknown: u64,
    pub(super) by_depth: Vec<u64>,
    pub(super) pairs: Pairs,
    pub(super) hires: u64,
    pub(super) events_lost: u64,
    pub(super) stopped: Option<StopReason>,
    /// When the run ended, if it has.
    pub(super) ended: Option<Duration>,
}

impl Balance {
    /// Adds a frame of the run.
    pub fn take(&mut self, frame: &Frame) {
        let Body::Tree(tree) = &frame.body else { return };
        self.meet(&tree.snapshot);
        frame.events.iter().for_each(|event| self.happened(event));
        self.sampled(&tree.snapshot);
    }

    /// Sets up for the crew of the snapshot, before its events.
    pub fn meet(&mut self, snapshot: &Snapshot) {
        let workers = snapshot.workers.len();
        if self.first.len() == workers {
            return;
        }
        let began = snapshot.earlier.map_or(Duration::ZERO, |EarlierRun { elapsed, .. }| elapsed);
        *self = Balance {
            tasks: Tasks::new(workers, began),
            began,
            first: vec![None; workers],
            last: Times::before(began),
            pairs: Pairs::new(workers),
            ..Balance::default()
        };
    }

    /// Adds an event.
    pub fn happened(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Hired { by, depth, .. } => self.hired(*by, event, *depth),
            EventKind::Began { .. } => self.works(event),
            EventKind::Finished => self.ended = Some(event.at),
            _ => {}
        }
        for stretch in self.tasks.take(event).into_iter().flatten() {
            if let Stretch::Task(task) = stretch {
                self.did(&task);
            }
        }
    }

    fn hired(&mut self, by: usize, event: &Event, depth: usize) {
        let depth = depth.min(DEPTHS - 1);
        if self.by_depth.len() <= depth {
            self.by_depth.resize(depth + 1, 0);
        }
        self.by_depth[depth] += 1;
        self.hires += 1;
        self.pairs.add(by, event.worker);
        self.works(event);
    }

    fn works(&mut self, event: &Event) {
        if let Some(first) = self.first.get_mut(event.worker) {
            *first = first.or(Some(event.at));
        }
    }

    fn did(&mut self, task: &WorkerTask) {
        let Some(nodes) = task.nodes else {
            self.unknown += 1;
            return;
        };
        self.task_nodes.add(nodes);
        if task.by.is_some() {
            self.hire_nodes.add(nodes);
        }
    }

    /// Adds the meters, which include what lost events would have reported.
    pub fn sampled(&mut self, snapshot: &Snapshot) {
        let mut times = Times::of(snapshot);
        // The last look may come after the end.
        times.at = self.ended.map_or(times.at, |ended| ended.min(times.at));
        self.elapsed = times.at;
        self.spent.add(&self.last, &times);
        self.was_held |= times.is_held();
        self.last = times;
        for (first, worker) in self.first.iter_mut().zip(&snapshot.workers) {
            // No event reported its first work, but it has had some by now.
            *first = first.or((worker.nodes > 0).then_some(times.at));
        }
        self.workers.clone_from(&snapshot.workers);
        self.events_lost = snapshot.events_lost;
        self.stopped = snapshot.stop;
    }
}
