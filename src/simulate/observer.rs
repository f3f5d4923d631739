//! The observer of a simulation, and the snapshot it receives: all workers at one moment of the virtual clock, in the
//! form in which a crew of threads is shown. The simulation waits for its observer; its result does not depend on it.

use super::plan::{NODE, Ticks, display_time};
use super::worker::VirtualWorker;
use crate::event::Event;
use crate::schedule::{Overhead, WorkerSnapshot, WorkerState};
use crate::search::{Drawing, HandOver, Tally};

/// Follows a simulation while it runs.
pub trait SimulationObserver {
    /// Receives a rare event. Its time is the virtual time as [`display_time`] converts it.
    fn event(&mut self, event: Event);

    /// Receives a snapshot: every turn before `at` has been taken, and no later one. It is called at every turn from the
    /// requested time ([`ObserverRequest::until`]) on, and occasionally before. The simulation continues when it returns.
    fn turns_taken(&mut self, at: Ticks, seen: &VirtualSnapshot<'_>) -> ObserverRequest;
}

/// What an observer requests for the time after a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObserverRequest {
    /// Until this time no further snapshot is needed, though one may come.
    pub until: Ticks,
    /// The rule for all later hires, where the plan shares by hiring; `None` changes nothing.
    pub hand_over: Option<HandOver>,
}

/// The workers of a simulation at one moment.
pub struct VirtualSnapshot<'s> {
    workers: &'s [VirtualWorker],
    tally: &'s Tally,
    bosses: &'s dyn Fn(usize) -> Option<usize>,
    /// Whether the simulation has ended.
    ended: bool,
}

impl<'s> VirtualSnapshot<'s> {
    /// A snapshot of `workers` and `tally`; `bosses` returns the worker at which a worker waits.
    pub(super) fn new(
        workers: &'s [VirtualWorker],
        tally: &'s Tally,
        bosses: &'s dyn Fn(usize) -> Option<usize>,
        ended: bool,
    ) -> VirtualSnapshot<'s> {
        VirtualSnapshot { workers, tally, bosses, ended }
    }

    /// Number of workers.
    pub fn size(&self) -> usize {
        self.workers.len()
    }

    /// Whether the simulation has ended.
    pub fn is_over(&self) -> bool {
        self.ended
    }

    /// The state of every worker at time `at`, which must not be before its last turn. The time in which a worker enters
    /// nodes counts as processor time; the rest of its time with a task is spent on hand-overs.
    pub fn workers(&self, at: Ticks) -> Vec<WorkerSnapshot> {
        self.workers
            .iter()
            .enumerate()
            .map(|(worker, virtual_worker)| self.worker(worker, virtual_worker, at))
            .collect()
    }

    fn worker(&self, worker: usize, virtual_worker: &VirtualWorker, at: Ticks) -> WorkerSnapshot {
        let busy = virtual_worker.busy_by(at).min(at);
        let has_work = virtual_worker.has_task() && !self.ended;
        let boss = if has_work || self.ended { None } else { (self.bosses)(worker) };
        // The nodes of a burst are counted at its beginning.
        let cpu = busy.min(virtual_worker.nodes * NODE);
        let state = match (self.ended, has_work, boss) {
            (true, ..) => WorkerState::Done,
            (false, true, _) => WorkerState::Busy,
            (false, false, Some(_)) => WorkerState::Waiting,
            (false, false, None) => WorkerState::Idle,
        };
        WorkerSnapshot {
            state,
            nodes: virtual_worker.nodes,
            tours: virtual_worker.tours,
            depth: if has_work { virtual_worker.kernel().depth() } else { 0 },
            level: if has_work { virtual_worker.kernel().branches().open_level() } else { None },
            sharing: virtual_worker.sharing,
            attempts: 0,
            busy: display_time(busy),
            idle: display_time(at - busy),
            cpu: display_time(cpu),
            // A virtual worker never loses its core.
            overhead: Overhead { hand_over: display_time(busy - cpu), ..Overhead::default() },
            switches: None,
            boss,
            group: None,
        }
    }

    /// The counts of all workers together.
    pub fn tally(&self) -> &Tally {
        self.tally
    }

    /// The current position of a worker.
    pub fn drawing(&self, worker: usize) -> Drawing {
        let mut drawing = Drawing::default();
        if let Some(virtual_worker) = self.workers.get(worker) {
            virtual_worker.kernel().draw(&mut drawing);
        }
        drawing
    }
}
