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

/// Marks a [`RunningTime`] while it runs.
const RUNNING: u64 = 1 << 63;

/// CPU time of the calling thread.
pub fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// A time that is measured in stretches: in ns; or, with [`RUNNING`], the time of the run at which the present stretch would
/// have begun if there had been no other. One number, so that a reader sees all of it or nothing. One thread writes it.
#[derive(Debug, Default)]
pub struct RunningTime(AtomicU64);

impl RunningTime {
    /// Begins a stretch, unless one has begun.
    pub fn start(&self, at: Duration) {
        self.0.store(RUNNING | (at.as_nanos() as u64).saturating_sub(self.ns(at)), Relaxed);
    }

    /// Ends the stretch, if one has begun.
    pub fn stop(&self, at: Duration) {
        self.0.store(self.ns(at), Relaxed);
    }

    /// The time up to this moment of the run, in whole microseconds.
    pub fn read(&self, at: Duration) -> Duration {
        Duration::from_micros(self.ns(at) / 1000)
    }

    fn ns(&self, at: Duration) -> u64 {
        match self.0.load(Relaxed) {
            began if began & RUNNING > 0 => (at.as_nanos() as u64).saturating_sub(began & !RUNNING),
            ns => ns,
        }
    }
}

/// The part of a worker's meter that has these times. Only that worker adds to it, and in a break the thread of the run.
#[derive(Debug, Default)]
pub struct OverheadMeter {
    hand_over_ns: AtomicU64,
    write: RunningTime,
    write_cpu_ns: AtomicU64,
    save_ns: AtomicU64,
}

impl OverheadMeter {
    /// The worker begins to write tours. The output may let it wait for as long as it likes, so that this is known before.
    pub fn begin_write(&self, at: Duration) {
        self.write.start(at);
    }

    /// The worker has written tours, which took this much CPU time.
    pub fn end_write(&self, at: Duration, cpu: Duration) {
        self.write.stop(at);
        add(&self.write_cpu_ns, cpu);
    }

    /// Adds time in which the worker had stopped because the run was saved.
    pub fn add_save(&self, time: Duration) {
        add(&self.save_ns, time);
    }

    /// The times up to this moment of the run, in whole microseconds.
    pub fn read(&self, at: Duration) -> Overhead {
        let [hand_over, write_cpu, save] = [&self.hand_over_ns, &self.write_cpu_ns, &self.save_ns]
            .map(|ns| Duration::from_micros(ns.load(Relaxed) / 1000));
        Overhead { hand_over, write: self.write.read(at), write_cpu, save }
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
    use std::sync::atomic::AtomicBool;

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

    /// Stretches of 7 s, and 5 s between two of them: at any moment a reader sees only times that there can be.
    #[test]
    fn a_reader_beside_the_writer_sees_all_of_a_stretch_or_nothing() {
        let (time, is_over, late) = (RunningTime::default(), AtomicBool::new(false), 1_000_000_000);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let starts = (0..late / 2).step_by(12).take_while(|_| !is_over.load(Relaxed));
                starts.map(Duration::from_secs).for_each(|start| {
                    time.start(start);
                    time.stop(start + Duration::from_secs(7));
                });
            });
            let mut last = 0;
            let is_right = (0..300).all(|_| {
                std::thread::yield_now();
                // A time that runs has all of the time up to this late moment but what lies between the stretches.
                let stretches = match time.read(Duration::from_secs(late)).as_secs() {
                    running if running > late / 2 => (late - running).is_multiple_of(5).then(|| (late - running) / 5),
                    stopped => stopped.is_multiple_of(7).then_some(stopped / 7),
                };
                stretches.is_some_and(|stretches| std::mem::replace(&mut last, stretches) <= stretches)
            });
            is_over.store(true, Relaxed);
            assert!(is_right);
        });
    }
}
