//! Groups of cores of this machine that are near to each other: cores that share a level 3 cache, or else a memory node.
//!
//! A worker belongs to the group of the core on which it was last seen; the operating system may move the worker.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The group of every core, from 0; empty where all cores are in one group or the groups are unknown.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Places(BTreeMap<usize, usize>);

impl Places {
    /// Groups of this machine, read at the first call.
    pub fn here() -> &'static Places {
        static HERE: OnceLock<Places> = OnceLock::new();
        HERE.get_or_init(|| Places::below(Path::new("/")))
    }

    /// Groups that the files below this folder tell.
    fn below(root: &Path) -> Places {
        let cores: BTreeMap<usize, PathBuf> = files(&root.join("sys/devices/system/cpu"))
            .filter_map(|(name, path)| Some((name.strip_prefix("cpu")?.parse().ok()?, path)))
            .collect();
        let cache = |core: &Path| fs::read_to_string(core.join("cache/index3/shared_cpu_list")).ok();
        let node = |core: &Path| {
            files(core)
                .map(|(name, _)| name)
                .find(|name| name.strip_prefix("node").is_some_and(|number| number.parse::<usize>().is_ok()))
        };
        let by_cache = grouped(&cores, cache);
        Places(if by_cache.is_empty() { grouped(&cores, node) } else { by_cache })
    }

    /// Group of a core; `None` on a machine with one group.
    pub fn group(&self, core: usize) -> Option<usize> {
        self.0.get(&core).copied()
    }
}

/// Pins the calling thread, the thread of a worker, to one of the cores on which it may run. Workers with neighbouring
/// numbers get neighbouring cores. If there are more workers than cores, cores get several workers.
#[cfg(target_os = "linux")]
pub fn pin(worker: usize) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let Ok(allowed) = sched_getaffinity(None) else { return };
    let mut cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    cores.sort_by_key(|&core| (Places::here().group(core), core));
    if let Some(&core) = cores.get(worker % cores.len().max(1)) {
        let mut one = CpuSet::new();
        one.set(core);
        // If the system refuses, the thread is not pinned, which is no failure.
        let _ = sched_setaffinity(None, &one);
    }
}

/// Does nothing: on this system a thread cannot be pinned.
#[cfg(not(target_os = "linux"))]
pub fn pin(_: usize) {}

/// Names and paths of the entries of a folder.
fn files(folder: &Path) -> impl Iterator<Item = (String, PathBuf)> + use<> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| Some((file.file_name().into_string().ok()?, file.path())))
}

/// Groups of cores that share a name, in the order of the first core of each group. Empty if there is one group, or if each
/// core is a group, as on some virtual machines.
fn grouped(cores: &BTreeMap<usize, PathBuf>, name: impl Fn(&Path) -> Option<String>) -> BTreeMap<usize, usize> {
    let mut names: Vec<String> = Vec::new();
    let mut groups = BTreeMap::new();
    for (&core, path) in cores {
        let Some(name) = name(path) else { continue };
        let known = names.iter().position(|known| *known == name);
        groups.insert(core, known.unwrap_or(names.len()));
        if known.is_none() {
            names.push(name);
        }
    }
    if (2..cores.len()).contains(&names.len()) { groups } else { BTreeMap::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of eight cores with these files, from core 0 on.
    fn groups(files: impl Fn(usize) -> Vec<(String, String)>) -> Vec<Option<usize>> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in (0..8).flat_map(files) {
            let path = root.path().join("sys/devices/system/cpu").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let places = Places::below(root.path());
        (0..8).map(|core| places.group(core)).collect()
    }

    fn cache(core: usize, shared: impl ToString) -> (String, String) {
        (format!("cpu{core}/cache/index3/shared_cpu_list"), shared.to_string())
    }

    fn node(core: usize, node: usize) -> (String, String) {
        (format!("cpu{core}/node{node}/cpulist"), String::new())
    }

    #[test]
    fn cores_that_share_a_cache_are_a_group_and_else_those_of_a_node() {
        let halves = [0, 0, 0, 0, 1, 1, 1, 1].map(Some).to_vec();
        // On some machines neighbouring numbers belong to different caches.
        let round = [0, 1, 0, 1, 0, 1, 0, 1].map(Some).to_vec();
        assert_eq!(groups(|core| vec![cache(core, core % 2), node(core, core / 4)]), round);
        assert_eq!(groups(|core| vec![cache(core, "0-7"), node(core, core / 4)]), halves);
        assert_eq!(groups(|core| vec![cache(core, core), node(core, core / 4)]), halves, "a cache each is none");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_worker_that_is_pinned_has_one_core_and_neighbours_have_others() {
        use rustix::thread::{sched_getaffinity, sched_getcpu};
        let all = sched_getaffinity(None).unwrap().count() as usize;
        let pinned = |worker| {
            let own = move || {
                pin(worker);
                (sched_getaffinity(None).unwrap().count(), sched_getcpu())
            };
            std::thread::spawn(own).join().unwrap()
        };
        let (first, second, again) = (pinned(0), pinned(1), pinned(all));
        assert_eq!((first.0, second.0), (1, 1));
        assert_eq!((first.1 == second.1, again), (all == 1, first));
    }

    #[test]
    fn a_single_group_counts_as_none() {
        let nothing = vec![None; 8];
        assert_eq!(groups(|core| vec![cache(core, "0-7"), node(core, 0)]), nothing);
        assert_eq!(groups(|core| vec![(format!("cpu{core}/online"), "1".into())]), nothing);
        assert_eq!(groups(|_| Vec::new()), nothing);
    }
}
