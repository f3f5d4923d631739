//! Packed tours, to hold many in memory: three bits a move instead of four bytes a square.
//!
//! A race for thousands of tours holds them all until its end. A packed tour can be walked from its start or from any
//! square number. The number of a given square costs a walk; a caller that asks for many converts the tour first
//! ([`Route::to_numbered`], [`with_numbers`]).

use super::rectangle::{Board, MOVES, Square};
use super::route::{NumberedRoute, Route};
use super::tour::{Ending, RouteHead, Tour};
use crate::memory::{gathered, room};
use std::sync::Arc;

/// Number of directions whose bits fill whole bytes.
pub const DIRECTION_GROUP: usize = 8;
/// Number of bytes that [`DIRECTION_GROUP`] directions fill.
pub const DIRECTION_GROUP_BYTES: usize = 3;
/// Distance between two squares that are stored, in moves. A walk to a square number begins at most this far before it.
const STRIDE: usize = 1 << 16;

/// A verified tour in three bits a move.
///
/// The directions are indices into [`MOVES`], eight of them in three bytes, low bits first. A clone is cheap.
///
/// ```
/// # use destrier::board::{Board, Ending, PackedTour, Route, Tour};
/// let board: Board = "3x4".parse().unwrap();
/// let squares = "a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2".split(' ').map(|name| board.parse_square(name).unwrap());
/// let tour = Tour::verify(board, Ending::Open, squares.collect::<Vec<_>>()).unwrap();
/// let packed = PackedTour::from(&tour);
/// assert!(packed.walk().eq(tour.squares().iter().copied()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedTour {
    head: RouteHead,
    path: PackedPath,
}

/// The squares of a tour in three bits a move, without board, ending and holes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PackedPath {
    /// The first square and every [`STRIDE`]th square behind it.
    marks: MarkedSquares,
    directions: Arc<Box<[u8]>>,
}

/// The stored squares. Most tours are shorter than [`STRIDE`] and store one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum MarkedSquares {
    One(Square),
    Many(Arc<[Square]>),
}

impl MarkedSquares {
    fn get(&self, at: usize) -> Option<Square> {
        match self {
            MarkedSquares::One(first) => (at == 0).then_some(*first),
            MarkedSquares::Many(all) => all.get(at).copied(),
        }
    }
}

impl PackedPath {
    /// Packs squares, at least one, each a knight's move from the one before.
    pub(crate) fn pack(board: Board, squares: &[Square]) -> PackedPath {
        let marks = match squares.len() {
            ..=STRIDE => MarkedSquares::One(squares[0]),
            _ => MarkedSquares::Many(squares.iter().copied().step_by(STRIDE).collect()),
        };
        let mut directions = room((squares.len() - 1).div_ceil(DIRECTION_GROUP) * DIRECTION_GROUP_BYTES);
        let compass = MoveDirections::new(board);
        for group in 0..(squares.len() - 1).div_ceil(DIRECTION_GROUP) {
            let end = squares.len().min((group + 1) * DIRECTION_GROUP + 1);
            let moves = squares[group * DIRECTION_GROUP..end].windows(2);
            append_directions(moves.map(|pair| compass.direction(pair[0], pair[1])), &mut directions);
        }
        PackedPath { marks, directions: Arc::new(directions.into_boxed_slice()) }
    }

    /// The squares from mark number `mark` on. Behind the last square some meaningless squares may follow.
    fn squares_from(&self, board: Board, mark: usize) -> impl Iterator<Item = Square> + '_ {
        let MoveDirections { steps, .. } = MoveDirections::new(board);
        let before = mark * STRIDE / DIRECTION_GROUP * DIRECTION_GROUP_BYTES;
        let groups = self.directions.get(before..).unwrap_or_default().chunks(DIRECTION_GROUP_BYTES);
        let directions = groups.flat_map(read_directions);
        let first = self.marks.get(mark);
        first.into_iter().chain(directions.scan(first.map_or(0, Square::index), move |here, direction| {
            *here = here.wrapping_add_signed(steps[direction]);
            Some(Square::from_index(*here))
        }))
    }
}

impl PackedTour {
    /// The packed squares of [`Tour::reading`]: one value for all ways to write down the tour.
    pub fn reading(&self) -> PackedPath {
        match self.ending() {
            Ending::Open => self.path.clone(),
            Ending::Closed => self.reading_of(&self.tour()),
        }
    }

    /// The value of [`PackedTour::reading`], computed from `tour`, which is this tour unpacked.
    pub fn reading_of(&self, tour: &Tour) -> PackedPath {
        match self.ending() {
            Ending::Open => self.path.clone(),
            Ending::Closed => PackedPath::pack(self.board(), &tour.reading()),
        }
    }

