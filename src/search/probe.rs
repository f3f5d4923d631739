//! How large is the tree? An estimate by random sampling, before anything is known.
//!
//! A sample goes through the tree level by level with a crowd of nodes. It enters all of them, and of their children
//! keeps so many for the next level, chosen at even distances from a random first one; if c children are left of m,
//! each stands for m / c as many nodes as one of the level above did. What a level holds is then the nodes met times what
//! each stands for, and the sum over the levels is the tree: right in the mean, whatever the tree, because every child
//! is kept with the same chance. One probe at a time, Knuth's way, is a crowd of one: then a tree's size hangs on few,
//! rare probes. In a crowd they stand beside the others, and even distances take from every part of the tree its share.
//!
//! Samples come in generations of [`SAMPLES`], each with crowds twice as large, so that a first answer is there within
//! milliseconds and a good one within a second. The answer is the mean of the last generation
//! that is whole, of which the last but goes on, and a range of
//! four standard errors, on a scale of ratios because sizes are.
//!
//! Tours stand at the very ends of the tree, and a few subtrees have most of them: small crowds miss these, so that they say
//! too little, or meet one by chance and say too much. So the number of tours is told by crowds of [`TELLING`] and more only,
//! and while next to all samples met some. Tried on nine trees of known numbers, 233 of 240 ranges held the number then; of
//! crowds half as large 277 of 320 did.
//!
//! # Source
//! D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975; R. Y. Rubinstein,
//! "Stochastic enumeration method for counting NP-hard problems", Methodology and Computing in Applied Probability 15,
//! 2013. Even distances are this program's own.

use super::kernel::{Burst, BurstEnd, Kernel};
use super::tally::{BurstOutput, Tally};
use super::task::{HandOver, Task};
use crate::ranged::Ranged;
use serde::{Deserialize, Serialize};

/// Samples of a generation.
const SAMPLES: usize = 8;
/// Nodes of a crowd in the first generation, and in the last, which goes on for as long as it is asked to.
const CROWD: (usize, usize) = (64, 2048);
/// Nodes of the smallest crowd that tells the number of tours.
const TELLING: usize = 1024;
/// Standard errors on either side of the mean that make the range.
const ERRORS: f64 = 4.0;

/// Samples of a number: how many, their mean, and the sum of the squares of their distances from it.
#[derive(Clone, Copy, Default)]
struct SampleSums {
    n: f64,
    mean: f64,
    squares: f64,
    /// How many of them are 0.
    zeros: f64,
}

impl SampleSums {
    fn add(&mut self, sample: f64) {
        let before = sample - self.mean;
        self.n += 1.0;
        self.zeros += f64::from(sample == 0.0);
        self.mean += before / self.n;
        self.squares += before * (sample - self.mean);
    }

    /// What they say of the number: their mean, and the range by their spread.
    fn ranged(&self) -> Ranged {
        if self.squares == 0.0 {
            return Ranged::exact(self.mean);
        }
        let variance = self.squares / (self.n - 1.0);
        Ranged::about(self.mean, 1.0 + ERRORS * (variance / self.n).sqrt() / self.mean)
    }
}

/// What sampling says of a tree.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct TreeSample {
    /// Number of nodes.
    pub nodes: Ranged,
    /// Number of tours; nothing when too few samples met one, or too small ones, and there may be some.
    pub tours: Option<Ranged>,
}

/// Samples a tree for as long as its owner likes.
pub struct Prober {
    kernel: Box<dyn Kernel>,
    random: fastrand::Rng,
    crowd: usize,
    /// Nodes and tours by the samples of this generation.
    samples: (SampleSums, SampleSums),
    /// Whether one of them left children out; else the tree has been seen whole.
    sampled: bool,
}

impl TreeSample {
    /// Whether there is no more to learn.
    pub fn is_exact(&self) -> bool {
        self.nodes.low == self.nodes.high && self.tours.is_some_and(|tours| tours.low == tours.high)
    }
}

impl Prober {
    /// A prober of the tree of `kernel`; the same seed gives the same samples.
    pub fn new(kernel: &dyn Kernel, seed: u64) -> Prober {
        Prober {
            kernel: kernel.another(),
            random: fastrand::Rng::with_seed(seed),
            crowd: CROWD.0,
            samples: Default::default(),
            sampled: false,
        }
    }

