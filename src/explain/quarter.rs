//! The rules of the search by quarter turns: a path of squares that takes its three turned copies with it.
//!
//! The kernel walks orbits, which are a square and its three images. Here the path is the first of the four copies, and two
//! moves to one orbit are one branch, as in the kernel.

use super::step::{Reason, SquareSet, StepEvent};
use super::trail::{Trail, bit};
use super::walk::{CandidateSquare, ExplainedRules, MoveFate, RuleVerdict};
use crate::board::{Board, Ending, Square};
use crate::search::Drawing;
use crate::search::quarter::quotient::orbit;
use crate::search::quarter::unfold::Unfolding;
use crate::search::quarter::{QuarterTurn, QuarterTurnError, reserved, roots};

/// The rules of [`QuarterTurn`].
#[derive(Clone, Debug)]
pub struct QuarterRules {
    board: Board,
    ending: Ending,
    unfolding: Unfolding,
    /// By square, its orbit and its turn; `None` for the centre.
    places: Vec<Option<(u8, u8)>>,
}

impl QuarterRules {
    /// The rules for the tours of `board` that are made of four copies of a path.
    ///
    /// # Errors
    /// As [`QuarterTurn::new`].
    pub fn new(board: Board, ending: Ending) -> Result<QuarterRules, QuarterTurnError> {
        QuarterTurn::new(board, ending)?;
        let unfolding = Unfolding::new(board, ending);
        let mut places = vec![None; board.squares() as usize];
        for orbit in 0..unfolding.quotient.orbits() as u8 {
            for turn in 0..4 {
                places[usize::from(unfolding.quotient.square(orbit, turn))] = Some((orbit, turn));
            }
        }
        Ok(QuarterRules { board, ending, unfolding, places })
    }

    fn place(&self, square: Square) -> (u8, u8) {
        let place = self.places[square.index() as usize];
        place.unwrap_or_else(|| unreachable!("the centre is on no path"))
    }

    fn square(&self, orbit: u8, turn: u8) -> Square {
        let square = self.board.at(self.unfolding.quotient.square(orbit, turn).into());
        square.unwrap_or_else(|| unreachable!("orbits lie on the board"))
    }

    /// The unvisited orbits next to a square, in the order of the kernel, each with the square of the lowest turn.
    fn exits(&self, trail: &Trail, from: Square) -> Vec<Square> {
        let ((here, turn), quotient) = (self.place(from), &self.unfolding.quotient);
        let near = (0..quotient.orbits() as u8).filter(|&orbit| orbit != here && quotient.links(here, orbit) != 0);
        let squares = near.map(|orbit| self.square(orbit, turn + quotient.links(here, orbit).trailing_zeros() as u8));
        squares.filter(|&square| trail.is_vacant(square)).collect()
    }

    /// Cuts the moves that the kernel cuts, and forces the one that must be made; the square of orbit `last` is reserved.
    fn judge_moves(&self, trail: &Trail, last: Square, moves: &mut [CandidateSquare]) {
        let is_last = |square| self.place(square).0 == self.place(last).0;
        let kept = moves.iter_mut().filter(|candidate| is_last(candidate.square));
        let beside = kept.map(|candidate| candidate.fate = MoveFate::Barred(Reason::Reserved)).count() > 0;
        let mut candidates: Vec<&mut CandidateSquare> =
            moves.iter_mut().filter(|candidate| candidate.fate == MoveFate::Made).collect();
        if beside && self.exits(trail, last).is_empty() {
            candidates.iter_mut().for_each(|candidate| candidate.fate = MoveFate::Cut(Reason::LastCutOff(last)));
            return;
        }
        let exits = |square| self.exits(trail, square);
        let few: Vec<Square> =
            candidates.iter().map(|candidate| candidate.square).filter(|&square| exits(square).len() < 2).collect();
        let alone = few.iter().copied().find(|&square| exits(square).is_empty());
        for candidate in candidates {
            candidate.fate = match (alone, &few[..]) {
                (Some(alone), _) => MoveFate::Cut(Reason::Isolated(bit(alone))),
                (None, []) => MoveFate::Made,
                (None, &[one]) if one == candidate.square => MoveFate::Forced(Reason::OneExit(exits(one)[0])),
                (None, &[one]) => MoveFate::Cut(Reason::Elsewhere(one)),
                (None, many) => {
                    let stranded = many.iter().fold(SquareSet::MIN, |set, &square| set | bit(square));
                    MoveFate::Cut(Reason::Stranded(stranded))
                }
            };
        }
    }
}

impl ExplainedRules for QuarterRules {
    /// The square reserved for the last place, as its orbit at turn 0.
    type Memo = Square;

    const PRUNED: fn(&StepEvent) -> bool = |event| matches!(event, StepEvent::Cut { .. });

    fn starts(&self) -> Vec<(Square, Square)> {
        let (quotient, squares) = (&self.unfolding.quotient, u64::BITS as u8);
        let roots = roots(quotient, self.ending);
        let orbits = (0..squares).rev().filter(|&root| roots >> root & 1 == 1);
        let last = |root: u8| reserved(quotient, root.into()).trailing_zeros() as u8;
        orbits.map(|root| (self.square(root, 0), self.square(last(root), 0))).collect()
    }

    fn judge(&self, trail: &Trail, last: Square) -> RuleVerdict {
        let Some(head) = trail.head() else { return RuleVerdict::default() };
        if trail.is_whole() {
            let orbits: Vec<u8> = trail.way().iter().map(|&square| self.place(square).0).collect();
            let tours = Some(self.unfolding.count(&orbits)).filter(|&tours| tours > 0);
            return RuleVerdict { tours, dead: Some(Reason::FourNotStrung), ..RuleVerdict::default() };
        }
        let mut exits = self.exits(trail, head);
        exits.sort_by_key(|&square| self.exits(trail, square).len());
        let number = |to| (0..8).find(|&k| self.board.step(head, k) == Some(to)).unwrap_or_default() as u8;
        let candidate = |square| CandidateSquare { number: number(square), square, fate: MoveFate::Made };
        let mut candidates: Vec<CandidateSquare> = exits.into_iter().map(candidate).collect();
        let mut dead = None;
        if trail.depth() + 1 < trail.depth_of_whole() {
            self.judge_moves(trail, last, &mut candidates);
            let is_kept = |candidate: &CandidateSquare| candidate.fate == MoveFate::Barred(Reason::Reserved);
            dead = (!candidates.is_empty() && candidates.iter().all(is_kept)).then_some(Reason::OnlyReserved);
        } else if candidates.is_empty() {
            dead = Some(Reason::LastTooFar(last));
        }
        RuleVerdict { candidates, tours: None, dead }
    }

    fn reserved(&self, last: Square) -> Option<Square> {
        Some(last)
    }

    fn rank(&self, trail: &Trail, square: Square) -> u8 {
        self.exits(trail, square).len() as u8
    }

    /// Draws the path and its copies. The reserved square is that of four, so none is marked.
    fn draw(&self, trail: &Trail, _: Option<Square>, drawing: &mut Drawing) {
        let squares =
            |turn: usize| trail.way().iter().map(move |&square| orbit(self.board, square)[turn].index() as u8);
        drawing.fragments((0..4).map(|turn| squares(turn).collect()));
    }
}
