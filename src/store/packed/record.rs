//! The record of one tour: its first square and the directions of its moves, as bytes.

use super::layout::{PackedLayout, start_square_bytes};
use crate::board::{
    Board, DIRECTION_GROUP, DIRECTION_GROUP_BYTES, MOVES, MoveDirections, Route, SMALL_SQUARES_MAX, Square, TourFault,
    TourRef, append_directions, verify_by_squares,
};
use crate::memory::reserve;

/// Number of values of a byte, each of which may be a square number.
const NAMED: usize = 1 << u8::BITS;

/// Packs tours of one board of at most [`SMALL_SQUARES_MAX`] squares.
#[derive(Clone, Debug)]
pub struct Packer {
    squares: usize,
    /// The direction of every move, at index `from * squares + to`.
    directions: Box<[u8]>,
}

impl Packer {
    /// A packer for tours of `board`.
    ///
    /// # Panics
    /// When the board has more than [`SMALL_SQUARES_MAX`] squares.
    pub fn new(board: Board) -> Packer {
        let squares = board.squares() as usize;
        assert!(squares <= SMALL_SQUARES_MAX, "{board} has more squares than a byte");
        let mut directions = vec![0; squares * squares];
        for (from, (direction, to)) in board.all().flat_map(|from| steps(board, from).map(move |step| (from, step))) {
            directions[from.index() as usize * squares + to.index() as usize] = direction;
        }
        Packer { squares, directions: directions.into() }
    }

    /// Appends the record of a tour of this board.
    ///
    /// # Panics
    /// When the tour is of a larger board.
    pub fn append(&self, tour: TourRef<'_>, records: &mut Vec<u8>) {
        let squares = tour.indices();
        records.extend(squares.first());
        let mut rest = squares;
        while rest.len() > 1 {
            let (from, to) = (&rest[..rest.len() - 1], &rest[1..]);
            let moves = from.iter().zip(to).take(DIRECTION_GROUP);
            let way = |(&from, &to): (&u8, &u8)| self.directions[usize::from(from) * self.squares + usize::from(to)];
            append_directions(moves.map(way), records);
            rest = &rest[DIRECTION_GROUP.min(to.len())..];
        }
    }
}

/// The directions of the moves from a square, with the squares to which they lead.
fn steps(board: Board, from: Square) -> impl Iterator<Item = (u8, Square)> {
    (0..MOVES.len()).filter_map(move |k| Some((k as u8, board.step(from, k)?)))
}

/// The record of a tour without holes on a board of any size. The tour is verified on the way.
///
/// # Errors
/// The [`TourFault`] of a route that is no tour.
pub fn record(route: &dyn Route) -> Result<Vec<u8>, TourFault> {
    let board = route.board();
    let layout = PackedLayout::new(board, route.ending());
    let mut record = Vec::new();
    reserve(&mut record, layout.record_bytes());
    let mut squares = verify_by_squares(route);
    let Some(first) = squares.next() else { return Ok(record) };
    let mut before = first?;
    record.extend(start_square_bytes(layout, before));
    let (mut directions, compass) = (Vec::with_capacity(DIRECTION_GROUP), MoveDirections::new(board));
    for square in squares {
        let square = square?;
        directions.push(compass.direction(before, square));
        if directions.len() == DIRECTION_GROUP {
            append_directions(directions.drain(..), &mut record);
        }
        before = square;
    }
    append_directions(directions.drain(..), &mut record);
    Ok(record)
}

/// Unpacks the records of one file.
#[derive(Clone, Debug)]
pub struct Unpacker {
    layout: PackedLayout,
    /// The tables of a board of at most [`SMALL_SQUARES_MAX`] squares.
    small: Option<Box<SmallBoardSquares>>,
}

/// Tables by which the records of a small board are unpacked.
#[derive(Clone, Debug)]
struct SmallBoardSquares {
    /// By square, a bit for each direction that stays on the board. 0 for a byte that is no square.
    ways: [u8; NAMED],
    /// What a move in each direction adds to the number of a square.
    steps: [u8; DIRECTION_GROUP],
}

impl Unpacker {
    /// An unpacker for records of a file of this layout.
    pub fn new(layout: PackedLayout) -> Unpacker {
        let board = layout.board();
        let is_small = board.squares() as usize <= SMALL_SQUARES_MAX;
        let small = is_small.then(|| {
            let mut ways = [0; NAMED];
            for (from, (direction, _)) in board.all().flat_map(|from| steps(board, from).map(move |s| (from, s))) {
                ways[from.index() as usize] |= 1 << direction;
            }
            let steps = MOVES.map(|(down, right)| (down * board.cols() as i32 + right) as u8);
            Box::new(SmallBoardSquares { ways, steps })
        });
        Unpacker { layout, small }
    }

    /// The layout of the file.
    pub fn layout(&self) -> PackedLayout {
        self.layout
    }

    /// Unpacks a record of a small board into as many squares as the board has. Returns false when a direction leaves the board
    /// or when the board is not small. The caller has to verify that the squares are a tour.
    #[inline]
    pub fn unpack(&self, record: &[u8], squares: &mut [u8]) -> bool {
        let (Some(small), Some((&start, directions))) = (&self.small, record.split_first()) else { return false };
        let Some((first, others)) = squares.split_first_mut() else { return false };
        let (mut here, mut wrong) = (start, 0);
        *first = start;
        for (squares, bytes) in others.chunks_mut(DIRECTION_GROUP).zip(directions.chunks(DIRECTION_GROUP_BYTES)) {
            let mut bits = bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u32::from(byte));
            for square in squares {
                let direction = (bits & 7) as usize;
                wrong |= !small.ways[usize::from(here)] >> direction;
                here = here.wrapping_add(small.steps[direction]);
                *square = here;
                bits >>= 3;
            }
        }
        wrong & 1 == 0
    }

    /// The squares of a record of a board of any size, up to the first move that leaves the board. For that move also its
    /// number, from 1, and the reason.
    pub fn squares(&self, record: &[u8]) -> (Vec<Square>, Option<(usize, String)>) {
        let board = self.layout.board();
        let (start, directions) = record.split_at(self.layout.start_bytes());
        let start = start.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
        let mut squares = Vec::new();
        let Some(mut here) = board.at(start) else {
            return (squares, Some((1, format!("move 1: {board} has no square number {start}, counted from 0"))));
        };
        reserve(&mut squares, board.squares() as usize);
        squares.push(here);
        for k in 0..board.squares() as usize - 1 {
            // Three bits lie in at most two bytes.
            let (byte, bit) = (3 * k / 8, 3 * k % 8);
            let two = u16::from(directions[byte]) | u16::from(*directions.get(byte + 1).unwrap_or(&0)) << 8;
            let direction = usize::from(two >> bit & 7);
            let Some(next) = board.step(here, direction) else {
                let (number, (down, right)) = (k + 2, MOVES[direction]);
                let name = board.name(here);
                let why = format!("move {number}: {down} down and {right} to the right of {name} is off the board");
                return (squares, Some((number, why)));
            };
            squares.push(next);
            here = next;
        }
        (squares, None)
    }
}
