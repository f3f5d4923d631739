//! The result of a search as text and as the JSON object of the contract.

use super::sheet::fact;
use crate::board::Board;
use crate::ranged::Ranged;
use crate::run::Plan;
use crate::run::balance::BalanceFigures;
use crate::schedule::{DeviceLanes, Forecast, Levels, Rate, RunOutcome, Shard, SharingCounts, StopReason};
use crate::words::{self, grouped, percent};
use serde::Serialize;
use std::fmt;

/// What `search` prints.
#[derive(Serialize)]
pub struct SearchReport {
    board: Board,
    ending: &'static str,
    solver: &'static str,
    scheduler: &'static str,
    hand_over: &'static str,
    threads: usize,
    tours: u64,
    convention: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    restricted: Option<bool>,
    nodes: u64,
    pruned: u64,
    pruned_by_depth: Option<Vec<u64>>,
    nodes_by_depth: Option<Vec<u64>>,
    elapsed_s: f64,
    #[serde(flatten)]
    sharing: SharingCounts,
    workers: Vec<WorkerReport>,
    /// Which part of a search it is, `I/N`: the figures are those of the part alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<Shard>,
    /// From how many parts it was put together: there is a row of workers for each.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<u32>,
    /// What did the work, if that was a device or its twin.
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lanes: Option<LanesReport>,
    events_lost: u64,
    complete: bool,
    /// Why the search stopped before its end: `limit`, `deadline`, `signal` or `request` (the view was left).
    stopped: Option<&'static str>,
    /// How far it was, if it was stopped and that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<ProgressReport>,
    /// Why there is no tour, where the whole tree has none and a theorem says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// How well the work was shared, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    balance: Option<BalanceFigures>,
}

#[derive(Serialize)]
struct ProgressReport {
    /// Share of the nodes of the whole tree.
    done: f64,
    /// Nodes of the whole tree: the likely number, and hardly less or more than.
    tree_nodes: [f64; 3],
    /// Tours of the whole tree, likewise.
    tree_tours: Option<[f64; 3]>,
    /// Seconds that the rest would take at the same rate, at least and at most.
    left_s: Option<[f64; 2]>,
}

impl ProgressReport {
    /// How far a run was; its limit and its deadline are not the tree's.
    fn new(outcome: &RunOutcome) -> Option<ProgressReport> {
        let progress = outcome.progress().filter(|_| !outcome.complete())?;
        let rate = Rate::mean(progress.nodes, progress.tours, outcome.elapsed);
        let three = |ranged: Ranged| [ranged.mean, ranged.low, ranged.high];
        let left = progress.left(&Forecast::default(), outcome.elapsed, rate);
        Some(ProgressReport {
            done: progress.done(),
            tree_nodes: three(progress.tree),
            tree_tours: progress.all_tours.map(three),
            left_s: left.map(|(low, high)| [low, high]),
        })
    }
}

impl fmt::Display for ProgressReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} done, tree about {} nodes", words::reported_share(self.done), words::about(self.tree_nodes[0]))?;
        if let Some([mean, low, high]) = self.tree_tours {
            write!(f, " and {} tours", words::ranged(Ranged { mean, low, high }))?;
        }
        match self.left_s {
            Some([low, high]) => write!(f, ", left {}", words::spans(low, high)),
            None => Ok(()),
        }
    }
}

#[derive(Serialize)]
struct WorkerReport {
    nodes: u64,
    tours: u64,
    busy_s: f64,
    idle_s: f64,
    #[serde(flatten)]
    sharing: SharingCounts,
}

#[derive(Serialize)]
struct LanesReport {
    lanes: u32,
    dispatches: u64,
    dispatch_s: f64,
    prefixes: u64,
    /// Those of the prefixes that were split off busy lanes.
    split: u64,
    /// Lanes at work by all lanes, over the time of all dispatches.
    occupancy: f64,
    /// Dispatches in each entry of `live`.
    dispatches_each: u64,
    /// Lanes at work, in the mean until the last one of a dispatch stopped.
    live: Vec<f64>,
}

impl LanesReport {
    fn new(lanes: &DeviceLanes) -> LanesReport {
        LanesReport {
            lanes: lanes.lanes,
            dispatches: lanes.dispatches,
            dispatch_s: lanes.spent.as_secs_f64() / lanes.dispatches.max(1) as f64,
            prefixes: lanes.prefixes,
            split: lanes.split,
            occupancy: lanes.occupancy(),
            dispatches_each: lanes.each(),
            live: lanes.past().iter().map(|live| live.round()).collect(),
        }
    }
}

