//! How each worker spent its time, and the bars that show it.

use super::gauge::Balance;
use crate::run::spent::{Spent, TimeUse, Times};
use crate::schedule::{ContextSwitches, WorkerSnapshot};
use serde::Serialize;

/// The parts of a time in the order of a bar: name, and the sign where there are no colours.
pub const TIME_PARTS: [(&str, char); 7] =
    [("work", '#'), ("hand-over", '+'), ("write", 'w'), ("no CPU", '-'), ("save", 's'), ("paused", 'p'), ("wait", '.')];

/// How one worker spent its time.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorkerUse {
    /// The worker.
    pub worker: usize,
    /// Where its time went.
    pub time: TimeUse,
    /// Nodes a second of CPU time, hand-overs and writing included.
    pub nodes_per_cpu_s: Option<f64>,
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

/// A bar of one or of several workers.
#[derive(Clone, PartialEq, Debug)]
pub struct TimeBar {
    /// The workers.
    pub label: String,
    /// Where their time went, as shares in the order of [`TIME_PARTS`].
    pub shares: [f64; 7],
}

impl TimeUse {
    /// The shares in the order of [`TIME_PARTS`].
    pub fn shares(&self) -> [f64; 7] {
        let &TimeUse { work, hand_over, wait, no_cpu, paused, save, write } = self;
        [work, hand_over, write, no_cpu, save, paused, wait]
    }
}

impl Balance {
    /// How each worker spent its time so far; empty if no time has passed.
    pub(super) fn by_worker(&self) -> Vec<WorkerUse> {
        let own = |(worker, ((_, spent), seen)): (usize, (&(Times, Spent), &WorkerSnapshot))| {
            // A virtual worker has no CPU time.
            let nodes_per_cpu_s = nodes_per_cpu_s(std::slice::from_ref(seen)).filter(|_| self.simulated.is_none());
            Some(WorkerUse { worker, time: spent.time()?, nodes_per_cpu_s, switches: seen.switches })
        };
        self.own.iter().zip(&self.workers).enumerate().filter_map(own).collect()
    }

    /// The switches of all workers; `None` unless those of each are known.
    pub(super) fn switches(&self) -> Option<SwitchTotals> {
        let all: Option<Vec<ContextSwitches>> = self.workers.iter().map(|worker| worker.switches).collect();
        let all = all.filter(|all| !all.is_empty())?;
        let sum = |of: fn(&ContextSwitches) -> u32| all.iter().map(|own| u64::from(of(own))).sum();
        Some(SwitchTotals {
            voluntary: sum(|own| own.voluntary),
            forced: sum(|own| own.forced),
            migrations: all.iter().map(|own| own.migrations.map(u64::from)).sum(),
        })
    }
}

/// Nodes of these workers by their CPU seconds, hand-overs and writing included.
pub fn nodes_per_cpu_s(workers: &[WorkerSnapshot]) -> Option<f64> {
    let cpu_s: f64 = workers.iter().map(|worker| worker.cpu.as_secs_f64()).sum();
    let nodes: f64 = workers.iter().map(|worker| worker.nodes as f64).sum();
    (cpu_s > 0.0).then(|| nodes / cpu_s)
}

/// A bar for each worker, or for several if there are more than `most`; all bars cover the same time.
pub fn time_bars(workers: &[WorkerUse], most: usize) -> Vec<TimeBar> {
    let each = workers.len().div_ceil(most).max(1);
    let bar = |group: &[WorkerUse]| {
        let [first, last] = [group[0].worker, group[group.len() - 1].worker];
        let label = if first == last { first.to_string() } else { format!("{first}..{last}") };
        let mut shares = [0.0; 7];
        for worker in group {
            shares.iter_mut().zip(worker.time.shares()).for_each(|(sum, share)| *sum += share / group.len() as f64);
        }
        TimeBar { label, shares }
    };
    workers.chunks(each).map(bar).collect()
}

/// How many of `cells` each part gets: as many as there are in all, none of them wrong by a whole cell.
pub fn bar_cells(shares: &[f64; 7], cells: usize) -> [usize; 7] {
    let (mut sum, mut given) = (0.0, 0);
    shares.map(|share| {
        sum += share;
        let until = ((sum * cells as f64).round() as usize).clamp(given, cells);
        until - std::mem::replace(&mut given, until)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn many_workers_share_bars() {
        let own = |worker, work| WorkerUse {
            worker,
            time: TimeUse { work, wait: 1.0 - work, ..TimeUse::default() },
            nodes_per_cpu_s: None,
            switches: None,
        };
        let workers: Vec<WorkerUse> = (0..100).map(|worker| own(worker, worker as f64 / 100.0)).collect();
        let bars = time_bars(&workers, 32);
        assert_eq!((bars.len(), bars[0].label.as_str(), bars[24].label.as_str()), (25, "0..3", "96..99"));
        assert!((bars[0].shares[0] - 0.015).abs() < 1e-9 && (bars[0].shares[6] - 0.985).abs() < 1e-9);
        assert_eq!(time_bars(&workers[7..9], 32)[1].label, "8");
        assert_eq!(time_bars(&[], 32), []);
    }

    proptest! {
        #[test]
        fn the_cells_of_a_bar_fill_it(parts in prop::array::uniform7(0u32..1000), cells in 0usize..200) {
            let sum = parts.iter().sum::<u32>().max(1);
            let shares = parts.map(|part| f64::from(part) / f64::from(sum));
            let given = bar_cells(&shares, cells);
            let filled = if parts == [0; 7] { 0 } else { cells };
            prop_assert_eq!(given.iter().sum::<usize>(), filled);
            for (share, given) in shares.iter().zip(given) {
                prop_assert!((share * cells as f64 - given as f64).abs() <= 1.0, "{} {}", share, given);
            }
        }
    }
}
