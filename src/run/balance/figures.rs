//! The figures of the balance of a run at one moment: plain data for a report, a view or a test.

use super::deciding::{DecidingHire, LastTask};
use super::gauge::Balance;
use super::histogram::Histogram;
use super::own::{SwitchTotals, WorkerUse, nodes_per_cpu_s};
use super::pairs::{Matrix, PAIRS_MAX};
use super::verdicts::Verdict;
use crate::run::spent::{TimeShares, TimeUse};
use crate::schedule::Scheduler;
use crate::words::{noun, threads};
use serde::Serialize;
use std::time::Duration;

/// In a shorter run, most of the time goes into threads that start and end.
const SHORT: Duration = Duration::from_millis(20);

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

/// A branch that was handed over.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct GivenBranch {
    /// When it was given, in seconds of the run.
    pub at_s: f64,
    /// The worker that gave it.
    pub by: usize,
    /// The worker that got it.
    pub worker: usize,
    /// Its depth.
    pub depth: usize,
}

/// What decided the end of a run: the task that ended last, and how it came about.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Deciding {
    /// The hires that led to it, in order.
    pub hires: Vec<GivenBranch>,
    /// Its worker.
    pub worker: usize,
    /// When it ended, in seconds of the run.
    pub ended_s: f64,
}

/// The figures of the balance; `None` where a figure is unknown.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BalanceFigures {
    /// Workers.
    pub workers: usize,
    /// Why workers did not search, the largest share of their time first.
    pub verdicts: Vec<Verdict>,
    /// Seconds since these workers began.
    pub elapsed_s: f64,
    /// CPU time of all workers over their number times the elapsed time; paused and slowed times are left out of both.
    pub efficiency: Option<f64>,
    /// Time without work over the number of workers times the elapsed time, without paused and slowed times.
    pub idle: Option<f64>,
    /// Time with work but off a processor, over the number of workers times the elapsed time, without paused and slowed
    /// times.
    pub descheduled: Option<f64>,
    /// Time without work of all workers, in seconds.
    pub idle_s: f64,
    /// Time with work but off a processor of all workers, in seconds.
    pub descheduled_s: f64,
    /// Where the time of all workers went.
    pub time: Option<TimeUse>,
    /// Share of the time with 0, 1, .. workers at work, that is with a task; paused and slowed times are left out.
    pub at_work: Vec<f64>,
    /// Where the time of each worker went.
    pub by_worker: Vec<WorkerUse>,
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
    /// Nodes of all those tasks.
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
    pub deciding: Option<Deciding>,
    /// Events that were lost.
    pub events_lost: u64,
    /// Limits of these figures, in words.
    pub notes: Vec<String>,
    /// Who hired whom, for display.
    #[serde(skip)]
    pub matrix: Option<Matrix>,
}

impl Balance {
    /// The figures so far.
    pub fn figures(&self) -> BalanceFigures {
        let own = self.elapsed.saturating_sub(self.began);
        let nodes: Vec<u64> = self.workers.iter().map(|worker| worker.nodes).collect();
        let (sum, most) = (nodes.iter().sum::<u64>(), nodes.iter().copied().max().unwrap_or(0));
        let shares = self.spent.shares();
        let share = |of: fn(&TimeShares) -> f64| shares.as_ref().map(of);
        let counted: u64 = self.workers.iter().map(|worker| worker.sharing.hires).sum();
        let span = self.spans.span();
        BalanceFigures {
            workers: self.workers.len(),
            verdicts: self.verdicts(),
            elapsed_s: self.seconds(own),
            efficiency: share(|shares| shares.running),
            idle: share(|shares| shares.idle),
            descheduled: share(|shares| shares.descheduled),
            idle_s: shares.map_or(0.0, |shares| self.machine(shares.idle * self.spent.all)),
            descheduled_s: shares.map_or(0.0, |shares| self.machine(shares.descheduled * self.spent.all)),
            time: self.spent.time(),
            at_work: self.at_work.shares(self.elapsed, &self.held),
            by_worker: self.by_worker(),
            nodes_per_cpu_s: nodes_per_cpu_s(&self.workers).filter(|_| self.simulated.is_none()),
            switches: self.switches(),
            hand_overs_unmeasured: self.scheduler == Some(Scheduler::Rayon) && self.simulated.is_none(),
            most_by_mean: (sum > 0).then(|| most as f64 * nodes.len() as f64 / sum as f64),
            nodes: sum,
            tasks: self.task_nodes.count() + self.unknown,
            task_nodes: self.task_nodes.sum(),
            tasks_by_nodes: self.task_nodes.clone(),
            hires: self.hires,
            hires_unseen: counted.saturating_sub(self.hires),
            nodes_per_hire: self.per_hire(),
            hires_by_depth: self.by_depth.clone(),
            ramp_up: self.ramp_up().map(|span| self.span(span)),
            tail: self.tail().map(|span| self.span(span)),
            pairs: self.pairs.all().collect(),
            work: sum,
            span,
            burdened_span: self.spans.burdened(self.hand_over_nodes().unwrap_or(0.0)),
            span_exact: self.is_span_exact(sum),
            parallelism: (span > 0).then(|| sum as f64 / span as f64),
            deciding: self.deciding(),
            events_lost: self.events_lost,
            notes: self.notes(own),
            matrix: self.pairs.matrix(),
        }
    }

