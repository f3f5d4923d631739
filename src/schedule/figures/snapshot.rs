//! A run at one moment: plain data.

use super::lanes::DeviceLanes;
use super::outcome::Totals;
use super::progress::{Forecast, Rate, RunProgress};
use super::times;
use super::workers::{self, WorkerSnapshot};
use crate::search::HandOver;
use crate::stop::StopReason;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How the figures by depth were counted.
#[derive(Default, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Levels {
    /// Not at all: the kernel keeps no histogram.
    #[default]
    Off,
    /// In one burst of sixty-four: the shape is right, the scale is not.
    Sampled,
    /// Every node.
    Exact,
}

/// What a run came to before this crew took it up.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct EarlierRun {
    /// How long it had taken.
    #[serde(with = "times")]
    pub elapsed: Duration,
    /// Nodes entered.
    pub nodes: u64,
    /// Tours found.
    pub tours: u64,
    /// Hires made.
    pub hires: u64,
    /// Helpers donated.
    pub donations: u64,
}

impl EarlierRun {
    /// What these totals are, after so long, if it was any time.
    pub(in crate::schedule) fn of(totals: &Totals, elapsed: Duration) -> Option<EarlierRun> {
        let &Totals { ref tally, hires, donations, .. } = totals;
        (!elapsed.is_zero()).then_some(EarlierRun { elapsed, nodes: tally.nodes, tours: tally.tours, hires, donations })
    }
}

/// A run that is simulated: its times are those of a virtual clock, on which a node takes a millisecond.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Simulated {
    /// Nanoseconds that a node takes by the costs that are simulated.
    pub node_ns: f64,
    /// How many nodes the clock goes on in a second of whoever looks.
    pub nodes_per_s: f64,
}

impl Simulated {
    /// How long a time of the clock is by the costs, in seconds.
    pub fn seconds(&self, elapsed: Duration) -> f64 {
        elapsed.as_secs_f64() * 1e3 * self.node_ns * 1e-9
    }
}

/// A run at one moment: plain data, safe to keep, compare and freeze.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// Time since the run began.
    #[serde(with = "times")]
    pub elapsed: Duration,
    /// Whether it was told to stop, and why.
    pub stop: Option<StopReason>,
    /// Whether it is paused.
    pub paused: bool,
    /// Nodes a second that each worker is limited to.
    pub pace: Option<u32>,
    /// The hand-over rule.
    pub hand_over: HandOver,
    /// The workers.
    #[serde(with = "workers")]
    pub workers: Vec<WorkerSnapshot>,
    /// What others came to before them, of whom the run was taken up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<EarlierRun>,
    /// Nodes entered by depth, in the way `levels` says.
    pub nodes_by_depth: Vec<u64>,
    /// Branches cut by depth, likewise.
    pub pruned_by_depth: Vec<u64>,
    /// How the figures by depth were counted.
    pub levels: Levels,
    /// What is known of how it goes on.
    pub outlook: Forecast,
    /// Events that did not fit in the channel.
    pub events_lost: u64,
    /// The device that does the work, if one does.
    pub lanes: Option<DeviceLanes>,
    /// What its times stand for, if it is simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Simulated>,
}

impl Snapshot {
    /// Whether its times say nothing of how fast it is, because it is paused or in slow motion, which a virtual clock is not
    /// disturbed by.
    pub fn is_held(&self) -> bool {
        self.paused || (self.pace.is_some() && self.simulated.is_none())
    }

    /// Nodes entered by all workers, and before them.
    pub fn nodes(&self) -> u64 {
        self.sum(|worker| worker.nodes, |earlier| earlier.nodes)
    }

    /// Tours found by all workers, and before them.
    pub fn tours(&self) -> u64 {
        self.sum(|worker| worker.tours, |earlier| earlier.tours)
    }

    fn sum(&self, of: fn(&WorkerSnapshot) -> u64, before: fn(&EarlierRun) -> u64) -> u64 {
        self.workers.iter().map(of).sum::<u64>() + self.earlier.as_ref().map_or(0, before)
    }

    /// How far it is, once that can be said.
    pub fn progress(&self) -> Option<RunProgress> {
        RunProgress::new(&self.outlook, self.nodes(), self.tours())
    }

    /// Seconds that are left at this rate, at least and at most; nothing without an estimate or a rate.
    pub fn left(&self, rate: Rate) -> Option<(f64, f64)> {
        self.progress()?.left(&self.outlook, self.elapsed, rate)
    }

    /// What it did in a second, from its beginning on.
    pub fn mean_rate(&self) -> Rate {
        Rate::mean(self.nodes(), self.tours(), self.elapsed)
    }

    /// Attempts begun by all workers.
    pub fn attempts(&self) -> u64 {
        self.workers.iter().map(|worker| worker.attempts).sum()
    }

    /// Hires made by all workers, and before them.
    pub fn hires(&self) -> u64 {
        self.sum(|worker| worker.hires, |earlier| earlier.hires)
    }

    /// Helpers donated by all workers, and before them.
    pub fn donations(&self) -> u64 {
        self.sum(|worker| worker.donations, |earlier| earlier.donations)
    }
}
