//! Theorems in closed form: which boards have a tour, with the reason in words.

use super::rectangle::Board;
use super::tour::Ending;
use serde::Serialize;

/// Whether a board has a tour, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Existence {
    /// Whether the board has a tour.
    pub exists: bool,
    /// The condition that decides, and the theorem: a sentence without its full stop.
    pub reason: String,
}

impl Board {
    /// Whether the board has a tour, decided without a search.
    ///
    /// An open tour may end a knight's move from its start, so a board with a closed tour has an open tour too. The single
    /// square of 1x1 is an open tour, but not a closed tour, because no move leads back to the square.
    ///
    /// ```
    /// # use destrier::board::{Board, Ending};
    /// let board: Board = "5x5".parse().unwrap();
    /// assert!(board.existence(Ending::Open).exists);
    /// let closed = board.existence(Ending::Closed);
    /// assert!(!closed.exists);
    /// assert!(closed.reason.starts_with("both sides are odd"));
    /// ```
    ///
    /// # Source
    /// A. J. Schwenk, "Which rectangular chessboards have a knight's tour?", Mathematics Magazine 64, 1991, for closed
    /// tours; G. L. Chia and S.-H. Ong, "Generalized knight's tours on rectangular chessboards", Discrete Applied
    /// Mathematics 150, 2005, section 2, for open ones.
    pub fn existence(self, ending: Ending) -> Existence {
        let (short, long) = (self.rows().min(self.cols()), self.rows().max(self.cols()));
        let (theorem, against) = match ending {
            Ending::Closed => ("Schwenk 1991", against_closed(short, long)),
            Ending::Open => ("Chia and Ong 2005", against_open(short, long)),
        };
        let reason = match (against, ending) {
            (Some(reason), _) => format!("{reason} ({theorem})"),
            (None, Ending::Open) if long == 1 => "its one square is the whole tour".to_owned(),
            (None, Ending::Closed) => format!(
                "every board has one unless both sides are odd, one side is 1, 2 or 4, or it is 3x6 or 3x8 ({theorem})"
            ),
            (None, Ending::Open) => {
                format!("every board has one unless one side is 1 or 2, or it is 3x3, 3x5, 3x6 or 4x4 ({theorem})")
            }
        };
        Existence { exists: against.is_none(), reason }
    }
}

/// The reason why no board of these sides has a closed tour. `None` if such boards have one.
///
/// The theorem lists 3x4 with the boards three wide. Here the side of 4 decides it first.
fn against_closed(short: u32, long: u32) -> Option<&'static str> {
    Some(match (short, long) {
        (1, 1) => "a closed tour needs a move, and a board of one square has none",
        (1, _) => "a knight has no move on a board one wide",
        (2, _) => "on a board two wide the moves form four separate paths",
        (4, _) | (_, 4) => {
            "one side is 4: moves from the two outer lines lead only to the two inner ones, so a closed tour would \
             change between outer and inner at every move, as it does between the colours, and miss half the squares"
        }
        _ if short % 2 == 1 && long % 2 == 1 => {
            "both sides are odd, so the number of squares is odd, and a closed tour, which changes colour at every \
             move, needs an even number"
        }
        (3, 6) => {
            "without the two outer squares of one of its two middle lines of three the board falls into three parts, \
             and a cycle would fall into two at most"
        }
        (3, 8) => {
            "the moves forced at its corners and at the ends of its middle line of eight are part of no single cycle"
        }
        _ => return None,
    })
}

/// The reason why no board of these sides has an open tour. `None` if such boards have one.
fn against_open(short: u32, long: u32) -> Option<&'static str> {
    Some(match (short, long) {
        (1, 2..) => "a knight has no move on a board one wide",
        (2, _) => "on a board two wide the moves form four separate paths",
        (3, 3) => "no move leads to the middle square",
        (3, 5) => {
            "without the middle square and the four that touch it at a corner the board falls into seven parts, and \
             a path would fall into six at most"
        }
        (3, 6) => {
            "without its two middle lines of three the board falls into eight parts, and a path would fall into seven \
             at most"
        }
        (4, 4) => {
            "without its four middle squares the board falls into six parts, and a path would fall into five at most"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::exhaustive::tours_from;
    use crate::board::{SmallBoard, SquareMask};

    fn has_tour(board: Board, ending: Ending) -> bool {
        // A closed tour passes square 0, so one start is enough.
        let starts = if ending == Ending::Closed { 1 } else { usize::MAX };
        let all_searched = |start| tours_from(board, ending, start, |_| false);
        !board.all().take(starts).all(all_searched)
    }

    #[test]
    fn the_conditions_agree_with_exhaustive_search_on_every_board_of_up_to_36_squares() {
        let mut boards = 0;
        for rows in 1..=36 {
            for cols in rows..=36 / rows {
                let board = Board::new(rows, cols).unwrap();
                for ending in [Ending::Closed, Ending::Open] {
                    assert_eq!(board.existence(ending).exists, has_tour(board, ending), "{board} {ending:?}");
                    assert_eq!(board.existence(ending), board.transposed().existence(ending), "{board}");
                }
                boards += 1;
            }
        }
        assert_eq!(boards, 73);
    }

    #[test]
    fn a_board_with_a_closed_tour_has_an_open_tour() {
        for (rows, cols) in (1..60).flat_map(|rows| (1..60).map(move |cols| (rows, cols))) {
            let board = Board::new(rows, cols).unwrap();
            let exists = |ending| board.existence(ending).exists;
            assert!(!exists(Ending::Closed) || exists(Ending::Open), "{board}");
        }
    }

    /// Number of parts into which the board falls without some of its squares.
    fn parts(board: &str, without: &str) -> usize {
        let board: Board = board.parse().unwrap();
        let graph = SmallBoard::<u64>::new(board).unwrap();
        let removed = without.split_whitespace().map(|name| board.parse_square(name).unwrap().index() as usize);
        let mut left = removed.fold(graph.all(), |left, square| left & !u64::bit(square));
        let mut parts = 0;
        while left != 0 {
            let mut part = u64::bit(left.first());
            loop {
                let grown = part.iter().fold(part, |set, square| set | graph.neighbours(square) & left);
                if grown == part {
                    break;
                }
                part = grown;
            }
            left &= !part;
            parts += 1;
        }
        parts
    }

    #[test]
    fn the_boards_of_the_reasons_fall_into_the_parts_named() {
        assert_eq!(parts("3x3", "b1"), 2);
        assert_eq!(parts("3x5", "b3 d3 c2 b1 d1"), 7);
        assert_eq!(parts("3x6", "c3 d3 c2 d2 c1 d1"), 8);
        assert_eq!(parts("3x6", "c3 c1"), 3);
        assert_eq!(parts("4x4", "b3 c3 b2 c2"), 6);
        for cols in 2..20 {
            assert_eq!(parts(&format!("2x{cols}"), ""), 4, "2x{cols}");
        }
    }
}
