//! The board of the Warnsdorff kernels: one byte per square, and no test for the edge.
//!
//! The byte of an open square holds the number of open squares a knight's move away (its *rank* while the knight stands
//! next to it). The byte of a visited square holds the move by which the knight entered, so the path is read back from its
//! end and needs no list. Two rows above and below the board, two columns between its rows, and all holes are closed for
//! ever. A board of 2x3, with `#` for closed bytes:
//!
//! ```text
//! # # # # # # #
//! # # # # # # #
//! # # 1 0 1 # #     the two columns between two rows serve both of them
//! # # 1 0 1 # #
//! # # # # # # #
//! # # # # # # #
//! ```

use crate::board::{Board, MOVES, Shape, Square};
use crate::memory::{filled, gathered};
use crate::search::Drawing;
use fastrand::Rng;

/// The byte of an open square is `OPEN` plus its rank; smaller bytes are closed.
const OPEN: u8 = 128;
/// The byte of a hole or of a cell off the board.
const OUTSIDE: u8 = 0;
/// The byte of a visited square is `VISITED` plus the move by which the knight entered.
const VISITED: u8 = 16;
/// The move by which the knight entered its start.
const NO_MOVE: u8 = 8;

/// The eight moves in a chosen order, as codes (indices into [`MOVES`]) and as distances in a [`Field`].
#[derive(Clone, Debug)]
pub struct MoveCourse {
    pub codes: [u8; 8],
    offsets: [isize; 8],
    /// Distances by code.
    natural: [isize; 8],
}

/// The ranks of the open squares next to the knight: bit `8 r + k` is set when the k-th move of the course leads to an open
/// square of rank r.
///
/// A rank is at most 7, because the knight's own square is no longer open; so 64 bits hold all ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranks(u64);

impl Ranks {
    /// The moves (bits: positions in the course) to squares of the lowest rank; 0 when no move leads to an open square.
    #[inline(always)]
    pub fn lowest(self) -> u8 {
        (self.0 >> (self.0.trailing_zeros() & 0x38)) as u8
    }

    /// The first move of the course to a square of the lowest rank. At least one move must lead to an open square.
    #[inline(always)]
    pub fn first(self) -> usize {
        (self.0.trailing_zeros() % 8) as usize
    }

    /// Whether no move leads to an open square.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// These moves as if all squares had rank 0, so that only the order of the course counts.
    pub fn without_ranks(self) -> Ranks {
        Ranks((0..8).fold(0, |moves, rank| moves | self.0 >> (8 * rank) & 0xff))
    }

    /// Removes and returns the first move to a square of the lowest rank.
    pub fn take_first(&mut self) -> Option<usize> {
        let bit = (!self.is_empty()).then(|| self.0.trailing_zeros())?;
        self.take(bit)
    }

    /// Removes and returns the last move to a square of the highest rank.
    pub fn take_last(&mut self) -> Option<usize> {
        let bit = (!self.is_empty()).then(|| 63 - self.0.leading_zeros())?;
        self.take(bit)
    }

    /// Removes and returns a random move.
    pub fn take_any(&mut self, rng: &mut Rng) -> Option<usize> {
        let passed = (!self.is_empty()).then(|| rng.u32(0..self.0.count_ones()))?;
        let rest = (0..passed).fold(self.0, |rest, _| rest & (rest - 1));
        self.take(rest.trailing_zeros())
    }

    fn take(&mut self, bit: u32) -> Option<usize> {
        self.0 &= !(1 << bit);
        Some(bit as usize % 8)
    }

    /// These ranks, with the moves at their positions in the course `to` instead of `from`.
    pub fn reordered(self, from: &MoveCourse, to: &MoveCourse) -> Ranks {
        let place = |k: usize| to.codes.iter().position(|&code| code == from.codes[k]);
        let bits = self.iter().filter_map(|(k, rank)| Some(1 << (8 * rank as usize + place(k)?)));
        Ranks(bits.fold(0, |all, bit| all | bit))
    }

    /// All moves to open squares, with the ranks of the squares.
    pub fn iter(self) -> impl Iterator<Item = (usize, u32)> {
        let Ranks(mut bits) = self;
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros())?;
            bits &= bits - 1;
            Some((bit as usize % 8, bit / 8))
        })
    }
}

