//! The outcome of a run: what its workers did, and why it stopped or failed.

use super::cells::Figure as _;
use super::progress::{Forecast, RunProgress};
use super::workers::{ContextSwitches, SharingCounts};
use crate::memory::MemoryRefused;
use crate::saved::seconds;
use crate::search::{Tally, Task};
use crate::stop::StopReason;
use crate::system::{ThreadRefused, fewer_threads};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A worker panicked.
    #[error("worker {worker} panicked: {message}")]
    Panicked {
        worker: usize,
        /// The panic message.
        message: String,
    },
    /// The system refused a worker the memory for a large allocation.
    #[error("{0}")]
    Memory(MemoryRefused),
    /// The tours could not be written.
    #[error("the tours could not be written: {0}")]
    Write(#[from] std::io::Error),
    /// The parts of the tree that the run was to resume are not parts that a run of this search left.
    #[error("{0}")]
    Parts(String),
    /// The device that did the work failed.
    #[error("{0}")]
    Device(String),
    /// The thread of a worker could not be started.
    #[error("worker {worker} could not be started: {error}: {}", fewer_threads(*worker))]
    Spawn {
        /// The worker; all with lower numbers were started.
        worker: usize,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// A thread beside the workers could not be started.
    #[error("{0}")]
    Thread(#[from] ThreadRefused),
}

/// The largest share of slow motion in a time by which a speed is told.
const SLOWED_MAX: f64 = 0.05;

/// The outcome of a run. A checkpoint has it but for the rest, which it has line by line.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunOutcome {
    /// Totals of each worker.
    pub workers: Vec<Totals>,
    /// The number of workers of each crew, one after another, if crews of several sizes worked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crews: Vec<usize>,
    /// Why the run stopped before the tree was exhausted; `None` for a complete run.
    pub stopped: Option<StopReason>,
    /// Time that the run took, without pauses; in slow motion as it was watched.
    #[serde(rename = "elapsed_s", with = "seconds")]
    pub elapsed: Duration,
    /// How long this crew was paused.
    #[serde(skip)]
    pub paused: Duration,
    /// The part of the time in which it was watched in slow motion.
    #[serde(rename = "slowed_s", with = "seconds", default, skip_serializing_if = "Duration::is_zero")]
    pub slowed: Duration,
    /// Number of events that did not fit in the channel.
    pub events_lost: u64,
    /// The last forecast of the run.
    pub outlook: Forecast,
    /// The parts of the tree that no worker had entered when the run stopped. Another crew can
    /// [resume](crate::schedule::Crew::resume) with them.
    ///
    /// Empty for a complete run, and for work that [`Crew::run`](crate::schedule::Crew::run) did not do. After a stop by a
    /// limit of tours the parts are not all that is left: tours found beyond the limit are in no part.
    #[serde(skip)]
    pub rest: Vec<Task>,
    /// Whether a race has found all tours that there are.
    #[serde(skip)]
    pub has_all: bool,
}

impl RunOutcome {
    /// Sum of the counters of all workers.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.workers.iter().for_each(|worker| total.add(&worker.tally));
        total
    }

    /// What all workers gave to one another.
    pub fn sharing(&self) -> SharingCounts {
        SharingCounts::sum_of(self.workers.iter().map(|worker| worker.sharing))
    }

    /// Progress of the run when it stopped, if it is known.
    pub fn progress(&self) -> Option<RunProgress> {
        let sum = |of: fn(&Tally) -> u64| self.workers.iter().map(|worker| of(&worker.tally)).sum();
        RunProgress::new(&self.outlook, sum(|tally| tally.nodes), sum(|tally| tally.tours))
    }

    /// The same with the time that the run itself took, where it was watched in slow motion.
    #[must_use]
    pub fn by_run_time(self, time: Duration) -> RunOutcome {
        let slower = (self.elapsed.as_secs_f64() / time.as_secs_f64().max(1e-9)).max(1.0);
        RunOutcome { slowed: Duration::ZERO, ..self.stretched(1.0 / slower) }
    }

    /// The same with this much more time for which it was watched in slow motion.
    #[must_use]
    pub fn watched_longer(self, by: Duration) -> RunOutcome {
        let longer = 1.0 + by.as_secs_f64() / self.elapsed.as_secs_f64().max(1e-9);
        RunOutcome { slowed: self.slowed + by, ..self.stretched(longer) }
    }

    fn stretched(mut self, by: f64) -> RunOutcome {
        for worker in &mut self.workers {
            [&mut worker.busy, &mut worker.idle, &mut worker.save]
                .into_iter()
                .for_each(|time| *time = time.mul_f64(by));
        }
        RunOutcome { elapsed: self.elapsed.mul_f64(by), ..self }
    }

    /// Whether its time is that of the run, and not mainly that of watching it in slow motion or in single steps.
    pub fn is_timed(&self) -> bool {
        let is_stepped = self.elapsed.is_zero() && self.total().nodes > 0;
        !is_stepped && self.slowed.as_secs_f64() <= SLOWED_MAX * self.elapsed.as_secs_f64()
    }

    /// Whether the whole tree was searched.
    pub fn complete(&self) -> bool {
        self.stopped.is_none()
    }
}

/// Totals of one worker over a whole run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Counters of the search.
    pub tally: Tally,
    /// What the worker gave to others.
    pub sharing: SharingCounts,
    /// Time with work.
    #[serde(rename = "busy_s", with = "seconds")]
    pub busy: Duration,
    /// Time without work: the rest of the run.
    #[serde(rename = "idle_s", with = "seconds")]
    pub idle: Duration,
    /// Time for which it had put its branch down while the run was saved, which is a part of that.
    #[serde(rename = "save_s", default, with = "seconds")]
    pub save: Duration,
    /// How often it lost its core; `None` where that is not known of the whole run.
    pub switches: Option<ContextSwitches>,
    /// Parts of the tree that the worker had left when the run stopped.
    #[serde(skip)]
    pub rest: Vec<Task>,
}

impl Totals {
    /// Adds the totals of an earlier part of the run; `rest` is not added. `switches` stays only if both parts have it.
    pub fn add(&mut self, other: &Totals) {
        self.tally.add(&other.tally);
        self.sharing = self.sharing.plus(other.sharing);
        self.busy += other.busy;
        self.idle += other.idle;
        self.save += other.save;
        self.switches = self.switches.zip(other.switches).map(|(own, other)| own.plus(other));
    }
}
