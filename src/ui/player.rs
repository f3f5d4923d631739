//! The clock of what plays on a screen: it runs while that plays, and says how much time has passed.

use std::time::{Duration, Instant};

/// The clock of what plays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Player {
    /// When time was last told, while anything plays.
    told: Option<Instant>,
}

impl Player {
    /// Starts, or stops, as that plays.
    pub fn follow(&mut self, plays: bool) {
        self.told = plays.then(|| self.told.unwrap_or_else(Instant::now));
    }

    /// When time is to be told again, if it plays.
    pub fn due(&self, every: Duration) -> Option<Instant> {
        self.told.map(|told| told + every)
    }

    /// How much has passed since it was last told, if it plays.
    pub fn passed(&mut self, now: Instant) -> Option<Duration> {
        let told = self.told.as_mut()?;
        Some(now.saturating_duration_since(std::mem::replace(told, now)))
    }
}
