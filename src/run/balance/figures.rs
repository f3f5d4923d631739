//! The figures of the balance of a run at one moment: plain data for a report, a view or a test.

use super::chains::LastTask;
use super::gauge::Balance;
use super::groups::GroupUse;
use super::pairs::{Matrix, PAIRS_MAX};
use super::verdicts::Verdict;
use super::waits::WaitFigures;
use crate::run::spent::{Spent, TimePart, TimeUse, Times};
use crate::schedule::{ContextSwitches, WorkerSnapshot};
use crate::words::{noun, threads};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::time::Duration;

/// In a shorter run, most of the time goes into threads that start and end.
const SHORT: Duration = Duration::from_millis(20);
/// Share of slow motion in the time of searching that changes no two digits of a speed.
const SLOW_MAX: f64 = 0.02;

/// Whose times the figures of a simulation have.
pub(super) const SIMULATED: &str = "times are those of the simulated machine";

/// A stretch of the run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RunSpan {
    /// Seconds.
    pub s: f64,
    /// Share of the run time, 0..=1.
    pub share: f64,
}

/// Nodes of the tasks that were handed over.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PerHire {
    /// Mean nodes of such a task.
    pub mean: f64,
    /// The size class, least and most nodes, that holds the first tenth: at most a tenth of the tasks are in smaller
    /// classes.
    pub tenth: [u64; 2],
    /// The size class of the median.
    pub median: [u64; 2],
    /// The size class of the ninth tenth.
    pub ninety: [u64; 2],
}

/// The figures of the balance; `None` where a figure is unknown.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BalanceFigures {
    pub workers: usize,
    /// Why workers did not search, the largest share of their time first.
    pub verdicts: Vec<Verdict>,
    /// Seconds since these workers began.
    pub elapsed_s: f64,
    /// Seconds of the run before it was resumed, whose figures are none of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since_s: Option<f64>,
    /// The part *searching* of the time of all workers.
    pub efficiency: Option<f64>,
    /// The part *waiting*.
    pub idle: Option<f64>,
    /// The part *no processor*.
    pub descheduled: Option<f64>,
    /// The part *waiting* in seconds of all workers.
    pub idle_s: f64,
    /// The part *no processor* in seconds of all workers.
    pub descheduled_s: f64,
    /// Where the time of all workers went: the mean of `by_worker`.
    pub time: Option<TimeUse>,
    /// Share of the time with 0, 1, .. workers that had a branch.
    pub at_work: Vec<f64>,
    /// How long workers waited until they were hired; `None` in older recordings.
    pub waits: Option<WaitFigures>,
    /// Where the time of each worker went.
    pub by_worker: Vec<WorkerUse>,
    /// What the workers of each group of CPUs did; empty where all are one group, and in older recordings.
    pub groups: Vec<GroupUse>,
    /// Nodes a second of CPU time of all workers together.
    pub nodes_per_cpu_s: Option<f64>,
    /// How often all workers together lost their cores; `None` where the system does not tell, or the run is short.
    pub switches: Option<SwitchTotals>,
    /// Whether the time of hand-overs is not measured under this scheduler, but part of work and waiting.
    #[serde(skip)]
    pub hand_overs_unmeasured: bool,
    /// Nodes of the worker that entered most, over the mean.
    pub most_by_mean: Option<f64>,
    /// Nodes entered.
    pub nodes: u64,
    /// Tasks that have ended: the work of one worker from when it gets a branch until it runs out of work.
    pub tasks: u64,
    /// Tasks by their nodes: least, most, how many.
    pub tasks_by_nodes: Histogram,
    pub task_nodes: u64,
    /// Hires reported by events.
    pub hires: u64,
    /// Hires that meters count but no event reported.
    pub hires_unseen: u64,
    /// Nodes of the tasks that were handed over.
    pub nodes_per_hire: Option<PerHire>,
    /// Hires by the depth of the branch.
    pub hires_by_depth: Vec<u64>,
    /// Time until every worker had had work.
    pub ramp_up: Option<RunSpan>,
    /// Time from when half of the workers have no more work until the end.
    pub tail: Option<RunSpan>,
    /// Hirer, helper, and number of hires.
    pub pairs: Vec<[u64; 3]>,
    /// Nodes, the work that was shared.
    pub work: u64,
    /// Nodes on the longest chain of hand-overs and of what lay between them.
    pub span: u64,
    /// The same with the cost of each hand-over on the chain, in nodes.
    pub burdened_span: u64,
    /// Whether every chain is known; otherwise the longest one may be longer.
    pub span_exact: bool,
    /// Work by span: the workers that these hand-overs could keep at work.
    pub parallelism: Option<f64>,
    /// The chain of hires that decided the end; `None` before the end, or where events were lost.
    pub deciding: Option<LastTask<f64>>,
    /// Events that were lost.
    pub events_lost: u64,
    /// Whether slow motion shows in the shares.
    #[serde(skip)]
    pub slowed: bool,
    /// Whether it ran on the virtual clock, where all workers are equally fast.
    #[serde(skip)]
    pub simulated: bool,
    /// Limits of these figures, in words.
    pub notes: Vec<String>,
    /// Who hired whom, for display.
    #[serde(skip)]
    pub matrix: Option<Matrix>,
}

