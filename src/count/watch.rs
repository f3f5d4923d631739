//! How far a count is: written by its threads, read by whoever watches, at any time and without making them wait.

use super::residues::Modulus;
use crate::lock::LockAlways as _;
use crate::stop::{Stop, StopReason};
use crossbeam_utils::CachePadded;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// What a count is doing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum CountPhase {
    /// Finding the degree patterns of every square.
    #[default]
    Planning,
    /// Counting.
    Counting,
    /// Counting the tours that a symmetry of the board takes to themselves.
    Symmetry,
    /// Nothing any more.
    Done,
}

/// One row of the board, with its short side across.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RowMeter {
    /// States that its squares will store.
    pub planned: u64,
    /// States stored so far.
    pub done: u64,
    /// Those of them that are not zero.
    pub nonzero: u64,
    /// The width of its counts so far, in bits; 0 before it is begun, and while only what is not zero is kept.
    pub bits: u32,
    /// Seconds spent on it.
    pub seconds: f64,
}

/// One thread.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ThreadMeter {
    /// The context that it is working on: its number, from 0 in the order of their patterns.
    pub context: Option<u32>,
    /// Contexts that it has done, of all steps.
    pub contexts_done: u64,
    /// States that it has stored.
    pub states: u64,
    /// Seconds that it has worked.
    pub busy_s: f64,
}

/// A moment of a count.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CountSnapshot {
    /// What it is doing.
    pub phase: CountPhase,
    /// Which pass over the sweep this is, from 0: the first counts exactly or modulo 2^64, further ones modulo primes.
    pub pass: usize,
    /// How many passes over a sweep are expected; 0 or 1 if it is one, or nobody can tell.
    #[serde(default)]
    pub passes: usize,
    /// What the pass counts modulo.
    pub modulus: Modulus,
    /// The sweep in work, from 0.
    pub sweep: usize,
    /// How many sweeps there are.
    pub sweeps: usize,
    /// Squares that this pass has processed.
    pub square: usize,
    /// Squares of the board.
    pub squares: usize,
    /// The row in work, of the board with its short side across.
    pub row: u32,
    /// Its rows.
    pub rows: u32,
    /// States stored so far, in all sweeps and passes.
    pub states: u64,
    /// States that will be stored, in all sweeps and passes known so far.
    pub states_planned: u64,
    /// The rows of this sweep.
    pub by_row: Vec<RowMeter>,
    /// The threads.
    pub threads: Vec<ThreadMeter>,
    /// Contexts of the square in work: ranges of degree patterns that one thread works on alone.
    pub contexts: u32,
    /// Those that are done.
    pub contexts_done: u32,
    /// The width of the counts being written, in bits.
    pub bits: u32,
    /// The largest count after the last square.
    #[serde(with = "digits")]
    pub largest: u128,
    /// Whether only what is not zero is being kept.
    pub sparse: bool,
    /// Bytes of counts in memory.
    pub buffer_bytes: u64,
    /// Bytes of counts in files.
    pub spilled_bytes: u64,
    /// Bytes that the count may take.
    pub memory_limit: u64,
    /// Seconds since the count was asked for, and those of earlier goes.
    pub elapsed_s: f64,
    /// Seconds that it will still take at the pace of the last squares; none while that is not known.
    pub left_s: Option<f64>,
}

/// A number that may be larger than readers of JSON take, as its digits.
mod digits {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// The meters of one thread; times in nanoseconds.
#[derive(Default)]
struct CountMeter {
    /// One more than the context in work; 0 for none.
    context: AtomicU32,
    contexts_done: AtomicU64,
    states: AtomicU64,
    busy: AtomicU64,
    /// When the context in work was begun, since the beginning.
    since: AtomicU64,
}

/// What changes once a square.
#[derive(Default)]
struct Slow {
    now: CountSnapshot,
    /// Nanoseconds a state, of late.
    pace: Option<f64>,
    /// States of the squares that are done.
    states: u64,
    /// How many these will be at the end of the pass.
    pass_ends: u64,
    /// States planned for passes that are expected and have not begun.
    expected: u64,
    step_began: Option<Instant>,
    /// How long earlier goes took.
    before: Duration,
}

impl Slow {
    /// So many states come to be stored that no plan had, unless they were expected.
    fn begin_unplanned(&mut self, states: u64) {
        let expected = states.min(self.expected);
        self.expected -= expected;
        self.now.states_planned += states - expected;
    }
}

/// A count's progress, and the wish that it stop. Share it in an `Arc`.
pub struct CountWatch {
    began: Instant,
    stop: Stop,
    threads: Box<[CachePadded<CountMeter>]>,
    contexts_done: AtomicU32,
    /// States stored of the square in work.
    states: AtomicU64,
    nonzero: AtomicU64,
    slow: Mutex<Slow>,
}

impl CountWatch {
    /// Of a count by `threads` threads, at least one.
    pub fn new(threads: usize) -> CountWatch {
        CountWatch {
            began: Instant::now(),
            stop: Stop::default(),
            threads: (0..threads.max(1)).map(|_| CachePadded::default()).collect(),
            contexts_done: AtomicU32::new(0),
            states: AtomicU64::new(0),
            nonzero: AtomicU64::new(0),
            slow: Mutex::default(),
        }
    }

