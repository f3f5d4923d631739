//! One of several runs that are compared: its figures over time, in bounded memory.

use super::balance::Balance;
use super::frame::Frame;
use super::source::End;
use crate::event::EventKind;
use crate::schedule::{Levels, Scheduler, Snapshot};
use crate::words;
use std::time::Duration;

/// Most values in a series. When there are more, every second one is dropped.
const VALUES: usize = 1 << 13;

/// The state of a run among the others.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum RivalState {
    /// The run has not started.
    #[default]
    Waiting,
    /// The run works.
    Running,
    /// The run has done all its work.
    Done,
    /// The run was stopped early, or its end is unknown.
    Stopped,
    /// The run failed.
    Failed,
}

/// A value over time, constant until the next entry.
#[derive(Clone, Default, Debug)]
pub struct Series {
    values: Vec<(Duration, f64)>,
    /// How often every second value was dropped.
    thinned: u32,
    /// Values since the last one that was stored.
    since: usize,
}

impl Series {
    /// Adds a value from this time on; times do not decrease.
    fn push(&mut self, at: Duration, value: f64) {
        let at = self.values.last().map_or(at, |last| at.max(last.0));
        self.since += 1;
        if self.since < 1 << self.thinned {
            return;
        }
        self.since = 0;
        if self.values.len() == VALUES {
            let mut nth = 0;
            self.values.retain(|_| (nth += 1, nth % 2 == 1).1);
            self.thinned += 1;
        }
        self.values.push((at, value));
    }

    /// The value at a time; 0 before the first entry.
    pub fn at(&self, time: Duration) -> f64 {
        let after = self.values.partition_point(|value| value.0 <= time);
        after.checked_sub(1).map_or(0.0, |last| self.values[last].1)
    }

    /// The value at a time by linear interpolation, from 0 before the first entry.
    pub fn between(&self, time: Duration) -> f64 {
        let after = self.values.partition_point(|value| value.0 <= time);
        let before = after.checked_sub(1).map_or((Duration::ZERO, 0.0), |last| self.values[last]);
        let Some(next) = self.values.get(after) else { return before.1 };
        let share = (time - before.0).as_secs_f64() / (next.0 - before.0).as_secs_f64();
        before.1 + (next.1 - before.1) * share
    }
}

/// One of several runs that are compared.
#[derive(Clone, Default, Debug)]
pub struct Rival {
    /// What distinguishes the run, as its name.
    pub name: String,
    /// State of the run.
    pub state: RivalState,
    /// Workers with work, over time.
    pub busy: Series,
    /// Nodes entered, over time.
    pub nodes: Series,
    /// Hires, over time.
    pub hires: Series,
    /// The last look.
    pub last: Snapshot,
    /// How its work was shared.
    pub balance: Balance,
    /// Nodes and pruned branches by depth.
    pub depths: RivalDepths,
    /// All pruned branches, once the run has ended.
    pruned: Option<u64>,
    /// Whether each worker has work.
    working: Vec<bool>,
}

impl Rival {
    /// A run under a scheduler that has not started.
    pub fn new(name: impl Into<String>, scheduler: Scheduler) -> Rival {
        Rival { name: name.into(), balance: Balance::of(scheduler), ..Rival::default() }
    }

    /// The run starts.
    pub fn begin(&mut self) {
        self.state = RivalState::Running;
    }

    /// Adds a frame of the run.
    pub fn take(&mut self, frame: &Frame) {
        let Some(snapshot) = frame.snapshot() else { return };
        let workers = snapshot.workers.len();
        self.balance.take(frame);
        self.depths.take(snapshot);
        if self.working.is_empty() {
            self.working = vec![false; workers];
            self.working[..workers.min(1)].fill(true);
            self.busy.push(Duration::ZERO, workers.min(1) as f64);
        }
        let mut hires = self.last.hires() as f64;
        for event in &frame.events {
            let working = match &event.kind {
                EventKind::Began { .. } | EventKind::Hired { .. } => true,
                EventKind::Idle { .. } => false,
                _ => continue,
            };
            if let EventKind::Hired { .. } = &event.kind {
                hires += 1.0;
                self.hires.push(event.at, hires);
            }
            if let Some(known) = self.working.get_mut(event.worker) {
                *known = working;
                self.busy.push(event.at, self.busy_now());
            }
        }
        self.working = snapshot.workers.iter().map(|worker| worker.state.has_work()).collect();
        let at = snapshot.elapsed;
        self.busy.push(at, self.busy_now());
        self.nodes.push(at, snapshot.nodes() as f64);
        self.hires.push(at, snapshot.hires() as f64);
        self.last.clone_from(snapshot);
    }

    fn busy_now(&self) -> f64 {
        self.working.iter().filter(|&&working| working).count() as f64
    }

