//! The memory of this machine and of this process: how much there is, how much may be used and what sets that bound, and how
//! much was taken.

use crate::count::MemoryCeiling;
use crate::system::Root;
use crate::system::root::field;
use crate::table::table;
use serde::Serialize;
use std::fs;
use std::path::Path;

/// The memory of a machine, in bytes; what it does not say is none.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct MachineMemory {
    pub total: Option<u64>,
    /// What could be had without swapping.
    pub available: Option<u64>,
    /// Where pages can go that memory does not hold.
    pub swap: Option<u64>,
    /// What the control group may use, if that is less than all.
    pub limit: Option<u64>,
    /// What is left of that to this process.
    pub limit_left: Option<u64>,
    /// The address space, or the data, that this process is allowed (`ulimit -v`, `ulimit -d`).
    pub ulimit: Option<u64>,
    pub ulimit_left: Option<u64>,
    /// What a run may take now: the least of all these, less what is left to threads.
    pub usable: Option<Share>,
    #[serde(skip)]
    threads: u64,
}

/// Address space that a thread may take before it does anything: its stack, and what the allocator of the C library sets
/// aside for it.
const THREAD_BYTES: u64 = 66 << 20;

/// So much memory, and what allows no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Share {
    pub bytes: u64,
    /// What sets the bound.
    pub by: Bound,
}

table! {
    /// What sets a bound to the memory of a process.
    /// `name`: it as the subject of "allows no more".
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Bound(name: &'static str) {
        Machine: "this machine";
        /// The control group of the process, or one around it.
        ControlGroup: "the control group";
        /// The limit of the process on its address space or its data.
        Ulimit: "the limit of this process (ulimit -v or -d)";
    }
}

impl MachineMemory {
    /// What the files below `root` say of the memory, for a run with so many threads.
    pub fn of(root: &Root, threads: usize) -> MachineMemory {
        let machine = root.read("proc/meminfo").unwrap_or_default();
        let total = kib(&machine, "MemTotal");
        // Read once: the kernel adds up what it writes there.
        let groups: Vec<(u64, u64)> =
            root.groups("memory").iter().filter_map(|group| group_limit(root, group, total)).collect();
        let limits = root.read("proc/self/limits").unwrap_or_default();
        let status = root.read("proc/self/status").unwrap_or_default();
        let process = [("Max address space", "VmSize"), ("Max data size", "VmData")]
            .map(|(limit, used)| Some((process_limit(&limits, limit)?, kib(&status, used)?)));
        let left = |&(limit, used): &(u64, u64)| limit.saturating_sub(used);
        let mut memory = MachineMemory {
            total,
            available: kib(&machine, "MemAvailable"),
            swap: kib(&machine, "SwapTotal"),
            limit: groups.iter().map(|&(limit, _)| limit).min(),
            limit_left: groups.iter().map(left).min(),
            ulimit: process.iter().flatten().map(|&(limit, _)| limit).min(),
            ulimit_left: process.iter().flatten().map(left).min(),
            usable: None,
            // One more heeds signals.
            threads: threads as u64 + 1,
        };
        memory.usable = memory.least(memory.available, memory.limit_left);
        memory
    }

    /// The most that this process could get if no other process used any.
    pub fn most(&self) -> Option<Share> {
        let swap = self.swap.unwrap_or(0);
        self.least(self.total.map(|total| total + swap), self.limit.map(|limit| limit + swap))
    }

    fn least(&self, machine: Option<u64>, group: Option<u64>) -> Option<Share> {
        // Whatever comes in small pieces is refused by an abort: something is left for that. Threads take what they can
        // get, and can do with less.
        let ulimit = self.ulimit_left.map(|left| left - left / 16);
        let ulimit = ulimit.map(|left| left - (self.threads * THREAD_BYTES).min(left / 4 * 3));
        let bounds = [(machine, Bound::Machine), (group, Bound::ControlGroup), (ulimit, Bound::Ulimit)];
        let shares = bounds.into_iter().filter_map(|(bytes, by)| Some(Share { bytes: bytes?, by }));
        shares.min_by_key(|share| share.bytes)
    }
}

