//! Observes the simulation for the viewer: holds it at the time of the virtual clock, and writes at most one frame
//! ahead.

use super::source::{SharedSimulation, SimulatedScene, SimulationClock, SimulationState};
use crate::board::Board;
use crate::event::Event;
use crate::lock::LockAlways as _;
use crate::run::balance::{Balance, BalanceFigures};
use crate::run::frame::{Body, Frame, TreeFrame};
use crate::run::sampler::{POSITIONS_EVERY, SQUARES_MAX, hired};
use crate::schedule::{Levels, Scheduler, Sharing, Simulated, Snapshot, WorkerSnapshot, WorkerState};
use crate::search::HandOver;
use crate::simulate::{
    Costs, NODE, ObserverRequest, SimulationObserver, SimulationPlan, Ticks, VirtualSnapshot, display_time,
};
use crate::stop::Stop;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// Shortest wait between two looks at the clock.
const NAP: Duration = Duration::from_millis(10);
/// Most time that the clock is ahead of a simulation that is too slow for it.
const BEHIND: Duration = Duration::from_millis(100);
/// Events that may wait to be taken; with more, the clock stops.
const EVENTS_MAX: usize = 1 << 14;

/// The observer of a simulation for its viewer.
pub struct PacedObserver {
    shared: Arc<SharedSimulation>,
    stop: Stop,
    board: Board,
    costs: Costs,
    hand_over: HandOver,
    tempo: SimulationClock,
    /// When the clock was last updated.
    told_at: Instant,
    /// Events since the last frame.
    events: Vec<Event>,
    /// The time of the last frame; `None` before the first.
    seen: Option<Ticks>,
    positions_due: Instant,
}

impl PacedObserver {
    /// Observes a simulation that is about to begin.
    pub fn new(scene: &SimulatedScene, shared: Arc<SharedSimulation>, stop: Stop) -> PacedObserver {
        let now = Instant::now();
        PacedObserver {
            shared,
            stop,
            board: scene.board,
            costs: scene.plan.costs,
            hand_over: scene.hand_over,
            tempo: SimulationClock::default(),
            told_at: now,
            events: Vec::new(),
            seen: None,
            positions_due: now,
        }
    }

    /// Updates the clock and returns its time; a stopped clock keeps its time.
    fn clock(&mut self, state: &mut SimulationState, stands: bool) -> Ticks {
        let now = Instant::now();
        let passed = now.saturating_duration_since(std::mem::replace(&mut self.told_at, now));
        self.tempo.pace = state.pace;
        if !stands && !state.paused {
            self.tempo.pass(passed);
        }
        (self.tempo.now * NODE as f64) as Ticks
    }

    /// Writes a frame of this moment, which includes the events and positions of a frame not taken yet.
    fn write(&mut self, state: &mut SimulationState, at: Ticks, seen: &VirtualSnapshot<'_>) {
        let (mut events, mut positions) = match state.frame.take() {
            Some(Frame { body: Body::Tree(tree), events }) => (events, BTreeMap::from_iter(tree.positions)),
            _ => Default::default(),
        };
        events.append(&mut self.events);
        // That a worker ran dry is known once it has found another one to wait at.
        events.sort_by_key(|event| event.at);
        let looked_at = self.looked_at(state.selected, seen.size(), &events);
        let looked_at = looked_at.into_iter().map(|worker| (worker, seen.drawing(worker)));
        positions.extend(looked_at.filter(|(_, drawing)| !drawing.is_empty()));
        let snapshot = self.snapshot(state, at, seen);
        state.last = snapshot.elapsed;
        let tree = TreeFrame { snapshot, positions: positions.into_iter().collect() };
        state.frame = Some(Frame { body: Body::Tree(Box::new(tree)), events });
        state.asked = false;
        self.seen = Some(at);
    }

    fn snapshot(&self, state: &SimulationState, at: Ticks, seen: &VirtualSnapshot<'_>) -> Snapshot {
        let tally = seen.tally();
        let mut workers = seen.workers(at);
        for worker in workers.iter_mut().filter(|worker| state.paused && worker.state.has_work()) {
            worker.state = WorkerState::Paused;
        }
        Snapshot {
            elapsed: display_time(at),
            stop: self.stop.reason(),
            paused: state.paused,
            pace: state.pace,
            hand_over: self.hand_over,
            workers,
            waits: seen.waits(),
            nodes_by_depth: tally.nodes_by_depth.to_vec(),
            pruned_by_depth: tally.pruned_by_depth.to_vec(),
            levels: Levels::Exact,
            simulated: Some(Simulated { node_ns: self.costs.node_ns, nodes_per_s: self.tempo.speed() }),
            ..Snapshot::default()
        }
    }

