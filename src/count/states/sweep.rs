//! A sweep over the board: the count of one kind of tour, from the first row to the last.
//!
//! A sweep of closed tours stores one of two mirror images (see `mirror`); a sweep of open tours is halved in another way.
//!
//! # Open tours
//!
//! The two ends of an open tour are the neighbours of the apex (see `order`), and their colours are known. On a board
//! with an odd number of squares both ends have the colour with one square more. On a board with an even number they
//! have different colours, and the end that is processed first is white in some tours and black in the others. Each of
//! the two has a sweep of its own, which stores half the states of a sweep for both.
//!
//! If both sides are even, one of the two sweeps is enough. A half turn keeps the colours and reverses the order of any
//! two squares of different colours. So it takes the tours whose first end is white to those whose first end is black.
//! For squares of different rows that is plain. Two squares of one row with different colours stand in an even and in
//! an odd column. The even column is processed first, and the half turn takes even columns to odd ones.
//!
//! The order of the squares of a strip is the order of each of its boards, so all this holds for each of them, too. The
//! colours of the ends depend on the parity of both sides, so a sweep over a strip answers for the lengths of one parity
//! or of both:
//!
//! * Even width: the ends have different colours at every length. The sweep with the white end first answers for all
//!   lengths, and counts twice for the even ones, by the half turn. The sweep with the black end first is needed for
//!   the odd lengths only.
//! * Odd width: both ends are white at the odd lengths, and have different colours at the even ones. That takes three
//!   sweeps. The half turn does not help, because it exchanges the colours there.
//!
//! For tours from a given square, that square is always a neighbour of the apex, and another square is the second one.

use super::layer::Layer;
use super::layers::Layers;
use super::order::{Apex, Images, StepOrder, squares_in_order};
use crate::board::{Board, Ending, Square};
use crate::count::ask::question::{CountQuestion, upright};
use crate::count::watch::CountWatch;

/// What a sweep counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SweepKind {
    /// Closed tours, undirected.
    Closed,
    /// Open tours, undirected; the apex tells which squares may be their ends.
    Open(Apex),
}

impl SweepKind {
    /// Which of two mirror images a count stores. With an even width the mirror exchanges the colours, so the image of an open
    /// tour whose first end is white belongs to another sweep: the two have been halved already.
    fn images(self) -> Images {
        if self == SweepKind::Closed { Images::OneOfTwo } else { Images::Both }
    }

    fn apex(self) -> Option<Apex> {
        if let SweepKind::Open(apex) = self { Some(apex) } else { None }
    }
}

/// A sweep with its plan.
pub struct PlannedSweep {
    /// What the sweep counts, for the user.
    pub name: &'static str,
    /// The lengths of the boards that it answers for, in squares, rising.
    pub lengths: Vec<u32>,
    pub order: StepOrder,
    pub layers: Layers,
}

impl PlannedSweep {
    /// Plans a sweep of a question: one of [`sweeps_of`]. Returns nothing if stopped.
    pub fn new(
        question: &CountQuestion,
        (name, kind, lengths): UnplannedSweep,
        images: Images,
        watch: &CountWatch,
    ) -> Option<PlannedSweep> {
        let ground = question.ground();
        let images = if images == Images::OneOfTwo { kind.images() } else { images };
        let order = match question.strip {
            Some(_) => StepOrder::strip(ground, &lengths, kind.apex(), images),
            None => StepOrder::new(ground, kind.apex(), images),
        };
        let layers = Layers::new(&order, watch)?;
        Some(PlannedSweep { name, lengths, order, layers })
    }

    /// The layers after the last square of each row.
    pub fn row_ends(&self) -> impl Iterator<Item = &Layer> {
        let steps = &self.order.steps;
        let ends = (1..=steps.len()).filter(|&at| steps.get(at).is_none_or(|next| next.row != steps[at - 1].row));
        ends.map(|at| &*self.layers.layers[at])
    }

    /// States stored, summed over all squares.
    pub fn states(&self) -> u64 {
        self.states_until(self.order.steps.len())
    }

    /// States stored, summed over the first `squares` squares.
    pub fn states_until(&self, squares: usize) -> u64 {
        self.layers.layers[1..=squares].iter().map(|layer| layer.states()).sum()
    }
}