    /// The run has ended.
    pub fn end(&mut self, end: &End) {
        self.pruned = if let End::Run(ended) = end { ended.pruned } else { None };
        self.state = match end {
            End::Run(ended) if ended.stopped.is_none() => RivalState::Done,
            End::Failed => RivalState::Failed,
            _ => RivalState::Stopped,
        };
        self.busy.push(self.last.elapsed, 0.0);
    }

    /// Nodes by depth, estimated where a sample was counted, and all of them in words.
    pub fn nodes_told(&self) -> (Vec<f64>, String) {
        let all = self.last.nodes();
        let nodes = self.depths.nodes(all);
        let told = if all == 0 { "-".to_owned() } else { words::count(all) };
        (nodes, told)
    }

    /// Pruned branches likewise. How many there are is known at the end; before, a sample stands for all.
    pub fn pruned_told(&self) -> (Vec<f64>, String) {
        let pruned = self.depths.pruned(self.last.nodes());
        let sum = pruned.iter().sum::<f64>() as u64;
        let told = match self.pruned {
            Some(all) => words::count(all),
            None if self.depths.are_exact() => words::count(sum),
            // Too few were counted, or none yet.
            None if pruned.is_empty() => "-".to_owned(),
            None => format!("about {}", words::count(sum)),
        };
        (pruned, told)
    }

    /// Nodes per second between two times.
    pub fn nodes_per_s(&self, from: Duration, to: Duration) -> f64 {
        let to = to.min(self.last.elapsed);
        if to <= from { 0.0 } else { (self.nodes.between(to) - self.nodes.between(from)) / (to - from).as_secs_f64() }
    }
}

/// Nodes that a sample must have to stand for all: with fewer of them, a few bursts make the chart.
const SAMPLE_MIN: u64 = 10_000;

/// Figures by depth at the last look at a run.
#[derive(Clone, Default, Debug)]
pub struct RivalDepths {
    nodes: Vec<u64>,
    pruned: Vec<u64>,
    levels: Levels,
}

impl RivalDepths {
    /// Adds a snapshot; what is known stays where it has none.
    pub fn take(&mut self, snapshot: &Snapshot) {
        if snapshot.levels != Levels::Off && snapshot.nodes_by_depth.iter().any(|&nodes| nodes > 0) {
            self.nodes.clone_from(&snapshot.nodes_by_depth);
            self.pruned.clone_from(&snapshot.pruned_by_depth);
            self.levels = snapshot.levels;
        }
    }

    /// Whether every node is counted, not a sample.
    pub fn are_exact(&self) -> bool {
        self.levels == Levels::Exact
    }

    /// Nodes by depth of a run that has entered `all` of them; estimated where a sample was counted. Empty where nothing is
    /// known, or too few nodes were counted.
    pub fn nodes(&self, all: u64) -> Vec<f64> {
        self.scaled(&self.nodes, all)
    }

    /// Pruned branches by depth, likewise.
    pub fn pruned(&self, all: u64) -> Vec<f64> {
        self.scaled(&self.pruned, all)
    }

