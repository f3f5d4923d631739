//! A snapshot: a run at one moment, as plain data.

use super::columns;
use super::outcome::Totals;
use super::progress::{Forecast, Rate, RunProgress};
use super::waits::WaitCounts;
use super::workers::{SharingCounts, WorkerSnapshot};
use crate::event::micros;
use crate::search::HandOver;
use crate::stop::StopReason;
use crate::system::CpuLevel;
use crate::words;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How the figures by depth were counted.
#[derive(Default, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Levels {
    /// Not at all: the kernel keeps no histogram.
    #[default]
    Off,
    /// Every node in slow motion, and those of one burst of sixty-four at full speed: the shape is right, the scale is not.
    /// What was counted in one way is not added to what was counted in the other.
    Sampled,
    /// Every node.
    Exact,
}

/// What a run had done before this crew resumed it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct EarlierRun {
    /// Time that the run had taken.
    #[serde(with = "micros")]
    pub elapsed: Duration,
    /// Nodes entered.
    pub nodes: u64,
    pub tours: u64,
    /// What its workers gave to one another.
    #[serde(flatten)]
    pub sharing: SharingCounts,
}

impl EarlierRun {
    /// The earlier run with these totals; `None` if it did nothing. In slow motion it may have taken less than a microsecond.
    pub(in crate::schedule) fn of(totals: &Totals, elapsed: Duration) -> Option<EarlierRun> {
        let &Totals { ref tally, sharing, .. } = totals;
        (!elapsed.is_zero() || tally.nodes > 0).then_some(EarlierRun {
            elapsed,
            nodes: tally.nodes,
            tours: tally.tours,
            sharing,
        })
    }
}

/// Clock of a simulated run. Times of the run are those of a virtual clock, on which a node takes a millisecond.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Simulated {
    /// Nanoseconds that a node takes by the simulated costs.
    pub node_ns: f64,
    /// Nodes by which the virtual clock advances in one second of the viewer.
    pub nodes_per_s: f64,
}

impl Simulated {
    /// A time of the virtual clock in seconds of the simulated machine.
    pub fn seconds(&self, elapsed: Duration) -> f64 {
        elapsed.as_secs_f64() * 1e3 * self.node_ns * 1e-9
    }
}

/// What the control group of the process takes from the workers.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct QuotaUse {
    /// CPU time that the group may use, in cores.
    pub cores: f64,
    /// How long the group was held back since these workers began, added over the cores.
    #[serde(with = "micros")]
    pub held_back: Duration,
}

/// A run at one moment: plain data that can be stored, compared and displayed later.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// Time since the run began.
    #[serde(with = "micros")]
    pub elapsed: Duration,
    /// How long of it the run was paused, single steps included, as of the look.
    #[serde(with = "micros", default, skip_serializing_if = "Duration::is_zero")]
    pub stood: Duration,
    /// Why the run was told to stop, if it was.
    pub stop: Option<StopReason>,
    /// Whether the run is paused.
    pub paused: bool,
    /// Nodes per second to which each worker is limited.
    pub pace: Option<u32>,
    /// The hand-over rule.
    pub hand_over: HandOver,
    /// Workers, in the order of their numbers.
    #[serde(with = "columns")]
    pub workers: Vec<WorkerSnapshot>,
    /// The waits of each worker. Empty in most looks, so that a look is short: they only grow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<WaitCounts>,
    /// The CPUs of each group of the machine, by level, as lists such as `0-3,8`. Told with the waits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<(CpuLevel, Vec<String>)>,
    /// What earlier crews had done, if the run was resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<EarlierRun>,
    /// Nodes entered by depth, counted as `levels` says.
    pub nodes_by_depth: Vec<u64>,
    /// Branches cut by depth, counted as `levels` says.
    pub pruned_by_depth: Vec<u64>,
    /// How the figures by depth were counted.
    pub levels: Levels,
    /// The time of the run since which they were counted so.
    #[serde(with = "micros", default, skip_serializing_if = "Duration::is_zero")]
    pub depths_since: Duration,
    /// The forecast of the run.
    pub outlook: Forecast,
    /// Number of events that did not fit in the channel.
    pub events_lost: u64,
    /// Cores that the workers may use, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<usize>,
    /// The limit of CPU time of the control group, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quota: Option<QuotaUse>,
    /// The virtual clock, if the run is simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Simulated>,
}

impl Snapshot {
    /// Whether times say nothing about the speed of the run, because the run is paused or in slow motion. Slow motion does
    /// not disturb a virtual clock.
    pub fn is_held(&self) -> bool {
        self.paused || (self.pace.is_some() && self.simulated.is_none())
    }

    /// Time since the run began, without pauses.
    pub fn ran(&self) -> Duration {
        self.elapsed.saturating_sub(self.stood)
    }

    /// Nodes entered by all workers and by the earlier run.
    pub fn nodes(&self) -> u64 {
        self.sum(|worker| worker.nodes, |earlier| earlier.nodes)
    }

    /// Tours found by all workers and by the earlier run.
    pub fn tours(&self) -> u64 {
        self.sum(|worker| worker.tours, |earlier| earlier.tours)
    }

    fn sum(&self, of: fn(&WorkerSnapshot) -> u64, before: fn(&EarlierRun) -> u64) -> u64 {
        // What was read of an earlier run may be any number.
        self.workers.iter().map(of).sum::<u64>().saturating_add(self.earlier.as_ref().map_or(0, before))
    }

    /// Progress of the run, once there is an estimate.
    pub fn progress(&self) -> Option<RunProgress> {
        RunProgress::new(&self.outlook, self.nodes(), self.tours())
    }

    /// Seconds that are left at this rate, at least and at most; `None` without an estimate or a rate.
    pub fn left(&self, rate: Rate) -> Option<(f64, f64)> {
        self.progress()?.left(&self.outlook, self.elapsed, rate)
    }

    /// What is left in words: `3..5 s`, or `2 s to its deadline` where the run ends before the tree does.
    pub fn left_words(&self, rate: Rate) -> Option<String> {
        let (least, most) = self.left(rate)?;
        let (tree, _) = self.progress()?.left(&Forecast::default(), self.elapsed, rate)?;
        let deadline = self.outlook.deadline.map(|deadline| deadline.saturating_sub(self.elapsed).as_secs_f64());
        let until = match deadline {
            Some(s) if s <= least => " to its deadline",
            _ if least < tree => " to its limit",
            _ => "",
        };
        Some(words::spans(least, most) + until)
    }

    /// Mean rate since the run began.
    pub fn mean_rate(&self) -> Rate {
        Rate::mean(self.nodes(), self.tours(), self.ran())
    }

    /// Attempts begun by all workers.
    pub fn attempts(&self) -> u64 {
        self.workers.iter().map(|worker| worker.attempts).sum()
    }

    /// Hires made by all workers and by the earlier run.
    pub fn hires(&self) -> u64 {
        self.sum(|worker| worker.sharing.hires, |earlier| earlier.sharing.hires)
    }

    /// Helpers donated by all workers and by the earlier run.
    pub fn donations(&self) -> u64 {
        self.sum(|worker| worker.sharing.donations, |earlier| earlier.sharing.donations)
    }
}
