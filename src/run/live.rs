//! A search or a race on threads of this process, as a source of frames.

use super::checkpoint::Continuation;
use super::frame::{Body, Frame};
use super::question::{Plan, Question, RunDone};
use super::sampler::Sampler;
use super::source::{End, SearchEnd, Source, Wish};
use super::tempo::{Pacing, Tempo};
use crate::board::{Board, Route};
use crate::event::{self, EventSender};
use crate::lock::LockAlways as _;
use crate::schedule::{Crew, CrewPlan, RunError, Snapshot};
use crate::solve::{GenerationListener, TourOutput};
use crate::system::{self, ThreadRefused};
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
    /// How fast the run is shown by itself.
    pub tempo: Tempo,
    /// The run time at which it resumes the run before it in the same view, if it does.
    pub resumes_at: Option<Duration>,
}

impl Beginning {
    /// The limit before the first node.
    pub fn first_pace(&self) -> Option<u32> {
        self.pace.or_else(|| self.tempo.pace(Duration::ZERO, &Snapshot::default()))
    }
}

/// Receives the full result of a run for its caller.
pub type Outbox = Arc<Mutex<Option<Result<RunDone, RunError>>>>;

/// A search or a race that can begin: its question, and its crew.
pub struct PreparedRun {
    question: Question,
    crew: Crew,
}

impl PreparedRun {
    /// Prepares a run, and what samples it. `continuation` says from where the run resumes and how it is saved. The events
    /// of a run that is not `observed` are dropped.
    pub fn new(
        question: &Question,
        crew: CrewPlan,
        continuation: Continuation,
        observed: bool,
    ) -> (PreparedRun, Sampler) {
        let (sender, events) = if observed {
            event::channel(event::CAPACITY)
        } else {
            (EventSender::nowhere(), crossbeam_channel::never())
        };
        let Continuation { earlier, saver } = continuation;
        let (breaks, saver) = saver.unzip();
        let mut crew = Crew::new(CrewPlan { breaks, ..crew }, sender);
        earlier.into_iter().for_each(|earlier| crew.resume(earlier));
        saver.into_iter().for_each(|saver| crew.set_saver(saver));
        let sampler = Sampler::new(crew.watch(), events, question.board());
        (PreparedRun { question: question.clone(), crew }, sampler)
    }

    /// Answers the question, and returns when it is answered or stopped. `tours` receives the tours of a search,
    /// `generations` the generations that are bred.
    ///
    /// # Errors
    /// [`RunError`] when a worker failed.
    pub fn answer(self, tours: TourOutput, generations: &GenerationListener<'_>) -> Result<RunDone, RunError> {
        self.question.answer(self.crew, tours, generations)
    }
}

/// A run on threads of this process.
pub struct Live {
    sampler: Sampler,
    ending: Receiver<Result<RunDone, RunError>>,
    outbox: Outbox,
    board: Board,
    end: Option<End>,
    pacing: Pacing,
}

impl Live {
    /// Starts a run of this plan for a screen, and returns at once. `continuation` says from where it resumes and how it is
    /// saved, `tours` receives its tours, and `outbox` its result.
    pub fn start(
        plan: &Plan,
        beginning: Beginning,
        continuation: Continuation,
        tours: TourOutput,
        outbox: Outbox,
    ) -> Live {
        let (prepared, sampler) = PreparedRun::new(&plan.question, plan.watched(NICE), continuation, true);
        if beginning.paused {
            sampler.watch().begin_paused();
        }
        sampler.watch().control().set_pace(beginning.first_pace());
        let (send, ending) = crossbeam_channel::bounded(1);
        let refused = send.clone();
        // The receiver is gone if the viewer has failed.
        let run = move || drop(send.send(prepared.answer(tours, &|_, _| {})));
        if let Err(ThreadRefused { error, .. }) = system::start("search", run) {
            // The channel has room for one message, and no other sender is left.
            let _ = refused.send(Err(RunError::Spawn { worker: 0, error }));
        }
        Live { pacing: Pacing::new(beginning.tempo), ..Live::of(sampler, ending, outbox, plan.question.board()) }
    }

