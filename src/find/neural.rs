//! A neural network that settles into cycles of knight's moves: an exhibit, not a competitor.
//!
//! Every possible move is a neuron with a state and an output, on or off; the drawing shows the moves that are on. At
//! first outputs are random and states are 0. A sweep updates every neuron in order; each neuron adds to its state
//!
//! ```text
//! 4 - (moves that are on at its one end) - (moves that are on at its other end)
//! ```
//!
//! and is on when the state is above 3, off when it is below 0, and unchanged in between. When a sweep changes no
//! output and every square has two moves that are on, the network has settled into cycles that together visit every
//! square. A single cycle is a closed tour. Nothing in the rule favours a single cycle, so a network that settles into
//! several is given up, and the next attempt begins with another network.
//!
//! How many of 10,000 networks settle, and into one cycle (seeds 0 to 9999, this program's own figures):
//!
//! | board | settled | one cycle | sweeps of a network, mean |
//! | --- | --- | --- | --- |
//! | 5x6 | 9727 | 166 | 33 |
//! | 6x6 | 9716 | 2835 | 43 |
//! | 8x8 | 9595 | 2132 | 70 |
//! | 10x10 | 9545 | 1483 | 98 |
//! | 12x12 | 9428 | 712 | 129 |
//! | 16x16 | 8904 | 201 | 196 |
//! | 20x20 | 7822 | 36 | 256 |
//!
//! # Source
//! Y. Takefuji and K. C. Lee, "Neural network computing for knight's tour problems", Neurocomputing 4, 1992.

use super::attempt::{Attempt, AttemptProgress};
use crate::board::{Board, Holes, Square};
use crate::search::Drawing;
use fastrand::Rng;

/// Number of sweeps after which a network that has not settled is given up.
pub const SWEEPS: u32 = 400;

/// The neuron of one possible move.
#[derive(Clone, Debug)]
struct Neuron {
    ends: [u32; 2],
    state: i32,
    on: bool,
}

/// A network of one neuron per possible move; an [`Attempt`] whose node is a sweep.
#[derive(Clone, Debug)]
pub struct Network {
    board: Board,
    neurons: Vec<Neuron>,
    /// For each square: the number of its moves that are on.
    moves: Vec<u32>,
    /// Number of squares to visit.
    squares: usize,
    /// The first square of a tour.
    start: Square,
    sweeps: u32,
    /// Number of cycles, once the network has settled.
    cycles: Option<usize>,
}

impl Network {
    /// A network with random outputs over the squares of a board that are no holes. A tour starts at `start`, which must
    /// not be a hole.
    pub fn new(board: Board, start: Square, holes: &Holes, seed: u64) -> Network {
        let mut rng = Rng::with_seed(seed);
        let visited = |square: &Square| !holes.contains(*square);
        let pairs = board.all().filter(visited).flat_map(|from| {
            let later = board.neighbours(from).filter(visited).filter(move |to| from < *to);
            later.map(move |to| [from.index(), to.index()])
        });
        let neurons: Vec<_> = pairs.map(|ends| Neuron { ends, state: 0, on: rng.bool() }).collect();
        let mut moves = vec![0; board.squares() as usize];
        for end in neurons.iter().filter(|neuron| neuron.on).flat_map(|neuron| neuron.ends) {
            moves[end as usize] += 1;
        }
        let squares = board.squares() as usize - holes.len();
        Network { board, neurons, moves, squares, start, sweeps: 0, cycles: None }
    }

    /// Number of cycles into which the network has settled; `None` before that.
    pub fn cycles(&self) -> Option<usize> {
        self.cycles
    }

    /// Updates every neuron, in order; returns whether an output changed.
    fn sweep(&mut self) -> bool {
        let mut changed = false;
        for neuron in &mut self.neurons {
            let [a, b] = neuron.ends.map(|end| end as usize);
            neuron.state += 4 - (self.moves[a] + self.moves[b]) as i32;
            let on = match neuron.state {
                4.. => true,
                ..0 => false,
                _ => neuron.on,
            };
            if on != neuron.on {
                neuron.on = on;
                for end in [a, b] {
                    self.moves[end] = if on { self.moves[end] + 1 } else { self.moves[end] - 1 };
                }
                changed = true;
            }
        }
        changed
    }

    /// Whether every square to visit has two moves that are on.
    fn is_balanced(&self) -> bool {
        self.moves.iter().filter(|&&moves| moves == 2).count() == self.squares
    }

    /// The moves that are on, as chains; each move is in one chain, and the last square of a cycle is its first.
    fn chains(&self) -> Vec<Vec<u32>> {
        let mut at: Vec<Vec<u32>> = vec![Vec::new(); self.board.squares() as usize];
        for [a, b] in self.neurons.iter().filter(|neuron| neuron.on).map(|neuron| neuron.ends) {
            at[a as usize].push(b);
            at[b as usize].push(a);
        }
        let mut chains = Vec::new();
        // Chains with two ends begin at a square with an odd number of moves; the moves left after them are cycles.
        for odd in [true, false] {
            for start in 0..self.board.squares() {
                while at[start as usize].len() % 2 == usize::from(odd) && !at[start as usize].is_empty() {
                    chains.push(take_chain(&mut at, start));
                }
            }
        }
        chains
    }

