//! How the CPUs that this process may use hang together: which of them share a core, a level 3 cache, a memory node or a socket,
//! and of which kind their cores are.
//!
//! ```text
//!   socket | 0                                 | 1
//!   cache  | 0               | 1               | 2               | 3
//!   core   | 0      | 1      | 2      | 3      | 4      | 5      | 6      | 7
//!   CPU    | 0, 8   | 1, 9   | 2, 10  | 3, 11  | 4, 12  | 5, 13  | 6, 14  | 7, 15
//! ```
//!
//! Linux tells it in small files. Numbers of CPUs have gaps, CPUs that are switched off have no files, and a container may show
//! those of another machine: what is not told of every CPU is not known.

use super::root::{Root, numbers, ranges};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What CPUs have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CpuLevel {
    Core,
    Cache,
    Node,
    Socket,
    /// How fast their cores are; kind 0 is the fastest.
    Kind,
}

impl CpuLevel {
    pub fn name(self) -> &'static str {
        ["core", "cache", "node", "socket", "kind"][self as usize]
    }
}

/// The level that groups workers: the first of these that tells some CPUs from others.
const NEAR: [CpuLevel; 3] = [CpuLevel::Cache, CpuLevel::Node, CpuLevel::Socket];
/// Cores are of another kind from a tenth less speed on: cores of one kind differ by some per cent.
const SLOWER: f64 = 0.9;

/// The CPUs of this process, and their groups at each level.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Topology {
    /// Their numbers, ascending.
    cpus: Vec<usize>,
    /// At each level the group of each, from 0 in the order of their first CPUs; empty where that is not known.
    levels: [Vec<usize>; 5],
}

impl Topology {
    /// That of this machine, read at the first call.
    pub fn here() -> &'static Topology {
        static HERE: OnceLock<Topology> = OnceLock::new();
        HERE.get_or_init(|| Topology::of(&Root::here()))
    }

    /// What the files below a root tell.
    pub fn of(root: &Root) -> Topology {
        let online = root.read(CPUS.to_owned() + "/online").and_then(|list| numbers(&list));
        let allowed = root.field("proc/self/status", "Cpus_allowed_list").and_then(|list| numbers(&list));
        let cpus: Vec<usize> = match (allowed, online) {
            (Some(allowed), Some(online)) => allowed.intersection(&online).copied().collect(),
            (allowed, online) => allowed.or(online).unwrap_or_default().into_iter().collect(),
        };
        let folders: Vec<PathBuf> = cpus.iter().map(|cpu| Path::new(CPUS).join(format!("cpu{cpu}"))).collect();
        let named = |name: fn(&Root, &Path) -> Option<String>| {
            folders.iter().map(|folder| name(root, folder)).collect::<Option<_>>().map_or(Vec::new(), in_order)
        };
        let levels = [named(core), named(cache), named(node), named(socket), kinds(root, &cpus, &folders)];
        Topology { cpus, levels }
    }

    /// The group of a CPU at a level.
    pub fn group(&self, cpu: usize, level: CpuLevel) -> Option<usize> {
        self.levels[level as usize].get(self.cpus.binary_search(&cpu).ok()?).copied()
    }

    /// The number of groups at a level.
    pub fn number(&self, level: CpuLevel) -> Option<usize> {
        self.levels[level as usize].iter().max().map(|last| last + 1)
    }

    /// The group of CPUs near to each other; `None` where all are in one, or each is alone.
    pub fn near(&self, cpu: usize) -> Option<usize> {
        self.group(cpu, self.nearness()?)
    }

    /// The level of [`Topology::near`].
    pub fn nearness(&self) -> Option<CpuLevel> {
        NEAR.into_iter().find(|level| self.tells(*level))
    }

    /// The lists of each level above cores that tells some CPUs from others.
    pub fn groups(&self) -> Vec<(CpuLevel, Vec<String>)> {
        let levels = NEAR.into_iter().chain([CpuLevel::Kind]).filter(|level| self.tells(*level));
        levels.map(|level| (level, self.lists(level))).collect()
    }

    /// Whether a level tells some CPUs from others.
    fn tells(&self, level: CpuLevel) -> bool {
        self.number(level).is_some_and(|some| (2..self.cpus.len()).contains(&some))
    }

    /// The CPUs of each group at a level, as lists such as `0-3,8`.
    pub fn lists(&self, level: CpuLevel) -> Vec<String> {
        let of = |group: usize| self.cpus.iter().copied().filter(move |cpu| self.group(*cpu, level) == Some(group));
        (0..self.number(level).unwrap_or(0)).map(|group| ranges(of(group))).collect()
    }

    /// The least and the most groups of the level `inner`, or CPUs, in a group of the level `outer`.
    pub fn within(&self, outer: CpuLevel, inner: Option<CpuLevel>) -> Option<[usize; 2]> {
        let mut members = vec![BTreeSet::new(); self.number(outer)?];
        for &cpu in &self.cpus {
            members[self.group(cpu, outer)?].insert(inner.map_or(Some(cpu), |inner| self.group(cpu, inner))?);
        }
        let numbers = || members.iter().map(BTreeSet::len);
        Some([numbers().min()?, numbers().max()?])
    }

    /// Why all CPUs are one group.
    pub fn why_one(&self) -> &'static str {
        match NEAR.map(|level| self.number(level)) {
            _ if self.cpus.is_empty() => "the system does not tell which CPUs this program may use",
            [None, None, None] => "the system does not tell how they hang together",
            _ => "no cache, memory node or socket tells some of them from others",
        }
    }
}

