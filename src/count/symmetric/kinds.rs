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
//!
//! *Around holes* a mirror that leaves exactly two squares in place may reflect a closed tour at them. Then other symmetries may
//! keep it too, up to all eight, as of the one tour of `3x3-b2`; [`may_share_tours`] says where. What single symmetries keep does not
//! tell these kinds apart. Without such a mirror the argument above holds: of the two mirrors and the half turn only one can be that
//! turn of the cycle, and a mirror that reflects has to leave two squares in place.
//!
//! # No tour at all
//!
//! Some symmetries keep no tour of a board, which is known without counting.
//!
//! A symmetry that keeps a tour turns it along itself, or reverses it (see [`super`]); only a closed tour can be turned. A
//! turn of order n moves every square along the cycle by an odd multiple of 1/n of its length, so the colours of the squares
//! say whether a turn is possible. A reversal of a closed tour exchanges the ends of two moves. A reversal of an open tour keeps
//! its middle in place, a square or a move, and nothing else.

use crate::board::{Board, Ending, Shape, Symmetry};
use num_bigint::BigUint;

/// The tours of one kind: one set of symmetries keeps each of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToursOfKind {
    pub tours: BigUint,
    /// Images of each tour, the tour itself among them.
    pub orbit: u32,
    pub classes: BigUint,
}

/// The tours that `symmetry` keeps and no symmetry of higher order keeps.
///
/// `kept` is the number of tours that `symmetry` keeps. `by_quarter_turn` is the number of tours that the quarter turn keeps;
/// it is subtracted if `symmetry` is the half turn. Returns `None` if the tours do not divide into whole orbits: then one of
/// the two numbers is wrong, or symmetries [share tours](may_share_tours).
pub fn tours_of_kind(
    shape: &Shape,
    symmetry: Symmetry,
    kept: &BigUint,
    by_quarter_turn: &BigUint,
) -> Option<ToursOfKind> {
    let symmetries = shape.symmetries().len() as u32;
    let order = match symmetry {
        _ if shape.squares() == 1 => symmetries,
        Symmetry::QuarterTurn | Symmetry::ThreeQuarterTurn => 4,
        _ => 2,
    };
    let others = if symmetry == Symmetry::HalfTurn { by_quarter_turn } else { &BigUint::ZERO };
    let (tours, orbit) = ((kept >= others).then(|| kept - others)?, symmetries / order);
    (&tours % orbit == BigUint::ZERO).then(|| ToursOfKind { classes: &tours / orbit, tours, orbit })
}

/// Whether two symmetries, of which neither is a power of the other, may keep one tour.
pub fn may_share_tours(shape: &Shape, ending: Ending) -> bool {
    let (board, symmetries) = (shape.board(), shape.symmetries());
    let stay = |symmetry: &Symmetry| shape.all().filter(|&square| symmetry.apply(board, square) == square).count();
    ending == Ending::Closed && shape.has_holes() && symmetries.len() > 2 && symmetries.iter().any(|by| stay(by) == 2)
}

/// The reason why `symmetry`, a symmetry of the shape, keeps no tour of it; `None` if it may keep some. Around holes only the colours
/// are a reason.
pub fn reason_for_none(shape: &Shape, ending: Ending, symmetry: Symmetry) -> Option<String> {
    if shape.has_holes() {
        return shape.colours_forbid(ending, None, None);
    }
    let board = shape.board();
    let existence = board.existence(ending);
    if !existence.exists {
        return Some(format!("the board has no tours to keep: {}", existence.reason));
    }
    if board.squares() == 1 {
        return None;
    }
    match (symmetry, ending) {
        (Symmetry::Identity, _) => None,
        (Symmetry::HalfTurn, _) => against_half_turn(board, ending).map(str::to_owned),
        (Symmetry::QuarterTurn | Symmetry::ThreeQuarterTurn, _) => against_quarter_turn(board, ending),
        (_, Ending::Closed) => against_mirror_of_closed(board, symmetry),
        (_, Ending::Open) => {
            let middle = "so no move can be the middle of an open tour that the mirror reverses";
            let fixed = "and a square can be the middle only where the mirror leaves no other square in place";
            Some(format!("a mirror image is never a knight's move away, {middle}, {fixed}"))
        }
    }
}

