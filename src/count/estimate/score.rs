//! A score for the number of tours that contain a position, from the number of open moves at each square.
//!
//! Let every square choose as many of its open moves as it needs, each choice equally likely. With some likelihood a move
//! is chosen at both its squares, or at neither. If moves did not depend on one another, the number of choices that fit
//! together would be about
//!
//! ```text
//! product over squares of C(open, needs)  x  product over moves of  p q + (1 - p)(1 - q),   p, q = needs / open
//! ```
//!
//! This is not the number of tours. But of two positions the one with the larger score has, as a rule, more tours, and a
//! random choice needs no more. A walk that draws by this score has a fraction of the variance of a walk that draws all
//! choices alike.

use crate::board::{SmallBoard, SquareMask};
use crate::search::edges::fragments::Fragments;

/// Classes of squares: by the number of moves that a square needs, 1 or 2, and the number of its open moves, 0 to 8.
const CLASSES: usize = 32;

/// The logarithms of the factors of the score; 0 in class 0, which has the squares that need no move.
#[derive(Debug)]
pub(super) struct PositionScore {
    /// By class of a square.
    squares: [f64; CLASSES],
    /// By the classes of the two squares of a move.
    factors: [[f64; CLASSES]; CLASSES],
    /// By square: its neighbours of higher numbers, so that every move counts once; then [`NO_SQUARE`].
    higher: Box<[[u16; 4]]>,
}

/// The number of no square, which is in class 0.
const NO_SQUARE: u16 = 256;
/// The numbers of squares, of [`NO_SQUARE`] too, are below this power of two.
const NUMBERS: usize = 512;

/// The class of a square that needs `needs` moves and has `open` ones.
fn class(needs: u8, open: u32) -> usize {
    usize::from(needs) * 9 + open as usize
}

impl PositionScore {
    pub(super) fn new<M: SquareMask>(graph: &SmallBoard<M>) -> PositionScore {
        let above = |from| {
            let mut above = graph.neighbours(from).iter().filter(move |&to| from < to);
            std::array::from_fn(|_| above.next().map_or(NO_SQUARE, |to| to as u16))
        };
        let higher = (0..graph.neighbour_masks().len()).map(above).collect();
        let mut score = PositionScore { squares: [0.0; CLASSES], factors: [[0.0; CLASSES]; CLASSES], higher };
        let classes = || (1..=2u8).flat_map(|needs| (u32::from(needs)..=8).map(move |open| (needs, open)));
        let share = |(needs, open)| f64::from(needs) / f64::from(open);
        for one in classes() {
            let open = f64::from(one.1);
            score.squares[class(one.0, one.1)] = if one.0 == 1 { open.ln() } else { (open * (open - 1.0) / 2.0).ln() };
            for two in classes() {
                let (p, q): (f64, f64) = (share(one), share(two));
                // 0 if the move is certain at one square and impossible at the other: forced moves decide such a position
                // soon, and the logarithm must be finite.
                let fits = (p * q + (1.0 - p) * (1.0 - q)).max(1e-9);
                score.factors[class(one.0, one.1)][class(two.0, two.1)] = fits.ln();
            }
        }
        score
    }

    /// The logarithm of the score of a position.
    pub(super) fn of<M: SquareMask, const N: usize>(&self, graph: &SmallBoard<M>, position: &Fragments<M, N>) -> f64 {
        let mut classes = [0; NUMBERS];
        let mut sum = 0.0;
        let (live, ends) = (position.live(), position.ends());
        for square in live.iter() {
            let class = class(2 - u8::from(ends.has(square)), position.degree(graph, square));
            classes[square % NUMBERS] = class as u8;
            sum += self.squares[class % CLASSES];
        }
        for square in live.iter() {
            let factors = &self.factors[usize::from(classes[square % NUMBERS]) % CLASSES];
            // The move between two mates is not open.
            let mate = position.mate(square);
            for other in self.higher[square].map(usize::from) {
                if other != mate {
                    sum += factors[usize::from(classes[other % NUMBERS]) % CLASSES];
                }
            }
        }
        sum
    }
}
