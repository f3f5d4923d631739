//! What work on a device cost, and how large the next piece of it may be.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The cost of some work.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct DeviceCost {
    /// Time from submitting the work until its results were read back.
    pub wall: Duration,
    /// Time that the device itself measured, if it can.
    pub device: Option<Duration>,
    /// Shader dispatches.
    pub dispatches: u64,
    /// Command buffers submitted.
    pub submits: u64,
    /// Buffers read back.
    pub readbacks: u64,
}

impl DeviceCost {
    /// Adds the cost of more work. Device time stays known only if all of the work has it.
    pub fn add(&mut self, more: &DeviceCost) {
        let first = *self == DeviceCost::default();
        self.wall += more.wall;
        self.device = if first { more.device } else { self.device.zip(more.device).map(|(a, b)| a + b) };
        self.dispatches += more.dispatches;
        self.submits += more.submits;
        self.readbacks += more.readbacks;
    }
}

/// Adapts the size of a dispatch so that it takes a target time.
pub struct DispatchPace {
    /// Time that a dispatch should take.
    pub target: Duration,
    /// The largest size.
    pub size_max: u32,
    /// The next dispatch is at most this many times as large as the last.
    pub growth: u32,
    /// The next dispatch is at least the last one's size divided by this.
    pub shrinkage: u32,
}

impl DispatchPace {
    /// The size of the next dispatch, after one of size `last`, of which `done` units took the time `took`.
    pub fn next(&self, last: u32, done: u32, took: Duration) -> u32 {
        let suits = f64::from(done) * self.target.as_secs_f64() / took.as_secs_f64().max(1e-6);
        let near = (suits as u32).clamp(last / self.shrinkage, last.saturating_mul(self.growth));
        near.clamp(1, self.size_max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_time_is_known_only_if_all_of_the_work_has_it() {
        let [known, unknown] = [Some(Duration::from_millis(1)), None].map(|device| DeviceCost {
            wall: Duration::from_millis(2),
            device,
            dispatches: 3,
            submits: 2,
            readbacks: 1,
        });
        let sum = |parts: &[DeviceCost]| {
            let mut sum = DeviceCost::default();
            parts.iter().for_each(|part| sum.add(part));
            let counts = [sum.dispatches, sum.submits, sum.readbacks];
            (sum.wall.as_millis(), sum.device.map(|time| time.as_millis()), counts)
        };
        assert_eq!(sum(&[known, known]), (4, Some(2), [6, 4, 2]));
        assert_eq!(sum(&[known, unknown, known]), (6, None, [9, 6, 3]));
    }
}
