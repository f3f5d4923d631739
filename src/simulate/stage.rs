//! What every simulation has: virtual workers with a kernel each, a queue of their turns, and an account of who had work.

use super::Plan;
use super::costs::{Costs, NODE, Ticks};
use super::figures::Figures;
use crate::search::{Kernel, Status, Tally, Task};
use crate::stop::Stop;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Turns between two looks at whether to stop.
const TURNS: u64 = 1 << 14;

/// A virtual worker, without what its scheduler knows of it.
struct Hand {
    kernel: Box<dyn Kernel>,
    /// Whether its task is done.
    exhausted: bool,
    /// Since when it has had no task; nothing when it has one.
    idle_since: Option<Ticks>,
    idle_longest: Ticks,
}

/// The workers of a simulation and their clock.
pub struct Stage<'a> {
    /// What is simulated.
    pub plan: &'a Plan,
    hands: Vec<Hand>,
    /// Turns to come, the earliest first; at the same time the worker with the lower number.
    turns: BinaryHeap<Reverse<(Ticks, u32)>>,
    tally: Tally,
    hires: u64,
    stop: &'a Stop,
    /// Turns taken so far.
    taken: u64,
}

impl<'a> Stage<'a> {
    /// Workers that have nothing to do yet, on the tree of `kernel`.
    pub fn new(kernel: &dyn Kernel, plan: &'a Plan, stop: &'a Stop) -> Stage<'a> {
        let idle = || Hand { kernel: kernel.another(), exhausted: true, idle_since: Some(0), idle_longest: 0 };
        let hands = (0..plan.workers).map(|_| idle()).collect();
        Stage { plan, hands, turns: BinaryHeap::new(), tally: Tally::default(), hires: 0, stop, taken: 0 }
    }

    /// What takes how long.
    pub fn costs(&self) -> &'a Costs {
        &self.plan.costs
    }

    /// The kernel of a worker.
    pub fn kernel(&mut self, worker: usize) -> &mut dyn Kernel {
        &mut *self.hands[worker].kernel
    }

    /// It is this worker's turn then.
    pub fn expect(&mut self, at: Ticks, worker: usize) {
        self.turns.push(Reverse((at, worker as u32)));
    }

    /// The next turn, if one is to come; nothing at all when the simulation is to stop.
    pub fn next(&mut self) -> Option<Option<(Ticks, usize)>> {
        self.taken += 1;
        if self.taken.is_multiple_of(TURNS) && self.stop.is_asked() {
            return None;
        }
        Some(self.turns.pop().map(|Reverse((at, worker))| (at, worker as usize)))
    }

    /// A worker begins a task.
    pub fn begin(&mut self, worker: usize, task: &Task, at: Ticks) {
        let hand = &mut self.hands[worker];
        hand.kernel.begin(task);
        hand.exhausted = false;
        let idle = hand.idle_since.take().map_or(0, |since| at - since);
        hand.idle_longest = hand.idle_longest.max(idle);
    }

    /// Lets a worker enter so many nodes, if it has as many; answers how long that takes.
    pub fn enter(&mut self, worker: usize, nodes: u64) -> Ticks {
        let before = self.tally.nodes;
        let hand = &mut self.hands[worker];
        hand.exhausted = hand.kernel.enter(nodes, &mut self.tally) == Status::Exhausted;
        (self.tally.nodes - before) * NODE
    }

    /// Whether a worker's task is done.
    pub fn exhausted(&self, worker: usize) -> bool {
        self.hands[worker].exhausted
    }

    /// Whether a worker has no task.
    pub fn is_idle(&self, worker: usize) -> bool {
        self.hands[worker].idle_since.is_some()
    }

    /// A worker has nothing to do from now on.
    pub fn retire(&mut self, worker: usize, at: Ticks) {
        self.hands[worker].idle_since = Some(at);
    }

    /// A branch has changed hands.
    pub fn count_hire(&mut self) {
        self.hires += 1;
    }

    /// Everybody is done.
    pub fn end(self, at: Ticks) -> Figures {
        let idle = |hand: &Hand| hand.idle_longest.max(hand.idle_since.map_or(0, |since| at - since));
        let idle_longest = self.hands.iter().map(idle).max().unwrap_or(0);
        Figures {
            workers: self.hands.len(),
            nodes: self.tally.nodes,
            tours: self.tally.tours,
            makespan: at as f64 / NODE as f64,
            hires: self.hires,
            idle_longest: idle_longest as f64 / NODE as f64,
            idle_longest_s: self.plan.costs.seconds(idle_longest),
        }
    }
}