/// The board of a question with its short side across, and the squares in the order in which a sweep of its count, from 0, processes
/// them.
pub fn processing_order(question: &CountQuestion, sweep: usize) -> (Board, Vec<Square>) {
    let images = sweeps_of(question).get(sweep).map_or(Images::Both, |(_, kind, _)| kind.images());
    squares_in_order(question.board, images)
}

/// A sweep that is not planned yet: what it counts, for the user and as a kind, and the lengths that it answers for, rising.
pub type UnplannedSweep = (&'static str, SweepKind, Vec<u32>);

/// The sweeps that answer a question. The sweeps of one board are in the order of [`sweeps_for`].
pub fn sweeps_of(question: &CountQuestion) -> Vec<UnplannedSweep> {
    let mut sweeps: Vec<UnplannedSweep> = Vec::new();
    for length in question.lengths() {
        for (name, kind, _) in sweeps_for(&question.of_length(length)) {
            match sweeps.iter_mut().find(|sweep| sweep.1 == kind) {
                Some((.., lengths)) => lengths.push(length),
                None => sweeps.push((name, kind, vec![length])),
            }
        }
    }
    sweeps
}

/// White is the colour of the top left square, (row + column) mod 2 = 0.
const WHITE: [bool; 2] = [true, false];
const BLACK: [bool; 2] = [false, true];
const NEITHER: [bool; 2] = [false, false];

/// The sweeps that answer a question, each with the factor of its number in the sum. Open sweeps give undirected tours;
/// with a start square, tours directed from it.
pub fn sweeps_for(question: &CountQuestion) -> Vec<(&'static str, SweepKind, u32)> {
    let board = question.board;
    // A single square has one open tour, which makes no move, and no closed one.
    if board.squares() == 1 {
        return Vec::new();
    }
    let closed = ("closed tours", SweepKind::Closed, 1);
    // Colours alternate along a tour, so a closed tour has as many white squares as black ones.
    let closable = board.squares().is_multiple_of(2);
    if question.ending == Ending::Closed {
        return if closable { vec![closed] } else { Vec::new() };
    }
    let mut sweeps = match question.start {
        Some(start) => sweep_from(board, start).into_iter().collect(),
        None => sweeps_from_anywhere(board),
    };
    if question.strict && closable {
        sweeps.push(closed);
    }
    sweeps
}

fn sweeps_from_anywhere(board: Board) -> Vec<(&'static str, SweepKind, u32)> {
    let sweep = |name, first, second, times| (name, SweepKind::Open(Apex { first, second, required: None }), times);
    if !board.squares().is_multiple_of(2) {
        return vec![sweep("open tours", WHITE, WHITE, 1)];
    }
    let white = |times| sweep("open tours whose first end is white", WHITE, BLACK, times);
    if board.rows().is_multiple_of(2) && board.cols().is_multiple_of(2) {
        return vec![white(2)];
    }
    vec![white(1), sweep("open tours whose first end is black", BLACK, WHITE, 1)]
}

fn sweep_from(board: Board, start: Square) -> Option<(&'static str, SweepKind, u32)> {
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
        SweepKind::Open(Apex { first: other, second: other, required: must }),
        1,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::ask::strip::Strip;

    #[test]
    fn a_sweep_answers_for_the_boards_with_its_colours() {
        let of = |(first, last): (&str, &str), ending, strict| {
            let strip = Strip::new(first.parse().unwrap(), last.parse().unwrap()).unwrap();
            let sweeps = sweeps_of(&CountQuestion { strict, ..CountQuestion::of_range(strip, ending) });
            sweeps.into_iter().map(|(name, _, lengths)| (name, lengths)).collect::<Vec<_>>()
        };
        let (white, black) = ("open tours whose first end is white", "open tours whose first end is black");
        assert_eq!(of(("7x1", "7x4"), Ending::Closed, false), [("closed tours", vec![2, 4])]);
        assert_eq!(of(("8x2", "8x5"), Ending::Open, false), [(white, vec![2, 3, 4, 5]), (black, vec![3, 5])]);
        let odd = [("open tours", vec![1, 3]), (white, vec![2, 4]), ("closed tours", vec![2, 4]), (black, vec![2, 4])];
        let mut found = of(("7x1", "7x4"), Ending::Open, true);
        found.sort();
        let mut odd = odd.to_vec();
        odd.sort();
        assert_eq!(found, odd);
    }
}
