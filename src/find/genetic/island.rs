//! An island: one isolated population, generation after generation.

use super::genome::{Genome, GenomeWalker};
use crate::board::{Ending, Shape, Square};
use crate::find::attempt::{Attempt, AttemptProgress};
use crate::search::Drawing;
use fastrand::Rng;
use std::collections::HashSet;

/// Number of strings of a population.
pub const POPULATION: usize = 50;

/// The share of children with two parents, in percent.
const CROSSED: u32 = 80;

/// How an island searches for tours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IslandOptions {
    /// Whether strings are children of fit strings; otherwise every string is random.
    pub breeds: bool,
    /// Whether an illegal move is replaced by a legal one.
    pub repairs: bool,
    /// Number of generations after which the island is given up, at least 1.
    pub generations: u32,
}

impl IslandOptions {
    /// Breeding and repair, with a limit of generations that suffices for nearly every island of 8x8.
    pub fn usual() -> IslandOptions {
        IslandOptions { breeds: true, repairs: true, generations: 400 }
    }
}

/// The figures of one generation.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Generation {
    /// Its number on the island, from 1.
    pub number: u32,
    /// Strings evaluated on the island up to the end of this generation.
    pub evaluations: u64,
    /// The best fitness of this generation: squares visited, and one more for a closing move.
    pub best: u32,
    /// The mean fitness of this generation.
    pub mean: f64,
    /// Tours found on the island up to the end of this generation; a repeated tour counts each time.
    pub tours: u64,
    /// Different tours among [`Generation::tours`].
    pub distinct: u64,
}

/// A string of the population with its fitness.
#[derive(Clone, Debug, Default)]
struct Individual {
    genome: Genome,
    fitness: u32,
}

/// One isolated population, and an [`Attempt`] whose node is one evaluated string.
pub struct Island<'a> {
    options: IslandOptions,
    rng: Rng,
    walker: GenomeWalker,
    parents: Vec<Individual>,
    children: Vec<Individual>,
    /// Index of the next child to make and evaluate.
    next_child: usize,
    best: (u32, Vec<Square>),
    evaluations: u64,
    tours: u64,
    distinct: HashSet<Box<[Square]>>,
    /// Number of complete generations.
    generations: u32,
    listener: Box<dyn FnMut(&Generation) + Send + 'a>,
}

