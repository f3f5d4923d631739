//! A sweep over the board: one kind of tour, counted from the first row to the last.
//!
//! # Open tours
//!
//! The two ends of an open tour are the neighbours of the apex (see `order`), and their colours are known. On a board
//! with an odd number of squares both stand on the colour that has one square more. On one with an even number they
//! have different colours, and the first in the order of processing is white in some tours and black in the others: a
//! sweep for each, and each sweep stores half the states that both together would.
//!
//! If both sides are even, one of the two sweeps is enough. A half turn keeps the colours and takes the tours whose
//! first end is white to those whose first end is black: it turns the order of two squares around if they have
//! different colours. That is plain for squares of different rows. Two squares of one row and of different colours
//! stand in an even and in an odd column; the even one is processed first; and the half turn takes even columns to odd
//! ones.
//!
//! All this holds for the tours of the first rows of a strip as for those of a board that ends there: the order of the
//! squares is the same. Colours of the ends depend on the parity of both sides, and so a sweep over a strip answers for
//! the lengths of one parity or of both. Where the width is even, every length has ends of different colours: the sweep
//! with the white one first answers for all, counted twice for the even lengths by the half turn, and the one with the
//! black one first is wanted for the odd lengths only. Where the width is odd, the odd lengths have both ends on white,
//! and the even ones have ends of different colours: three sweeps, and no half turn, because it exchanges the colours
//! there.
//!
//! Tours from a given square have it as a neighbour of the apex in any case, and another square as the other.

use super::layers::{Layer, Layers};
use super::order::{Apex, StepOrder, upright};
use super::question::CountQuestion;
use super::watch::CountWatch;
use crate::board::{Board, Ending, Square};

/// What a sweep counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SweepKind {
    /// Closed tours, undirected.
    Closed,
    /// Open tours, undirected, whose ends may be joined to the apex as it says.
    Open(Apex),
}

impl SweepKind {
    fn apex(self) -> Option<Apex> {
        if let SweepKind::Open(apex) = self { Some(apex) } else { None }
    }
}

/// A sweep, planned.
pub(super) struct PlannedSweep {
    /// In words.
    pub(super) name: &'static str,
    pub(super) order: StepOrder,
    pub(super) layers: Layers,
}

impl PlannedSweep {
    /// Plans a sweep over a board; nothing if stopped.
    pub(super) fn new(board: Board, name: &'static str, kind: SweepKind, watch: &CountWatch) -> Option<PlannedSweep> {
        let (board, _) = upright(board);
        PlannedSweep::of(name, StepOrder::new(board, kind.apex()), watch)
    }

    /// Plans a sweep over the boards of a strip ([`StepOrder::strip`]); nothing if stopped.
    pub(super) fn strip(
        (ground, lengths): (Board, &[u32]),
        name: &'static str,
        kind: SweepKind,
        watch: &CountWatch,
    ) -> Option<PlannedSweep> {
        PlannedSweep::of(name, StepOrder::strip(ground, lengths, kind.apex()), watch)
    }

    fn of(name: &'static str, order: StepOrder, watch: &CountWatch) -> Option<PlannedSweep> {
        let layers = Layers::new(&order, watch)?;
        Some(PlannedSweep { name, order, layers })
    }

    /// The layers at the ends of the rows.
    pub(super) fn row_ends(&self) -> impl Iterator<Item = &Layer> {
        let steps = &self.order.steps;
        let ends = (1..=steps.len()).filter(|&at| steps.get(at).is_none_or(|next| next.row != steps[at - 1].row));
        ends.map(|at| &*self.layers.layers[at])
    }

    /// States stored, summed over all squares.
    pub(super) fn states(&self) -> u64 {
        self.states_of(self.order.steps.len())
    }

    /// States stored, summed over so many squares.
    pub(super) fn states_of(&self, squares: usize) -> u64 {
        self.layers.layers[1..=squares].iter().map(|layer| layer.states()).sum()
    }
}

/// White is the colour of the top left square, (row + column) mod 2 = 0.
const WHITE: [bool; 2] = [true, false];
const BLACK: [bool; 2] = [false, true];
const NEITHER: [bool; 2] = [false, false];

/// The sweeps that answer a question, and by how much each counts: the open ones together give undirected tours, or
/// those directed from the start.
pub(super) fn sweeps_for(question: &CountQuestion) -> Vec<(&'static str, SweepKind, u32)> {
    let board = question.board;
    // A single square has the open tour that makes no move, and no closed one.
    if board.squares() == 1 {
        return Vec::new();
    }
    let closed = ("closed tours", SweepKind::Closed, 1);
    // Colours alternate along a tour, so a closed one has as many squares of one as of the other.
    let closable = board.squares().is_multiple_of(2);
    if question.ending == Ending::Closed {
        return if closable { vec![closed] } else { Vec::new() };
    }
    let mut sweeps = match question.start {
        Some(start) => from_square(board, start).into_iter().collect(),
        None => everywhere(board),
    };
    if question.strict && closable {
        sweeps.push(closed);
    }
    sweeps
}

fn everywhere(board: Board) -> Vec<(&'static str, SweepKind, u32)> {
    let sweep = |name, first, second, times| (name, SweepKind::Open(Apex { first, second, must: None }), times);
    if !board.squares().is_multiple_of(2) {
        return vec![sweep("open tours", WHITE, WHITE, 1)];
    }
    let white = |times| sweep("open tours whose first end is white", WHITE, BLACK, times);
    if board.rows().is_multiple_of(2) && board.cols().is_multiple_of(2) {
        return vec![white(2)];
    }
    vec![white(1), sweep("open tours whose first end is black", BLACK, WHITE, 1)]
}

fn from_square(board: Board, start: Square) -> Option<(&'static str, SweepKind, u32)> {
    let (row, col) = board.row_col(start);
    let white = (row + col).is_multiple_of(2);
    let (upright, turned) = upright(board);
    let must = if turned { upright.square(col, row) } else { Some(start) };
    let other = match (board.squares().is_multiple_of(2), white) {
        (true, true) => BLACK,
        (true, false) => WHITE,
        (false, true) => WHITE,
        (false, false) => NEITHER,
    };
    (other != NEITHER).then_some((
        "open tours from the start",
        SweepKind::Open(Apex { first: other, second: other, must }),
        1,
    ))
}
