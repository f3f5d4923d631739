//! Takes frames from a crew: its meters, its events, and some positions, with times as fine as a view shows them.

use super::frame::{Body, EVENTS_MAX, Frame, TreeFrame};
use super::source::{End, Source, Wish};
use crate::board::Board;
use crate::event::micros::whole_micros;
use crate::event::{Event, EventKind};
use crate::schedule::{CrewWatch, Overhead, Snapshot, StopReason, WorkerSnapshot, WorkerState};
use crossbeam_channel::Receiver;
use std::time::{Duration, Instant};

/// Interval between positions of a free run: faster would only flicker, and fill the connection.
const POSITION_EVERY: Duration = Duration::from_millis(250);
/// Interval between positions of all workers, so that a viewer can go back to workers that were not selected.
pub(super) const POSITIONS_EVERY: Duration = Duration::from_secs(1);
/// Interval between the waits of all workers, which would be a large part of every frame.
const WAITS_EVERY: Duration = Duration::from_secs(1);
/// Most squares in the positions of all workers. With a larger crew or board only the selected worker is shown.
pub(super) const SQUARES_MAX: u64 = 1 << 18;

/// Takes frames from a crew.
pub struct Sampler {
    watch: CrewWatch,
    events: Receiver<Event>,
    board: Board,
    /// The worker whose position is taken more often.
    selected: usize,
    /// Whether the selected worker has shown a position; until then every frame asks for it.
    has_position: bool,
    position_due: Instant,
    positions_due: Instant,
    waits_due: Instant,
    /// The last snapshot of a run that has ended.
    last: Option<Snapshot>,
    /// Run time before this run resumed the work, zero if it is new, and how much of it was paused.
    before: [Duration; 2],
}

impl Sampler {
    /// Samples the crew behind `watch`, with its event channel and its board.
    pub fn new(watch: CrewWatch, events: Receiver<Event>, board: Board) -> Sampler {
        let now = Instant::now();
        Sampler {
            watch,
            events,
            board,
            selected: 0,
            has_position: false,
            position_due: now,
            positions_due: now,
            waits_due: now,
            last: None,
            before: [Duration::ZERO; 2],
        }
    }

    /// Adds `before`, the run time of the runs that this one resumes, and how much of it was paused.
    pub fn after(self, before: [Duration; 2]) -> Sampler {
        Sampler { before, ..self }
    }

    /// The meters and controls of the crew.
    pub fn watch(&self) -> &CrewWatch {
        &self.watch
    }

    /// Takes the position of this worker from now on.
    pub fn select(&mut self, worker: usize) {
        (self.selected, self.has_position) = (worker, false);
        self.position_due = Instant::now();
    }

    /// Notes that the run has ended after `elapsed`, or failed: later looks show it as it ended.
    pub fn close(&mut self, elapsed: Option<Duration>) {
        let seen = self.watch.snapshot();
        let elapsed = elapsed.map_or(seen.elapsed, whole_micros);
        // It may have been paused at its end, and stands on.
        let later = if seen.paused { seen.elapsed.saturating_sub(elapsed) } else { Duration::ZERO };
        let stood = seen.stood.saturating_sub(later);
        self.last = Some(Snapshot { elapsed, stood, paused: false, ..seen });
        // Take the positions of the end.
        (self.position_due, self.positions_due) = (Instant::now(), Instant::now());
    }

    /// Leaves out the waits of the workers, unless they are due or all workers have ended: once a second is enough for a view.
    fn leave_out_waits(&mut self, snapshot: &mut Snapshot) {
        let (now, mut workers) = (Instant::now(), snapshot.workers.iter());
        if now >= self.waits_due || workers.all(|worker| worker.state == WorkerState::Done) {
            self.waits_due = now + WAITS_EVERY;
        } else {
            snapshot.waits.clear();
            snapshot.groups.clear();
        }
    }

    /// The workers whose positions are taken now.
    fn positions_to_take(&mut self, snapshot: &Snapshot, events: &[Event]) -> Vec<usize> {
        let (now, workers) = (Instant::now(), snapshot.workers.len());
        let all = now >= self.positions_due && u64::from(self.board.squares()) * workers as u64 <= SQUARES_MAX;
        if all {
            (self.position_due, self.positions_due) = (now + POSITION_EVERY, now + POSITIONS_EVERY);
            return (0..workers).collect();
        }
        let mut positions_to_take: Vec<usize> = hired(events).collect();
        if now >= self.position_due || snapshot.paused || snapshot.pace.is_some() {
            self.position_due = now + POSITION_EVERY;
            positions_to_take.push(self.selected.min(workers.saturating_sub(1)));
        }
        positions_to_take.sort_unstable();
        positions_to_take.dedup();
        positions_to_take
    }
}

