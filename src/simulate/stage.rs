//! What every simulation has: virtual workers with a kernel each, a queue of their turns, an account of who had work and who
//! did what, and somebody who may look on.

use super::costs::{Costs, NODE, Ticks, shown};
use super::figures::SimulationFigures;
use super::hand::VirtualWorker;
use super::onlooker::{SimulationObserver, VirtualSnapshot};
use super::plan::SimulationPlan;
use crate::event::{Event, EventKind};
use crate::schedule::protocol::Nomination;
use crate::search::{Burst, BurstEnd, BurstOutput, HandOver, Kernel, Tally, Task};
use crate::stop::Stop;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Turns between two looks at whether to stop.
const TURNS: u64 = 1 << 14;
/// Turns after which an onlooker is asked, whatever the clock says.
const TURNS_SEEN: u64 = 1 << 10;

/// The workers of a simulation and their clock.
pub struct VirtualWorkers<'a> {
    /// What is simulated.
    pub plan: &'a SimulationPlan,
    hands: Vec<VirtualWorker>,
    /// Turns to come, the earliest first; at the same time the worker with the lower number.
    turns: BinaryHeap<Reverse<(Ticks, u32)>>,
    tally: Tally,
    hires: u64,
    stop: &'a Stop,
    /// Turns taken so far.
    taken: u64,
    /// Who looks on.
    onlooker: Option<&'a mut dyn SimulationObserver>,
    /// Until when it need not be asked, and by which rule it wants to see hiring.
    until: Ticks,
    rule: Option<HandOver>,
}

