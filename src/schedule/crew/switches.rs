//! Reads how often the operating system switched a worker off its core. Linux tells it of each thread in `/proc`; a worker
//! reads its own figures, once a second and at its end, because a thread that has ended has none.

use crate::schedule::figures::switches::ContextSwitches;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// The switches of the calling thread since it began; `None` where the system does not tell.
pub fn of_this_thread() -> Option<ContextSwitches> {
    let status = std::fs::read_to_string("/proc/thread-self/status").ok()?;
    // Not every kernel has this file.
    let scheduling = std::fs::read_to_string("/proc/thread-self/sched").unwrap_or_default();
    read(&status, &scheduling)
}

/// The figures in the texts of the two files.
fn read(status: &str, scheduling: &str) -> Option<ContextSwitches> {
    let voluntary = figure(status, "voluntary_ctxt_switches")?;
    let forced = figure(status, "nonvoluntary_ctxt_switches")?;
    Some(ContextSwitches { voluntary, forced, migrations: figure(scheduling, "se.nr_migrations") })
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
        let scheduling = "se.nr_migrations                 :          6\nnr_switches : 357\n";
        let mut all = ContextSwitches { voluntary: 12, forced: 345, migrations: Some(6) };
        assert_eq!(read(status, scheduling), Some(all));
        all.migrations = None;
        assert_eq!(read(status, ""), Some(all));
        assert_eq!(read("voluntary_ctxt_switches:\tnone\n", scheduling), None);
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
