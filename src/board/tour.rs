//! Tours, which only verification can make, and the faults that verification finds.

use super::holes::Holes;
use super::rectangle::{Board, Square};
use super::shape::Shape;
use crate::memory::{filled, gathered};
use crate::table::table;

/// The number of a square that is not visited.
pub(super) const NO_VISIT: u32 = u32::MAX;

table! {
    /// Whether a tour returns to its start.
    /// `name`: in reports and on the command line.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Ending(name: &'static str) {
        /// A Hamiltonian path: the last square may be anywhere.
        Open: "open";
        /// A Hamiltonian cycle: a knight's move leads from the last square to the first.
        Closed: "closed";
    }
}

impl Ending {
    /// Open tours if `open` is set, else closed ones.
    pub fn open_if(open: bool) -> Ending {
        if open { Ending::Open } else { Ending::Closed }
    }
}

/// What is wrong with a list of squares that is not a tour. Move numbers count from 1: move m enters square m.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TourFault {
    /// The number of squares is not that of the board without its holes.
    #[error("{found} squares, but a tour of {board}{} has {expected}", without(*board, *expected))]
    Length { board: Board, found: usize, expected: usize },
    /// A move enters a hole.
    #[error("move {number}: {} is a hole", board.name(*square))]
    Hole { board: Board, number: usize, square: Square },
    /// A square is not on this board, but on a larger one.
    #[error("move {number}: there is no square #{} on {board}", square.index() + 1)]
    OffBoard { board: Board, number: usize, square: Square },
    /// A step, of move 2 or a later one, is no knight's move.
    #[error("move {number}: no knight's move leads from {} to {}", board.name(*from), board.name(*to))]
    NotAMove { board: Board, number: usize, from: Square, to: Square },
    /// A move visits a square that an earlier one has visited.
    #[error("move {number}: {} was visited before, by move {earlier}", board.name(*square))]
    Repeated { board: Board, number: usize, square: Square, earlier: usize },
    /// No knight's move leads from the last square to the first.
    #[error("the tour does not close: no knight's move leads from {}, the last square, to {}", board.name(*last), board.name(*first))]
    NotClosed { board: Board, last: Square, first: Square },
}

/// Names the squares left out, if there are any, as a part of a message.
pub(super) fn without(board: Board, expected: usize) -> String {
    match board.squares() as usize - expected {
        0 => String::new(),
        1 => " without one square".to_owned(),
        holes => format!(" without {holes} squares"),
    }
}

/// Verifies the squares of a tour, one after the other. All slow checks use it, so they report the same fault.
///
/// ```
/// # use destrier::board::{Shape, TourVerifier};
/// let ring: Shape = "3x3-b2".parse().unwrap();
/// let [a3, b2] = ["a3", "b2"].map(|name| ring.board().parse_square(name).unwrap());
/// let mut verifier = TourVerifier::new(&ring);
/// assert!(verifier.enter(a3, |_, _| None).is_ok());
/// let fault = verifier.enter(b2, |_, _| None).unwrap_err();
/// assert_eq!(fault.to_string(), "move 2: b2 is a hole");
/// ```
#[derive(Clone, Debug)]
pub struct TourVerifier<'a> {
    board: Board,
    shape: &'a Shape,
    has_holes: bool,
    first: Option<Square>,
    /// The last square, its row and its column.
    last: Option<(Square, u32, u32)>,
    /// Number of squares entered.
    entered: usize,
}

