//! A simulated crew as a source of frames.
//!
//! The speed of the virtual clock for a viewer: slow at the beginning, where the work is shared within some hundred
//! nodes, and then ever faster.
//!
//! The events of a simulation lie on a logarithmic scale: a thousand workers have all been hired within three thousand
//! nodes, and a tree of a hundred million nodes takes a hundred thousand more among them, but fifty million among two.
//! So the clock doubles its speed every [`DOUBLES`] seconds, from [`BEGINS`] nodes a second on: the first hires can be
//! seen one by one, and any such simulation ends after some twenty to forty-five seconds, though its length is not
//! known before.

use super::observers::PacedObserver;
use crate::board::Board;
use crate::lock::LockAlways as _;
use crate::run::frame::{Body, Frame};
use crate::run::live::Beginning;
use crate::run::source::{End, SearchEnd, Source, Wish};
use crate::schedule::StopReason;
use crate::search::{HandOver, Kernel};
use crate::simulate::{NODE, SimulationFigures, SimulationPlan, Ticks, display_time};
use crate::stop::Stop;
use crate::system;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Receives the figures of a simulation for its caller, or why it was stopped.
pub type SimulationOutcome = Arc<Mutex<Option<Result<SimulationFigures, StopReason>>>>;

/// A simulation with a viewer.
pub struct Simulation {
    shared: Arc<SharedSimulation>,
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
        let state = Mutex::new(SimulationState { paused, pace, ..SimulationState::default() });
        let shared = Arc::new(SharedSimulation { state, changed: Condvar::new() });
        let (stop, (send, ending)) = (Stop::default(), crossbeam_channel::bounded(1));
        let mut observer = PacedObserver::new(&scene, Arc::clone(&shared), stop.clone());
        let stopped = stop.clone();
        let run = move || {
            let figures = scene.plan.run_observed(&mut observer, &*scene.kernel, &stopped);
            // The receiver is gone if the viewer has failed.
            let _ = send.send(figures);
        };
        // Without a thread the sender is dropped, which the receiver reports as a failure.
        drop(system::start("simulation", run));
        Simulation { shared, stop, ending, outcome, end: None }
    }

    /// Stores how the simulation ended.
    fn ended(&self, figures: Option<SimulationFigures>) -> End {
        let stopped = self.stop.reason().unwrap_or(StopReason::Asked);
        let (elapsed, stopped) = match &figures {
            Some(figures) => (display_time((figures.makespan * NODE as f64).round() as Ticks), None),
            None => (self.shared.state.locked().last, Some(stopped)),
        };
        let outcome = figures.ok_or(stopped.unwrap_or(StopReason::Asked));
        *self.outcome.locked() = Some(outcome);
        End::Run(SearchEnd { stopped, elapsed, pruned: None, answer: None, tour: None })
    }
}

impl Source for Simulation {
    fn look(&mut self) -> Option<Frame> {
        let mut state = self.shared.state.locked();
        let mut frame = state.frame.take()?;
        // Wishes made since the frame was written are shown already.
        if let Body::Tree(tree) = &mut frame.body {
            let seen = &mut tree.snapshot;
            (seen.paused, seen.pace) = (state.paused && seen.stop.is_none(), state.pace);
            seen.hand_over = state.hand_over.unwrap_or(seen.hand_over);
        }
        drop(state);
        self.shared.changed.notify_one();
        Some(frame)
    }

