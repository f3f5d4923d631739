//! How much a device is given at once: so much that it takes about as long as it is to, by what the last piece took.

use std::time::Duration;

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