    /// Of a small count on the way to a larger one: it stops when that is asked to.
    pub(super) fn beside(other: &CountWatch) -> CountWatch {
        CountWatch::heeding(other.stop.clone(), other.threads())
    }

    /// Of a count by `threads` threads that ends when `stop` asks for it.
    pub fn heeding(stop: Stop, threads: usize) -> CountWatch {
        CountWatch { stop, ..CountWatch::new(threads) }
    }

    /// Asks the count to stop; it does when its threads are done with the contexts in work, and an answer without a
    /// count says how far it came.
    pub fn stop(&self) {
        self.stop.ask(StopReason::Asked);
    }

    /// Whether the count was asked to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }

    /// Whoever works beside the count, and is to stop when it is, looks at this.
    pub(super) fn wish(&self) -> Stop {
        self.stop.clone()
    }

    /// How many threads the count has.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Since the count was asked for.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Since the count was asked for, in this go and in those before.
    pub fn total(&self) -> Duration {
        self.slow().before.saturating_add(self.elapsed())
    }

    /// Earlier goes took so long.
    pub fn went_on_after(&self, before: Duration) {
        self.slow().before = before;
    }

    /// This moment.
    pub fn snapshot(&self) -> CountSnapshot {
        let slow = self.slow();
        let mut now = slow.now.clone();
        let (states, nonzero) = (self.states.load(Relaxed), self.nonzero.load(Relaxed));
        now.states = slow.states + states;
        now.contexts_done = self.contexts_done.load(Relaxed);
        let seconds = slow.step_began.map_or(0.0, |began| began.elapsed().as_secs_f64());
        if let Some(row) = now.by_row.get_mut(now.row as usize) {
            row.done += states;
            row.nonzero += nonzero;
            row.seconds += seconds;
        }
        now.left_s = slow.pace.map(|pace| pace * now.states_planned.saturating_sub(now.states) as f64 / 1e9);
        drop(slow);
        now.elapsed_s = self.total().as_secs_f64();
        now.threads = self.threads.iter().map(|meter| self.read(meter)).collect();
        now
    }

    fn read(&self, meter: &CountMeter) -> ThreadMeter {
        let context = meter.context.load(Relaxed).checked_sub(1);
        let running = context.map_or(0, |_| self.nanos().saturating_sub(meter.since.load(Relaxed)));
        ThreadMeter {
            context,
            contexts_done: meter.contexts_done.load(Relaxed),
            states: meter.states.load(Relaxed),
            busy_s: (meter.busy.load(Relaxed) + running) as f64 / 1e9,
        }
    }

    fn nanos(&self) -> u64 {
        self.began.elapsed().as_nanos() as u64
    }

    fn slow(&self) -> MutexGuard<'_, Slow> {
        self.slow.locked()
    }

    /// Changes what is shown besides the meters.
    pub(super) fn show(&self, change: impl FnOnce(&mut CountSnapshot)) {
        change(&mut self.slow().now);
    }

    /// States that an earlier run has stored, and how many of them were not planned for.
    pub(super) fn done_before(&self, states: u64, unplanned: u64) {
        let mut slow = self.slow();
        slow.states += states;
        slow.begin_unplanned(unplanned);
    }

    /// So many states will be stored by passes after the first, as far as one can tell; from here on they are planned for.
    pub(super) fn expects(&self, states: u64, passes: usize) {
        let mut slow = self.slow();
        (slow.expected, slow.now.passes) = (states, passes);
        slow.now.states_planned += states;
    }

    /// All passes are made: none is expected any more.
    pub(super) fn is_done(&self) {
        let mut slow = self.slow();
        slow.now.phase = CountPhase::Done;
        slow.now.states_planned -= std::mem::take(&mut slow.expected);
    }

