//! Between which squares an open tour exists: what colours and theorems decide without a search, with the reason in words.

use super::existence::Existence;
use super::rectangle::{Board, Square};
use super::shape::Shape;
use super::tour::Ending;

/// Boards, short side first, on which a search found a path between any two squares of the right colours. No theorem cited
/// here covers these boards.
const SEARCHED: [(u32, u32); 3] = [(5, 7), (6, 7), (6, 8)];

impl Board {
    /// Whether the square has the colour of a1, which is dark.
    ///
    /// ```
    /// # use destrier::board::Board;
    /// let board: Board = "3x4".parse()?;
    /// let colours: String = board.all().map(|square| if board.is_dark(square) { '#' } else { '.' }).collect();
    /// assert_eq!(
    ///     colours,
    ///     "#.#.\
    ///      .#.#\
    ///      #.#."
    /// );
    /// # Ok::<(), destrier::board::BoardError>(())
    /// ```
    pub fn is_dark(self, square: Square) -> bool {
        let (row, col) = self.row_col(square);
        (self.rows() - 1 - row + col).is_multiple_of(2)
    }

    /// Whether the whole board has an open tour from `start` to `end`, with the reason. An end that is `None` is free.
    ///
    /// The answer is `None` where no theorem decides and only a search could tell.
    ///
    /// ```
    /// # use destrier::board::Board;
    /// let board: Board = "8x8".parse()?;
    /// let [a1, a2] = ["a1", "a2"].map(|name| board.parse_square(name).ok());
    /// assert!(board.existence_between(a1, a2).is_some_and(|known| known.exists));
    /// assert!(board.existence_between(a1, a1).is_some_and(|known| !known.exists));
    /// # Ok::<(), destrier::board::BoardError>(())
    /// ```
    ///
    /// # Source
    /// A. Conrad, T. Hindrichs, H. Morsy and I. Wegener, "Solution of the knight's Hamiltonian path problem on
    /// chessboards", Discrete Applied Mathematics 50, 1994: n x n for n >= 6. For 5x7, 6x7 and 6x8 every pair of squares
    /// was searched.
    pub fn existence_between(self, start: Option<Square>, end: Option<Square>) -> Option<Existence> {
        let open = self.existence(Ending::Open);
        if !open.exists || (start, end) == (None, None) || self.squares() == 1 {
            return Some(open);
        }
        if let Some(reason) = Shape::from(self).colours_forbid(Ending::Open, start, end) {
            return Some(Existence { exists: false, reason });
        }
        let (short, long) = (self.rows().min(self.cols()), self.rows().max(self.cols()));
        let reason = if short == long && short >= 6 {
            "on square boards from 6x6 on any two squares that the colours allow are joined by a tour (Conrad, \
             Hindrichs, Morsy and Wegener 1994)"
        } else if SEARCHED.contains(&(short, long)) {
            "a search of every pair found a tour between any two squares that the colours allow"
        } else if start.is_none() || end.is_none() {
            if !self.existence(Ending::Closed).exists {
                return None;
            }
            "a closed tour may begin anywhere, and stop on the last square before it comes back"
        } else {
            return None;
        };
        Some(Existence { exists: true, reason: reason.to_owned() })
    }
}

impl Shape {
    /// Number of light and of dark squares that are not holes.
    pub fn colours(&self) -> [u32; 2] {
        let (board, whole) = (self.board(), self.board().squares());
        // The lowest row begins with a dark square, and the rows above it alternate.
        let mut dark =
            if board.rows() % 2 == 1 || board.cols().is_multiple_of(2) { whole.div_ceil(2) } else { whole / 2 };
        let mut light = whole - dark;
        for &hole in self.holes().squares() {
            *(if board.is_dark(hole) { &mut dark } else { &mut light }) -= 1;
        }
        [light, dark]
    }

