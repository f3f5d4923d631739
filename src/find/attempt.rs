//! One try at a tour, driven in bursts.

use crate::board::Square;
use crate::search::Drawing;

/// How a burst of an attempt ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttemptProgress {
    /// The burst is over; the attempt may still find a tour.
    Going,
    /// Squares in the order of a path that the kernel claims is a tour. The next call looks for another tour.
    Found(Box<[Square]>),
    /// This attempt will find nothing more; another attempt may succeed.
    GivenUp,
    /// The whole search space was searched: neither this attempt nor any other has more tours.
    Exhausted,
}

/// One try at a tour.
///
/// Tests check two laws for every kernel. The length of the bursts changes neither the tours nor the number of nodes after
/// which each is found. Every tour found passes [`Tour::verify`](crate::board::Tour::verify).
pub trait Attempt: Send {
    /// Works for at most `nodes` nodes, at least 1, and adds the number of nodes entered to `entered`. The method decides
    /// what a node is: a square placed, a move fixed or a candidate evaluated.
    fn advance(&mut self, nodes: u64, entered: &mut u64) -> AttemptProgress;

    /// Number of squares on the path, or of moves fixed, as the method counts.
    fn depth(&self) -> usize;

    /// Draws the current position into `drawing`.
    fn draw(&self, drawing: &mut Drawing);

    /// The most memory that the attempt may hold, in bytes; 0 when it is only a few bytes for each square.
    fn bytes(&self) -> usize {
        0
    }
}

/// The seed of the random numbers of one attempt; attempts with different numbers have different seeds.
pub fn seed_of(seed: u64, attempt: u64) -> u64 {
    seed ^ attempt.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Number of attempts in a round. The limit of nodes doubles after each round; the last attempt of a round is thorough.
pub const ROUND: u64 = 4;

/// Most nodes of an attempt in the first round, for each square of the tour. A tour that needs no luck takes two thirds of
/// a node for each square. With a limit of 20 nodes, closed 50x50 took 22 ms on average instead of 1 ms.
const NODES_PER_SQUARE: u64 = 2;

/// Most nodes of attempt number `attempt` at a tour of this many squares.
pub fn node_limit(squares: usize, attempt: u64) -> u64 {
    (NODES_PER_SQUARE * squares as u64) << (attempt / ROUND).min(40)
}

/// Runs an attempt to its first tour, or to its end. Returns the tour and the number of nodes entered.
pub fn run(attempt: &mut dyn Attempt) -> (Option<Box<[Square]>>, u64) {
    let mut entered = 0;
    loop {
        match attempt.advance(1 << 16, &mut entered) {
            AttemptProgress::Going => {}
            AttemptProgress::Found(squares) => return (Some(squares), entered),
            AttemptProgress::GivenUp | AttemptProgress::Exhausted => return (None, entered),
        }
    }
}
