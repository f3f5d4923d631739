//! A way over a board that can be asked anywhere: the square of a number, the number of a square.
//!
//! A [`Tour`] is a list; a tour of a hundred million squares is better a formula. Both are a [`Route`]: it can be
//! streamed, shown through a window and checked at random points. [`checked`] verifies one as it is streamed. What is
//! [`PackedTour`](super::PackedTour) is one too, but asking it costs a walk: [`at_hand`](super::at_hand) opens it first.

use super::holes::Holes;
use super::rectangle::Board;
use super::square::Square;
use super::tour::{Ending, Tour, TourFault};
use super::tour::{NO_VISIT, numbered};
use crate::memory::{filled, gathered};
use std::fmt::Debug;

/// A way over a board, square after square, none twice. It may be a part of a tour.
///
/// Moves are numbered from 0 here: square 0 is the start.
pub trait Route: Send + Sync + Debug {
    /// The board.
    fn board(&self) -> Board;

    /// What the whole is to be: open or closed.
    fn ending(&self) -> Ending;

    /// Squares that are left out.
    fn holes(&self) -> &Holes;

    /// Number of squares on the way, at least 1.
    fn squares(&self) -> u32;

    /// The square of number `k`; nothing past the end. It is found by a formula, in a list, or by a walk of up to 65,536
    /// squares where the route is a [`PackedTour`](super::PackedTour).
    fn square_at(&self, k: u32) -> Option<Square>;

    /// The number of a square of the board; nothing when the way does not visit it. Where the route is a [`PackedTour`](super::PackedTour) that
    /// takes a walk to it.
    fn number_of(&self, square: Square) -> Option<u32>;

    /// The squares in their order.
    fn walk(&self) -> Box<dyn Iterator<Item = Square> + '_> {
        Box::new((0..self.squares()).map_while(|k| self.square_at(k)))
    }

    /// The way with all its numbers, eight bytes a square, of a route that is walked to answer a number. Nothing of a route
    /// that answers numbers at once.
    fn opened(&self) -> Option<NumberedRoute> {
        None
    }

    /// Whether the route is walked to answer a number.
    fn is_walked(&self) -> bool {
        false
    }

    /// Whether every square of the board that is no hole is visited.
    fn is_whole(&self) -> bool {
        self.squares() as usize + self.holes().len() == self.board().squares() as usize
    }
}

/// A stored way: its squares, and the number of each.
#[derive(Clone, Debug)]
pub struct NumberedRoute {
    board: Board,
    ending: Ending,
    holes: Holes,
    squares: Box<[Square]>,
    /// By square; [`NO_VISIT`] where the way does not go.
    numbers: Box<[u32]>,
}

impl NumberedRoute {
    /// A part of a tour: squares of this board, each a knight's move from the one before and none twice.
    ///
    /// # Errors
    /// The first [`TourFault`] met, in the order of the moves.
    ///
    /// # Panics
    /// When there is no square at all.
    pub fn part(board: Board, ending: Ending, squares: Vec<Square>) -> Result<NumberedRoute, TourFault> {
        NumberedRoute::part_around(board, Holes::none(), ending, squares)
    }

    /// A part of a tour that leaves squares out; otherwise as [`NumberedRoute::part`].
    ///
    /// # Errors
    /// The first [`TourFault`] met, in the order of the moves.
    ///
    /// # Panics
    /// When there is no square at all.
    pub fn part_around(
        board: Board,
        holes: Holes,
        ending: Ending,
        squares: Vec<Square>,
    ) -> Result<NumberedRoute, TourFault> {
        assert!(!squares.is_empty(), "a way has a square at least");
        let numbers = numbered(board, &holes, &squares)?;
        Ok(NumberedRoute { board, ending, holes, squares: squares.into(), numbers })
    }
}

impl From<&Tour> for NumberedRoute {
    fn from(tour: &Tour) -> NumberedRoute {
        let mut numbers = filled(NO_VISIT, tour.board().squares() as usize).into_boxed_slice();
        for (number, square) in (0..).zip(tour.squares()) {
            numbers[square.index() as usize] = number;
        }
        let (board, ending, holes) = (tour.board(), tour.ending(), tour.holes().clone());
        let squares = gathered(tour.squares().iter().copied(), tour.squares().len());
        NumberedRoute { board, ending, holes, squares: squares.into(), numbers }
    }
}

impl Route for NumberedRoute {
    fn board(&self) -> Board {
        self.board
    }

    fn ending(&self) -> Ending {
        self.ending
    }

    fn holes(&self) -> &Holes {
        &self.holes
    }

    fn squares(&self) -> u32 {
        self.squares.len() as u32
    }

    fn square_at(&self, k: u32) -> Option<Square> {
        self.squares.get(k as usize).copied()
    }

    fn number_of(&self, square: Square) -> Option<u32> {
        self.numbers.get(square.index() as usize).copied().filter(|&number| number != NO_VISIT)
    }

    fn walk(&self) -> Box<dyn Iterator<Item = Square> + '_> {
        Box::new(self.squares.iter().copied())
    }
}

/// Walks a whole route and verifies it on the way, without memory of its own where numbers are to be had: every move must be a knight's, square
/// k must know that its number is k, and the last move must close a closed tour. A square that could answer only one
/// number was then visited only once, and as many squares as the board has are all of them. A route that is walked to answer a
/// number is asked for none: which squares were visited is noted, a bit each.
///
/// The iterator ends behind the first [`TourFault`].
pub fn checked(route: &dyn Route) -> impl Iterator<Item = Result<Square, TourFault>> {
    noting(route, route.is_walked())
}