    /// Takes a sample, unless `halt` says in the middle that there is no use in it any more; answers what is known anew.
    pub fn sample(&mut self, halt: impl Fn() -> bool) -> Option<TreeSample> {
        let (nodes, tours) = self.walk(halt)?;
        if !self.sampled {
            return Some(TreeSample { nodes: Ranged::exact(nodes), tours: Some(Ranged::exact(tours)) });
        }
        self.samples.0.add(nodes);
        self.samples.1.add(tours);
        let (nodes, tours) = self.samples;
        if nodes.n < SAMPLES as f64 {
            return None;
        }
        // Of the first eight all must have met some, of every eight more another one need not.
        let told = self.crowd >= TELLING && tours.zeros * SAMPLES as f64 <= tours.n - SAMPLES as f64;
        if self.crowd < CROWD.1 {
            self.crowd *= 2;
            self.samples = Default::default();
            self.sampled = false;
        }
        Some(TreeSample { nodes: nodes.ranged(), tours: told.then(|| tours.ranged()) })
    }

    /// Nodes and tours of the tree, as one sample has it.
    fn walk(&mut self, halt: impl Fn() -> bool) -> Option<(f64, f64)> {
        self.kernel.begin(&Task::root());
        let mut level: Vec<Task> = self.children().collect();
        let (mut nodes, mut tours, mut weight) = (0.0, 0.0, 1.0);
        while !level.is_empty() {
            if level.len() > self.crowd {
                weight *= level.len() as f64 / self.crowd as f64;
                level = self.thin(level);
                self.sampled = true;
            }
            let mut tally = Tally::default();
            let mut next = Vec::new();
            for task in &level {
                if halt() {
                    return None;
                }
                self.kernel.begin(task);
                if self.kernel.advance(Burst::nodes(1), &mut BurstOutput::counting(&mut tally)) == BurstEnd::Yielded {
                    next.extend(self.children());
                }
            }
            nodes += weight * tally.nodes as f64;
            tours += weight * tally.tours as f64;
            level = next;
        }
        Some((nodes, tours))
    }

    /// The untried branches of the current node.
    fn children(&mut self) -> impl Iterator<Item = Task> {
        std::iter::from_fn(|| self.kernel.split(HandOver::Next))
    }

