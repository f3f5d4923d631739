//! Routes: ways over a board that give the square of a number and the number of a square.
//!
//! A [`Tour`] stores its squares. A tour of a hundred million squares is better given by a formula. Both are a [`Route`]:
//! it can be streamed, displayed in part, and checked at random points. [`verify_by_numbers`] and
//! [`verify_in_blocks`](super::verify_in_blocks) verify a route while they stream it. A [`PackedTour`](super::PackedTour) is a route too, but has to be walked for a
//! number; [`with_numbers`](super::with_numbers) converts it.

use super::holes::Holes;
use super::rectangle::{Board, Square};
use super::shape::Shape;
use super::tour::{Ending, NO_VISIT, RouteHead, Tour, TourFault, TourVerifier, visit_numbers};
use crate::memory::{filled, gathered};
use std::fmt::Debug;

/// Number of squares that a walk in blocks gives at a time: they stay in a core's nearest cache.
pub const WALK_BLOCK: usize = 1 << 10;

/// A way over a board by knight's moves that visits no square twice. It may be a part of a tour.
///
/// Squares on the route are numbered from 0: square 0 is the start.
pub trait Route: Send + Sync + Debug {
    fn head(&self) -> &RouteHead;

    /// The board with the squares that the tour leaves out.
    fn shape(&self) -> &Shape {
        &self.head().shape
    }

    fn board(&self) -> Board {
        self.shape().board()
    }

    /// The ending of the whole tour, which this route may be a part of.
    fn ending(&self) -> Ending {
        self.head().ending
    }

    /// The squares that the tour leaves out.
    fn holes(&self) -> &Holes {
        self.shape().holes()
    }

    /// Number of squares on the route, at least 1.
    fn squares(&self) -> u32;

    /// The square with number `k`; `None` past the end. A [`PackedTour`](super::PackedTour) walks up to 65,536 squares for it;
    /// other routes compute it or look it up.
    fn square_at(&self, k: u32) -> Option<Square>;

    /// The number of a square of the board; `None` when the route does not visit it. A [`PackedTour`](super::PackedTour) walks
    /// to the square; other routes compute the number or look it up.
    fn number_of(&self, square: Square) -> Option<u32>;

    /// The squares in the order of their numbers.
    fn walk(&self) -> Box<dyn Iterator<Item = Square> + '_> {
        Box::new((0..self.squares()).map_while(|k| self.square_at(k)))
    }

    /// Gives `see` the squares in the order of their numbers, many at a time, until it answers `false`.
    fn walk_in_blocks(&self, see: &mut dyn FnMut(&[Square]) -> bool) {
        let (mut walk, mut block) = (self.walk(), Vec::with_capacity(WALK_BLOCK));
        loop {
            block.clear();
            block.extend(walk.by_ref().take(WALK_BLOCK));
            if block.is_empty() || !see(&block) {
                return;
            }
        }
    }

    /// A copy of the route that looks up numbers, eight bytes a square. `None` for a route that gives numbers at once.
    fn to_numbered(&self) -> Option<NumberedRoute> {
        None
    }

    /// Whether the route has to be walked to find the number of a square.
    fn is_sequential(&self) -> bool {
        false
    }

    /// Whether the route visits every square of the board that is not a hole.
    fn is_whole(&self) -> bool {
        self.squares() == self.shape().squares()
    }
}

/// A stored route: its squares, and the number of every square.
#[derive(Clone, Debug)]
pub struct NumberedRoute {
    head: RouteHead,
    squares: Box<[Square]>,
    /// The number of each square of the board; [`NO_VISIT`] for a square that is not on the route.
    numbers: Box<[u32]>,
}

impl NumberedRoute {
    /// A part of a tour: squares of this shape, each a knight's move from the one before, none twice.
    ///
    /// # Errors
    /// The first [`TourFault`] in the order of the moves.
    ///
    /// # Panics
    /// When there is no square.
    pub fn part(shape: impl Into<Shape>, ending: Ending, squares: Vec<Square>) -> Result<NumberedRoute, TourFault> {
        assert!(!squares.is_empty(), "a way has a square at least");
        let shape = shape.into();
        let numbers = visit_numbers(&mut TourVerifier::new(&shape), &squares)?;
        Ok(NumberedRoute { head: RouteHead { shape, ending }, squares: squares.into(), numbers })
    }
}