impl fmt::Display for LanesReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lanes, dispatches) = (grouped(u64::from(self.lanes)), words::number_of(self.dispatches, "dispatch"));
        writeln!(f, "lanes    {lanes}, {dispatches} of {:.1} ms", 1e3 * self.dispatch_s)?;
        writeln!(f, "prefixes {}, {} of them split off busy lanes", grouped(self.prefixes), grouped(self.split))?;
        if self.live.is_empty() {
            return Ok(());
        }
        writeln!(f, "at work  {} {} of the lanes", sparkline(&self.live, self.lanes.into()), percent(self.occupancy))
    }
}

/// Columns of a sparkline, at most.
const SPARKS: usize = 60;

/// One character for each value, or for the mean of several, full at `max`.
pub fn sparkline(values: &[f64], max: f64) -> String {
    let each = values.len().div_ceil(SPARKS);
    let height = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64 / max * 8.0;
    let bar = |values: &[f64]| ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][(height(values) as usize).min(7)];
    values.chunks(each.max(1)).map(bar).collect()
}

impl SearchReport {
    /// The report of a run of `plan`.
    pub fn new(plan: &Plan, outcome: &RunOutcome) -> SearchReport {
        let total = outcome.total();
        let depths = plan.question.board().squares() as usize + 1;
        // A run that was not asked for them may have counted a sample, or nothing: they are exact where they add up.
        let exact = plan.question.levels() == Levels::Exact && total.nodes_by_depth.iter().sum::<u64>() == total.nodes;
        let by_depth = |counts: &[u64]| exact.then(|| counts[..depths].to_vec());
        let workers: Vec<WorkerReport> = outcome
            .workers
            .iter()
            .map(|worker| WorkerReport {
                nodes: worker.tally.nodes,
                tours: worker.tally.tours,
                busy_s: worker.busy.as_secs_f64(),
                idle_s: worker.idle.as_secs_f64(),
                sharing: worker.sharing,
            })
            .collect();
        SearchReport {
            board: plan.question.board(),
            ending: plan.question.ending().name(),
            solver: plan.question.method(),
            scheduler: plan.scheduler.name(),
            hand_over: plan.hand_over.name(),
            threads: workers.len(),
            tours: total.tours,
            convention: plan.question.convention(),
            restricted: plan.question.restricted().then_some(true),
            nodes: total.nodes,
            pruned: total.pruned,
            pruned_by_depth: by_depth(&total.pruned_by_depth),
            nodes_by_depth: by_depth(&total.nodes_by_depth),
            elapsed_s: outcome.elapsed.as_secs_f64(),
            sharing: outcome.sharing(),
            workers,
            shard: plan.shard,
            parts: None,
            device: outcome.lanes.as_ref().map(|lanes| lanes.device.clone()),
            lanes: outcome.lanes.as_deref().map(LanesReport::new),
            events_lost: outcome.events_lost,
            complete: outcome.complete(),
            stopped: outcome.stopped.map(StopReason::name),
            progress: ProgressReport::new(outcome),
            reason: if outcome.complete() && total.tours == 0 { plan.question.impossible() } else { None },
            balance: None,
        }
    }

    /// The same, with how well the work was shared, if that was asked.
    pub fn balanced(self, balance: Option<BalanceFigures>) -> SearchReport {
        SearchReport { balance, ..self }
    }

    /// The same, put together from so many parts.
    pub fn of_parts(self, parts: u32) -> SearchReport {
        SearchReport { parts: Some(parts), shard: None, ..self }
    }
}

