//! Parberry's quadrants: a board cut in four, each quadrant a tour, the four tours joined where they meet.
//!
//! ```text
//! . . . . . . | . . . . . .      TL ends at 1, TR goes from 2 to 3, BR from 4 to 5, BL from 6 to 7, and TL begins
//! . . . . . . | . 2 . . . .      at 8: the moves 1 - 8, 2 - 3, 4 - 5, 6 - 7 of the four tours are given up for the
//! . . . . . 1 | . . . . . .      moves 1 - 2, 3 - 4, 5 - 6, 7 - 8. Those of TR and BL are moves of corner squares,
//! . . . 8 . . | 3 . . . . .      which every tour has; the other two are demanded of the boards that the division
//! ------------+------------      ends with, at both corners, and a board put together of four has them again.
//! . . . . . 7 | . . 4 . . .
//! . . . . . . | 5 . . . . .
//! . . . . 6 . | . . . . . .
//! ```
//!
//! A side is halved into even parts, which differ by at most two, so at every depth there are no more than four sizes of
//! boards. The number of a square is computed by a descent to its smallest board and back, and so is the square of a number.
//! Both take a time proportional to the logarithm of the side.
//!
//! # Source
//! I. Parberry, "An efficient algorithm for the Knight's tour problem", Discrete Applied Mathematics 73, 1997. The
//! moves exchanged are those of his own program, Tourney, 2019. Here a search finds the small boards, and numbers are computed
//! instead of stored.

use super::piece::{BoardPiece, small, squares};
use super::tiled::{CycleWalk, SquareRun, Tiled, TiledLayout};
use super::tour::CombError;
use crate::board::{Board, Ending, Square};
use crate::find::strands::TourEnds;

/// The least length of both sides of a board that is divided.
const DIVIDED: u32 = 12;
/// The shortest side.
const SIDE_MIN: u32 = 6;

/// A tour in quadrants, Parberry's construction.
pub type Quadrants = Tiled<Quarters>;

impl Quadrants {
    /// Checks that the construction fits the board: n x n or n x (n + 2) squares, n even and at least 6.
    ///
    /// # Errors
    /// [`CombError::Sides`] when it does not.
    pub fn fits(board: Board) -> Result<(), CombError> {
        let (short, long) = (board.rows().min(board.cols()), board.rows().max(board.cols()));
        let fits = short >= SIDE_MIN && short.is_multiple_of(2) && (long == short || long == short + 2);
        if fits { Ok(()) } else { Err(CombError::Sides(board)) }
    }

    /// A closed tour, which is an open tour as well, with the given start and end. The seed determines the tour.
    ///
    /// # Errors
    /// [`CombError`] when quadrants do not fit the board, or when start and end are not neighbours on the tour.
    pub fn new(board: Board, ending: Ending, ends: [Option<Square>; 2], seed: u64) -> Result<Quadrants, CombError> {
        Quadrants::fits(board)?;
        let mut quarters = Quarters { strides: [board.cols(), 1], parts: Vec::new() };
        quarters.lay(board, &mut fastrand::Rng::with_seed(seed));
        Tiled::round(board, ending, quarters, ends).ok_or(CombError::NotNeighbours(board))
    }
}

/// The layout of quadrants.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Quarters {
    strides: [u32; 2],
    /// One part for every size of board that occurs; the last one is the whole board.
    parts: Vec<QuadrantPart>,
}

/// The tour of the boards of one size.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct QuadrantPart {
    board: Board,
    layout: QuadrantLayout,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum QuadrantLayout {
    /// A small board: the squares of its cycle in both directions, and the numbers of its squares.
    Whole { places: [Box<[u32]>; 2], numbers: Box<[u32]> },
    /// Four boards in the order of the walk: TL, TR, BR, BL.
    Divided { rows: u32, cols: u32, quarters: [Quarter; 4] },
}

/// One quadrant of a divided board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Quarter {
    part: usize,
    /// Number of squares of the divided board that are walked before this quadrant.
    before: u32,
    /// The start and the direction of the walk on the cycle of this quadrant.
    walk: CycleWalk,
}

impl Quarters {
    /// Lays out a board, unless a part has its size; returns the index of the part.
    fn lay(&mut self, board: Board, random: &mut fastrand::Rng) -> usize {
        if let Some(part) = self.parts.iter().position(|part| part.board == board) {
            return part;
        }
        let divided = board.rows() >= DIVIDED && board.cols() >= DIVIDED;
        let layout =
            if divided { self.divide(board, random) } else { small_board_quadrant(board, self.strides, random) };
        self.parts.push(QuadrantPart { board, layout });
        self.parts.len() - 1
    }