    fn deciding(&self) -> Option<Deciding> {
        let LastTask { worker, to, hires, .. } = self.last_task()?;
        let given = |&DecidingHire { at, by, worker, depth }: &DecidingHire| GivenBranch {
            at_s: self.seconds(at),
            by,
            worker,
            depth,
        };
        Some(Deciding { hires: hires.iter().map(given).collect(), worker, ended_s: self.seconds(to) })
    }

    /// The task that ended last, and the hires that led to it; `None` before the end, where events were lost, and with one
    /// worker.
    pub fn last_task(&self) -> Option<LastTask> {
        let is_known = self.ended.is_some() && self.events_lost == 0 && self.first.len() > 1;
        self.deciding.last().filter(|_| is_known)
    }

    /// A time of the run in seconds, of a simulated run in seconds of the simulated machine.
    pub(super) fn seconds(&self, time: Duration) -> f64 {
        self.machine(time.as_secs_f64())
    }

    pub(super) fn machine(&self, s: f64) -> f64 {
        s * self.simulated.map_or(1.0, |simulated| simulated.seconds(Duration::from_secs(1)))
    }

    /// Whether the run has ended, and all of its nodes are in tasks whose chains are known.
    fn is_span_exact(&self, nodes: u64) -> bool {
        self.ended.is_some() && self.events_lost == 0 && self.spans.is_exact() && self.task_nodes.sum() == nodes
    }

    fn span(&self, span: Duration) -> RunSpan {
        let own = self.elapsed.saturating_sub(self.began).as_secs_f64();
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
        let firsts: Option<Vec<Duration>> = self.first.iter().copied().collect();
        let last = firsts?.into_iter().max()?;
        (self.first.len() > 1).then(|| last.saturating_sub(self.began))
    }

    /// Time from when half of the workers have no more work until the end; `None` with one worker, or before the end.
    fn tail(&self) -> Option<Duration> {
        let ended = self.ended.filter(|_| self.first.len() > 1)?;
        let dry = (0..self.first.len()).map(|worker| self.tasks.idle_since(worker).unwrap_or(ended));
        let mut dry: Vec<Duration> = dry.collect();
        dry.sort_unstable();
        Some(ended.saturating_sub(dry[dry.len().div_ceil(2) - 1]))
    }

    /// The limits of the figures.
    fn notes(&self, own: Duration) -> Vec<String> {
        let mut notes = Vec::new();
        let mut note = |when: bool, text: String| notes.extend(when.then_some(text));
        let (all, never) = (self.first.len(), self.first.iter().filter(|first| first.is_none()).count());
        let over = self.ended.is_some();
        let counted: u64 = self.workers.iter().map(|worker| worker.sharing.hires).sum();
        let unseen = counted.saturating_sub(self.hires);
        note(all == 1, "with one worker there is no ramp-up, no tail and no hire".to_owned());
        note(!over, "the run has not ended, or its end is unknown: no tail yet".to_owned());
        note(over && own < SHORT, "so short a run is mostly threads that start: its shares say little".to_owned());
        note(
            over && self.stopped.is_some(),
            "the run was stopped before its end: the tail is that of the stop, not of the tree".to_owned(),
        );
        note(never > 0 && over, format!("{} never had work: there is no ramp-up", threads(never)));
        note(
            self.events_lost > 0,
            format!("{} lost: what is told by events is too low", were(self.events_lost, "event")),
        );
        note(unseen > 0, {
            let they = if counted == 1 { "it is" } else { "they are" };
            format!("{unseen} of {} not seen: {they} in no figure but that", were(counted, "hire"))
        });
        let own_nodes: u64 = self.workers.iter().map(|worker| worker.nodes).sum();
        let outside = own_nodes.saturating_sub(self.task_nodes.sum());
        note(
            over && outside > 0,
            format!(
                "{outside} {} in no task: a part was opened, or what told of them was lost",
                if outside == 1 { "node is" } else { "nodes are" }
            ),
        );
        note(self.unknown > 0, format!("the nodes of {} {} are not known", self.unknown, noun(self.unknown, "task")));
        note(
            all > PAIRS_MAX && self.hires > 0,
            format!("who hired whom is kept of up to {PAIRS_MAX} workers, and these are more"),
        );
        note(
            self.was_held,
            "the run was paused or slowed for some time: shares leave that out, spans do not".to_owned(),
        );
        notes
    }
}

/// A number of things with its verb: `1 event was`, `12 events were`.
fn were(number: u64, one: &str) -> String {
    format!("{number} {} {}", noun(number, one), if number == 1 { "was" } else { "were" })
}
