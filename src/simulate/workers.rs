//! The part that all simulations share: virtual workers with a kernel each, the queue of their turns, and their statistics;
//! and what an observer sees: all workers at one moment of the virtual clock, in the form in which a crew of threads is shown.

use super::plan::{Costs, NODE, SimulationFigures, SimulationPlan, Ticks, display_time};
use crate::event::{Event, EventKind};
use crate::schedule::{Overhead, Sharing, SharingCounts, WaitCounts, WorkerSnapshot, WorkerState};
use crate::search::{Burst, BurstEnd, BurstOutput, Drawing, HandOver, Kernel, Tally, Task};
use crate::stop::Stop;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

/// A virtual worker. Its place in the protocol is held by the scheduler.
pub struct VirtualWorker {
    pub(super) kernel: Box<dyn Kernel>,
    /// Whether its task is exhausted.
    pub(super) exhausted: bool,
    /// The time since which it has no task; `None` while it has one.
    pub(super) idle_since: Option<Ticks>,
    pub(super) idle_longest: Ticks,
    /// When it was hired for a task that it has not begun yet, and the depth of that.
    pub(super) hired_at: Option<(Ticks, usize)>,
    /// The beginning and the end of its last burst.
    pub(super) enters: [Ticks; 2],
    /// The start of its last task, and the total time of all tasks before.
    pub(super) busy_since: Ticks,
    pub(super) busy: Ticks,
    /// Whether the observer knows the origin of its task.
    pub(super) begin_reported: bool,
    /// Nodes entered, and those already reported to the observer.
    pub nodes: u64,
    pub(super) reported_nodes: u64,
    /// Nodes when it last gave a branch, or got its own.
    pub(super) gave_at: u64,
    pub tours: u64,
    /// What it gave to others.
    pub sharing: SharingCounts,
    /// Its waits, in times of the simulated machine.
    waits: WaitCounts,
}

impl VirtualWorker {
    pub(super) fn new(kernel: Box<dyn Kernel>) -> VirtualWorker {
        VirtualWorker {
            kernel,
            exhausted: true,
            idle_since: Some(0),
            idle_longest: 0,
            hired_at: None,
            enters: [0; 2],
            busy_since: 0,
            busy: 0,
            begin_reported: false,
            nodes: 0,
            reported_nodes: 0,
            gave_at: 0,
            tours: 0,
            sharing: SharingCounts::default(),
            waits: WaitCounts::default(),
        }
    }

    pub fn has_task(&self) -> bool {
        self.idle_since.is_none()
    }

    /// The search of its task, or of its last task when it has none.
    pub fn kernel(&self) -> &dyn Kernel {
        &*self.kernel
    }

    /// Total time with a task until `at`, also while it takes that over.
    pub fn busy_by(&self, at: Ticks) -> Ticks {
        let since = self.hired_at.map(|(since, _)| since).or(self.has_task().then_some(self.busy_since));
        self.busy + since.map_or(0, |since| at.saturating_sub(since))
    }
}

/// Turns between two looks at the stop flag.
const STOP_TURNS: u64 = 1 << 14;
/// Turns after which the observer receives a snapshot, whatever the clock says.
const SNAPSHOT_TURNS: u64 = 1 << 10;

/// The workers of a simulation and their clock.
pub struct VirtualWorkers<'a> {
    pub plan: &'a SimulationPlan,
    workers: Vec<VirtualWorker>,
    /// Future turns, the earliest first; of turns at one time, that of the worker with the lower number.
    turns: BinaryHeap<Reverse<(Ticks, u32)>>,
    tally: Tally,
    hires: u64,
    stop: &'a Stop,
    /// Turns taken so far, and the time of the last one.
    turns_taken: u64,
    now: Ticks,
    observer: Option<&'a mut dyn SimulationObserver>,
    /// The observer's last request: the time until which it needs no snapshot, and its hire rule until it is taken.
    until: Ticks,
    pub rule: Option<HandOver>,
}