impl From<&Tour> for NumberedRoute {
    fn from(tour: &Tour) -> NumberedRoute {
        let mut numbers = filled(NO_VISIT, tour.board().squares() as usize).into_boxed_slice();
        for (number, square) in (0..).zip(tour.squares()) {
            numbers[square.index() as usize] = number;
        }
        let squares = gathered(tour.squares().iter().copied(), tour.squares().len());
        NumberedRoute { head: tour.head().clone(), squares: squares.into(), numbers }
    }
}

impl Route for NumberedRoute {
    fn head(&self) -> &RouteHead {
        &self.head
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

/// Walks a whole route and verifies it on the way, without allocating where the route gives numbers at once.
///
/// Every move must be a knight's move, the route must give square k the number k, and the last move must close a closed
/// tour. A square has only one number, so it was visited only once, and as many squares as the board has are all of them.
/// If the route [is sequential](Route::is_sequential), numbers would cost a walk each. Then the visited squares are
/// recorded instead, one bit each.
///
/// The iterator ends after the first [`TourFault`].
pub fn verify_by_numbers(route: &dyn Route) -> impl Iterator<Item = Result<Square, TourFault>> {
    let mut visited = route.is_sequential().then(|| Visited::new(route.board()));
    verify_walk(route, move |square, number| match &mut visited {
        Some(visited) => {
            let again = visited.enter(square);
            again.then(|| route.walk().position(|other| other == square).map_or(0, |k| k + 1))
        }
        // The number that the route gives, if it is not the one, from 1, of the visit; or 0 if it gives none.
        None => match route.number_of(square) {
            Some(own) if own as usize + 1 == number => None,
            own => Some(own.map_or(0, |own| own as usize + 1)),
        },
    })
}

/// Walks a route and verifies it; `earlier` is that of [`TourVerifier::enter`].
fn verify_walk(
    route: &dyn Route,
    mut earlier: impl FnMut(Square, usize) -> Option<usize>,
) -> impl Iterator<Item = Result<Square, TourFault>> {
    let mut verifier = TourVerifier::new(route.shape());
    let mut squares = route.walk();
    let mut over = false;
    std::iter::from_fn(move || {
        if over {
            return None;
        }
        let square = squares.next();
        let verified = match square {
            Some(square) => verifier.enter(square, &mut earlier),
            None => verifier.end(route.ending()),
        };
        over = square.is_none() || verified.is_err();
        verified.map(|()| square).transpose()
    })
}

/// The squares of one board that were visited.
#[derive(Clone, Debug)]
pub struct Visited(Vec<u64>);

impl Visited {
    /// No square of the board.
    pub fn new(board: Board) -> Visited {
        Visited(filled(0, board.squares() as usize / 64 + 1))
    }

    /// Visits a square; returns whether it was visited before.
    ///
    /// # Panics
    /// When the square is not on the board.
    #[inline]
    pub fn enter(&mut self, square: Square) -> bool {
        let (word, bit) = (&mut self.0[square.index() as usize / 64], 1 << (square.index() % 64));
        let before = *word & bit != 0;
        *word |= bit;
        before
    }
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
    fn a_stored_tour_gives_squares_and_numbers_and_is_verified() {
        let tour = tour();
        let route = NumberedRoute::from(&tour);
        assert!(route.is_whole());
        for k in 0..12 {
            let square = route.square_at(k).unwrap();
            assert_eq!((square, route.number_of(square)), (tour.squares()[k as usize], Some(k)));
        }
        assert_eq!(route.square_at(12), None);
        let walked: Result<Vec<_>, _> = verify_by_numbers(&route).collect();
        assert_eq!(walked.as_deref(), Ok(tour.squares()));
    }

    #[test]
    fn a_part_is_no_whole_tour_and_its_end_is_a_fault() {
        let tour = tour();
        let part = NumberedRoute::part(tour.board(), Ending::Open, tour.squares()[..5].to_vec()).unwrap();
        assert!(!part.is_whole());
        assert_eq!(part.number_of(tour.squares()[6]), None);
        let last = verify_by_numbers(&part).last().unwrap();
        assert_eq!(last.unwrap_err().to_string(), "5 squares, but a tour of 3x4 has 12");
    }

    /// A faulty route: it repeats two squares, and gives the numbers of the tour.
    #[derive(Debug)]
    struct Circling(NumberedRoute);

    impl Route for Circling {
        fn head(&self) -> &RouteHead {
            self.0.head()
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
    fn a_formula_that_repeats_squares_is_a_fault() {
        let route = Circling(NumberedRoute::from(&tour()));
        let fault = verify_by_numbers(&route).find_map(Result::err).unwrap();
        assert_eq!(fault.to_string(), "move 3: a3 was visited before, by move 1");
        assert_eq!(verify_by_numbers(&route).count(), 3);
    }
}
