//! Verification of a whole route while it is streamed, a block of squares at a time.
//!
//! A list of a hundred million squares is verified here while it is written. A block passes through plain loops, one for a
//! purpose: rows and columns, moves, visited squares. None of them has a branch for a fault, because there is none but by a
//! mistake in a formula. Where something is wrong the walk is taken once more by [`verify_by_numbers`]'s way of doing it,
//! square by square, which says what it is.

use super::rectangle::{Board, Square};

use super::route::{Route, Visited, WALK_BLOCK, verify_by_numbers};
use super::tour::{Ending, TourFault};

/// Most squares of a board whose visited squares are recorded: 32 megabytes. On a larger one a formula is asked for numbers.
const NOTED_MAX: u32 = 1 << 28;

/// Verified squares in the order of their visits, with the row and the column of each.
#[derive(Clone, Debug, Default)]
pub struct VerifiedBlock {
    pub squares: Vec<Square>,
    /// The row of each, from 0 at the top.
    pub rows: Vec<u32>,
    /// The column of each, from 0 at the left.
    pub cols: Vec<u32>,
}

/// Walks a whole route and gives `visit` its squares, many at a time, each block after it was verified. The route is not
/// asked for numbers: the visited squares are recorded, one bit each. On a board of more than 2^28 squares it works as
/// [`verify_by_numbers`].
///
/// # Errors
/// The first [`TourFault`], or the first error of `visit`; nothing is visited after it.
pub fn verify_in_blocks<E: From<TourFault>>(
    route: &dyn Route,
    visit: impl FnMut(&VerifiedBlock) -> Result<(), E>,
) -> Result<(), E> {
    if route.board().squares() > NOTED_MAX { by_numbers(route, visit) } else { by_squares(route, visit) }
}

/// As [`verify_in_blocks`], by the squares that were visited.
fn by_squares<E: From<TourFault>>(
    route: &dyn Route,
    mut visit: impl FnMut(&VerifiedBlock) -> Result<(), E>,
) -> Result<(), E> {
    let mut stream = RouteCheck::new(route);
    let mut result = Ok(());
    let mut is_right = true;
    route.walk_in_blocks(&mut |squares| {
        is_right = stream.verify(squares);
        if is_right {
            result = visit(&stream.block);
        }
        is_right && result.is_ok()
    });
    result?;
    if is_right && stream.ends(route) {
        return Ok(());
    }
    let fault = verify_by_numbers(route).find_map(Result::err);
    Err(fault.unwrap_or_else(|| unreachable!("two checks of one route agree: {route:?}")).into())
}

/// As [`verify_in_blocks`], by the numbers that the route gives.
fn by_numbers<E: From<TourFault>>(
    route: &dyn Route,
    mut visit: impl FnMut(&VerifiedBlock) -> Result<(), E>,
) -> Result<(), E> {
    let places = RowsCols::new(route.board());
    let (mut block, mut squares) = (VerifiedBlock::default(), verify_by_numbers(route));
    loop {
        block.squares.clear();
        for square in squares.by_ref().take(WALK_BLOCK) {
            block.squares.push(square?);
        }
        if block.squares.is_empty() {
            return Ok(());
        }
        block.place(places);
        visit(&block)?;
    }
}

/// What is known of a route that is being walked.
struct RouteCheck {
    places: RowsCols,
    squares: u32,
    /// The holes count as visited, so that a visit is a fault.
    visited: Visited,
    /// The first square, and row and column of the last one.
    first: Option<Square>,
    last: Option<(u32, u32)>,
    entered: u64,
    block: VerifiedBlock,
}

impl RouteCheck {
    fn new(route: &dyn Route) -> RouteCheck {
        let board = route.board();
        let mut visited = Visited::new(board);
        for &hole in route.holes().squares() {
            visited.enter(hole);
        }
        let block = VerifiedBlock::default();
        let (places, squares) = (RowsCols::new(board), board.squares());
        RouteCheck { places, squares, visited, first: None, last: None, entered: 0, block }
    }

