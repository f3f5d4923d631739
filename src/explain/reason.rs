//! Why a move is forced, cut or barred, and why a square is a dead end: as data and as a sentence.

use crate::board::{Board, Square, SquareMask};
use crate::words::number_of;

/// A set of squares of a board with at most 128.
pub type SquareSet = u128;

/// Why a step happened, with the squares that matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The square has no vacant neighbour.
    Stuck,
    /// There are vacant neighbours, but all moves to them are cut.
    AllCut,
    /// All squares are visited, but the start (given) is not a knight's move away.
    NotClosed(Square),
    /// The move leaves squares behind, and some of them (given) then have no vacant neighbour.
    Isolated(SquareSet),
    /// The move leaves squares behind (given), and every one of them then has no vacant neighbour.
    AllIsolated(SquareSet),
    /// Vacant squares (given) cannot be reached over vacant squares.
    OutOfReach(SquareSet),
    /// The square is reserved for the last move.
    Reserved,
    /// The only move leads to the square reserved for the last move.
    OnlyReserved,
    /// Another first move is tried; the tours of this one are their images.
    Image,
    /// The tours that begin with this move are found in the other direction.
    OtherWayRound,
    /// The board has no tour from here: some square has too few moves, or the start has the wrong colour.
    NoTour,
    /// The forced square has one exit (given) besides the knight's square.
    OneExit(Square),
    /// Another square (given) must be next.
    Elsewhere(Square),
    /// Several squares (given) have one exit left each. One of them must be next, and the tour can end on at most one
    /// other.
    Stranded(SquareSet),
    /// The square reserved for the last move (given) has no vacant neighbour from which to enter it.
    LastCutOff(Square),
    /// Only the square reserved for the last move (given) is vacant, and it is not a knight's move away.
    LastTooFar(Square),
    /// Several squares (given) have two exits each, and the square that the move leads to is an exit of all of them.
    Claimed(SquareSet),
    /// A square (first) is an exit of several squares (second) with two exits each.
    Crowded(Square, SquareSet),
    /// The end of a piece has this many moves open, and no end has fewer.
    Fewest(u8),
    /// Turned and mirrored images of a tour differ at this end: a choice here leaves one of them to search.
    TellsImages,
    /// The square needs two moves, and only two are left.
    TwoLeft,
    /// The end of a piece needs a move, and only one is left.
    OneLeft,
    /// A square (first) needs this many moves (second), and has only so many (third).
    TooFew(Square, u8, u8),
    /// The last moves of a square (given) would close a ring that is no tour.
    Ring(Square),
    /// The tours that follow are images of others.
    ImageTours,
    /// No way strings so many pieces to a tour.
    NotStrung(u8),
    /// The four turned copies of the path cannot be strung to a tour.
    FourNotStrung,
    /// The square has both its moves.
    Inside,
    /// The square at which the search looks has both its moves.
    Enough,
    /// The square is the other end of the same piece: the move would close it.
    OwnPiece,
    /// The square is open, but the search does not choose here.
    NoChoice,
    /// The required last square (first) is an exit of several squares (second) with two exits each: each of them would have
    /// to come just before it.
    BeforeLast(Square, SquareSet),
}

