//! The board of the Warnsdorff kernels: one byte per square, and no test for the edge.
//!
//! An open square holds the number of open squares a knight's move away (its *rank* while the knight stands next to
//! it). A visited one holds the move by which it was entered, so that the path is read back from its end and needs no
//! list. Two rows above and below, and two columns between the rows, are closed for ever; so are holes. 2x3, `#`
//! closed:
//!
//! ```text
//! # # # # # # #
//! # # # # # # #
//! # # 1 0 1 # #     the two columns between two rows serve both of them
//! # # 1 0 1 # #
//! # # # # # # #
//! # # # # # # #
//! ```

use crate::board::{Board, Holes, MOVES, Square};
use crate::memory::{filled, gathered};
use crate::search::Drawing;
use fastrand::Rng;

/// What the byte of an open square has beside its rank; smaller bytes are closed.
const OPEN: u8 = 128;
/// No square, or a hole.
const OUTSIDE: u8 = 0;
/// What the byte of a visited square has beside the move by which it was entered.
const VISITED: u8 = 16;
/// The move by which the start was entered.
const NO_MOVE: u8 = 8;

/// The eight moves in an order that matters, as codes (indices into [`MOVES`]) and as distances in a [`Field`].
#[derive(Clone, Debug)]
pub struct MoveCourse {
    pub codes: [u8; 8],
    offsets: [isize; 8],
    /// By code.
    natural: [isize; 8],
}

/// The open squares next to the knight by their ranks: bit `8 r + k` is set when the k-th move of the course leads to
/// an open square of rank r.
///
/// A rank is 7 at most, as the square of the knight itself is no longer open; so 64 bits hold them all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranks(u64);

impl Ranks {
    /// The moves (bits: positions in the course) to squares of the lowest rank; 0 when there is none.
    #[inline(always)]
    pub fn lowest(self) -> u8 {
        (self.0 >> (self.0.trailing_zeros() & 0x38)) as u8
    }

    /// The first move of the course to a square of the lowest rank; there must be one.
    #[inline(always)]
    pub fn first(self) -> usize {
        (self.0.trailing_zeros() % 8) as usize
    }

    /// Whether no move leads to an open square.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The same moves as if all squares had rank 0, so that only the order of the course is left.
    pub fn regardless(self) -> Ranks {
        Ranks((0..8).fold(0, |moves, rank| moves | self.0 >> (8 * rank) & 0xff))
    }

    /// Takes out the first move to a square of the lowest rank.
    pub fn take_first(&mut self) -> Option<usize> {
        let bit = (!self.is_empty()).then(|| self.0.trailing_zeros())?;
        self.take(bit)
    }

    /// Takes out the last move to a square of the highest rank.
    pub fn take_last(&mut self) -> Option<usize> {
        let bit = (!self.is_empty()).then(|| 63 - self.0.leading_zeros())?;
        self.take(bit)
    }

    /// Takes out any move.
    pub fn take_any(&mut self, rng: &mut Rng) -> Option<usize> {
        let passed = (!self.is_empty()).then(|| rng.u32(0..self.0.count_ones()))?;
        let rest = (0..passed).fold(self.0, |rest, _| rest & (rest - 1));
        self.take(rest.trailing_zeros())
    }

    fn take(&mut self, bit: u32) -> Option<usize> {
        self.0 &= !(1 << bit);
        Some(bit as usize % 8)
    }

    /// The same ranks with the moves at their positions in another course.
    pub fn reordered(self, from: &MoveCourse, to: &MoveCourse) -> Ranks {
        let place = |k: usize| to.codes.iter().position(|&code| code == from.codes[k]);
        Ranks(
            self.iter()
                .filter_map(|(k, rank)| Some(1 << (8 * rank as usize + place(k)?)))
                .fold(0, |all, bit| all | bit),
        )
    }

    /// All moves to open squares, with the ranks there.
    pub fn iter(self) -> impl Iterator<Item = (usize, u32)> {
        let Ranks(mut bits) = self;
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros())?;
            bits &= bits - 1;
            Some((bit as usize % 8, bit / 8))
        })
    }
}

/// By the byte of a square next to the knight: the lowest bit of its row in [`Ranks`], or nothing if it is closed. The
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