    /// A run that was started elsewhere, with its sampler and the channel that receives its result.
    pub fn of(sampler: Sampler, ending: Receiver<Result<RunDone, RunError>>, outbox: Outbox, board: Board) -> Live {
        Live { sampler, ending, outbox, board, end: None, pacing: Pacing::default() }
    }

    /// Stores how the run ended.
    fn ended(&mut self, ending: Option<Result<RunDone, RunError>>) {
        let done = ending.as_ref().and_then(|ending| ending.as_ref().ok());
        self.sampler.close(done.map(|RunDone { outcome, .. }| outcome.elapsed + outcome.paused));
        self.end = Some(done.map_or(End::Failed, |done| End::Run(SearchEnd::of(done, self.board))));
        *self.outbox.locked() = ending;
    }
}

impl Source for Live {
    fn look(&mut self) -> Option<Frame> {
        let frame = self.sampler.look()?;
        if let Body::Tree(tree) = &frame.body
            && let Some(pace) = self.pacing.take(&tree.snapshot)
        {
            self.sampler.wish(Wish::Pace(pace));
        }
        Some(frame)
    }

    fn wish(&mut self, wish: Wish) {
        // A user who sets the pace, or steps, has ended the tempo.
        if let Wish::Pace(_) | Wish::Step = wish {
            self.pacing.end();
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;
    use crate::schedule::{Levels, WorkerState};
    use crate::solve::{Problem, solver_by_name};
    use std::time::Instant;

    /// Waits until a frame of the run is as wanted; returns its snapshot.
    fn until(live: &mut Live, wanted: impl Fn(&Snapshot) -> bool) -> Snapshot {
        let begun = Instant::now();
        loop {
            if let Some(Body::Tree(tree)) = live.look().map(|frame| frame.body)
                && wanted(&tree.snapshot)
            {
                return tree.snapshot;
            }
            assert!(begun.elapsed() < Duration::from_secs(120), "no frame is as wanted");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Pauses, and waits until no worker enters a node.
    fn held(live: &mut Live) -> Snapshot {
        live.wish(Wish::Pause(true));
        let watch = live.sampler.watch().clone();
        until(live, |_| watch.stands());
        until(live, |seen| seen.workers.iter().all(|worker| worker.state != WorkerState::Busy))
    }

    /// A kernel that counts by depth at a price: in slow motion every node is counted, at full speed a sample, and neither
    /// is added to the other.
    #[test]
    fn depths_are_exact_in_slow_motion_and_start_again_at_full_speed() {
        let problem = Problem::new(Board::new(8, 8).unwrap(), Ending::Closed);
        let plan = Plan::of(Question::Search(solver_by_name("path").unwrap(), problem), 2);
        let beginning = Beginning { pace: Some(2000), ..Beginning::default() };
        let mut live = Live::start(&plan, beginning, Continuation::default(), TourOutput::default(), Outbox::default());
        let depths = |seen: &Snapshot| seen.nodes_by_depth.iter().sum::<u64>();

        until(&mut live, |seen| seen.nodes() > 100);
        let slow = held(&mut live);
        assert_eq!((slow.levels, depths(&slow)), (Levels::Exact, slow.nodes()));

        live.wish(Wish::Pace(None));
        let none = until(&mut live, |seen| seen.levels == Levels::Sampled);
        assert_eq!(depths(&none), 0, "no worker has gone on yet");
        live.wish(Wish::Pause(false));
        until(&mut live, |seen| depths(seen) > 0);
        let fast = held(&mut live);
        assert!(fast.levels == Levels::Sampled && depths(&fast) < fast.nodes() - slow.nodes());
        assert!(fast.depths_since > slow.depths_since);

        live.wish(Wish::Pace(Some(2000)));
        live.wish(Wish::Pause(false));
        until(&mut live, |seen| seen.nodes() > fast.nodes() + 100);
        let again = held(&mut live);
        assert_eq!((again.levels, depths(&again)), (Levels::Exact, again.nodes() - fast.nodes()));
        live.wish(Wish::Stop);
        assert!(live.end(Duration::from_secs(120)).is_some());
    }
}
