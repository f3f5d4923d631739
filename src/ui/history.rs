//! The past of a run: a ring of samples taken at a steady pace, and marks where something was changed.

use std::collections::VecDeque;
use std::time::Duration;

/// Time between two points.
pub const EVERY: Duration = Duration::from_millis(500);
/// Points that are kept.
const POINTS: usize = 1024;

/// One moment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Workers with work.
    pub busy: usize,
    /// Nodes a second.
    pub nodes_per_s: f64,
    /// CPU time of the workers by their number times elapsed time; nothing while the run is held.
    pub efficiency: Option<f64>,
    /// What was changed since the point before: `r` the rule, `S` the scheduler.
    pub mark: Option<char>,
}

/// The latest points, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct History {
    points: VecDeque<Point>,
    due: Duration,
    mark: Option<char>,
}

impl History {
    /// Whether a point is due at this moment of the run.
    pub fn due(&self, now: Duration) -> bool {
        now >= self.due
    }

    /// Adds the point that was due, with the mark made since the last one.
    pub fn push(&mut self, now: Duration, busy: usize, nodes_per_s: f64, efficiency: Option<f64>) {
        self.due = now + EVERY;
        if self.points.len() == POINTS {
            self.points.pop_front();
        }
        self.points.push_back(Point { busy, nodes_per_s, efficiency, mark: self.mark.take() });
    }

    /// Marks the next point.
    pub fn mark(&mut self, mark: char) {
        self.mark = Some(mark);
    }

    /// A new run begins: the past stays, the clock starts again.
    pub fn restart(&mut self, mark: char) {
        self.due = Duration::ZERO;
        self.mark(mark);
    }

    /// The latest `n` points, the oldest first.
    pub fn latest(&self, n: usize) -> impl Iterator<Item = &Point> {
        self.points.iter().skip(self.points.len().saturating_sub(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_at_a_steady_pace_and_the_oldest_are_forgotten() {
        let mut history = History::default();
        for i in 0..2 * POINTS as u32 {
            let now = EVERY * i;
            assert!(history.due(now));
            history.push(now, i as usize, 0.0, None);
            assert!(!history.due(now + EVERY / 2));
        }
        assert_eq!(history.latest(usize::MAX).count(), POINTS);
        assert_eq!(history.latest(1).next().map(|point| point.busy), Some(2 * POINTS - 1));
    }

    #[test]
    fn a_mark_is_kept_for_one_point() {
        let mut history = History::default();
        history.restart('S');
        history.push(Duration::ZERO, 1, 0.0, None);
        history.push(EVERY, 1, 0.0, None);
        assert_eq!(history.latest(2).map(|point| point.mark).collect::<Vec<_>>(), [Some('S'), None]);
    }
}
