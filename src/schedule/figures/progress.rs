//! The forecast of a run, and its progress: one estimate from which every figure about the rest of the run follows.
//!
//! The estimate is the number of nodes of the whole tree. The share that is done, the size of the tree and the time that is
//! left follow from it alone. So they agree at every moment, whatever the number of threads and the scheduler.
//!
//! The estimate comes from sampling ([`crate::search::Prober`]). Where the number of tours is known and the solver finds
//! them evenly over its tree, it comes from the share of the tours found, once a good many have been found. The
//! group `progress` of `tests/battery` shows for which solvers that holds, and how wide the ranges must be.
//!
//! The number of all tours is exact where it is known. Otherwise it is a range: from random walks that are made for it
//! (`crew/forecast.rs`), or from the samples of the tree.

use crate::ranged::Ranged;
use crate::search::TreeSample;
use crate::stop::Stop;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Computes how many tours a run finds in the end, exactly or as a range; `None` if it is told to stop before.
pub type TourForecast = Box<dyn FnOnce(&Stop) -> Option<Ranged> + Send>;

/// Number of tours found from which on their share tells the number of nodes.
const TELLING_TOURS: u64 = 1000;
/// Largest deviation, as a ratio, of the share of the tours from the share of the nodes at the beginning. It shrinks to 0
/// during the run.
const TELLING_RATIO: f64 = 0.25;
/// When more nodes have been entered than every sample said, the tree is larger than that by this ratio at most.
const BEYOND: f64 = 1.1;

/// The forecast of a run: what is known beforehand or by sampling.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Forecast {
    /// Estimate of the whole tree by sampling, once there is one.
    pub estimate: Option<TreeSample>,
    /// Number of all tours, where it is known and not larger than a search can count.
    pub tours: Option<u64>,
    /// Whether the tours are spread over the tree so evenly that their share tells the share of the nodes.
    pub evenly: bool,
    /// Range of the number of all tours, where it does not come from sampling the tree; or a number larger than a search
    /// can count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<Ranged>,
    /// Number of tours after which the run stops.
    pub limit: Option<u64>,
    /// Deadline of the run, as time since it began.
    pub deadline: Option<Duration>,
}

impl Forecast {
    /// Whether `tours`, the number of tours found, tells how far the run is.
    pub(in crate::schedule) fn tours_tell_progress(&self, tours: u64) -> bool {
        self.evenly && self.tours.is_some() && tours >= TELLING_TOURS
    }

    /// Number of all tours, of which `found` are found: exact where it is known, `None` where nothing is known about it.
    pub fn all_tours(&self, found: u64) -> Option<Ranged> {
        let known = self.tours.map(|all| Ranged::exact(all as f64));
        let sampled = self.estimate.and_then(|estimate| estimate.tours);
        known.or(self.about).or(sampled).map(|all| all.at_least(found as f64, BEYOND))
    }
}

/// Progress of a run at one moment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RunProgress {
    /// Nodes entered.
    pub nodes: u64,
    pub tours: u64,
    /// Nodes of the whole tree.
    pub tree: Ranged,
    /// Tours of the whole tree; `None` where nothing is known about them.
    pub all_tours: Option<Ranged>,
}

/// Speed of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rate {
    /// Nodes entered.
    pub nodes_per_s: f64,
    pub tours_per_s: f64,
}

impl Rate {
    /// Mean rate of this many nodes and tours in this time.
    pub fn mean(nodes: u64, tours: u64, time: Duration) -> Rate {
        let seconds = time.as_secs_f64().max(1e-6);
        Rate { nodes_per_s: nodes as f64 / seconds, tours_per_s: tours as f64 / seconds }
    }
}

impl RunProgress {
    /// Progress of a run that has entered `nodes` nodes and found `tours` tours; `None` before there is an estimate.
    pub fn new(outlook: &Forecast, nodes: u64, tours: u64) -> Option<RunProgress> {
        let by_tours = outlook.tours.filter(|_| outlook.tours_tell_progress(tours)).map(|all| {
            let share = tours as f64 / all as f64;
            let ratio = 1.0 + TELLING_RATIO * (1.0 - share).max(0.0).sqrt();
            Ranged::about(nodes as f64 / share, ratio)
        });
        let tree = by_tours.or(outlook.estimate.map(|estimate| estimate.nodes))?.at_least(nodes as f64, BEYOND);
        Some(RunProgress { nodes, tours, tree, all_tours: outlook.all_tours(tours) })
    }

    /// Share of the nodes of the whole tree that have been entered, 0..1. It is below 1, because only the end of a run
    /// tells that all nodes have been entered.
    pub fn done(&self) -> f64 {
        if self.nodes == 0 { 0.0 } else { (self.nodes as f64 / self.tree.mean).min(0.999_999) }
    }

