//! A search or a race on threads of this process, as a source of frames.

use super::checkpoint::Goes;
use super::frame::Frame;
use super::question::{Plan, RunDone};
use super::sampler::Sampler;
use super::source::{End, SearchEnded, Source, Wish};
use crate::board::{Board, Route};
use crate::event::{self, Event};
use crate::lock::LockAlways as _;
use crate::schedule::{Crew, CrewPlan, CrewWatch, RunError};
use crate::solve::TourOutput;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// By how much the workers lower their priority, so that whoever looks on stays quick on a busy machine.
const NICE: i32 = 10;

/// How a run is to begin.
#[derive(Clone, Copy, Default, Debug)]
pub struct Beginning {
    /// Whether it waits for the user before its first node.
    pub paused: bool,
    /// Nodes a second that each worker is limited to.
    pub pace: Option<u32>,
}

/// Where a run leaves how it ended, in full, for whoever started it.
pub type Outbox = Arc<Mutex<Option<Result<RunDone, RunError>>>>;

/// A run on threads of its own; see the module.
pub struct Live {
    lens: Sampler,
    ending: Receiver<Result<RunDone, RunError>>,
    outbox: Outbox,
    board: Board,
    end: Option<End>,
}

impl Live {
    /// Starts a run of this plan, kept or taken up by `goes`, which hands its tours to `tours` and leaves its end in
    /// `outbox`; answers at once.
    pub fn start(plan: &Plan, beginning: Beginning, goes: Goes, tours: TourOutput, outbox: Outbox) -> Live {
        let question = plan.question.clone();
        let (sender, events) = event::channel(event::CAPACITY);
        let mut crew = Crew::new(CrewPlan { breaks: goes.breaks(), ..plan.watched(NICE) }, sender);
        goes.tell(&mut crew);
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
        watch: CrewWatch,
        events: Receiver<Event>,
        ending: Receiver<Result<RunDone, RunError>>,
        outbox: Outbox,
        board: Board,
    ) -> Live {
        Live { lens: Sampler::new(watch, events, board), ending, outbox, board, end: None }
    }

    /// Notes how it ended.
    fn ended(&mut self, ending: Option<Result<RunDone, RunError>>) {
        let done = ending.as_ref().and_then(|ending| ending.as_ref().ok());
        self.lens.close(done.map(|done| done.outcome.elapsed));
        self.end = Some(done.map_or(End::Failed, |done| End::Run(SearchEnded::of(done, self.board))));
        *self.outbox.locked() = ending;
    }
}

impl Source for Live {
    fn look(&mut self) -> Option<Frame> {
        self.lens.look()
    }

    fn wish(&mut self, wish: Wish) {
        self.lens.wish(wish);
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
        match &*self.outbox.locked() {
            Some(Ok(done)) => done.tours().to_vec(),
            _ => Vec::new(),
        }
    }
}