impl<'a> Island<'a> {
    /// An island whose walks begin at `start`, which must not be a hole.
    pub fn new(shape: &Shape, ending: Ending, start: Square, options: IslandOptions, seed: u64) -> Island<'a> {
        Island {
            options,
            rng: Rng::with_seed(seed),
            walker: GenomeWalker::new(shape, ending, start, options.repairs),
            parents: Vec::new(),
            children: vec![Individual::default(); POPULATION],
            next_child: 0,
            best: (0, vec![start]),
            evaluations: 0,
            tours: 0,
            distinct: HashSet::new(),
            generations: 0,
            listener: Box::new(|_| {}),
        }
    }

    /// Passes each generation on as soon as it is complete; one in which a tour is found also at that moment.
    pub fn reporting(self, listener: impl FnMut(&Generation) + Send + 'a) -> Island<'a> {
        Island { listener: Box::new(listener), ..self }
    }

    /// Strings evaluated so far, tours found, and different tours among them.
    pub fn tally(&self) -> (u64, u64, u64) {
        (self.evaluations, self.tours, self.distinct.len() as u64)
    }

    /// The best fitness so far.
    pub fn best(&self) -> u32 {
        self.best.0
    }

    /// Makes and evaluates the next string; returns its tour if it codes a new one.
    fn evaluate_next(&mut self) -> Option<Box<[Square]>> {
        self.breed();
        let child = &mut self.children[self.next_child];
        child.fitness = self.walker.follow(&mut child.genome);
        let (fitness, path) = (child.fitness, &self.walker.path[..]);
        self.evaluations += 1;
        self.next_child += 1;
        if fitness > self.best.0 {
            self.best.0 = fitness;
            path.clone_into(&mut self.best.1);
        }
        let is_tour = fitness == self.walker.goal();
        self.tours += u64::from(is_tour);
        let found = (is_tour && self.distinct.insert(path.into())).then(|| path.into());
        if self.next_child == POPULATION {
            self.close_generation();
        }
        found
    }

    /// Makes the next string.
    fn breed(&mut self) {
        let rng = &mut self.rng;
        let child = &mut self.children[self.next_child].genome;
        if self.parents.is_empty() || !self.options.breeds {
            *child = Genome::random(self.walker.moves(), rng);
            return;
        }
        let head = fitter_of_two(&self.parents, rng);
        if rng.u32(..100) < CROSSED {
            let tail = fitter_of_two(&self.parents, rng);
            child.cross(head, tail, rng);
        } else {
            child.copy(head);
        }
        child.mutate(rng);
    }

    /// Passes on the figures of the generation in work, if a string of it has been evaluated.
    fn report(&mut self) {
        let fitness = self.children[..self.next_child].iter().map(|child| child.fitness);
        let Some(best) = fitness.clone().max() else { return };
        let mean = f64::from(fitness.sum::<u32>()) / self.next_child as f64;
        let (number, evaluations, tours) = (self.generations + 1, self.evaluations, self.tours);
        (self.listener)(&Generation { number, evaluations, best, mean, tours, distinct: self.distinct.len() as u64 });
    }

    /// Passes the figures of the generation on; its children become the parents of the next one.
    fn close_generation(&mut self) {
        self.report();
        self.generations += 1;
        std::mem::swap(&mut self.parents, &mut self.children);
        self.children.resize_with(POPULATION, Individual::default);
        self.next_child = 0;
    }
}

/// The winner of a tournament of two.
fn fitter_of_two<'a>(parents: &'a [Individual], rng: &mut Rng) -> &'a Genome {
    let [a, b] = [(); 2].map(|()| &parents[rng.usize(..parents.len())]);
    if a.fitness >= b.fitness { &a.genome } else { &b.genome }
}