    /// Whether these squares continue the tour. They are the block then.
    fn verify(&mut self, squares: &[Square]) -> bool {
        if squares.iter().any(|square| square.index() >= self.squares) {
            return false;
        }
        self.block.squares.clear();
        self.block.squares.extend_from_slice(squares);
        self.block.place(self.places);
        let (rows, cols) = (&self.block.rows, &self.block.cols);
        let mut wrong = 0;
        for (rows, cols) in rows.windows(2).zip(cols.windows(2)) {
            wrong |= wrong_move(rows[0].abs_diff(rows[1]), cols[0].abs_diff(cols[1]));
        }
        if let (Some((row, col)), [first_row, ..], [first_col, ..]) = (self.last, &rows[..], &cols[..]) {
            wrong |= wrong_move(row.abs_diff(*first_row), col.abs_diff(*first_col));
        }
        let again = squares.iter().fold(false, |again, &square| again | self.visited.enter(square));
        self.first = self.first.or(squares.first().copied());
        self.last = rows.last().copied().zip(cols.last().copied());
        self.entered += squares.len() as u64;
        wrong == 0 && !again
    }

    /// Whether the tour may end here.
    fn ends(&self, route: &dyn Route) -> bool {
        let closes = |(row, col): (u32, u32), first| {
            let (first_row, first_col) = self.places.row_col(first);
            wrong_move(row.abs_diff(first_row), col.abs_diff(first_col)) == 0
        };
        let all = self.entered == u64::from(route.shape().squares());
        let closed = self.last.zip(self.first).is_some_and(|(last, first)| closes(last, first));
        all && (closed || route.ending() == Ending::Open)
    }
}

impl VerifiedBlock {
    /// Computes rows and columns.
    fn place(&mut self, places: RowsCols) {
        self.rows.clear();
        self.cols.clear();
        self.rows.extend(self.squares.iter().map(|&square| places.row(square)));
        self.cols.extend(self.squares.iter().zip(&self.rows).map(|(square, row)| square.index() - row * places.cols));
    }
}

/// 0 if a knight goes this far by rows and columns.
#[inline]
fn wrong_move(rows: u32, cols: u32) -> u32 {
    (rows.max(cols) ^ 2) | (rows.wrapping_add(cols) ^ 3)
}

/// Row and column of the squares of one board, by a multiplication each instead of a division.
#[derive(Clone, Copy, Debug)]
struct RowsCols {
    cols: u32,
    /// 2^64 divided by the number of columns, rounded up; 0 for one column.
    reciprocal: u64,
}

impl RowsCols {
    fn new(board: Board) -> RowsCols {
        let cols = board.cols();
        RowsCols { cols, reciprocal: (u64::MAX / u64::from(cols)).wrapping_add(1) }
    }

    /// The row of a square, from 0 at the top.
    ///
    /// The reciprocal exceeds 2^64/cols by less than 1, so the product exceeds the quotient by less than index / 2^64. The
    /// quotient lies at least 1/cols below the next whole number, which is more, as both index and cols are below 2^32.
    #[inline]
    fn row(self, square: Square) -> u32 {
        match self.reciprocal {
            0 => square.index(),
            reciprocal => ((u128::from(square.index()) * u128::from(reciprocal)) >> 64) as u32,
        }
    }

