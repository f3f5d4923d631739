//! The rules of Radley's search, as its source states them: each branch is tested separately, by looking at the squares
//! that the move leaves behind.

use super::step::{Reason, SquareSet};
use super::trail::{Trail, bit};
use super::walk::{CandidateSquare, ExplainedRules, MoveFate, Pruned, RuleVerdict};
use crate::board::{Board, Square, SquareMask};
use crate::search::Prune;
use std::ops::RangeInclusive;

/// The rules of [`Radley`](crate::search::Radley), with both of its reductions.
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
    /// The rules for the closed tours of `board` from the corner `start`; `prune` cuts moves at the depths of `window`.
    pub fn new(board: Board, start: Square, prune: Prune, window: RangeInclusive<usize>) -> RadleyRules {
        RadleyRules { board, start, prune, window }
    }

    /// The reason for which the test cuts the move from `head` to `to`, if it does.
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

/// The vacant squares that no path over vacant squares from `from` reaches.
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
    /// The square reserved for the last move; `None` before the first move.
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

    fn judge(&self, trail: &Trail, reserved: Option<Square>) -> RuleVerdict {
        let mut verdict = RuleVerdict::all(trail);
        let Some(head) = trail.head() else { return verdict };
        let left = self.board.squares() as usize - trail.depth();
        if left == 0 {
            let closes = self.board.adjacent(head, self.start);
            verdict.tours = closes.then_some(1);
            verdict.dead = (!closes).then_some(Reason::NotClosed(self.start));
        } else if left > usize::from(reserved.is_some()) {
            let tested = self.prune != Prune::None && self.window.contains(&(trail.depth() + 1));
            for (ordinal, CandidateSquare { square, fate, .. }) in verdict.candidates.iter_mut().enumerate() {
                *fate = match reserved {
                    Some(reserved) if reserved == *square => MoveFate::Barred(Reason::Reserved),
                    _ if trail.depth() == 1 && ordinal > 0 => MoveFate::Barred(Reason::OtherWayRound),
                    _ if tested => self.test(trail, head, *square).map_or(MoveFate::Made, MoveFate::Cut),
                    _ => MoveFate::Made,
                };
            }
            if verdict.candidates.len() == 1 && verdict.candidates[0].fate == MoveFate::Barred(Reason::Reserved) {
                verdict.dead = Some(Reason::OnlyReserved);
            }
        }
        verdict
    }

    fn reserved(&self, reserved: Option<Square>) -> Option<Square> {
        reserved
    }

    fn cuts_nothing(&self) -> Option<&'static str> {
        // The test looks at squares after the first.
        let (from, to) = (*self.window.start(), *self.window.end());
        match self.prune {
            Prune::None => Some("no prune test is asked for, see --prune"),
            _ if from.max(2) > to.min(self.board.squares() as usize) => {
                Some("its prune test is used at no depth, see --prune-from and --prune-to")
            }
            _ => None,
        }
    }
}
