//! Collects, frame by frame, how the work of a run is shared.

use super::chains::{DecidingChain, Spans};
use super::figures::Histogram;
use super::groups::WorkerGroups;
use super::pairs::Pairs;
use super::worker::OwnBranches;
use crate::event::{Event, EventKind};
use crate::run::clock::{Fine, RunClock, fine_s};
use crate::run::frame::Frame;
use crate::run::spent::{Spent, Times};
use crate::run::task::{Gap, Stretch, Tasks, WorkerTask};
use crate::schedule::{EarlierRun, Scheduler, Snapshot, WorkerSnapshot};
use std::collections::BTreeMap;
use std::time::Duration;

/// Hires at this depth or deeper are counted together.
pub(super) const DEPTHS: usize = 256;

/// Collects how well the work of a run is shared.
#[derive(Clone, Debug, Default)]
pub struct Balance {
    pub(super) tasks: Tasks,
    /// When these workers began or resumed the run.
    pub(super) began: Duration,
    /// Of each worker: the branches that it had.
    pub(super) branches: Vec<OwnBranches>,
    /// When the last hire was.
    pub(super) hired_at: Option<Duration>,
    /// The last look. Its time is at most that of the end.
    pub(super) seen: Snapshot,
    /// How long the run was watched without a pause, as of the last look.
    pub(super) watched: Duration,
    /// Of each worker: the times at the last look, and how they were spent until then.
    pub(super) own: Vec<(Times, Spent)>,
    pub(super) clock: RunClock,
    /// How long the control group was held back, in seconds of the run.
    pub(super) held_back_s: f64,
    pub(super) at_work: AtWork,
    pub(super) waits: Waits,
    pub(super) spans: Spans,
    pub(super) deciding: DecidingChain,
    pub(super) task_nodes: Histogram,
    pub(super) hire_nodes: Histogram,
    /// Tasks with an unknown number of nodes.
    pub(super) unknown: u64,
    pub(super) by_depth: Vec<u64>,
    pub(super) pairs: Pairs,
    pub(super) groups: WorkerGroups,
    pub(super) hires: u64,
    /// The scheduler, if it is known.
    pub(super) scheduler: Option<Scheduler>,
    /// When the run ended, if it has.
    pub(super) ended: Option<Duration>,
}

impl Balance {
    /// The balance of a run under this scheduler.
    pub fn of(scheduler: Scheduler) -> Balance {
        Balance { scheduler: Some(scheduler), ..Balance::default() }
    }

    /// Adds a frame of the run.
    pub fn take(&mut self, frame: &Frame) {
        let Some(seen) = frame.snapshot() else { return };
        self.gather(seen, &frame.events);
        frame.events.iter().for_each(|event| self.happened(event));
        self.sampled(seen);
    }

    /// Sets up for the crew of the snapshot, and judges the time until this look, before its events.
    pub fn gather(&mut self, snapshot: &Snapshot, events: &[Event]) {
        self.meet(snapshot);
        self.clock.add_interval(Some(&self.seen), snapshot, events);
    }

    /// Sets up for the crew of the snapshot.
    pub fn meet(&mut self, snapshot: &Snapshot) {
        let workers = snapshot.workers.len();
        if self.branches.len() != workers {
            self.begin(workers, snapshot);
        }
        if snapshot.events_lost > 0 {
            self.spans.lose();
        }
        self.groups.look(snapshot);
    }

    /// Takes the clock of a run whose past is shown, which is known beyond the moment.
    pub fn set_clock(&mut self, clock: RunClock) {
        self.clock = clock;
    }

    /// Begins with a crew of this many workers.
    fn begin(&mut self, workers: usize, snapshot: &Snapshot) {
        let began = snapshot.earlier.map_or(Duration::ZERO, |EarlierRun { elapsed, .. }| elapsed);
        *self = Balance {
            tasks: Tasks::new(workers, began),
            began,
            branches: vec![OwnBranches::default(); workers],
            seen: Snapshot { elapsed: began, ..Snapshot::default() },
            own: vec![(Times::before(began), Spent::default()); workers],
            pairs: Pairs::new(workers),
            at_work: AtWork::new(workers, began),
            waits: Waits::new(workers),
            deciding: DecidingChain::new(workers),
            scheduler: self.scheduler,
            ..Balance::default()
        };
    }