    /// A pass over a sweep of so many states begins; the first over each is planned for.
    pub(super) fn pass_begins(&self, states: u64, show: impl FnOnce(&mut CountSnapshot)) {
        let mut slow = self.slow();
        show(&mut slow.now);
        slow.now.square = 0;
        if slow.now.pass > 0 {
            slow.begin_unplanned(states);
        }
        slow.pass_ends = slow.states + states;
    }

    /// A pass ends before it is through: what it has left undone is not planned any more.
    pub(super) fn pass_is_given_up(&self) {
        let mut slow = self.slow();
        slow.now.states_planned -= slow.pass_ends - slow.states;
    }

    /// Squares done in an earlier run, by row, and the states that they stored.
    pub(super) fn resume(&self, squares: impl Iterator<Item = (u32, u64)>) {
        let mut slow = self.slow();
        for (row, states) in squares {
            slow.states += states;
            slow.now.square += 1;
            if let Some(row) = slow.now.by_row.get_mut(row as usize) {
                row.done += states;
            }
        }
    }

    /// A thread takes up the context of this number, from 0 in the order of their patterns.
    pub(super) fn take_up(&self, thread: usize, context: u32) {
        let meter = &self.threads[thread];
        meter.since.store(self.nanos(), Relaxed);
        meter.context.store(context + 1, Relaxed);
    }

    /// A thread has done the context that it took up last, and stored so many states, so many of them not zero.
    pub(super) fn put_down(&self, thread: usize, states: u64, nonzero: u64) {
        let meter = &self.threads[thread];
        meter.busy.fetch_add(self.nanos().saturating_sub(meter.since.load(Relaxed)), Relaxed);
        meter.context.store(0, Relaxed);
        meter.contexts_done.fetch_add(1, Relaxed);
        meter.states.fetch_add(states, Relaxed);
        self.contexts_done.fetch_add(1, Relaxed);
        self.states.fetch_add(states, Relaxed);
        self.nonzero.fetch_add(nonzero, Relaxed);
    }

    /// A square is begun; its contexts are not handed out yet.
    pub(super) fn step_begins(&self, show: impl FnOnce(&mut CountSnapshot)) {
        let mut slow = self.slow();
        slow.now.contexts = 0;
        slow.step_began = Some(Instant::now());
        self.clear();
        show(&mut slow.now);
    }

    /// A square is done, and has stored so many states.
    pub(super) fn step_ends(&self, states: u64, nonzero: u64, largest: u128) {
        let mut slow = self.slow();
        let seconds = slow.step_began.take().map_or(0.0, |began| began.elapsed().as_secs_f64());
        let (row, bits, sparse) = (slow.now.row as usize, slow.now.bits, slow.now.sparse);
        if let Some(row) = slow.now.by_row.get_mut(row) {
            row.done += states;
            row.nonzero += nonzero;
            row.seconds += seconds;
            row.bits = if sparse { 0 } else { bits };
        }
        slow.now.largest = largest;
        slow.now.square += 1;
        slow.states += states;
        if states > 100_000 && !sparse {
            // Sparse layers say nothing of the pace to come. Half of what is known of it is of the last square.
            let pace = seconds * 1e9 / states as f64;
            slow.pace = Some(slow.pace.map_or(pace, |before| (before + pace) / 2.0));
        }
        self.clear();
    }

    fn clear(&self) {
        self.contexts_done.store(0, Relaxed);
        self.states.store(0, Relaxed);
        self.nonzero.store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_has_what_is_done_and_what_is_in_work() {
        let watch = CountWatch::new(2);
        watch.show(|now| {
            now.by_row = vec![RowMeter { planned: 10, ..RowMeter::default() }];
            now.states_planned = 10;
        });
        watch.step_begins(|now| (now.bits, now.contexts) = (16, 2));
        watch.take_up(1, 1);
        let now = watch.snapshot();
        assert_eq!((now.threads[0].context, now.threads[1].context, now.contexts), (None, Some(1), 2));
        watch.put_down(1, 4, 3);
        let now = watch.snapshot();
        assert_eq!((now.states, now.by_row[0].done, now.by_row[0].nonzero, now.contexts_done), (4, 4, 3, 1));
        watch.step_ends(4, 3, 7);
        let now = watch.snapshot();
        assert_eq!((now.states, now.by_row[0].done, now.by_row[0].bits, now.largest, now.square), (4, 4, 16, 7, 1));
        assert_eq!((now.threads[1].states, now.threads[1].context), (4, None));
    }
}
