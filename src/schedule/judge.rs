//! The judge of a race: accepts tours in the order of the attempts, none twice.

use crate::board::{Square, Tour};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, PoisonError};

/// What an attempt is to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Go on.
    On,
    /// This attempt is over; take the next one.
    Next,
    /// The race is over.
    Over,
}

/// Why a race ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RaceEnd {
    /// Enough tours were found.
    Enough,
    /// An attempt searched everything: there are no more tours than these.
    Exhausted,
    /// Every attempt has given up.
    GivenUp,
    /// It was told to stop.
    Stopped,
}

/// Accepts tours in the order of the attempts.
pub struct Judge(Mutex<State>);

/// What the judge knows.
pub struct State {
    wanted: u64,
    /// In their order.
    pub accepted: Vec<Tour>,
    /// Readings of those accepted.
    seen: HashSet<Box<[Square]>>,
    /// Attempts begun.
    pub begun: u64,
    /// The attempt whose tours are accepted now: all before it are over.
    pub turn: u64,
    /// Attempts from `turn` on that have something to say.
    waiting: BTreeMap<u64, Entry>,
    /// How the race ended, once it has by what was found.
    pub end: Option<RaceEnd>,
}

#[derive(Default)]
struct Entry {
    /// Different ones, not accepted yet.
    tours: Vec<Tour>,
    /// Their readings.
    own: HashSet<Box<[Square]>>,
    over: bool,
    exhausted: bool,
}

impl Judge {
    /// A judge who wants so many different tours, and has accepted these when it is the turn of an attempt, after so many
    /// were begun.
    pub fn new(wanted: u64, accepted: Vec<Tour>, turn: u64, begun: u64) -> Judge {
        let seen = accepted.iter().map(Tour::reading).collect();
        let end = (accepted.len() as u64 >= wanted).then_some(RaceEnd::Enough);
        Judge(Mutex::new(State { wanted, accepted, seen, begun, turn, waiting: BTreeMap::new(), end }))
    }

    /// Whether he has enough.
    pub fn is_over(&self) -> bool {
        self.with(|state| state.end.is_some())
    }

    /// Notes that an attempt has begun.
    pub fn begin(&self) {
        self.with(|state| state.begun += 1);
    }

    /// Takes a tour of an attempt.
    pub fn found(&self, number: u64, tour: Tour) -> Verdict {
        self.with(|state| {
            let wanted = state.wanted;
            let entry = state.waiting.entry(number).or_default();
            if entry.own.insert(tour.reading()) {
                entry.tours.push(tour);
            }
            let own = entry.own.len() as u64;
            state.settle();
            match state.end {
                Some(_) => Verdict::Over,
                // No more than that can ever be accepted of it.
                None if number != state.turn && own >= wanted => state.close(number, false),
                None => Verdict::On,
            }
        })
    }

    /// Notes that an attempt is over.
    pub fn over(&self, number: u64, exhausted: bool) -> Verdict {
        self.with(|state| state.close(number, exhausted))
    }

    /// What he knows at the end.
    pub fn into_state(self) -> State {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state is whole between any two statements that could panic, so poison means nothing here.
    pub(super) fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl State {
    fn close(&mut self, number: u64, exhausted: bool) -> Verdict {
        let entry = self.waiting.entry(number).or_default();
        entry.over = true;
        entry.exhausted = exhausted;
        let in_vain = exhausted && entry.tours.is_empty() && number != self.turn;
        self.settle();
        // Where one has searched everything in vain, nobody before it can have found anything.
        if in_vain && self.accepted.is_empty() {
            self.end.get_or_insert(RaceEnd::Exhausted);
        }
        if self.end.is_some() { Verdict::Over } else { Verdict::Next }
    }

    /// Accepts what may be accepted by now.
    fn settle(&mut self) {
        while self.end.is_none() {
            let Some(entry) = self.waiting.get_mut(&self.turn) else { return };
            for tour in entry.tours.drain(..) {
                if (self.accepted.len() as u64) < self.wanted && self.seen.insert(tour.reading()) {
                    self.accepted.push(tour);
                }
            }
            if self.accepted.len() as u64 >= self.wanted {
                self.end = Some(RaceEnd::Enough);
            } else if entry.exhausted {
                self.end = Some(RaceEnd::Exhausted);
            } else if entry.over {
                self.waiting.remove(&self.turn);
                self.turn += 1;
            } else {
                return;
            }
        }
    }
}
