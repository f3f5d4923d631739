//! The cores that this process may use, and the limit of CPU time that its control group sets.

use super::root::Root;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

/// A control group that limits the CPU time of its processes.
#[derive(Clone, PartialEq, Debug)]
pub struct Quota {
    /// CPU time that the group may use, in cores: seconds of CPU time a second.
    pub cores: f64,
    /// Folder of the group, below the root.
    group: PathBuf,
}

impl Quota {
    /// The least that a control group around this process allows, in either generation of control groups.
    pub fn of(root: &Root) -> Option<Quota> {
        let share = |quota: &str, period: &str| {
            let (quota, period): (f64, f64) = (quota.trim().parse().ok()?, period.trim().parse().ok()?);
            (quota > 0.0 && period > 0.0).then_some(quota / period)
        };
        let quotas = root.groups("cpu").into_iter().filter_map(|group| {
            let cores = match root.read(group.join("cpu.max")) {
                Some(text) => share(text.split_once(' ')?.0, text.split_once(' ')?.1),
                None => {
                    share(&root.read(group.join("cpu.cfs_quota_us"))?, &root.read(group.join("cpu.cfs_period_us"))?)
                }
            };
            Some(Quota { cores: cores?, group })
        });
        quotas.min_by(|a, b| a.cores.total_cmp(&b.cores))
    }

    /// The quota of this process, read once.
    pub fn here() -> Option<&'static Quota> {
        static HERE: OnceLock<Option<Quota>> = OnceLock::new();
        HERE.get_or_init(|| Quota::of(&Root::here())).as_ref()
    }

    /// How long the group has been held back since it was made, added over the cores. `None` where the kernel does not say.
    pub fn held_back(&self, root: &Root) -> Option<Duration> {
        let statistics = root.read(self.group.join("cpu.stat"))?;
        statistics.lines().find_map(|line| match line.split_once(' ')? {
            ("throttled_usec", micros) => micros.trim().parse().ok().map(Duration::from_micros),
            ("throttled_time", nanos) => nanos.trim().parse().ok().map(Duration::from_nanos),
            _ => None,
        })
    }

    /// As many threads as the quota keeps at work, at least one.
    fn threads(&self) -> usize {
        (self.cores as usize).max(1)
    }
}

/// Number of cores on which threads of this process may run, by its affinity, read once. `None` where the system does not say.
pub fn allowed_cores() -> Option<usize> {
    static HERE: OnceLock<Option<usize>> = OnceLock::new();
    *HERE.get_or_init(|| {
        #[cfg(target_os = "linux")]
        if let Ok(cores) = rustix::thread::sched_getaffinity(None) {
            return Some(cores.count() as usize);
        }
        std::thread::available_parallelism().ok().map(usize::from)
    })
}

/// Number of cores that this process keeps at work: those that it may run on, and no more than its control group gives time for.
/// `None` where the system does not say.
pub fn cores() -> Option<usize> {
    let cores = allowed_cores()?;
    Some(Quota::here().map_or(cores, |quota| cores.min(quota.threads())))
}

#[cfg(test)]
mod tests {
    use super::super::root::tests::machine;
    use super::*;

    const NEW: (&str, &str) = ("proc/self/cgroup", "0::/a/b");
    const OLD: (&str, &str) = ("proc/self/cgroup", "3:cpu,cpuacct:/docker/1");

    fn quota(files: &[(&str, &str)]) -> Option<(f64, usize, Option<Duration>)> {
        let machine = machine(files);
        let root = Root(machine.path());
        Quota::of(&root).map(|quota| (quota.cores, quota.threads(), quota.held_back(&root)))
    }

    #[test]
    fn the_tightest_group_counts_in_both_generations() {
        let new = |own: &'static str| {
            let above =
                [("sys/fs/cgroup/a/cpu.max", "150000 100000"), ("sys/fs/cgroup/a/cpu.stat", "throttled_usec 7")];
            let own = [
                ("sys/fs/cgroup/a/b/cpu.max", own),
                ("sys/fs/cgroup/a/b/cpu.stat", "usage_usec 5\nthrottled_usec 9\n"),
            ];
            quota(&[&[NEW], &above[..], &own].concat())
        };
        assert_eq!(new("max 100000"), Some((1.5, 1, Some(Duration::from_micros(7)))));
        assert_eq!(new("5000 100000"), Some((0.05, 1, Some(Duration::from_micros(9)))));
        assert_eq!(new("250000 100000").map(|(cores, ..)| cores), Some(1.5));
        let old = |microseconds: &'static str, statistics: &'static str| {
            let name = |end: &str| format!("sys/fs/cgroup/cpu,cpuacct/docker/1/cpu.{end}");
            let [used, period, stat] = ["cfs_quota_us", "cfs_period_us", "stat"].map(name);
            quota(&[OLD, (&used, microseconds), (&period, "100000"), (&stat, statistics)])
        };
        let statistics = "nr_periods 3\nnr_throttled 2\nthrottled_time 2200000000\n";
        assert_eq!(old("250000", statistics), Some((2.5, 2, Some(Duration::from_millis(2200)))));
        assert_eq!((old("-1", statistics), old("50000", "nr_periods 3\n")), (None, Some((0.5, 1, None))));
        assert_eq!((quota(&[]), quota(&[NEW])), (None, None));
    }

    /// It reads affinity and quota, too, by code of its own.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_cores_of_this_process_are_those_of_the_standard_library() {
        assert_eq!(cores(), std::thread::available_parallelism().ok().map(usize::from));
    }
}