impl<'a> TourVerifier<'a> {
    /// Starts before the first square.
    pub fn new(shape: &'a Shape) -> TourVerifier<'a> {
        let (board, has_holes) = (shape.board(), shape.has_holes());
        TourVerifier { board, shape, has_holes, first: None, last: None, entered: 0 }
    }

    /// Verifies the next square. `earlier` receives the square and the number of the move, from 1. It returns the number of
    /// an earlier visit to the square, if there is one. It is called only for a knight's move to a square of the board.
    ///
    /// # Errors
    /// The [`TourFault`] of this move: first that the square is not on the board, then that it is a hole, then that no
    /// knight's move leads to it, then that it was visited before.
    #[inline(always)]
    pub fn enter(
        &mut self,
        square: Square,
        earlier: impl FnOnce(Square, usize) -> Option<usize>,
    ) -> Result<(), TourFault> {
        self.entered += 1;
        let (board, number) = (self.board, self.entered);
        let (row, col) = board.row_col(square);
        let from = self.last.replace((square, row, col));
        self.first.get_or_insert(square);
        let is_move =
            |from_row: u32, from_col: u32| matches!((row.abs_diff(from_row), col.abs_diff(from_col)), (1, 2) | (2, 1));
        Err(match from {
            _ if board.at(square.index()).is_none() => TourFault::OffBoard { board, number, square },
            _ if self.has_holes && !self.shape.has(square) => TourFault::Hole { board, number, square },
            Some((from, row, col)) if !is_move(row, col) => TourFault::NotAMove { board, number, from, to: square },
            _ => match earlier(square, number) {
                None => return Ok(()),
                Some(earlier) => TourFault::Repeated { board, number, square, earlier },
            },
        })
    }

    /// Verifies the end of a whole tour.
    ///
    /// # Errors
    /// [`TourFault::Length`] when the tour has a wrong number of squares, else [`TourFault::NotClosed`] when it is to be
    /// closed and is not.
    pub fn end(&self, ending: Ending) -> Result<(), TourFault> {
        let (board, expected) = (self.board, self.shape.squares() as usize);
        match (self.first, self.last) {
            _ if self.entered != expected => Err(TourFault::Length { board, found: self.entered, expected }),
            (Some(first), Some((last, ..))) if ending == Ending::Closed && !board.adjacent(last, first) => {
                Err(TourFault::NotClosed { board, last, first })
            }
            _ => Ok(()),
        }
    }
}

/// Verifies every move of a list. Returns for every square of the board the number of its visit, from 0, or [`NO_VISIT`].
pub(super) fn visit_numbers(verifier: &mut TourVerifier<'_>, squares: &[Square]) -> Result<Box<[u32]>, TourFault> {
    let mut numbers = filled(NO_VISIT, verifier.board.squares() as usize).into_boxed_slice();
    for &square in squares {
        verifier.enter(square, |square, number| {
            let visit = &mut numbers[square.index() as usize];
            let earlier = (*visit != NO_VISIT).then_some(*visit as usize + 1);
            *visit = number as u32 - 1;
            earlier
        })?;
    }
    Ok(numbers)
}

/// What every way over a board says of itself.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RouteHead {
    /// The board, and the squares that the tour leaves out.
    pub shape: Shape,
    pub ending: Ending,
}

/// A verified knight's tour: it visits every square of the board once, except the holes. Each square is a knight's move
/// from the one before, and in a closed tour the first is a knight's move from the last.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tour {
    head: RouteHead,
    squares: Box<[Square]>,
}

impl Tour {
    /// Verifies `squares` as a tour of the shape: they are all its squares and no others.
    ///
    /// # Errors
    /// The first [`TourFault`] in the order of the moves.
    ///
    /// ```
    /// # use destrier::board::{Board, Ending, Tour};
    /// let board: Board = "3x4".parse().unwrap();
    /// let squares = "a3 c2 a1 b3 d2 b1 c3 d1 b2 a3 c1 a2".split(' ').map(|name| board.parse_square(name).unwrap());
    /// let fault = Tour::verify(board, Ending::Open, squares.collect::<Vec<_>>()).unwrap_err();
    /// assert_eq!(fault.to_string(), "move 10: no knight's move leads from b2 to a3");
    /// ```
    pub fn verify(
        shape: impl Into<Shape>,
        ending: Ending,
        squares: impl Into<Box<[Square]>>,
    ) -> Result<Tour, TourFault> {
        let (shape, squares) = (shape.into(), squares.into());
        let (board, expected) = (shape.board(), shape.squares() as usize);
        if squares.len() != expected || squares.is_empty() {
            return Err(TourFault::Length { board, found: squares.len(), expected });
        }
        let mut verifier = TourVerifier::new(&shape);
        visit_numbers(&mut verifier, &squares)?;
        verifier.end(ending)?;
        Ok(Tour { head: RouteHead { shape, ending }, squares })
    }

    /// Board and holes, and the ending for which the tour was verified.
    pub fn head(&self) -> &RouteHead {
        &self.head
    }

    pub fn board(&self) -> Board {
        self.head.shape.board()
    }

    pub fn shape(&self) -> &Shape {
        &self.head.shape
    }

    /// The ending for which the tour was verified.
    pub fn ending(&self) -> Ending {
        self.head.ending
    }

    /// The squares that the tour leaves out.
    pub fn holes(&self) -> &Holes {
        self.head.shape.holes()
    }

    /// The squares in one order for all ways to write down the tour, to compare tours.
    ///
    /// An open tour has one order. A closed tour may be written from any square and in both directions. Its reading begins on
    /// the least square and continues with the lesser of that square's two neighbours in the tour.
    pub fn reading(&self) -> Box<[Square]> {
        self.reading_through(|square| square)
    }

    /// The [reading](Tour::reading) of the image of the tour under a symmetry, which `image` applies to a square.
    pub fn reading_through(&self, image: impl Fn(Square) -> Square) -> Box<[Square]> {
        let mut squares =
            gathered(self.squares.iter().map(|&square| image(square)), self.squares.len()).into_boxed_slice();
        let least = squares.iter().enumerate().min_by_key(|&(_, square)| square).map_or(0, |(at, _)| at);
        if self.ending() == Ending::Closed && squares.len() > 2 {
            squares.rotate_left(least);
            if squares[squares.len() - 1] < squares[1] {
                squares[1..].reverse();
            }
        }
        squares
    }

    /// The squares in the order of the visits.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::exhaustive::tours_5x6;
    use crate::board::{parse_grid, parse_move_list};
    use proptest::prelude::*;

