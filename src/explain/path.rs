//! The rules of path extension: what the kernel found at each square, as reasons.
//!
//! The kernel keeps the vacant squares with their exits, the required last square and the moves that are possible. Here each
//! of its sets becomes the reason of a move: forced moves, the required last square, the look-ahead.

use super::step::{Reason, SquareSet, StepEvent};
use super::trail::{Trail, bit};
use super::walk::{CandidateSquare, ExplainedRules, MoveFate, RuleVerdict, by_square};
use crate::board::{Board, Ending, Shape, Square, SquareMask};
use crate::search::path::EnteredSquare;
use crate::search::path::origin::{self, Origin};
use crate::search::path::rules::{PathGraph, several};

/// The rules of [`Path`](crate::search::Path).
#[derive(Clone, Debug)]
pub struct PathRules {
    board: Board,
    ending: Ending,
    graph: PathGraph<SquareSet>,
    origins: Vec<Origin<SquareSet>>,
}

/// What the kernel knows of a path.
#[derive(Clone, Copy, Debug)]
pub struct PathMemo {
    /// The start, as an index into the list of origins.
    origin: usize,
    entered: EnteredSquare<SquareSet>,
    /// The moves before the look-ahead.
    moves: SquareSet,
}

impl PathRules {
    /// The rules for the tours of `shape` through or from `start`; `None` when its board has more than 128 squares.
    pub fn new(shape: impl Into<Shape>, ending: Ending, start: Option<Square>) -> Option<PathRules> {
        let shape = shape.into();
        let graph = PathGraph::new(&shape)?;
        let (mut origins, _) = match ending {
            Ending::Open => origin::open(&shape, &graph, start),
            Ending::Closed => origin::closed(&shape, &graph, start),
        };
        origins.sort_by_key(|origin| origin.choice());
        Some(PathRules { board: shape.board(), ending, graph, origins })
    }

    /// A square of the kernel's.
    fn square(&self, index: usize) -> Square {
        self.board.at(index as u32).unwrap_or_else(|| unreachable!("the kernel's squares lie on the board"))
    }

    fn enter(&self, origin: usize, before: &EnteredSquare<SquareSet>, square: usize) -> PathMemo {
        let (entered, moves) = before.after(&self.graph, &self.origins[origin], square);
        PathMemo { origin, entered, moves }
    }

    /// Judges the moves, the one to the required last square not among them. An error is the reason why none can be made.
    fn judge_moves(&self, trail: &Trail, memo: &PathMemo, moves: &mut [CandidateSquare]) -> Result<(), Reason> {
        let last = memo.entered.last;
        if !last.is_empty() && (self.graph.neighbours(last.first()) & memo.entered.rest.vacant).is_empty() {
            return Err(Reason::LastCutOff(self.square(last.first())));
        }
        let alone = open_moves(moves).filter(|candidate| trail.rank(candidate.square) == 1);
        let stranded = alone.fold(SquareSet::EMPTY, |set, candidate| set | bit(candidate.square));
        let ends = if last.is_empty() { self.origins[memo.origin].ends } else { SquareSet::EMPTY };
        let others = match stranded.len() {
            0 => return self.look_ahead(memo, ends, moves),
            1 if !(stranded & ends).is_empty() => return Ok(()),
            _ if memo.moves.is_empty() => return Err(Reason::Stranded(stranded)),
            1 => Reason::Elsewhere(self.square(stranded.first())),
            _ => Reason::Stranded(stranded),
        };
        for CandidateSquare { square, fate, .. } in open_moves(moves) {
            let exit = trail.exits(*square).next().filter(|_| memo.moves.has(square.index() as usize));
            *fate = exit.map_or(MoveFate::Barred(others), |(_, exit)| MoveFate::Forced(Reason::OneExit(exit)));
        }
        Ok(())
    }

