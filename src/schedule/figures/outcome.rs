//! What a run comes to: what its workers did, and why it stopped or failed.

use super::lanes::DeviceLanes;
use super::progress::{Forecast, RunProgress};
use crate::memory::MemoryRefused;
use crate::search::{Tally, Task};
use crate::stop::StopReason;
use std::time::Duration;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A worker panicked.
    #[error("worker {worker} panicked: {message}")]
    Panicked {
        /// The worker.
        worker: usize,
        /// What it said.
        message: String,
    },
    /// A worker got no memory for a large piece.
    #[error("{0}")]
    Memory(MemoryRefused),
    /// Tours could not be written.
    #[error("the tours could not be written: {0}")]
    Write(#[from] std::io::Error),
    /// What it was to take up is nothing that a run of this search has left.
    #[error("{0}")]
    Parts(String),
    /// The device that did the work failed.
    #[error("{0}")]
    Device(String),
    /// A thread could not be started.
    #[error("worker {worker} could not be started: {error}")]
    Spawn {
        /// The worker.
        worker: usize,
        /// What the operating system said.
        error: std::io::Error,
    },
}

/// What a run counted.
#[derive(Clone, Default, Debug)]
pub struct RunOutcome {
    /// What each worker did.
    pub workers: Vec<Totals>,
    /// Why it stopped before the tree was exhausted, if so.
    pub stopped: Option<StopReason>,
    /// How long it took.
    pub elapsed: Duration,
    /// Events that did not fit in the channel.
    pub events_lost: u64,
    /// What was known of how it would go on.
    pub outlook: Forecast,
    /// The parts of the tree that nobody had entered when it stopped: another crew can [take them up](super::Crew::resume).
    /// None when it is complete, and where no [`Crew::run`](super::Crew::run) did the work. Of a run that a limit stopped they are not all
    /// that is left: what was found beyond the limit is in no part.
    pub rest: Vec<Task>,
    /// The device that did the work, if one did.
    pub lanes: Option<Box<DeviceLanes>>,
}

impl RunOutcome {
    /// The counters of all workers together.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.workers.iter().for_each(|worker| total.add(&worker.tally));
        total
    }

    /// How far it was when it stopped, if that is known.
    pub fn progress(&self) -> Option<RunProgress> {
        let sum = |of: fn(&Tally) -> u64| self.workers.iter().map(|worker| of(&worker.tally)).sum();
        RunProgress::new(&self.outlook, sum(|tally| tally.nodes), sum(|tally| tally.tours))
    }

    /// Whether the whole tree was searched.
    pub fn complete(&self) -> bool {
        self.stopped.is_none()
    }
}

/// What one worker did in a whole run.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// What it counted.
    pub tally: Tally,
    /// Hires it made.
    pub hires: u64,
    /// Helpers it donated.
    pub donations: u64,
    /// Time with work.
    pub busy: Duration,
    /// Time without: the rest of the run.
    pub idle: Duration,
    /// What it had left of its work when the run stopped.
    pub rest: Vec<Task>,
}

impl Totals {
    /// Adds what was done at another time, or elsewhere.
    pub fn add(&mut self, other: &Totals) {
        self.tally.add(&other.tally);
        self.hires += other.hires;
        self.donations += other.donations;
        self.busy += other.busy;
        self.idle += other.idle;
    }
}
