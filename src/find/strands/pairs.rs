//! How many pairs of squares are the ends of a tour, by trying them all.

use super::question::TourEnds;

use super::attempt::{StrandRoot, first};
use crate::board::{Board, Holes, Square};

/// Unordered pairs of different squares of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SquarePairs {
    /// Those with an open tour from one to the other.
    pub joined: u64,
    /// Those that the colours allow.
    pub admissible: u64,
}

/// Searches for a tour between any two squares of a board; where there is none, exhaustively.
///
/// Boards with both sides from 6 on cost about as many times 10 microseconds as they have pairs; narrow ones, most of
/// whose pairs are not joined, much more.
pub fn pairs(board: Board) -> SquarePairs {
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
        // A contradiction is a proof, too.
        let tour = StrandRoot::new(board, &Holes::none(), ends, &[], &[]).ok().and_then(|root| first(&root, 0));
        pairs.joined += u64::from(tour.is_some());
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Joined and admissible pairs, recomputed by a program that extends one path from every start.
    #[test]
    fn pairs_of_ends() {
        for (board, joined, admissible) in [
            ("5x5", 42, 78),
            ("5x6", 178, 225),
            ("4x7", 49, 196),
            ("4x8", 64, 256),
            ("5x7", 153, 153),
            ("6x6", 324, 324),
            ("7x7", 300, 300),
        ] {
            assert_eq!(pairs(board.parse().unwrap()), SquarePairs { joined, admissible }, "{board}");
        }
    }

    #[test]
    fn what_is_said_of_pairs_is_true() {
        for text in ["3x7", "4x5", "5x5", "6x5", "5x7", "6x6"] {
            let board: Board = text.parse().unwrap();
            for (start, end) in board.all().flat_map(|start| board.all().map(move |end| (start, end))) {
                let Some(known) = board.existence_between(Some(start), Some(end)) else { continue };
                let ends = TourEnds::Open { start: Some(start), end: Some(end) };
                let tour = StrandRoot::new(board, &Holes::none(), ends, &[], &[]).ok().and_then(|root| first(&root, 7));
                assert_eq!(known.exists, tour.is_some(), "{text} {start:?} {end:?}: {}", known.reason);
            }
        }
    }
}