/// The folder of the CPUs.
const CPUS: &str = "sys/devices/system/cpu";

/// The CPUs of its core.
fn core(root: &Root, cpu: &Path) -> Option<String> {
    let told = ["core_cpus_list", "thread_siblings_list"].into_iter().find_map(|name| topology(root, cpu, name));
    told.or_else(|| Some(format!("{} {}", socket(root, cpu)?, topology(root, cpu, "core_id")?)))
}

/// The CPUs that share its cache of level 3.
fn cache(root: &Root, cpu: &Path) -> Option<String> {
    let caches = (0..8).map(|index| cpu.join(format!("cache/index{index}")));
    let mut shared = caches.filter(|cache| root.read(cache.join("level")).as_deref() == Some("3"));
    root.read(shared.next()?.join("shared_cpu_list"))
}

/// Its memory node: a link in its folder.
fn node(root: &Root, cpu: &Path) -> Option<String> {
    let files = fs::read_dir(root.0.join(cpu)).ok()?.flatten();
    let mut names = files.filter_map(|file| file.file_name().into_string().ok());
    names.find(|name| name.strip_prefix("node").is_some_and(|number| number.parse::<usize>().is_ok()))
}

/// Its socket. Some machines give every CPU the number -1.
fn socket(root: &Root, cpu: &Path) -> Option<String> {
    topology(root, cpu, "physical_package_id").filter(|number| !number.starts_with('-'))
}

fn topology(root: &Root, cpu: &Path, name: &str) -> Option<String> {
    root.read(cpu.join("topology").join(name))
}

/// The kinds of the cores: as two lists of the kernel say, or by how fast it says that each is.
fn kinds(root: &Root, cpus: &[usize], folders: &[PathBuf]) -> Vec<usize> {
    let listed = ["cpu_core", "cpu_atom"].map(|kind| root.read(format!("sys/devices/{kind}/cpus")));
    if let [Some(fast), Some(slow)] = listed.map(|list| numbers(&list?)) {
        let kind = |cpu| fast.contains(cpu).then_some(0).or(slow.contains(cpu).then_some(1));
        return cpus.iter().map(kind).collect::<Option<_>>().unwrap_or_default();
    }
    let speeds = |file: &str| -> Option<Vec<f64>> {
        folders.iter().map(|folder| root.read(folder.join(file))?.parse().ok()).collect()
    };
    let Some(speeds) = speeds("cpu_capacity").or_else(|| speeds("cpufreq/cpuinfo_max_freq")) else { return Vec::new() };
    let mut sorted = speeds.clone();
    sorted.sort_by(|a, b| b.total_cmp(a));
    // The fastest of each kind.
    sorted.dedup_by(|slower, faster| *slower >= SLOWER * *faster);
    speeds.iter().map(|speed| sorted.iter().filter(|fastest| *speed < SLOWER * **fastest).count()).collect()
}