    /// The squares of the cycle in order, if there is only one cycle.
    fn tour(&self, cycles: &[Vec<u32>]) -> Option<Box<[Square]>> {
        let [cycle] = cycles else { return None };
        let mut squares = cycle[..self.squares].to_vec();
        let start = squares.iter().position(|&square| square == self.start.index())?;
        squares.rotate_left(start);
        squares.into_iter().map(|index| self.board.at(index)).collect()
    }
}

/// Removes moves along a chain from `start` until the last square has none left; returns the squares.
fn take_chain(at: &mut [Vec<u32>], start: u32) -> Vec<u32> {
    let mut chain = vec![start];
    let mut from = start;
    while let Some(to) = at[from as usize].pop() {
        at[to as usize].retain(|&back| back != from);
        chain.push(to);
        from = to;
    }
    chain
}

impl Attempt for Network {
    fn advance(&mut self, nodes: u64, entered: &mut u64) -> AttemptProgress {
        for _ in 0..nodes {
            if self.cycles.is_some() || self.sweeps == SWEEPS {
                return AttemptProgress::GivenUp;
            }
            *entered += 1;
            self.sweeps += 1;
            if !self.sweep() && self.is_balanced() {
                let cycles = self.chains();
                self.cycles = Some(cycles.len());
                if let Some(tour) = self.tour(&cycles) {
                    return AttemptProgress::Found(tour);
                }
            }
        }
        AttemptProgress::Going
    }

    fn depth(&self) -> usize {
        self.moves.iter().filter(|&&moves| moves == 2).count()
    }

    fn draw(&self, drawing: &mut Drawing) {
        drawing.chains = self.chains();
        drawing.reserved = None;
        drawing.skipped = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Ending, Tour};
    use crate::find::run;
    use proptest::prelude::*;

    fn network(board: &str, start: u32, seed: u64) -> Network {
        let board: Board = board.parse().unwrap();
        Network::new(board, board.at(start).unwrap(), &Holes::none(), seed)
    }

    /// Of 1000 networks: how many settled, how many into one cycle, and the sweeps of all.
    fn figures(board: &str) -> [u64; 3] {
        let mut figures = [0; 3];
        for seed in 0..1000 {
            let mut network = network(board, 0, seed);
            let (tour, sweeps) = run(&mut network);
            assert_eq!(tour.is_some(), network.cycles() == Some(1));
            figures[0] += u64::from(network.cycles().is_some());
            figures[1] += u64::from(tour.is_some());
            figures[2] += sweeps;
            if let Some(squares) = tour {
                Tour::verify(network.board, Ending::Closed, squares).unwrap();
            }
        }
        figures
    }

    #[test]
    fn most_networks_settle_and_few_into_one_cycle() {
        assert_eq!(figures("6x6"), [971, 295, 43_223]);
        assert_eq!(figures("8x8"), [952, 232, 73_266]);
        assert_eq!(figures("5x5"), [0, 0, 400_000], "an odd board has no cycles that visit every square");
    }

    #[test]
    fn a_tour_starts_at_the_requested_square() {
        for start in [0, 7, 35] {
            let tours = (0..50).filter_map(|seed| run(&mut network("6x6", start, seed)).0);
            assert!(tours.inspect(|tour| assert_eq!(tour[0].index(), start)).count() > 0);
        }
    }

    #[test]
    fn a_tour_avoids_a_hole() {
        // The eight squares round the middle of 3x3 have two moves each: one cycle.
        let board: Board = "3x3".parse().unwrap();
        let hole = Holes::new([board.parse_square("b2").unwrap()]);
        let tour = (0..20).find_map(|seed| run(&mut Network::new(board, board.at(0).unwrap(), &hole, seed)).0);
        Tour::verify_around(board, hole, Ending::Closed, tour.unwrap()).unwrap();
    }

    proptest! {
        #[test]
        fn bursts_change_nothing(seed: u64, burst in 1u64..20) {
            let run = |burst| {
                let (mut network, mut entered) = (network("6x6", 3, seed), 0);
                let end = loop {
                    match network.advance(burst, &mut entered) {
                        AttemptProgress::Going => {}
                        end => break end,
                    }
                };
                let after = network.advance(burst, &mut entered);
                (end, entered, after, network.depth(), network.chains())
            };
            prop_assert_eq!(run(burst), run(1000));
            prop_assert_eq!(run(burst).2, AttemptProgress::GivenUp, "after a tour there is nothing more to settle");
        }

        #[test]
        fn a_drawing_shows_every_move_that_is_on_once(seed: u64, sweeps in 0u64..30) {
            let mut network = network("5x6", 0, seed);
            if sweeps > 0 {
                network.advance(sweeps, &mut 0);
            }
            let mut drawing = Drawing::default();
            network.draw(&mut drawing);
            let steps = drawing.chains.iter().flat_map(|chain| chain.windows(2));
            let mut shown: Vec<_> = steps.map(|step| [step[0].min(step[1]), step[0].max(step[1])]).collect();
            shown.sort();
            let mut on: Vec<_> = network.neurons.iter().filter(|n| n.on).map(|neuron| neuron.ends).collect();
            on.sort();
            prop_assert_eq!(shown, on);
        }
    }
}
