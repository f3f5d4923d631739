//! The thread of a worker: its CPU time, how often the system switched it off its core, and the core on which it runs.
//!
//! A clock is read only where the worker has left its loop anyway: when it hands a branch over, writes tours, or has stopped
//! for a break. Linux tells the switches of each thread in `/proc`. A worker reads its own, once a second and at its end,
//! because a thread that has ended has none. Cores that share a level 3 cache, or else a memory node, are near to each other,
//! and a worker belongs to the group of the core on which it was last seen; the operating system may move the worker.

use crate::schedule::figures::cells::Time;
use crate::schedule::figures::workers::ContextSwitches;
use crate::system::Topology;
use std::fs::File;
use std::io::Read;
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

/// The files of a thread, and the names that its switches have there: those by itself, and those that it was forced to. Not
/// every kernel has the first one, which has all that is asked; at the end of many workers a second one takes its time.
const SCHED: (&str, [&str; 2]) = ("/proc/thread-self/sched", ["nr_voluntary_switches", "nr_involuntary_switches"]);
const STATUS: (&str, [&str; 2]) =
    ("/proc/thread-self/status", ["voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"]);

/// The switches of the calling thread since it began; `None` where the system does not tell.
pub fn switches() -> Option<ContextSwitches> {
    [SCHED, STATUS].into_iter().find_map(|(file, names)| read(&text_of(file)?, names))
}

/// The text of a file of `/proc`. Its length is not known before it is read: with room for it that takes two reads, and ten
/// without.
fn text_of(path: &str) -> Option<String> {
    let mut text = String::with_capacity(TEXT_BYTES);
    File::open(path).ok()?.read_to_string(&mut text).ok()?;
    Some(text)
}

/// The switches in the text of a file, which have these names there.
fn read(text: &str, [voluntary, forced]: [&str; 2]) -> Option<ContextSwitches> {
    let (voluntary, forced) = (figure(text, voluntary)?, figure(text, forced)?);
    Some(ContextSwitches { voluntary, forced, migrations: figure(text, "se.nr_migrations") })
}

/// The whole number behind a name and a colon.
fn figure(text: &str, name: &str) -> Option<u32> {
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix(':'));
    let value: u64 = value?.trim().parse().ok()?;
    Some(u32::try_from(value).unwrap_or(u32::MAX))
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
    cores.sort_by_key(|&core| (Topology::here().near(core), core));
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
        let of = |text: &str| [SCHED, STATUS].map(|(_, names)| read(text, names));
        let status = "Name:\tdestrier\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t345\n";
        assert_eq!(of(status), [None, Some(ContextSwitches { voluntary: 12, forced: 345, migrations: None })]);
        assert_eq!(of("voluntary_ctxt_switches:\tnone\n"), [None; 2]);
        let scheduling = "se.nr_migrations                 :          6\nnr_switches : 357\n\
                          nr_voluntary_switches : 350\nnr_involuntary_switches                   : 7\n";
        assert_eq!(of(scheduling), [Some(ContextSwitches { voluntary: 350, forced: 7, migrations: Some(6) }), None]);
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
}
