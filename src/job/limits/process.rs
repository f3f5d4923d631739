//! The memory of this process: how much it may take, and how much it took.

use super::memory::MachineMemory;
use crate::count::MemoryCeiling;
use crate::system::Root;
use std::fs;

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

/// The most memory that the process has held at once: its resident maximum.
pub struct Peak {
    /// Whether it can be said: a mark that could not be set back may be that of something before.
    known: bool,
}

impl Peak {
    /// The maximum over the life of the process.
    pub fn of_process() -> Peak {
        Peak { known: true }
    }

    /// The maximum from now on.
    pub fn from_now() -> Peak {
        // See proc_pid_clear_refs(5): 5 sets the mark back to what is held now.
        Peak { known: fs::write("/proc/self/clear_refs", "5").is_ok() }
    }

    /// The maximum so far, in bytes; none where the system does not say.
    pub fn bytes(&self) -> Option<u64> {
        let kib = Root::here().field("proc/self/status", "VmHWM").filter(|_| self.known)?;
        Some(kib.strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_most_that_was_held_is_seen() {
        assert!(available(2).is_some_and(|bytes| bytes > 1 << 20));
        // Other tests hold memory and give it back meanwhile.
        let is_seen = || {
            let peak = Peak::from_now();
            let before = peak.bytes();
            let held = std::hint::black_box(vec![1u8; 64 << 20]);
            let after = peak.bytes();
            drop(held);
            before.zip(after).is_none_or(|(before, after)| after >= before + (60 << 20))
        };
        assert!((0..20).any(|_| is_seen()));
        assert!(Peak::of_process().bytes().is_some());
    }
}
