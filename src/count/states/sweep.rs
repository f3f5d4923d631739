//! A sweep over the board: the count of one kind of tour, from the first row to the last.
//!
//! A sweep stores one of two mirror images (see `mirror`), but for tours from a given square: those are their own image only where
//! the square is. On a board with holes it does so where the holes are their own image.
//!
//! # Open tours
//!
//! The two ends of an open tour are the neighbours of the apex (see `apex`), and what their colours are follows from the board.
//! Colours alternate along a tour. If there is one square more of a colour, as of that of the corners on a whole board with an odd number
//! of squares, both ends have this colour. If there are as many of both, the ends have different colours. Otherwise there is no tour. The
//! mirror keeps all colours of an odd width and exchanges all colours of an even one, where there are as many of both: either way the
//! image of a set of moves whose ends have such colours is such a set, too.
//!
//! The order of the squares of a range is the order of each of its boards. So a sweep over a range answers for all lengths with
//! the same colours of ends: for all of an even width, for the odd ones or for the even ones of an odd width.
//!
//! For tours from a given square, that square is always a neighbour of the apex, and another square is the second one.

use super::apex::Apex;
use super::layers::{Layer, Layers};
use super::order::{Images, StepOrder, in_order};
use crate::board::{Board, Ending, Shape, Square};
use crate::count::ask::question::CountQuestion;
use crate::count::ask::upright_shape::{UprightShape, is_mirrored};
use crate::count::watch::CountWatch;
use std::cmp::Ordering;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SweepKind {
    /// Closed tours, undirected.
    Closed,
    /// Open tours, undirected; the apex tells which squares may be their ends.
    Open(Apex),
}

impl SweepKind {
    /// Which of two mirror images a sweep over an upright shape stores, if `images` are wanted: one only if the image of a set of moves
    /// is one that the sweep counts.
    pub fn images(self, shape: &Shape, images: Images) -> Images {
        match self {
            _ if !is_mirrored(shape) => Images::Both,
            SweepKind::Open(apex) if apex.required.is_some() || apex.first != apex.second => Images::Both,
            _ => images,
        }
    }

    /// Which squares may be ends of an open tour.
    pub fn apex(self) -> Option<Apex> {
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
        let swept = question.swept_shape();
        let images = kind.images(&swept, images);
        let order = match question.range {
            Some(_) => StepOrder::of_range(swept.board(), &lengths, kind.apex(), images),
            None => StepOrder::new(&swept, kind.apex(), images),
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
/// them; holes are left out.
pub fn processing_order(question: &CountQuestion, sweep: usize) -> (Board, Vec<Square>) {
    let shape = question.upright().shape;
    let images = |(_, kind, _): &UnplannedSweep| kind.images(&shape, Images::OneOfTwo);
    let images = sweeps_of(question).get(sweep).map_or(Images::Both, images);
    (shape.board(), in_order(&shape, images).collect())
}

/// A sweep that is not planned yet: what it counts, for the user and as a kind, and the lengths that it answers for, rising.
pub type UnplannedSweep = (&'static str, SweepKind, Vec<u32>);

/// The sweeps that answer a question. The sweeps of one board are in the order of [`sweeps_for`].
pub fn sweeps_of(question: &CountQuestion) -> Vec<UnplannedSweep> {
    let mut sweeps: Vec<UnplannedSweep> = Vec::new();
    for length in question.lengths() {
        for (name, kind) in sweeps_for(&question.of_length(length)) {
            match sweeps.iter_mut().find(|sweep| sweep.1 == kind) {
                Some((.., lengths)) => lengths.push(length),
                None => sweeps.push((name, kind, vec![length])),
            }
        }
    }
    sweeps
}

/// White is the colour of the top left square of the upright board, (row + column) mod 2 = 0. On a whole board with an odd number of
/// squares that is the colour of a1, which users know as dark.
pub const WHITE: [bool; 2] = [true, false];
pub const BLACK: [bool; 2] = [false, true];

/// The sweeps that answer a question; their numbers add up. Open sweeps give undirected tours; with a start square, tours directed
/// from it.
pub fn sweeps_for(question: &CountQuestion) -> Vec<(&'static str, SweepKind)> {
    let (shape, upright) = (&question.shape, question.upright());
    let [white, black] = upright.colours();
    // Colours alternate along a tour, so a closed tour has as many white squares as black ones.
    let closable = white == black;
    let closed = ("closed tours", SweepKind::Closed);
    match (shape.squares(), question.ending) {
        // A single square has one open tour, which makes no move, and no closed one.
        (1, _) => return Vec::new(),
        // The ends of a tour of two squares are a move apart, and one move closes no tour.
        (2, Ending::Open) if question.strict => return Vec::new(),
        (_, Ending::Closed) => return if closable { vec![closed] } else { Vec::new() },
        (_, Ending::Open) if white.abs_diff(black) > 1 => return Vec::new(),
        (_, Ending::Open) => {}
    }
    let mut sweeps: Vec<_> = match question.start {
        Some(start) => sweep_from(&upright, start).into_iter().collect(),
        None if closable => {
            let any = Apex { first: [true; 2], second: [true; 2], unlike: true, required: None };
            vec![("open tours, one end dark", SweepKind::Open(any))]
        }
        None => {
            let [light, dark] = shape.colours();
            let name = if dark > light { "open tours, both ends dark" } else { "open tours, both ends light" };
            let colour = if white > black { WHITE } else { BLACK };
            vec![(name, SweepKind::Open(Apex { first: colour, second: colour, unlike: false, required: None }))]
        }
    };
    if question.strict && closable {
        sweeps.push(closed);
    }
    sweeps
}

fn sweep_from(upright: &UprightShape, start: Square) -> Option<(&'static str, SweepKind)> {
    let required = upright.square(start);
    let (row, col) = upright.shape.board().row_col(required?);
    let [white, black] = upright.colours();
    let other = match (white.cmp(&black), (row + col).is_multiple_of(2)) {
        (Ordering::Equal, true) | (Ordering::Less, false) => BLACK,
        (Ordering::Equal, false) | (Ordering::Greater, true) => WHITE,
        // Both ends of a tour have the colour with one square more.
        (Ordering::Greater, false) | (Ordering::Less, true) => return None,
    };
    Some(("open tours from the start", SweepKind::Open(Apex { first: other, second: other, unlike: false, required })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::ask::board_range::BoardRange;

    #[test]
    fn a_sweep_answers_for_the_boards_with_its_colours() {
        let of = |(first, last): (&str, &str), ending, strict| {
            let range = BoardRange::new(first.parse().unwrap(), last.parse().unwrap()).unwrap();
            let sweeps = sweeps_of(&CountQuestion { strict, ..CountQuestion::of_range(range, ending) });
            sweeps.into_iter().map(|(name, _, lengths)| (name, lengths)).collect::<Vec<_>>()
        };
        let (unlike, white) = ("open tours, one end dark", "open tours, both ends dark");
        assert_eq!(of(("7x1", "7x4"), Ending::Closed, false), [("closed tours", vec![2, 4])]);
        assert_eq!(of(("8x2", "8x5"), Ending::Open, false), [(unlike, vec![2, 3, 4, 5])]);
        assert_eq!(
            of(("7x1", "7x4"), Ending::Open, true),
            [(white, vec![1, 3]), (unlike, vec![2, 4]), ("closed tours", vec![2, 4])]
        );
    }
}