/// A field that is a number of kibibytes, in bytes.
fn kib(text: &str, name: &str) -> Option<u64> {
    Some(field(text, name)?.strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// What a control group may use, and what it uses, if it has a limit below all the memory there is.
fn group_limit(root: &Root, group: &Path, total: Option<u64>) -> Option<(u64, u64)> {
    let number = |file: &str| root.read(group.join(file))?.parse::<u64>().ok();
    // Beyond `memory.high` a group is slowed down until nothing moves any more.
    let limit = ["memory.max", "memory.high", "memory.limit_in_bytes"].into_iter().filter_map(number).min()?;
    // The first generation writes a huge number where there is no limit.
    if total.is_some_and(|total| limit >= total) {
        return None;
    }
    let used = ["memory.current", "memory.usage_in_bytes"].into_iter().find_map(number).unwrap_or(0);
    // Files that were read and are not read any more are given up at once when memory is wanted.
    let statistics = root.read(group.join("memory.stat")).unwrap_or_default();
    let statistic = |name: &str| {
        let mut lines = statistics.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(field, _)| *field == name)?.1.trim().parse::<u64>().ok()
    };
    let files = ["total_inactive_file", "inactive_file"].into_iter().find_map(statistic).unwrap_or(0);
    Some((limit, used.saturating_sub(files)))
}

/// A soft limit of the process, in bytes, if it has that one.
fn process_limit(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Bytes that so many threads can have now: what the system calls available, or what its control group or a limit of its own leave to
/// this process, if that is less; none where the system does not say.
pub fn available(threads: usize) -> Option<u64> {
    available_and_most(threads).0
}

/// The same, and the most that so many threads could be given; none where the system does not say.
pub fn available_and_most(threads: usize) -> (Option<u64>, Option<MemoryCeiling>) {
    let memory = MachineMemory::of(&Root::here(), threads);
    let most = memory.most().map(|share| MemoryCeiling { bytes: share.bytes, by: share.by.name() });
    (memory.usable.map(|share| share.bytes), most)
}

/// The most memory that the process has held at once, its resident maximum in bytes; none where the system does not say.
pub fn peak_bytes() -> Option<u64> {
    kib(&Root::here().read("proc/self/status")?, "VmHWM")
}

/// Asks for the maximum from now on. It says none where the mark could not be set back: that may be of something before.
pub fn peak_from_now() -> impl Fn() -> Option<u64> {
    // See proc_pid_clear_refs(5): 5 sets the mark back to what is held now.
    let is_set_back = fs::write("/proc/self/clear_refs", "5").is_ok();
    move || peak_bytes().filter(|_| is_set_back)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::root::tests::machine;

    const MEMINFO: (&str, &str) =
        ("proc/meminfo", "MemTotal:       2048 kB\nMemAvailable:    1024 kB\nSwapTotal:       512 kB\n");
    const MIB: u64 = 1 << 20;

    fn memory(files: &[(&str, &str)]) -> MachineMemory {
        MachineMemory::of(&Root(machine(files).path()), 2)
    }

    fn share(bytes: u64, by: Bound) -> Option<Share> {
        Some(Share { bytes, by })
    }

    #[test]
    fn without_limits_the_machine_sets_the_bound() {
        assert_eq!(memory(&[]), MachineMemory { threads: 3, ..MachineMemory::default() });
        let all = memory(&[MEMINFO]);
        assert_eq!((all.total, all.available, all.swap), (Some(2 * MIB), Some(MIB), Some(MIB / 2)));
        assert_eq!((all.limit, all.ulimit), (None, None));
        assert_eq!(all.usable, share(MIB, Bound::Machine));
        assert_eq!(all.most(), share(2 * MIB + MIB / 2, Bound::Machine));
    }

    #[test]
    fn a_limit_counts_if_it_is_less_than_all() {
        let new =
            |limit| memory(&[MEMINFO, ("proc/self/cgroup", "0::/a"), ("sys/fs/cgroup/a/memory.max", limit)]).limit;
        assert_eq!((new("max"), new("1000000"), new("4000000")), (None, Some(1_000_000), None));
        let old = ("proc/self/cgroup", "4:memory:/gone");
        let limit = |limit| memory(&[MEMINFO, old, ("sys/fs/cgroup/memory/memory.limit_in_bytes", limit)]).limit;
        assert_eq!((limit("9223372036854771712"), limit("4096")), (None, Some(4096)));
    }

    /// The parent has the larger limit and less of it left.
    #[test]
    fn what_other_processes_of_the_groups_use_is_not_to_be_had() {
        let group = |name: &'static str, text: &'static str| (name, text);
        let files = [
            MEMINFO,
            group("proc/self/cgroup", "0::/a/b"),
            group("sys/fs/cgroup/a/b/memory.max", "max"),
            group("sys/fs/cgroup/a/b/memory.high", "900000"),
            group("sys/fs/cgroup/a/b/memory.current", "500000"),
            group("sys/fs/cgroup/a/memory.max", "1000000"),
            group("sys/fs/cgroup/a/memory.current", "990000"),
            group("sys/fs/cgroup/a/memory.stat", "anon 5\ninactive_file 40000\n"),
        ];
        let new = memory(&files);
        assert_eq!((new.limit, new.limit_left), (Some(900_000), Some(50_000)));
        assert_eq!(new.usable, share(50_000, Bound::ControlGroup));
        assert_eq!(new.most(), share(900_000 + MIB / 2, Bound::ControlGroup));
        let old = memory(&[
            MEMINFO,
            ("proc/self/cgroup", "4:memory:/gone"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "1000000"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "700000"),
            ("sys/fs/cgroup/memory/memory.stat", "inactive_file 7\ntotal_inactive_file 100000\n"),
        ]);
        assert_eq!(old.usable, share(400_000, Bound::ControlGroup));
    }

    #[test]
    fn a_limit_of_the_process_counts_less_what_it_has_taken() {
        let status = ("proc/self/status", "Name:\tx\nVmSize:\t     100 kB\nVmData:\t      50 kB\n");
        let large = ("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n");
        let limited = |limits| memory(&[large, status, ("proc/self/limits", limits)]);
        let free =
            limited("Limit     Soft Limit  Hard Limit  Units\nMax address space     unlimited  unlimited  bytes\n");
        assert_eq!((free.ulimit, free.usable), (None, share(4096 * MIB, Bound::Machine)));
        let space =
            limited("Max data size   unlimited  unlimited  bytes\nMax address space  104857600  unlimited  bytes\n");
        assert_eq!((space.ulimit, space.ulimit_left), (Some(100 * MIB), Some(100 * MIB - 102_400)));
        assert_eq!(space.usable, share(24_552_000, Bound::Ulimit), "a quarter of what is left at least");
        let all = 1600 * MIB;
        let data = format!("Max data size   {}   unlimited  bytes\nMax address space  9000000000  -\n", all + 51_200);
        let data = limited(&data);
        let usable = 1500 * MIB - 3 * THREAD_BYTES;
        assert_eq!((data.ulimit_left, data.usable), (Some(all), share(usable, Bound::Ulimit)));
        assert_eq!(data.most(), data.usable);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_most_that_was_held_is_seen() {
        assert!(available(2).is_some_and(|bytes| bytes > 1 << 20));
        // Other tests hold memory and give it back meanwhile.
        let is_seen = || {
            let peak = peak_from_now();
            let before = peak();
            let held = std::hint::black_box(vec![1u8; 64 << 20]);
            let after = peak();
            drop(held);
            before.zip(after).is_none_or(|(before, after)| after >= before + (60 << 20))
        };
        assert!((0..20).any(|_| is_seen()));
        assert!(peak_bytes().is_some());
    }
}