    /// Seconds that the rest of the run takes at this rate, at least and at most. The limit of tours and the deadline
    /// count. `None` if `rate` has no nodes.
    pub fn left(&self, outlook: &Forecast, elapsed: Duration, rate: Rate) -> Option<(f64, f64)> {
        let rest = |nodes: f64| (nodes - self.nodes as f64).max(0.0) / rate.nodes_per_s;
        let tree = (rate.nodes_per_s > 0.0).then(|| (rest(self.tree.low), rest(self.tree.high)))?;
        let limit = outlook.limit.filter(|_| rate.tours_per_s > 0.0);
        let limit = limit.map(|limit| limit.saturating_sub(self.tours) as f64 / rate.tours_per_s);
        let deadline = outlook.deadline.map(|deadline| deadline.saturating_sub(elapsed).as_secs_f64());
        let first = limit.unwrap_or(f64::INFINITY).min(deadline.unwrap_or(f64::INFINITY));
        Some((tree.0.min(first), tree.1.min(first)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outlook(nodes: Ranged) -> Forecast {
        Forecast { estimate: Some(TreeSample { nodes, tours: None }), ..Forecast::default() }
    }

    #[test]
    fn all_figures_follow_from_one_estimate() {
        assert_eq!(RunProgress::new(&Forecast::default(), 5, 5), None);
        let outlook = outlook(Ranged { mean: 1000.0, low: 500.0, high: 2000.0 });
        let progress = RunProgress::new(&outlook, 250, 0).unwrap();
        assert_eq!((progress.done(), progress.all_tours), (0.25, None));
        let rate = Rate { nodes_per_s: 10.0, tours_per_s: 0.0 };
        assert_eq!(progress.left(&outlook, Duration::ZERO, rate), Some((25.0, 175.0)));
        assert_eq!(progress.left(&outlook, Duration::ZERO, Rate { nodes_per_s: 0.0, ..rate }), None);
    }

    #[test]
    fn more_nodes_than_expected_are_never_all() {
        let outlook = outlook(Ranged { mean: 1000.0, low: 500.0, high: 2000.0 });
        let at = |nodes| RunProgress::new(&outlook, nodes, 0).unwrap();
        assert_eq!(at(1500).tree, Ranged { mean: 1500.0, low: 1500.0, high: 2000.0 });
        assert_eq!(at(5000).tree, Ranged { mean: 5000.0, low: 5000.0, high: 5500.0 });
        assert!(at(5000).done() < 1.0);
    }

    #[test]
    fn tours_tell_the_nodes_once_there_are_many_and_exactly_at_the_end() {
        let outlook = Forecast { tours: Some(10_000), evenly: true, ..outlook(Ranged::exact(77.0)) };
        assert_eq!(RunProgress::new(&outlook, 7, TELLING_TOURS - 1).unwrap().tree, Ranged::exact(77.0));
        let half = RunProgress::new(&outlook, 600, 5000).unwrap();
        assert_eq!((half.done(), half.all_tours), (0.5, Some(Ranged::exact(10_000.0))));
        assert!(half.tree.low > 950.0 && half.tree.high < 1450.0, "{half:?}");
        assert_eq!(RunProgress::new(&outlook, 1234, 10_000).unwrap().tree, Ranged::exact(1234.0));
    }

    #[test]
    fn a_known_number_of_tours_overrides_sampling() {
        let range = |mean| Some(Ranged::about(mean, 2.0));
        let sampled = TreeSample { nodes: Ranged::exact(1e6), tours: range(4600.0) };
        let sampled = Forecast { estimate: Some(sampled), ..Forecast::default() };
        assert_eq!(sampled.all_tours(0), range(4600.0));
        assert_eq!(Forecast { about: range(9000.0), ..sampled }.all_tours(0), range(9000.0));
        let known = Forecast { about: range(9000.0), tours: Some(9862), ..sampled };
        assert_eq!(known.all_tours(7), Some(Ranged::exact(9862.0)));
        assert_eq!(
            Forecast { estimate: None, ..known }.all_tours(7),
            known.all_tours(7),
            "before there is an estimate"
        );
        let progress = RunProgress::new(&known, 5000, 4000).unwrap();
        assert_eq!(progress.tree, Ranged::exact(1e6), "tours that are not spread evenly tell no nodes");
    }

    #[test]
    fn a_limit_and_a_deadline_end_it_earlier() {
        let rate = Rate { nodes_per_s: 10.0, tours_per_s: 2.0 };
        let left = |limit, deadline: Option<u64>| {
            let outlook =
                Forecast { limit, deadline: deadline.map(Duration::from_secs), ..outlook(Ranged::exact(1050.0)) };
            let progress = RunProgress::new(&outlook, 50, 20).unwrap();
            progress.left(&outlook, Duration::from_secs(10), rate).unwrap()
        };
        assert_eq!(left(None, None), (100.0, 100.0));
        assert_eq!(left(Some(60), None), (20.0, 20.0));
        assert_eq!(left(Some(1_000_000), Some(15)), (5.0, 5.0));
        assert_eq!(left(Some(10), Some(5)), (0.0, 0.0));
    }
}