impl Balance {
    /// The figures so far.
    pub fn figures(&self) -> BalanceFigures {
        let own = self.clock.between(self.began, self.seen.elapsed);
        let (nodes, workers) = (self.sum(|worker| worker.nodes), self.seen.workers.len());
        let (time, all) = (self.time(), self.seconds(own) * workers as f64);
        let part = |part: TimePart| time.map(|time| time[part]);
        let seconds = |of: TimePart| part(of).unwrap_or(0.0) * all;
        let span = self.spans.span();
        let all_is_known = self.ended.is_some() && self.seen.events_lost == 0;
        BalanceFigures {
            workers,
            verdicts: self.verdicts(),
            elapsed_s: self.seconds(own),
            since_s: (!self.began.is_zero()).then(|| self.seconds(self.began)),
            efficiency: part(TimePart::Searching),
            idle: part(TimePart::Waiting),
            descheduled: part(TimePart::NoProcessor),
            idle_s: seconds(TimePart::Waiting),
            descheduled_s: seconds(TimePart::NoProcessor),
            time,
            at_work: self.at_work.shares(self.seen.elapsed, &self.clock),
            waits: self.waits(),
            by_worker: self.by_worker(),
            groups: self.groups(),
            nodes_per_cpu_s: self.nodes_per_cpu_s(0..workers),
            switches: self.switches(),
            hand_overs_unmeasured: self.is_seen_from_outside(),
            most_by_mean: self.most_by_mean(),
            nodes,
            tasks: self.task_nodes.count() + self.unknown,
            task_nodes: self.task_nodes.sum(),
            tasks_by_nodes: self.task_nodes.clone(),
            hires: self.hires,
            hires_unseen: self.unseen(),
            nodes_per_hire: self.per_hire(),
            hires_by_depth: self.by_depth.clone(),
            ramp_up: self.ramp_up().map(|span| self.span(span)),
            tail: self.tail().map(|span| self.span(span)),
            pairs: self.pairs.all().collect(),
            work: nodes,
            span,
            burdened_span: self.spans.burdened(self.hand_over_nodes().unwrap_or(0.0)),
            span_exact: all_is_known && self.spans.is_exact() && self.task_nodes.sum() == nodes,
            parallelism: (span > 0).then(|| nodes as f64 / span as f64),
            deciding: self.deciding_in(|at| self.seconds(self.run_time(at))),
            events_lost: self.seen.events_lost,
            slowed: self.is_slowed(),
            simulated: self.seen.simulated.is_some(),
            notes: self.notes(),
            matrix: self.group_matrix().or_else(|| self.pairs.matrix()),
        }
    }

    /// Nodes of the worker that entered most, over the mean; `None` before the first node.
    pub fn most_by_mean(&self) -> Option<f64> {
        let (nodes, workers) = (self.sum(|worker| worker.nodes), &self.seen.workers);
        let most = workers.iter().map(|worker| worker.nodes).max()?;
        (nodes > 0).then(|| most as f64 * workers.len() as f64 / nodes as f64)
    }

    /// Mean nodes of a branch that was handed over, when done; `None` before the first.
    pub fn nodes_per_hire(&self) -> Option<f64> {
        self.hire_nodes.mean()
    }

    /// The task that ended last, and the hires that led to it; `None` before the end, where events were lost, and with one
    /// worker.
    pub fn last_task(&self) -> Option<LastTask> {
        self.deciding_in(|at| at)
    }

    /// The same with its times as `time` tells them.
    fn deciding_in<T>(&self, time: impl Fn(Duration) -> T) -> Option<LastTask<T>> {
        let is_known = self.ended.is_some() && self.seen.events_lost == 0 && self.branches.len() > 1;
        self.deciding.last(time).filter(|_| is_known)
    }

