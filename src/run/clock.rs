//! The clock of a run. A view looks at the run by the time that is watched; where the run stood or went slower, its own time is
//! shorter.

use super::spent::{slow_motion, stands};
use crate::event::{Event, EventKind};
use crate::schedule::Snapshot;
use std::time::Duration;

/// Most separate times that are kept. With more, the last one grows: no user pauses a run so often by hand.
const SPANS_MAX: usize = 1 << 12;

/// The clock of a run: it stands in a pause, and goes slower in slow motion.
#[derive(Clone, Debug, Default)]
pub struct RunClock(Vec<SlowSpan>);

/// A time in which the clock was so many times slower.
#[derive(Clone, Copy, Debug)]
struct SlowSpan {
    from: Duration,
    to: Duration,
    slower: f64,
    /// The time of the run at `from`.
    began: Fine,
}

/// Femtoseconds of the run: in slow motion a millisecond that is watched may be a few nanoseconds of the run. Whole numbers:
/// events of one time may come in any order, and the sum is the same.
pub(super) type Fine = u128;

/// Of a nanosecond.
const FINE_IN_NS: u128 = 1_000_000;

fn fine(time: Duration) -> Fine {
    time.as_nanos() * FINE_IN_NS
}

pub(super) fn fine_s(time: Fine) -> f64 {
    time as f64 / 1e15
}