    /// Adds an event.
    pub fn happened(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Hired { by, depth, .. } => self.hired(*by, event, *depth),
            EventKind::Began { depth } => self.works(event, *depth, None),
            EventKind::Finished => {
                self.ended = Some(event.at);
                self.at_work.end(&self.clock);
                for worker in 0..self.branches.len() {
                    let rest = self.branches[worker].put_down.take();
                    rest.into_iter().for_each(|piece| self.add_task(worker, piece));
                }
            }
            _ => {}
        }
        let is_over = !matches!(event.kind, EventKind::Idle { put_down: true, .. });
        for stretch in self.tasks.take(event).into_iter().flatten() {
            match stretch {
                Stretch::Task(task) => self.did(&task, is_over),
                Stretch::Gap(Gap { worker, .. }) if self.branches[worker].put_down.is_some() => continue,
                Stretch::Gap(_) => {}
            }
            self.waits.take(&stretch, &self.clock);
        }
        self.deciding.take(event, !self.is_seen_from_outside());
        let begins = matches!(event.kind, EventKind::Began { .. } | EventKind::Hired { .. });
        if begins && event.worker < self.branches.len() {
            self.waits.began(event.worker);
            self.at_work.begin(event.at, &self.clock);
        }
    }

    fn hired(&mut self, by: usize, event: &Event, depth: usize) {
        let depth = depth.min(DEPTHS - 1);
        if self.by_depth.len() <= depth {
            self.by_depth.resize(depth + 1, 0);
        }
        self.by_depth[depth] += 1;
        self.hires += 1;
        self.hired_at = Some(event.at);
        self.pairs.add(by, event.worker);
        self.groups.hired(by, event.worker);
        self.branches.get_mut(by).into_iter().for_each(|own| own.given += 1);
        self.works(event, depth, Some(by));
    }

    fn works(&mut self, event: &Event, depth: usize, by: Option<usize>) {
        if let Some(own) = self.branches.get_mut(event.worker) {
            own.add(event.at, depth, by);
        }
    }

    /// A worker has ended a task, or has put it down for a save, after which it begins with the rest.
    fn did(&mut self, task: &WorkerTask, is_over: bool) {
        self.spans.take(task);
        self.deciding.end(task);
        // The beginning of a task without a depth was lost.
        match task.depth {
            Some(_) if is_over => self.at_work.change(task.to, false, &self.clock),
            Some(_) => self.at_work.put_down.push(task.to),
            None => {}
        }
        let Some(nodes) = task.nodes else {
            self.unknown += 1;
            return;
        };
        let (worker, mut piece) = (task.worker, (nodes, task.by.is_some()));
        match (self.branches[worker].put_down.take(), task.by) {
            (Some((before, was_given)), None) => piece = (nodes.saturating_add(before), was_given),
            (Some(before), Some(_)) => self.add_task(worker, before),
            (None, _) => {}
        }
        if is_over {
            self.add_task(worker, piece);
        } else {
            self.branches[worker].put_down = Some(piece);
        }
    }

    /// Adds the nodes of a task, and whether the worker was given it.
    fn add_task(&mut self, worker: usize, (nodes, is_given): (u64, bool)) {
        self.task_nodes.add(nodes);
        if is_given {
            self.hire_nodes.add(nodes);
            self.branches[worker].nodes.add(nodes);
        }
    }

    /// Adds the meters, which include what lost events would have reported.
    pub fn sampled(&mut self, snapshot: &Snapshot) {
        let mut slower = 1.0;
        for ((last, spent), worker) in self.own.iter_mut().zip(&snapshot.workers) {
            let times = Times::of(snapshot, worker, self.ended);
            slower = last.slowness(&times);
            spent.add(last, &times);
            *last = times;
        }
        let held_back = |seen: &Snapshot| seen.quota.map_or(Duration::ZERO, |quota| quota.held_back);
        self.held_back_s += held_back(snapshot).saturating_sub(held_back(&self.seen)).as_secs_f64() / slower;
        // The last look may come after the end.
        let elapsed = self.ended.map_or(snapshot.elapsed, |ended| ended.min(snapshot.elapsed));
        if slower.is_finite() {
            self.watched += elapsed.saturating_sub(snapshot.stood).saturating_sub(self.seen.ran());
        }
        // Most looks have none.
        let waits = std::mem::take(&mut self.seen.waits);
        self.seen = Snapshot { elapsed, ..snapshot.clone() };
        if self.seen.waits.is_empty() {
            self.seen.waits = waits;
        }
        for (own, worker) in self.branches.iter_mut().zip(&snapshot.workers) {
            // No event reported its first work, but it has had some by now.
            own.began = own.began.or((worker.nodes > 0).then_some(elapsed));
        }
    }

    /// The sum of a figure over all workers, as of the last look.
    pub(super) fn sum(&self, of: fn(&WorkerSnapshot) -> u64) -> u64 {
        self.seen.workers.iter().map(of).sum()
    }
}

