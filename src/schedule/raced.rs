//! A race that is kept while it goes on, and taken up again.
//!
//! Tours are accepted in the order of the attempts, and an attempt is determined by its number. So a race is known by the
//! tours accepted so far and by the attempt whose turn it is: that one is begun again, finds the tours that were accepted
//! of it, which are known by then, and goes on. Nobody waits for this but who accepts a tour at that moment.

use crate::board::PackedTour;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What a race came to so far.
#[derive(Clone, Default, Debug)]
pub struct RaceProgress {
    /// The tours accepted, in order.
    pub tours: Vec<PackedTour>,
    /// The attempt whose turn it is: all before it are over.
    pub next: u64,
    /// Attempts begun.
    pub attempts: u64,
    /// Nodes entered.
    pub nodes: u64,
    /// How long it took.
    pub elapsed: Duration,
}

/// Is told what a race came to so far.
pub type RaceKeeper = Box<dyn Fn(&RaceProgress) + Send + Sync>;

/// The keeper of a race, if it has one.
#[derive(Default)]
pub(super) struct RaceSaver {
    pub(super) keeper: Option<(Duration, RaceKeeper)>,
    /// When the keeper was told the last time.
    pub(super) told: Mutex<Option<Instant>>,
}
