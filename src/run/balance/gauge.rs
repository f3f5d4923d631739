//! Collects, frame by frame, how the work of a run is shared.

use super::at_work::AtWork;
use super::deciding::DecidingChain;
use super::held::HeldTimes;
use super::histogram::Histogram;
use super::pairs::Pairs;
use super::span::Spans;
use super::waits::Waits;
use crate::event::{Event, EventKind};
use crate::run::frame::{Body, Frame};
use crate::run::spent::{Spent, Times};
use crate::run::task::{Stretch, Tasks, WorkerTask};
use crate::schedule::{EarlierRun, Scheduler, Simulated, Snapshot, StopReason, WorkerSnapshot};
use crate::search::HandOver;
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
    /// Of each worker: the times at the last look, and how they were spent until then.
    pub(super) own: Vec<(Times, Spent)>,
    pub(super) was_held: bool,
    pub(super) held: HeldTimes,
    pub(super) at_work: AtWork,
    pub(super) waits: Waits,
    pub(super) spans: Spans,
    pub(super) deciding: DecidingChain,
    pub(super) task_nodes: Histogram,
    pub(super) hire_nodes: Histogram,
    /// Tasks with an unknown number of nodes.
    pub(super) unknown: u64,
    pub(super) by_depth: Vec<u64>,
    pub(super) pairs: Pairs,
    pub(super) hires: u64,
    pub(super) events_lost: u64,
    pub(super) stopped: Option<StopReason>,
    /// The scheduler, if it is known.
    pub(super) scheduler: Option<Scheduler>,
    /// The rule for handing over branches at the last look.
    pub(super) hand_over: HandOver,
    /// Cores that the workers may use, if that is known.
    pub(super) cores: Option<usize>,
    /// CPU time that the control group may use, in cores, if it has a quota.
    pub(super) quota: Option<f64>,
    /// Whether a device does the work.
    pub(super) is_on_device: bool,
    /// The virtual clock of a simulated run.
    pub(super) simulated: Option<Simulated>,
    /// When the run ended, if it has.
    pub(super) ended: Option<Duration>,
}

impl Balance {
    /// The balance of a run under this scheduler.
    pub fn of(scheduler: Scheduler) -> Balance {
        Balance { scheduler: Some(scheduler), ..Balance::default() }
    }

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
        if self.first.len() != workers {
            self.begin(workers, snapshot);
        }
        if snapshot.events_lost > 0 {
            self.spans.lose();
        }
        // The time until this look is judged before its events.
        if self.last.is_held() || snapshot.is_held() {
            self.held.add(self.last.at, snapshot.elapsed);
        }
    }

    /// Begins with a crew of this many workers.
    fn begin(&mut self, workers: usize, snapshot: &Snapshot) {
        let began = snapshot.earlier.map_or(Duration::ZERO, |EarlierRun { elapsed, .. }| elapsed);
        *self = Balance {
            tasks: Tasks::new(workers, began),
            began,
            first: vec![None; workers],
            last: Times::before(began),
            own: vec![(Times::before(began), Spent::default()); workers],
            pairs: Pairs::new(workers),
            at_work: AtWork::new(workers, began),
            waits: Waits::new(workers),
            deciding: DecidingChain::new(workers),
            scheduler: self.scheduler,
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
            self.waits.take(&stretch, &self.held);
            if let Stretch::Task(task) = stretch {
                self.did(&task);
            }
        }
        self.deciding.take(event);
        let begins = matches!(event.kind, EventKind::Began { .. } | EventKind::Hired { .. });
        if begins && event.worker < self.first.len() {
            self.waits.began(event.worker);
            self.at_work.change(event.at, true, &self.held);
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
        self.spans.take(task);
        self.deciding.end(task);
        // The beginning of a task without a depth was lost.
        if task.depth.is_some() {
            self.at_work.change(task.to, false, &self.held);
        }
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
        // The last look may come after the end.
        let times = Times::of(snapshot).until(self.ended);
        for ((last, spent), worker) in self.own.iter_mut().zip(&snapshot.workers) {
            let times = Times::of_workers(snapshot, std::slice::from_ref(worker)).until(self.ended);
            spent.add(last, &times);
            *last = times;
        }
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
        self.simulated = snapshot.simulated;
        (self.hand_over, self.cores) = (snapshot.hand_over, snapshot.cores.filter(|&cores| cores > 0));
        self.quota = snapshot.quota.map(|quota| quota.cores);
        self.is_on_device = snapshot.lanes.is_some();
    }
}