/// Most changes that are kept in case an earlier one is still to come. Events come late by the time for which a thread loses
/// its core, and those of rayon until the worker has stolen again.
const CHANGES_MAX: usize = 1 << 14;

/// Adds up how long how many workers were at work. Its memory is bounded, whatever the length of the run.
#[derive(Clone, Debug, Default)]
pub struct AtWork {
    /// By number of workers: the time up to `settled`.
    times: Vec<Fine>,
    /// The time up to which all changes are added up.
    settled: Duration,
    /// Workers at work at that time.
    now: i64,
    /// Later changes of that number.
    changes: BTreeMap<Duration, i64>,
    /// When branches were put down for a save, after which workers go on with them, under rayon any worker with any of them.
    put_down: Vec<Duration>,
}

impl AtWork {
    /// No worker of so many is at work at this time.
    pub fn new(workers: usize, at: Duration) -> AtWork {
        AtWork { times: vec![0; workers + 1], settled: at, ..AtWork::default() }
    }

    /// A worker begins at this time, with a branch that was put down if there is one.
    fn begin(&mut self, at: Duration, clock: &RunClock) {
        if self.put_down.pop().is_none() {
            self.change(at, true, clock);
        }
    }

    /// The run has ended, for which the last branches were put down.
    fn end(&mut self, clock: &RunClock) {
        std::mem::take(&mut self.put_down).into_iter().for_each(|at| self.change(at, false, clock));
    }

    /// One more worker is at work since this time, or one less. A change that comes too late counts from the settled time.
    pub fn change(&mut self, at: Duration, is_begin: bool, clock: &RunClock) {
        *self.changes.entry(at.max(self.settled)).or_default() += if is_begin { 1 } else { -1 };
        if self.changes.len() > CHANGES_MAX {
            let middle = self.changes.keys().nth(CHANGES_MAX / 2).copied();
            self.settle(middle.unwrap_or_default(), clock);
        }
    }

    /// Adds up all changes before this time.
    fn settle(&mut self, until: Duration, clock: &RunClock) {
        let later = self.changes.split_off(&until);
        for (at, by) in std::mem::replace(&mut self.changes, later) {
            self.pass(at, clock);
            self.now += by;
        }
        self.pass(until, clock);
    }

    fn pass(&mut self, until: Duration, clock: &RunClock) {
        let workers = usize::try_from(self.now).unwrap_or(0).min(self.times.len().saturating_sub(1));
        if let Some(time) = self.times.get_mut(workers) {
            *time += clock.fine_between(self.settled, until);
        }
        self.settled = self.settled.max(until);
    }

    /// By number of workers at work: the share of the time of the run until now; empty if no time has passed.
    pub fn shares(&self, until: Duration, clock: &RunClock) -> Vec<f64> {
        let mut all = self.clone();
        all.settle(until, clock);
        let sum: Fine = all.times.iter().sum();
        if sum > 0 { all.times.iter().map(|&time| time as f64 / sum as f64).collect() } else { Vec::new() }
    }
}

/// Adds up the gaps of all workers.
#[derive(Clone, Debug, Default)]
pub struct Waits {
    had_task: Vec<bool>,
    first: Fine,
    between: Fine,
    /// Number of gaps between two tasks.
    number: u64,
}

/// Seconds of all workers without a task.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct WaitTimes {
    /// Before the first task of a worker.
    pub first: f64,
    /// Between two tasks of a worker.
    pub between: f64,
    /// After the last task of a worker.
    pub last: f64,
    /// Of workers that never had a task.
    pub never: f64,
    /// Number of workers that never had a task.
    pub never_number: usize,
    /// Number of gaps between two tasks.
    pub gaps: u64,
}

impl Waits {
    /// Workers that have had no task.
    pub fn new(workers: usize) -> Waits {
        Waits { had_task: vec![false; workers], ..Waits::default() }
    }

    /// Adds a task or a gap that has ended.
    pub fn take(&mut self, stretch: &Stretch, clock: &RunClock) {
        match *stretch {
            Stretch::Task(task) => self.began(task.worker),
            Stretch::Gap(Gap { worker, from, to, .. }) => {
                let time = clock.fine_between(from, to);
                if self.had_task.get(worker).is_some_and(|&had| had) {
                    self.between += time;
                    self.number += 1;
                } else {
                    self.first += time;
                }
            }
        }
    }

