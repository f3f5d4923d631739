//! The times in which the user held a run: it was paused or slowed.

use std::time::Duration;

/// Most separate times that are kept. With more, the last one grows: no user pauses a run so often by hand.
const SPANS_MAX: usize = 1 << 12;

/// The times in which a run was held, in their order.
#[derive(Clone, Debug, Default)]
pub struct HeldTimes(Vec<[Duration; 2]>);

impl HeldTimes {
    /// Adds a time that is not before the others; one that is empty, as after a step back, adds nothing.
    pub fn add(&mut self, from: Duration, to: Duration) {
        if to <= from {
            return;
        }
        let is_full = self.0.len() >= SPANS_MAX;
        match self.0.last_mut() {
            Some([_, end]) if from <= *end || is_full => *end = to.max(*end),
            _ => self.0.push([from, to]),
        }
    }

    /// The part of a time in which the run was not held.
    pub fn free(&self, from: Duration, to: Duration) -> Duration {
        let first = self.0.partition_point(|[_, end]| *end <= from);
        let inside = self.0[first..].iter().take_while(|[start, _]| *start < to);
        let held: Duration = inside.map(|&[start, end]| end.min(to).saturating_sub(start.max(from))).sum();
        to.saturating_sub(from).saturating_sub(held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(at: u64) -> Duration {
        Duration::from_millis(at)
    }

    #[test]
    fn what_is_free_is_the_time_without_the_held_parts() {
        let mut held = HeldTimes::default();
        assert_eq!(held.free(ms(3), ms(10)), ms(7));
        [(10, 20), (20, 30), (50, 60)].into_iter().for_each(|(from, to)| held.add(ms(from), ms(to)));
        assert_eq!(held.0.len(), 2);
        for ([from, to], free) in
            [([0, 5], 5), ([0, 15], 10), ([15, 25], 0), ([25, 55], 20), ([0, 100], 70), ([60, 70], 10)]
        {
            assert_eq!(held.free(ms(from), ms(to)), ms(free), "{from}..{to}");
        }
        assert_eq!(held.free(ms(9), ms(3)), ms(0));
    }

    #[test]
    fn its_memory_is_bounded() {
        let mut held = HeldTimes::default();
        (0..3 * SPANS_MAX as u64).for_each(|k| held.add(ms(10 * k), ms(10 * k + 5)));
        assert_eq!(held.0.len(), SPANS_MAX);
        assert_eq!(held.free(ms(0), ms(10)), ms(5));
    }
}
