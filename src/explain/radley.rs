//! The rules of Radley's search, as its source states them: each branch is tested separately, by looking at the squares
//! that the move leaves behind. The kernel decides all branches of a square at once.

use super::step::{Reason, SquareSet, StepEvent};
use super::trail::{Trail, bit};
use super::walk::{CandidateSquare, ExplainedRules, MoveFate, RuleVerdict};
use crate::board::{Board, SmallBoard, Square, SquareMask};
use crate::search::Prune;
use crate::search::prune::reached;
use std::ops::RangeInclusive;

/// The rules of [`Radley`](crate::search::Radley), with both of its reductions.
///
/// # Source
/// James Radley, "Knight's Tour - A JVM thread performance benchmark", 2002, section Algorithm.
#[derive(Clone, Debug)]
pub struct RadleyRules {
    board: Board,
    graph: SmallBoard<SquareSet>,
    start: Square,
    prune: Prune,
    window: RangeInclusive<usize>,
}

impl RadleyRules {
    /// The rules for the closed tours of `board` from the corner `start`; `prune` cuts moves at the depths of `window`.
    ///
    /// # Panics
    /// When the board has more than 128 squares.
    pub fn new(board: Board, start: Square, prune: Prune, window: RangeInclusive<usize>) -> RadleyRules {
        let graph = SmallBoard::new(board).unwrap_or_else(|| panic!("{board} has more than 128 squares"));
        RadleyRules { board, graph, start, prune, window }
    }

    /// The reason for which the test cuts the move from `head` to `to`, if it does.
    fn test(&self, trail: &Trail, head: Square, to: Square) -> Option<Reason> {
        let vacant = trail.vacant();
        let left = self.graph.neighbours(head.index() as usize) & vacant & !bit(to);
        let isolated = left & !self.graph.around(vacant);
        match self.prune {
            Prune::AllIsolated if !isolated.is_empty() && isolated == left => Some(Reason::AllIsolated(isolated)),
            Prune::AnyIsolated if !isolated.is_empty() => Some(Reason::Isolated(isolated)),
            Prune::Region => {
                let beyond = vacant & !reached(&self.graph, bit(to), vacant);
                (!beyond.is_empty()).then_some(Reason::OutOfReach(beyond))
            }
            _ => None,
        }
    }
}

impl ExplainedRules for RadleyRules {
    /// The square reserved for the last move; `None` before the first move.
    type Memo = Option<Square>;

    const PRUNED: fn(&StepEvent) -> bool = |event| matches!(event, StepEvent::Cut { .. });

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