    fn scaled(&self, counts: &[u64], all: u64) -> Vec<f64> {
        // Figures that were read may be any numbers.
        let counted = self.nodes.iter().fold(0u64, |sum, &nodes| sum.saturating_add(nodes));
        let each = if self.are_exact() { 1.0 } else { all as f64 / counted.max(1) as f64 };
        if !self.are_exact() && counted < SAMPLE_MIN {
            return Vec::new();
        }
        let deepest = counts.iter().rposition(|&count| count > 0).map_or(0, |depth| depth + 1);
        counts[..deepest].iter().map(|&count| count as f64 * each).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::run::frame::{Body, TreeFrame};
    use crate::run::source::SearchEnd;
    use crate::schedule::{SharingCounts, Snapshot, WorkerSnapshot, WorkerState};

    fn ms(at: u64) -> Duration {
        Duration::from_millis(at)
    }

    #[test]
    fn a_series_is_a_staircase_or_a_line_and_thins_itself() {
        let mut series = Series::default();
        assert_eq!((series.at(ms(5)), series.between(ms(5))), (0.0, 0.0));
        series.push(ms(10), 1.0);
        series.push(ms(20), 3.0);
        assert_eq!([5, 10, 15, 20, 99].map(|at| series.at(ms(at))), [0.0, 1.0, 1.0, 3.0, 3.0]);
        assert_eq!([5, 10, 15, 20, 99].map(|at| series.between(ms(at))), [0.5, 1.0, 2.0, 3.0, 3.0]);
        let mut long = Series::default();
        (0..10 * VALUES as u64).for_each(|at| long.push(ms(at), at as f64));
        assert!(long.values.len() <= VALUES && long.values.is_sorted_by_key(|value| value.0));
        let late = 10 * VALUES as u64 - 1;
        assert!((long.between(ms(late / 2)) - late as f64 / 2.0).abs() < 20.0);
    }

    /// The first look at a run comes before its workers have begun.
    #[test]
    fn work_that_was_dealt_out_is_seen_from_its_beginning() {
        let frame = |elapsed, state, events| {
            let worker = WorkerSnapshot { state, ..WorkerSnapshot::default() };
            let snapshot = Snapshot { elapsed, workers: vec![worker; 2], ..Snapshot::default() };
            Frame { body: Body::Tree(Box::new(TreeFrame { snapshot, positions: Vec::new() })), events }
        };
        let began = |worker| Event { at: ms(1), worker, kind: EventKind::Began { depth: 3 } };
        let mut rival = Rival::new("static", Scheduler::STATIC);
        rival.take(&frame(ms(0), WorkerState::Idle, Vec::new()));
        rival.take(&frame(ms(100), WorkerState::Busy, vec![began(0), began(1)]));
        assert_eq!([0, 50, 100].map(|at| rival.busy.at(ms(at))), [0.0, 2.0, 2.0]);
        assert_eq!(rival.hires.at(ms(100)), 0.0);
    }

    #[test]
    fn the_last_figures_are_those_of_all_workers() {
        let worker = |busy, nodes, hires| WorkerSnapshot {
            busy: ms(busy),
            nodes,
            tours: nodes / 10,
            sharing: SharingCounts { hires, donations: 0 },
            ..WorkerSnapshot::default()
        };
        let workers = vec![worker(100, 50, 1), worker(0, 30, 2)];
        let snapshot = Snapshot { elapsed: ms(100), workers, ..Snapshot::default() };
        let mut rival = Rival::new("hire", Scheduler::HIRE);
        rival
            .take(&Frame { body: Body::Tree(Box::new(TreeFrame { snapshot, positions: Vec::new() })), events: vec![] });
        let last = &rival.last;
        assert_eq!((last.elapsed, last.nodes(), last.tours(), last.hires()), (ms(100), 80, 8, 3));
    }

    #[test]
    fn what_was_pruned_is_exact_once_the_run_has_ended() {
        let mut rival = Rival::new("", Scheduler::HIRE);
        assert_eq!((rival.nodes_told().1, rival.pruned_told().1), ("-".to_owned(), "-".to_owned()));
        let workers = vec![WorkerSnapshot { nodes: 200_000, ..WorkerSnapshot::default() }];
        let (nodes_by_depth, pruned_by_depth) = (vec![10_000, 10_000], vec![0, 5000]);
        let levels = Levels::Sampled;
        let snapshot = Snapshot { workers, levels, nodes_by_depth, pruned_by_depth, ..Snapshot::default() };
        rival
            .take(&Frame { body: Body::Tree(Box::new(TreeFrame { snapshot, positions: Vec::new() })), events: vec![] });
        assert_eq!((rival.nodes_told().1, rival.pruned_told().1), ("200k".to_owned(), "about 50.0k".to_owned()));
        let (stopped, elapsed, pruned) = (None, ms(1), Some(51_234));
        rival.end(&End::Run(SearchEnd { stopped, elapsed, pruned, answer: None, tour: None }));
        assert_eq!(rival.pruned_told(), (vec![0.0, 5e4], "51.2k".to_owned()));
    }

    #[test]
    fn a_sample_stands_for_all() {
        let mut depths = RivalDepths::default();
        assert_eq!((depths.nodes(9), depths.are_exact()), (Vec::new(), false));
        let mut seen = Snapshot {
            levels: Levels::Sampled,
            nodes_by_depth: vec![10_000, 30_000, 40_000, 0],
            pruned_by_depth: vec![0, 10_000, 0, 0],
            ..Snapshot::default()
        };
        depths.take(&seen);
        assert_eq!((depths.nodes(800_000), depths.pruned(800_000)), (vec![1e5, 3e5, 4e5], vec![0.0, 1e5]));
        seen.levels = Levels::Exact;
        depths.take(&seen);
        assert_eq!(depths.nodes(800_000), [1e4, 3e4, 4e4]);
        seen.levels = Levels::Off;
        seen.nodes_by_depth.clear();
        depths.take(&seen);
        assert_eq!((depths.pruned(800_000), depths.are_exact()), (vec![0.0, 1e4], true));
        // A few nodes are no sample.
        seen = Snapshot { levels: Levels::Sampled, nodes_by_depth: vec![5000, 4999], ..Snapshot::default() };
        depths.take(&seen);
        assert_eq!(depths.nodes(800_000), Vec::<f64>::new());
    }
}
