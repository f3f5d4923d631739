//! The clock of a playback: runs while the playback plays, and reports the elapsed time.

use std::time::{Duration, Instant};

/// The clock of a playback.
#[derive(Clone, Copy, Debug, Default)]
pub struct Player {
    /// When time was last reported; `None` while the playback is paused.
    last_tick: Option<Instant>,
}

impl Player {
    /// Starts or stops the clock with the playback.
    pub fn follow(&mut self, plays: bool) {
        self.last_tick = plays.then(|| self.last_tick.unwrap_or_else(Instant::now));
    }

    /// When the next report is due, if the playback plays.
    pub fn due(&self, every: Duration) -> Option<Instant> {
        self.last_tick.map(|last_tick| last_tick + every)
    }

    /// The time since the last report, if the playback plays.
    pub fn passed(&mut self, now: Instant) -> Option<Duration> {
        let last_tick = self.last_tick.as_mut()?;
        Some(now.saturating_duration_since(std::mem::replace(last_tick, now)))
    }
}
