//! What is seen of a crew: its meters, its events, and the positions that are worth a look.

use super::frame::{Body, Frame, TreeFrame};
use super::grain;
use super::source::{End, Source, Wish};
use crate::board::Board;
use crate::event::{Event, EventKind};
use crate::schedule::{CrewWatch, Snapshot, StopReason, whole_micros};
use crossbeam_channel::Receiver;
use std::time::{Duration, Instant};

/// The position of a free run is looked at this often: seen faster it is but a flicker, and costs most of the line.
const POSITION_EVERY: Duration = Duration::from_millis(250);
/// The positions of all workers are looked at this often, so that those that were not selected can be seen later.
const POSITIONS_EVERY: Duration = Duration::from_secs(1);
/// As long as they are no more squares than this; of a larger crew or board only the selected one is.
const SQUARES_MAX: u64 = 1 << 18;
/// Events taken in between two frames at most.
const EVENTS_PER_FRAME: usize = 1 << 16;

/// Looks at a crew.
pub struct Sampler {
    watch: CrewWatch,
    events: Receiver<Event>,
    board: Board,
    /// The worker whose position is looked at more often than others.
    selected: usize,
    /// Whether a position of it has been seen; until then it is looked at in every frame.
    has_position: bool,
    position_due: Instant,
    positions_due: Instant,
    /// The last moment of a run that has ended.
    last: Option<Snapshot>,
    /// How long another run had taken that this one goes on from.
    before: Duration,
}

impl Sampler {
    /// On a crew with these meters, that sends its events there, on a board.
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
            last: None,
            before: Duration::ZERO,
        }
    }

    /// The same on a run that goes on from others, which took so long.
    pub fn after(self, before: Duration) -> Sampler {
        Sampler { before, ..self }
    }

    /// The crew from outside.
    pub fn watch(&self) -> &CrewWatch {
        &self.watch
    }

    /// Looks at the position of this worker from now on.
    pub fn select(&mut self, worker: usize) {
        (self.selected, self.has_position) = (worker, false);
        self.position_due = Instant::now();
    }

    /// The run has ended after so long, or failed: whoever looks later sees it as it ended.
    pub fn close(&mut self, elapsed: Option<Duration>) {
        let seen = self.watch.snapshot();
        let elapsed = elapsed.map_or(seen.elapsed, whole_micros);
        self.last = Some(Snapshot { elapsed, paused: false, ..seen });
        // The last positions are those of the end.
        (self.position_due, self.positions_due) = (Instant::now(), Instant::now());
    }

    /// The workers whose positions are to be looked at now.
    fn looked_at(&mut self, snapshot: &Snapshot, events: &[Event]) -> Vec<usize> {
        let (now, workers) = (Instant::now(), snapshot.workers.len());
        let all = now >= self.positions_due && u64::from(self.board.squares()) * workers as u64 <= SQUARES_MAX;
        if all {
            (self.position_due, self.positions_due) = (now + POSITION_EVERY, now + POSITIONS_EVERY);
            return (0..workers).collect();
        }
        let hired =
            events.iter().filter(|event| matches!(event.kind, EventKind::Hired { .. })).map(|event| event.worker);
        let mut looked_at: Vec<usize> = hired.collect();
        if now >= self.position_due || snapshot.paused || snapshot.pace.is_some() {
            self.position_due = now + POSITION_EVERY;
            looked_at.push(self.selected.min(workers.saturating_sub(1)));
        }
        looked_at.sort_unstable();
        looked_at.dedup();
        looked_at
    }
}

impl Source for Sampler {
    fn look(&mut self) -> Option<Frame> {
        let mut events: Vec<Event> = self.events.try_iter().take(EVENTS_PER_FRAME).collect();
        // The order is what the nanoseconds say, which are not told.
        events.sort_by_key(|event| event.at);
        events.iter_mut().for_each(|event| event.at = grain::event(event.at + self.before));
        let mut snapshot = self.last.clone().unwrap_or_else(|| self.watch.snapshot());
        snapshot.elapsed += whole_micros(self.before);
        snapshot.workers.iter_mut().for_each(|worker| grain::worker(worker, snapshot.elapsed));
        let looked_at = self.looked_at(&snapshot, &events);
        let positions = looked_at.into_iter().map(|worker| (worker, self.watch.drawing(worker)));
        // An empty board is one that the worker has not published yet.
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

    /// Whoever started the run waits for its end.
    fn end(&mut self, _within: Duration) -> Option<End> {
        None
    }
}