    /// A time of the run in seconds, of a simulated run in seconds of the simulated machine.
    pub(super) fn seconds(&self, time: Duration) -> f64 {
        self.machine(time.as_secs_f64())
    }

    pub(super) fn machine(&self, s: f64) -> f64 {
        s * self.seen.simulated.map_or(1.0, |simulated| simulated.seconds(Duration::from_secs(1)))
    }

    /// Whether the workers share by a library that tells neither what a hand-over costs nor where a worker looks for work.
    pub(super) fn is_seen_from_outside(&self) -> bool {
        self.scheduler.is_some_and(|scheduler| !scheduler.times_hand_overs) && self.seen.simulated.is_none()
    }

    /// Hires that meters count but no event reported.
    fn unseen(&self) -> u64 {
        self.sum(|worker| worker.sharing.hires).saturating_sub(self.hires)
    }

    fn span(&self, span: Duration) -> RunSpan {
        let own = self.clock.between(self.began, self.seen.elapsed).as_secs_f64();
        let share = if own > 0.0 { (span.as_secs_f64() / own).min(1.0) } else { 0.0 };
        RunSpan { s: self.seconds(span), share }
    }

    fn per_hire(&self) -> Option<PerHire> {
        let of = &self.hire_nodes;
        let (mean, [tenth, median, ninety]) = (of.mean()?, [0.1, 0.5, 0.9].map(|share| of.quantile(share)));
        Some(PerHire { mean, tenth: tenth?, median: median?, ninety: ninety? })
    }

    /// Time until every worker had had work, if there is more than one.
    fn ramp_up(&self) -> Option<Duration> {
        let firsts: Option<Vec<Duration>> = self.branches.iter().map(|own| own.began).collect();
        let last = firsts?.into_iter().max()?;
        (self.branches.len() > 1).then(|| self.clock.between(self.began, last))
    }

    /// Time from when half of the workers have no more work until the end; `None` with one worker, or before the end.
    fn tail(&self) -> Option<Duration> {
        let ended = self.ended.filter(|_| self.branches.len() > 1)?;
        let dry = (0..self.branches.len()).map(|worker| self.tasks.idle_since(worker).unwrap_or(ended));
        let mut dry: Vec<Duration> = dry.collect();
        dry.sort_unstable();
        Some(self.clock.between(dry[dry.len().div_ceil(2) - 1], ended))
    }

    /// The limits of the figures.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let mut note = |when: bool, text: String| notes.extend(when.then_some(text));
        let (all, never) = (self.branches.len(), self.branches.iter().filter(|own| own.began.is_none()).count());
        let over = self.ended.is_some();
        let (counted, unseen) = (self.sum(|worker| worker.sharing.hires), self.unseen());
        let mut said = |when: bool, text: &str| note(when, text.to_owned());
        said(all == 1, "with one worker there is no ramp-up, no tail and no hire");
        said(!over, "the run has not ended, or its end is unknown: no tail yet");
        said(self.is_slowed(), "in slow motion each worker counts as if it had a processor, and no wait is counted");
        said(self.seen.simulated.is_some(), SIMULATED);
        let outside = "a wait is seen from outside: from the end of a task until a stolen one begins";
        said(self.is_seen_from_outside() && self.hires > 0, outside);
        said(over && self.watched < SHORT, "so short a run is mostly threads that start: its shares say little");
        let stopped = "the run was stopped before its end: the tail is that of the stop, not of the tree";
        said(over && self.seen.stop.is_some(), stopped);
        note(never > 0 && over, format!("{} never had a branch: there is no ramp-up", threads(never)));
        let [lost, hires] = [(self.seen.events_lost, "event"), (counted, "hire")]
            .map(|(number, one)| with_verb(number, one, ["was", "were"]));
        note(self.seen.events_lost > 0, format!("{lost} lost: what is told by events is too low"));
        let they = if counted == 1 { "it is" } else { "they are" };
        note(unseen > 0, format!("{unseen} of {hires} not seen: {they} in no figure but that"));
        let outside = self.sum(|worker| worker.nodes).saturating_sub(self.task_nodes.sum());
        let nodes = with_verb(outside, "node", ["is", "are"]);
        note(over && outside > 0, format!("{nodes} in no task: a part was opened, or what told of them was lost"));
        note(self.unknown > 0, format!("the nodes of {} {} are not known", self.unknown, noun(self.unknown, "task")));
        let too_large = format!("who hired whom is kept of up to {PAIRS_MAX} workers, and these are more");
        note(all > PAIRS_MAX && self.hires > 0, too_large);
        notes
    }
}

