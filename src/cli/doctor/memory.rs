//! The memory: how much there is, and how much of it this process may use.

use super::root::Root;
use serde::Serialize;

/// The memory of a machine, in bytes; what it does not say is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Memory {
    /// All of it.
    pub total: Option<u64>,
    /// What could be had without swapping.
    pub available: Option<u64>,
    /// What the control group may use, if that is less than all.
    pub limit: Option<u64>,
}

impl Memory {
    /// What the files below `root` say.
    pub fn of(root: &Root) -> Memory {
        let kib = |name: &str| {
            let value = root.field("proc/meminfo", name)?;
            Some(value.strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
        };
        let total = kib("MemTotal");
        let limits = root.groups("memory").into_iter().filter_map(|group| {
            let limit =
                ["memory.max", "memory.limit_in_bytes"].into_iter().find_map(|file| root.read(group.join(file)));
            limit?.parse::<u64>().ok()
        });
        // The first generation writes a huge number where there is no limit.
        let limit = limits.min().filter(|&limit| total.is_none_or(|total| limit < total));
        Memory { total, available: kib("MemAvailable"), limit }
    }
}

#[cfg(test)]
mod tests {
    use super::super::root::tests::machine;
    use super::*;

    const MEMINFO: (&str, &str) = ("proc/meminfo", "MemTotal:       2048 kB\nMemAvailable:    1024 kB\n");

    #[test]
    fn a_limit_counts_if_it_is_less_than_all() {
        let memory = |files: &[(&str, &str)]| Memory::of(&Root(machine(files).path()));
        assert_eq!(memory(&[]), Memory { total: None, available: None, limit: None });
        let all = Memory { total: Some(2 << 20), available: Some(1 << 20), limit: None };
        assert_eq!(memory(&[MEMINFO]), all);
        let new =
            |limit| memory(&[MEMINFO, ("proc/self/cgroup", "0::/a"), ("sys/fs/cgroup/a/memory.max", limit)]).limit;
        assert_eq!((new("max"), new("1000000"), new("4000000")), (None, Some(1_000_000), None));
        let old = ("proc/self/cgroup", "4:memory:/gone");
        let limit = |limit| memory(&[MEMINFO, old, ("sys/fs/cgroup/memory/memory.limit_in_bytes", limit)]).limit;
        assert_eq!((limit("9223372036854771712"), limit("4096")), (None, Some(4096)));
    }
}
