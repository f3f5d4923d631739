//! The progress of a count. Its threads write it; a viewer reads it at any time and never makes the threads wait.

use super::snapshot::{CountPhase, CountSnapshot, RowMeter, ThreadMeter};
use crate::lock::LockAlways as _;
use crate::stop::{Stop, StopReason};
use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The meters of one thread; times in nanoseconds.
#[derive(Default)]
struct CountMeter {
    /// One more than the context in work; 0 for none.
    context: AtomicU32,
    contexts_done: AtomicU64,
    states: AtomicU64,
    busy: AtomicU64,
    /// Start time of the context in work, since the start of the watch.
    since: AtomicU64,
}

/// Progress that changes once a square.
#[derive(Default)]
struct SharedProgress {
    now: CountSnapshot,
    /// Nanoseconds a state, averaged over the last squares.
    pace: Option<f64>,
    /// States of the finished squares.
    states: u64,
    /// Value that `states` will have at the end of the pass.
    pass_ends: u64,
    /// States planned for expected passes that have not started.
    expected: u64,
    step_began: Option<Instant>,
    /// Time that earlier runs took.
    earlier: Duration,
    /// What all runs took, once the count has ended.
    took: Option<Duration>,
}

impl SharedProgress {
    /// Plans for `states` further states, less those that were expected.
    fn plan_unexpected(&mut self, states: u64) {
        let expected = states.min(self.expected);
        self.expected -= expected;
        self.now.states_planned += states - expected;
    }
}

/// The progress of a count, and the flag that stops it. Share it in an `Arc`.
pub struct CountWatch {
    began: Instant,
    pub(super) stop: Stop,
    threads: Box<[CachePadded<CountMeter>]>,
    contexts_done: AtomicU32,
    /// States stored of the square in work.
    states: AtomicU64,
    nonzero: AtomicU64,
    progress: Mutex<SharedProgress>,
}

impl CountWatch {
    /// A watch for a count by `threads` threads, at least one.
    pub fn new(threads: usize) -> CountWatch {
        CountWatch {
            began: Instant::now(),
            stop: Stop::default(),
            threads: (0..threads.max(1)).map(|_| CachePadded::default()).collect(),
            contexts_done: AtomicU32::new(0),
            states: AtomicU64::new(0),
            nonzero: AtomicU64::new(0),
            progress: Mutex::default(),
        }
    }

    /// A watch for a small count on behalf of a larger one: it stops when the larger one is stopped.
    pub(super) fn nested(other: &CountWatch) -> CountWatch {
        CountWatch::with_stop(other.stop.clone(), other.threads())
    }

    /// A watch for a count by `threads` threads that ends when `stop` is set.
    pub fn with_stop(stop: Stop, threads: usize) -> CountWatch {
        CountWatch { stop, ..CountWatch::new(threads) }
    }

    /// Asks the count to stop. It stops when its threads have finished their contexts; the answer then has no number
    /// and says how far the count came.
    pub fn stop(&self) {
        self.stop.ask(StopReason::Asked);
    }

    /// Whether the count was asked to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }

    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Time since the count was started.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Time since the count was started until its end, plus the time of earlier runs.
    pub fn total_elapsed(&self) -> Duration {
        let slow = self.progress();
        slow.took.unwrap_or_else(|| slow.earlier.saturating_add(self.elapsed()))
    }

    /// Stops the clock at the end of the count: the answer, its file and what is shown have one time.
    pub(super) fn stop_clock(&self) -> Duration {
        let took = self.total_elapsed();
        let mut slow = self.progress();
        (slow.took, slow.step_began) = (Some(took), None);
        took
    }

    /// Sets the time that earlier runs took.
    pub fn set_earlier_time(&self, before: Duration) {
        self.progress().earlier = before;
    }

    /// The progress at this moment.
    pub fn snapshot(&self) -> CountSnapshot {
        let slow = self.progress();
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
        now.elapsed_s = self.total_elapsed().as_secs_f64();
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

    fn progress(&self) -> MutexGuard<'_, SharedProgress> {
        self.progress.locked()
    }