impl fmt::Display for SearchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = if self.scheduler == "hire" { format!(" ({})", self.hand_over) } else { String::new() };
        write!(f, "{} {} tours by {}, ", self.board, self.ending, self.solver)?;
        if let Some(shard) = self.shard {
            write!(f, "part {shard} alone, ")?;
        }
        match &self.device {
            Some(device) => writeln!(f, "{device}")?,
            None => match self.parts {
                Some(parts) => writeln!(f, "{}{rule}, {}", self.scheduler, words::number_of(parts, "part"))?,
                None => writeln!(f, "{}{rule}, {}", self.scheduler, words::threads(self.threads))?,
            },
        }
        let of_paths = if self.restricted.is_some() { ", of four paths rotated by quarter turns only" } else { "" };
        writeln!(f, "tours    {}{of_paths}", words::by_convention(self.tours, self.convention))?;
        let rate = match self.nodes as f64 / self.elapsed_s.max(1e-9) {
            few if few < 1e5 => format!("{} a second", grouped(few as u64)),
            many => format!("{:.1} million a second", many / 1e6),
        };
        writeln!(f, "nodes    {} in {:.3} s, {rate}", grouped(self.nodes), self.elapsed_s)?;
        if self.tours > self.nodes {
            writeln!(f, "images   a node stands for its images under symmetry: fewer nodes than tours")?;
        }
        if self.pruned > 0 {
            writeln!(f, "pruned   {}", grouped(self.pruned))?;
        }
        if let Some(lanes) = &self.lanes {
            lanes.fmt(f)?;
        } else if self.threads > 1 {
            let busy: f64 = self.workers.iter().map(|worker| worker.busy_s).sum();
            let idle: f64 = self.workers.iter().map(|worker| worker.idle_s).sum();
            let share = 100.0 * busy / (busy + idle).max(1e-9);
            let [hires, donations] = [(self.sharing.hires, "hire"), (self.sharing.donations, "donation")]
                .map(|(n, noun)| words::number_of(n, noun));
            writeln!(f, "sharing  {hires}, {donations}, busy {share:.1} %")?;
        }
        fact(f, "none", self.reason.as_ref())?;
        fact(f, "progress", self.progress.as_ref())?;
        match self.stopped {
            None => write!(f, "complete")?,
            // The user asked for this end.
            Some(reason @ ("limit" | "deadline")) => {
                write!(f, "NOT complete: stopped by --{reason}, which is no failure: exit code 0")?;
            }
            Some(reason) => write!(f, "NOT complete: stopped by {reason}")?,
        }
        self.balance.as_ref().map_or(Ok(()), |balance| write!(f, "\n{balance}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;
    use crate::run::Question;
    use crate::schedule::Totals;
    use crate::search::Tally;
    use crate::solve::{Problem, default_solver};
    use std::time::Duration;

    #[test]
    fn a_share_that_is_hardly_any_is_said_without_a_power_of_ten() {
        let report = ProgressReport { done: 1.1e-10, tree_nodes: [4e20; 3], tree_tours: None, left_s: None };
        assert_eq!(report.to_string(), "under 0.0001% done, tree about 400E nodes");
    }

    /// A run that was slowed down, or has just begun.
    #[test]
    fn a_rate_far_below_a_million_is_told_in_nodes() {
        let problem = Problem::new(Board::new(8, 8).unwrap(), Ending::Closed);
        let plan = Plan::of(Question::Search(default_solver(Ending::Closed), problem), 1);
        let rate = |nodes| {
            let worker = Totals { tally: Tally { nodes, ..Tally::default() }, ..Totals::default() };
            let outcome =
                RunOutcome { workers: vec![worker], elapsed: Duration::from_secs(10), ..RunOutcome::default() };
            let report = SearchReport::new(&plan, &outcome).to_string();
            report.lines().find(|line| line.starts_with("nodes")).map(str::to_owned)
        };
        assert_eq!(rate(123_456).as_deref(), Some("nodes    123,456 in 10.000 s, 12,345 a second"));
        assert_eq!(rate(3).as_deref(), Some("nodes    3 in 10.000 s, 0 a second"));
        assert_eq!(rate(12_000_000).as_deref(), Some("nodes    12,000,000 in 10.000 s, 1.2 million a second"));
    }

    #[test]
    fn busy_is_the_share_of_the_time_of_all_workers() {
        let seconds = Duration::from_secs;
        let worker = |hires, donations, busy| Totals {
            sharing: SharingCounts { hires, donations },
            busy: seconds(busy),
            idle: seconds(8 - busy),
            ..Totals::default()
        };
        let workers = vec![worker(3, 2, 8), worker(1, 5, 4)];
        let outcome = RunOutcome { workers, elapsed: seconds(8), ..RunOutcome::default() };
        let problem = Problem::new("6x6".parse().unwrap(), Ending::Closed);
        let plan = Plan::of(Question::Search(default_solver(Ending::Closed), problem), 2);
        let report = SearchReport::new(&plan, &outcome).to_string();
        assert!(report.contains("\nsharing  4 hires, 7 donations, busy 75.0 %\n"), "{report}");
    }

    #[test]
    fn a_sparkline_is_short_and_full_at_the_top() {
        assert_eq!(sparkline(&[0.0, 50.0, 99.0, 100.0], 100.0), "▁▅██");
        assert_eq!(sparkline(&[1.0; 1000], 8.0).chars().count(), 59);
    }
}