/// The workers that were hired by these events: their positions are new.
pub(super) fn hired(events: &[Event]) -> impl Iterator<Item = usize> {
    events.iter().filter(|event| matches!(event.kind, EventKind::Hired { .. })).map(|event| event.worker)
}

impl Source for Sampler {
    fn look(&mut self) -> Option<Frame> {
        let mut events: Vec<Event> = self.events.try_iter().take(EVENTS_MAX).collect();
        // The exact times give the order, and are rounded after that.
        events.sort_by_key(|event| event.at);
        events.iter_mut().for_each(|event| event.at = round_event(event.at + self.before[0]));
        let mut snapshot = self.last.clone().unwrap_or_else(|| self.watch.snapshot());
        let [elapsed, stood] = self.before.map(whole_micros);
        (snapshot.elapsed, snapshot.stood) = (snapshot.elapsed + elapsed, snapshot.stood + stood);
        self.leave_out_waits(&mut snapshot);
        round_workers(&mut snapshot);
        let positions_to_take = self.positions_to_take(&snapshot, &events);
        let positions = positions_to_take.into_iter().map(|worker| (worker, self.watch.drawing(worker)));
        // An empty board means that the worker has not published a position yet.
        let positions: Vec<_> = positions.filter(|(_, drawing)| !drawing.is_empty()).collect();
        if !self.has_position {
            self.has_position = positions.iter().any(|&(worker, _)| worker == self.selected);
            self.position_due = if self.has_position { self.position_due } else { Instant::now() };
        }
        Some(Frame { body: Body::Tree(Box::new(TreeFrame { snapshot, positions })), events })
    }

    fn wish(&mut self, wish: Wish) {
        match wish {
            Wish::Pause(paused) => self.watch.set_paused(paused),
            Wish::Step => self.watch.step(),
            Wish::Pace(pace) => self.watch.control().set_pace(pace),
            Wish::Rule(rule) => self.watch.set_hand_over(rule),
            Wish::Select(worker) => self.select(worker),
            Wish::Stop => self.watch.control().stop(StopReason::Asked),
            Wish::Reach { .. } => {}
        }
    }

    /// The caller that started the run waits for its end.
    fn end(&mut self, _within: Duration) -> Option<End> {
        None
    }
}

// The time resolution of frames. No view shows an event finer than a millisecond, or a worker's share finer than a
// percent. Finer times are noise, which would fill most of the journal of a busy crew. They are rounded where frames
// are made, so that a run looks alike live and recorded.
//
// The first second of a run has a resolution of one microsecond: the sharing begins there, and small runs end there. So have
// the times that a worker waited, took for hand-overs and stood still for a save, and all times in slow motion: while it gets faster, a
// millisecond that is watched weighs more than all that was waited before.
// The order of events depends on their times alone, so rounding keeps it.

/// Times up to here are rounded to the microsecond.
const FINE: Duration = Duration::from_secs(1);
/// Later event times are rounded to steps of this length.
pub const EVENT_STEP: Duration = Duration::from_micros(100);
/// The age of a worker and its times on a processor are rounded to steps of this length.
const WORKER_STEP: Duration = Duration::from_millis(1);

/// The rounded time of an event.
pub fn round_event(at: Duration) -> Duration {
    if at < FINE { whole_micros(at) } else { whole(at, EVENT_STEP) }
}

/// Whether the times of the workers are those that they published.
fn is_fine(seen: &Snapshot) -> bool {
    seen.ran() < FINE || seen.pace.is_some()
}

/// Rounds the times of the workers.
pub fn round_workers(seen: &mut Snapshot) {
    if !is_fine(seen) {
        let began = seen.earlier.map_or(Duration::ZERO, |earlier| earlier.elapsed);
        let age = round_look(seen, seen.ran()).saturating_sub(began);
        seen.workers.iter_mut().for_each(|worker| round_worker(worker, age));
    }
}

