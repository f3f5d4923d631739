//! A search or a race on threads of this process, as a source of frames.

use super::{Body, Done, End, Ended, Frame, Plan, Source, Tree, Wish};
use crate::board::{Board, Route};
use crate::event::{self, Event, EventKind};
use crate::schedule::{Crew, RunError, Snapshot, StopReason, Watch, whole_micros};
use crate::solve::Output;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// By how much the workers lower their priority, so that whoever looks on stays quick on a busy machine.
const NICE: i32 = 10;
/// The position of a free run is looked at this often: seen faster it is but a flicker, and costs most of the line.
const POSITION_EVERY: Duration = Duration::from_millis(250);
/// The positions of all workers are looked at this often, so that those that were not selected can be seen later.
const POSITIONS_EVERY: Duration = Duration::from_secs(1);
/// As long as they are no more squares than this; of a larger crew or board only the selected one is.
const SQUARES_MAX: u64 = 1 << 18;
/// Events taken in between two frames at most.
const EVENTS_PER_FRAME: usize = 1 << 16;

/// How a run is to begin.
#[derive(Clone, Copy, Default, Debug)]
pub struct Beginning {
    /// Whether it waits for the user before its first node.
    pub paused: bool,
    /// Nodes a second that each worker is limited to.
    pub pace: Option<u32>,
}

/// Where a run leaves how it ended, in full, for whoever started it.
pub type Outbox = Arc<Mutex<Option<Result<Done, RunError>>>>;

/// A run on threads of its own; see the module.
pub struct Live {
    watch: Watch,
    events: Receiver<Event>,
    ending: Receiver<Result<Done, RunError>>,
    outbox: Outbox,
    board: Board,
    selected: usize,
    position_due: Instant,
    positions_due: Instant,
    /// The last moment of a run that has ended.
    last: Option<Snapshot>,
    end: Option<End>,
}

impl Live {
    /// Starts a run of this plan, which hands its tours to `tours` and leaves its end in `outbox`; answers at once.
    pub fn start(plan: &Plan, beginning: Beginning, tours: Output, outbox: Outbox) -> Live {
        let question = plan.question.clone();
        let (sender, events) = event::channel(event::CAPACITY);
        let crew = Crew::new(plan.watched(NICE), sender);
        let watch = crew.watch();
        watch.control().set_pace(beginning.pace);
        if beginning.paused {
            watch.control().pause();
        }
        let (send, ending) = crossbeam_channel::bounded(1);
        let refused = send.clone();
        let board = question.board();
        // Nobody waits for it any more once whoever looked on has failed.
        let run = move || drop(send.send(question.answer(crew, tours, &|_, _| {})));
        if let Err(error) = std::thread::Builder::new().spawn(run) {
            // There is room for one word, and nobody else to say it.
            let _ = refused.send(Err(RunError::Spawn { worker: 0, error }));
        }
        Live::of(watch, events, ending, outbox, board)
    }

    /// A run that has been started: its meters, its events, and where it says how it ended.
    pub fn of(
        watch: Watch,
        events: Receiver<Event>,
        ending: Receiver<Result<Done, RunError>>,
        outbox: Outbox,
        board: Board,
    ) -> Live {
        let now = Instant::now();
        Live {
            watch,
            events,
            ending,
            outbox,
            board,
            selected: 0,
            position_due: now,
            positions_due: now,
            last: None,
            end: None,
        }
    }

    /// Notes how it ended.
    fn ended(&mut self, ending: Option<Result<Done, RunError>>) {
        self.end = Some(match &ending {
            Some(Ok(done)) => {
                // Whoever looks later sees the run as it ended.
                let seen = self.watch.snapshot();
                self.last = Some(Snapshot { elapsed: whole_micros(done.outcome.elapsed), paused: false, ..seen });
                End::Run(Ended::of(done, self.board))
            }
            Some(Err(_)) | None => End::Failed,
        });
        *self.outbox.lock().unwrap_or_else(PoisonError::into_inner) = ending;
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

impl Source for Live {
    fn look(&mut self) -> Option<Frame> {
        let events: Vec<Event> = self.events.try_iter().take(EVENTS_PER_FRAME).collect();
        let snapshot = self.last.clone().unwrap_or_else(|| self.watch.snapshot());
        let looked_at = self.looked_at(&snapshot, &events);
        let positions = looked_at.into_iter().map(|worker| (worker, self.watch.drawing(worker))).collect();
        Some(Frame { body: Body::Tree(Box::new(Tree { snapshot, positions })), events })
    }

    fn wish(&mut self, wish: Wish) {
        match wish {
            Wish::Pause(paused) => self.watch.set_paused(paused),
            Wish::Step => self.watch.step(),
            Wish::Pace(pace) => self.watch.control().set_pace(pace),
            Wish::Rule(rule) => self.watch.set_hand_over(rule),
            Wish::Select(worker) => {
                self.selected = worker;
                self.position_due = Instant::now();
            }
            Wish::Stop => self.watch.control().stop(StopReason::Asked),
            Wish::Reach { .. } => {}
        }
    }

    fn end(&mut self, within: Duration) -> Option<End> {
        if self.end.is_none() {
            match self.ending.recv_timeout(within) {
                Ok(ending) => self.ended(Some(ending)),
                Err(RecvTimeoutError::Disconnected) => self.ended(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        self.end.clone()
    }

    fn tours(&self) -> Vec<Arc<dyn Route>> {
        // Until then the outbox may have those of a run before.
        if self.end.is_none() {
            return Vec::new();
        }
        match &*self.outbox.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(Ok(done)) => done.tours().to_vec(),
            _ => Vec::new(),
        }
    }
}
