//! The past of an explained search, so that a viewer can step back to its beginning.
//!
//! The search itself only steps forward. A past position is computed again from a stored copy. Copies of the latest
//! steps are stored densely, copies of all steps thinly; when there are too many thin copies, every second one is
//! dropped. So a short step back takes almost no time, and a long one as long as the search took between two thin
//! copies. The memory is bounded.

use super::step::{Explained, StepEvent};
use std::collections::VecDeque;

/// Steps between two dense copies.
const DENSE_EVERY: u64 = 64;
/// Maximum number of dense copies.
const DENSE_MAX: usize = 256;
/// Approximate bytes that the dense copies may take, and the thin ones too.
const BYTES_MAX: usize = 16 << 20;
/// Least and greatest number of copies of either kind, whatever their size.
const THIN: (usize, usize) = (16, 4096);
/// Events that are stored, and computed again after a step back.
const EVENTS_MAX: usize = 256;

struct SearchCopy {
    at: u64,
    search: Box<dyn Explained>,
}

impl SearchCopy {
    fn fork(&self) -> SearchCopy {
        SearchCopy { at: self.at, search: self.search.fork() }
    }
}

/// An explained search with its past.
pub struct Tape {
    now: SearchCopy,
    dense: VecDeque<SearchCopy>,
    thin: Vec<SearchCopy>,
    /// Steps between two thin copies.
    thin_every: u64,
    /// The latest events, the oldest first.
    events: VecDeque<StepEvent>,
}

impl Tape {
    /// A tape of `search`, which must not have taken a step yet.
    pub fn new(search: Box<dyn Explained>) -> Tape {
        let now = SearchCopy { at: 0, search };
        let thin = vec![now.fork()];
        Tape { now, dense: VecDeque::new(), thin, thin_every: DENSE_EVERY, events: VecDeque::new() }
    }

    /// The search at its present step.
    pub fn search(&self) -> &dyn Explained {
        &*self.now.search
    }

    /// Number of steps taken.
    pub fn at(&self) -> u64 {
        self.now.at
    }

    /// The latest events, the newest first: at most 256.
    pub fn events(&self) -> impl ExactSizeIterator<Item = &StepEvent> {
        self.events.iter().rev()
    }

    /// Whether the search is complete.
    pub fn is_finished(&self) -> bool {
        self.events.back() == Some(&StepEvent::Finished)
    }

    /// Takes a step and returns its event. A complete search does nothing.
    pub fn forward(&mut self) -> StepEvent {
        if self.is_finished() {
            return StepEvent::Finished;
        }
        if self.now.at.is_multiple_of(DENSE_EVERY) {
            self.store_copy();
        }
        let event = self.now.search.step();
        self.now.at += 1;
        if self.events.len() == EVENTS_MAX {
            self.events.pop_front();
        }
        self.events.push_back(event);
        event
    }

    /// Steps back by `steps`, at most to the beginning; returns the number of steps taken back.
    pub fn back(&mut self, steps: u64) -> u64 {
        let from = self.now.at;
        self.rewind_to(from.saturating_sub(steps));
        from - self.now.at
    }

    /// Restores the search at step `at` from a copy before it, with the events that led there.
    fn rewind_to(&mut self, at: u64) {
        let begin = at.saturating_sub(EVENTS_MAX as u64);
        while self.dense.back().is_some_and(|copy| copy.at > begin) && self.dense.front().is_some_and(|c| c.at <= begin)
        {
            self.dense.pop_back();
        }
        if self.dense.back().is_some_and(|copy| copy.at > begin) {
            self.dense.clear();
        }
        let thin = self.thin.iter().rev().find(|copy| copy.at <= begin);
        let copy = self.dense.back().into_iter().chain(thin).max_by_key(|copy| copy.at);
        let Some(copy) = copy else { unreachable!("the beginning is always stored") };
        self.now = copy.fork();
        self.events.clear();
        while self.now.at < at {
            self.forward();
        }
    }

    /// Stores a copy of the present search where one is due.
    fn store_copy(&mut self) {
        let at = self.now.at;
        if self.dense.back().is_none_or(|copy| copy.at < at) {
            if self.dense.len() >= self.copies_max().min(DENSE_MAX) {
                self.dense.pop_front();
            }
            self.dense.push_back(self.now.fork());
        }
        if at.is_multiple_of(self.thin_every) && self.thin.last().is_none_or(|copy| copy.at < at) {
            if self.thin.len() >= self.copies_max() {
                self.thin_every *= 2;
                self.thin.retain(|copy| copy.at.is_multiple_of(self.thin_every));
            }
            if at.is_multiple_of(self.thin_every) {
                self.thin.push(self.now.fork());
            }
        }
    }

    /// Number of copies that fit into [`BYTES_MAX`].
    fn copies_max(&self) -> usize {
        (BYTES_MAX / self.now.search.bytes()).clamp(THIN.0, THIN.1)
    }
}
