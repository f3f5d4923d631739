//! Verification of squares that were read: a tour, or the first wrong move.

use crate::board::{Ending, Shape, Square, Tour, TourFault, TourVerifier};
use std::collections::HashMap;

/// Verifies squares that were read from a text.
///
/// [`Tour::verify`] reports a wrong number of squares first. The author of a text needs to know which move is wrong,
/// so this function reports a wrong move before a wrong number of squares.
///
/// # Errors
/// The [`TourFault`] of the first wrong move; [`TourFault::Length`] only when all moves are right and some are missing.
pub fn check(shape: Shape, ending: Ending, squares: Vec<Square>) -> Result<Tour, TourFault> {
    if squares.len() != shape.squares() as usize {
        verify_moves(&shape, &squares)?;
    }
    Tour::verify(shape, ending, squares)
}

/// The first wrong move of squares that were read before another fault: its number, from 1, and what is wrong with it.
pub fn first_wrong_move(shape: &Shape, squares: &[Square]) -> Option<(usize, String)> {
    let fault = verify_moves(shape, squares).err()?;
    Some((fault_number(&fault, squares.len()), fault.to_string()))
}

/// Whether squares are as many as those of a closed tour that names its first square again, and the last two of them are a move to it.
pub fn is_first_again(shape: &Shape, squares: &[Square]) -> bool {
    let is_end = |last: &[Square]| last[1] == squares[0] && shape.board().adjacent(last[0], last[1]);
    squares.len() == shape.squares() as usize + 1 && squares.len() > 2 && is_end(&squares[squares.len() - 2..])
}

/// Squares whose visits are noted by their places.
const PLACES_MAX: usize = 1 << 10;

/// Verifies the moves of a list of any length.
///
/// # Errors
/// The [`TourFault`] of the first wrong move.
pub fn verify_moves(shape: &Shape, squares: &[Square]) -> Result<(), TourFault> {
    // A list may be short and its board large: then the memory follows the list. A map takes several times as long.
    let mut places = vec![0; (shape.board().squares() as usize).min(PLACES_MAX)];
    let mut others = HashMap::new();
    let mut verifier = TourVerifier::new(shape);
    squares.iter().try_for_each(|&square| {
        verifier.enter(square, |square, number| match places.get_mut(square.index() as usize) {
            Some(place) => Some(std::mem::replace(place, number)).filter(|&before| before > 0),
            None => others.insert(square, number),
        })
    })
}

/// The number of the wrong move, from 1. A missing move, or one that does not close the tour, has the number after the last
/// of the `squares` moves.
pub fn fault_number(fault: &TourFault, squares: usize) -> usize {
    fault_move(fault).map_or(squares + 1, |(number, _)| number)
}

/// The wrong move, if there is one: its number, from 1, and the square to which it leads.
pub fn fault_move(fault: &TourFault) -> Option<(usize, Square)> {
    match *fault {
        TourFault::Hole { number, square, .. }
        | TourFault::OffBoard { number, square, .. }
        | TourFault::NotAMove { number, to: square, .. }
        | TourFault::Repeated { number, square, .. } => Some((number, square)),
        TourFault::Length { .. } | TourFault::NotClosed { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Holes, NumberedRoute, parse_move_list};

    /// The number and the message of the fault in a list; its ending is open.
    fn wrong(text: &str) -> Option<(usize, String)> {
        let (board, squares) = parse_move_list(text).unwrap();
        let length = squares.len();
        let fault = check(board.into(), Ending::Open, squares).err()?;
        Some((fault_number(&fault, length), fault.to_string()))
    }

    #[test]
    fn a_wrong_move_is_reported_before_a_wrong_length() {
        let tour = "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2";
        assert_eq!(wrong(tour), None);
        let says = |number, reason: &str| Some((number, reason.to_owned()));
        assert_eq!(wrong("3x4 a3 c2 a1 b3 d2 b1"), says(7, "6 squares, but a tour of 3x4 has 12"));
        assert_eq!(wrong("3x4 a3 c2 a2 b3"), says(3, "move 3: no knight's move leads from c2 to a2"));
        assert_eq!(wrong("3x4 a3 c2 a3 c2"), says(3, "move 3: a3 was visited before, by move 1"));
        assert_eq!(wrong(&format!("{tour} c3")), says(13, "move 13: c3 was visited before, by move 7"));
        assert_eq!(wrong("3x4"), says(1, "0 squares, but a tour of 3x4 has 12"));
    }

    /// Squares that are noted by their places, and those of a large board that are not.
    #[test]
    fn a_square_is_repeated_wherever_it_lies() {
        let says = |text: &str| wrong(text).map(|(number, reason)| format!("{number} {reason}"));
        let repeated = |name: &str| Some(format!("3 move 3: {name} was visited before, by move 1"));
        assert_eq!(says("100x100 a100 c99 a100"), repeated("a100"));
        assert_eq!(says("100x100 a1 c2 a1"), repeated("a1"));
    }

    #[test]
    fn a_hole_is_a_wrong_move() {
        let (board, squares) = parse_move_list("3x3 a3 c2 b2").unwrap();
        let holes = Holes::new([board.parse_square("b2").unwrap()]);
        let fault = check(Shape::new(board, holes), Ending::Open, squares).unwrap_err();
        assert_eq!((fault_number(&fault, 3), fault.to_string()), (3, "move 3: b2 is a hole".to_owned()));
    }

    /// The second square of both lists is a hole, and no knight's move leads to it.
    #[test]
    fn the_length_of_a_list_does_not_change_the_fault_of_its_second_move() {
        for list in ["3x3 a3 b2 c1 a2", "3x3 a3 b2 c1 a2 c3 b1 a3 c2"] {
            let (board, squares) = parse_move_list(list).unwrap();
            let holes = Holes::new(board.parse_square("b2"));
            let shape = Shape::new(board, holes);
            let fault = check(shape.clone(), Ending::Open, squares.clone()).unwrap_err();
            assert_eq!(fault.to_string(), "move 2: b2 is a hole", "{list}");
            let part = NumberedRoute::part(shape, Ending::Open, squares).unwrap_err();
            assert_eq!(part, fault, "{list}");
        }
    }
}
