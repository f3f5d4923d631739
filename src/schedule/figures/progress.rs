//! How far a run is: one estimate, from which everything that is said of it follows.
//!
//! The estimate is of the nodes of the whole tree. What share is done, how large the tree is and how long the rest
//! takes are said from it alone, so they agree at every moment, whatever the threads and the scheduler. It comes from
//! sampling ([`crate::search::Prober`]); where the number of tours is known and the solver finds them evenly over its
//! tree, it comes, once a good many have been found, from their share: `bench progress` shows of which solvers that is
//! true, and how wide the ranges must be.
//!
//! The number of all tours is a known number where there is one. Else it is a range: of random walks that are made for it
//! (`foretell.rs`), or of the samples of the tree.

use crate::ranged::Ranged;
use crate::search::TreeSample;
use crate::stop::Stop;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Finds out how many tours a run finds in the end, exactly or about; nothing when it is told to stop before.
pub type TourForecast = Box<dyn FnOnce(&Stop) -> Option<Ranged> + Send>;

/// Tours found from which on their share tells the nodes.
const TELLING: u64 = 1000;
/// How far, as a ratio, the share of the tours may be from that of the nodes at the beginning; less and less on the way.
const TELLING_RATIO: f64 = 0.25;
/// The tree is larger than every sample of it said, by this ratio at most, once as many nodes have been entered.
const BEYOND: f64 = 1.1;

/// What is known beforehand, or by sampling, of how a run goes on.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Forecast {
    /// What sampling says of the whole tree, once it has.
    pub estimate: Option<TreeSample>,
    /// The number of all tours, where it is known and no more than a search can count.
    pub tours: Option<u64>,
    /// Whether the tours are spread over the tree so evenly that their share tells that of the nodes.
    #[serde(default = "evenly")]
    pub evenly: bool,
    /// About how many tours there are, where that is found otherwise than by sampling the tree; or a number larger than
    /// a search can count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<Ranged>,
    /// Tours after which the run stops.
    pub limit: Option<u64>,
    /// When it stops, since it began.
    pub deadline: Option<Duration>,
}

/// What an outlook without this field means: one that knows the tours was written for those that are spread evenly only.
fn evenly() -> bool {
    true
}

impl Forecast {
    /// Whether so many tours tell how far the run is.
    pub(in crate::schedule) fn is_told(&self, tours: u64) -> bool {
        self.evenly && self.tours.is_some() && tours >= TELLING
    }

    /// The number of all tours, of which so many are found: exact where it is known; nothing where nothing is known of it.
    pub fn all_tours(&self, found: u64) -> Option<Ranged> {
        let known = self.tours.map(|all| Ranged::exact(all as f64));
        let sampled = self.estimate.and_then(|estimate| estimate.tours);
        known.or(self.about).or(sampled).map(|all| all.at_least(found as f64, BEYOND))
    }
}

/// How far a run is; see the module.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RunProgress {
    /// Nodes entered.
    pub nodes: u64,
    /// Tours found.
    pub tours: u64,
    /// Nodes of the whole tree.
    pub tree: Ranged,
    /// Tours of the whole tree; nothing where nothing is known of them.
    pub all_tours: Option<Ranged>,
}

/// What a run does in a second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rate {
    /// Nodes entered.
    pub nodes_per_s: f64,
    /// Tours found.
    pub tours_per_s: f64,
}

impl Rate {
    /// So many nodes and tours in this time.
    pub fn mean(nodes: u64, tours: u64, time: Duration) -> Rate {
        let seconds = time.as_secs_f64().max(1e-3);
        Rate { nodes_per_s: nodes as f64 / seconds, tours_per_s: tours as f64 / seconds }
    }
}

impl RunProgress {
    /// How far a run is that has come to so many nodes and tours; nothing before there is an estimate.
    pub fn new(outlook: &Forecast, nodes: u64, tours: u64) -> Option<RunProgress> {
        let told = outlook.tours.filter(|_| outlook.is_told(tours)).map(|all| {
            let share = tours as f64 / all as f64;
            let ratio = 1.0 + TELLING_RATIO * (1.0 - share).max(0.0).sqrt();
            Ranged::about(nodes as f64 / share, ratio)
        });
        let tree = told.or(outlook.estimate.map(|estimate| estimate.nodes))?.at_least(nodes as f64, BEYOND);
        Some(RunProgress { nodes, tours, tree, all_tours: outlook.all_tours(tours) })
    }

    /// The share of the nodes of the whole tree that have been entered, 0..1: that it is all is known when the run has
    /// ended.
    pub fn done(&self) -> f64 {
        if self.nodes == 0 { 0.0 } else { (self.nodes as f64 / self.tree.mean).min(0.999_999) }
    }

    /// Seconds that the rest of the run takes at this rate, at least and at most, its limit and its deadline heeded;
    /// nothing without a rate.
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
    fn what_is_said_follows_from_one_estimate() {
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
        assert_eq!(RunProgress::new(&outlook, 7, TELLING - 1).unwrap().tree, Ranged::exact(77.0));
        let half = RunProgress::new(&outlook, 600, 5000).unwrap();
        assert_eq!((half.done(), half.all_tours), (0.5, Some(Ranged::exact(10_000.0))));
        assert!(half.tree.low > 950.0 && half.tree.high < 1450.0, "{half:?}");
        assert_eq!(RunProgress::new(&outlook, 1234, 10_000).unwrap().tree, Ranged::exact(1234.0));
    }

    #[test]
    fn a_known_number_of_tours_is_said_whatever_sampling_says() {
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
    fn an_outlook_of_an_older_recording_has_tours_that_tell_the_nodes() {
        let older = r#"{"estimate":null,"tours":9862,"limit":null,"deadline":null}"#;
        let older: Forecast = serde_json::from_str(older).unwrap();
        assert_eq!(older, Forecast { tours: Some(9862), evenly: true, ..Forecast::default() });
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
