//! Measures the time of a worker that goes into something else than the search and waiting for work.
//!
//! A clock is read only where the worker has left its loop anyway: when it hands a branch over, writes tours, or has stopped
//! for a break.

use crate::schedule::figures::overhead::Overhead;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A worker measures each of its first hand-overs up to this number, and after that one hand-over in this many. To read the
/// CPU clock of a thread is a system call, which under some hypervisors takes microseconds.
const SAMPLED: u64 = 16;

/// Marks a time of writing while the worker writes.
const WRITING: u64 = 1 << 63;

/// CPU time of the calling thread.
pub fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The part of a worker's meter that has these times. Only that worker adds to it, and in a break the thread of the run.
#[derive(Debug, Default)]
pub struct OverheadMeter {
    hand_over_ns: AtomicU64,
    /// Time of writing, in ns; or, with [`WRITING`], the time of the run at which the present write would have begun if all
    /// writing had been done at once. One number, so that a reader sees all of it or nothing.
    write_ns: AtomicU64,
    write_cpu_ns: AtomicU64,
    save_ns: AtomicU64,
}

impl OverheadMeter {
    /// The worker begins to write tours. The output may let it wait for as long as it likes, so that this is known before.
    pub fn begin_write(&self, at: Duration) {
        let written = self.write_ns.load(Relaxed) & !WRITING;
        self.write_ns.store(WRITING | (at.as_nanos() as u64).saturating_sub(written), Relaxed);
    }

    /// The worker has written tours, which took this much CPU time.
    pub fn end_write(&self, at: Duration, cpu: Duration) {
        self.write_ns.store(self.written_ns(at), Relaxed);
        add(&self.write_cpu_ns, cpu);
    }

    /// Time of writing up to this moment of the run, in ns.
    fn written_ns(&self, at: Duration) -> u64 {
        match self.write_ns.load(Relaxed) {
            began if began & WRITING > 0 => (at.as_nanos() as u64).saturating_sub(began & !WRITING),
            written => written,
        }
    }

    /// Adds time in which the worker had stopped because the run was saved.
    pub fn add_save(&self, time: Duration) {
        add(&self.save_ns, time);
    }

    /// The times up to this moment of the run, in whole microseconds.
    pub fn read(&self, at: Duration) -> Overhead {
        let micros = |ns: u64| Duration::from_micros(ns / 1000);
        let [hand_over, write_cpu, save] =
            [&self.hand_over_ns, &self.write_cpu_ns, &self.save_ns].map(|ns| micros(ns.load(Relaxed)));
        Overhead { hand_over, write: micros(self.written_ns(at)), write_cpu, save }
    }
}

fn add(sum: &AtomicU64, time: Duration) {
    sum.store(sum.load(Relaxed) + time.as_nanos() as u64, Relaxed);
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
    pub fn stop(self, meter: &OverheadMeter) {
        if let Some(began) = self.began {
            add(&meter.hand_over_ns, cpu_time().saturating_sub(began) * self.weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_hand_over_in_sixteen_stands_for_the_others() {
        let weights = (0..160).map(HandOverClock::start);
        let weights: Vec<u32> = weights.filter(|clock| clock.began.is_some()).map(|clock| clock.weight).collect();
        assert_eq!((weights.len(), weights.iter().sum::<u32>()), (16 + 9, 160));
        let meter = OverheadMeter::default();
        let clock = HandOverClock { began: Some(Duration::ZERO), weight: 2 };
        let before = cpu_time();
        clock.stop(&meter);
        assert!(meter.read(Duration::ZERO).hand_over >= before * 2 - Duration::from_micros(1));
    }

    #[test]
    fn a_write_counts_while_it_waits_for_the_output() {
        let (meter, ms) = (OverheadMeter::default(), Duration::from_millis);
        meter.begin_write(ms(10));
        assert_eq!(meter.read(ms(25)).write, ms(15));
        meter.end_write(ms(30), ms(2));
        assert_eq!([50, 99].map(|at| meter.read(ms(at)).write), [ms(20); 2]);
        meter.begin_write(ms(100));
        assert_eq!((meter.read(ms(101)).write, meter.read(ms(101)).write_cpu), (ms(21), ms(2)));
    }
}
