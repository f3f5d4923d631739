//! The clock of a screen: reports elapsed time while something moves, and how many steps are due by it.

use super::keys::Action;
use crate::words;
use std::time::{Duration, Instant};

/// The clock of a screen. It runs only while something moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// When time was last reported; `None` while nothing moves.
    last_tick: Option<Instant>,
}

impl Clock {
    /// Starts or stops the clock.
    pub fn follow(&mut self, moves: bool) {
        self.last_tick = moves.then(|| self.last_tick.unwrap_or_else(Instant::now));
    }

    /// When the next report is due, if the clock runs.
    pub fn due(&self, every: Duration) -> Option<Instant> {
        self.last_tick.map(|last_tick| last_tick + every)
    }

    /// The time since the last report, if the clock runs.
    pub fn passed(&mut self, now: Instant) -> Option<Duration> {
        let last_tick = self.last_tick.as_mut()?;
        Some(now.saturating_duration_since(std::mem::replace(last_tick, now)))
    }
}

/// A speed in steps a second, and the part of a step that is due.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    speeds: &'static [u32],
    at: usize,
    /// Steps that are due by time and not taken yet.
    owed: f64,
}

impl Pace {
    /// The speed with this index in `speeds`, which ascend.
    pub fn new(speeds: &'static [u32], at: usize) -> Pace {
        Pace { speeds, at, owed: 0.0 }
    }

    /// Steps a second.
    pub fn per_s(&self) -> u32 {
        self.speeds[self.at]
    }

    /// Takes the next speed, or for any other action than [`Action::Faster`] the one before.
    pub fn change(&mut self, action: Action) {
        self.at = match action {
            Action::Faster => (self.at + 1).min(self.speeds.len() - 1),
            _ => self.at.saturating_sub(1),
        };
    }

    /// Forgets the steps that are due.
    pub fn restart(&mut self) {
        self.owed = 0.0;
    }

    /// Adds an elapsed time; no more than `most` steps stay due.
    pub fn pass(&mut self, time: Duration, most: f64) {
        self.owed = (self.owed + time.as_secs_f64() * f64::from(self.per_s())).min(most);
    }

    /// The whole steps that are due, at most `most`.
    pub fn due(&self, most: u32) -> u32 {
        (self.owed as u32).min(most)
    }

    /// Takes due steps.
    pub fn take(&mut self, steps: u32) {
        self.owed -= f64::from(steps);
    }
}

/// How much of a run a chart shows: all of it, or its latest part.
#[derive(Clone, Copy, Debug)]
pub struct TimeWindow(usize);

/// The latest parts to choose from.
const WINDOWS: [Duration; 4] =
    [Duration::from_secs(2), Duration::from_secs(10), Duration::from_secs(60), Duration::from_secs(600)];

impl Default for TimeWindow {
    /// All of the run.
    fn default() -> TimeWindow {
        TimeWindow(WINDOWS.len())
    }
}

impl TimeWindow {
    /// `None` for the whole run.
    pub fn length(self) -> Option<Duration> {
        WINDOWS.get(self.0).copied()
    }

    /// Chooses a shorter or longer part; returns a sentence about it.
    pub fn zoom_and_say(&mut self, closer: bool) -> String {
        self.0 = if closer { self.0.saturating_sub(1) } else { (self.0 + 1).min(WINDOWS.len()) };
        match self.length().map(words::clock) {
            Some(reach) => format!("the last {reach} is shown"),
            None => "all of the run is shown".to_owned(),
        }
    }
}