impl<'a> VirtualWorkers<'a> {
    /// Workers without work, on the tree of `kernel`.
    pub fn new(
        kernel: &dyn Kernel,
        plan: &'a SimulationPlan,
        stop: &'a Stop,
        observer: Option<&'a mut dyn SimulationObserver>,
    ) -> VirtualWorkers<'a> {
        VirtualWorkers {
            plan,
            workers: (0..plan.workers).map(|_| VirtualWorker::new(kernel.another())).collect(),
            turns: BinaryHeap::new(),
            tally: Tally::default(),
            hires: 0,
            stop,
            turns_taken: 0,
            now: 0,
            observer,
            until: 0,
            rule: None,
        }
    }

    pub fn costs(&self) -> &'a Costs {
        &self.plan.costs
    }

    pub fn kernel(&mut self, worker: usize) -> &mut dyn Kernel {
        &mut *self.workers[worker].kernel
    }

    /// Schedules a turn of `worker`.
    pub fn schedule(&mut self, at: Ticks, worker: usize) {
        self.turns.push(Reverse((at, worker as u32)));
    }

    /// Takes the next turn: its time and its worker. Returns `Some(None)` when no turn is left, and `None` when the
    /// simulation must stop. `waits_at` returns the worker at which a worker waits.
    pub fn next_turn(&mut self, waits_at: impl Fn(usize) -> Option<usize>) -> Option<Option<(Ticks, usize)>> {
        self.turns_taken += 1;
        if self.turns_taken.is_multiple_of(STOP_TURNS) && self.stop.is_asked() {
            return None;
        }
        let turn = self.turns.pop().map(|Reverse((at, worker))| (at, worker as usize));
        match turn {
            Some((at, _)) if !self.advance_to(at, &waits_at) => None,
            turn => Some(turn),
        }
    }

    /// Advances the clock to `at` and gives the observer a snapshot if one is due; returns whether to continue.
    pub fn advance_to(&mut self, at: Ticks, waits_at: &dyn Fn(usize) -> Option<usize>) -> bool {
        self.now = at;
        let due = self.observer.is_some() && (at >= self.until || self.turns_taken.is_multiple_of(SNAPSHOT_TURNS));
        if due {
            self.notify(at, waits_at, false);
        }
        !(due && self.stop.is_asked())
    }

    /// Gives the observer a snapshot and takes its request.
    fn notify(&mut self, at: Ticks, waits_at: &dyn Fn(usize) -> Option<usize>, ended: bool) {
        let Some(observer) = &mut self.observer else { return };
        let seen = VirtualSnapshot { workers: &self.workers, tally: &self.tally, waits_at, ended };
        let request = observer.turns_taken(at, &seen);
        self.until = request.until;
        if let Some(rule) = request.hand_over {
            self.rule = Some(rule);
            self.emit(at, 0, || EventKind::RuleChanged { rule });
        }
    }

    /// Reports an event of `worker` to the observer.
    fn emit(&mut self, at: Ticks, worker: usize, kind: impl FnOnce() -> EventKind) {
        if let Some(observer) = &mut self.observer {
            observer.event(Event { at: display_time(at), worker, kind: kind() });
        }
    }

    pub fn begin(&mut self, worker: usize, task: &Task, at: Ticks) {
        let virtual_worker = &mut self.workers[worker];
        virtual_worker.kernel.begin(task);
        virtual_worker.exhausted = false;
        // Taking the task over is no waiting.
        virtual_worker.busy = virtual_worker.busy_by(at);
        (virtual_worker.hired_at, virtual_worker.busy_since) = (None, at);
        let idle = virtual_worker.idle_since.take().map_or(0, |since| at - since);
        virtual_worker.idle_longest = virtual_worker.idle_longest.max(idle);
        if !std::mem::replace(&mut virtual_worker.begin_reported, true) {
            self.emit(at, worker, || EventKind::Began { depth: task.choices.len() });
        }
    }

    /// Lets `worker` enter up to `nodes` nodes from `at` on; returns the time that they take.
    pub fn enter(&mut self, worker: usize, nodes: u64, at: Ticks) -> Ticks {
        let (nodes_before, tours_before) = (self.tally.nodes, self.tally.tours);
        let (virtual_worker, levels) = (&mut self.workers[worker], self.observer.is_some());
        let mut out = BurstOutput { tally: &mut self.tally, levels, sink: None };
        virtual_worker.exhausted = virtual_worker.kernel.advance(Burst::nodes(nodes), &mut out) == BurstEnd::Exhausted;
        let (nodes, tours) = (self.tally.nodes - nodes_before, self.tally.tours - tours_before);
        virtual_worker.nodes += nodes;
        virtual_worker.tours += tours;
        virtual_worker.enters = [at, at + nodes * NODE];
        if tours_before == 0 && tours > 0 {
            // Counted at once, though a hand-over may stand before the burst.
            self.emit(self.now, worker, || EventKind::FirstTour);
        }
        nodes * NODE
    }

    /// Whether the task of `worker` is exhausted.
    pub fn exhausted(&self, worker: usize) -> bool {
        self.workers[worker].exhausted
    }

    /// Whether `worker` has no task.
    pub fn is_idle(&self, worker: usize) -> bool {
        !self.workers[worker].has_task()
    }

    /// Takes the finished task away from `worker`.
    pub fn retire(&mut self, worker: usize, at: Ticks) {
        let virtual_worker = &mut self.workers[worker];
        virtual_worker.busy = virtual_worker.busy_by(at);
        virtual_worker.idle_since = Some(at);
    }

    /// Records a hand-over of a branch of depth `depth`, with the waiting workers `along` that move with it.
    pub fn hire(&mut self, by: usize, hired: usize, depth: usize, along: &[u32], at: Ticks) {
        self.hires += 1;
        self.workers[by].sharing.hires += 1;
        let helper = &mut self.workers[hired];
        (helper.begin_reported, helper.hired_at) = (true, Some((at, depth)));
        let wait = self.plan.costs.seconds(at.saturating_sub(helper.idle_since.unwrap_or(at)));
        helper.waits.add(Duration::from_secs_f64(wait));
        self.asked_in_vain(along);
        let giver = &mut self.workers[by];
        let left = giver.kernel.branches().open_level();
        let entered = Some(giver.nodes - std::mem::replace(&mut giver.gave_at, giver.nodes));
        let company = || along.iter().map(|&helper| helper as usize).collect();
        self.emit(at, hired, || EventKind::Hired { by, depth, left, company: company(), entered });
    }

    /// Counts that these workers asked a worker that gave them no branch.
    pub fn asked_in_vain(&mut self, helpers: &[u32]) {
        helpers.iter().for_each(|&helper| self.workers[helper as usize].waits.in_vain += 1);
    }

    /// Records that `worker` waits at worker 0 from the beginning.
    pub fn wait(&mut self, worker: usize, at: Ticks) {
        self.emit(at, worker, || EventKind::Idle { nominee: Some(0), level: None, nodes: 0, put_down: false });
    }

    /// Records that `worker` is out of work and has nominated `nominee`, if it has one.
    pub fn fall_idle(&mut self, worker: usize, nominee: Option<usize>, at: Ticks) {
        let level = nominee.and_then(|nominee| self.workers[nominee].kernel.branches().open_level());
        let virtual_worker = &mut self.workers[worker];
        // It has waited since then, also while it looked for a worker to wait at.
        let at = virtual_worker.idle_since.unwrap_or(at);
        virtual_worker.begin_reported = false;
        virtual_worker.gave_at = virtual_worker.nodes;
        let nodes = virtual_worker.nodes - std::mem::replace(&mut virtual_worker.reported_nodes, virtual_worker.nodes);
        self.emit(at, worker, || EventKind::Idle { nominee, level, nodes, put_down: false });
    }

    /// Records a nomination by a worker without work, and the waiting workers that it brings along.
    pub fn nominate(&mut self, worker: usize, nominee: Option<usize>, brought: &[u32], at: Ticks) {
        self.fall_idle(worker, nominee, at);
        if let (Some(to), helpers @ 1..) = (nominee, brought.len()) {
            self.workers[worker].sharing.donations += helpers as u64;
            self.asked_in_vain(brought);
            self.emit(at, worker, || EventKind::Donated { to, helpers });
        }
    }

    /// Ends the simulation and returns its figures.
    pub fn end(mut self, at: Ticks) -> SimulationFigures {
        let (at_work, waiting): (Vec<usize>, Vec<usize>) =
            (0..self.workers.len()).partition(|&worker| self.workers[worker].begin_reported);
        if let Sharing::Hire(_) = self.plan.sharing {
            waiting.into_iter().for_each(|worker| self.asked_in_vain(&[worker as u32]));
        }
        at_work.into_iter().for_each(|worker| self.fall_idle(worker, None, at));
        self.emit(at, 0, || EventKind::Finished);
        self.notify(at, &|_| None, true);
        let idle = |virtual_worker: &VirtualWorker| {
            virtual_worker.idle_longest.max(virtual_worker.idle_since.map_or(0, |since| at - since))
        };
        let idle_longest = self.workers.iter().map(idle).max().unwrap_or(0);
        SimulationFigures {
            workers: self.workers.len(),
            nodes: self.tally.nodes,
            tours: self.tally.tours,
            makespan: at as f64 / NODE as f64,
            hires: self.hires,
            idle_longest: idle_longest as f64 / NODE as f64,
            idle_longest_s: self.plan.costs.seconds(idle_longest),
        }
    }
}