impl RunClock {
    /// Adds the time from one look at the run to the next, or from the beginning of this run to its first one. The events between
    /// them tell when a pause began and ended; without them it takes all the time between two looks of which one is in it.
    pub(super) fn add_interval<'a>(
        &mut self,
        from: Option<&Snapshot>,
        to: &Snapshot,
        events: impl IntoIterator<Item = &'a Event>,
    ) {
        let began = to.earlier.map_or(Duration::ZERO, |earlier| earlier.elapsed);
        let (mut at, mut paused) = from.map_or((began, false), |from| (from.elapsed, stands(from)));
        let pace = from.map_or(1.0, slow_motion).max(slow_motion(to));
        let slower = |paused: bool| if paused { f64::INFINITY } else { pace };
        for event in events.into_iter().filter(|event| event.at <= to.elapsed) {
            if let EventKind::Paused | EventKind::Resumed = event.kind {
                // Times of events are coarser than those of looks.
                self.add(at, event.at, slower(paused));
                (at, paused) = (event.at.max(at), event.kind == EventKind::Paused);
            }
        }
        self.add(at, to.elapsed, slower(paused || stands(to)));
    }

    /// Adds a time; what was told before is not told again.
    pub(super) fn add(&mut self, from: Duration, to: Duration, slower: f64) {
        let from = from.max(self.0.last().map_or(Duration::ZERO, |last| last.to));
        if to <= from || slower <= 1.0 {
            return;
        }
        let is_full = self.0.len() >= SPANS_MAX;
        match self.0.last_mut() {
            Some(last) if (from == last.to && slower == last.slower) || is_full => last.to = to,
            _ => self.0.push(SlowSpan { from, to, slower, began: self.at(from) }),
        }
    }

    /// The time of the run at a moment that was watched.
    fn at(&self, moment: Duration) -> Fine {
        let spans = self.0.partition_point(|span| span.from <= moment);
        let Some(span) = spans.checked_sub(1).map(|last| self.0[last]) else { return fine(moment) };
        let slow = fine(moment.min(span.to) - span.from) as f64 / span.slower;
        span.began + slow as Fine + fine(moment.saturating_sub(span.to))
    }

    /// Seconds of the run that had been watched in slow motion until then.
    pub(super) fn slow_s(&self, until: Duration) -> f64 {
        let slow = self.0.iter().filter(|span| span.slower.is_finite());
        slow.map(|span| until.min(span.to).saturating_sub(span.from).as_secs_f64() / span.slower).sum()
    }

    pub(super) fn fine_between(&self, from: Duration, to: Duration) -> Fine {
        self.at(to).saturating_sub(self.at(from))
    }

    /// How long it had been watched at a time of the run, which is its inverse; in a pause until that began.
    pub(super) fn watched(&self, time: Duration) -> Duration {
        let spans = self.0.partition_point(|span| span.began < fine(time));
        let Some(span) = spans.checked_sub(1).map(|last| self.0[last]) else { return time };
        let (left, long) = (fine_s(fine(time) - span.began), (span.to - span.from).as_secs_f64());
        if left * span.slower < long {
            span.from + Duration::from_secs_f64(left * span.slower)
        } else {
            span.to + Duration::from_secs_f64(left - long / span.slower)
        }
    }

    /// The time of the run between two moments that were watched.
    pub fn between(&self, from: Duration, to: Duration) -> Duration {
        let ns = self.fine_between(from, to) / FINE_IN_NS;
        Duration::from_nanos(u64::try_from(ns).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(at: u64) -> Duration {
        Duration::from_millis(at)
    }

    #[test]
    fn the_clock_stands_in_a_pause_and_goes_slower_in_slow_motion() {
        let mut clock = RunClock::default();
        assert_eq!(clock.between(ms(3), ms(10)), ms(7));
        for (from, to, slower) in
            [(10, 20, f64::INFINITY), (20, 30, f64::INFINITY), (30, 50, 2.0), (50, 60, f64::INFINITY)]
        {
            clock.add(ms(from), ms(to), slower);
        }
        assert_eq!(clock.0.len(), 3);
        let spans = [([0, 5], 5), ([0, 15], 10), ([15, 25], 0), ([25, 55], 10), ([40, 45], 2), ([0, 100], 60)];
        for ([from, to], time) in spans.into_iter().chain([([60, 70], 10)]) {
            assert_eq!(clock.between(ms(from), ms(to)).as_millis(), time, "{from}..{to}");
        }
        assert_eq!(clock.between(ms(9), ms(3)), ms(0));
    }

    #[test]
    fn the_memory_of_the_clock_is_bounded() {
        let mut clock = RunClock::default();
        (0..3 * SPANS_MAX as u64).for_each(|k| clock.add(ms(10 * k), ms(10 * k + 5), f64::INFINITY));
        assert_eq!(clock.0.len(), SPANS_MAX);
        assert_eq!(clock.between(ms(0), ms(10)), ms(5));
    }

    #[test]
    fn a_pause_is_as_long_as_its_events_say_however_seldom_it_is_looked_at() {
        let at = |at, kind| Event { at: ms(at), worker: 0, kind };
        let [pause, resume] = [at(90, EventKind::Paused), at(140, EventKind::Resumed)];
        let seen = |at, paused| Snapshot { elapsed: ms(at), paused, ..Snapshot::default() };
        let run = |looks: &[(Snapshot, Vec<&Event>)]| {
            let mut clock = RunClock::default();
            let mut before = None;
            for (seen, events) in looks {
                clock.add_interval(before, seen, events.iter().copied());
                before = Some(seen);
            }
            for time in [0, 40, 89, 91, 149].map(ms).into_iter().filter(|time| *time < clock.between(ms(0), ms(200))) {
                assert_eq!(clock.between(ms(0), clock.watched(time)), time);
            }
            clock.between(ms(0), ms(200))
        };
        let often = [(seen(50, false), vec![]), (seen(100, true), vec![&pause]), (seen(200, false), vec![&resume])];
        assert_eq!(run(&often), ms(150));
        assert_eq!(run(&[(seen(200, false), vec![&pause, &resume])]), ms(150));
        // Without them it takes the time between the looks around it.
        let looks = [(seen(50, false), vec![]), (seen(100, true), vec![]), (seen(200, false), vec![])];
        assert_eq!(run(&looks), ms(150 - 100));
        // An event that comes late changes no time that has been told.
        let late = [(seen(50, false), vec![]), (seen(100, true), vec![]), (seen(200, true), vec![&pause])];
        assert_eq!(run(&late), ms(50));
    }
}
