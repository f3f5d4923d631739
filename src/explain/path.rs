//! The rules of path extension, each stated separately: forced moves, the required last square, the look-ahead.
//!
//! The exits of a vacant square are its vacant neighbours; the knight's own square is not vacant. The starts, and the
//! first moves that are images of other ones, come from the kernel's own table of origins.

use super::reason::{Reason, SquareSet};
use super::trail::{Trail, bit};
use super::walk::{CandidateSquare, ExplainedRules, MoveFate, Pruned, RuleVerdict};
use crate::board::{Board, Ending, Square, SquareMask};
use crate::search::path::origin::{self, Origin};
use crate::search::path::rules::PathGraph;

/// The rules of [`Path`](crate::search::Path).
#[derive(Clone, Debug)]
pub struct PathRules {
    board: Board,
    ending: Ending,
    origins: Vec<Origin<SquareSet>>,
}

/// What the rules remember of a path besides its squares.
#[derive(Clone, Copy, Debug)]
pub struct PathMemo {
    /// The start, as an index into the list of origins.
    origin: usize,
    /// The required last square, once it is known.
    last: Option<Square>,
}

impl PathRules {
    /// The rules for the tours of `board` through or from `start`; `None` when the board has more than 128 squares.
    pub fn new(board: Board, ending: Ending, start: Option<Square>) -> Option<PathRules> {
        let graph = PathGraph::new(board)?;
        let (mut origins, _) = match ending {
            Ending::Open => origin::open(board, &graph, start),
            Ending::Closed => origin::closed(board, &graph, start),
        };
        origins.sort_by_key(|origin| origin.choice());
        Some(PathRules { board, ending, origins })
    }

    fn square(&self, index: usize) -> Option<Square> {
        self.board.at(index as u32)
    }

