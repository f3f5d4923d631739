//! The rules of the plain search: every start, every move, nothing cut.

use super::trail::Trail;
use super::walk::{ExplainedRules, Pruned, RuleVerdict};
use crate::board::{Board, Square};

/// The rules of [`Brute`](crate::search::Brute).
///
/// # Source
/// Cameron Carter, "PCSE Final Project", 2016, section 2.1 Brute Force.
#[derive(Clone, Debug)]
pub struct BruteRules {
    board: Board,
    start: Option<Square>,
}

impl BruteRules {
    /// The rules for all open tours of `board` from `start`, or from every square.
    pub fn new(board: Board, start: Option<Square>) -> BruteRules {
        BruteRules { board, start }
    }
}

impl ExplainedRules for BruteRules {
    type Memo = ();

    const PRUNED: Pruned = Pruned::Nothing;

    fn starts(&self) -> Vec<(Square, ())> {
        match self.start {
            Some(start) => vec![(start, ())],
            None => self.board.all().map(|square| (square, ())).collect(),
        }
    }

    fn arrive(&self, _: &Trail, _: ()) {}

    fn judge(&self, trail: &Trail, _: ()) -> RuleVerdict {
        RuleVerdict { tours: trail.is_whole().then_some(1), ..RuleVerdict::all(trail).by_square() }
    }

    fn reserved(&self, _: ()) -> Option<Square> {
        None
    }

    fn cuts_nothing(&self) -> Option<&'static str> {
        Some("it tries every move")
    }
}
