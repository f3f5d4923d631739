//! The kinds of symmetric tours: all the symmetries that keep a tour, and the number of images of the tour.
//!
//! The images of a tour under the symmetries of the board are its **orbit**, which is one class. The orbit has as many
//! tours as the board has symmetries, divided by the number of symmetries that keep the tour, the identity among them.
//! Which sets of symmetries can keep one tour?
//!
//! *Open.* A path has one automorphism beside the identity, its reversal. So at most one symmetry beside the identity keeps
//! an open tour.
//!
//! *Closed.* A mirror can only turn the cycle by half its length (see [`super`]). No two symmetries can both do so: both
//! would move every square alike, and be one symmetry. If a mirror and the half turn kept a tour, their product, the other
//! mirror, would keep it too, and both mirrors would be that turn of the cycle, which no two symmetries are. If a mirror and
//! a quarter turn kept it, so would the half turn, a case that is excluded already. Beside single symmetries only the quarter
//! turns remain: two quarter turns are the half turn, so all four powers of the quarter turn keep such a tour.
//!
//! So the half turn keeps two kinds of tours: those that a quarter turn keeps too, whose orbit is a quarter of the number of
//! symmetries, and others, whose orbit is half of it. No other symmetry keeps a tour that a mirror keeps; its orbit is half.

use crate::board::{Board, Symmetry};
use num_bigint::BigUint;

/// The tours of one kind: one set of symmetries keeps each of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToursOfKind {
    /// The symmetry whose powers are all the symmetries that keep the tours.
    pub symmetry: Symmetry,
    pub tours: BigUint,
    /// Images of each tour, the tour itself among them.
    pub orbit: u32,
    pub classes: BigUint,
}

/// The tours that `symmetry` keeps and no symmetry of higher order keeps.
///
/// `kept` is the number of tours that `symmetry` keeps. `by_quarter_turn` is the number of tours that the quarter turn keeps;
/// it is subtracted if `symmetry` is the half turn. Returns `None` if the tours do not divide into whole orbits: then one of
/// the two numbers is wrong.
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

    /// 6x6 has 1,245 classes of closed tours: 5 of 2 tours, 17 of 4, the others of 8.
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
