//! How large is the tree? An estimate by random probing, before anything is known.
//!
//! A probe walks from the root to a leaf, at every node choosing one of its w children at random; a node met after
//! branchings of w1, w2, .. stands for w1 w2 .. nodes of its depth. The mean over many probes is the size of the tree,
//! but most of it sits in few, rare probes: the spread is so heavy-tailed that an error bar from the variance
//! deceives. Two remedies: probes are stratified (every prefix of a breadth-first opening gets the same number), and the
//! answer is a range of powers of ten, from the lowest to the highest of several independent batches. Where no probe met
//! a tour, their number is unknown.
//!
//! # Source
//! D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975.

use super::{HandOver, Nodes, Out, Search, Status, Tally, Task};
use std::collections::VecDeque;

/// Independent batches whose spread is reported.
const BATCHES: usize = 8;
/// Prefixes that are probed equally often.
const STRATA: usize = 64;
/// Nodes entered at most while opening the tree.
const OPENED_MAX: usize = 4096;

/// A range that probing gives for the size of a tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Lowest and highest number of nodes.
    pub nodes: (f64, f64),
    /// Lowest and highest number of tours; nothing when no batch met one.
    pub tours: Option<(f64, f64)>,
    /// Number of probes behind it.
    pub probes: u64,
}

/// Probes a tree, a round at a time, for as long as its owner likes.
pub struct Prober<S> {
    search: S,
    random: fastrand::Rng,
    strata: Vec<Task>,
    opened: Tally,
    /// Nodes and tours found so far by batch, each over `rounds / BATCHES` rounds.
    batches: [(f64, f64); BATCHES],
    rounds: usize,
}

impl<S: Search> Prober<S> {
    /// A prober of the tree of `search`; the same seed gives the same probes.
    pub fn new(mut search: S, seed: u64) -> Prober<S> {
        let (strata, opened) = open(&mut search);
        let random = fastrand::Rng::with_seed(seed);
        Prober { search, random, strata, opened, batches: [(0.0, 0.0); BATCHES], rounds: 0 }
    }

    /// Probes every stratum once.
    pub fn round(&mut self) {
        let batch = self.rounds % BATCHES;
        for stratum in 0..self.strata.len() {
            let (nodes, tours) = self.probe(stratum);
            self.batches[batch].0 += nodes;
            self.batches[batch].1 += tours;
        }
        self.rounds += 1;
    }

    /// What the probes say so far; nothing before every batch has had a round.
    pub fn estimate(&self) -> Option<Estimate> {
        let rounds = (self.rounds / BATCHES) as f64;
        if rounds == 0.0 || !self.rounds.is_multiple_of(BATCHES) {
            return None;
        }
        let (opened_nodes, opened_tours) = (self.opened.nodes as f64, self.opened.tours as f64);
        let nodes = range(self.batches.iter().map(|batch| opened_nodes + batch.0 / rounds));
        let tours = range(self.batches.iter().map(|batch| opened_tours + batch.1 / rounds));
        let known = tours.1 > 0.0 || self.strata.is_empty();
        let probes = (self.rounds * self.strata.len()) as u64;
        Some(Estimate { nodes, tours: known.then_some(tours), probes })
    }

    /// Nodes and tours that one probe of a stratum stands for.
    fn probe(&mut self, stratum: usize) -> (f64, f64) {
        let mut weight = 1.0;
        let (mut nodes, mut tours) = (0.0, 0.0);
        self.search.begin(&self.strata[stratum]);
        loop {
            let width = self.search.width();
            if width == 0 {
                return (nodes, tours);
            }
            weight *= width as f64;
            self.search.keep_only(self.random.usize(..width));
            let mut tally = Tally::default();
            let status = enter_one(&mut self.search, &mut tally);
            nodes += weight * tally.nodes as f64;
            tours += weight * tally.tours as f64;
            if status == Status::Exhausted {
                return (nodes, tours);
            }
        }
    }
}

fn enter_one(search: &mut impl Search, tally: &mut Tally) -> Status {
    search.advance(&mut Nodes(1), &mut Out { tally, levels: false, sink: None })
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, 0.0), |(low, high), value| (value.min(low), value.max(high)))
}

/// Opens the tree, breadth first, into strata; what was entered on the way is counted exactly.
fn open(search: &mut impl Search) -> (Vec<Task>, Tally) {
    let mut opened = Tally::default();
    search.begin(&Task::root());
    let mut strata: VecDeque<Task> = std::iter::from_fn(|| search.split(HandOver::Next)).collect();
    for _ in 0..OPENED_MAX {
        if strata.len() >= STRATA {
            break;
        }
        let Some(task) = strata.pop_front() else { break };
        search.begin(&task);
        if enter_one(search, &mut opened) == Status::Yielded {
            strata.extend(std::iter::from_fn(|| search.split(HandOver::Next)));
        }
    }
    (strata.into(), opened)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;
    use crate::search::{Path, Prune, Radley, Rules};

    fn exact(mut search: impl Search) -> Tally {
        let mut tally = Tally::default();
        search.begin(&Task::root());
        search.advance(&mut Nodes(u64::MAX), &mut Out { tally: &mut tally, levels: false, sink: None });
        tally
    }

    fn probed(search: impl Search, rounds: usize) -> Estimate {
        let mut prober = Prober::new(search, 1);
        (0..rounds).for_each(|_| prober.round());
        prober.estimate().unwrap()
    }

    #[test]
    fn many_probes_enclose_the_size_of_a_tree() {
        let rules = Rules { prune: Prune::AnyIsolated, ..Rules::shipped() };
        let radley = Radley::<u64>::new("5x6".parse().unwrap(), rules).unwrap();
        let path = Path::<u64>::open("5x5".parse().unwrap(), None).unwrap();
        for (tally, estimate) in
            [(exact(radley.clone()), probed(radley, 64 * BATCHES)), (exact(path.clone()), probed(path, 64 * BATCHES))]
        {
            let (low, high) = estimate.nodes;
            assert!((low..=high).contains(&(tally.nodes as f64)), "{} nodes, {estimate:?}", tally.nodes);
            assert!(high < 2.0 * low, "{estimate:?} after so many probes");
        }
    }

    #[test]
    fn tours_that_no_probe_met_are_unknown() {
        let estimate = probed(Radley::<u64>::new("8x8".parse().unwrap(), Rules::shipped()).unwrap(), BATCHES);
        assert_eq!(estimate.tours, None, "one of 10^20 nodes in a few hundred probes");
        assert!(estimate.nodes.0 > 1e12, "{estimate:?}");
    }

    #[test]
    fn a_tree_that_the_opening_exhausts_is_known_exactly() {
        for (board, ending) in [("3x3", Ending::Open), ("3x4", Ending::Closed)] {
            let search = match ending {
                Ending::Open => Path::<u64>::open(board.parse().unwrap(), None).unwrap(),
                Ending::Closed => Path::<u64>::closed(board.parse().unwrap(), None).unwrap(),
            };
            let nodes = exact(search.clone()).nodes as f64;
            let estimate = probed(search, BATCHES);
            assert_eq!((estimate.nodes, estimate.tours), ((nodes, nodes), Some((0.0, 0.0))), "{board}");
        }
    }
}
