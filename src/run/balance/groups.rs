//! Groups of CPUs, such as those that share a cache: what the workers in each did, and how many hires stayed within.
//!
//! A worker is in the groups of the CPU on which it was last seen, and a hire is of the groups of giver and taker at the look that
//! came with its event. A worker that is not pinned may move in between.

use super::gauge::Balance;
use super::waits::WaitFigures;
use crate::run::spent::TimeUse;
use crate::schedule::Snapshot;
use crate::system::{CpuLevel, numbers, ranges};
use crate::words::{count, number_of};
use serde::Serialize;
use std::collections::BTreeMap;

/// What the workers of one group of CPUs did.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GroupUse {
    /// What its CPUs share: `cache`, `node`, `socket`, or for kinds of cores `core`.
    pub kind: &'static str,
    pub name: String,
    pub cpus: String,
    pub workers: usize,
    /// Where their time went; `None` without workers.
    pub time: Option<TimeUse>,
    pub nodes: u64,
    /// Hires of its workers by a worker of the same group.
    pub hires_within: u64,
    /// Hires of its workers by a worker of another group.
    pub hires_from: u64,
    pub waits: Option<WaitFigures>,
}

impl GroupUse {
    /// The group in a line.
    pub(super) fn line(&self) -> String {
        let (workers, nodes) = (number_of(self.workers, "worker"), count(self.nodes));
        let [within, from] = [self.hires_within, self.hires_from].map(count);
        format!(
            "{:<9}  {workers:<11}  {nodes:>6} nodes  hired {within} within, {from} from outside  (CPUs {})",
            self.name, self.cpus
        )
    }
}

/// The groups at one level.
#[derive(Clone, Debug)]
struct GroupLevel {
    level: CpuLevel,
    /// The CPUs of each, as a list.
    lists: Vec<String>,
    /// The group of a CPU.
    of_cpu: BTreeMap<usize, usize>,
    /// Of each: hires from within, and from outside.
    hires: Vec<[u64; 2]>,
}

/// The groups of CPUs, and where the workers were last seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    levels: Vec<GroupLevel>,
    on: Vec<Option<usize>>,
}

impl Groups {
    /// Sees where the workers are.
    pub fn look(&mut self, seen: &Snapshot) {
        if self.levels.is_empty() {
            // What was read is not printed as it is.
            let clean = |list: &String| numbers(list).map_or(String::new(), ranges);
            let level = |(level, lists): &(CpuLevel, Vec<String>)| {
                let cpus = lists
                    .iter()
                    .zip(0..)
                    .flat_map(|(list, group)| numbers(list).into_iter().flatten().map(move |cpu| (cpu, group)));
                GroupLevel {
                    level: *level,
                    lists: lists.iter().map(clean).collect(),
                    of_cpu: cpus.collect(),
                    hires: vec![[0; 2]; lists.len()],
                }
            };
            self.levels = seen.groups.iter().map(level).collect();
        }
        self.on.resize(seen.workers.len(), None);
        self.on.iter_mut().zip(&seen.workers).for_each(|(on, worker)| *on = worker.on.or(*on));
    }

    /// Counts a hire, if both workers were seen.
    pub fn hired(&mut self, by: usize, worker: usize) {
        let on = |worker: usize| self.on.get(worker).copied().flatten();
        let Some((giver, taker)) = on(by).zip(on(worker)) else { return };
        for GroupLevel { of_cpu, hires, .. } in &mut self.levels {
            if let Some((from, to)) = of_cpu.get(&giver).zip(of_cpu.get(&taker)) {
                hires[*to][usize::from(from != to)] += 1;
            }
        }
    }
}

impl GroupLevel {
    /// The workers that were last seen on the CPUs of a group.
    fn members(&self, group: usize, on: &[Option<usize>]) -> Vec<usize> {
        let is_in = |on: &Option<usize>| on.is_some_and(|cpu| self.of_cpu.get(&cpu) == Some(&group));
        (0..).zip(on).filter(|(_, on)| is_in(on)).map(|(worker, _)| worker).collect()
    }

    fn name(&self, group: usize) -> String {
        format!("{} {group}", self.level.name())
    }
}

impl Balance {
    /// What the workers of each group did, by level; empty where nothing tells some CPUs from others.
    pub(super) fn groups(&self) -> Vec<GroupUse> {
        self.each_group().map(|(level, group)| self.group(level, group)).collect()
    }

    /// The name and the workers of each group.
    pub(super) fn group_members(&self) -> impl Iterator<Item = (String, Vec<usize>)> {
        self.each_group().map(|(level, group)| (level.name(group), level.members(group, &self.groups.on)))
    }

    fn each_group(&self) -> impl Iterator<Item = (&GroupLevel, usize)> {
        self.groups.levels.iter().flat_map(|level| (0..level.lists.len()).map(move |group| (level, group)))
    }

    fn group(&self, level: &GroupLevel, group: usize) -> GroupUse {
        let own = level.members(group, &self.groups.on);
        let times: Vec<TimeUse> = own.iter().filter_map(|worker| self.time_of(*worker)).collect();
        let [hires_within, hires_from] = level.hires[group];
        GroupUse {
            kind: if level.level == CpuLevel::Kind { "core" } else { level.level.name() },
            name: level.name(group),
            cpus: level.lists[group].clone(),
            workers: own.len(),
            time: TimeUse::mean(times.into_iter()),
            nodes: own.iter().filter_map(|worker| self.seen.workers.get(*worker)).map(|worker| worker.nodes).sum(),
            hires_within,
            hires_from,
            waits: self.waits_of(own.into_iter()),
        }
    }
}