    fn divide(&mut self, board: Board, random: &mut fastrand::Rng) -> QuadrantLayout {
        let (rows, cols) = (board.rows() / 4 * 2, board.cols() / 4 * 2);
        let (below, right) = (board.rows() - rows, board.cols() - cols);
        // For each quadrant: row and column of its first square, and of its last.
        let quadrants = [
            (small(rows, cols), [rows - 1, cols - 3], [rows - 2, cols - 1]),
            (small(rows, right), [rows - 3, 1], [rows - 1, 0]),
            (small(below, right), [0, 2], [1, 0]),
            (small(below, cols), [2, cols - 2], [0, cols - 1]),
        ];
        let mut before = 0;
        let quarters = quadrants.map(|(board, first, last)| {
            let part = self.lay(board, random);
            let [first, last] = [first, last].map(|[row, col]| self.number_in(part, row, col));
            let walk = CycleWalk::between(board.squares(), first, last);
            let walk = walk.unwrap_or_else(|| unreachable!("the move given up is part of the cycle of {board}"));
            let quarter = Quarter { part, before, walk };
            before += walk.squares;
            quarter
        });
        QuadrantLayout::Divided { rows, cols, quarters }
    }

    fn number_in(&self, part: usize, row: u32, col: u32) -> u32 {
        let QuadrantPart { board, layout } = &self.parts[part];
        match layout {
            QuadrantLayout::Whole { numbers, .. } => numbers[(row * board.cols() + col) as usize],
            QuadrantLayout::Divided { rows, cols, quarters } => {
                let (quarter, row, col) = match (row.checked_sub(*rows), col.checked_sub(*cols)) {
                    (None, None) => (0, row, col),
                    (None, Some(col)) => (1, row, col),
                    (Some(row), Some(col)) => (2, row, col),
                    (Some(row), None) => (3, row, col),
                };
                let Quarter { part, before, walk } = quarters[quarter];
                before + walk.since_start(self.number_in(part, row, col))
            }
        }
    }
}

/// A small board, with the moves at two corners that quadrants exchange.
fn small_board_quadrant(board: Board, strides: [u32; 2], random: &mut fastrand::Rng) -> QuadrantLayout {
    let (rows, cols) = (board.rows(), board.cols());
    let must = [[[1, 0], [0, 2]], [[rows - 2, cols - 1], [rows - 1, cols - 3]]].map(|places| squares(board, places));
    let cycle = BoardPiece::find(board, TourEnds::Closed, &must, &[], random);
    let piece = cycle.unwrap_or_else(|| unreachable!("every small board has such a cycle"));
    let places = [false, true].map(|backwards| piece.reversed_if(backwards).square_offsets(strides));
    QuadrantLayout::Whole { places, numbers: piece.offsets() }
}

impl TiledLayout for Quarters {
    fn number(&self, row: u32, col: u32) -> u32 {
        self.number_in(self.parts.len() - 1, row, col)
    }

    fn run(&self, number: u32) -> SquareRun<'_> {
        let (mut at, mut part, mut base, mut backwards) = (number, &self.parts[self.parts.len() - 1], 0, false);
        // How many squares before and behind lie in one part with this square, without interruption, as far as known.
        let mut reach = [number, part.board.squares() - 1 - number];
        loop {
            match &part.layout {
                QuadrantLayout::Divided { rows, cols, quarters } => {
                    let later = quarters.iter().rposition(|quarter| quarter.before <= at).unwrap_or(0);
                    let Quarter { part: next, before, walk } = quarters[later];
                    let k = at - before;
                    shorten(&mut reach, [k, walk.squares - 1 - k], backwards);
                    at = walk.on_cycle(k);
                    backwards ^= walk.backwards;
                    base += [
                        0,
                        cols * self.strides[1],
                        rows * self.strides[0] + cols * self.strides[1],
                        rows * self.strides[0],
                    ][later];
                    part = &self.parts[next];
                }
                QuadrantLayout::Whole { places, .. } => {
                    let own = &places[usize::from(backwards)];
                    let at = if backwards { own.len() - 1 - at as usize } else { at as usize };
                    shorten(&mut reach, [at as u32, (own.len() - 1 - at) as u32], false);
                    let from = at - reach[0] as usize;
                    return SquareRun { base, places: &own[from..=at + reach[1] as usize], at: at - from };
                }
            }
        }
    }
}

/// Limits the number of squares on each side to `sides`, which are exchanged if `backwards`.
fn shorten(reach: &mut [u32; 2], mut sides: [u32; 2], backwards: bool) {
    if backwards {
        sides.reverse();
    }
    for (reach, side) in reach.iter_mut().zip(sides) {
        *reach = side.min(*reach);
    }
}
