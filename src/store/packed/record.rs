//! The record of one tour: its first square and the directions of its moves, as bytes.

use super::layout::{PackedLayout, start_square_bytes};
use crate::board::{
    Board, DIRECTION_GROUP, DIRECTION_GROUP_BYTES, MOVES, MoveDirections, Route, SMALL_SQUARES_MAX, Square, TourFault,
    TourRef, append_directions, join_directions, verify_in_blocks,
};
use crate::memory::reserve;

/// Number of values of a byte, each of which may be a square number.
const NAMED: usize = 1 << u8::BITS;

/// Moves whose directions are found at once, of a tour that has so many.
const LONG_VECTOR: usize = 32;
/// The same of a shorter tour.
const SHORT_VECTOR: usize = 16;
/// Room for a record: the directions of a group are written as eight bytes, of which the next group overwrites five.
const RECORD_ROOM: usize = 1 + SMALL_SQUARES_MAX / DIRECTION_GROUP * DIRECTION_GROUP_BYTES + 5;

/// Packs tours of one board of at most [`SMALL_SQUARES_MAX`] squares.
#[derive(Clone, Debug)]
pub struct Packer {
    board: Board,
    /// The direction of every move, at index `from * squares + to`. Empty where `steps` tells it.
    directions: Box<[u8]>,
    /// What a move in each direction adds to the number of a square.
    steps: [u8; DIRECTION_GROUP],
}

impl Packer {
    /// A packer for tours of `board`.
    ///
    /// # Panics
    /// When the board has more than [`SMALL_SQUARES_MAX`] squares.
    pub fn new(board: Board) -> Packer {
        let squares = board.squares() as usize;
        assert!(squares <= SMALL_SQUARES_MAX, "{board} has more squares than a byte");
        let steps = number_steps(board);
        let is_told = (1..steps.len()).all(|k| !steps[..k].contains(&steps[k]));
        if is_told {
            return Packer { board, directions: Box::default(), steps };
        }
        let mut directions = vec![0; squares * squares];
        for (from, direction, to) in all_steps(board) {
            directions[from.index() as usize * squares + to.index() as usize] = direction;
        }
        Packer { board, directions: directions.into(), steps }
    }

    /// Appends the record of a tour of this board.
    ///
    /// # Panics
    /// When the tour is of another board.
    pub fn append(&self, tour: TourRef<'_>, records: &mut Vec<u8>) {
        assert_eq!(tour.board(), self.board, "records are of one board");
        let squares = tour.indices();
        let Some(&first) = squares.first() else { return };
        let moves = squares.len() - 1;
        // Behind the directions of the tour are zeros.
        let mut directions = [0; SMALL_SQUARES_MAX];
        match moves {
            _ if !self.directions.is_empty() => {
                for (direction, pair) in directions.iter_mut().zip(squares.windows(2)) {
                    *direction = self.directions[usize::from(pair[0]) * squares.len() + usize::from(pair[1])];
                }
            }
            LONG_VECTOR.. => self.vectors::<LONG_VECTOR>(squares, &mut directions),
            SHORT_VECTOR.. => self.vectors::<SHORT_VECTOR>(squares, &mut directions),
            _ => self.vectors::<1>(squares, &mut directions),
        }
        // Written where it stays: to read what several narrow stores have just written takes long.
        let at = records.len();
        records.extend_from_slice(&[0; RECORD_ROOM]);
        let record = &mut records[at..at + RECORD_ROOM];
        record[0] = first;
        let groups = directions.as_chunks().0.iter().take(moves.div_ceil(DIRECTION_GROUP));
        for (at, &group) in (1..).step_by(DIRECTION_GROUP_BYTES).zip(groups) {
            record[at..at + 8].copy_from_slice(&join_directions(group).to_le_bytes());
        }
        records.truncate(at + 1 + (3 * moves).div_ceil(8));
    }

