//! What work on a device cost, and how large the next piece of it may be.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What it took to run some work.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct DeviceCost {
    /// From handing it in until its results were here.
    pub wall: Duration,
    /// What the device itself measured, where it can.
    pub device: Option<Duration>,
    /// Times a shader was started.
    pub dispatches: u64,
    /// Command buffers handed in.
    pub submits: u64,
    /// Buffers read back.
    pub readbacks: u64,
}

impl DeviceCost {
    /// Adds what more work took; device time stays known as long as it is for all of it.
    pub fn add(&mut self, more: &DeviceCost) {
        let first = *self == DeviceCost::default();
        self.wall += more.wall;
        self.device = if first { more.device } else { self.device.zip(more.device).map(|(a, b)| a + b) };
        self.dispatches += more.dispatches;
        self.submits += more.submits;
        self.readbacks += more.readbacks;
    }
}

/// How long a piece of work is to take, and what that may make of its size.
pub struct DispatchPace {
    /// How long a piece is to take.
    pub wanted: Duration,
    /// The largest size.
    pub most: u32,
    /// By how much a piece may be larger than the one before.
    pub growth: u32,
    /// By how much it may be smaller.
    pub shrinkage: u32,
}

impl DispatchPace {
    /// The size of the next piece after one of size `last`, `done` of which took so long.
    pub fn next(&self, last: u32, done: u32, took: Duration) -> u32 {
        let suits = f64::from(done) * self.wanted.as_secs_f64() / took.as_secs_f64().max(1e-6);
        let near = (suits as u32).clamp(last / self.shrinkage, last.saturating_mul(self.growth));
        near.clamp(1, self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_time_is_known_only_if_it_is_for_all_of_it() {
        let [known, unknown] = [Some(Duration::from_millis(1)), None].map(|device| DeviceCost {
            wall: Duration::from_millis(2),
            device,
            dispatches: 3,
            submits: 1,
            readbacks: 1,
        });
        let sum = |parts: &[DeviceCost]| {
            let mut sum = DeviceCost::default();
            parts.iter().for_each(|part| sum.add(part));
            (sum.wall.as_millis(), sum.device.map(|time| time.as_millis()), sum.dispatches)
        };
        assert_eq!(sum(&[known, known]), (4, Some(2), 6));
        assert_eq!(sum(&[known, unknown, known]), (6, None, 9));
    }
}
