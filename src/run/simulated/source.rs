//! A simulated crew as a source of frames.

use super::clerk::Clerk;
use super::desk::{SimulatedScene, SimulationDesk, SimulationPapers};
use crate::lock::LockAlways as _;
use crate::run::frame::{Body, Frame};
use crate::run::live::Beginning;
use crate::run::source::{End, SearchEnded, Source, Wish};
use crate::schedule::StopReason;
use crate::simulate::{NODE, SimulationFigures, Ticks, display_time};
use crate::stop::Stop;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Receives the figures of a simulation for its caller, or why it was stopped.
pub type SimulationOutcome = Arc<Mutex<Option<Result<SimulationFigures, StopReason>>>>;

/// A simulation with a viewer.
pub struct Simulation {
    desk: Arc<SimulationDesk>,
    stop: Stop,
    ending: Receiver<Option<SimulationFigures>>,
    outcome: SimulationOutcome,
    end: Option<End>,
}

impl Simulation {
    /// Starts a simulation, with its pace in nodes on the virtual clock; stores the result in `outcome`.
    pub fn start(
        scene: SimulatedScene,
        Beginning { paused, pace, .. }: Beginning,
        outcome: SimulationOutcome,
    ) -> Simulation {
        let papers = Mutex::new(SimulationPapers { paused, pace, ..SimulationPapers::default() });
        let desk = Arc::new(SimulationDesk { papers, bell: Condvar::new() });
        let (stop, (send, ending)) = (Stop::default(), crossbeam_channel::bounded(1));
        let mut clerk = Clerk::new(&scene, Arc::clone(&desk), stop.clone());
        let stopped = stop.clone();
        let run = move || {
            let figures = scene.plan.run_observed(&mut clerk, &*scene.kernel, &stopped);
            // The receiver is gone if the viewer has failed.
            let _ = send.send(figures);
        };
        // Without a thread the sender is dropped, which the receiver reports as a failure.
        drop(std::thread::Builder::new().spawn(run));
        Simulation { desk, stop, ending, outcome, end: None }
    }

    /// Stores how the simulation ended.
    fn ended(&self, figures: Option<SimulationFigures>) -> End {
        let stopped = self.stop.reason().unwrap_or(StopReason::Asked);
        let (elapsed, stopped) = match &figures {
            Some(figures) => (display_time((figures.makespan * NODE as f64).round() as Ticks), None),
            None => (self.desk.papers().last, Some(stopped)),
        };
        let outcome = figures.ok_or(stopped.unwrap_or(StopReason::Asked));
        *self.outcome.locked() = Some(outcome);
        End::Run(SearchEnded { stopped, elapsed, answer: None, tour: None })
    }
}

impl Source for Simulation {
    fn look(&mut self) -> Option<Frame> {
        let mut papers = self.desk.papers();
        let mut frame = papers.frame.take()?;
        // Wishes made since the frame was written are shown already.
        if let Body::Tree(tree) = &mut frame.body {
            let seen = &mut tree.snapshot;
            (seen.paused, seen.pace) = (papers.paused && seen.stop.is_none(), papers.pace);
            seen.hand_over = papers.hand_over.unwrap_or(seen.hand_over);
        }
        drop(papers);
        self.desk.bell.notify_one();
        Some(frame)
    }

    fn wish(&mut self, wish: Wish) {
        let mut papers = self.desk.papers();
        match wish {
            Wish::Pause(paused) => papers.paused = paused,
            Wish::Step => {
                papers.paused = true;
                papers.steps += 1;
            }
            Wish::Pace(pace) => papers.pace = pace,
            Wish::Rule(rule) => papers.hand_over = Some(rule),
            Wish::Select(worker) => papers.selected = worker,
            Wish::Stop => self.stop.ask(StopReason::Asked),
            Wish::Reach { .. } => return,
        }
        papers.asked = true;
        drop(papers);
        self.desk.bell.notify_one();
    }

    fn end(&mut self, within: Duration) -> Option<End> {
        if self.end.is_none() {
            self.end = match self.ending.recv_timeout(within) {
                Ok(figures) => Some(self.ended(figures)),
                Err(RecvTimeoutError::Disconnected) => Some(End::Failed),
                Err(RecvTimeoutError::Timeout) => None,
            };
        }
        self.end.clone()
    }
}