/// Follows a simulation while it runs.
pub trait SimulationObserver {
    /// Receives a rare event. Its time is the virtual time as [`display_time`] converts it.
    fn event(&mut self, event: Event);

    /// Receives a snapshot: every turn before `at` has been taken, and no later one. It is called at every turn from the
    /// requested time ([`ObserverRequest::until`]) on, and occasionally before. The simulation continues when it returns.
    fn turns_taken(&mut self, at: Ticks, seen: &VirtualSnapshot<'_>) -> ObserverRequest;
}

/// What an observer requests for the time after a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObserverRequest {
    /// Until this time no further snapshot is needed, though one may come.
    pub until: Ticks,
    /// The rule for all later hires, where the plan shares by hiring; `None` changes nothing.
    pub hand_over: Option<HandOver>,
}

/// The workers of a simulation at one moment.
pub struct VirtualSnapshot<'s> {
    workers: &'s [VirtualWorker],
    tally: &'s Tally,
    waits_at: &'s dyn Fn(usize) -> Option<usize>,
    /// Whether the simulation has ended.
    ended: bool,
}

impl VirtualSnapshot<'_> {
    /// Number of workers.
    pub fn size(&self) -> usize {
        self.workers.len()
    }

    /// Whether the simulation has ended.
    pub fn is_over(&self) -> bool {
        self.ended
    }

    /// The state of every worker at time `at`, which must not be before its last turn. The time in which a worker enters
    /// nodes counts as processor time; the rest of its time with a task is spent on hand-overs.
    pub fn workers(&self, at: Ticks) -> Vec<WorkerSnapshot> {
        (0..self.size()).map(|worker| self.worker(worker, at)).collect()
    }

    fn worker(&self, worker: usize, at: Ticks) -> WorkerSnapshot {
        let virtual_worker = &self.workers[worker];
        let busy = virtual_worker.busy_by(at).min(at);
        let hired = virtual_worker.hired_at.map(|(_, depth)| depth).filter(|_| !self.ended);
        let searches = virtual_worker.has_task() && hired.is_none() && !self.ended;
        let has_work = searches || hired.is_some();
        let waits_at = if has_work || self.ended { None } else { (self.waits_at)(worker) };
        // The nodes of a burst are counted at its beginning, and their time as it passes.
        let [begins, ends] = virtual_worker.enters;
        let cpu = virtual_worker.nodes * NODE - ends.saturating_sub(at.max(begins));
        let state = match (self.ended, has_work, waits_at) {
            (true, ..) => WorkerState::Done,
            (false, true, _) if hired.is_some() || at < begins => WorkerState::HandingOver,
            (false, true, _) => WorkerState::Busy,
            (false, false, Some(_)) => WorkerState::Waiting,
            (false, false, None) => WorkerState::Idle,
        };
        WorkerSnapshot {
            state,
            nodes: virtual_worker.nodes,
            tours: virtual_worker.tours,
            depth: hired.unwrap_or(if searches { virtual_worker.kernel().depth() } else { 0 }),
            level: if searches { virtual_worker.kernel().branches().open_level() } else { None },
            sharing: virtual_worker.sharing,
            attempts: 0,
            busy: display_time(busy),
            idle: display_time(at - busy),
            cpu: display_time(cpu),
            // A virtual worker never loses its core.
            overhead: Overhead { hand_over: display_time(busy - cpu), ..Overhead::default() },
            switches: None,
            waits_at,
            on: None,
        }
    }

    /// The waits of every worker.
    pub fn waits(&self) -> Vec<WaitCounts> {
        self.workers.iter().map(|virtual_worker| virtual_worker.waits).collect()
    }

    /// The counts of all workers together.
    pub fn tally(&self) -> &Tally {
        self.tally
    }

    /// The current position of a worker.
    pub fn drawing(&self, worker: usize) -> Drawing {
        let mut drawing = Drawing::default();
        if let Some(virtual_worker) = self.workers.get(worker) {
            virtual_worker.kernel().draw(&mut drawing);
        }
        drawing
    }
}