    /// The workers whose positions are taken now.
    fn looked_at(&mut self, selected: usize, workers: usize, events: &[Event]) -> Vec<usize> {
        let now = Instant::now();
        if now >= self.positions_due && u64::from(self.board.squares()) * workers as u64 <= SQUARES_MAX {
            self.positions_due = now + POSITIONS_EVERY;
            return (0..workers).collect();
        }
        hired(events).chain([selected.min(workers - 1)]).collect()
    }

    /// Passes the rule and the time limit to the simulation.
    fn request(&mut self, state: &mut SimulationState) -> ObserverRequest {
        let hand_over = state.hand_over.take();
        self.hand_over = hand_over.unwrap_or(self.hand_over);
        ObserverRequest { until: (self.tempo.now * NODE as f64) as Ticks, hand_over }
    }
}

impl SimulationObserver for PacedObserver {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn turns_taken(&mut self, at: Ticks, seen: &VirtualSnapshot<'_>) -> ObserverRequest {
        let shared = Arc::clone(&self.shared);
        let mut state = shared.state.locked();
        self.tempo.wait_for(at as f64 / NODE as f64, BEHIND);
        loop {
            let full = self.events.len() >= EVENTS_MAX && state.frame.is_some();
            let mut now = self.clock(&mut state, full);
            if std::mem::take(&mut state.steps) > 0 {
                // One burst of the busy workers, and one turn at least.
                self.tempo.now = (self.tempo.now + self.costs.burst as f64).max(at as f64 / NODE as f64);
                now = now.max(at);
            }
            let (here, over) = (now.min(at), self.stop.is_asked());
            let last = over || (seen.is_over() && now >= at);
            if last || state.asked || (state.frame.is_none() && self.seen != Some(here)) {
                self.write(&mut state, here, seen);
            }
            if last || (now >= at && !full) {
                return self.request(&mut state);
            }
            state = if state.paused || full {
                shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
            } else {
                let nap = self.tempo.until(at as f64 / NODE as f64).max(NAP);
                shared.changed.wait_timeout(state, nap).unwrap_or_else(PoisonError::into_inner).0
            };
        }
    }
}

/// Collects the balance of a simulation.
pub struct SimulatedBalance {
    balance: Balance,
    costs: Costs,
    hand_over: HandOver,
}

impl SimulatedBalance {
    /// The balance of a simulation of this plan, which stands for this scheduler.
    pub fn new(plan: &SimulationPlan, scheduler: Scheduler) -> SimulatedBalance {
        let mut balance = Balance::of(scheduler);
        let workers = vec![WorkerSnapshot::default(); plan.workers];
        balance.meet(&Snapshot { workers, ..Snapshot::default() });
        let hand_over = match plan.sharing {
            Sharing::Hire(rule) => rule.hand_over,
            Sharing::Steal | Sharing::Deal(_) => HandOver::Shallowest,
        };
        SimulatedBalance { balance, costs: plan.costs, hand_over }
    }

    /// The figures, which are complete when the simulation has ended.
    pub fn figures(&self) -> BalanceFigures {
        self.balance.figures()
    }
}

impl SimulationObserver for SimulatedBalance {
    fn event(&mut self, event: Event) {
        self.balance.happened(&event);
    }

    fn turns_taken(&mut self, at: Ticks, seen: &VirtualSnapshot<'_>) -> ObserverRequest {
        if seen.is_over() {
            self.balance.sampled(&Snapshot {
                elapsed: display_time(at),
                hand_over: self.hand_over,
                workers: seen.workers(at),
                waits: seen.waits(),
                simulated: Some(Simulated { node_ns: self.costs.node_ns, nodes_per_s: 0.0 }),
                ..Snapshot::default()
            });
        }
        ObserverRequest { until: Ticks::MAX, hand_over: None }
    }
}