/// A number for each name, from 0 in the order in which they come.
fn in_order(names: Vec<String>) -> Vec<usize> {
    let mut known: Vec<&String> = Vec::new();
    let mut number = |name| {
        known.iter().position(|known| *known == name).unwrap_or_else(|| {
            known.push(name);
            known.len() - 1
        })
    };
    names.iter().map(&mut number).collect()
}

#[cfg(test)]
mod tests {
    use super::super::root::tests::machine;
    use super::*;

    /// A file of a CPU.
    fn file(cpu: usize, name: &str, text: impl ToString) -> (String, String) {
        (format!("{CPUS}/cpu{cpu}/{name}"), text.to_string())
    }

    /// A CPU of a box with so many sockets, each with so many cores of two threads, four cores to a cache; a node is a socket.
    /// The second thread of a core has a number behind those of all first ones.
    fn boxed(cpu: usize, sockets: usize, cores: usize) -> Vec<(String, String)> {
        let first = cpu % (sockets * cores);
        let socket = first / cores;
        vec![
            file(cpu, "topology/physical_package_id", socket),
            file(cpu, "topology/core_cpus_list", format!("{first},{}", first + sockets * cores)),
            file(cpu, "cache/index2/level", 2),
            file(cpu, "cache/index3/level", 3),
            file(cpu, "cache/index3/shared_cpu_list", format!("cache {}", first / 4)),
            file(cpu, &format!("node{socket}/cpulist"), ""),
        ]
    }

    fn of(files: impl IntoIterator<Item = (String, String)>, online: &str, allowed: &str) -> Topology {
        let lists = [("online", online)].map(|(name, list)| (format!("{CPUS}/{name}"), list.to_owned()));
        let status = ("proc/self/status".to_owned(), format!("Cpus_allowed_list:\t{allowed}\n"));
        let files: Vec<_> = files.into_iter().chain(lists).chain([status]).collect();
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        Topology::of(&Root(machine(&files).path()))
    }

    fn levels(topology: &Topology) -> [Option<usize>; 5] {
        [CpuLevel::Core, CpuLevel::Cache, CpuLevel::Node, CpuLevel::Socket, CpuLevel::Kind]
            .map(|level| topology.number(level))
    }

    #[test]
    fn a_box_of_two_sockets_with_four_caches_and_what_an_affinity_leaves_of_it() {
        let all = || (0..32).flat_map(|cpu| boxed(cpu, 2, 8));
        let whole = of(all(), "0-31", "0-31");
        assert_eq!(levels(&whole), [Some(16), Some(4), Some(2), Some(2), None]);
        assert_eq!(whole.lists(CpuLevel::Cache), ["0-3,16-19", "4-7,20-23", "8-11,24-27", "12-15,28-31"]);
        let told = whole.groups().into_iter().map(|(level, lists)| (level, lists.len()));
        assert_eq!(told.collect::<Vec<_>>(), [(CpuLevel::Cache, 4), (CpuLevel::Node, 2), (CpuLevel::Socket, 2)]);
        assert_eq!((whole.near(5), whole.near(30), whole.near(32)), (Some(1), Some(3), None));
        assert_eq!(whole.within(CpuLevel::Socket, Some(CpuLevel::Core)), Some([8, 8]));
        let part = of(all(), "0-31", "0-9,16-17");
        assert_eq!(levels(&part), [Some(10), Some(3), Some(2), Some(2), None]);
        assert_eq!(part.within(CpuLevel::Core, None), Some([1, 2]));
        // Of one cache, all are in one group.
        let one = of(all(), "0-31", "0-3");
        assert_eq!(
            (one.near(0), one.why_one()),
            (None, "no cache, memory node or socket tells some of them from others")
        );
        assert_eq!(one.groups(), []);
    }

