//! Finds the pieces: one tour of a small board that uses some moves and leaves out others, by [`strands`].
//!
//! [`strands`]: crate::find::strands

use crate::board::{Board, Holes, Square};
use crate::find::attempt::{Attempt, AttemptProgress};
use crate::find::strands::{StrandRoot, TourEnds};

/// Attempts at a piece: the last ones are patient enough to find any there is.
const ATTEMPTS: u64 = 24;

/// A tour of a small board with all moves of `must` and none of `must_not`, a cycle from its square 0 on; nothing when
/// there is none or none was found in time.
pub(super) fn lace(
    board: Board,
    ends: TourEnds,
    must: &[[Square; 2]],
    must_not: &[[Square; 2]],
    random: &mut fastrand::Rng,
) -> Option<Vec<Square>> {
    let root = StrandRoot::new(board, &Holes::none(), ends, must, must_not).ok()?;
    let seed = random.u64(..);
    for attempt in 0..ATTEMPTS {
        match root.attempt(seed, attempt).advance(u64::MAX, &mut 0) {
            AttemptProgress::Found(tour) => return Some(tour.into()),
            AttemptProgress::Exhausted => return None,
            AttemptProgress::GivenUp | AttemptProgress::Going => {}
        }
    }
    None
}

/// A path between two squares, each of which is any if it is not given.
pub(super) fn path(start: Option<Square>, end: Option<Square>) -> TourEnds {
    TourEnds::Open { start, end }
}