/// A number of things with its verb: `1 event was`, `12 events were`.
fn with_verb(number: u64, one: &str, [singular, plural]: [&str; 2]) -> String {
    format!("{number} {} {}", noun(number, one), if number == 1 { singular } else { plural })
}

/// How one worker spent its time.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorkerUse {
    pub worker: usize,
    /// Where its time went.
    pub time: TimeUse,
    /// Nodes a second of CPU time, hand-overs and writing included.
    pub nodes_per_cpu_s: Option<f64>,
    pub waits: Option<WaitFigures>,
    /// How often it lost its core; `None` where the system does not tell, or the run is short.
    pub switches: Option<ContextSwitches>,
}

/// Context switches of all workers together.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct SwitchTotals {
    /// Workers went to sleep.
    pub voluntary: u64,
    /// Something else was to run on their cores.
    pub forced: u64,
    /// Workers went on on another core; `None` where the system does not tell.
    pub migrations: Option<u64>,
}

impl Balance {
    /// Where the time of all workers went; `None` if no time has passed.
    pub fn time(&self) -> Option<TimeUse> {
        let own: Vec<TimeUse> = self.own.iter().filter_map(|(_, spent)| spent.time()).collect();
        TimeUse::mean(own.into_iter())
    }

    /// Where the time of a worker went; `None` if no time has passed.
    pub fn time_of(&self, worker: usize) -> Option<TimeUse> {
        self.own.get(worker)?.1.time()
    }

    /// The time of the run so far, with that of the run before.
    pub fn elapsed(&self) -> Duration {
        self.run_time(self.seen.elapsed)
    }

    /// The time of the run when it had been watched for `elapsed`, with that of the run before.
    pub(super) fn run_time(&self, elapsed: Duration) -> Duration {
        self.began + self.clock.between(self.began, elapsed)
    }

    /// How each worker spent its time so far; empty if no time has passed.
    pub(super) fn by_worker(&self) -> Vec<WorkerUse> {
        let own = |(worker, ((_, spent), seen)): (usize, (&(Times, Spent), &WorkerSnapshot))| {
            let nodes_per_cpu_s = self.nodes_per_cpu_s([worker]);
            let waits = self.waits_of(worker..=worker);
            Some(WorkerUse { worker, time: spent.time()?, nodes_per_cpu_s, waits, switches: seen.switches })
        };
        self.own.iter().zip(&self.seen.workers).enumerate().filter_map(own).collect()
    }

    /// Nodes of these workers by their CPU seconds at full speed, hand-overs and writing included. A virtual worker has no CPU time,
    /// and slow motion tells nothing of a speed: where it is no small part of searching, none is known.
    pub(super) fn nodes_per_cpu_s(&self, workers: impl IntoIterator<Item = usize>) -> Option<f64> {
        let (mut nodes, mut cpu_s, mut slow_s) = (0, 0.0, 0.0);
        for (seen, (_, spent)) in
            workers.into_iter().filter_map(|own| self.seen.workers.get(own).zip(self.own.get(own)))
        {
            nodes += seen.nodes;
            cpu_s += seen.cpu.as_secs_f64() - spent.slow_cpu;
            slow_s += spent.slow;
        }
        let is_known = cpu_s > 0.0 && self.seen.simulated.is_none() && slow_s < SLOW_MAX * cpu_s;
        is_known.then(|| nodes as f64 / cpu_s)
    }

    /// The switches of all workers; `None` unless those of each are known.
    pub(super) fn switches(&self) -> Option<SwitchTotals> {
        let all: Option<Vec<ContextSwitches>> = self.seen.workers.iter().map(|worker| worker.switches).collect();
        let all = all.filter(|all| !all.is_empty())?;
        let sum = |of: fn(&ContextSwitches) -> u32| all.iter().map(|own| u64::from(of(own))).sum();
        Some(SwitchTotals {
            voluntary: sum(|own| own.voluntary),
            forced: sum(|own| own.forced),
            migrations: all.iter().map(|own| own.migrations.map(u64::from)).sum(),
        })
    }
}

