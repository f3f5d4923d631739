//! The judge of a race: accepts tours in the order of the attempts, none twice.
//!
//! Tours of an attempt whose turn has not come wait, however long the attempts before it take. They do not pile up: of
//! several attempts that have found a tour the first holds it, and once the attempts up to some number hold as many as
//! are wanted, nothing is wanted of those behind, for what is held is accepted in the end. So fewer than twice as many
//! tours as are wanted lie here, in three bits a move, closed ones twice: as they were found, and as they are read.

use crate::board::{PackedPath, PackedTour, Tour};
use crate::lock::LockAlways as _;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

/// What an attempt is to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttemptVerdict {
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
pub struct AttemptJudge(Mutex<JudgeState>);

/// What the judge knows.
pub struct JudgeState {
    wanted: u64,
    /// In their order.
    pub accepted: Vec<PackedTour>,
    /// By the reading of every tour that is accepted or waits the attempt that holds it.
    held: HashMap<PackedPath, u64>,
    /// Nothing more is wanted of attempts from this number on: those up to it hold enough.
    enough: u64,
    /// Attempts begun.
    pub begun: u64,
    /// The attempt whose tours are accepted now: all before it are over.
    pub turn: u64,
    /// Attempts from `turn` on that have something to say.
    waiting: BTreeMap<u64, JudgeEntry>,
    /// How the race ended, once it has by what was found.
    pub end: Option<RaceEnd>,
}

#[derive(Default)]
struct JudgeEntry {
    /// Those it holds, not accepted yet, and how they are read.
    tours: Vec<(PackedTour, PackedPath)>,
    /// Whether it has found any, its own or not.
    found: bool,
    over: bool,
    exhausted: bool,
}

impl AttemptJudge {
    /// A judge who wants so many different tours, and has accepted these when it is the turn of an attempt, after so many
    /// were begun.
    pub fn new(wanted: u64, accepted: Vec<PackedTour>, turn: u64, begun: u64) -> AttemptJudge {
        let held = accepted.iter().map(|tour| (tour.reading(), 0)).collect();
        let end = (accepted.len() as u64 >= wanted).then_some(RaceEnd::Enough);
        let waiting = BTreeMap::new();
        AttemptJudge(Mutex::new(JudgeState { wanted, accepted, held, enough: u64::MAX, begun, turn, waiting, end }))
    }

    /// Whether he has enough.
    pub fn is_over(&self) -> bool {
        self.with(|state| state.end.is_some())
    }

    /// Notes that an attempt begins; answers whether it is wanted.
    pub fn begin(&self, number: u64) -> bool {
        self.with(|state| {
            let is_wanted = number < state.enough;
            state.begun += u64::from(is_wanted);
            is_wanted
        })
    }

    /// Takes a tour of an attempt.
    pub fn found(&self, number: u64, tour: &Tour) -> AttemptVerdict {
        let kept = PackedTour::from(tour);
        let reading = kept.reading_of(tour);
        self.with(|state| {
            state.hold(number, kept, reading);
            state.settle();
            state.trim();
            match state.end {
                Some(_) => AttemptVerdict::Over,
                None if number >= state.enough => AttemptVerdict::Next,
                None => AttemptVerdict::On,
            }
        })
    }

    /// Notes that an attempt is over.
    pub fn over(&self, number: u64, exhausted: bool) -> AttemptVerdict {
        self.with(|state| state.close(number, exhausted))
    }

    /// What he knows at the end.
    pub fn into_state(self) -> JudgeState {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state is whole between any two statements that could panic, so poison means nothing here.
    pub(super) fn with<T>(&self, change: impl FnOnce(&mut JudgeState) -> T) -> T {
        change(&mut self.0.locked())
    }
}

impl JudgeState {
    /// Keeps a tour of an attempt, unless an attempt before it holds that tour.
    fn hold(&mut self, number: u64, tour: PackedTour, reading: PackedPath) {
        if number >= self.enough {
            return;
        }
        self.waiting.entry(number).or_default().found = true;
        match self.held.get_mut(&reading) {
            Some(holder) if *holder <= number => return,
            Some(holder) => {
                let later = std::mem::replace(holder, number);
                if let Some(entry) = self.waiting.get_mut(&later) {
                    entry.tours.retain(|(_, held)| *held != reading);
                }
            }
            None => _ = self.held.insert(reading.clone(), number),
        }
        self.waiting.entry(number).or_default().tours.push((tour, reading));
    }

    fn close(&mut self, number: u64, exhausted: bool) -> AttemptVerdict {
        if number >= self.enough {
            return if self.end.is_some() { AttemptVerdict::Over } else { AttemptVerdict::Next };
        }
        let entry = self.waiting.entry(number).or_default();
        entry.over = true;
        entry.exhausted = exhausted;
        let in_vain = exhausted && !entry.found && number != self.turn;
        self.settle();
        // Where one has searched everything in vain, nobody before it can have found anything.
        if in_vain && self.accepted.is_empty() {
            self.end.get_or_insert(RaceEnd::Exhausted);
        }
        if self.end.is_some() { AttemptVerdict::Over } else { AttemptVerdict::Next }
    }

