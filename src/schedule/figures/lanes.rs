//! A device that searches for a worker with many lanes at the same time, in dispatches.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::time::Duration;

/// Latest dispatches that are stored one by one.
const RECENT: usize = 256;
/// Points of the whole history. When there are this many, each two neighbours are merged into one.
const POINTS: usize = 512;

/// The device of a run at one moment.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct DeviceLanes {
    pub device: String,
    /// Why a better device that was wanted is not used: a sentence without its full stop.
    pub why: Option<String>,
    pub lanes: u32,
    pub dispatches: u64,
    /// Number of subtrees that were given to lanes so far.
    pub prefixes: u64,
    /// Number of subtrees that were split off busy lanes.
    pub split: u64,
    /// Duration of the last dispatch.
    pub took: Duration,
    /// Duration of all dispatches together.
    pub spent: Duration,
    recent: VecDeque<f64>,
    past: Vec<f64>,
    /// Dispatches in a point of the history, less one.
    merged: u64,
    /// Sum of the lanes at work in the dispatches that do not make a point yet, and the number of those dispatches.
    rest: (f64, u64),
    /// Sum of the durations of all dispatches, each times its lanes at work, in seconds.
    lane_s: f64,
}

impl DeviceLanes {
    /// A device before its first dispatch: its name, why a better device is not used, and its number of lanes.
    pub fn new(device: &str, why: Option<String>, lanes: u32) -> DeviceLanes {
        DeviceLanes { device: device.to_owned(), why, lanes, ..DeviceLanes::default() }
    }

    /// Adds a dispatch of duration `took` in which `live` lanes were at work on average.
    pub fn note(&mut self, live: f64, took: Duration) {
        self.dispatches += 1;
        self.took = took;
        self.spent += took;
        self.lane_s += live * took.as_secs_f64();
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(live);
        self.rest = (self.rest.0 + live, self.rest.1 + 1);
        if self.rest.1 > self.merged {
            self.past.push(self.rest.0 / self.rest.1 as f64);
            self.rest = (0.0, 0);
        }
        if self.past.len() == POINTS {
            self.past = self.past.chunks(2).map(|pair| pair.iter().sum::<f64>() / pair.len() as f64).collect();
            self.merged = 2 * self.merged + 1;
        }
    }

    /// Lanes at work in each of the latest dispatches, the last dispatch last.
    pub fn recent(&self) -> impl ExactSizeIterator<Item = f64> + DoubleEndedIterator {
        self.recent.iter().copied()
    }

    /// Lanes at work from the first dispatch on; each point is the mean of [`DeviceLanes::each`] dispatches.
    pub fn past(&self) -> &[f64] {
        &self.past
    }

    /// Dispatches in a point of [`DeviceLanes::past`].
    pub fn each(&self) -> u64 {
        self.merged + 1
    }

    /// Share of the lanes that are at work, 0..=1: the mean over the time of all dispatches.
    pub fn occupancy(&self) -> f64 {
        let all = f64::from(self.lanes) * self.spent.as_secs_f64();
        if all > 0.0 { self.lane_s / all } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_past_stays_short_and_keeps_its_mean() {
        let mut lanes = DeviceLanes::new("some", None, 100);
        for k in 0..2048 {
            lanes.note(if k % 2 == 0 { 100.0 } else { 0.0 }, Duration::from_millis(1));
        }
        assert!(lanes.past().len() < POINTS && lanes.past().len() as u64 * lanes.each() <= 2048);
        assert!(lanes.past().iter().all(|&live| live == 50.0));
        assert_eq!((lanes.recent().len(), lanes.recent().next_back()), (RECENT, Some(0.0)));
        assert!((lanes.occupancy() - 0.5).abs() < 1e-9);
        assert_eq!((lanes.dispatches, lanes.spent), (2048, Duration::from_millis(2048)));
    }
}
