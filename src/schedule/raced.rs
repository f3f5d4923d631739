//! A race that is kept while it goes on, and taken up again.
//!
//! Tours are accepted in the order of the attempts, and an attempt is determined by its number. So a race is known by the
//! tours accepted so far and by the attempt whose turn it is: that one is begun again, finds the tours that were accepted
//! of it, which are known by then, and goes on. Nobody waits for this but who accepts a tour at that moment.

use super::crew::Crew;
use super::judge::Judge;
use super::outcome::{Outcome, Totals};
use crate::board::Kept;
use crate::search::Tally;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What a race came to so far.
#[derive(Clone, Default, Debug)]
pub struct Raced {
    /// The tours accepted, in order.
    pub tours: Vec<Kept>,
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
pub type RaceKeeper = Box<dyn Fn(&Raced) + Send + Sync>;

/// Who keeps a race, if anybody does.
#[derive(Default)]
pub(super) struct Keeping {
    keeper: Option<(Duration, RaceKeeper)>,
    /// When he was told the last time.
    told: Mutex<Option<Instant>>,
}

impl Crew {
    /// Lets a race go on where another one of the same attempts was.
    pub fn take_up_race(&mut self, raced: Raced) {
        let tally = Tally { nodes: raced.nodes, tours: raced.tours.len() as u64, ..Tally::default() };
        let workers = vec![Totals { tally, ..Totals::default() }];
        self.after(Outcome { workers, elapsed: raced.elapsed, ..Outcome::default() });
        self.raced = raced;
    }

    /// Tells `keeper` what a race came to so far, as often, whenever there is something new, and at its end.
    pub fn keep_race(&mut self, every: Duration, keeper: RaceKeeper) {
        self.keeping = Keeping { keeper: Some((every, keeper)), told: Mutex::new(Some(Instant::now())) };
    }

    /// Tells who keeps the race, if he is to be told; at its end he is.
    pub(super) fn tell_race(&self, judge: &Judge, at_the_end: bool) {
        let Keeping { keeper: Some((every, keeper)), told } = &self.keeping else { return };
        let now = Instant::now();
        // Whoever comes while he is being told has nothing else to say.
        let told = if at_the_end { told.lock().ok() } else { told.try_lock().ok() };
        let Some(mut told) = told else { return };
        if !at_the_end && told.is_some_and(|told| now < told + *every) {
            return;
        }
        let (tours, next, attempts) = judge.so_far();
        let nodes = self.raced.nodes + self.meters().nodes();
        keeper(&Raced { tours, next, attempts, nodes, elapsed: self.meters().since(now) });
        *told = Some(Instant::now());
    }
}

impl Judge {
    /// The tours accepted so far, the attempt whose turn it is, and attempts begun.
    fn so_far(&self) -> (Vec<Kept>, u64, u64) {
        self.with(|state| (state.accepted.clone(), state.turn, state.begun))
    }
}