/// Rounds the times of a worker of a crew of this age. One as old as its crew stays so: then what it waited, which is the rest of
/// the time, is neither more nor less by the rounding. Beyond that the age of one that has ended does not change.
fn round_worker(seen: &mut WorkerSnapshot, age: Duration) {
    let own = seen.busy + seen.idle;
    let age = match seen.state {
        _ if own.abs_diff(age) < WORKER_STEP => age,
        WorkerState::Done => own,
        _ => whole(own, WORKER_STEP),
    };
    // These change so rarely that they cost little, and all hand-overs or waits of a run may take less than a step.
    let (idle, Overhead { hand_over, save, .. }) = (seen.idle.min(age), seen.overhead);
    seen.change_times(|micros| *micros -= *micros % WORKER_STEP.as_micros() as u64);
    (seen.overhead.hand_over, seen.overhead.save) = (hand_over, save);
    (seen.idle, seen.busy) = (idle, age - idle);
}

/// The time of a look as fine as the times of its workers: a worker that never waited was busy for all of it.
pub(super) fn round_look(seen: &Snapshot, at: Duration) -> Duration {
    if is_fine(seen) { at } else { whole(at, WORKER_STEP) }
}

/// Rounds a time down to a multiple of `step`.
fn whole(time: Duration, step: Duration) -> Duration {
    let micros = time.as_micros() as u64;
    Duration::from_micros(micros - micros % step.as_micros() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn events_keep_their_order_and_the_millisecond_they_happened_in(a in 0u64..2_000_000_000, b in 0u64..2_000_000_000) {
            let (a, b) = (Duration::from_nanos(a), Duration::from_nanos(b));
            prop_assert_eq!(round_event(a.max(b)), round_event(a).max(round_event(b)));
            prop_assert_eq!(round_event(a).as_millis(), a.as_millis());
        }
    }

    #[test]
    fn the_first_second_has_a_finer_resolution_than_the_rest() {
        let nanos = Duration::from_nanos;
        assert_eq!(round_event(nanos(999_123_456)), nanos(999_123_000));
        assert_eq!(round_event(nanos(1_999_123_456)), nanos(1_999_100_000));
        let micros = Duration::from_micros;
        let seen = |busy, idle| WorkerSnapshot {
            busy: micros(busy),
            idle: micros(idle),
            cpu: micros(busy),
            ..Default::default()
        };
        let all = |worker, elapsed_ms, pace| {
            let elapsed = Duration::from_millis(elapsed_ms);
            let mut all = Snapshot { elapsed, pace, workers: vec![worker], ..Snapshot::default() };
            round_workers(&mut all);
            all.workers.remove(0)
        };
        let rounded = |worker: WorkerSnapshot, elapsed_ms| {
            let seen = all(worker, elapsed_ms, None);
            [seen.busy, seen.idle, seen.cpu].map(|time| time.as_micros())
        };
        assert_eq!(rounded(seen(700_700, 200_600), 999), [700_700, 200_600, 700_700]);
        assert_eq!(all(seen(700_700, 600_600), 1301, Some(20)), seen(700_700, 600_600));
        // Both are 1301.3 ms old.
        assert_eq!(rounded(seen(700_700, 600_600), 1301), [700_400, 600_600, 700_000]);
        assert_eq!(rounded(seen(701_200, 600_100), 1301), [700_900, 600_100, 701_000]);
        // A pause is no time of the run.
        let mut paused =
            Snapshot { elapsed: Duration::from_secs(9), stood: Duration::from_secs(8), ..Snapshot::default() };
        (paused.stood, paused.workers) = (paused.stood + micros(1), vec![seen(700_700, 200_600)]);
        round_workers(&mut paused);
        assert_eq!(paused.workers, [seen(700_700, 200_600)]);
        // What a worker waited once is the same at every later look.
        for later in 0..3_000 {
            let [busy, idle, _] = rounded(seen(1_000_400 + later, 217), 1_000 + (617 + later) / 1000);
            assert_eq!((idle, (busy + idle) % 1000), (217, 0));
        }
        // One that has ended, or waits in a pause, is of another age than its crew.
        assert_eq!(rounded(seen(500_900, 600_600), 1301), [500_400, 600_600, 500_000]);
        let done = WorkerSnapshot { state: WorkerState::Done, ..seen(700_900, 600_300) };
        assert_eq!(rounded(done.clone(), 1303), [700_900, 600_300, 700_000]);
        assert_eq!(rounded(done, 1301), rounded(seen(700_900, 600_300), 1301), "at the end of the run");
        let overhead =
            Overhead { hand_over: micros(123), write: micros(1234), save: micros(45), ..Overhead::default() };
        let seen = WorkerSnapshot { overhead, ..seen(700_700, 600_600) };
        assert_eq!(all(seen, 1301, None).overhead, Overhead { write: micros(1000), ..overhead });
    }
}