    /// A worker has begun a task, which ended the gap before.
    pub fn began(&mut self, worker: usize) {
        if let Some(had) = self.had_task.get_mut(worker) {
            *had = true;
        }
    }

    /// All times until now. Workers without a task now are taken to have had their last one.
    pub fn times(&self, tasks: &Tasks, until: Duration, clock: &RunClock) -> WaitTimes {
        let [first, between] = [self.first, self.between].map(fine_s);
        let mut times = WaitTimes { first, between, gaps: self.number, ..WaitTimes::default() };
        for (worker, &had) in self.had_task.iter().enumerate() {
            let time = tasks.idle_since(worker).map_or(0.0, |since| fine_s(clock.fine_between(since, until)));
            *if had { &mut times.last } else { &mut times.never } += time;
            times.never_number += usize::from(!had);
        }
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ms(at: u64) -> Duration {
        Duration::from_millis(at)
    }

    /// A run that is watched in slow motion all the time: many changes make one nanosecond of it.
    #[test]
    fn the_shortest_times_of_slow_motion_add_up() {
        let mut clock = RunClock::default();
        clock.add(ms(0), ms(1000), 160_000_000.0);
        let (mut at_work, mut waits) = (AtWork::new(1, ms(0)), Waits::new(1));
        for at in (0..1000).step_by(10) {
            at_work.change(ms(at), true, &clock);
            at_work.change(ms(at + 5), false, &clock);
            waits.began(0);
            waits.take(&Stretch::Gap(Gap { worker: 0, from: ms(at + 5), to: ms(at + 10), nominee: None }), &clock);
        }
        let shares = at_work.shares(ms(1000), &clock);
        assert!(shares.iter().all(|share| (share - 0.5).abs() < 1e-6), "{shares:?}");
        let waited = waits.times(&Tasks::new(0, ms(0)), ms(1000), &clock).between * 160_000_000.0;
        assert!((waited - 0.5).abs() < 1e-6, "{waited}");
    }

    #[test]
    fn times_with_so_many_at_work_add_up_in_any_order_of_events() {
        let clock = RunClock::default();
        let mut at_work = AtWork::new(2, ms(10));
        assert_eq!(at_work.shares(ms(10), &clock), [0.0; 0]);
        for (at, is_begin) in [(20, true), (60, false), (30, true), (50, false)] {
            at_work.change(ms(at), is_begin, &clock);
        }
        let near = |shares: Vec<f64>, by_hand: [f64; 3]| {
            assert!(shares.iter().zip(by_hand).all(|(share, by_hand)| (share - by_hand).abs() < 1e-9), "{shares:?}");
        };
        // 10..20 none, 20..30 one, 30..50 two, 50..60 one, 60..110 none.
        near(at_work.shares(ms(110), &clock), [0.6, 0.2, 0.2]);
        let mut paused = RunClock::default();
        paused.add(ms(60), ms(100), f64::INFINITY);
        near(at_work.shares(ms(110), &paused), [1.0 / 3.0; 3]);
    }

    proptest! {
        /// However many changes are settled on the way, the sum is that over all tasks, one by one.
        #[test]
        fn the_shares_are_those_of_all_tasks(
            tasks in prop::collection::vec((0u64..1000, 1u64..200), 0..40), often in any::<bool>()
        ) {
            let (clock, mut at_work) = (RunClock::default(), AtWork::new(40, ms(0)));
            let mut changes: Vec<(u64, bool)> =
                tasks.iter().flat_map(|&(from, length)| [(from, true), (from + length, false)]).collect();
            changes.sort_unstable();
            for &(at, is_begin) in &changes {
                at_work.change(ms(at), is_begin, &clock);
                if often {
                    at_work.settle(ms(at), &clock);
                }
            }
            let at = |now: u64| tasks.iter().filter(|&&(from, length)| (from..from + length).contains(&now)).count();
            let mut expected = vec![0.0; 41];
            (0..1200).for_each(|now| expected[at(now)] += 1.0 / 1200.0);
            let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
            prop_assert!(at_work.shares(ms(1200), &clock).iter().zip(&expected).all(near));
        }
    }

    #[test]
    fn the_memory_of_workers_at_work_is_bounded() {
        let (clock, mut at_work) = (RunClock::default(), AtWork::new(1, ms(0)));
        (0..4 * CHANGES_MAX as u64).for_each(|k| at_work.change(ms(k), k % 2 == 0, &clock));
        assert!(at_work.changes.len() <= CHANGES_MAX);
        assert_eq!(at_work.shares(ms(4 * CHANGES_MAX as u64), &clock), [0.5, 0.5]);
    }
}
