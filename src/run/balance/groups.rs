//! Groups of CPUs, such as those that share a cache: what the workers in each did, and how many hires stayed within.
//!
//! A worker is in the groups of the CPU on which it was last seen, and a hire is of the groups of giver and taker at the look that
//! came with its event. A worker that is not pinned may move in between. Workers that were seen on none are a group of their own,
//! so that the hires of all groups are those of the run.

use super::gauge::Balance;
use super::pairs::{Matrix, SHOWN_MAX};
use super::waits::WaitFigures;
use crate::run::spent::TimeUse;
use crate::schedule::Snapshot;
use crate::system::{CpuLevel, numbers, ranges};
use crate::words::{count, number_of, share};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What the workers of one group of CPUs did.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GroupUse {
    /// What its CPUs share: `cache`, `node`, `socket`, or for kinds of cores `core`.
    pub kind: &'static str,
    pub name: String,
    /// Empty for the workers that were seen on none.
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
    /// Its place among the groups of all kinds.
    #[serde(skip)]
    pub place: usize,
    /// The numbers of the workers.
    #[serde(skip)]
    pub members: Vec<usize>,
}

impl GroupUse {
    /// The group in a line.
    pub fn line(&self) -> String {
        let (workers, nodes) = (number_of(self.workers, "worker"), count(self.nodes));
        let [within, from] = [self.hires_within, self.hires_from].map(count);
        let cpus = if self.cpus.is_empty() { "on no CPU".to_owned() } else { format!("CPUs {}", self.cpus) };
        format!(
            "{:<9}  {workers:<11}  {nodes:>6} nodes  hired {within} within, {from} from outside  ({cpus})",
            self.name
        )
    }
}

/// Workers of the largest crew whose hires are shown by their pairs where there are groups.
const PAIRS_READ: usize = 16;

/// What groups of this kind have in common, in words.
pub fn group_noun(kind: &'static str) -> &'static str {
    if kind == CORES { "kind of core" } else { kind }
}

/// Kinds of cores, in JSON.
const CORES: &str = "core";
/// The workers that were seen on no CPU.
const NOT_SEEN: &str = "not seen";

/// The groups at one level.
#[derive(Clone, Debug)]
struct GroupLevel {
    level: CpuLevel,
    cpus: Vec<BTreeSet<usize>>,
    /// Of each, and at last of the workers that were seen on none: hires of its workers by those of each.
    hires: Vec<Vec<u64>>,
}

impl GroupLevel {
    fn of(&self, cpu: Option<usize>) -> usize {
        cpu.and_then(|cpu| self.cpus.iter().position(|own| own.contains(&cpu))).unwrap_or(self.cpus.len())
    }

    fn kind(&self) -> &'static str {
        if self.level == CpuLevel::Kind { CORES } else { self.level.name() }
    }

    fn name(&self, group: usize) -> String {
        if group < self.cpus.len() { format!("{} {group}", self.level.name()) } else { NOT_SEEN.to_owned() }
    }
}

/// The groups of CPUs, and where the workers were last seen.
#[derive(Clone, Debug, Default)]
pub struct WorkerGroups {
    levels: Vec<GroupLevel>,
    on: Vec<Option<usize>>,
}

impl WorkerGroups {
    /// Sees where the workers are.
    pub fn look(&mut self, seen: &Snapshot) {
        if self.levels.is_empty() {
            let level = |(level, lists): &(CpuLevel, Vec<String>)| {
                let cpus = lists.iter().map(|list| numbers(list).unwrap_or_default()).collect();
                GroupLevel { level: *level, cpus, hires: vec![vec![0; lists.len() + 1]; lists.len() + 1] }
            };
            self.levels = seen.groups.iter().map(level).collect();
        }
        self.on.resize(seen.workers.len(), None);
        self.on.iter_mut().zip(&seen.workers).for_each(|(on, worker)| *on = worker.on.or(*on));
    }

    /// Counts a hire.
    pub fn hired(&mut self, by: usize, worker: usize) {
        let [giver, taker] = [by, worker].map(|worker| self.on.get(worker).copied().flatten());
        for level in &mut self.levels {
            let (from, to) = (level.of(giver), level.of(taker));
            level.hires[to][from] += 1;
        }
    }

