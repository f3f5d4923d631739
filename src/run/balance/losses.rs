//! What the verdicts look at, from the figures of the balance.

use super::gauge::Balance;
use super::verdicts::{RunLosses, Verdict, verdicts};
use crate::schedule::WorkerSnapshot;
use std::time::Duration;

impl Balance {
    /// Why workers did not search; empty where nothing was measured, or a device did the work.
    pub fn verdicts(&self) -> Vec<Verdict> {
        if self.is_on_device {
            return Vec::new();
        }
        self.losses().map(|losses| verdicts(&losses)).unwrap_or_default()
    }

    /// The losses so far; `None` if no time has passed.
    pub(super) fn losses(&self) -> Option<RunLosses> {
        // A run that has only been paused or slowed so far is not judged.
        let time = self.spent.time().filter(|_| self.spent.wall > Duration::ZERO)?.without_paused();
        let nodes: u64 = self.workers.iter().map(|worker| worker.nodes).sum();
        let busiest = (0..self.workers.len()).max_by_key(|&worker| self.workers[worker].nodes).unwrap_or(0);
        let hires: u64 = self.workers.iter().map(|worker| worker.sharing.hires).sum();
        let mut losses = RunLosses {
            // A look after the end may come before the event of the end.
            seconds: self.seconds(self.spent.wall.min(self.elapsed.saturating_sub(self.began))),
            workers: self.workers.len(),
            cores: self.cores,
            scheduler: self.scheduler,
            hand_over_rule: self.hand_over,
            work: time.work,
            no_cpu: time.no_cpu,
            beyond_cores: self.beyond_cores(),
            quota: self.quota,
            held_back: self.spent.held_back(),
            hand_over: time.hand_over,
            write: time.write,
            hires,
            nodes_per_hire: self.hire_nodes.mean(),
            hand_over_nodes: self.hand_over_nodes(),
            busiest: (busiest, self.workers.get(busiest).map_or(0.0, |worker| share(worker.nodes, nodes))),
            ..RunLosses::default()
        };
        self.add_waits(&mut losses, time.wait);
        Some(losses)
    }

    /// CPU time of a hand-over, in nodes; `None` before the first one.
    pub(super) fn hand_over_nodes(&self) -> Option<f64> {
        let time = self.spent.time()?;
        let sum = |of: fn(&WorkerSnapshot) -> u64| self.workers.iter().map(of).sum::<u64>() as f64;
        let (nodes, hires) = (sum(|worker| worker.nodes), sum(|worker| worker.sharing.hires));
        (hires > 0.0 && time.work > 0.0).then(|| time.hand_over / time.work * nodes / hires)
    }

    /// Share of the time of all workers in which they had a branch and no core was left for them.
    fn beyond_cores(&self) -> f64 {
        let Some(cores) = self.cores else { return 0.0 };
        let at_work = self.at_work.shares(self.elapsed, &self.held);
        let beyond = at_work.iter().enumerate().map(|(workers, share)| workers.saturating_sub(cores) as f64 * share);
        beyond.sum::<f64>() / self.workers.len().max(1) as f64
    }

    /// Splits the share `wait`, which is that of the meters, as the gaps between tasks are split.
    fn add_waits(&self, losses: &mut RunLosses, wait: f64) {
        let mut times = self.waits.times(&self.tasks, self.elapsed, &self.held);
        times.between = (times.between - self.spent.saving()).max(0.0);
        losses.gap_s = self.machine(times.between) / times.gaps.max(1) as f64;
        if (self.ended.is_none() || self.stopped.is_some()) && !losses.is_dealt() {
            // They might have been hired again.
            times.between += std::mem::take(&mut times.last);
        }
        let sum = times.first + times.between + times.last + times.never;
        let scale = if sum > 0.0 { wait / sum } else { 0.0 };
        losses.wait_first = times.first * scale;
        losses.wait_between = times.between * scale;
        losses.wait_last = times.last * scale;
        losses.wait_never = times.never * scale;
        losses.never = times.never_number;
        losses.gaps = times.gaps;
    }
}

fn share(part: u64, all: u64) -> f64 {
    if all > 0 { part as f64 / all as f64 } else { 0.0 }
}
