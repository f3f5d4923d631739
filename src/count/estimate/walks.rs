//! The threads that make the walks, and the sum of their weights, in an order that does not depend on the threads.
//!
//! Walks are numbered, and the seed and the number of a walk set its random numbers. Threads take stretches of
//! consecutive walks, and the stretches are added up in their order. So a given number of walks from one seed gives equal
//! digits on any number of threads.

use super::tally::WeightTally;
use super::walker::RandomWalk;
use crate::lock::LockAlways as _;
use crate::mix::mixed;
use crate::stop::{Stop, StopReason};
use crate::system;
use fastrand::Rng;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

const STRETCH: u64 = 64;

/// When to stop walking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkLimit {
    /// After this number of walks.
    Samples(u64),
    /// At this time. Each thread walks at least once.
    Time(Instant),
}

/// The sum of the stretches that are done.
#[derive(Debug, Default)]
struct GatheredWalks {
    /// All stretches before `next`, added up in their order.
    sum: WeightTally,
    next: u64,
    /// Done stretches after `next`, which is not done yet.
    waiting: BTreeMap<u64, WeightTally>,
}

/// The walks of one estimate. Other threads may read the tally and stop the walks while they are made.
#[derive(Debug, Default)]
pub struct Walks {
    gathered: Mutex<GatheredWalks>,
    /// The first stretch that no thread has taken.
    next_stretch: AtomicU64,
    stop: Stop,
}

impl Walks {
    /// Walks that end when `stop` is set.
    pub fn with_stop(stop: Stop) -> Walks {
        Walks { stop, ..Walks::default() }
    }

    /// Stops: each thread ends after the walk that it is making.
    pub fn stop(&self) {
        self.stop.ask(StopReason::Asked);
    }

    /// The weights so far: of all stretches up to the first that is not done.
    pub fn tally(&self) -> WeightTally {
        self.gathered.locked().sum
    }

    /// Makes the walks. Returns their weights, and whether the walks reached `until` without a stop.
    pub(super) fn run(
        &self,
        walk: &dyn RandomWalk,
        seed: u64,
        until: WalkLimit,
        threads: usize,
    ) -> (WeightTally, bool) {
        std::thread::scope(|scope| {
            for _ in 1..threads {
                let work = || self.run_stretches(walk, seed, until);
                // If the thread cannot be started, the others make all walks.
                let _ = system::start_within(scope, "walk", work);
            }
            self.run_stretches(walk, seed, until);
        });
        let gathered = self.gathered.locked();
        let mut all = gathered.sum;
        gathered.waiting.values().for_each(|&stretch| all += stretch);
        let complete = match until {
            WalkLimit::Samples(samples) => all.samples() == samples,
            WalkLimit::Time(_) => !self.stop.is_asked(),
        };
        (all, complete)
    }

    /// Takes and walks stretches until no stretch is left, the time is over, or the walks are stopped.
    fn run_stretches(&self, walk: &dyn RandomWalk, seed: u64, until: WalkLimit) {
        loop {
            let stretch = self.next_stretch.fetch_add(1, Relaxed);
            let (from, to) = (stretch * STRETCH, (stretch + 1) * STRETCH);
            let (to, deadline) = match until {
                WalkLimit::Samples(samples) => (to.min(samples), None),
                WalkLimit::Time(deadline) => (to, Some(deadline)),
            };
            if from >= to {
                return;
            }
            let is_over = || self.stop.is_asked() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let mut tally = WeightTally::default();
            let mut over = false;
            for number in from..to {
                tally.add_walk(walk.walk(&mut Rng::with_seed(mixed(mixed(seed) ^ number))));
                // A walk counts even if the time is over when it ends. Otherwise long walks would be left out, and the
                // estimate would be biased.
                over = is_over();
                if over {
                    break;
                }
            }
            self.gather(stretch, tally);
            if over {
                return;
            }
        }
    }

    /// Adds a done stretch, and the waiting stretches that follow it without a gap.
    fn gather(&self, stretch: u64, tally: WeightTally) {
        let gathered = &mut *self.gathered.locked();
        gathered.waiting.insert(stretch, tally);
        while let Some(tally) = gathered.waiting.remove(&gathered.next) {
            gathered.sum += tally;
            gathered.next += 1;
        }
    }
}
