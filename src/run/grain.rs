//! The time resolution of frames. No view shows an event finer than a millisecond, or a worker's share finer than a
//! percent. Finer times are noise, which would fill most of the journal of a busy crew. They are rounded where frames
//! are made, so that a run looks alike live and recorded.
//!
//! The first second of a run has a resolution of one microsecond: the sharing begins there, and small runs end there. So have
//! the times that a worker took for hand-overs and stood still for a save.
//! The rule depends on the times alone, so rounding keeps the order of events.

use crate::event::micros::whole_micros;
use crate::schedule::{Overhead, WorkerSnapshot};
use std::time::Duration;

/// Times up to here are rounded to the microsecond.
const FINE: Duration = Duration::from_secs(1);
/// Later event times are rounded to steps of this many microseconds.
const EVENT_STEP: u64 = 100;
/// The times of a worker are rounded to steps of this many microseconds.
const WORKER_STEP: u64 = 1000;

/// The rounded time of an event.
pub fn event(at: Duration) -> Duration {
    if at < FINE { whole_micros(at) } else { whole(at, EVENT_STEP) }
}

/// Rounds the times of a worker, as of `elapsed` time of the run.
pub fn worker(seen: &mut WorkerSnapshot, elapsed: Duration) {
    if elapsed < FINE {
        return;
    }
    // Workers of equal age keep equal ages: the sum of busy and idle is rounded first.
    let age = whole(seen.busy + seen.idle, WORKER_STEP);
    // Both change so rarely that they cost nothing, and all hand-overs of a run may take less than a step.
    let Overhead { hand_over, save, .. } = seen.overhead;
    seen.change_times(|time| *time = whole(*time, WORKER_STEP));
    (seen.overhead.hand_over, seen.overhead.save) = (hand_over, save);
    seen.idle = age - seen.busy;
}

/// Rounds a time down to a multiple of `step` microseconds.
fn whole(time: Duration, step: u64) -> Duration {
    let micros = time.as_micros() as u64;
    Duration::from_micros(micros - micros % step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn events_keep_their_order_and_the_millisecond_they_happened_in(a in 0u64..2_000_000_000, b in 0u64..2_000_000_000) {
            let (a, b) = (Duration::from_nanos(a), Duration::from_nanos(b));
            prop_assert_eq!(event(a.max(b)), event(a).max(event(b)));
            prop_assert_eq!(event(a).as_millis(), a.as_millis());
        }
    }

    #[test]
    fn the_first_second_has_a_finer_resolution_than_the_rest() {
        let nanos = Duration::from_nanos;
        assert_eq!(event(nanos(999_123_456)), nanos(999_123_000));
        assert_eq!(event(nanos(1_999_123_456)), nanos(1_999_100_000));
        let micros = Duration::from_micros;
        let seen = |busy, idle| WorkerSnapshot {
            busy: micros(busy),
            idle: micros(idle),
            cpu: micros(busy),
            ..Default::default()
        };
        let rounded = |mut seen: WorkerSnapshot, elapsed_ms| {
            worker(&mut seen, Duration::from_millis(elapsed_ms));
            [seen.busy, seen.idle, seen.cpu].map(|time| time.as_micros())
        };
        assert_eq!(rounded(seen(700_700, 200_600), 999), [700_700, 200_600, 700_700]);
        // Both are 1301.3 ms old.
        assert_eq!(rounded(seen(700_700, 600_600), 1301), [700_000, 601_000, 700_000]);
        assert_eq!(rounded(seen(701_200, 600_100), 1301), [701_000, 600_000, 701_000]);
        let overhead =
            Overhead { hand_over: micros(123), write: micros(1234), save: micros(45), ..Overhead::default() };
        let mut seen = WorkerSnapshot { overhead, ..seen(700_700, 600_600) };
        worker(&mut seen, micros(1_301_000));
        assert_eq!(seen.overhead, Overhead { write: micros(1000), ..overhead });
    }
}