    /// As many of the tasks as a crowd holds, at even distances from a random first one.
    fn thin(&mut self, tasks: Vec<Task>) -> Vec<Task> {
        let last = tasks.len() - 1;
        let distance = tasks.len() as f64 / self.crowd as f64;
        let first = self.random.f64() * distance;
        let mut next = (0..self.crowd).map(|k| ((first + k as f64 * distance) as usize).min(last)).peekable();
        let kept = |&(place, _): &(usize, Task)| next.next_if_eq(&place).is_some();
        tasks.into_iter().enumerate().filter(kept).map(|(_, task)| task).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;
    use crate::search::{Brute, Edges, Path, Prune, Radley, RadleyOptions};

    fn exact(search: &dyn Kernel) -> Tally {
        let mut search = search.another();
        let mut tally = Tally::default();
        search.begin(&Task::root());
        search.advance(Burst::nodes(u64::MAX), &mut BurstOutput::counting(&mut tally));
        tally
    }

    /// What a whole generation of samples says, with crowds of this size.
    fn sampled(search: &dyn Kernel, crowd: usize) -> TreeSample {
        let mut prober = Prober { crowd, ..Prober::new(search, 1) };
        loop {
            if let Some(estimate) = prober.sample(|| false) {
                return estimate;
            }
        }
    }

    fn assert_near(search: &dyn Kernel, what: &str) {
        let tally = exact(search);
        let TreeSample { nodes, tours } = sampled(search, TELLING);
        let (low, high) = (nodes.mean / 1.2, nodes.mean * 1.2);
        assert!((low..high).contains(&(tally.nodes as f64)), "{what}: {} nodes, {nodes:?}", tally.nodes);
        assert!((nodes.low..=nodes.high).contains(&(tally.nodes as f64)), "{what}: {} nodes, {nodes:?}", tally.nodes);
        // Where there are few among millions of nodes, too few samples meet one.
        let right = tours.is_none_or(|tours| (tours.low..=tours.high).contains(&(tally.tours as f64)));
        assert!(right && (tours.is_some() || tally.tours < 200), "{what}: {} tours, {tours:?}", tally.tours);
    }

    #[test]
    fn a_generation_of_samples_encloses_the_size_of_a_tree() {
        let rules = RadleyOptions { prune: Prune::AnyIsolated, ..RadleyOptions::shipped() };
        assert_near(&Radley::<u64>::new("5x6".parse().unwrap(), rules).unwrap(), "radley");
        assert_near(&Path::<u64>::open("5x5".parse().unwrap(), None).unwrap(), "path, open");
        assert_near(&Path::<u64>::closed("5x8".parse().unwrap(), None).unwrap(), "path, closed");
        assert_near(&Brute::<u64>::new("4x5".parse().unwrap(), None).unwrap(), "brute");
        assert_near(&Edges::<u64, 64>::new("5x8".parse().unwrap()).unwrap(), "edges");
    }

    #[test]
    fn small_crowds_are_right_in_the_mean() {
        let search = Path::<u64>::open("5x5".parse().unwrap(), None).unwrap();
        let tally = exact(&search);
        let mut prober = Prober { crowd: 4, ..Prober::new(&search, 7) };
        let samples: Vec<(f64, f64)> = (0..4000).map(|_| prober.walk(|| false).unwrap()).collect();
        let mean = |of: fn(&(f64, f64)) -> f64| samples.iter().map(of).sum::<f64>() / samples.len() as f64;
        let (nodes, tours) =
            (mean(|sample| sample.0) / tally.nodes as f64, mean(|sample| sample.1) / tally.tours as f64);
        assert!((nodes - 1.0).abs() < 0.05 && (tours - 1.0).abs() < 0.2, "{nodes} {tours}");
    }

    /// Before, 6x6 by `radley` was said to have 4.6 thousand tours, and 6x7 between 0.87 and 7.4 million.
    #[test]
    fn a_number_of_tours_that_few_samples_met_is_not_told() {
        let small = |search| sampled(search, TELLING / 2).tours;
        assert_eq!(small(&Path::<u64>::closed("6x7".parse().unwrap(), None).unwrap()), None);
        let told = sampled(&Path::<u64>::closed("6x7".parse().unwrap(), None).unwrap(), TELLING).tours.unwrap();
        assert!(told.low < 1_067_638.0 && 1_067_638.0 < told.high, "{told:?}");
        let rules = RadleyOptions { prune: Prune::Region, ..RadleyOptions::shipped() };
        for board in ["6x6", "6x7"] {
            let radley = Radley::<u64>::new(board.parse().unwrap(), rules.clone()).unwrap();
            assert_eq!(sampled(&radley, TELLING).tours, None, "{board}");
        }
    }

    #[test]
    fn tours_that_no_sample_met_are_unknown() {
        let estimate = sampled(&Radley::<u64>::new("8x8".parse().unwrap(), RadleyOptions::shipped()).unwrap(), 64);
        assert_eq!(estimate.tours, None, "one of 10^20 nodes in a few thousand");
        assert!(estimate.nodes.low > 1e12, "{estimate:?}");
    }

    #[test]
    fn a_tree_that_a_crowd_holds_is_known_exactly_and_one_that_is_halted_not_at_all() {
        for (board, ending) in [("3x3", Ending::Open), ("3x4", Ending::Closed)] {
            let search = match ending {
                Ending::Open => Path::<u64>::open(board.parse().unwrap(), None).unwrap(),
                Ending::Closed => Path::<u64>::closed(board.parse().unwrap(), None).unwrap(),
            };
            let nodes = Ranged::exact(exact(&search).nodes as f64);
            assert_eq!(sampled(&search, 64), TreeSample { nodes, tours: Some(Ranged::exact(0.0)) }, "{board}");
            let mut prober = Prober::new(&search, 1);
            assert!((0..SAMPLES).all(|_| prober.sample(|| true).is_none()));
            let first = Prober::new(&search, 1).sample(|| false).unwrap();
            assert_eq!((first.nodes, first.is_exact()), (nodes, true), "{board}: at once");
        }
    }
}