    /// Judges the moves at `position`. An error is the reason why no move can be made at all.
    fn judge_moves(&self, position: &RulePosition, moves: &mut [CandidateSquare]) -> Result<(), Reason> {
        let stranded = position.stranded();
        let spare = |square: Square| position.last.is_none() && position.ends.has(square.index() as usize);
        if position.is_cut_off() {
            return Err(Reason::LastCutOff(
                position.last.unwrap_or_else(|| unreachable!("only the last can be cut off")),
            ));
        }
        match stranded.as_slice() {
            [] => return position.look_ahead(moves),
            &[one] if spare(one) => {}
            &[one] => position.force(moves, |square| square == one, Reason::Elsewhere(one)),
            &[a, b] if spare(a) || spare(b) => {
                let right = |square| (square == a && spare(b)) || (square == b && spare(a));
                position.force(moves, right, Reason::Stranded(bit(a) | bit(b)));
            }
            many => return Err(Reason::Stranded(set(many.iter().copied()))),
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

    const PRUNED: Pruned = Pruned::DeadEnds;

    fn starts(&self) -> Vec<(Square, PathMemo)> {
        let start = |(index, origin): (usize, &Origin<SquareSet>)| {
            let last = (!origin.last.is_empty()).then(|| self.square(origin.last.first()));
            Some((self.square(origin.start)?, PathMemo { origin: index, last: last.flatten() }))
        };
        self.origins.iter().enumerate().filter_map(start).collect()
    }

    /// A square left behind with one exit becomes the required last square.
    fn arrive(&self, trail: &Trail, before: PathMemo) -> PathMemo {
        let parent = trail.depth().checked_sub(2).map(|place| trail.way()[place]);
        let left = || parent.and_then(|parent| trail.exits(parent).map(|(_, q)| q).find(|&q| trail.rank(q) == 1));
        PathMemo { last: before.last.or_else(left), ..before }
    }

    fn judge(&self, trail: &Trail, memo: PathMemo) -> RuleVerdict {
        let mut verdict = RuleVerdict::all(trail).by_square();
        let Some(head) = trail.head() else { return verdict };
        if trail.is_whole() {
            verdict.tours = Some(self.origins[memo.origin].weight(head.index() as usize));
            return verdict;
        }
        let position = RulePosition::new(trail, head, memo, self.origins[memo.origin].ends);
        let moves = &mut verdict.candidates;
        let result = if position.vacant.is_empty() {
            match memo.last {
                Some(last) if moves.is_empty() => Err(Reason::LastTooFar(last)),
                _ => Ok(()),
            }
        } else {
            let reserved = moves.iter_mut().filter(|candidate| Some(candidate.square) == memo.last);
            reserved.for_each(|candidate| candidate.fate = MoveFate::Barred(Reason::Reserved));
            let result = self.judge_moves(&position, moves);
            if trail.depth() == 1 { result.and_then(|()| self.bar_other_first_moves(memo, moves)) } else { result }
        };
        if let Err(reason) = result
            && !moves.iter().all(|candidate| candidate.fate == MoveFate::Barred(Reason::Reserved))
        {
            // The reserved square stays what it is.
            let others = moves.iter_mut().filter(|candidate| candidate.fate != MoveFate::Barred(Reason::Reserved));
            others.for_each(|candidate| candidate.fate = MoveFate::Barred(reason));
            verdict.dead = Some(reason);
        } else if !moves.is_empty()
            && moves.iter().all(|candidate| candidate.fate == MoveFate::Barred(Reason::Reserved))
        {
            verdict.dead = Some(Reason::OnlyReserved);
        }
        verdict
    }

    fn reserved(&self, memo: PathMemo) -> Option<Square> {
        memo.last
    }
}

/// A position with the sets that the rules look at.
struct RulePosition<'a> {
    trail: &'a Trail,
    head: Square,
    /// Vacant squares, without the required last one.
    vacant: SquareSet,
    last: Option<Square>,
    /// Squares on which the path may end, while no last square is required.
    ends: SquareSet,
}

fn set(squares: impl Iterator<Item = Square>) -> SquareSet {
    squares.fold(SquareSet::EMPTY, |set, square| set | bit(square))
}

impl<'a> RulePosition<'a> {
    fn new(trail: &'a Trail, head: Square, memo: PathMemo, ends: SquareSet) -> RulePosition<'a> {
        let vacant = trail.vacant() & !memo.last.map_or(SquareSet::EMPTY, bit);
        RulePosition { trail, head, vacant, last: memo.last, ends }
    }

    fn is_vacant(&self, square: Square) -> bool {
        self.vacant.has(square.index() as usize)
    }

    /// The neighbours of the head with one exit left.
    fn stranded(&self) -> Vec<Square> {
        let near = self.trail.exits(self.head).map(|(_, square)| square).filter(|&square| self.is_vacant(square));
        near.filter(|&square| self.trail.rank(square) == 1).collect()
    }

    /// Whether the required last square has no vacant neighbour left.
    fn is_cut_off(&self) -> bool {
        self.last.is_some_and(|last| self.trail.rank(last) == 0)
    }

    /// Forces the moves for which `right` holds, to squares with one exit; bars the `others`.
    fn force(&self, moves: &mut [CandidateSquare], right: impl Fn(Square) -> bool, others: Reason) {
        for CandidateSquare { square, fate, .. } in
            moves.iter_mut().filter(|candidate| self.is_vacant(candidate.square))
        {
            let exit = self.trail.exits(*square).next().map(|(_, exit)| Reason::OneExit(exit));
            *fate = match exit {
                Some(reason) if right(*square) => MoveFate::Forced(reason),
                _ => MoveFate::Barred(others),
            };
        }
    }

    /// An unvisited square with two exits, to which the knight cannot go now, will be passed between its two exits. A
    /// square with three such neighbours cannot be passed, and one with two cannot be entered from here. Only one such
    /// square can come just before the last.
    fn look_ahead(&self, moves: &mut [CandidateSquare]) -> Result<(), Reason> {
        let made = moves.iter().filter(|candidate| candidate.fate == MoveFate::Made);
        if made.clone().count() < 2 {
            return Ok(());
        }
        let near = set(made.map(|candidate| candidate.square));
        let board = self.trail.board();
        let bound = |square: &Square| {
            let may_end = self.last.is_none() && self.ends.has(square.index() as usize);
            self.is_vacant(*square) && !may_end && !near.has(square.index() as usize) && self.trail.rank(*square) == 2
        };
        let bound = set(board.all().filter(bound));
        let users = |square: Square| set(board.neighbours(square)) & bound;
        if let Some(last) = self.last
            && users(last).len() > 1
        {
            return Err(Reason::BeforeLast(last, users(last)));
        }
        if let Some(square) = board.all().find(|&square| self.is_vacant(square) && users(square).len() > 2) {
            return Err(Reason::Crowded(square, users(square)));
        }
        for CandidateSquare { square, fate, .. } in
            moves.iter_mut().filter(|candidate| candidate.fate == MoveFate::Made)
        {
            if users(*square).len() > 1 {
                *fate = MoveFate::Cut(Reason::Claimed(users(*square)));
            }
        }
        Ok(())
    }
}
