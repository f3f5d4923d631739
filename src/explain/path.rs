//! The rules of path extension, each stated by itself: forced moves, the required last square, the look ahead.
//!
//! The exits of a vacant square are its vacant neighbours; the knight's own square is not vacant. Where a path may
//! start, and which of its first moves are images of others, is asked of the kernel's own table of origins.

use super::reason::{Reason, SquareSet};
use super::trail::{Trail, bit};
use super::walk::{CandidateSquare, MoveFate};
use super::walk::{ExplainedRules, Pruned, RuleVerdict};
use crate::board::{Board, Ending, Square, SquareMask};
use crate::search::path::origin::{self, Origin};
use crate::search::path::rules::PathGraph;

/// What [`Path`](crate::search::Path) does.
#[derive(Clone, Debug)]
pub struct PathRules {
    board: Board,
    ending: Ending,
    origins: Vec<Origin<SquareSet>>,
}

/// What is remembered of a path.
#[derive(Clone, Copy, Debug)]
pub struct PathMemo {
    /// Where it starts: a place in the list of origins.
    origin: usize,
    /// The required last square, once it is known.
    last: Option<Square>,
}

impl PathRules {
    /// The tours of `board` through or from `start`, or nothing when it has more than 128 squares.
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

    /// Judges the moves of `place`; the reason when none can be made, whatever the move.
    fn narrow(&self, place: &RulePosition, moves: &mut [CandidateSquare]) -> Result<(), Reason> {
        let stranded = place.stranded();
        let spare = |square: Square| place.last.is_none() && place.ends.has(square.index() as usize);
        if place.is_cut_off() {
            return Err(Reason::LastCutOff(place.last.unwrap_or_else(|| unreachable!("only the last can be cut off"))));
        }
        match stranded.as_slice() {
            [] => return place.look_ahead(moves),
            &[one] if spare(one) => {}
            &[one] => place.force(moves, |square| square == one, Reason::Elsewhere(one)),
            &[a, b] if spare(a) || spare(b) => {
                let right = |square| (square == a && spare(b)) || (square == b && spare(a));
                place.force(moves, right, Reason::Stranded(bit(a) | bit(b)));
            }
            many => return Err(Reason::Stranded(set(many.iter().copied()))),
        }
        Ok(())
    }

    /// Of the first moves only those that the origin says, whatever the rules.
    fn only_firsts(&self, memo: PathMemo, moves: &mut [CandidateSquare]) -> Result<(), Reason> {
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
        let start = |(place, origin): (usize, &Origin<SquareSet>)| {
            let last = (!origin.last.is_empty()).then(|| self.square(origin.last.first()));
            Some((self.square(origin.start)?, PathMemo { origin: place, last: last.flatten() }))
        };
        self.origins.iter().enumerate().filter_map(start).collect()
    }

    /// The square that was left behind with one exit is the last.
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
        let place = RulePosition::new(trail, head, memo, self.origins[memo.origin].ends);
        let moves = &mut verdict.candidates;
        let judged = if place.vacant.is_empty() {
            match memo.last {
                Some(last) if moves.is_empty() => Err(Reason::LastTooFar(last)),
                _ => Ok(()),
            }
        } else {
            let kept = moves.iter_mut().filter(|candidate| Some(candidate.square) == memo.last);
            kept.for_each(|candidate| candidate.fate = MoveFate::Barred(Reason::Kept));
            let narrowed = self.narrow(&place, moves);
            if trail.depth() == 1 { narrowed.and_then(|()| self.only_firsts(memo, moves)) } else { narrowed }
        };
        if let Err(reason) = judged
            && !moves.iter().all(|candidate| candidate.fate == MoveFate::Barred(Reason::Kept))
        {
            moves.iter_mut().for_each(|candidate| candidate.fate = MoveFate::Barred(reason));
            verdict.dead = Some(reason);
        } else if !moves.is_empty() && moves.iter().all(|candidate| candidate.fate == MoveFate::Barred(Reason::Kept)) {
            verdict.dead = Some(Reason::OnlyKept);
        }
        verdict
    }

    fn kept(&self, memo: PathMemo) -> Option<Square> {
        memo.last
    }
}

/// The position, as the rules look at it.
struct RulePosition<'a> {
    trail: &'a Trail,
    head: Square,
    /// Vacant squares but the required last one.
    vacant: SquareSet,
    last: Option<Square>,
    /// Where the path may end, while that is not known.
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

    /// The squares a move away that have one exit left.
    fn stranded(&self) -> Vec<Square> {
        let near = self.trail.exits(self.head).map(|(_, square)| square).filter(|&square| self.is_vacant(square));
        near.filter(|&square| self.trail.rank(square) == 1).collect()
    }

    /// Whether the required last square can no longer be entered from anywhere.
    fn is_cut_off(&self) -> bool {
        self.last.is_some_and(|last| self.trail.rank(last) == 0)
    }

    /// Leaves only the moves that are `right`: the squares they lead to have one exit.
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

    /// An unvisited square with two exits that the knight cannot go to will be passed between these two. A square
    /// with three such neighbours cannot be passed, one with two cannot be entered from here; and only one can come
    /// just before the last.
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