/// Where the time of each worker went, or that of several if there are more than `most`, with their numbers.
pub fn time_bars(workers: &[WorkerUse], most: usize) -> Vec<(String, TimeUse)> {
    let each = workers.len().div_ceil(most).max(1);
    let bar = |group: &[WorkerUse]| {
        let [first, last] = [group[0].worker, group[group.len() - 1].worker];
        let label = if first == last { first.to_string() } else { format!("{first}..{last}") };
        (label, TimeUse::mean(group.iter().map(|worker| worker.time)).unwrap_or_default())
    };
    workers.chunks(each).map(bar).collect()
}

/// Counts by size, in classes of powers of two: 0, then 1, 2..3, 4..7 and so on.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Histogram {
    /// How many there are of each class, which is its smallest and its largest size.
    counts: BTreeMap<[u64; 2], u64>,
    sum: u64,
}

impl Histogram {
    /// Counts one thing of this size.
    pub fn add(&mut self, size: u64) {
        let class = size.checked_ilog2().map_or([0, 0], |log| [1 << log, u64::MAX >> size.leading_zeros()]);
        *self.counts.entry(class).or_default() += 1;
        self.sum = self.sum.saturating_add(size);
    }

    /// Counts all that another one has counted.
    pub fn merge(&mut self, other: &Histogram) {
        other.counts.iter().for_each(|(class, count)| *self.counts.entry(*class).or_default() += count);
        self.sum = self.sum.saturating_add(other.sum);
    }

    /// How many were counted.
    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The sum of all sizes.
    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// The mean size; `None` without counts.
    pub fn mean(&self) -> Option<f64> {
        let count = self.count();
        (count > 0).then(|| self.sum as f64 / count as f64)
    }

    /// The class, smallest and largest size, that holds the quantile of `share`, 0..=1.
    pub fn quantile(&self, share: f64) -> Option<[u64; 2]> {
        let wanted = ((self.count() as f64 * share).ceil() as u64).max(1);
        let mut seen = 0;
        self.classes().find_map(|(bounds, count)| {
            seen += count;
            (seen >= wanted).then_some(bounds)
        })
    }

    /// Each class with counts, as smallest size, largest size and count; the smallest first.
    pub fn classes(&self) -> impl Iterator<Item = ([u64; 2], u64)> {
        self.counts.iter().map(|(&bounds, &count)| (bounds, count))
    }
}

/// A list of `[smallest, largest, how many]`.
impl Serialize for Histogram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.classes().map(|([least, most], count)| [least, most, count]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_workers_share_bars() {
        let own = |worker, work| WorkerUse {
            worker,
            time: TimeUse::of([work, 0.0, 1.0 - work, 0.0, 0.0, 0.0]),
            nodes_per_cpu_s: None,
            waits: None,
            switches: None,
        };
        let workers: Vec<WorkerUse> = (0..100).map(|worker| own(worker, worker as f64 / 100.0)).collect();
        let bars = time_bars(&workers, 32);
        assert_eq!((bars.len(), bars[0].0.as_str(), bars[24].0.as_str()), (25, "0..3", "96..99"));
        let [work, wait] = [TimePart::Searching, TimePart::Waiting].map(|part| bars[0].1[part]);
        assert!((work - 0.015).abs() < 1e-9 && (wait - 0.985).abs() < 1e-9);
        assert_eq!(time_bars(&workers[7..9], 32)[1].0, "8");
        assert_eq!(time_bars(&[], 32), []);
    }

    #[test]
    fn classes_double_and_quantiles_name_theirs() {
        let mut sizes = Histogram::default();
        assert_eq!((sizes.quantile(0.5), sizes.mean()), (None, None));
        [0, 1, 2, 3, 4, 7, 8, 1000, u64::MAX].into_iter().for_each(|size| sizes.add(size));
        let classes: Vec<_> = sizes.classes().collect();
        assert_eq!(classes[..5], [([0, 0], 1), ([1, 1], 1), ([2, 3], 2), ([4, 7], 2), ([8, 15], 1)]);
        assert_eq!(classes[5..], [([512, 1023], 1), ([1 << 63, u64::MAX], 1)]);
        assert_eq!((sizes.count(), sizes.quantile(0.0), sizes.quantile(0.5)), (9, Some([0, 0]), Some([4, 7])));
        assert_eq!(sizes.quantile(1.0), Some([1 << 63, u64::MAX]));
    }

    #[test]
    fn the_mean_is_exact() {
        let mut sizes = Histogram::default();
        [5, 6, 100].into_iter().for_each(|size| sizes.add(size));
        assert_eq!((sizes.sum(), sizes.mean()), (111, Some(37.0)));
        assert_eq!(serde_json::to_string(&sizes).unwrap(), "[[4,7,2],[64,127,1]]");
    }
}
