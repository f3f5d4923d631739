//! How long work takes, on the processor and on the wall; and medians, which bear a busy machine better than means.

use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use std::time::{Duration, Instant};

/// CPU time of the whole process, and time on the wall, in seconds.
#[derive(Clone, Copy, Default, PartialEq, Debug, Serialize)]
pub struct LapTime {
    /// CPU time of all threads.
    pub cpu_s: f64,
    /// Time that passed.
    pub wall_s: f64,
}

impl LapTime {
    pub fn median(times: impl Iterator<Item = LapTime>) -> LapTime {
        let (cpu_s, wall_s): (Vec<f64>, Vec<f64>) = times.map(|time| (time.cpu_s, time.wall_s)).unzip();
        LapTime { cpu_s: median(cpu_s.into_iter()), wall_s: median(wall_s.into_iter()) }
    }
}

/// Measures time from its start on.
pub struct LapClock {
    cpu: Duration,
    wall: Instant,
}

impl LapClock {
    pub fn start() -> LapClock {
        LapClock { cpu: cpu(), wall: Instant::now() }
    }

    /// The time since its start.
    pub fn time(&self) -> LapTime {
        let cpu_s = cpu().saturating_sub(self.cpu).as_secs_f64();
        LapTime { cpu_s, wall_s: self.wall.elapsed().as_secs_f64() }
    }
}

/// CPU time of the process so far.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The middle one; the mean of the two in the middle of an even number.
///
/// # Panics
/// When there is none.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), 2.5);
    }
}
