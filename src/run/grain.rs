//! How finely a frame tells times. No view shows an event finer than a millisecond or a share of a worker finer than a
//! percent, and what is finer than that is noise, which is most of what a journal of a busy crew would hold. It is left out
//! where frames are made, so that a run looks alike live and recorded.
//!
//! The first second of a run is told to the microsecond: the sharing begins there, and small runs end. Which moments those
//! are follows from the times alone, so that what is told keeps the order of what happened.

use crate::schedule::{WorkerSnapshot, whole_micros};
use std::time::Duration;

/// What happens up to here is told to the microsecond.
const FINE: Duration = Duration::from_secs(1);
/// What happens later is told in steps of so many microseconds.
const EVENT_STEP: u64 = 100;
/// The times that a worker was busy, idle and running likewise.
const WORKER_STEP: u64 = 1000;

/// When an event happened, as it is told.
pub fn event(at: Duration) -> Duration {
    if at < FINE { whole_micros(at) } else { whole(at, EVENT_STEP) }
}

/// What a worker did up to this time of the run, as it is told.
pub fn worker(seen: &mut WorkerSnapshot, elapsed: Duration) {
    if elapsed < FINE {
        return;
    }
    // Workers that are as old as one another stay so: their ages are alike in most frames.
    let age = whole(seen.busy + seen.idle, WORKER_STEP);
    seen.busy = whole(seen.busy, WORKER_STEP);
    seen.idle = age - seen.busy;
    seen.cpu = whole(seen.cpu, WORKER_STEP);
}

/// The whole steps of so many microseconds in a time.
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
    fn the_first_second_is_told_finer_than_what_follows() {
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
        let told = |mut seen: WorkerSnapshot, elapsed_ms| {
            worker(&mut seen, Duration::from_millis(elapsed_ms));
            [seen.busy, seen.idle, seen.cpu].map(|time| time.as_micros())
        };
        assert_eq!(told(seen(700_700, 200_600), 999), [700_700, 200_600, 700_700]);
        // Both are 1301.3 ms old.
        assert_eq!(told(seen(700_700, 600_600), 1301), [700_000, 601_000, 700_000]);
        assert_eq!(told(seen(701_200, 600_100), 1301), [701_000, 600_000, 701_000]);
    }
}