impl Attempt for Island<'_> {
    fn advance(&mut self, nodes: u64, entered: &mut u64) -> AttemptProgress {
        for _ in 0..nodes {
            if self.generations >= self.options.generations {
                return AttemptProgress::GivenUp;
            }
            *entered += 1;
            if let Some(tour) = self.evaluate_next() {
                // The search may end with this tour.
                self.report();
                return AttemptProgress::Found(tour);
            }
        }
        AttemptProgress::Going
    }

    fn depth(&self) -> usize {
        self.best.1.len()
    }

    fn draw(&self, drawing: &mut Drawing) {
        drawing.path(self.best.1.iter().map(|square| square.index()), None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Holes, Tour};
    use proptest::prelude::*;

    fn island<'a>(board: &str, ending: Ending, start: u32, options: IslandOptions, seed: u64) -> Island<'a> {
        let board: Board = board.parse().unwrap();
        Island::new(&board.into(), ending, board.at(start).unwrap(), options, seed)
    }

    /// Runs in bursts for `nodes` nodes or to the end; returns each tour with the number of nodes before it.
    fn found(island: &mut Island<'_>, nodes: u64, burst: u64) -> Vec<(u64, Box<[Square]>)> {
        let (mut entered, mut tours) = (0, Vec::new());
        while entered < nodes {
            match island.advance(burst.min(nodes - entered), &mut entered) {
                AttemptProgress::Going => {}
                AttemptProgress::Found(tour) => tours.push((entered, tour)),
                AttemptProgress::GivenUp => break,
                AttemptProgress::Exhausted => panic!("an island never knows that it has seen everything"),
            }
        }
        tours
    }

    #[test]
    fn repair_solves_small_boards_from_every_kind_of_start() {
        // Four starts that no symmetry takes to each other; on 5x5 of the colour that there is more of.
        for (board, starts) in [("5x5", [0, 2, 6, 12]), ("6x6", [0, 1, 8, 14])] {
            for start in starts {
                let mut island = island(board, Ending::Open, start, IslandOptions::usual(), 1);
                let tours = found(&mut island, 20_000, 1000);
                assert!(!tours.is_empty(), "{board} from {start}: best {}", island.best());
                for (_, squares) in tours {
                    let tour = Tour::verify(board.parse::<Shape>().unwrap(), Ending::Open, squares).unwrap();
                    assert_eq!(tour.squares()[0].index(), start);
                }
            }
        }
    }

    #[test]
    fn without_repair_nothing_is_found_but_breeding_still_helps() {
        let best = |breeds| {
            let options = IslandOptions { breeds, repairs: false, generations: 400 };
            let mut island = island("6x6", Ending::Open, 0, options, 1);
            assert_eq!(found(&mut island, 20_000, 1000), []);
            island.best()
        };
        assert!(best(false) < best(true) && best(true) < 36);
    }

    #[test]
    fn a_closed_tour_closes() {
        let mut island = island("6x6", Ending::Closed, 0, IslandOptions::usual(), 1);
        let tours = found(&mut island, 20_000, 1000);
        assert!(!tours.is_empty(), "best {}", island.best());
        for (_, squares) in tours {
            Tour::verify("6x6".parse::<Shape>().unwrap(), Ending::Closed, squares).unwrap();
        }
    }

    #[test]
    fn every_generation_is_recorded_and_the_last_one_ends_the_island() {
        let options = IslandOptions { generations: 30, ..IslandOptions::usual() };
        let mut generations: Vec<Generation> = Vec::new();
        let island = island("5x5", Ending::Open, 0, options, 7);
        let mut island = island.reporting(|generation| generations.push(*generation));
        let tours = found(&mut island, u64::MAX, 64).len() as u64;
        let mut entered = 0;
        assert_eq!((island.advance(9, &mut entered), entered), (AttemptProgress::GivenUp, 0));
        let (best, tally) = (island.best(), island.tally());
        drop(island);
        // A generation is complete with its last string.
        generations.retain(|generation| generation.evaluations % 50 == 0);
        assert_eq!(generations.len(), 30);
        for (generation, number) in generations.iter().zip(1..) {
            assert_eq!((generation.number, generation.evaluations), (number, u64::from(number) * 50));
            assert!(generation.mean <= f64::from(generation.best) && generation.best <= best);
            assert!(generation.distinct <= generation.tours);
        }
        let last = generations[29];
        assert_eq!((last.evaluations, last.tours, last.distinct), tally);
        assert_eq!(last.distinct, tours);
    }

    proptest! {
        #[test]
        fn bursts_change_nothing(seed: u64, burst in 1u64..200, closed: bool) {
            let ending = if closed { Ending::Closed } else { Ending::Open };
            let run = |burst| {
                let mut generations: Vec<Generation> = Vec::new();
                let island = island("5x6", ending, 0, IslandOptions::usual(), seed);
                let mut island = island.reporting(|generation| generations.push(*generation));
                let tours = found(&mut island, 2000, burst);
                let mut drawing = Drawing::default();
                island.draw(&mut drawing);
                let depth = island.depth();
                drop(island);
                (tours, drawing, depth, generations)
            };
            prop_assert_eq!(run(burst), run(2000));
        }

        #[test]
        fn holes_are_left_out(seed: u64) {
            let board: Board = "5x5".parse().unwrap();
            let holes = Holes::new([board.parse_square("a1").unwrap(), board.parse_square("b1").unwrap()]);
            let mut island = Island::new(&Shape::new(board, holes.clone()), Ending::Open, board.at(0).unwrap(), IslandOptions::usual(), seed);
            for (_, squares) in found(&mut island, 2000, 100) {
                Tour::verify(Shape::new(board, holes.clone()), Ending::Open, squares).unwrap();
            }
        }
    }
}
