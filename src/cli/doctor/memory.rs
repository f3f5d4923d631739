//! The memory: how much there is, what bounds the share of this process, and what a count may take.

use crate::job::Report;
use crate::job::limits::{MachineMemory, Share};
use crate::system::Root;
use crate::words::bytes;

/// What the files below `root` say of the memory, for a run with so many threads.
pub fn memory(root: &Root, threads: usize) -> Report {
    let memory = MachineMemory::of(root, threads);
    let mut report = Report::of_object(memory);
    let Some(total) = memory.total else {
        report.entry("memory", "unknown");
        return report;
    };
    let available = memory.available.map_or(String::new(), |n| format!(", {} of it available", bytes(n)));
    report.entry("memory", format_args!("{}{available}", bytes(total)));
    let allows = |who: &str, limit: Option<u64>, left: Option<u64>| {
        let left = left.map_or(String::new(), |n| format!(", {} of it left", bytes(n)));
        limit.map(|limit| format!("{who} allows {}{left}", bytes(limit)))
    };
    report.entries("", allows("its control group", memory.limit, memory.limit_left));
    report.entries("", allows("a limit of this process (ulimit)", memory.ulimit, memory.ulimit_left));
    let usable = |Share { bytes: usable, by }: Share| {
        format!("a count may take {}: {} allows no more", bytes(usable), by.name())
    };
    report.entries("", memory.usable.map(usable));
    report
}
