//! The rules of Radley's search, as its source states them: each branch tested by itself, by looking at the squares
//! that the move leaves behind.

use super::reason::{Reason, SquareSet};
use super::trail::{Trail, bit};
use super::walk::{CandidateSquare, MoveFate};
use super::walk::{ExplainedRules, Pruned, RuleVerdict};
use crate::board::{Board, Square, SquareMask};
use crate::search::Prune;
use std::ops::RangeInclusive;

/// What [`Radley`](crate::search::Radley) does, with both of its reductions.
///
/// # Source
/// James Radley, "Knight's Tour - A JVM thread performance benchmark", 2002, section Algorithm.
#[derive(Clone, Debug)]
pub struct RadleyRules {
    board: Board,
    start: Square,
    prune: Prune,
    window: RangeInclusive<usize>,
}

impl RadleyRules {
    /// The closed tours of `board` from the corner `start`, moves cut by `prune` at the depths of `window`.
    pub fn new(board: Board, start: Square, prune: Prune, window: RangeInclusive<usize>) -> RadleyRules {
        RadleyRules { board, start, prune, window }
    }

    /// Why the test cuts the move from `head` to `to`, if it does.
    fn test(&self, trail: &Trail, head: Square, to: Square) -> Option<Reason> {
        let left = || trail.exits(head).map(|(_, square)| square).filter(|&square| square != to);
        let isolated = |&square: &Square| trail.exits(square).all(|(_, exit)| exit == to);
        let set = left().filter(isolated).fold(SquareSet::EMPTY, |set, square| set | bit(square));
        match self.prune {
            Prune::None => None,
            Prune::AllIsolated => {
                (!set.is_empty() && left().all(|square| isolated(&square))).then_some(Reason::AllIsolated(set))
            }
            Prune::AnyIsolated => (!set.is_empty()).then_some(Reason::Isolated(set)),
            Prune::Region => {
                let beyond = out_of_reach(trail, to);
                (!beyond.is_empty()).then_some(Reason::OutOfReach(beyond))
            }
        }
    }
}

/// The vacant squares to which no way over vacant squares leads from `from`.
fn out_of_reach(trail: &Trail, from: Square) -> SquareSet {
    let mut beyond = trail.vacant() & !bit(from);
    let mut edge = vec![from];
    while let Some(square) = edge.pop() {
        for (_, exit) in trail.exits(square) {
            if beyond.has(exit.index() as usize) {
                beyond &= !bit(exit);
                edge.push(exit);
            }
        }
    }
    beyond
}

impl ExplainedRules for RadleyRules {
    /// The square kept for the last move, once the first move has left it.
    type Memo = Option<Square>;

    const PRUNED: Pruned = Pruned::Moves;

    fn starts(&self) -> Vec<(Square, Option<Square>)> {
        vec![(self.start, None)]
    }

    fn arrive(&self, trail: &Trail, before: Option<Square>) -> Option<Square> {
        if trail.depth() != 2 {
            return before;
        }
        self.board.neighbours(self.start).find(|&square| trail.is_vacant(square))
    }

    fn judge(&self, trail: &Trail, kept: Option<Square>) -> RuleVerdict {
        let mut verdict = RuleVerdict::all(trail);
        let Some(head) = trail.head() else { return verdict };
        let left = self.board.squares() as usize - trail.depth();
        if left == 0 {
            let closes = self.board.adjacent(head, self.start);
            verdict.tours = closes.then_some(1);
            verdict.dead = (!closes).then_some(Reason::NotClosed(self.start));
        } else if left > usize::from(kept.is_some()) {
            let tested = self.prune != Prune::None && self.window.contains(&(trail.depth() + 1));
            for (ordinal, CandidateSquare { square, fate, .. }) in verdict.candidates.iter_mut().enumerate() {
                *fate = match kept {
                    Some(kept) if kept == *square => MoveFate::Barred(Reason::Kept),
                    _ if trail.depth() == 1 && ordinal > 0 => MoveFate::Barred(Reason::OtherWayRound),
                    _ if tested => self.test(trail, head, *square).map_or(MoveFate::Made, MoveFate::Cut),
                    _ => MoveFate::Made,
                };
            }
            if verdict.candidates.len() == 1 && verdict.candidates[0].fate == MoveFate::Barred(Reason::Kept) {
                verdict.dead = Some(Reason::OnlyKept);
            }
        }
        verdict
    }

    fn kept(&self, kept: Option<Square>) -> Option<Square> {
        kept
    }
}
