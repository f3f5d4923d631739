//! The thread of a worker: its CPU time, how often the system switched it off its core, and the core on which it runs.
//!
//! A clock is read only where the worker has left its loop anyway: when it hands a branch over, writes tours, or has stopped
//! for a break. Linux tells the switches of each thread in `/proc`. A worker reads its own, once a second and at its end,
//! because a thread that has ended has none. Cores that share a level 3 cache, or else a memory node, are near to each other,
//! and a worker belongs to the group of the core on which it was last seen; the operating system may move the worker.

use crate::schedule::figures::cells::Time;
use crate::schedule::figures::workers::ContextSwitches;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// A worker measures each of its first hand-overs up to this number, and after that one hand-over in this many. To read the
/// CPU clock of a thread is a system call, which under some hypervisors takes microseconds.
const SAMPLED: u64 = 16;

/// CPU time of the calling thread.
pub fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// Measures the CPU time of a hand-over, or of one in [`SAMPLED`]. Wall time would not do: the thread that is woken often
/// takes the core of the thread that wakes it.
pub struct HandOverClock {
    began: Option<Duration>,
    weight: u32,
}

impl HandOverClock {
    /// Starts before hand-over number `made` of a worker, counted from 0.
    pub fn start(made: u64) -> HandOverClock {
        let is_first = made < SAMPLED;
        let began = (is_first || made.is_multiple_of(SAMPLED)).then(cpu_time);
        HandOverClock { began, weight: if is_first { 1 } else { SAMPLED as u32 } }
    }

    /// Adds the time of the hand-over, and that of those that are not measured.
    pub fn stop(self, hand_over: &Time) {
        if let Some(began) = self.began {
            hand_over.add(cpu_time().saturating_sub(began) * self.weight);
        }
    }
}

/// More bytes than the files have on most machines: 1,500 and 2,000.
const TEXT_BYTES: usize = 1 << 13;

/// The switches of the calling thread since it began; `None` where the system does not tell.
pub fn switches() -> Option<ContextSwitches> {
    let status = read(&text_of("/proc/thread-self/status")?)?;
    // Not every kernel has this file.
    let migrations = text_of("/proc/thread-self/sched").and_then(|text| figure(&text, "se.nr_migrations"));
    Some(ContextSwitches { migrations, ..status })
}

/// The text of a file of `/proc`. Its length is not known before it is read: with room for it that takes two reads, and ten
/// without.
fn text_of(path: &str) -> Option<String> {
    let mut text = String::with_capacity(TEXT_BYTES);
    File::open(path).ok()?.read_to_string(&mut text).ok()?;
    Some(text)
}

/// The figures in the text of the status.
fn read(status: &str) -> Option<ContextSwitches> {
    let voluntary = figure(status, "voluntary_ctxt_switches")?;
    let forced = figure(status, "nonvoluntary_ctxt_switches")?;
    Some(ContextSwitches { voluntary, forced, migrations: None })
}

/// The whole number behind a name and a colon.
fn figure(text: &str, name: &str) -> Option<u32> {
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix(':'));
    let value: u64 = value?.trim().parse().ok()?;
    Some(u32::try_from(value).unwrap_or(u32::MAX))
}

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
        // Two cores are one group, or a group each.
        if cores.len() < 3 {
            return Places::default();
        }
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

/// Core on which the calling thread runs, if the system tells it.
pub fn core() -> Option<usize> {
    #[cfg(target_os = "linux")]
    return Some(rustix::thread::sched_getcpu());
    #[cfg(not(target_os = "linux"))]
    None
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
    use crate::schedule::figures::cells::FigureCell as _;
    use crate::schedule::figures::workers::WorkerCells;

    #[test]
    fn one_hand_over_in_sixteen_stands_for_the_others() {
        let weights = (0..160).map(HandOverClock::start);
        let weights: Vec<u32> = weights.filter(|clock| clock.began.is_some()).map(|clock| clock.weight).collect();
        assert_eq!((weights.len(), weights.iter().sum::<u32>()), (16 + 9, 160));
        let hand_over = Time::default();
        let clock = HandOverClock { began: Some(Duration::ZERO), weight: 2 };
        let before = cpu_time();
        clock.stop(&hand_over);
        assert!(hand_over.get() >= before * 2);
    }

    #[test]
    fn figures_are_those_of_the_files() {
        let status = "Name:\tdestrier\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t345\n";
        assert_eq!(read(status), Some(ContextSwitches { voluntary: 12, forced: 345, migrations: None }));
        assert_eq!(read("voluntary_ctxt_switches:\tnone\n"), None);
        let scheduling = "se.nr_migrations                 :          6\nnr_switches : 357\n";
        assert_eq!(figure(scheduling, "se.nr_migrations"), Some(6));
    }

    #[test]
    fn what_is_published_is_read() {
        let cells = WorkerCells::default().switches;
        assert_eq!(cells.read(Duration::ZERO), None);
        for migrations in [None, Some(0), Some(7)] {
            let switches = ContextSwitches { voluntary: 1, forced: 2, migrations };
            cells.set(|cells| cells.set(switches));
            assert_eq!(cells.read(Duration::ZERO), Some(switches));
        }
    }

    /// A thread that sleeps is switched off its core, where the system tells it.
    #[test]
    fn a_thread_that_sleeps_is_switched() {
        let Some(before) = switches() else {
            eprintln!("skipped: the system does not tell how often a thread lost its core");
            return;
        };
        std::thread::sleep(std::time::Duration::from_millis(1));
        assert!(switches().unwrap().voluntary > before.voluntary);
    }

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