    /// Accepts what may be accepted by now.
    fn settle(&mut self) {
        while self.end.is_none() {
            let Some(entry) = self.waiting.get_mut(&self.turn) else { return };
            let room = (self.wanted as usize).saturating_sub(self.accepted.len());
            self.accepted.extend(entry.tours.drain(..).take(room).map(|(tour, _)| tour));
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

    /// Lets go of the attempts behind those that hold enough.
    fn trim(&mut self) {
        while self.held.len() as u64 >= self.wanted {
            let Some(last) = self.waiting.last_entry() else { return };
            self.enough = *last.key();
            if ((self.held.len() - last.get().tours.len()) as u64) < self.wanted {
                return;
            }
            last.remove().tours.iter().for_each(|(_, reading)| _ = self.held.remove(reading));
        }
    }
}

impl AttemptJudge {
    /// The tours accepted so far, the attempt whose turn it is, and attempts begun.
    pub(super) fn so_far(&self) -> (Vec<PackedTour>, u64, u64) {
        self.with(|state| (state.accepted.clone(), state.turn, state.begun))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::exhaustive::tours_5x6;
    use proptest::prelude::*;

    /// What attempts find, and in which order they come to speak: the judge accepts what comes first by their numbers.
    fn judged(wanted: u64, attempts: &[Vec<usize>], order: &[usize]) -> (Vec<Tour>, Option<RaceEnd>) {
        let all = tours_5x6();
        let judge = AttemptJudge::new(wanted, Vec::new(), 0, 0);
        let mut said: Vec<Option<usize>> = attempts.iter().map(|_| Some(0)).collect();
        let turns = order.iter().copied().chain((0..attempts.len()).cycle().take(10 * attempts.len()));
        for number in turns {
            let Some(next) = said[number] else { continue };
            if next == 0 && !judge.begin(number as u64) {
                said[number] = None;
                continue;
            }
            let verdict = match attempts[number].get(next) {
                Some(&tour) => judge.found(number as u64, &all[tour]),
                None => judge.over(number as u64, false),
            };
            said[number] = (verdict == AttemptVerdict::On).then_some(next + 1);
            let held = judge.with(|state| state.held.len());
            assert!(held < 2 * wanted as usize, "{held} tours lie here");
            if verdict == AttemptVerdict::Over {
                break;
            }
        }
        let JudgeState { accepted, end, .. } = judge.into_state();
        (accepted.iter().map(PackedTour::tour).collect(), end)
    }

    proptest! {
        #[test]
        fn the_order_in_which_attempts_speak_does_not_matter(
            attempts in prop::collection::vec(prop::collection::vec(0usize..8, 0..7), 1..7),
            order in prop::collection::vec(0usize..1000, 0..60),
            wanted in 1u64..9,
        ) {
            let order: Vec<usize> = order.into_iter().map(|at| at % attempts.len()).collect();
            let mut first = Vec::new();
            for &tour in attempts.iter().flatten() {
                if !first.contains(&tour) && (first.len() as u64) < wanted {
                    first.push(tour);
                }
            }
            let all = tours_5x6();
            let first: Vec<Tour> = first.into_iter().map(|tour| all[tour].clone()).collect();
            let end = (first.len() as u64 == wanted).then_some(RaceEnd::Enough);
            prop_assert_eq!(judged(wanted, &attempts, &order), (first, end));
        }
    }

    /// One that has searched everything, and has found what one before it holds, has not done so in vain.
    #[test]
    fn what_another_holds_is_found_all_the_same() {
        let all = tours_5x6();
        let judge = AttemptJudge::new(2, Vec::new(), 4, 4);
        assert!((4..7).all(|number| judge.begin(number)));
        assert_eq!([5, 6].map(|number| judge.found(number, &all[0])), [AttemptVerdict::On; 2]);
        assert_eq!(judge.over(6, true), AttemptVerdict::Next);
        assert!(!judge.is_over(), "5 may find more, and 4 has said nothing");
        assert_eq!([4, 5].map(|number| judge.over(number, false)), [AttemptVerdict::Next, AttemptVerdict::Over]);
        let state = judge.into_state();
        assert_eq!((state.accepted, state.end), (vec![PackedTour::from(&all[0])], Some(RaceEnd::Exhausted)));
    }

    #[test]
    fn nothing_is_wanted_behind_those_that_hold_enough() {
        let all = tours_5x6();
        let judge = AttemptJudge::new(2, Vec::new(), 0, 0);
        assert!((0..4).all(|number| judge.begin(number)));
        assert_eq!(judge.found(3, &all[0]), AttemptVerdict::On);
        assert_eq!(judge.found(2, &all[1]), AttemptVerdict::On);
        assert!(!judge.begin(4), "2 and 3 hold two");
        assert_eq!(judge.found(3, &all[2]), AttemptVerdict::Next);
        assert_eq!(judge.found(1, &all[3]), AttemptVerdict::On);
        assert_eq!(judge.over(3, true), AttemptVerdict::Next, "what it says is of no account any more");
        assert_eq!((judge.over(2, false), judge.over(1, false)), (AttemptVerdict::Next, AttemptVerdict::Next));
        assert_eq!(judge.over(0, false), AttemptVerdict::Over);
        let state = judge.into_state();
        assert_eq!((state.accepted, state.begun), (vec![PackedTour::from(&all[3]), PackedTour::from(&all[1])], 4));
    }
}