/// For each byte of a square next to the knight: the lowest bit of its row in [`Ranks`], or 0 if the square is closed. The
/// byte still counts the knight's own square.
const ROW_OF_RANK: [u64; 256] = {
    let mut rows = [0; 256];
    let mut rank = 0;
    while rank < 8 {
        rows[OPEN as usize + rank + 1] = 1 << (8 * rank);
        rank += 1;
    }
    rows
};

/// The codes in the order of their numbers.
pub const NATURAL: [u8; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// The distances of the moves `codes` in a field whose rows are `stride` cells apart.
fn distances(stride: usize, codes: [u8; 8]) -> [isize; 8] {
    codes.map(|code| {
        let (down, right) = MOVES[code as usize];
        down as isize * stride as isize + right as isize
    })
}

/// A board with the path of one knight.
pub struct Field {
    pub(in crate::find) board: Board,
    stride: usize,
    cells: Box<[u8]>,
    /// The cell of the knight.
    pub(in crate::find) here: usize,
    /// Number of squares visited.
    pub(in crate::find) visited: u32,
    /// Number of squares that are no holes.
    squares: u32,
}

impl Clone for Field {
    fn clone(&self) -> Field {
        let cells = gathered(self.cells.iter().copied(), self.cells.len()).into();
        Field { cells, ..*self }
    }
}

impl Field {
    /// The board without its holes, the knight on `start`.
    pub fn new(shape: impl Into<Shape>, start: Square) -> Field {
        let mut field = Field::blank(shape);
        field.enter_at(start);
        field
    }

    /// The board without its holes and without a knight.
    pub fn blank(shape: impl Into<Shape>) -> Field {
        let shape = shape.into();
        let board = shape.board();
        let (rows, cols) = (board.rows() as usize, board.cols() as usize);
        let stride = cols + 2;
        let mut cells = filled(OUTSIDE, (rows + 4) * stride + 2).into_boxed_slice();
        let degree = |row, col| board.square(row, col).map_or(OUTSIDE, |square| OPEN | board.degree(square) as u8);
        for row in 0..board.rows() {
            let first = (row as usize + 2) * stride + 2;
            // From the third column to the last but two the degrees are equal.
            cells[first..first + cols].fill(degree(row, board.cols() / 2));
            for col in [0, 1, board.cols().saturating_sub(2), board.cols() - 1] {
                if (col as usize) < cols {
                    cells[first + col as usize] = degree(row, col);
                }
            }
        }
        let mut field = Field { board, stride, cells, here: 0, visited: 0, squares: shape.squares() };
        for &hole in shape.holes().squares() {
            field.close_hole(hole);
        }
        field
    }

    /// Copies the cells of `blank`, a field of this board without a knight, and places the knight on `start`.
    pub fn reset(&mut self, blank: &Field, start: Square) {
        self.cells.copy_from_slice(&blank.cells);
        self.enter_at(start);
    }

    fn enter_at(&mut self, start: Square) {
        self.here = self.cell(start);
        self.cells[self.here] = VISITED | NO_MOVE;
        self.visited = 1;
    }

    /// The course of the moves `codes` in this field.
    pub fn course(&self, codes: [u8; 8]) -> MoveCourse {
        MoveCourse { codes, offsets: distances(self.stride, codes), natural: distances(self.stride, NATURAL) }
    }

    /// Whether every square was visited.
    pub fn is_full(&self) -> bool {
        self.visited == self.squares
    }

    /// Row and column of the square at a cell.
    pub fn row_col(&self, cell: usize) -> (usize, usize) {
        (cell / self.stride - 2, cell % self.stride - 2)
    }

    pub fn cell(&self, square: Square) -> usize {
        let (row, col) = self.board.row_col(square);
        (row as usize + 2) * self.stride + col as usize + 2
    }

    /// Takes the knight's square out of the ranks of its neighbours, and returns these ranks.
    pub fn look(&mut self, course: &MoveCourse) -> Ranks {
        self.look_from(self.here, course)
    }

    /// Moves the knight by move `k` of the course.
    pub fn make_move(&mut self, course: &MoveCourse, k: usize) {
        self.here = self.enter(self.here, course, k);
        self.visited += 1;
    }

    /// Makes the moves that `pick` chooses (positions in the course, from a cell with the given ranks around it). Ends when
    /// no move is left, at a cell where `stop` is true, or after `most` moves. Returns the number of moves, and the ranks at
    /// the end.
    #[inline(always)]
    pub fn follow(
        &mut self,
        course: &MoveCourse,
        mut ranks: Ranks,
        most: u64,
        mut pick: impl FnMut(&Field, usize, Ranks) -> usize,
        stop: impl Fn(usize) -> bool,
    ) -> (u64, Ranks) {
        // The cell is in a register, not in the field, because every move depends on the move before.
        let mut here = self.here;
        let mut moves = 0;
        while moves < most && !ranks.is_empty() {
            here = self.enter(here, course, pick(self, here, ranks));
            ranks = self.look_from(here, course);
            moves += 1;
            if stop(here) {
                break;
            }
        }
        self.here = here;
        self.visited += moves as u32;
        (moves, ranks)
    }

    #[inline(always)]
    fn enter(&mut self, from: usize, course: &MoveCourse, k: usize) -> usize {
        let to = from.wrapping_add_signed(course.offsets[k]);
        self.cells[to] = VISITED | course.codes[k];
        to
    }

    #[inline(always)]
    fn look_from(&mut self, here: usize, course: &MoveCourse) -> Ranks {
        let mut ranks = 0;
        for (k, &offset) in course.offsets.iter().enumerate() {
            let cell = &mut self.cells[here.wrapping_add_signed(offset)];
            ranks |= ROW_OF_RANK[usize::from(*cell)] << k;
            *cell -= u8::from(*cell >= OPEN);
        }
        Ranks(ranks)
    }

    /// Takes back the last [`Field::make_move`] and the [`Field::look`] after it.
    pub fn undo_move(&mut self, course: &MoveCourse) {
        let code = self.cells[self.here] & !VISITED;
        let mut open = 0;
        for &offset in &course.offsets {
            let cell = &mut self.cells[self.here.wrapping_add_signed(offset)];
            let free = u8::from(*cell >= OPEN);
            *cell += free;
            open += free;
        }
        self.cells[self.here] = OPEN | open;
        self.here = self.here.wrapping_add_signed(-course.natural[usize::from(code)]);
        self.visited -= 1;
    }

    /// The rank of the open square at a cell; `None` if the cell is closed.
    pub fn rank(&self, cell: usize) -> Option<u8> {
        self.cells[cell].checked_sub(OPEN)
    }

    /// The cells to which the moves of a course lead, closed or open.
    pub fn around(cell: usize, course: &MoveCourse) -> [usize; 8] {
        course.offsets.map(|offset| cell.wrapping_add_signed(offset))
    }

    /// The square of the knight.
    pub fn square(&self) -> Square {
        let (row, col) = self.row_col(self.here);
        let square = self.board.square(row as u32, col as u32);
        square.unwrap_or_else(|| unreachable!("the knight stands on the board"))
    }

    /// Draws the path; of a long path, only its end.
    pub fn draw(&self, drawing: &mut Drawing) {
        let mut squares: Vec<u32> = self.path_back().take(Drawing::SQUARES_MAX).map(Square::index).collect();
        squares.reverse();
        let skipped = self.visited - squares.len() as u32;
        drawing.path(squares.into_iter(), None);
        drawing.skipped = skipped;
    }

    /// The visited squares, the last one first.
    fn path_back(&self) -> impl ExactSizeIterator<Item = Square> + '_ {
        let distances = [self.stride, self.board.cols() as usize].map(|stride| distances(stride, NATURAL));
        let (row, col) = self.row_col(self.here);
        let (mut cell, mut index) = (self.here, row * self.board.cols() as usize + col);
        (0..self.visited).map(move |_| {
            let Some(square) = self.board.at(index as u32) else {
                unreachable!("the knight was on the board all the way")
            };
            let code = self.cells[cell] & !VISITED;
            if code < NO_MOVE {
                let [by_cells, by_index] = distances.map(|distances| distances[code as usize]);
                cell = cell.wrapping_add_signed(-by_cells);
                index = index.wrapping_add_signed(-by_index);
            }
            square
        })
    }

    /// The squares in the order of the visits.
    pub fn path(&self) -> Box<[Square]> {
        let mut squares = filled(self.square(), self.visited as usize).into_boxed_slice();
        for (place, square) in squares.iter_mut().rev().zip(self.path_back()) {
            *place = square;
        }
        squares
    }

    /// Makes a square a hole.
    fn close_hole(&mut self, hole: Square) {
        for neighbour in self.board.neighbours(hole) {
            let cell = self.cell(neighbour);
            self.cells[cell] -= u8::from(self.cells[cell] >= OPEN);
        }
        let cell = self.cell(hole);
        self.cells[cell] = OUTSIDE;
    }
}