    /// The unpacked tour.
    pub fn tour(&self) -> Tour {
        let squares = gathered(self.walk(), self.squares() as usize);
        let tour = Tour::verify(&self.head.shape, self.head.ending, squares);
        tour.unwrap_or_else(|fault| unreachable!("the tour was verified before it was packed: {fault}"))
    }
}

impl From<&Tour> for PackedTour {
    fn from(tour: &Tour) -> PackedTour {
        PackedTour { head: tour.head().clone(), path: PackedPath::pack(tour.board(), tour.squares()) }
    }
}

impl Route for PackedTour {
    fn head(&self) -> &RouteHead {
        &self.head
    }

    fn squares(&self) -> u32 {
        self.shape().squares()
    }

    fn square_at(&self, k: u32) -> Option<Square> {
        let k = Some(k as usize).filter(|_| k < self.squares())?;
        self.path.squares_from(self.board(), k / STRIDE).nth(k % STRIDE)
    }

    fn number_of(&self, square: Square) -> Option<u32> {
        (0..).zip(self.walk()).find_map(|(number, other)| (other == square).then_some(number))
    }

    fn walk(&self) -> Box<dyn Iterator<Item = Square> + '_> {
        Box::new(self.path.squares_from(self.board(), 0).take(self.squares() as usize))
    }

    fn to_numbered(&self) -> Option<NumberedRoute> {
        Some(NumberedRoute::from(&self.tour()))
    }

    fn is_sequential(&self) -> bool {
        true
    }
}

/// A route that finds the number of a square at once: this route, or its [`Route::to_numbered`].
pub fn with_numbers(route: &Arc<dyn Route>) -> Arc<dyn Route> {
    route.to_numbered().map_or_else(|| Arc::clone(route), |numbered| Arc::new(numbered))
}

/// Finds the directions of moves on one board.
pub struct MoveDirections {
    board: Board,
    /// What a move in each direction adds to the number of a square.
    steps: [i32; MOVES.len()],
}

impl MoveDirections {
    /// The directions of moves on `board`.
    pub fn new(board: Board) -> MoveDirections {
        MoveDirections {
            board,
            steps: MOVES.map(|(down, right)| down.wrapping_mul(board.cols() as i32).wrapping_add(right)),
        }
    }

    /// The index into [`MOVES`] of the move from one square to another, a knight's move away.
    pub fn direction(&self, from: Square, to: Square) -> u8 {
        // On five or more columns no two moves add an equal number, as long as the sums do not wrap around.
        if !(5..1 << 29).contains(&self.board.cols()) {
            let ((row, col), (from_row, from_col)) = (self.board.row_col(to), self.board.row_col(from));
            let step = (row.wrapping_sub(from_row) as i32, col.wrapping_sub(from_col) as i32);
            return which(MOVES, step);
        }
        let step = to.index().wrapping_sub(from.index()) as i32;
        which(self.steps, step)
    }
}

/// The index of `one` in `all`, which contains it once.
#[inline]
fn which<T: Copy + PartialEq>(all: [T; MOVES.len()], one: T) -> u8 {
    debug_assert_eq!(all.iter().filter(|&&other| other == one).count(), 1, "a knight's move adds what no other adds");
    (0..).zip(all).fold(0, |found, (k, other)| found | if other == one { k } else { 0 })
}

/// The directions in at most [`DIRECTION_GROUP_BYTES`] bytes. Directions behind the last byte are 0.
#[inline]
pub fn read_directions(bytes: &[u8]) -> impl Iterator<Item = usize> + use<> {
    let bits = bytes.iter().rev().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte));
    (0..DIRECTION_GROUP).map(move |k| (bits >> (3 * k) & 7) as usize)
}

/// Appends at most [`DIRECTION_GROUP`] directions, three bits each.
#[inline]
pub fn append_directions(directions: impl Iterator<Item = u8>, bytes: &mut Vec<u8>) {
    let (mut group, mut count) = ([0; DIRECTION_GROUP], 0usize);
    for (to, direction) in group.iter_mut().zip(directions) {
        *to = direction;
        count += 1;
    }
    bytes.extend_from_slice(&join_directions(group).to_le_bytes()[..(3 * count).div_ceil(8)]);
}