/// Walks a whole route and verifies it on the way, as [`checked`] does, but asks it for no number: it remembers which
/// squares were visited, a bit each. On a board of more than 2^26 squares it is [`checked`].
pub fn walked(route: &dyn Route) -> impl Iterator<Item = Result<Square, TourFault>> {
    noting(route, route.is_walked() || route.board().squares() <= NOTED_MAX)
}

/// Verifies a route; by which squares were visited, or by their numbers.
fn noting(route: &dyn Route, by_squares: bool) -> impl Iterator<Item = Result<Square, TourFault>> {
    let mut visited = by_squares.then(|| filled(0u64, route.board().squares() as usize / 64 + 1));
    let mut numbered = by_number(route);
    verified(route, move |square, number| {
        let Some(visited) = &mut visited else { return numbered(square, number) };
        let (word, bit) = (&mut visited[square.index() as usize / 64], 1 << (square.index() % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        if is_new { None } else { Some(route.walk().position(|other| other == square).map_or(0, |k| k + 1)) }
    })
}

/// Squares that are noted at most where a number can be had: eight megabytes.
const NOTED_MAX: u32 = 1 << 26;

/// What the route says of a square that comes as this number, from 1: nothing if that is its number, else which is.
fn by_number(route: &dyn Route) -> impl FnMut(Square, usize) -> Option<usize> {
    |square, number| match route.number_of(square) {
        Some(own) if own as usize + 1 == number => None,
        own => Some(own.map_or(0, |own| own as usize + 1)),
    }
}

/// Walks a route and verifies it; `earlier` answers for a square and its number, from 1, by which number it was visited
/// before, if it was.
fn verified(
    route: &dyn Route,
    mut earlier: impl FnMut(Square, usize) -> Option<usize>,
) -> impl Iterator<Item = Result<Square, TourFault>> {
    let (board, holes) = (route.board(), route.holes());
    let expected = board.squares() as usize - holes.len();
    let has_holes = !holes.is_empty();
    let mut squares = route.walk();
    let (mut first, mut before, mut number, mut over) = (None, None::<(Square, u32, u32)>, 0usize, false);
    std::iter::from_fn(move || {
        if over {
            return None;
        }
        let fault = match squares.next() {
            Some(square) => {
                number += 1;
                let (row, col) = board.row_col(square);
                let from = before.replace((square, row, col));
                first.get_or_insert(square);
                let is_move = |from_row: u32, from_col: u32| {
                    matches!((row.abs_diff(from_row), col.abs_diff(from_col)), (1, 2) | (2, 1))
                };
                match from {
                    _ if board.at(square.index()).is_none() => TourFault::OffBoard { board, number, square },
                    _ if has_holes && holes.contains(square) => TourFault::Hole { board, number, square },
                    Some((from, row, col)) if !is_move(row, col) => {
                        TourFault::NotAMove { board, number, from, to: square }
                    }
                    _ => match earlier(square, number) {
                        None => return Some(Ok(square)),
                        Some(earlier) => TourFault::Repeated { board, number, square, earlier },
                    },
                }
            }
            None => match (first, before) {
                _ if number != expected => TourFault::Length { board, found: number, expected },
                (Some(first), Some((last, ..))) if route.ending() == Ending::Closed && !board.adjacent(last, first) => {
                    TourFault::NotClosed { board, last, first }
                }
                _ => return None,
            },
        };
        over = true;
        Some(Err(fault))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::parse_move_list;

    const OPEN_3X4: &str = "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2";

    fn tour() -> Tour {
        let (board, squares) = parse_move_list(OPEN_3X4).unwrap();
        Tour::verify(board, Ending::Open, squares).unwrap()
    }

    #[test]
    fn a_stored_tour_answers_both_ways_and_checks_out() {
        let tour = tour();
        let route = NumberedRoute::from(&tour);
        assert!(route.is_whole());
        for k in 0..12 {
            let square = route.square_at(k).unwrap();
            assert_eq!((square, route.number_of(square)), (tour.squares()[k as usize], Some(k)));
        }
        assert_eq!(route.square_at(12), None);
        let walked: Result<Vec<_>, _> = checked(&route).collect();
        assert_eq!(walked.as_deref(), Ok(tour.squares()));
    }

    #[test]
    fn a_part_is_no_whole_tour_and_says_so_at_its_end() {
        let tour = tour();
        let part = NumberedRoute::part(tour.board(), Ending::Open, tour.squares()[..5].to_vec()).unwrap();
        assert!(!part.is_whole());
        assert_eq!(part.number_of(tour.squares()[6]), None);
        let last = checked(&part).last().unwrap();
        assert_eq!(last.unwrap_err().to_string(), "5 squares, but a tour of 3x4 has 12");
    }

    /// A route that tells lies about its numbers, or goes round in a circle.
    #[derive(Debug)]
    struct Circling(NumberedRoute);

    impl Route for Circling {
        fn board(&self) -> Board {
            self.0.board()
        }
        fn ending(&self) -> Ending {
            self.0.ending()
        }
        fn holes(&self) -> &Holes {
            self.0.holes()
        }
        fn squares(&self) -> u32 {
            12
        }
        fn square_at(&self, k: u32) -> Option<Square> {
            self.0.square_at(k % 2)
        }
        fn number_of(&self, square: Square) -> Option<u32> {
            self.0.number_of(square)
        }
    }

    #[test]
    fn a_formula_that_repeats_itself_is_found_out() {
        let route = Circling(NumberedRoute::from(&tour()));
        let fault = checked(&route).find_map(Result::err).unwrap();
        assert_eq!(fault.to_string(), "move 3: a3 was visited before, by move 1");
        assert_eq!(checked(&route).count(), 3);
        assert_eq!(walked(&route).find_map(Result::err), Some(fault));
        assert_eq!(walked(&route).count(), 3);
    }
}