    /// The directions of all moves, `N` at once. The last `N` may begin among those before; they are written first, so that each group
    /// of directions, but for the last, comes from one store when it is read.
    #[inline(always)]
    fn vectors<const N: usize>(&self, squares: &[u8], directions: &mut [u8; SMALL_SQUARES_MAX]) {
        let moves = squares.len() - 1;
        for begin in (0..moves).step_by(N).rev() {
            let begin = begin.min(moves - N);
            let (from, to) = (&squares[begin..begin + N], &squares[begin + 1..begin + 1 + N]);
            for (direction, (from, to)) in directions[begin..begin + N].iter_mut().zip(from.iter().zip(to)) {
                let step = to.wrapping_sub(*from);
                *direction = (0..).zip(self.steps).fold(0, |found, (k, own)| found | if step == own { k } else { 0 });
            }
        }
    }
}

/// What a move in each direction adds to the number of a square of this board, as a byte.
fn number_steps(board: Board) -> [u8; DIRECTION_GROUP] {
    MOVES.map(|(down, right)| (down * board.cols() as i32 + right) as u8)
}

/// All moves of a board: the square from which each leads, its direction, and the square to which it leads.
fn all_steps(board: Board) -> impl Iterator<Item = (Square, u8, Square)> {
    let step = move |from, k: usize| Some((from, k as u8, board.step(from, k)?));
    board.all().flat_map(move |from| (0..MOVES.len()).filter_map(move |k| step(from, k)))
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
    let (mut directions, compass) = (Vec::with_capacity(DIRECTION_GROUP), MoveDirections::new(board));
    let mut before = None;
    verify_in_blocks(route, |block| {
        for &square in &block.squares {
            match before.replace(square) {
                None => record.extend(start_square_bytes(layout, square)),
                Some(before) => directions.push(compass.direction(before, square)),
            }
            if directions.len() == DIRECTION_GROUP {
                append_directions(directions.drain(..), &mut record);
            }
        }
        Ok::<(), TourFault>(())
    })?;
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
        let board = layout.board;
        let is_small = board.squares() as usize <= SMALL_SQUARES_MAX;
        let small = is_small.then(|| {
            let mut ways = [0; NAMED];
            for (from, direction, _) in all_steps(board) {
                ways[from.index() as usize] |= 1 << direction;
            }
            Box::new(SmallBoardSquares { ways, steps: number_steps(board) })
        });
        Unpacker { layout, small }
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
        let board = self.layout.board;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::exhaustive::tours_5x6;
    use crate::board::{Checker, Ending, NumberedRoute, Tour, parse_move_list};

    /// Tours of boards on which a step tells the direction of a move, and of one, 4x3, on which it does not.
    const TOURS: [&str; 4] = [
        "1x1 a1",
        "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2",
        "4x3 c4 b2 a4 c3 b1 a3 c2 a1 b3 c1 a2 b4",
        "8x9 a8 c7 a6 b8 d7 f8 g6 h8 f7 d8 b7 c5 e6 d4 f3 e1 d3 e5 c6 a7 b5 c3 a4 b2 d1 e3 f5 h6 i8 g7 \
         i6 h4 g2 i1 h3 g1 i2 g3 e4 f2 h1 i3 g4 i5 h7 g5 i4 h2 f1 d2 b1 a3 c2 a1 b3 a5 c4 d6 e8 f6 d5 \
         b4 a2 c1 e2 f4 h5 i7 g8 e7 c8 b6",
    ];

    #[test]
    fn many_tours_are_packed_as_one_is() {
        let listed = TOURS.map(|text| {
            let (board, squares) = parse_move_list(text).unwrap();
            Tour::verify(board, Ending::Open, squares).unwrap()
        });
        for tour in tours_5x6().iter().chain(&listed) {
            let squares: Vec<u8> = tour.squares().iter().map(|square| square.index() as u8).collect();
            let checker = Checker::new(tour.board(), tour.ending()).unwrap();
            let mut records = vec![7];
            Packer::new(tour.board()).append(checker.check(&squares).unwrap(), &mut records);
            assert_eq!(records[1..], record(&NumberedRoute::from(tour)).unwrap(), "{}", tour.move_list());
        }
    }
}