/// The directions of a group, three bits each, the first in the lowest: [`DIRECTION_GROUP_BYTES`] bytes, and zeros above.
#[inline(always)]
pub fn join_directions(group: [u8; DIRECTION_GROUP]) -> u64 {
    // Neighbours move together: two, then four, then all eight.
    let one = u64::from_le_bytes(group);
    let two = (one | one >> 5) & 0x003f_003f_003f_003f;
    let four = (two | two >> 10) & 0x0000_0fff_0000_0fff;
    (four | four >> 20) & 0xff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::exhaustive::tours_5x6;
    use crate::board::{Holes, Shape, parse_move_list, verify_by_numbers};
    use std::collections::HashSet;

    #[test]
    fn a_packed_tour_equals_the_tour() {
        let narrow = ["3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2", "4x3 c4 b2 a4 c3 b1 a3 c2 a1 b3 c1 a2 b4", "1x1 a1"];
        let narrow = narrow.map(|text| {
            let (board, squares) = parse_move_list(text).unwrap();
            Tour::verify(board, Ending::Open, squares).unwrap()
        });
        for tour in tours_5x6().iter().chain(&narrow) {
            let packed = PackedTour::from(tour);
            assert_eq!(&packed.tour(), tour);
            assert_eq!(packed.to_numbered().unwrap().walk().collect::<Vec<_>>(), tour.squares());
            for (k, &square) in (0..).zip(tour.squares()) {
                assert_eq!((packed.square_at(k), packed.number_of(square)), (Some(square), Some(k)));
            }
            assert_eq!(packed.square_at(packed.squares()), None);
            let walked: Result<Vec<_>, _> = verify_by_numbers(&packed).collect();
            assert_eq!(walked.as_deref(), Ok(tour.squares()));
        }
    }

    #[test]
    fn squares_are_left_out() {
        let (board, squares) = parse_move_list("3x3 a1 b3 c1 a2 c3 b1 a3 c2").unwrap();
        let holes = Holes::new(board.parse_square("b2"));
        let tour = Tour::verify(Shape::new(board, holes), Ending::Closed, squares).unwrap();
        let packed = PackedTour::from(&tour);
        assert_eq!((packed.squares(), packed.tour(), packed.holes()), (8, tour.clone(), tour.holes()));
        assert!(packed.is_whole() && verify_by_numbers(&packed).all(|square| square.is_ok()));
    }

    /// From every corner and the middle, on narrow and on very wide boards.
    #[test]
    fn every_move_has_its_direction() {
        for (rows, cols) in
            [(9, 3), (9, 4), (9, 5), (5, 9), (5, 1 << 29), (3, (1 << 29) - 1), (3, 1 << 30), (2, (1 << 31) - 1)]
        {
            let board = Board::new(rows, cols).unwrap();
            let compass = MoveDirections::new(board);
            let middle = board.square(board.rows() / 2, board.cols() / 2).unwrap();
            for from in board.corners().into_iter().chain([middle]) {
                for (k, to) in (0..8).filter_map(|k| Some((k, board.step(from, k)?))) {
                    assert_eq!(usize::from(compass.direction(from, to)), k, "{board}");
                }
            }
        }
    }

    /// A closed tour has one reading from every square and in both directions. An open tour has one in each direction.
    #[test]
    fn one_reading_for_every_way_to_read_a_tour() {
        for tour in tours_5x6().iter().step_by(7) {
            let (own, ways) = (tour.squares(), tour.squares().len());
            let turns = if tour.ending() == Ending::Closed { ways } else { 1 };
            let mut readings = HashSet::new();
            for (by, back) in (0..turns).flat_map(|by| [(by, false), (by, true)]) {
                let at = |k: usize| own[(if back { ways - 1 - k } else { k } + by) % ways];
                let squares: Vec<Square> = (0..ways).map(at).collect();
                let turned = Tour::verify(tour.board(), tour.ending(), squares).unwrap();
                readings.insert(PackedTour::from(&turned).reading());
            }
            assert_eq!(readings.len(), if tour.ending() == Ending::Closed { 1 } else { 2 });
        }
    }

    /// A way to and fro over three rows, longer than the distance between two marks.
    #[test]
    fn a_long_way_is_entered_at_every_mark() {
        let board = Board::new(3, 3 * STRIDE as u64).unwrap();
        let at = |k: usize| board.square(2 * (k as u32 % 2), k as u32).unwrap();
        for moves in [STRIDE - 1, STRIDE, STRIDE + 1, 3 * STRIDE - 1] {
            let squares: Vec<Square> = (0..=moves).filter(|&k| k < 3 * STRIDE).map(at).collect();
            let path = PackedPath::pack(board, &squares);
            for (mark, expected) in squares.chunks(STRIDE).enumerate() {
                assert!(path.squares_from(board, mark).take(expected.len()).eq(expected.iter().copied()), "{moves}");
            }
        }
    }
}
