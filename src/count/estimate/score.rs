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

use super::position::{MoveTable, Position, SQUARES_MAX, directions};

/// Classes of squares: by the number of moves that a square needs, 1 or 2, and the number of its open moves, 0 to 8.
const CLASSES: usize = 32;

/// The logarithms of the factors of the score, by class of a square and by the classes of the two squares of a move.
#[derive(Clone, Debug)]
pub(super) struct PositionScore {
    squares: [f64; CLASSES],
    moves: [[f64; CLASSES]; CLASSES],
}

fn class(needs: u8, open: u32) -> usize {
    usize::from(needs) * 9 + open as usize
}

impl PositionScore {
    pub(super) fn new() -> PositionScore {
        let mut score = PositionScore { squares: [0.0; CLASSES], moves: [[0.0; CLASSES]; CLASSES] };
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
                score.moves[class(one.0, one.1)][class(two.0, two.1)] = fits.ln();
            }
        }
        score
    }

    /// The logarithm of the score of a position.
    pub(super) fn of(&self, moves: &MoveTable, position: &Position) -> f64 {
        let mut classes = [0; SQUARES_MAX];
        let needing = || (0..moves.squares()).filter(|&square| position.needs(square) > 0);
        let mut sum = 0.0;
        for square in needing() {
            let class = class(position.needs(square), position.open(square).count_ones());
            classes[square] = class as u8;
            sum += self.squares[class];
        }
        for square in needing() {
            let factors = &self.moves[usize::from(classes[square])];
            // Half of the directions, so that every move counts once.
            for direction in directions(position.open(square) & 0xF0) {
                sum += factors[usize::from(classes[moves.to(square, direction)])];
            }
        }
        sum
    }
}
