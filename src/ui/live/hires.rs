//! The hires of a run, collected from its events.

use super::workers::{GAVE, GOT};
use crate::event::{Event, EventKind};
use crate::schedule::Snapshot;
use crate::ui::kit::WorkerLook;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

/// Greatest number of lines in the log.
const LOG_LINES: usize = 200;
/// Greatest number of (hirer, helper) pairs that are counted. Hires of further pairs are left out.
const PAIRS_MAX: usize = 1 << 16;
/// How long an eye needs to see a hire, and how long that is in a simulation, where a node takes a millisecond.
const FRESH: Duration = Duration::from_millis(700);
const FRESH_SIMULATED: Duration = Duration::from_millis(100);

/// The log of events and the number of hires of each pair.
#[derive(Clone, Debug, Default)]
pub struct Hires {
    log: VecDeque<Event>,
    /// Hires by (hirer, helper).
    pairs: HashMap<(usize, usize), u64>,
    /// When each worker last gave or got a branch, and which of both.
    shared_at: HashMap<usize, (Duration, WorkerLook)>,
}

impl Hires {
    /// Adds an event.
    pub fn take(&mut self, event: Event) {
        match event.kind {
            // Both events occur once per hire or worker and add nothing to the hire.
            EventKind::Idle { .. } | EventKind::Began { .. } => return,
            EventKind::Hired { by, .. } => {
                self.shared_at
                    .extend([(by, GAVE), (event.worker, GOT)].map(|(worker, mark)| (worker, (event.at, mark))));
                let pair = (by, event.worker);
                if self.pairs.len() < PAIRS_MAX || self.pairs.contains_key(&pair) {
                    *self.pairs.entry(pair).or_default() += 1;
                }
            }
            _ => {}
        }
        if self.log.len() == LOG_LINES {
            self.log.pop_front();
        }
        self.log.push_back(event);
    }

    /// The events in the log, latest first.
    pub fn log(&self) -> impl Iterator<Item = &Event> {
        self.log.iter().rev()
    }

    /// The `n` pairs (hirer, helper) with the most hires, busiest first.
    pub fn busiest(&self, n: usize) -> Vec<((usize, usize), u64)> {
        let mut pairs: Vec<_> = self.pairs.iter().map(|(&pair, &hires)| (pair, hires)).collect();
        let order = |&(pair, hires): &((usize, usize), u64)| (std::cmp::Reverse(hires), pair);
        if n > 0 && n < pairs.len() {
            pairs.select_nth_unstable_by_key(n - 1, order);
        }
        pairs.truncate(n);
        pairs.sort_unstable_by_key(order);
        pairs
    }

    /// The mark of a worker that gave or got a branch shortly before the snapshot.
    pub fn mark(&self, worker: usize, seen: &Snapshot) -> Option<WorkerLook> {
        let long = if seen.simulated.is_some() { FRESH_SIMULATED } else { FRESH };
        let (at, mark) = self.shared_at.get(&worker)?;
        (seen.elapsed.saturating_sub(*at) < long).then_some(*mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hired(at_ms: u64, by: usize, worker: usize) -> Event {
        let kind = EventKind::Hired { by, depth: 5, left: None, company: Vec::new(), entered: None };
        Event { at: Duration::from_millis(at_ms), worker, kind }
    }

    #[test]
    fn the_busiest_pairs_come_first_and_ties_by_number() {
        let mut hires = Hires::default();
        for (by, worker) in [(1, 2), (0, 1), (1, 2), (2, 0), (0, 1), (1, 2)] {
            hires.take(hired(0, by, worker));
        }
        assert_eq!(hires.busiest(9), [((1, 2), 3), ((0, 1), 2), ((2, 0), 1)]);
        assert_eq!(hires.busiest(1), [((1, 2), 3)]);
        assert_eq!(hires.busiest(0), []);
    }

    #[test]
    fn both_workers_of_a_hire_are_marked_for_a_moment() {
        let mut hires = Hires::default();
        hires.take(hired(1000, 0, 3));
        let at = |ms| Snapshot { elapsed: Duration::from_millis(ms), ..Snapshot::default() };
        let letter = |worker, ms| hires.mark(worker, &at(ms)).map(|mark| mark.letter);
        assert_eq!([letter(3, 1600), letter(0, 1600)], [Some("<"), Some(">")]);
        assert_eq!([letter(3, 1700), letter(2, 1000)], [None, None]);
    }

    #[test]
    fn the_log_is_bounded_latest_first_and_without_idle() {
        let mut hires = Hires::default();
        for i in 0..1000 {
            hires.take(hired(i, 0, i as usize));
            hires.take(Event {
                at: Duration::from_millis(i),
                worker: 0,
                kind: EventKind::Idle { nominee: None, level: None, nodes: 0, put_down: false },
            });
        }
        assert_eq!(hires.log().count(), LOG_LINES);
        assert_eq!(hires.log().next().map(|event| event.worker), Some(999));
    }
}