    /// Changes the snapshot, without the meters.
    pub(super) fn update(&self, change: impl FnOnce(&mut CountSnapshot)) {
        change(&mut self.progress().now);
    }

    /// Adds the states that an earlier run has stored; `unplanned` of them are not in the plan.
    pub(super) fn add_earlier_states(&self, states: u64, unplanned: u64) {
        let mut slow = self.progress();
        slow.states += states;
        slow.plan_unexpected(unplanned);
    }

    /// Plans for `states` states of passes after the first, an estimate; `passes` passes are expected.
    pub(super) fn expect_passes(&self, states: u64, passes: usize) {
        let mut slow = self.progress();
        (slow.expected, slow.now.passes) = (states, passes);
        slow.now.states_planned += states;
    }

    /// Ends the count: no further pass is expected.
    pub(super) fn finish(&self) {
        let mut slow = self.progress();
        slow.now.phase = CountPhase::Done;
        let expected = std::mem::take(&mut slow.expected);
        slow.now.states_planned = slow.now.states_planned.saturating_sub(expected);
    }

    /// Begins a pass over a sweep of `states` states. The plan has the states of the first pass over each sweep.
    pub(super) fn begin_pass(&self, states: u64, show: impl FnOnce(&mut CountSnapshot)) {
        let mut slow = self.progress();
        show(&mut slow.now);
        slow.now.square = 0;
        if slow.now.pass > 0 {
            slow.plan_unexpected(states);
        }
        slow.pass_ends = slow.states + states;
    }

    /// Ends a pass early: the states that it has left are no longer planned.
    pub(super) fn abandon_pass(&self) {
        let mut slow = self.progress();
        // The passes of earlier runs may have taken more than was planned for them.
        let left = slow.pass_ends.saturating_sub(slow.states);
        slow.now.states_planned = slow.now.states_planned.saturating_sub(left);
    }

    /// Adds the squares of an earlier run: the row of each square, and the states that it stored; with its largest count, and
    /// what it has shown of the rows.
    pub(super) fn add_resumed_squares(
        &self,
        largest: u128,
        by_row: &[RowMeter],
        squares: impl Iterator<Item = (u32, u64)>,
    ) {
        let mut slow = self.progress();
        slow.now.largest = largest;
        for (row, saved) in slow.now.by_row.iter_mut().zip(by_row) {
            *row = RowMeter { planned: row.planned, done: 0, nonzero: saved.nonzero.min(row.planned), ..*saved };
        }
        for (row, states) in squares {
            slow.states += states;
            slow.now.square += 1;
            slow.now.row = row;
            if let Some(row) = slow.now.by_row.get_mut(row as usize) {
                row.done += states;
            }
        }
    }

    /// The rows, with the squares that are done.
    pub(super) fn rows_done(&self) -> Vec<RowMeter> {
        self.progress().now.by_row.clone()
    }

    /// Begins the work on `contexts` contexts: of a square, or of the second part of its work.
    pub(super) fn begin_contexts(&self, contexts: u32) {
        let mut slow = self.progress();
        slow.now.contexts = contexts;
        self.contexts_done.store(0, Relaxed);
    }

    /// A thread starts a context, by its number from 0 in the order of patterns.
    pub(super) fn start_context(&self, thread: usize, context: u32) {
        let meter = &self.threads[thread];
        meter.since.store(self.nanos(), Relaxed);
        meter.context.store(context + 1, Relaxed);
    }

    /// A thread has finished its context and stored `states` states, of which `nonzero` have nonzero counts.
    pub(super) fn finish_context(&self, thread: usize, states: u64, nonzero: u64) {
        let meter = &self.threads[thread];
        meter.busy.fetch_add(self.nanos().saturating_sub(meter.since.load(Relaxed)), Relaxed);
        meter.context.store(0, Relaxed);
        meter.contexts_done.fetch_add(1, Relaxed);
        meter.states.fetch_add(states, Relaxed);
        self.contexts_done.fetch_add(1, Relaxed);
        self.states.fetch_add(states, Relaxed);
        self.nonzero.fetch_add(nonzero, Relaxed);
    }