impl Reason {
    /// The reason as a phrase without its subject, with the square names of `board`.
    pub fn sentence(self, board: Board) -> String {
        let name = |square: Square| board.name(square);
        match self {
            Reason::Stuck => "no vacant neighbour".to_owned(),
            Reason::AllCut => "every move from it is cut".to_owned(),
            Reason::NotClosed(start) => format!("all squares visited, but {} is no move away", name(start)),
            Reason::Isolated(squares) => format!("{} isolated, no vacant neighbour", names(board, squares)),
            Reason::AllIsolated(squares) => format!("{}, all it leaves behind, isolated", names(board, squares)),
            Reason::OutOfReach(squares) => format!("{} out of reach", names(board, squares)),
            Reason::Reserved => "kept for the last move".to_owned(),
            Reason::OnlyReserved => "no move but to the square kept for the last one".to_owned(),
            Reason::Image => "an image of another first move".to_owned(),
            Reason::OtherWayRound => "found the other way round".to_owned(),
            Reason::NoTour => "no tour from here: colours or corners forbid it".to_owned(),
            Reason::OneExit(exit) => format!("{} is its only other exit", name(exit)),
            Reason::Elsewhere(next) => format!("{} must be next", name(next)),
            Reason::Stranded(squares) => format!("one exit left for each of {}", names(board, squares)),
            Reason::LastCutOff(last) => format!("{}, kept for the last move, is cut off", name(last)),
            Reason::LastTooFar(last) => format!("{}, kept for the last move, is no move away", name(last)),
            Reason::Claimed(squares) => format!("needed by {}, two exits each", names(board, squares)),
            Reason::Fewest(open) => format!("{} open to this end, the fewest of all", number_of(open, "move")),
            Reason::TellsImages => "turned and mirrored tours differ at this end".to_owned(),
            Reason::TwoLeft => "it needs two moves, and has no others".to_owned(),
            Reason::OneLeft => "this end needs a move, and has no other".to_owned(),
            Reason::TooFew(square, needs, has) => {
                format!("{} needs {}, and has {}", name(square), moves(needs), moves(has))
            }
            Reason::Ring(square) => format!("the last moves of {} would close a ring that is no tour", name(square)),
            Reason::ImageTours => "its tours are images of those of another branch".to_owned(),
            Reason::NotStrung(1) => "no move joins the ends of the last piece".to_owned(),
            Reason::NotStrung(pieces) => format!("no way strings the {pieces} pieces to a tour"),
            Reason::FourNotStrung => "no way strings the four copies of the path to a tour".to_owned(),
            Reason::Inside => "has both its moves".to_owned(),
            Reason::Enough => "not needed: the square has both its moves".to_owned(),
            Reason::OwnPiece => "would close its piece to a ring".to_owned(),
            Reason::NoChoice => "the search does not choose here".to_owned(),
            Reason::Crowded(square, squares) => {
                format!("{} is needed by {}, two exits each", name(square), names(board, squares))
            }
            Reason::BeforeLast(last, squares) => {
                format!("{} would all have to be just before {}", names(board, squares), name(last))
            }
        }
    }

    /// The moves left to each of the squares that cause the trouble, if the reason is their number.
    pub fn moves_left(self) -> Option<u8> {
        match self {
            Reason::Isolated(_) | Reason::AllIsolated(_) | Reason::LastCutOff(_) => Some(0),
            Reason::Stranded(_) => Some(1),
            Reason::Claimed(_) | Reason::Crowded(..) | Reason::BeforeLast(..) => Some(2),
            Reason::TooFew(_, _, has) => Some(has),
            _ => None,
        }
    }

    /// The squares that cause the trouble.
    pub fn squares(self, board: Board) -> Vec<Square> {
        let set = match self {
            Reason::Isolated(set) | Reason::AllIsolated(set) | Reason::OutOfReach(set) | Reason::Stranded(set) => set,
            Reason::Claimed(set) | Reason::Crowded(_, set) | Reason::BeforeLast(_, set) => set,
            Reason::LastCutOff(square)
            | Reason::LastTooFar(square)
            | Reason::TooFew(square, ..)
            | Reason::Ring(square) => SquareSet::bit(square.index() as usize),
            _ => SquareSet::EMPTY,
        };
        set.iter().filter_map(|square| board.at(square as u32)).collect()
    }
}

/// A number of moves in words.
fn moves(number: u8) -> &'static str {
    match number {
        0 => "none",
        1 => "one move",
        _ => "two moves",
    }
}

/// Names of squares: "c4", "c4 and e5", "c4, e5 and g6"; of many, three and the number of the others.
fn names(board: Board, squares: SquareSet) -> String {
    const NAMES_MAX: usize = 4;
    let all: Vec<String> = squares.iter().filter_map(|square| Some(board.name(board.at(square as u32)?))).collect();
    match all.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [before @ .., last] if all.len() <= NAMES_MAX => format!("{} and {last}", before.join(", ")),
        _ => format!("{} and {} more", all[..NAMES_MAX - 1].join(", "), all.len() + 1 - NAMES_MAX),
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
