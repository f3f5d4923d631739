//! The kinds of symmetric tours: which symmetries a tour has all in all, and how many images.
//!
//! A tour that some symmetries keep has fewer images than the board has symmetries: as many as these leave of them, its
//! **orbit**, which is one class. Which sets of symmetries can keep a tour together?
//!
//! *Open.* A path has one automorphism beside the identity, its reversal, so one symmetry beside the identity at most.
//!
//! *Closed.* A mirror can only turn the cycle by half its length (see [`super`]), and so can no two symmetries, which
//! would be one and the same. If a mirror and the half turn kept a tour, so would the other mirror that the two make
//! together, and the two mirrors would both be that turn. A mirror with a quarter turn would bring the half turn with it.
//! What is left are the quarter turns, which bring the half turn with them: all four keep such a tour.
//!
//! So the tours that a half turn keeps are those that a quarter turn keeps too, in orbits of a quarter of the symmetries,
//! and others, in orbits of half of them; and the tours of a mirror, in orbits of half of them, are nobody else's.

use crate::board::{Board, Symmetry};
use num_bigint::BigUint;

/// Tours that the same symmetries keep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToursOfKind {
    /// The symmetry that all the others that keep them are powers of.
    pub symmetry: Symmetry,
    /// How many they are.
    pub tours: BigUint,
    /// Images of each, itself among them.
    pub orbit: u32,
    /// Classes of them.
    pub classes: BigUint,
}

/// The tours that `symmetry` keeps and no symmetry of higher order does: `kept` of them it keeps, and of these
/// `by_quarter_turn` the quarter turn too, if it is the half turn. Nothing if the orbits do not come out whole: then one
/// of the numbers is wrong.
pub fn tours_of_kind(
    board: Board,
    symmetry: Symmetry,
    kept: &BigUint,
    by_quarter_turn: &BigUint,
) -> Option<ToursOfKind> {
    let symmetries = board.symmetries().len() as u32;
    let order = match symmetry {
        _ if board.squares() == 1 => symmetries,
        Symmetry::QuarterTurn | Symmetry::ThreeQuarterTurn => 4,
        _ => 2,
    };
    let others = if symmetry == Symmetry::HalfTurn { by_quarter_turn } else { &BigUint::ZERO };
    let (tours, orbit) = ((kept >= others).then(|| kept - others)?, symmetries / order);
    (&tours % orbit == BigUint::ZERO).then(|| ToursOfKind { symmetry, classes: &tours / orbit, tours, orbit })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,245 classes of 6x6: 5 of 2, 17 of 4, the others of 8.
    #[test]
    fn classes_of_6x6() {
        let board = "6x6".parse().unwrap();
        let (half, quarter) = (BigUint::from(78u32), BigUint::from(10u32));
        let kind = |symmetry, kept: &BigUint| {
            tours_of_kind(board, symmetry, kept, &quarter).map(|kind| (kind.orbit, kind.classes.to_string()))
        };
        assert_eq!(kind(Symmetry::HalfTurn, &half), Some((4, "17".to_owned())));
        assert_eq!(kind(Symmetry::QuarterTurn, &quarter), Some((2, "5".to_owned())));
        assert_eq!(kind(Symmetry::HalfTurn, &BigUint::from(9u32)), None, "fewer than the quarter turn keeps");
        assert_eq!(kind(Symmetry::HalfTurn, &BigUint::from(79u32)), None);
    }
}
