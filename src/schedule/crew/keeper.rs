//! How the progress of a run is saved while the run is at work.
//!
//! A search of a tree is saved in its breaks: the workers stop, and a [`Keeper`] gets the progress so far.
//!
//! A race is saved without a break. Tours are accepted in the order of the attempts, and an attempt is determined by its
//! number. So the state of a race is the list of accepted tours and the number of the attempt whose turn it is. A resumed race
//! begins that attempt again. The attempt finds the tours that were accepted from it once more; the judge recognises those
//! tours, and the attempt continues. Only a worker whose attempt has news calls the [`RaceKeeper`] and waits for it.

use crate::board::PackedTour;
use crate::save_request;
use crate::schedule::figures::outcome::RunOutcome;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Saves the progress of a search.
pub type Keeper = Box<dyn Fn(&RunOutcome) + Send + Sync>;

/// Saves the progress of a race.
pub type RaceKeeper = Box<dyn Fn(&RaceProgress) + Send + Sync>;

/// Progress of a race.
#[derive(Clone, Default, Debug)]
pub struct RaceProgress {
    /// The tours accepted, in order.
    pub tours: Vec<PackedTour>,
    /// The attempt whose turn it is: all attempts with a lower number are over.
    pub next: u64,
    /// Attempts begun.
    pub attempts: u64,
    /// Nodes entered.
    pub nodes: u64,
    /// Time that the race has taken.
    pub elapsed: Duration,
}

/// Calls the keeper of a race at intervals, if the race has a keeper.
#[derive(Default)]
pub struct RaceSaver {
    keeper: Option<(Duration, RaceKeeper)>,
    /// When the keeper was last called, or when the race was set up.
    saved: Mutex<Option<Instant>>,
}

impl RaceSaver {
    /// Calls `keeper` at most once in each interval `every`.
    pub fn new(every: Duration, keeper: RaceKeeper) -> RaceSaver {
        RaceSaver { keeper: Some((every, keeper)), saved: Mutex::new(Some(Instant::now())) }
    }

    /// Saves what `progress` answers for this moment, if the interval is over or a save was requested. At the end of the race
    /// it saves always.
    pub fn save(&self, at_the_end: bool, progress: impl FnOnce(Instant) -> RaceProgress) {
        let Some((every, keeper)) = &self.keeper else { return };
        let now = Instant::now();
        // A thread that comes while another one saves has nothing else to save.
        let saved = if at_the_end { self.saved.lock().ok() } else { self.saved.try_lock().ok() };
        let Some(mut saved) = saved else { return };
        let is_early = !at_the_end && saved.is_some_and(|saved| now.saturating_duration_since(saved) < *every);
        if is_early && !save_request::take() {
            return;
        }
        keeper(&progress(now));
        *saved = Some(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// A race that is to be saved once in an age is saved at its end, and one that is to be saved at any time at every call.
    #[test]
    fn a_race_is_saved_when_its_interval_is_over_and_at_its_end() {
        for (every, calls) in [(Duration::MAX, 1), (Duration::from_secs(1 << 62), 1), (Duration::ZERO, 3)] {
            let saves = Arc::new(AtomicU32::new(0));
            let counted = saves.clone();
            let keeper = move |_: &RaceProgress| {
                counted.fetch_add(1, Ordering::Relaxed);
            };
            let saver = RaceSaver::new(every, Box::new(keeper));
            [false, false, true].into_iter().for_each(|is_end| saver.save(is_end, |_| RaceProgress::default()));
            assert_eq!(saves.load(Ordering::Relaxed), calls, "{every:?}");
        }
    }
}
