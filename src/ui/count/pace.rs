//! The number of states stored a second, from successive snapshots.

use std::collections::VecDeque;

/// Length of the averaging window, in seconds.
const WINDOW_S: f64 = 1.0;

/// The rate of states over the last second.
#[derive(Clone, Debug, Default)]
pub struct CountPace {
    /// Time in seconds since the start of the count, and states stored by then.
    window: VecDeque<(f64, u64)>,
}

impl CountPace {
    /// Adds a snapshot: `states` stored at `at_s` seconds. If the number is less than before, a new count has
    /// started, and the window restarts.
    pub fn take(&mut self, at_s: f64, states: u64) {
        if self.window.back().is_some_and(|&(_, before)| states < before) {
            self.window.clear();
        }
        self.window.push_back((at_s, states));
        while self.window.get(1).is_some_and(|&(second_s, _)| at_s - second_s >= WINDOW_S) {
            self.window.pop_front();
        }
    }

    /// States a second; `None` before the second snapshot.
    pub fn per_s(&self) -> Option<f64> {
        let (&(from_s, from), &(to_s, to)) = (self.window.front()?, self.window.back()?);
        (to_s > from_s).then(|| (to - from) as f64 / (to_s - from_s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_the_mean_of_the_last_second_and_restarts_with_another_count() {
        let mut pace = CountPace::default();
        pace.take(0.5, 100);
        assert_eq!(pace.per_s(), None);
        for (at_s, states) in [(1.0, 200), (1.5, 400), (2.0, 600)] {
            pace.take(at_s, states);
        }
        assert_eq!(pace.per_s(), Some(400.0));
        pace.take(2.5, 600);
        assert_eq!(pace.per_s(), Some(200.0));
        pace.take(3.0, 10);
        assert_eq!(pace.per_s(), None);
        pace.take(3.5, 20);
        assert_eq!(pace.per_s(), Some(20.0));
    }
}