    fn verify(ending: Ending, text: &str) -> Result<Tour, TourFault> {
        let (board, squares) = parse_move_list(text).unwrap();
        Tour::verify(board, ending, squares)
    }

    /// 1 4 7 10 / 12 9 2 5 / 3 6 11 8: open. Its ends a2 and a3 are not a knight's move apart.
    const OPEN_3X4: &str = "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2";

    #[test]
    fn a_verified_tour_has_the_board_ending_and_squares_given() {
        let tour = verify(Ending::Open, OPEN_3X4).unwrap();
        assert_eq!((tour.board().to_string().as_str(), tour.ending()), ("3x4", Ending::Open));
        assert_eq!(tour.move_list().to_string(), OPEN_3X4);
        assert!(verify(Ending::Open, "1x1 a1").is_ok());
    }

    #[test]
    fn faults_say_which_move_fails_and_why() {
        let fault = |ending, text: &str| verify(ending, text).unwrap_err().to_string();
        let open = |text: &str| fault(Ending::Open, text);
        assert_eq!(open("3x4 a3 c2 a1"), "3 squares, but a tour of 3x4 has 12");
        assert_eq!(open("1x1"), "0 squares, but a tour of 1x1 has 1");
        assert_eq!(open(&OPEN_3X4.replace("c3 d1", "d1 c3")), "move 7: no knight's move leads from b1 to d1");
        assert_eq!(open("3x4 a3 c2 a3 c2 a3 c2 a3 c2 a3 c2 a3 c2"), "move 3: a3 was visited before, by move 1");
        let not_closed = "the tour does not close: no knight's move leads from a2, the last square, to a3";
        assert_eq!(fault(Ending::Closed, OPEN_3X4), not_closed);
        let alone = "the tour does not close: no knight's move leads from a1, the last square, to a1";
        assert_eq!(fault(Ending::Closed, "1x1 a1"), alone);
    }

    #[test]
    fn squares_of_another_board_are_a_fault_and_no_panic() {
        let (_, squares) = parse_move_list("4x4 a4 b4 a1 d1").unwrap();
        let small: Board = "2x2".parse().unwrap();
        for (i, reason) in [(2, "move 1: there is no square #13 on 2x2"), (3, "move 1: there is no square #16 on 2x2")]
        {
            let fault = Tour::verify(small, Ending::Open, vec![squares[i]; 4]).unwrap_err();
            assert_eq!(fault.to_string(), reason);
        }
    }

    #[test]
    fn a_tour_may_go_round_a_hole_but_not_through_it() {
        // The eight squares round the middle of 3x3 are a cycle.
        let (board, squares) = parse_move_list("3x3 a3 c2 a1 b3 c1 a2 c3 b1").unwrap();
        let hole = |name: &str| Holes::new([board.parse_square(name).unwrap()]);
        let around = |holes, squares: &[Square]| Tour::verify(Shape::new(board, holes), Ending::Closed, squares);
        assert_eq!(around(hole("b2"), &squares).unwrap().holes().len(), 1);
        assert_eq!(around(hole("a2"), &squares).unwrap_err().to_string(), "move 6: a2 is a hole");
        let fewer = "7 squares, but a tour of 3x3 without one square has 8";
        assert_eq!(around(hole("b2"), &squares[1..]).unwrap_err().to_string(), fewer);
    }

    #[test]
    fn a_closed_tour_has_one_reading_and_an_open_one_its_own() {
        let (_, squares) = parse_move_list("3x3 a3 c2 a1 b3 c1 a2 c3 b1").unwrap();
        let ring: Shape = "3x3-b2".parse().unwrap();
        let reading = |ending, squares: &[Square]| Tour::verify(&ring, ending, squares).unwrap().reading();
        for begin in 0..8 {
            let mut other = squares.clone();
            other.rotate_left(begin);
            assert_eq!(*reading(Ending::Closed, &other), *reading(Ending::Closed, &squares));
            assert_eq!(*reading(Ending::Open, &other), *other);
            other.reverse();
            assert_eq!(*reading(Ending::Closed, &other), *reading(Ending::Closed, &squares));
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_and_verified_again(at in any::<prop::sample::Index>()) {
            let tour = at.get(tours_5x6());
            let verified = |(board, squares): (Board, Vec<Square>)| Tour::verify(board, tour.ending(), squares);
            prop_assert_eq!(&verified(parse_move_list(&tour.move_list().to_string()).unwrap()), &Ok(tour.clone()));
            prop_assert_eq!(&verified(parse_grid(&tour.grid().to_string()).unwrap()), &Ok(tour.clone()));
        }

        #[test]
        fn two_moves_exchanged_are_a_fault(at in any::<prop::sample::Index>(), i in 0usize..30, j in 0usize..30) {
            // A knight's move changes colour, so squares at an odd distance cannot be exchanged.
            prop_assume!((i + j) % 2 == 1);
            let tour = at.get(tours_5x6());
            let mut squares = tour.squares().to_vec();
            squares.swap(i, j);
            prop_assert!(Tour::verify(tour.board(), Ending::Open, squares).is_err());
        }
    }
}
