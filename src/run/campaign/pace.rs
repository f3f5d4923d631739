//! The speed of a campaign on all machines together, from its files, which change seldom and in large steps.
//!
//! A part saves its figures every half a minute or so, and a short part only when it is complete. So the growth between
//! two looks says nothing. The sum after each change is noted, and the rate is the difference between the first and the
//! last note over the time between them. Notes older than a minute, or than two intervals of saves, are dropped, but
//! for one. When nothing has changed for an interval, the time continues to count.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::time::Duration;

/// How far back the notes reach, at least.
const WINDOW: Duration = Duration::from_secs(60);
/// Shortest time between the first and the last note.
const SPAN: Duration = Duration::from_secs(3);

/// The figures of parts.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct PartFigures {
    /// Tours found.
    pub tours: u64,
    /// Nodes entered.
    pub nodes: u64,
    /// Seconds of workers with work.
    pub cpu_s: f64,
}

impl PartFigures {
    /// Adds other figures; sums that are too large stay at the maximum.
    pub fn add(&mut self, other: PartFigures) {
        self.tours = self.tours.saturating_add(other.tours);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.cpu_s += other.cpu_s;
    }
}

/// The speed of a campaign.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct CampaignRates {
    /// Tours per second.
    pub tours_per_s: f64,
    /// Nodes per second.
    pub nodes_per_s: f64,
    /// Seconds of workers with work per second: the number of cores at work.
    pub cores: f64,
}

/// The sums after each change.
#[derive(Default)]
pub struct PaceNotes {
    /// Time of the first look, which is no change.
    began: Option<Duration>,
    known: PartFigures,
    notes: VecDeque<(Duration, PartFigures)>,
}

impl PaceNotes {
    /// Takes the figures at a moment; `every` is the interval of saves. Returns the rates, if they are known.
    pub fn take(&mut self, at: Duration, figures: PartFigures, every: Duration) -> Option<CampaignRates> {
        let began = *self.began.get_or_insert_with(|| {
            self.known = figures;
            at
        });
        if figures != self.known {
            self.known = figures;
            self.notes.push_back((at, figures));
        }
        let window = WINDOW.max(every.saturating_mul(2));
        while self.notes.len() > 1 && at.saturating_sub(self.notes[1].0) >= window {
            self.notes.pop_front();
        }
        let idle = at.saturating_sub(self.notes.back().map_or(began, |(last, _)| *last)) >= window;
        let (&(first, before), &(last, after)) = match (self.notes.front(), self.notes.back()) {
            _ if idle => return Some(CampaignRates::default()),
            (Some(first), Some(last)) if last.0 - first.0 >= every.max(SPAN) => (first, last),
            _ => return None,
        };
        // A period without a change is normal.
        let until = last.max(at.saturating_sub(every.max(SPAN)));
        let per_s = |after: f64, before: f64| ((after - before) / (until - first).as_secs_f64()).max(0.0);
        Some(CampaignRates {
            tours_per_s: per_s(after.tours as f64, before.tours as f64),
            nodes_per_s: per_s(after.nodes as f64, before.nodes as f64),
            cores: per_s(after.cpu_s, before.cpu_s),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: Duration = Duration::from_secs(30);

    fn figures(nodes: u64) -> PartFigures {
        PartFigures { tours: nodes / 10, nodes, cpu_s: nodes as f64 / 50.0 }
    }

    /// The rate of nodes at each second, of machines that make 100 a second each and say so at these seconds.
    fn rates(says: impl Fn(u64) -> u64, seconds: u64, every: Duration) -> Vec<Option<f64>> {
        let mut pace = PaceNotes::default();
        let rate = |second| pace.take(Duration::from_secs(second), figures(1000 + says(second)), every);
        (0..seconds).map(rate).map(|rates| rates.map(|rates| rates.nodes_per_s)).collect()
    }

    #[test]
    fn one_machine_that_speaks_twice_a_minute_is_as_fast_as_it_is() {
        // The last save was five seconds before the first look.
        let rates = rates(|second| (second + 5) / 30 * 3000, 200, EVERY);
        assert!(rates[..55].iter().all(Option::is_none), "{rates:?}");
        assert!(rates[55..].iter().all(|rate| *rate == Some(100.0)), "{rates:?}");
    }

    #[test]
    fn many_machines_are_as_fast_as_all_of_them() {
        let says = |second: u64| (0..10).map(|machine| (second + 3 * machine) / 30 * 3000).sum();
        let rates = rates(says, 200, EVERY);
        assert!(rates[40..].iter().all(|rate| rate.is_some_and(|rate| (850.0..1150.0).contains(&rate))), "{rates:?}");
    }

    #[test]
    fn when_no_part_is_at_work_any_more_it_slows_down_and_comes_to_rest() {
        let rates = rates(|second| second.min(100) / 2 * 200, 300, Duration::ZERO);
        assert_eq!(rates[100], Some(100.0));
        assert!(rates[120] < Some(90.0) && rates[120] > Some(40.0), "{rates:?}");
        assert_eq!((rates[170], rates[299]), (Some(0.0), Some(0.0)));
        let mut silent = PaceNotes::default();
        assert_eq!(silent.take(Duration::ZERO, figures(7), EVERY), None);
        assert_eq!(silent.take(WINDOW, figures(7), EVERY), Some(CampaignRates::default()));
    }

    #[test]
    fn machines_that_speak_once_in_an_age_have_no_rate() {
        assert!(rates(|second| second, 40, Duration::MAX).iter().all(Option::is_none));
    }

    #[test]
    fn what_vanishes_is_no_negative_rate() {
        let mut pace = PaceNotes::default();
        for (second, nodes) in [(0, 100), (1, 200), (9, 50)] {
            let rates = pace.take(Duration::from_secs(second), figures(nodes), Duration::ZERO);
            assert!(rates.is_none_or(|rates| rates.nodes_per_s >= 0.0), "{rates:?}");
        }
    }
}
