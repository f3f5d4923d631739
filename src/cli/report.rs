//! The result of a search as text and as the JSON object of the contract.

use super::args::Plan;
use crate::board::Board;
use crate::schedule::words::grouped;
use crate::schedule::{Outcome, StopReason};
use serde::Serialize;
use std::fmt;

/// What `search` prints.
#[derive(Serialize)]
pub struct Report {
    #[serde(serialize_with = "as_text")]
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
    hires: u64,
    donations: u64,
    workers: Vec<WorkerReport>,
    events_lost: u64,
    complete: bool,
    /// Why the search stopped before its end: `limit`, `deadline`, `signal` or `request` (the view was left).
    stopped: Option<&'static str>,
}

#[derive(Serialize)]
struct WorkerReport {
    nodes: u64,
    tours: u64,
    busy_s: f64,
    idle_s: f64,
    hires: u64,
    donations: u64,
}

fn as_text<S: serde::Serializer>(board: &Board, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(board)
}

impl Report {
    /// The report of a run of `plan`, which `signal` may have stopped.
    pub fn new(plan: &Plan, outcome: &Outcome, signal: Option<i32>) -> Report {
        let total = outcome.total();
        let depths = plan.problem.board.squares() as usize + 1;
        let by_depth = |counts: &[u64]| plan.solver.exact_levels().then(|| counts[..depths].to_vec());
        let workers: Vec<WorkerReport> = outcome
            .workers
            .iter()
            .map(|worker| WorkerReport {
                nodes: worker.tally.nodes,
                tours: worker.tally.tours,
                busy_s: worker.busy.as_secs_f64(),
                idle_s: worker.idle.as_secs_f64(),
                hires: worker.hires,
                donations: worker.donations,
            })
            .collect();
        Report {
            board: plan.problem.board,
            ending: plan.problem.ending.name(),
            solver: plan.solver.name(),
            scheduler: plan.scheduler.name(),
            hand_over: plan.hand_over.name(),
            threads: workers.len(),
            tours: total.tours,
            convention: plan.problem.convention(),
            restricted: plan.solver.restricted().then_some(true),
            nodes: total.nodes,
            pruned: total.pruned,
            pruned_by_depth: by_depth(&total.pruned_by_depth),
            nodes_by_depth: by_depth(&total.nodes_by_depth),
            elapsed_s: outcome.elapsed.as_secs_f64(),
            hires: workers.iter().map(|worker| worker.hires).sum(),
            donations: workers.iter().map(|worker| worker.donations).sum(),
            workers,
            events_lost: outcome.events_lost,
            complete: outcome.complete(),
            stopped: outcome.stopped.map(|reason| match reason {
                StopReason::Limit => "limit",
                StopReason::Deadline => "deadline",
                StopReason::Asked | StopReason::Failed if signal.is_some() => "signal",
                StopReason::Asked | StopReason::Failed => "request",
            }),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.threads == 1 { "" } else { "s" };
        let rule = if self.scheduler == "hire" { format!(" ({})", self.hand_over) } else { String::new() };
        writeln!(
            f,
            "{} {} tours by {}, {}{rule}, {} thread{s}",
            self.board, self.ending, self.solver, self.scheduler, self.threads
        )?;
        let of_symmetry = if self.restricted.is_some() { ", of quarter-turn symmetry only" } else { "" };
        writeln!(f, "tours    {} {}{of_symmetry}", grouped(self.tours), self.convention)?;
        let rate = self.nodes as f64 / self.elapsed_s.max(1e-9) / 1e6;
        writeln!(f, "nodes    {} in {:.3} s, {rate:.1} million a second", grouped(self.nodes), self.elapsed_s)?;
        if self.pruned > 0 {
            writeln!(f, "pruned   {}", grouped(self.pruned))?;
        }
        if self.threads > 1 {
            let busy: f64 = self.workers.iter().map(|worker| worker.busy_s).sum();
            let idle: f64 = self.workers.iter().map(|worker| worker.idle_s).sum();
            let share = 100.0 * busy / (busy + idle).max(1e-9);
            writeln!(f, "sharing  {} hires, {} donations, busy {share:.1} %", self.hires, self.donations)?;
        }
        match self.stopped {
            None => write!(f, "complete"),
            Some(reason) => write!(f, "NOT complete: stopped by {reason}"),
        }
    }
}
