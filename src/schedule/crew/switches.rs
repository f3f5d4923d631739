//! Reads how often the operating system switched a worker off its core. Linux tells it of each thread in `/proc`; a worker
//! reads its own figures, once a second and at its end, because a thread that has ended has none.

use crate::schedule::figures::switches::ContextSwitches;
use std::fs::File;
use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// More bytes than the files have on most machines: 1,500 and 2,000.
const TEXT_BYTES: usize = 1 << 13;

/// The switches of the calling thread since it began; `None` where the system does not tell.
pub fn of_this_thread() -> Option<ContextSwitches> {
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

/// The part of a worker's meter that has its switches. Only that worker writes it.
#[derive(Debug, Default)]
pub struct SwitchMeter {
    is_known: AtomicBool,
    voluntary: AtomicU32,
    forced: AtomicU32,
    /// One more than their number; 0 where it is not known.
    migrations: AtomicU32,
}

impl SwitchMeter {
    /// Publishes the switches of the worker so far.
    pub fn publish(&self, switches: ContextSwitches) {
        self.voluntary.store(switches.voluntary, Relaxed);
        self.forced.store(switches.forced, Relaxed);
        self.migrations.store(switches.migrations.map_or(0, |moves| moves.saturating_add(1)), Relaxed);
        self.is_known.store(true, Relaxed);
    }

    /// The switches as the worker last published them.
    pub fn read(&self) -> Option<ContextSwitches> {
        self.is_known.load(Relaxed).then(|| ContextSwitches {
            voluntary: self.voluntary.load(Relaxed),
            forced: self.forced.load(Relaxed),
            migrations: self.migrations.load(Relaxed).checked_sub(1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let meter = SwitchMeter::default();
        assert_eq!(meter.read(), None);
        for migrations in [None, Some(0), Some(7)] {
            let switches = ContextSwitches { voluntary: 1, forced: 2, migrations };
            meter.publish(switches);
            assert_eq!(meter.read(), Some(switches));
        }
    }

    /// A thread that sleeps is switched off its core, where the system tells it.
    #[test]
    fn a_thread_that_sleeps_is_switched() {
        let Some(before) = of_this_thread() else {
            eprintln!("skipped: the system does not tell how often a thread lost its core");
            return;
        };
        std::thread::sleep(std::time::Duration::from_millis(1));
        assert!(of_this_thread().unwrap().voluntary > before.voluntary);
    }
}
