//! Why a move is forced, cut or no choice, and why a square is a dead end: data, and the sentence made of it.

use crate::board::{Board, Square, SquareMask};

/// A set of squares of a board of at most 128.
pub type SquareSet = u128;

/// Why something happened. Squares are numbers of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The square has no vacant neighbour.
    Stuck,
    /// There are vacant neighbours, but all moves to them are cut.
    AllCut,
    /// All squares are visited, and this one, the start, is no move away.
    NotClosed(Square),
    /// The move leaves these squares behind without a vacant neighbour.
    Isolated(SquareSet),
    /// The move leaves these squares behind, and every one of them is without a vacant neighbour.
    AllIsolated(SquareSet),
    /// These vacant squares cannot be reached through vacant squares.
    OutOfReach(SquareSet),
    /// The square is kept for the last move.
    Kept,
    /// There is no move but to the square kept for the last one.
    OnlyKept,
    /// Another first move is tried; the tours of this one are their images.
    Image,
    /// The tours that begin so are found the other way round.
    OtherWayRound,
    /// The board has no tour from here: a square with too few moves, or the wrong colour.
    NoTour,
    /// The square that is forced has one exit besides the knight's square, this one.
    OneExit(Square),
    /// This square must be next.
    Elsewhere(Square),
    /// These squares have one exit left each: one of them must be next, and the tour can end on one other at most.
    Stranded(SquareSet),
    /// This square is kept for the last move and has no vacant neighbour left to be entered from.
    LastCutOff(Square),
    /// Only this square, kept for the last move, is vacant, and it is no move away.
    LastTooFar(Square),
    /// These squares have two exits each, and the square that the move leads to is an exit of all of them.
    Claimed(SquareSet),
    /// These squares have two exits each, and the given square is an exit of all of them.
    Crowded(Square, SquareSet),
    /// These squares have two exits each, one of them the last square: all would have to be last but one.
    BeforeLast(Square, SquareSet),
}

impl Reason {
    /// The reason as a sentence without its subject, squares by their names on `board`.
    pub fn sentence(self, board: Board) -> String {
        let name = |square: Square| board.name(square);
        match self {
            Reason::Stuck => "no vacant neighbour".to_owned(),
            Reason::AllCut => "every move from it is cut".to_owned(),
            Reason::NotClosed(start) => format!("all squares visited, but {} is no move away", name(start)),
            Reason::Isolated(squares) => format!("{} isolated, no vacant neighbour", names(board, squares)),
            Reason::AllIsolated(squares) => format!("{}, all it leaves behind, isolated", names(board, squares)),
            Reason::OutOfReach(squares) => format!("{} out of reach", names(board, squares)),
            Reason::Kept => "kept for the last move".to_owned(),
            Reason::OnlyKept => "no move but to the square kept for the last one".to_owned(),
            Reason::Image => "an image of another first move".to_owned(),
            Reason::OtherWayRound => "found the other way round".to_owned(),
            Reason::NoTour => "no tour from here: colours or corners forbid it".to_owned(),
            Reason::OneExit(exit) => format!("{} is its only other exit", name(exit)),
            Reason::Elsewhere(next) => format!("{} must be next", name(next)),
            Reason::Stranded(squares) => format!("one exit left for each of {}", names(board, squares)),
            Reason::LastCutOff(last) => format!("{}, kept for the last move, is cut off", name(last)),
            Reason::LastTooFar(last) => format!("{}, kept for the last move, is no move away", name(last)),
            Reason::Claimed(squares) => format!("needed by {}, two exits each", names(board, squares)),
            Reason::Crowded(square, squares) => {
                format!("{} is needed by {}, two exits each", name(square), names(board, squares))
            }
            Reason::BeforeLast(last, squares) => {
                format!("{} would all have to be just before {}", names(board, squares), name(last))
            }
        }
    }

    /// The squares that are the trouble.
    pub fn squares(self, board: Board) -> Vec<Square> {
        let set = match self {
            Reason::Isolated(set) | Reason::AllIsolated(set) | Reason::OutOfReach(set) | Reason::Stranded(set) => set,
            Reason::Claimed(set) | Reason::Crowded(_, set) | Reason::BeforeLast(_, set) => set,
            Reason::LastCutOff(last) | Reason::LastTooFar(last) => SquareSet::bit(last.index() as usize),
            _ => SquareSet::EMPTY,
        };
        set.iter().filter_map(|square| board.at(square as u32)).collect()
    }
}

/// Squares by name: "c4", "c4 and e5", "c4, e5 and g6", at most four of many.
fn names(board: Board, squares: SquareSet) -> String {
    const SHOWN: usize = 4;
    let all: Vec<String> = squares.iter().filter_map(|square| Some(board.name(board.at(square as u32)?))).collect();
    match all.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [before @ .., last] if all.len() <= SHOWN => format!("{} and {last}", before.join(", ")),
        _ => format!("{} and {} more", all[..SHOWN - 1].join(", "), all.len() + 1 - SHOWN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_named_and_many_are_counted() {
        let board: Board = "3x4".parse().unwrap();
        let said = |squares: SquareSet| names(board, squares);
        assert_eq!(said(0b1), "a3");
        assert_eq!(said(0b11), "a3 and b3");
        assert_eq!(said(0b1111), "a3, b3, c3 and d3");
        assert_eq!(said(0b111111), "a3, b3, c3 and 3 more");
        assert_eq!(Reason::Isolated(0b10).sentence(board), "b3 isolated, no vacant neighbour");
    }
}