    /// Each level with the place of its first group.
    fn placed(&self) -> impl Iterator<Item = (usize, &GroupLevel)> {
        let next = |level: &GroupLevel| level.cpus.len() + 1;
        self.levels.iter().scan(0, move |first, level| Some((std::mem::replace(first, *first + next(level)), level)))
    }

    /// The number of groups of all kinds.
    pub fn number(&self) -> usize {
        self.placed().last().map_or(0, |(first, level)| first + level.cpus.len() + 1)
    }

    /// The places of the groups that a worker is in.
    pub fn places_of(&self, worker: usize) -> impl Iterator<Item = usize> {
        let on = self.on.get(worker).copied().flatten();
        self.placed().map(move |(first, level)| first + level.of(on))
    }

    /// Each group, with the workers that were last seen on its CPUs; at last those that were seen on none, if there are any or
    /// they were hired.
    fn each(&self) -> impl Iterator<Item = (usize, &GroupLevel, usize, Vec<usize>)> {
        self.placed().flat_map(|(first, level)| {
            let mut members = vec![Vec::new(); level.cpus.len() + 1];
            self.on.iter().zip(0..).for_each(|(on, worker)| members[level.of(*on)].push(worker));
            let all = members.into_iter().enumerate().map(move |(group, own)| (first + group, level, group, own));
            all.filter(|(_, level, group, own)| {
                *group < level.cpus.len() || !own.is_empty() || level.hires[*group].iter().any(|&hires| hires > 0)
            })
        })
    }
}

impl Balance {
    /// What the workers of each group did, by level; empty where nothing tells some CPUs from others.
    pub fn groups(&self) -> Vec<GroupUse> {
        self.groups.each().map(|(place, level, group, own)| self.group(place, level, group, own)).collect()
    }

    /// Hires from group to group at the first level, of a crew with too many workers to look at the pairs of them.
    pub(super) fn group_matrix(&self) -> Option<Matrix> {
        let level = self.groups.levels.first().filter(|_| self.own.len() > PAIRS_READ)?;
        if level.cpus.len() > SHOWN_MAX {
            return None;
        }
        let all: Vec<usize> = (0..level.cpus.len()).collect();
        let hires: Vec<Vec<u64>> =
            all.iter().map(|&by| all.iter().map(|&hired| level.hires[hired][by]).collect()).collect();
        let most = hires.iter().flatten().copied().max().filter(|&most| most > 0)?;
        let within: u64 = all.iter().map(|&group| hires[group][group]).sum();
        let of_groups = Some((group_noun(level.kind()), share(within, hires.iter().flatten().sum())));
        Some(Matrix { hirers: all.clone(), helpers: all, hires, most, whole: true, of_groups })
    }

    /// The workers by where they were last seen: by socket, and in each by cache.
    pub fn by_place(&self) -> BTreeMap<[usize; 2], Vec<usize>> {
        let level = |level| self.groups.levels.iter().find(|known| known.level == level);
        let levels = [CpuLevel::Socket, CpuLevel::Cache].map(level);
        let mut places = BTreeMap::<_, Vec<usize>>::new();
        for (worker, on) in self.groups.on.iter().enumerate() {
            places.entry(levels.map(|level| level.map_or(0, |level| level.of(*on)))).or_default().push(worker);
        }
        places
    }

    /// The name and the workers of each group.
    pub(super) fn group_members(&self) -> impl Iterator<Item = (String, Vec<usize>)> {
        self.groups.each().map(|(_, level, group, own)| (level.name(group), own))
    }

    fn group(&self, place: usize, level: &GroupLevel, group: usize, own: Vec<usize>) -> GroupUse {
        let times: Vec<TimeUse> = own.iter().filter_map(|worker| self.time_of(*worker)).collect();
        let hires_within = level.hires[group][group];
        GroupUse {
            kind: level.kind(),
            name: level.name(group),
            cpus: ranges(level.cpus.get(group).into_iter().flatten().copied()),
            workers: own.len(),
            time: TimeUse::mean(times.into_iter()),
            nodes: own.iter().filter_map(|worker| self.seen.workers.get(*worker)).map(|worker| worker.nodes).sum(),
            hires_within,
            hires_from: level.hires[group].iter().sum::<u64>() - hires_within,
            waits: self.waits_of(own.iter().copied()),
            place,
            members: own,
        }
    }
}
