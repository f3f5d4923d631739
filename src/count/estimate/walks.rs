//! Threads that walk, and the sum of what they bring, in an order that does not depend on them.
//!
//! Walks are numbered, and the random numbers of each begin where its number and the seed say. Threads take them by
//! stretches, and stretches are added up in their order, so that as many walks from one seed give the same digits
//! whatever the number of threads.

use super::tally::WeightTally;
use super::walker::RandomWalker;
use crate::lock::LockAlways as _;
use crate::mix::mixed;
use crate::stop::{Stop, StopReason};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Walks of a stretch.
const STRETCH: u64 = 64;

/// How long walks are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkLimit {
    /// So many are made.
    Samples(u64),
    /// It is so late. Each thread walks once at least.
    Time(Instant),
}

/// The stretches that are done.
#[derive(Debug, Default)]
struct GatheredWalks {
    /// Those before `next`, added up in their order.
    sum: WeightTally,
    next: u64,
    /// Those behind one that is not done yet.
    waiting: BTreeMap<u64, WeightTally>,
}

/// Walks being made, as whoever looks on sees them, and stops them.
#[derive(Debug, Default)]
pub struct Walks {
    gathered: Mutex<GatheredWalks>,
    /// The next stretch that nobody has taken.
    untaken: AtomicU64,
    stop: Stop,
}

impl Walks {
    /// Walks that end when this asks for it.
    pub fn with_stop(stop: Stop) -> Walks {
        Walks { stop, ..Walks::default() }
    }

    /// Lets them end after those in work.
    pub fn stop(&self) {
        self.stop.ask(StopReason::Asked);
    }

    /// What is known so far, in the order of the walks as far as there is no gap.
    pub fn tally(&self) -> WeightTally {
        self.gathered.locked().sum
    }

    /// Makes walks; answers what they tell, and whether as many as were wanted.
    pub(super) fn run(
        &self,
        walker: &RandomWalker,
        seed: u64,
        until: WalkLimit,
        threads: usize,
    ) -> (WeightTally, bool) {
        std::thread::scope(|scope| {
            for _ in 1..threads {
                let helper = walker.clone();
                let work = move || self.run_stretches(helper, seed, until);
                // Where there is no thread for it the others make all walks.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            self.run_stretches(walker.clone(), seed, until);
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

    /// Takes stretches until there are none, or it is time.
    fn run_stretches(&self, mut walker: RandomWalker, seed: u64, until: WalkLimit) {
        loop {
            let stretch = self.untaken.fetch_add(1, Relaxed);
            let (from, to) = (stretch * STRETCH, (stretch + 1) * STRETCH);
            let (to, late) = match until {
                WalkLimit::Samples(samples) => (to.min(samples), None),
                WalkLimit::Time(late) => (to, Some(late)),
            };
            if from >= to {
                return;
            }
            let is_over = || self.stop.is_asked() || late.is_some_and(|late| Instant::now() >= late);
            let mut tally = WeightTally::default();
            let mut over = false;
            for number in from..to {
                tally.add_walk(walker.walk(&mut Rng::with_seed(mixed(mixed(seed) ^ number))));
                // A walk that was begun counts, however late: those that take long would be missed otherwise.
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

    /// Adds a stretch that is done, and those that waited for it.
    fn gather(&self, stretch: u64, tally: WeightTally) {
        let mut gathered = self.gathered.locked();
        gathered.waiting.insert(stretch, tally);
        let mut next = gathered.next;
        while let Some(tally) = gathered.waiting.remove(&next) {
            gathered.sum += tally;
            next += 1;
        }
        gathered.next = next;
    }
}
