//! The clock of a playback: runs while the playback plays, and reports the elapsed time.

use std::time::{Duration, Instant};

/// The clock of a playback.
#[derive(Clone, Copy, Debug, Default)]
pub struct Player {
    /// When time was last reported; `None` while the playback is paused.
    told: Option<Instant>,
}

impl Player {
    /// Starts or stops the clock with the playback.
    pub fn follow(&mut self, plays: bool) {
        self.told = plays.then(|| self.told.unwrap_or_else(Instant::now));
    }

    /// When the next report is due, if the playback plays.
    pub fn due(&self, every: Duration) -> Option<Instant> {
        self.told.map(|told| told + every)
    }

    /// The time since the last report, if the playback plays.
    pub fn passed(&mut self, now: Instant) -> Option<Duration> {
        let told = self.told.as_mut()?;
        Some(now.saturating_duration_since(std::mem::replace(told, now)))
    }
}