fn against_half_turn(board: Board, ending: Ending) -> Option<&'static str> {
    let even = |side: u32| side.is_multiple_of(2);
    let keeps_colours = even(board.rows()) && even(board.cols());
    (ending == Ending::Open && keeps_colours).then_some(
        "where both sides are even a half turn keeps the colours, and a move changes them, so no move can be the middle of \
         an open tour that it reverses",
    )
}

fn against_quarter_turn(board: Board, ending: Ending) -> Option<String> {
    match ending {
        Ending::Open => Some(
            "a symmetry can only leave an open tour as it is or reverse it, and a quarter turn does neither: applied twice \
             it would have to leave every square in place"
                .to_owned(),
        ),
        Ending::Closed => (board.rows() % 4 != 2).then(|| {
            "a quarter turn changes the colours where the side is even, so a quarter of the cycle must be an odd number of \
             moves: the side must be 2 more than a multiple of 4"
                .to_owned()
        }),
    }
}

fn against_mirror_of_closed(board: Board, symmetry: Symmetry) -> Option<String> {
    let turn = "a mirror image is never a knight's move away, so a mirror can only turn the cycle by half its length";
    let fixed = board.all().filter(|&square| symmetry.apply(board, square) == square).count();
    if fixed > 0 {
        return Some(format!("{turn}, and a turn leaves no square in place; this mirror leaves {fixed}"));
    }
    let half = board.squares() / 2;
    half.is_multiple_of(2).then(|| {
        format!(
            "{turn}; that would be {half} moves, an even number, which keeps the colours, and this mirror changes them"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::symmetric::quotient::FoldedBoard;

    /// 6x6 has 1,245 classes of closed tours: 5 of 2 tours, 17 of 4, the others of 8.
    #[test]
    fn classes_of_6x6() {
        let board: Shape = "6x6".parse().unwrap();
        let (half, quarter) = (BigUint::from(78u32), BigUint::from(10u32));
        let kind = |symmetry, kept: &BigUint| {
            tours_of_kind(&board, symmetry, kept, &quarter).map(|kind| (kind.orbit, kind.classes.to_string()))
        };
        assert_eq!(kind(Symmetry::HalfTurn, &half), Some((4, "17".to_owned())));
        assert_eq!(kind(Symmetry::QuarterTurn, &quarter), Some((2, "5".to_owned())));
        assert_eq!(kind(Symmetry::HalfTurn, &BigUint::from(9u32)), None, "fewer than the quarter turn keeps");
        assert_eq!(kind(Symmetry::HalfTurn, &BigUint::from(79u32)), None);
    }

    /// A reason is given just where the folded board has no graph to count in, or where no tour of the ending exists.
    #[test]
    fn a_reason_is_given_just_where_there_is_nothing_to_count() {
        for (rows, cols) in (1..=11).flat_map(|rows| (1..=11).map(move |cols| (rows, cols))) {
            let board = Board::new(rows, cols).unwrap();
            for &symmetry in board.symmetries().iter().filter(|&&symmetry| symmetry != Symmetry::Identity) {
                for ending in [Ending::Closed, Ending::Open] {
                    let folded = FoldedBoard::new(&board.into(), symmetry);
                    let countable = board.existence(ending).exists
                        && match ending {
                            Ending::Closed => folded.cycles().is_some() || folded.paths_between_special().is_some(),
                            Ending::Open => board.squares() == 1 || folded.paths_from_special(false).is_some(),
                        };
                    let why = reason_for_none(&board.into(), ending, symmetry);
                    assert_eq!(why.is_none(), countable, "{board} {ending:?} {symmetry}: {why:?}");
                }
            }
        }
    }
}
