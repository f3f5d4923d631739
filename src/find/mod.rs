//! Kernels that look for one tour: constructions, heuristics, searches with restarts.
//!
//! What enumerates lies in [`search`](crate::search): it can be split, and its totals are the same however it was
//! shared. What is here wants one answer soon. A try at it is an [`Attempt`]: numbered from 0, wholly determined by
//! the question, the seed and its number, driven in bursts, able to be drawn. Attempts know no thread, channel, clock
//! or atomic; [`Crew::race`](crate::schedule::Crew::race) runs many of them side by side and accepts their tours in
//! the order of their numbers, so that the answer does not depend on who was faster.

pub mod comb;
mod depth_first;
mod depth_first_rules;
pub mod genetic;
mod neural;
mod order;
mod quarter_turn;
mod squirrel_cull;
pub mod strands;
mod tie;
mod warnsdorff;

pub use depth_first::{DepthFirst, Heat, Preference};
pub use depth_first_rules::DepthFirstRules;
pub use neural::Network;
pub use order::Order;
pub use quarter_turn::QuarterTurns;
pub use squirrel_cull::SquirrelCull;
pub use tie::Tie;
pub use warnsdorff::{HOPS_MAX, Knights, Manner, Warnsdorff};

use crate::board::Square;
use crate::search::Drawing;

/// How a burst of an attempt ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Progress {
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
    fn advance(&mut self, nodes: u64, entered: &mut u64) -> Progress;

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
            Progress::Going => {}
            Progress::Found(squares) => return (Some(squares), entered),
            Progress::GivenUp | Progress::Exhausted => return (None, entered),
        }
    }
}
