//! The judge of a race: it accepts tours in the order of the attempts, and none twice.
//!
//! Tours of an attempt whose turn has not come wait, however long the attempts before it take. Their number is bounded. If
//! several attempts have found a tour, only the first of them holds it. Once the attempts up to some number hold as many
//! tours as are wanted, no tour of a later attempt is wanted, because tours that are held are accepted in the end. So the
//! judge holds fewer than twice as many tours as are wanted. A tour takes three bits a move, a closed tour twice that: it
//! is held as found and as read.

use crate::board::{PackedPath, PackedTour, Tour};
use crate::lock::LockAlways as _;
use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

/// What the worker of an attempt is to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttemptVerdict {
    Continue,
    /// End this attempt; take the next one.
    Next,
    /// The race is over.
    Over,
}

/// Why a race ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RaceEnd {
    /// Enough tours were found.
    Enough,
    /// An attempt searched everything: there are no more tours.
    Exhausted,
    /// Every attempt has given up.
    GivenUp,
    /// The run was told to stop.
    Stopped,
}

/// Accepts tours in the order of the attempts.
pub struct AttemptJudge(Mutex<JudgeState>);

/// State of a race.
pub struct JudgeState {
    target: u64,
    are_grids: bool,
    /// Accepted tours, in the order of the attempts.
    pub accepted: Vec<PackedTour>,
    /// Number of the attempt that holds a tour, by the reading of the tour. Contains every tour that is accepted or waits.
    holders: HashMap<PackedPath, u64>,
    /// No tour of an attempt from this number on is wanted: the attempts before it hold enough.
    unwanted_from: u64,
    /// Attempts begun.
    pub attempts: u64,
    /// Number of the attempt whose tours are accepted now; all attempts before it are over.
    pub turn: u64,
    /// Attempts from `turn` on that have found a tour or are over.
    waiting: BTreeMap<u64, JudgeEntry>,
    /// How the race ended, if the tours found or the attempts ended it.
    pub end: Option<RaceEnd>,
}

#[derive(Default)]
struct JudgeEntry {
    /// Tours that the attempt holds and that are not accepted yet, each with its reading.
    tours: Vec<(PackedTour, PackedPath)>,
    /// Whether the attempt has found a tour, even one that another attempt holds.
    found: bool,
    over: bool,
    exhausted: bool,
}

impl AttemptJudge {
    /// A judge that wants `target` different tours, at least 1; closed ones are cycles, unless they `are_grids`.
    pub fn new(target: u64, are_grids: bool) -> AttemptJudge {
        AttemptJudge(Mutex::new(JudgeState {
            target,
            are_grids,
            accepted: Vec::new(),
            holders: HashMap::new(),
            unwanted_from: u64::MAX,
            attempts: 0,
            turn: 0,
            waiting: BTreeMap::new(),
            end: None,
        }))
    }

    /// Counts an attempt as begun; answers whether the attempt is wanted.
    pub fn begin(&self, number: u64) -> bool {
        self.with(|state| {
            let is_wanted = number < state.unwanted_from;
            state.attempts += u64::from(is_wanted);
            is_wanted
        })
    }

    /// Takes a tour that an attempt found.
    pub fn add_tour(&self, number: u64, tour: &Tour) -> AttemptVerdict {
        let kept = PackedTour::from(tour);
        let are_grids = self.with(|state| state.are_grids);
        let reading = if are_grids { PackedPath::pack(tour.board(), tour.squares()) } else { kept.reading_of(tour) };
        self.with(|state| {
            state.hold(number, kept, reading);
            state.settle();
            state.trim();
            match state.end {
                Some(_) => AttemptVerdict::Over,
                None if number >= state.unwanted_from => AttemptVerdict::Next,
                None => AttemptVerdict::Continue,
            }
        })
    }

    /// Notes that an attempt is over; `exhausted` if it searched everything.
    pub fn finish(&self, number: u64, exhausted: bool) -> AttemptVerdict {
        self.with(|state| state.close(number, exhausted))
    }

    /// The state at the end of the race.
    pub fn into_state(self) -> JudgeState {
        self.0.into_content()
    }

    /// Locks the state. It is whole between any two statements that could panic, so a poisoned lock is used as it is.
    pub(super) fn with<T>(&self, change: impl FnOnce(&mut JudgeState) -> T) -> T {
        change(&mut self.0.locked())
    }
}

impl JudgeState {
    /// Holds a tour of an attempt, unless an attempt before it holds that tour.
    fn hold(&mut self, number: u64, tour: PackedTour, reading: PackedPath) {
        if number >= self.unwanted_from {
            return;
        }
        self.waiting.entry(number).or_default().found = true;
        match self.holders.get_mut(&reading) {
            Some(holder) if *holder <= number => return,
            Some(holder) => {
                let later = std::mem::replace(holder, number);
                if let Some(entry) = self.waiting.get_mut(&later) {
                    entry.tours.retain(|(_, held)| *held != reading);
                }
            }
            None => _ = self.holders.insert(reading.clone(), number),
        }
        self.waiting.entry(number).or_default().tours.push((tour, reading));
    }