    fn row_col(self, square: Square) -> (u32, u32) {
        let row = self.row(square);
        (row, square.index() - row * self.cols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::exhaustive::tours_5x6;
    use crate::board::{Holes, NumberedRoute, RouteHead, Shape};

    #[test]
    fn a_multiplication_gives_what_a_division_gives() {
        let boards = ["1x1", "1x7", "7x1", "8x8", "3x1431655764", "1431655764x3", "65535x65536", "4294967294x1"];
        for board in boards.map(|board| board.parse::<Board>().unwrap()) {
            let (places, last) = (RowsCols::new(board), board.squares() - 1);
            // Both sides of the borders between rows, of the first and the last thousand.
            let rows = (0..board.rows().min(1000)).chain(board.rows().saturating_sub(1000)..board.rows());
            for first in rows.map(|row| row * board.cols()) {
                for index in [first.saturating_sub(1), first, first + board.cols() / 2, first + board.cols() - 1] {
                    let square = Square::from_index(index.min(last));
                    assert_eq!(places.row_col(square), board.row_col(square), "{board} {index}");
                }
            }
        }
    }

    /// A route of any squares, in blocks of any length.
    #[derive(Debug)]
    struct Listed(RouteHead, Vec<Square>, usize);

    impl Route for Listed {
        fn head(&self) -> &RouteHead {
            &self.0
        }
        fn squares(&self) -> u32 {
            self.1.len() as u32
        }
        fn square_at(&self, k: u32) -> Option<Square> {
            self.1.get(k as usize).copied()
        }
        fn number_of(&self, _: Square) -> Option<u32> {
            unreachable!("it is walked")
        }
        fn is_sequential(&self) -> bool {
            true
        }
        fn walk_in_blocks(&self, see: &mut dyn FnMut(&[Square]) -> bool) {
            let _ = self.1.chunks(self.2).all(see);
        }
    }

    /// Every way in which one change makes squares wrong: both verifications say the same, in blocks of every length.
    #[test]
    fn blocks_are_verified_as_single_squares_are() {
        let tours = tours_5x6();
        let tour = tours.first().unwrap();
        let (board, squares) = (tour.board(), tour.squares());
        let mut lists = vec![squares.to_vec(), squares[1..].to_vec(), vec![], [squares, &squares[..1]].concat()];
        for at in 0..squares.len() {
            for other in 0..=board.squares() {
                let mut list = squares.to_vec();
                list[at] = Square::from_index(other);
                lists.push(list);
            }
            lists.extend((0..at).map(|other| {
                let mut list = squares.to_vec();
                list.swap(at, other);
                list
            }));
        }
        let mut right = 0;
        for (number, list) in lists.into_iter().enumerate() {
            for ending in [Ending::Open, Ending::Closed] {
                let hole = list.get(number % 31).copied().filter(|_| number % 7 == 0);
                let route = Listed(
                    RouteHead { shape: Shape::new(board, Holes::new(hole)), ending },
                    list.clone(),
                    1 + number % 40,
                );
                let mut seen = Vec::new();
                let verified: Result<(), TourFault> = by_squares(&route, |block| {
                    assert!(
                        block
                            .squares
                            .iter()
                            .zip(block.rows.iter().zip(&block.cols))
                            .all(|(&square, (&row, &col))| { board.row_col(square) == (row, col) })
                    );
                    seen.extend_from_slice(&block.squares);
                    Ok(())
                });
                let expected: Result<Vec<Square>, TourFault> = verify_by_numbers(&route).collect();
                right += u32::from(verified.is_ok());
                assert!(verified.is_err() || seen == list);
                assert_eq!(verified, expected.map(|_| ()), "{list:?}");
                let mut numbered = Vec::new();
                let by_numbers: Result<(), TourFault> = by_numbers(&route, |block| {
                    numbered.extend_from_slice(&block.squares);
                    Ok(())
                });
                assert!(by_numbers.is_err() || numbered == list);
                assert_eq!(by_numbers, verified, "{list:?}");
            }
        }
        assert!(right > 30, "{right}");
    }

    #[test]
    fn an_error_of_the_visitor_ends_the_walk() {
        let tours = tours_5x6();
        let route = NumberedRoute::from(tours.first().unwrap());
        let mut visits = 0;
        let refused = || TourFault::Length { board: route.board(), found: 0, expected: 0 };
        let result = verify_in_blocks(&route, |_| {
            visits += 1;
            Err(refused())
        });
        assert_eq!((result, visits), (Err(refused()), 1));
    }
}
