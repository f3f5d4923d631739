//! The past of a search: where it stood, so that one can step back as far as its beginning.
//!
//! The search itself can only go forwards; what it was is made again from a copy kept earlier. Copies of the latest steps
//! are kept densely, those of all steps thinly: where there are too many of these, every second one is dropped.
//! So a step back into the recent past takes next to no time, one into the far past as long as the search took from one
//! thin copy to the next, and the memory is bounded.

use super::step::{Explained, StepEvent};
use std::collections::VecDeque;

/// Steps between two dense copies.
const DENSE_EVERY: u64 = 64;
/// Dense copies at most.
const DENSE_MAX: usize = 256;
/// Bytes that the copies of either kind may take, about.
const BYTES_MAX: usize = 16 << 20;
/// Thin copies at most and at least, whatever they take.
const THIN: (usize, usize) = (16, 4096);
/// Events that are remembered, and made again when stepping back.
const EVENTS_MAX: usize = 256;

struct Copy {
    at: u64,
    search: Box<dyn Explained>,
}

impl Copy {
    fn fork(&self) -> Copy {
        Copy { at: self.at, search: self.search.fork() }
    }
}

/// A search with its past; see the module.
pub struct Tape {
    now: Copy,
    dense: VecDeque<Copy>,
    thin: Vec<Copy>,
    /// Steps between two thin copies.
    thin_every: u64,
    /// The latest events, the oldest first.
    events: VecDeque<StepEvent>,
}

impl Tape {
    /// A tape of `search`, which has not taken a step yet.
    pub fn new(search: Box<dyn Explained>) -> Tape {
        let now = Copy { at: 0, search };
        let thin = vec![now.fork()];
        Tape { now, dense: VecDeque::new(), thin, thin_every: DENSE_EVERY, events: VecDeque::new() }
    }

    /// The search as it stands.
    pub fn search(&self) -> &dyn Explained {
        &*self.now.search
    }

    /// Steps taken.
    pub fn at(&self) -> u64 {
        self.now.at
    }

    /// The latest events, the latest first: all of them, or some hundreds.
    pub fn events(&self) -> impl ExactSizeIterator<Item = &StepEvent> {
        self.events.iter().rev()
    }

    /// Whether nothing is left.
    pub fn is_finished(&self) -> bool {
        self.events.back() == Some(&StepEvent::Finished)
    }

    /// Takes a step and answers what it did; once all is searched, it does nothing.
    pub fn forward(&mut self) -> StepEvent {
        if self.is_finished() {
            return StepEvent::Finished;
        }
        if self.now.at.is_multiple_of(DENSE_EVERY) {
            self.keep();
        }
        let event = self.now.search.step();
        self.now.at += 1;
        if self.events.len() == EVENTS_MAX {
            self.events.pop_front();
        }
        self.events.push_back(event);
        event
    }

    /// Goes back by `steps`, or to the beginning; answers by how many it went.
    pub fn back(&mut self, steps: u64) -> u64 {
        let from = self.now.at;
        self.go_to(from.saturating_sub(steps));
        from - self.now.at
    }

    /// Goes back to an earlier step, and makes the events before it again.
    fn go_to(&mut self, at: u64) {
        let begin = at.saturating_sub(EVENTS_MAX as u64);
        while self.dense.back().is_some_and(|copy| copy.at > begin) && self.dense.front().is_some_and(|c| c.at <= begin)
        {
            self.dense.pop_back();
        }
        if self.dense.back().is_some_and(|copy| copy.at > begin) {
            self.dense.clear();
        }
        let thin = self.thin.iter().rev().find(|copy| copy.at <= begin);
        let kept = self.dense.back().into_iter().chain(thin).max_by_key(|copy| copy.at);
        let Some(kept) = kept else { unreachable!("the beginning is always kept") };
        self.now = kept.fork();
        self.events.clear();
        while self.now.at < at {
            self.forward();
        }
    }

    /// Keeps a copy of the present.
    fn keep(&mut self) {
        let at = self.now.at;
        if self.dense.back().is_none_or(|copy| copy.at < at) {
            if self.dense.len() >= self.room().min(DENSE_MAX) {
                self.dense.pop_front();
            }
            self.dense.push_back(self.now.fork());
        }
        if at.is_multiple_of(self.thin_every) && self.thin.last().is_none_or(|copy| copy.at < at) {
            if self.thin.len() >= self.room() {
                self.thin_every *= 2;
                self.thin.retain(|copy| copy.at.is_multiple_of(self.thin_every));
            }
            if at.is_multiple_of(self.thin_every) {
                self.thin.push(self.now.fork());
            }
        }
    }

    /// How many copies there is room for.
    fn room(&self) -> usize {
        (BYTES_MAX / self.now.search.bytes()).clamp(THIN.0, THIN.1)
    }
}