impl<'a> VirtualWorkers<'a> {
    /// Workers that have nothing to do yet, on the tree of `kernel`.
    pub fn new(kernel: &dyn Kernel, plan: &'a SimulationPlan, stop: &'a Stop) -> VirtualWorkers<'a> {
        let hands = (0..plan.workers).map(|_| VirtualWorker::new(kernel.another())).collect();
        let (turns, tally, onlooker) = (BinaryHeap::new(), Tally::default(), None);
        VirtualWorkers { plan, hands, turns, tally, hires: 0, stop, taken: 0, onlooker, until: 0, rule: None }
    }

    /// The same before somebody who looks on.
    pub fn before(self, onlooker: &'a mut dyn SimulationObserver) -> VirtualWorkers<'a> {
        VirtualWorkers { onlooker: Some(onlooker), ..self }
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

    /// The next turn, if one is to come; nothing at all when the simulation is to stop. `bosses` says at whom a worker waits.
    pub fn next(&mut self, bosses: impl Fn(usize) -> Option<usize>) -> Option<Option<(Ticks, usize)>> {
        self.taken += 1;
        if self.taken.is_multiple_of(TURNS) && self.stop.is_asked() {
            return None;
        }
        let turn = self.turns.pop().map(|Reverse((at, worker))| (at, worker as usize));
        match turn {
            Some((at, _)) if !self.arrive(at, &bosses) => None,
            turn => Some(turn),
        }
    }

    /// It is this late: whoever looks on is asked, if that is due; answers whether to go on after that.
    pub fn arrive(&mut self, at: Ticks, bosses: &dyn Fn(usize) -> Option<usize>) -> bool {
        let due = self.onlooker.is_some() && (at >= self.until || self.taken.is_multiple_of(TURNS_SEEN));
        if due {
            self.show(at, bosses, false);
        }
        !(due && self.stop.is_asked())
    }

    /// Shows the workers to whoever looks on.
    fn show(&mut self, at: Ticks, bosses: &dyn Fn(usize) -> Option<usize>, over: bool) {
        let Some(onlooker) = &mut self.onlooker else { return };
        let asked = onlooker.arrived(at, &VirtualSnapshot::new(&self.hands, &self.tally, bosses, over));
        self.until = asked.until;
        if let Some(rule) = asked.hand_over {
            self.rule = Some(rule);
            self.tell(at, 0, || EventKind::RuleChanged { rule });
        }
    }

    /// The rule by which is to be hired from now on, if another one was asked for.
    pub fn asked_rule(&mut self) -> Option<HandOver> {
        self.rule.take()
    }

    /// Tells whoever looks on what has happened to a worker.
    fn tell(&mut self, at: Ticks, worker: usize, kind: impl FnOnce() -> EventKind) {
        if let Some(onlooker) = &mut self.onlooker {
            onlooker.happened(Event { at: shown(at), worker, kind: kind() });
        }
    }

    /// A worker begins a task.
    pub fn begin(&mut self, worker: usize, task: &Task, at: Ticks) {
        let hand = &mut self.hands[worker];
        hand.kernel.begin(task);
        hand.exhausted = false;
        hand.busy = hand.busy_by(at);
        let idle = hand.idle_since.take().map_or(0, |since| at - since);
        hand.idle_longest = hand.idle_longest.max(idle);
        hand.began = at;
        if !std::mem::replace(&mut hand.told, true) {
            self.tell(at, worker, || EventKind::Began { depth: task.choices.len() });
        }
    }

    /// Lets a worker enter so many nodes from this time on, if it has as many; answers how long that takes.
    pub fn enter(&mut self, worker: usize, nodes: u64, at: Ticks) -> Ticks {
        let (nodes_before, tours_before) = (self.tally.nodes, self.tally.tours);
        let (hand, levels) = (&mut self.hands[worker], self.onlooker.is_some());
        let mut out = BurstOutput { tally: &mut self.tally, levels, sink: None };
        hand.exhausted = hand.kernel.advance(Burst::nodes(nodes), &mut out) == BurstEnd::Exhausted;
        let (nodes, tours) = (self.tally.nodes - nodes_before, self.tally.tours - tours_before);
        hand.nodes += nodes;
        hand.tours += tours;
        if tours_before == 0 && tours > 0 {
            self.tell(at, worker, || EventKind::FirstTour);
        }
        nodes * NODE
    }

    /// Whether a worker's task is done.
    pub fn exhausted(&self, worker: usize) -> bool {
        self.hands[worker].exhausted
    }

    /// Whether a worker has no task.
    pub fn is_idle(&self, worker: usize) -> bool {
        !self.hands[worker].has_task()
    }

    /// A worker has nothing to do from now on.
    pub fn retire(&mut self, worker: usize, at: Ticks) {
        let hand = &mut self.hands[worker];
        hand.busy = hand.busy_by(at);
        hand.idle_since = Some(at);
    }

    /// A branch of this depth has changed hands, and helpers have gone along with it.
    pub fn hire(&mut self, by: usize, hired: usize, depth: usize, along: &[u32], at: Ticks) {
        self.hires += 1;
        self.hands[by].hires += 1;
        self.hands[hired].told = true;
        let left = self.hands[by].kernel.branches().open_level();
        let company = || along.iter().map(|&helper| helper as usize).collect();
        self.tell(at, hired, || EventKind::Hired { by, depth, left, company: company() });
    }

    /// A worker waits from the beginning at the first one.
    pub fn wait(&mut self, worker: usize, at: Ticks) {
        self.tell(at, worker, || EventKind::Idle { nominee: Some(0), level: None, nodes: 0 });
    }

    /// A worker has run dry, and nominates this one, if anybody.
    pub fn run_dry(&mut self, worker: usize, nominee: Option<usize>, at: Ticks) {
        let level = nominee.and_then(|nominee| self.hands[nominee].kernel.branches().open_level());
        let hand = &mut self.hands[worker];
        hand.told = false;
        let nodes = hand.nodes - std::mem::replace(&mut hand.told_nodes, hand.nodes);
        self.tell(at, worker, || EventKind::Idle { nominee, level, nodes });
    }

    /// A worker without work has nominated another one, and brought its helpers there.
    pub fn nominate(&mut self, worker: usize, nomination: Nomination, at: Ticks) {
        let (nominee, helpers) = (nomination.whom, nomination.donated);
        self.run_dry(worker, nominee, at);
        if let (Some(to), 1..) = (nominee, helpers) {
            self.hands[worker].donations += helpers as u64;
            self.tell(at, worker, || EventKind::Donated { to, helpers });
        }
    }

    /// Everybody is done.
    pub fn end(mut self, at: Ticks) -> SimulationFigures {
        let at_work: Vec<usize> = (0..self.hands.len()).filter(|&worker| self.hands[worker].told).collect();
        at_work.into_iter().for_each(|worker| self.run_dry(worker, None, at));
        self.tell(at, 0, || EventKind::Finished);
        self.show(at, &|_| None, true);
        let idle = |hand: &VirtualWorker| hand.idle_longest.max(hand.idle_since.map_or(0, |since| at - since));
        let idle_longest = self.hands.iter().map(idle).max().unwrap_or(0);
        SimulationFigures {
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