    /// Begins a square; its contexts are not distributed yet.
    pub(super) fn begin_step(&self, show: impl FnOnce(&mut CountSnapshot)) {
        let mut slow = self.progress();
        slow.now.contexts = 0;
        slow.step_began = Some(Instant::now());
        self.clear();
        show(&mut slow.now);
    }

    /// Ends a square that has stored `states` states.
    pub(super) fn end_step(&self, states: u64, nonzero: u64, largest: u128) {
        let mut slow = self.progress();
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
            // Sparse layers say nothing of the pace to come. The last square has half of the weight.
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
    use crate::count::snapshot::RowMeter;

    #[test]
    fn a_snapshot_shows_finished_and_current_contexts() {
        let watch = CountWatch::new(2);
        watch.update(|now| {
            now.by_row = vec![RowMeter { planned: 10, ..RowMeter::default() }];
            now.states_planned = 10;
        });
        watch.begin_step(|now| (now.bits, now.contexts) = (16, 2));
        watch.start_context(1, 1);
        let now = watch.snapshot();
        assert_eq!((now.threads[0].context, now.threads[1].context, now.contexts), (None, Some(1), 2));
        watch.finish_context(1, 4, 3);
        let now = watch.snapshot();
        assert_eq!((now.states, now.by_row[0].done, now.by_row[0].nonzero, now.contexts_done), (4, 4, 3, 1));
        watch.end_step(4, 3, 7);
        let now = watch.snapshot();
        assert_eq!((now.states, now.by_row[0].done, now.by_row[0].bits, now.largest, now.square), (4, 4, 16, 7, 1));
        assert_eq!((now.threads[1].states, now.threads[1].context), (4, None));
        assert_eq!((now.threads[0].busy_s, now.left_s), (0.0, None));
        assert!(now.threads[1].busy_s > 0.0 && now.threads[1].busy_s <= now.elapsed_s, "{now:?}");
    }

    #[test]
    fn a_thread_is_busy_while_it_counts() {
        let watch = CountWatch::new(1);
        watch.start_context(0, 0);
        let seen = || watch.snapshot().threads[0].busy_s;
        std::thread::sleep(Duration::from_millis(2));
        let first = seen();
        assert!(first >= 0.002 && seen() > first, "{first}");
        watch.finish_context(0, 1, 1);
        let last = seen();
        assert!(last > first && seen() == last, "{last}");
    }

    #[test]
    fn the_time_that_is_left_is_that_of_the_states_that_are_left() {
        let watch = CountWatch::new(1);
        watch.update(|now| now.states_planned = 1_000_000);
        for (states, left) in [(200_000, 800_000), (300_000, 500_000), (500_000, 0)] {
            watch.begin_step(|now| now.bits = 16);
            watch.end_step(states, states, 1);
            let pace = watch.progress().pace.unwrap();
            assert_eq!(watch.snapshot().left_s, Some(pace * f64::from(left) / 1e9));
        }
    }

    #[test]
    fn a_resumed_count_shows_the_rows_of_before() {
        let watch = CountWatch::new(1);
        let row = |planned| RowMeter { planned, ..RowMeter::default() };
        watch.begin_pass(70, |now| now.by_row = vec![row(30), row(40)]);
        let saved = RowMeter { planned: 7, done: 7, nonzero: 3, bits: 16, seconds: 0.5 };
        let forged = RowMeter { nonzero: u64::MAX, ..saved };
        watch.add_resumed_squares(9, &[saved, forged, saved], [(0, 10), (0, 20), (1, 5)].into_iter());
        let now = watch.snapshot();
        assert_eq!((now.largest, now.square, now.row, now.states), (9, 3, 1, 35));
        let shown =
            [RowMeter { planned: 30, done: 30, ..saved }, RowMeter { planned: 40, done: 5, nonzero: 40, ..saved }];
        assert_eq!(now.by_row, shown);
        assert_eq!(watch.rows_done(), shown);
    }
}