    /// The reason why colours forbid every tour with these ends, as a sentence without its full stop. `None` if the colours
    /// forbid nothing.
    ///
    /// A knight changes colour at every move. So a closed tour has as many light squares as dark ones. An open tour has
    /// either as many of both, and its ends differ in colour, or one more of the colour that both its ends have.
    pub fn colours_forbid(&self, ending: Ending, start: Option<Square>, end: Option<Square>) -> Option<String> {
        let (board, [light, dark]) = (self.board(), self.colours());
        if light.abs_diff(dark) > u32::from(ending == Ending::Open) {
            let tour = if ending == Ending::Closed { "a closed tour" } else { "a tour" };
            return Some(format!(
                "a knight changes colour at every move, and {light} light and {dark} dark squares do not make {tour}"
            ));
        }
        let colour = |dark| if dark { "dark" } else { "light" };
        let wrong =
            |&square: &Square| ending == Ending::Open && light != dark && board.is_dark(square) != (dark > light);
        if let Some(square) = start.into_iter().chain(end).find(wrong) {
            let (name, own, more) = (board.name(square), colour(board.is_dark(square)), colour(dark > light));
            return Some(format!(
                "{name} is {own}, and with one {more} square more than {own} ones a tour begins and ends on {more} squares"
            ));
        }
        let (start, end) = (start?, end?);
        if start == end && light + dark > 1 {
            return Some(format!("a tour of more than one square does not end on {}, its start", board.name(start)));
        }
        (light == dark && board.is_dark(start) == board.is_dark(end)).then(|| {
            let (start, end, own) = (board.name(start), board.name(end), colour(board.is_dark(start)));
            format!(
                "{start} and {end} are both {own}, and with as many light squares as dark ones a tour ends on the other \
                 colour than it begins on"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Holes;
    use crate::board::exhaustive::tours_from;

    #[test]
    fn colours_are_counted_in_closed_form() {
        for (rows, cols) in (1..9).flat_map(|rows| (1..9).map(move |cols| (rows, cols))) {
            let board = Board::new(rows, cols).unwrap();
            for holes in [Holes::none(), Holes::new(board.all().step_by(3))] {
                let shape = Shape::new(board, holes);
                let live = || shape.all();
                let dark = live().filter(|&square| board.is_dark(square)).count() as u32;
                assert_eq!(shape.colours(), [live().count() as u32 - dark, dark], "{board}");
            }
        }
    }

    #[test]
    fn existence_by_start_is_right_on_every_board_of_up_to_25_squares() {
        for rows in 1..=25 {
            for cols in 1..=25 / rows {
                let board = Board::new(rows, cols).unwrap();
                for start in board.all() {
                    let Some(known) = board.existence_between(Some(start), None) else { continue };
                    let found = !tours_from(board, Ending::Open, start, |_| false);
                    assert_eq!(known.exists, found, "{board} {}: {}", board.name(start), known.reason);
                    assert_eq!(board.existence_between(None, Some(start)), Some(known));
                }
            }
        }
    }

    #[test]
    fn reasons_name_squares_and_colours() {
        let reason = |board: &str, start: &str, end: &str| {
            let board: Board = board.parse().unwrap();
            let [start, end] = [start, end].map(|name| board.parse_square(name).ok());
            let known = board.existence_between(start, end).unwrap();
            (known.exists, known.reason)
        };
        let no = |board, start, end| {
            let (exists, reason) = reason(board, start, end);
            assert!(!exists, "{reason}");
            reason
        };
        let minority =
            "a2 is light, and with one dark square more than light ones a tour begins and ends on dark squares";
        assert_eq!(no("5x5", "a2", ""), minority);
        assert_eq!(no("7x7", "a1", "a2"), minority);
        assert_eq!(no("6x6", "a1", "a1"), "a tour of more than one square does not end on a1, its start");
        let same = "a1 and c1 are both dark, and with as many light squares as dark ones a tour ends on the other colour \
                    than it begins on";
        assert_eq!(no("6x6", "a1", "c1"), same);
        assert!(no("4x4", "a1", "a2").ends_with("(Chia and Ong 2005)"));
        for (board, start, end) in
            [("1x1", "a1", "a1"), ("3x10", "a1", ""), ("100x100", "a1", "a2"), ("7x6", "a1", "b1")]
        {
            assert!(reason(board, start, end).0, "{board}");
        }
        let board: Board = "5x6".parse().unwrap();
        assert_eq!(board.existence_between(board.at(0), board.at(1)), None);
    }
}