    /// The look-ahead of the kernel, where the path branches.
    fn look_ahead(&self, memo: &PathMemo, ends: SquareSet, moves: &mut [CandidateSquare]) -> Result<(), Reason> {
        let EnteredSquare { rest, last, .. } = &memo.entered;
        if !several(memo.moves) {
            return Ok(());
        }
        let bound = self.graph.bound(rest, memo.moves, ends);
        let users = |square: usize| self.graph.neighbours(square) & bound;
        if !last.is_empty() && several(users(last.first())) {
            return Err(Reason::BeforeLast(self.square(last.first()), users(last.first())));
        }
        let (two, three) = self.graph.crowded(bound);
        if let Some(square) = (three & rest.vacant).iter().next() {
            return Err(Reason::Crowded(self.square(square), users(square)));
        }
        for CandidateSquare { square, fate, .. } in open_moves(moves) {
            let square = square.index() as usize;
            if two.has(square) {
                *fate = MoveFate::Cut(Reason::Claimed(users(square)));
            }
        }
        Ok(())
    }

    /// Bars all first moves but those of the origin.
    fn bar_other_first_moves(&self, memo: PathMemo, moves: &mut [CandidateSquare]) -> Result<(), Reason> {
        let firsts = self.origins[memo.origin].firsts;
        if firsts.is_empty() {
            return Err(Reason::NoTour);
        }
        let reason = match self.ending {
            Ending::Open => Reason::Image,
            Ending::Closed => Reason::OtherWayRound,
        };
        for CandidateSquare { square, fate, .. } in moves {
            if !firsts.has(square.index() as usize) && matches!(fate, MoveFate::Made | MoveFate::Forced(_)) {
                *fate = MoveFate::Barred(reason);
            }
        }
        Ok(())
    }
}

impl ExplainedRules for PathRules {
    type Memo = PathMemo;

    const PRUNED: fn(&StepEvent) -> bool = |event| matches!(event, StepEvent::DeadEnd { .. });

    fn starts(&self) -> Vec<(Square, PathMemo)> {
        let start = |(index, origin): (usize, &Origin<SquareSet>)| {
            let before = EnteredSquare::before(&self.graph, origin);
            (self.square(origin.start), self.enter(index, &before, origin.start))
        };
        self.origins.iter().enumerate().map(start).collect()
    }

    fn arrive(&self, trail: &Trail, before: PathMemo) -> PathMemo {
        let head = trail.head().unwrap_or_else(|| unreachable!("the path has just entered a square"));
        self.enter(before.origin, &before.entered, head.index() as usize)
    }

    fn judge(&self, trail: &Trail, memo: PathMemo) -> RuleVerdict {
        let mut verdict = RuleVerdict::all(trail);
        by_square(&mut verdict.candidates);
        let Some(head) = trail.head() else { return verdict };
        if trail.is_whole() {
            verdict.tours = Some(self.origins[memo.origin].weight(head.index() as usize));
        }
        let moves = &mut verdict.candidates;
        if moves.is_empty() || memo.entered.rest.vacant.is_empty() {
            return verdict;
        }
        let reserved = moves.iter_mut().filter(|candidate| memo.entered.last.has(candidate.square.index() as usize));
        reserved.for_each(|candidate| candidate.fate = MoveFate::Barred(Reason::Reserved));
        if open_moves(moves).next().is_none() {
            verdict.dead = Some(Reason::OnlyReserved);
            return verdict;
        }
        let mut result = self.judge_moves(trail, &memo, moves);
        if trail.depth() == 1 {
            result = result.and_then(|()| self.bar_other_first_moves(memo, moves));
        }
        if let Err(reason) = result {
            // The reserved square stays what it is.
            let others = moves.iter_mut().filter(|candidate| candidate.fate != MoveFate::Barred(Reason::Reserved));
            others.for_each(|candidate| candidate.fate = MoveFate::Barred(reason));
            verdict.dead = Some(reason);
        }
        verdict
    }

    fn reserved(&self, memo: PathMemo) -> Option<Square> {
        (!memo.entered.last.is_empty()).then(|| self.square(memo.entered.last.first()))
    }
}

/// The moves that nothing forbids so far.
fn open_moves(moves: &mut [CandidateSquare]) -> impl Iterator<Item = &mut CandidateSquare> {
    moves.iter_mut().filter(|candidate| candidate.fate == MoveFate::Made)
}