/// The codes as they are numbered.
pub const NATURAL: [u8; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// How far the moves of these codes lead where rows are `stride` apart.
fn distances(stride: usize, codes: [u8; 8]) -> [isize; 8] {
    codes.map(|code| {
        let (down, right) = MOVES[code as usize];
        down as isize * stride as isize + right as isize
    })
}

/// A board on which a knight has gone some way.
pub struct Field {
    board: Board,
    stride: usize,
    cells: Box<[u8]>,
    here: usize,
    visited: u32,
    /// Squares that are no holes.
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
    pub fn new(board: Board, holes: &Holes, start: Square) -> Field {
        let mut field = Field::blank(board, holes);
        field.enter_at(start);
        field
    }

    /// The board without its holes and without a knight.
    pub fn blank(board: Board, holes: &Holes) -> Field {
        let (rows, cols) = (board.rows() as usize, board.cols() as usize);
        let stride = cols + 2;
        let mut cells = filled(OUTSIDE, (rows + 4) * stride + 2).into_boxed_slice();
        let degree = |row, col| board.square(row, col).map_or(OUTSIDE, |square| OPEN | board.degree(square) as u8);
        for row in 0..board.rows() {
            let first = (row as usize + 2) * stride + 2;
            // From the third column to the last but two they are all the same.
            cells[first..first + cols].fill(degree(row, board.cols() / 2));
            for col in [0, 1, board.cols().saturating_sub(2), board.cols() - 1] {
                if (col as usize) < cols {
                    cells[first + col as usize] = degree(row, col);
                }
            }
        }
        let mut field =
            Field { board, stride, cells, here: 0, visited: 0, squares: board.squares() - holes.len() as u32 };
        for &hole in holes.squares() {
            field.dig(hole);
        }
        field
    }

    /// Makes it the same as a blank one of the same board, the knight on `start`.
    pub fn renew(&mut self, blank: &Field, start: Square) {
        self.cells.copy_from_slice(&blank.cells);
        self.enter_at(start);
    }

    fn enter_at(&mut self, start: Square) {
        self.here = self.cell(start);
        self.cells[self.here] = VISITED | NO_MOVE;
        self.visited = 1;
    }

    /// The moves of these codes.
    pub fn course(&self, codes: [u8; 8]) -> MoveCourse {
        MoveCourse { codes, offsets: distances(self.stride, codes), natural: distances(self.stride, NATURAL) }
    }

    /// Squares visited.
    pub fn visited(&self) -> u32 {
        self.visited
    }

    /// Whether every square was visited.
    pub fn is_full(&self) -> bool {
        self.visited == self.squares
    }

    /// Where the knight stands.
    pub fn here(&self) -> usize {
        self.here
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Row and column of the square that lies here.
    pub fn row_col(&self, cell: usize) -> (usize, usize) {
        (cell / self.stride - 2, cell % self.stride - 2)
    }

    /// Where a square lies.
    pub fn cell(&self, square: Square) -> usize {
        let (row, col) = self.board.row_col(square);
        (row as usize + 2) * self.stride + col as usize + 2
    }

    /// The knight closes its square to its neighbours and looks at their ranks.
    pub fn look(&mut self, course: &MoveCourse) -> Ranks {
        self.look_from(self.here, course)
    }

    /// The knight moves by move `k` of the course.
    pub fn go(&mut self, course: &MoveCourse, k: usize) {
        self.here = self.enter(self.here, course, k);
        self.visited += 1;
    }

    /// Makes the moves that `pick` takes (positions in the course, from a cell with these ranks around it) until none
    /// is left or a cell is reached where to `stop`, at most `most`. Answers how many there were, and the ranks at the
    /// end.
    #[inline(always)]
    pub fn follow(
        &mut self,
        course: &MoveCourse,
        mut ranks: Ranks,
        most: u64,
        mut pick: impl FnMut(&Field, usize, Ranks) -> usize,
        stop: impl Fn(usize) -> bool,
    ) -> (u64, Ranks) {
        // In a register, not in the field: every move waits for the one before.
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

    /// Takes back the last [`Field::go`] and the [`Field::look`] after it.
    pub fn back(&mut self, course: &MoveCourse) {
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

    /// The rank of the open square that lies here, or nothing if it is closed.
    pub fn rank(&self, cell: usize) -> Option<u8> {
        self.cells[cell].checked_sub(OPEN)
    }

    /// Where the moves of a course lead from a square, whatever is there.
    pub fn around(cell: usize, course: &MoveCourse) -> [usize; 8] {
        course.offsets.map(|offset| cell.wrapping_add_signed(offset))
    }

    /// The square of the knight.
    pub fn square(&self) -> Square {
        let (row, col) = self.row_col(self.here);
        let square = self.board.square(row as u32, col as u32);
        square.unwrap_or_else(|| unreachable!("the knight stands on the board"))
    }

    /// Draws the way, of a long one its end.
    pub fn draw(&self, drawing: &mut Drawing) {
        let mut squares: Vec<u32> = self.path_back().take(Drawing::SQUARES_MAX).map(Square::index).collect();
        squares.reverse();
        let skipped = self.visited - squares.len() as u32;
        drawing.path(squares.into_iter(), None);
        drawing.skipped = skipped;
    }

    /// The squares visited, the last one first.
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

    /// Takes a square out of the board.
    fn dig(&mut self, hole: Square) {
        for neighbour in self.board.neighbours(hole) {
            let cell = self.cell(neighbour);
            self.cells[cell] -= u8::from(self.cells[cell] >= OPEN);
        }
        let cell = self.cell(hole);
        self.cells[cell] = OUTSIDE;
    }
}
