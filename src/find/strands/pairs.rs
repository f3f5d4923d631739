//! How many pairs of squares are the ends of an open tour, found by a search for every pair.

use super::attempt::{StrandRoot, first_tour};
use super::question::TourEnds;
use crate::board::{Board, Holes, Square};

/// Numbers of unordered pairs of different squares of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SquarePairs {
    /// The pairs with an open tour from one square to the other.
    pub joined: u64,
    /// The pairs that the colours allow as ends.
    pub admissible: u64,
}

/// Searches for a tour between every two squares of a board. The search is exhaustive where there is no tour.
///
/// A board with both sides from 6 on takes about 10 microseconds for each pair. A narrow board, where most pairs have no
/// tour, takes much longer.
pub fn count_pairs(board: Board) -> SquarePairs {
    let mut pairs = SquarePairs { joined: 0, admissible: 0 };
    let admissible = |start: Square| {
        let after = board.all().skip(start.index() as usize + 1);
        after.map(move |end| (start, end)).filter(|&(start, end)| {
            let ending = crate::board::Ending::Open;
            board.colours_forbid(&Holes::none(), ending, Some(start), Some(end)).is_none()
        })
    };
    for (start, end) in board.all().flat_map(admissible) {
        pairs.admissible += 1;
        let ends = TourEnds::Open { start: Some(start), end: Some(end) };
        // A contradiction also proves that there is no tour.
        let tour = StrandRoot::new(board, &Holes::none(), ends, &[], &[]).ok().and_then(|root| first_tour(&root, 0));
        pairs.joined += u64::from(tour.is_some());
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures are recomputed by a program that extends one path from every start.
    #[test]
    fn the_numbers_of_pairs_are_those_of_a_plain_program() {
        for (board, joined, admissible) in [
            ("5x5", 42, 78),
            ("5x6", 178, 225),
            ("4x7", 49, 196),
            ("4x8", 64, 256),
            ("5x7", 153, 153),
            ("6x6", 324, 324),
            ("7x7", 300, 300),
        ] {
            assert_eq!(count_pairs(board.parse().unwrap()), SquarePairs { joined, admissible }, "{board}");
        }
    }

    #[test]
    fn the_theorems_about_pairs_agree_with_the_search() {
        for text in ["3x7", "4x5", "5x5", "6x5", "5x7", "6x6"] {
            let board: Board = text.parse().unwrap();
            for (start, end) in board.all().flat_map(|start| board.all().map(move |end| (start, end))) {
                let Some(known) = board.existence_between(Some(start), Some(end)) else { continue };
                let ends = TourEnds::Open { start: Some(start), end: Some(end) };
                let tour =
                    StrandRoot::new(board, &Holes::none(), ends, &[], &[]).ok().and_then(|root| first_tour(&root, 7));
                assert_eq!(known.exists, tour.is_some(), "{text} {start:?} {end:?}: {}", known.reason);
            }
        }
    }
}
