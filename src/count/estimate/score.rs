//! How many tours a position may have, as far as the number of moves open to each square tells.
//!
//! Let every square choose as many of its open moves as it wants, each choice as likely as the others. A move is chosen
//! at both its squares, or at neither, with some likelihood; as if moves did not depend on one another, the number of
//! choices that fit together is about
//!
//! ```text
//! product over squares of C(open, wants)  x  product over moves of  p q + (1 - p)(1 - q),   p, q = wants / open
//! ```
//!
//! That is no number of tours, but of two positions the one with the larger figure has more of them, as a rule, and
//! that is all that a proposal wants. A walk that takes choices by this figure has a fraction of the variance of one
//! that takes all as likely.

use super::position::{MoveTable, Position, SQUARES_MAX, directions};

/// Classes of squares: by moves wanted, 1 or 2, and open, 0 to 8.
const CLASSES: usize = 32;

/// The logarithms of the factors; see the module.
#[derive(Clone, Debug)]
pub(super) struct PositionScore {
    squares: [f64; CLASSES],
    moves: [[f64; CLASSES]; CLASSES],
}

/// The class of a square that wants moves.
fn class(wants: u8, open: u32) -> usize {
    usize::from(wants) * 9 + open as usize
}

impl PositionScore {
    /// The tables.
    pub(super) fn new() -> PositionScore {
        let mut likely = PositionScore { squares: [0.0; CLASSES], moves: [[0.0; CLASSES]; CLASSES] };
        let classes = || (1..=2u8).flat_map(|wants| (u32::from(wants)..=8).map(move |open| (wants, open)));
        let share = |(wants, open)| f64::from(wants) / f64::from(open);
        for one in classes() {
            let open = f64::from(one.1);
            likely.squares[class(one.0, one.1)] = if one.0 == 1 { open.ln() } else { (open * (open - 1.0) / 2.0).ln() };
            for two in classes() {
                let (p, q): (f64, f64) = (share(one), share(two));
                // Where neither fits the position is settled otherwise soon.
                let fits = (p * q + (1.0 - p) * (1.0 - q)).max(1e-9);
                likely.moves[class(one.0, one.1)][class(two.0, two.1)] = fits.ln();
            }
        }
        likely
    }

    /// The logarithm of the figure of a position.
    pub(super) fn of(&self, moves: &MoveTable, position: &Position) -> f64 {
        let mut classes = [0; SQUARES_MAX];
        let wanting = || (0..moves.squares()).filter(|&square| position.wants(square) > 0);
        let mut sum = 0.0;
        for square in wanting() {
            let class = class(position.wants(square), position.open(square).count_ones());
            classes[square] = class as u8;
            sum += self.squares[class];
        }
        for square in wanting() {
            let factors = &self.moves[usize::from(classes[square])];
            // Half of the directions: every move once.
            for direction in directions(position.open(square) & 0xF0) {
                sum += factors[usize::from(classes[moves.to(square, direction)])];
            }
        }
        sum
    }
}