    fn close(&mut self, number: u64, exhausted: bool) -> AttemptVerdict {
        if number >= self.unwanted_from {
            return if self.end.is_some() { AttemptVerdict::Over } else { AttemptVerdict::Next };
        }
        let entry = self.waiting.entry(number).or_default();
        entry.over = true;
        entry.exhausted = exhausted;
        let in_vain = exhausted && !entry.found && number != self.turn;
        self.settle();
        // If an attempt searched everything in vain, no attempt before it can have found a tour.
        if in_vain && self.accepted.is_empty() {
            self.end.get_or_insert(RaceEnd::Exhausted);
        }
        if self.end.is_some() { AttemptVerdict::Over } else { AttemptVerdict::Next }
    }

    /// Accepts every tour that may be accepted by now.
    fn settle(&mut self) {
        while self.end.is_none() {
            let Some(entry) = self.waiting.get_mut(&self.turn) else { return };
            let room = (self.target as usize).saturating_sub(self.accepted.len());
            self.accepted.extend(entry.tours.drain(..).take(room).map(|(tour, _)| tour));
            if self.accepted.len() as u64 >= self.target {
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

    /// Drops the attempts behind those that hold enough.
    fn trim(&mut self) {
        while self.holders.len() as u64 >= self.target {
            let Some(last) = self.waiting.last_entry() else { return };
            self.unwanted_from = *last.key();
            if ((self.holders.len() - last.get().tours.len()) as u64) < self.target {
                return;
            }
            last.remove().tours.iter().for_each(|(_, reading)| _ = self.holders.remove(reading));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::exhaustive::tours_5x6;
    use proptest::prelude::*;

    /// Runs a judge with what each attempt finds and the order in which attempts report.
    fn judged(wanted: u64, attempts: &[Vec<usize>], order: &[usize]) -> (Vec<Tour>, Option<RaceEnd>) {
        let all = tours_5x6();
        let judge = AttemptJudge::new(wanted, false);
        let mut said: Vec<Option<usize>> = attempts.iter().map(|_| Some(0)).collect();
        let turns = order.iter().copied().chain((0..attempts.len()).cycle().take(10 * attempts.len()));
        for number in turns {
            let Some(next) = said[number] else { continue };
            if next == 0 && !judge.begin(number as u64) {
                said[number] = None;
                continue;
            }
            let verdict = match attempts[number].get(next) {
                Some(&tour) => judge.add_tour(number as u64, &all[tour]),
                None => judge.finish(number as u64, false),
            };
            said[number] = (verdict == AttemptVerdict::Continue).then_some(next + 1);
            let held = judge.with(|state| state.holders.len());
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

    /// As cycles the two are one tour, as grids they are not.
    #[test]
    fn grids_of_one_cycle_are_different_tours() {
        let tour = &tours_5x6()[0];
        let mut squares = tour.squares().to_vec();
        squares[1..].reverse();
        let turned = Tour::verify(tour.board(), tour.ending(), squares).unwrap();
        for (are_grids, tours) in [(false, 1), (true, 2)] {
            let judge = AttemptJudge::new(3, are_grids);
            assert!(judge.begin(0));
            for tour in [tour, &turned, tour] {
                judge.add_tour(0, tour);
            }
            judge.finish(0, true);
            assert_eq!(judge.into_state().accepted.len(), tours);
        }
    }

    /// An attempt that searched everything, and found a tour that an attempt before it holds, did not search in vain.
    #[test]
    fn a_tour_that_another_attempt_holds_counts_as_found() {
        let all = tours_5x6();
        let judge = AttemptJudge::new(2, false);
        assert!((0..3).all(|number| judge.begin(number)));
        assert_eq!([1, 2].map(|number| judge.add_tour(number, &all[0])), [AttemptVerdict::Continue; 2]);
        assert_eq!(judge.finish(2, true), AttemptVerdict::Next, "1 may find more, and 0 has said nothing");
        assert_eq!([0, 1].map(|number| judge.finish(number, false)), [AttemptVerdict::Next, AttemptVerdict::Over]);
        let state = judge.into_state();
        assert_eq!((state.accepted, state.end), (vec![PackedTour::from(&all[0])], Some(RaceEnd::Exhausted)));
    }

    #[test]
    fn no_tour_is_wanted_behind_the_attempts_that_hold_enough() {
        let all = tours_5x6();
        let judge = AttemptJudge::new(2, false);
        assert!((0..4).all(|number| judge.begin(number)));
        assert_eq!(judge.add_tour(3, &all[0]), AttemptVerdict::Continue);
        assert_eq!(judge.add_tour(2, &all[1]), AttemptVerdict::Continue);
        assert!(!judge.begin(4), "2 and 3 hold two");
        assert_eq!(judge.add_tour(3, &all[2]), AttemptVerdict::Next);
        assert_eq!(judge.add_tour(1, &all[3]), AttemptVerdict::Continue);
        assert_eq!(judge.finish(3, true), AttemptVerdict::Next, "a report of an unwanted attempt changes nothing");
        assert_eq!((judge.finish(2, false), judge.finish(1, false)), (AttemptVerdict::Next, AttemptVerdict::Next));
        assert_eq!(judge.finish(0, false), AttemptVerdict::Over);
        let state = judge.into_state();
        assert_eq!((state.accepted, state.attempts), (vec![PackedTour::from(&all[3]), PackedTour::from(&all[1])], 4));
    }
}
