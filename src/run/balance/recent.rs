//! What the workers did since an earlier look: all of them, and those of each group of CPUs.

use super::gauge::Balance;
use crate::run::spent::{Spent, TimePart, TimeUse};
use crate::words::rate;
use serde::Serialize;
use std::time::Duration;

/// The figures of each worker at a look.
#[derive(Clone, Default, Debug)]
pub struct WorkerMarks {
    at: Duration,
    /// Nodes, and how the time was spent.
    workers: Vec<(u64, Spent)>,
}

impl WorkerMarks {
    /// Whether there was no look yet.
    pub fn is_first(&self) -> bool {
        self.workers.is_empty()
    }
}

/// What some workers did since then.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RecentUse {
    /// `all`, or the name of a group.
    pub name: String,
    pub workers: usize,
    pub nodes_per_s: f64,
    /// Where their time went; `None` if none has passed, as in a pause.
    pub time: Option<TimeUse>,
}

impl RecentUse {
    /// What these workers did between two looks.
    fn between(from: &WorkerMarks, to: &WorkerMarks, name: String, workers: &[usize]) -> RecentUse {
        let ends = |worker: &usize| [from, to].map(|marks| marks.workers.get(*worker).copied().unwrap_or_default());
        let all: Vec<_> = workers.iter().map(ends).collect();
        let nodes: u64 = all.iter().map(|[(before, _), (after, _)]| after.saturating_sub(*before)).sum();
        let times: Vec<TimeUse> =
            all.iter().filter_map(|[(_, before), (_, after)]| after.since(before).time()).collect();
        let seconds = to.at.saturating_sub(from.at).as_secs_f64();
        RecentUse {
            name,
            workers: workers.len(),
            // A worker may tell in a pause what it did before.
            nodes_per_s: if seconds < 1e-3 { 0.0 } else { nodes as f64 / seconds },
            time: TimeUse::mean(times.into_iter()),
        }
    }

    /// The same in words.
    pub fn line(&self) -> String {
        let time = self.time.unwrap_or_default();
        let parts = TimePart::ALL.into_iter().filter(|part| time.tenths(*part) > 0);
        let parts = parts.map(|part| format!(", {} {}", part.name(), time.percent(part)));
        format!("{}: {} nodes/s{}", self.name, rate(self.nodes_per_s), parts.collect::<String>())
    }
}

impl Balance {
    /// The figures of each worker now.
    pub fn marks(&self) -> WorkerMarks {
        let workers = self.seen.workers.iter().zip(&self.own).map(|(seen, (_, spent))| (seen.nodes, *spent));
        WorkerMarks { at: self.seen.ran(), workers: workers.collect() }
    }

    /// What the workers did since then, or since they began: all of them first, then those of each group that has some.
    pub fn since(&self, marks: &WorkerMarks) -> Vec<RecentUse> {
        let marks = WorkerMarks { at: marks.at.max(self.began), ..marks.clone() };
        let (now, all) = (self.marks(), ("all".to_owned(), (0..self.own.len()).collect()));
        [all]
            .into_iter()
            .chain(self.group_members())
            .filter(|(_, workers)| !workers.is_empty())
            .map(|(name, workers)| RecentUse::between(&marks, &now, name, &workers))
            .collect()
    }
}