    fn wish(&mut self, wish: Wish) {
        let mut state = self.shared.state.locked();
        match wish {
            Wish::Pause(paused) => state.paused = paused,
            Wish::Step => {
                state.paused = true;
                state.steps += 1;
            }
            Wish::Pace(pace) => state.pace = pace,
            Wish::Rule(rule) => state.hand_over = Some(rule),
            Wish::Select(worker) => state.selected = worker,
            Wish::Stop => self.stop.ask(StopReason::Asked),
            Wish::Reach { .. } => return,
        }
        state.asked = true;
        drop(state);
        self.shared.changed.notify_one();
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

pub struct SimulatedScene {
    /// The sharing, the number of workers, and the costs.
    pub plan: SimulationPlan,
    /// The search.
    pub kernel: Box<dyn Kernel>,
    pub board: Board,
    /// The first rule for handing over branches.
    pub hand_over: HandOver,
}

/// The shared state and its signal.
#[derive(Default)]
pub(super) struct SharedSimulation {
    pub(super) state: Mutex<SimulationState>,
    pub(super) changed: Condvar,
}

#[derive(Default)]
pub(super) struct SimulationState {
    /// The frame that no look has taken.
    pub(super) frame: Option<Frame>,
    /// The time of the last frame.
    pub(super) last: Duration,
    pub(super) selected: usize,
    pub(super) paused: bool,
    pub(super) pace: Option<u32>,
    /// Steps requested and not made.
    pub(super) steps: u32,
    pub(super) hand_over: Option<HandOver>,
    /// Whether a wish is to be shown at once.
    pub(super) asked: bool,
}

/// Nodes a second at the beginning.
const BEGINS: f64 = 60.0;
/// Seconds in which the speed doubles.
const DOUBLES: f64 = 2.5;

/// The time of the clock in nodes, and its speed.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct SimulationClock {
    /// Nodes since the beginning, up to which the workers may run.
    pub now: f64,
    /// Requested nodes a second; `None` for the automatic speed.
    pub pace: Option<u32>,
}

/// The offset of the exponential speed, in nodes.
fn head() -> f64 {
    BEGINS * DOUBLES / std::f64::consts::LN_2
}

impl SimulationClock {
    /// Nodes a second at this moment.
    pub fn speed(&self) -> f64 {
        self.pace.map_or_else(|| BEGINS * (self.now + head()) / head(), f64::from)
    }

    /// Advances the clock by this much time of the viewer.
    pub fn pass(&mut self, time: Duration) {
        let seconds = time.as_secs_f64();
        self.now = match self.pace {
            Some(pace) => self.now + f64::from(pace) * seconds,
            None => (self.now + head()) * (seconds / DOUBLES).exp2() - head(),
        };
    }

    /// Limits the clock to at most this much time ahead of a simulation at `nodes`.
    pub fn wait_for(&mut self, nodes: f64, time: Duration) {
        self.now = self.now.min(nodes + self.speed() * time.as_secs_f64());
    }

    /// The viewer's time until the clock reaches `nodes`.
    pub fn until(&self, nodes: f64) -> Duration {
        let seconds = match self.pace {
            _ if nodes <= self.now => 0.0,
            Some(pace) => (nodes - self.now) / f64::from(pace.max(1)),
            None => DOUBLES * ((nodes + head()) / (self.now + head())).log2(),
        };
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> SimulationClock {
        let mut tempo = SimulationClock::default();
        tempo.pass(Duration::from_secs_f64(seconds));
        tempo
    }

    #[test]
    fn it_begins_slowly_and_shows_any_tree_in_about_half_a_minute() {
        assert_eq!(SimulationClock::default().speed().round(), 60.0);
        // The first hundred nodes take a second and a half, and all hires of 1024 workers ten seconds.
        let takes = |nodes| SimulationClock::default().until(nodes).as_secs();
        assert_eq!([100.0, 2700.0, 98_000.0, 1_540_000.0, 49_400_000.0].map(takes), [1, 9, 22, 31, 44]);
    }

    #[test]
    fn time_in_small_steps_is_the_same_time() {
        let mut tempo = SimulationClock::default();
        (0..1000).for_each(|_| tempo.pass(Duration::from_millis(20)));
        assert!((tempo.now / at(20.0).now - 1.0).abs() < 1e-9);
        assert!((tempo.speed() / SimulationClock::default().speed() - 256.0).abs() < 1e-6);
        let there = at(7.0);
        assert!((at(3.0).until(there.now).as_secs_f64() - 4.0).abs() < 1e-6);
        assert_eq!(there.until(1.0), Duration::ZERO);
    }

    #[test]
    fn a_pace_that_was_asked_for_is_kept() {
        let mut tempo = SimulationClock { pace: Some(50), ..at(5.0) };
        let before = tempo.now;
        tempo.pass(Duration::from_secs(4));
        assert!((tempo.now - before - 200.0).abs() < 1e-9);
        assert_eq!((tempo.speed(), tempo.until(tempo.now + 100.0)), (50.0, Duration::from_secs(2)));
        tempo.wait_for(7.0, Duration::from_secs(1));
        assert_eq!(tempo.now, 57.0);
    }
}
