//! A try at a tour, driven in bursts.

use crate::board::Square;
use crate::search::Drawing;

/// How a burst of an attempt ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttemptProgress {
    /// The burst is over; there may be more.
    Going,
    /// A way that is claimed to be a tour, in its order. Another call looks for another one.
    Found(Box<[Square]>),
    /// Nothing more will be found by this attempt; another one may be luckier.
    GivenUp,
    /// Everything was searched: neither this attempt nor any other has more tours.
    Exhausted,
}

/// One try at a tour.
///
/// Laws, tested for every kernel: whatever the bursts, the same tours are found after the same number of nodes; every
/// tour found is one by [`Tour::verify_around`](crate::board::Tour::verify_around).
pub trait Attempt: Send {
    /// Goes on for at most `nodes` nodes, at least 1, and adds to `entered` those it entered: squares placed, moves
    /// fixed or candidates evaluated, whichever is the unit of the method.
    fn advance(&mut self, nodes: u64, entered: &mut u64) -> AttemptProgress;

    /// Squares on the path, or joined by moves.
    fn depth(&self) -> usize;

    /// Draws the current position into `drawing`.
    fn draw(&self, drawing: &mut Drawing);

    /// Memory that it may come to hold, in bytes, if that is more than a few for each square.
    fn bytes(&self) -> usize {
        0
    }
}

/// Where the random numbers of an attempt begin: different for attempts of different numbers.
pub fn seed_of(seed: u64, attempt: u64) -> u64 {
    seed ^ attempt.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Runs an attempt to its first tour, or to its end; answers the tour and the nodes entered.
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