    #[test]
    fn cpus_that_are_switched_off_and_gaps_in_the_numbers_change_no_group() {
        // Sixteen CPUs of two sockets, of which 3 and 13 have no files but their folders.
        let on = |cpu: &usize| ![3, 13].contains(cpu);
        let files = (0..16).filter(on).flat_map(|cpu| boxed(cpu, 2, 4));
        let topology = of(files.chain([file(3, "online", 0)]), "0-2,4-12,14-15", "0-15");
        assert_eq!(levels(&topology), [Some(8), Some(2), Some(2), Some(2), None]);
        assert_eq!(topology.within(CpuLevel::Core, None), Some([1, 2]));
        assert_eq!(topology.lists(CpuLevel::Socket), ["0-2,8-11", "4-7,12,14-15"]);
        let far = of(
            (0..8).flat_map(|cpu| boxed(cpu, 2, 4)).map(|(path, text)| (path.replace("/cpu", "/cpu10"), text)),
            "100-107",
            "100-107",
        );
        assert_eq!(far.cpus.len(), 8);
    }

    #[test]
    fn a_thousand_cpus_and_more_are_told_apart() {
        for (cpus, caches) in [(128, 16), (1280, 160)] {
            let topology = of((0..cpus).flat_map(|cpu| boxed(cpu, 2, cpus / 4)), &format!("0-{}", cpus - 1), "0-4095");
            assert_eq!(levels(&topology), [Some(cpus / 2), Some(caches), Some(2), Some(2), None]);
            assert_eq!(topology.near(cpus - 1), Some(caches - 1));
        }
    }

    #[test]
    fn kinds_of_cores_are_those_of_the_kernel_or_those_of_their_speeds() {
        let fast = |cpu: usize| if cpu < 4 { 5_200_000 - 100_000 * (cpu % 2) } else { 3_900_000 };
        let by_speed = of((0..8).map(|cpu| file(cpu, "cpufreq/cpuinfo_max_freq", fast(cpu))), "0-7", "0-7");
        assert_eq!(by_speed.lists(CpuLevel::Kind), ["0-3", "4-7"]);
        let capacity = |cpu: usize| [1024, 870, 870, 430][cpu / 2];
        let by_capacity = of((0..8).map(|cpu| file(cpu, "cpu_capacity", capacity(cpu))), "0-7", "0-7");
        assert_eq!(by_capacity.lists(CpuLevel::Kind), ["0-1", "2-5", "6-7"]);
        let lists = [("core", "0-5"), ("atom", "6-7")];
        let lists = lists.map(|(kind, list)| (format!("sys/devices/cpu_{kind}/cpus"), list.to_owned()));
        assert_eq!(of(lists, "0-7", "0-7").lists(CpuLevel::Kind), ["0-5", "6-7"]);
    }

    #[test]
    fn what_is_not_told_of_every_cpu_is_one_group_with_a_reason() {
        let silent = "the system does not tell how they hang together";
        let none = "the system does not tell which CPUs this program may use";
        // Files of the CPUs of another machine, or of some alone.
        let other = of((0..4).flat_map(|cpu| boxed(cpu, 1, 8)), "0-3", "12-15");
        let some = of((0..4).flat_map(|cpu| boxed(cpu, 1, 8)), "0-7", "0-7");
        let nothing = of([], "0-7", "0-7");
        let no_list = Topology::of(&Root(machine(&[]).path()));
        for (topology, why) in [(other, none), (some, silent), (nothing, silent), (no_list, none)] {
            assert_eq!((topology.near(0), topology.why_one()), (None, why), "{topology:?}");
        }
        // A node tells where caches do not; a group each is none.
        let alone =
            |cpu: usize| vec![file(cpu, "cache/index3/level", 3), file(cpu, "cache/index3/shared_cpu_list", cpu)];
        let nodes = of(
            (0..8).flat_map(|cpu| [alone(cpu), vec![file(cpu, &format!("node{}/x", cpu / 4), "")]].concat()),
            "0-7",
            "0-7",
        );
        assert_eq!(nodes.nearness(), Some(CpuLevel::Node));
        assert_eq!(of((0..8).flat_map(alone), "0-7", "0-7").nearness(), None);
    }
}
