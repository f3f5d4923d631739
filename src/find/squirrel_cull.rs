//! Warnsdorff's rule with orders of moves that change during the tour, so that it completes square boards of nearly any
//! size.
//!
//! The knight starts in the corner (1, 1) and moves to a square of lowest rank. Among equal squares it takes the move that
//! comes first in the current order. When the knight stands on the *switch square* of that order, the next order becomes
//! current before the knight chooses its move. The orders and their switch squares depend on the side m modulo 8.
//!
//! The rule completes every m from 5 to 900 except 74, where it stops after 5432 of 5476 squares. A proof exists only for
//! m = 7 mod 8 from 47 on.
//!
//! # Source
//! D. Squirrel and P. Cull, "A Warnsdorff-rule algorithm for knight's tours on square chessboards", 1996; the table as
//! printed by S. Ganzfried, "A simple algorithm for knight's tours", 2004, table 1, which also has the proof.

use super::warnsdorff::{CLOCKWISE, Warnsdorff, mirrored};
use crate::board::{Board, Square, Symmetry};

/// An order of moves (1 to 8, clockwise from the top right), and its switch square as a function of the side m.
type SquirrelPhase = (&'static str, fn(i64) -> (i64, i64));

/// The switch square of the last order of a board, which has none.
const NOWHERE: fn(i64) -> (i64, i64) = |_| (0, 0);

/// The orders for each m mod 8; rows and columns of the switch squares count from 1.
const PHASES: [&[SquirrelPhase]; 8] = [
    &[
        ("34261578", |m| (m - 1, m - 2)),
        ("87642135", |_| (2, 2)),
        ("51867342", |m| (m - 8, 1)),
        ("51342678", |m| (7, m - 3)),
        ("21435678", NOWHERE),
    ],
    &[
        ("34261578", |m| (m - 1, m - 2)),
        ("87642135", |_| (2, 2)),
        ("51324678", |m| (m - 6, (m + 9) / 2)),
        ("32481765", NOWHERE),
    ],
    &[
        ("34261578", |_| (6, 1)),
        ("87642135", |_| (3, 1)),
        ("54132678", |m| (m - 15, 4)),
        ("52431678", |m| (10, m - 2)),
        ("85647123", |m| (5, (m - 6) / 2)),
        ("15746823", NOWHERE),
    ],
    &[
        ("34625718", |m| (m - 1, m - 2)),
        ("42681357", |m| (m - 6, m)),
        ("86512347", |_| (2, 5)),
        ("51867342", |m| (m - 10, 3)),
        ("61825437", |m| ((m + 1) / 2, m - 2)),
        ("71642538", NOWHERE),
    ],
    &[
        ("34261578", |m| (m - 1, m - 2)),
        ("87642135", |_| (2, 2)),
        ("51867342", |m| (m - 8, 1)),
        ("51342678", |m| (10, m - 5)),
        ("86753421", |m| (13, (m + 2) / 2)),
        ("78563421", NOWHERE),
    ],
    &[
        ("34261578", |m| (m - 1, m - 2)),
        ("87642135", |_| (2, 2)),
        ("51324678", |m| (m - 2, if m % 16 == 5 { (m - 5) / 2 } else { (m - 13) / 2 })),
        ("15234678", NOWHERE),
    ],
    &[
        ("34261578", |_| (6, 1)),
        ("87642135", |_| (3, 1)),
        ("54132678", |m| (m - 10, 1)),
        ("52431678", |m| (10, m - 2)),
        ("85647123", |m| (3, (m + 8) / 2)),
        ("12453678", NOWHERE),
    ],
    &[
        ("34625718", |m| (m - 1, m - 2)),
        ("42681357", |m| (m - 6, m)),
        ("86512347", |_| (2, 5)),
        ("51867342", |m| (m - 6, 3)),
        ("61825437", |m| ((m + 1) / 2, m - 2)),
        ("61357284", NOWHERE),
    ],
];

/// The smallest side of a board for which the orders of Squirrel and Cull exist.
pub const SQUIRREL_CULL_SIDE_MIN: u32 = 5;

/// A knight that follows the orders of Squirrel and Cull, in a corner of a square board of at least [`SQUIRREL_CULL_SIDE_MIN`]
/// rows; `None` for another board or another start.
///
/// The orders are made for the top left corner. For another corner they are mirrored, and `diagonal` mirrors them
/// once more, at the diagonal through the start.
pub fn squirrel_cull(board: Board, start: Square, diagonal: bool) -> Option<Warnsdorff> {
    let side = board.rows();
    if side != board.cols() || side < SQUIRREL_CULL_SIDE_MIN {
        return None;
    }
    let corner = board.at(0)?;
    // Of the symmetries that exchange the sides, and of the others, one leads to each corner.
    let mut mirrors = Symmetry::ALL.into_iter().filter(|mirror| mirror.exchanges_sides() == diagonal);
    let mirror = mirrors.find(|mirror| mirror.apply(board, corner) == start)?;
    let m = i64::from(side);
    let (mut orders, mut end_of_last) = (Vec::new(), None);
    for (moves, switch) in PHASES[side as usize % 8] {
        let codes = std::array::from_fn(|i| CLOCKWISE[usize::from(moves.as_bytes()[i] - b'1')]);
        orders.push((end_of_last, mirrored(codes, mirror)));
        // On a small board a switch square may lie outside: the knight never stands on it.
        let (row, col) = switch(m);
        let square = u32::try_from(row - 1).ok().zip(u32::try_from(col - 1).ok());
        let square = square.and_then(|(row, col)| board.square(row, col));
        end_of_last = square.map(|square| mirror.apply(board, square));
    }
    Some(Warnsdorff::by_orders(board, start, &orders))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Ending, Tour};
    use crate::find::{Attempt as _, AttemptProgress, run};

    /// Number of squares visited; a complete tour is verified.
    fn reached(side: u64, start: u32, diagonal: bool) -> u32 {
        let board = Board::new(side, side).unwrap();
        let mut knight = squirrel_cull(board, board.at(start).unwrap(), diagonal).unwrap();
        if let (Some(squares), nodes) = run(&mut knight) {
            assert_eq!(nodes, u64::from(board.squares()));
            Tour::verify(board, Ending::Open, squares).unwrap();
        }
        knight.depth() as u32
    }

    #[test]
    fn every_side_is_completed_but_74() {
        for side in 5..=120 {
            let expected = if side == 74 { 5432 } else { side * side };
            assert_eq!(u64::from(reached(side, 0, false)), expected, "side {side}");
        }
    }

    #[test]
    fn every_corner_visits_as_many_squares_as_the_first() {
        for side in [5, 12, 27, 74] {
            let last = side as u32 - 1;
            let expected = reached(side, 0, false);
            for start in [0, last, last * side as u32, side as u32 * side as u32 - 1] {
                assert_eq!([false, true].map(|diagonal| reached(side, start, diagonal)), [expected; 2], "side {side}");
            }
        }
    }

    #[test]
    fn other_boards_and_starts_are_rejected() {
        let taken = |board: &str, start| {
            let board: Board = board.parse().unwrap();
            squirrel_cull(board, board.at(start).unwrap(), false).is_some()
        };
        assert!(taken("5x5", 0));
        assert!(!taken("4x4", 0));
        assert!(!taken("5x6", 0));
        assert!(!taken("5x5", 1));
    }

    #[test]
    fn bursts_do_not_matter() {
        let board: Board = "20x20".parse().unwrap();
        let knight = || squirrel_cull(board, board.at(0).unwrap(), false).unwrap();
        let whole = run(&mut knight());
        let (mut knight, mut entered) = (knight(), 0);
        let found = loop {
            match knight.advance(1, &mut entered) {
                AttemptProgress::Going => assert_eq!(knight.depth() as u64, entered),
                other => break other,
            }
        };
        assert_eq!((AttemptProgress::Found(whole.0.unwrap()), whole.1), (found, entered));
        assert_eq!(knight.advance(1, &mut entered), AttemptProgress::GivenUp);
    }
}
