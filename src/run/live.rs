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

/// How much the workers lower their priority, so that the viewer responds quickly on a busy machine.
const NICE: i32 = 10;

/// How a run begins.
#[derive(Clone, Copy, Default, Debug)]
pub struct Beginning {
    /// Whether the run pauses before its first node.
    pub paused: bool,
    /// Limit of nodes per second for each worker.
    pub pace: Option<u32>,
}

/// Receives the full result of a run for its caller.
pub type Outbox = Arc<Mutex<Option<Result<RunDone, RunError>>>>;

/// A run on threads of this process.
pub struct Live {
    sampler: Sampler,
    ending: Receiver<Result<RunDone, RunError>>,
    outbox: Outbox,
    board: Board,
    end: Option<End>,
}

impl Live {
    /// Starts a run of this plan and returns at once. `goes` says from where it resumes and how it is saved, `tours`
    /// receives its tours, and `outbox` its result.
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
        // The receiver is gone if the viewer has failed.
        let run = move || drop(send.send(question.answer(crew, tours, &|_, _| {})));
        if let Err(error) = std::thread::Builder::new().spawn(run) {
            // The channel has room for one message, and no other sender is left.
            let _ = refused.send(Err(RunError::Spawn { worker: 0, error }));
        }
        Live::of(watch, events, ending, outbox, board)
    }

    /// A run that was started elsewhere: its meters, its events, and the channel that receives its result.
    pub fn of(
        watch: CrewWatch,
        events: Receiver<Event>,
        ending: Receiver<Result<RunDone, RunError>>,
        outbox: Outbox,
        board: Board,
    ) -> Live {
        Live { sampler: Sampler::new(watch, events, board), ending, outbox, board, end: None }
    }

    /// Stores how the run ended.
    fn ended(&mut self, ending: Option<Result<RunDone, RunError>>) {
        let done = ending.as_ref().and_then(|ending| ending.as_ref().ok());
        self.sampler.close(done.map(|done| done.outcome.elapsed));
        self.end = Some(done.map_or(End::Failed, |done| End::Run(SearchEnded::of(done, self.board))));
        *self.outbox.locked() = ending;
    }
}

impl Source for Live {
    fn look(&mut self) -> Option<Frame> {
        self.sampler.look()
    }

    fn wish(&mut self, wish: Wish) {
        self.sampler.wish(wish);
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
        // Before the end, the outbox may hold the tours of an earlier run.
        if self.end.is_none() {
            return Vec::new();
        }
        match &*self.outbox.locked() {
            Some(Ok(done)) => done.tours().to_vec(),
            _ => Vec::new(),
        }
    }
}
