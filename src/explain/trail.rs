//! The path of an explained search, as on paper: the squares in their order, and on every square its number.

use super::step::SquareSet;
use crate::board::{Board, Shape, Square, SquareMask};
use crate::search::quarter::quotient::orbit;

/// What stands on a hole in place of a number: the path never comes there.
const HOLE: u16 = u16::MAX;

/// A path on a board; it may be empty.
#[derive(Clone, Debug)]
pub struct Trail {
    board: Board,
    way: Vec<Square>,
    /// By square, from 1; 0 off the path.
    numbers: Box<[u16]>,
    /// Number of squares that are no holes.
    squares: usize,
    /// Whether three turned copies of the path go with it.
    turned: bool,
}

impl Trail {
    /// Largest number of squares of a board that a trail can number.
    pub const SQUARES_MAX: u32 = HOLE as u32 - 1;

    /// The empty path.
    ///
    /// # Panics
    /// When the board has more than [`Trail::SQUARES_MAX`] squares.
    pub fn new(shape: impl Into<Shape>) -> Trail {
        let shape = shape.into();
        let board = shape.board();
        assert!(board.squares() <= Self::SQUARES_MAX, "{board} has more than {} squares", Self::SQUARES_MAX);
        let numbers = board.all().map(|square| if shape.has(square) { 0 } else { HOLE }).collect();
        Trail { board, way: Vec::new(), numbers, squares: shape.squares() as usize, turned: false }
    }

    /// The empty path on a square board, whose squares take their images by quarter turns with them.
    ///
    /// # Panics
    /// As [`Trail::new`].
    pub fn turned(board: Board) -> Trail {
        Trail { turned: true, ..Trail::new(board) }
    }

    pub fn board(&self) -> Board {
        self.board
    }

    /// The squares in their order.
    pub fn way(&self) -> &[Square] {
        &self.way
    }

    /// Number of squares on the path.
    pub fn depth(&self) -> usize {
        self.way.len()
    }

    /// The knight's square; `None` on the empty path.
    pub fn head(&self) -> Option<Square> {
        self.way.last().copied()
    }

    /// Depth of a path that leaves no square.
    pub fn depth_of_whole(&self) -> usize {
        self.squares / if self.turned { 4 } else { 1 }
    }

    /// Whether every square is on the path.
    pub fn is_whole(&self) -> bool {
        self.way.len() == self.depth_of_whole()
    }

    /// The number of a square on the path, from 1.
    pub fn number(&self, square: Square) -> Option<u16> {
        Some(self.numbers[square.index() as usize]).filter(|&number| number > 0 && number < HOLE)
    }

    pub(super) fn is_vacant(&self, square: Square) -> bool {
        self.numbers[square.index() as usize] == 0
    }

    /// The vacant neighbours of `square` in the order of [`MOVES`](crate::board::MOVES), each with its move.
    pub fn exits(&self, square: Square) -> impl Iterator<Item = (u8, Square)> {
        let steps = (0..8).filter_map(move |k| Some((k, self.board.step(square, usize::from(k))?)));
        steps.filter(|&(_, to)| self.is_vacant(to))
    }

    /// Number of vacant neighbours, Warnsdorff's rank.
    pub fn rank(&self, square: Square) -> u8 {
        self.exits(square).count() as u8
    }

    /// The vacant squares as a set; for boards of at most 128 squares.
    pub fn vacant(&self) -> SquareSet {
        let vacant = self.board.all().filter(|&square| self.is_vacant(square));
        vacant.fold(SquareSet::EMPTY, |set, square| set | bit(square))
    }

    pub(super) fn enter(&mut self, square: Square) {
        self.way.push(square);
        self.set(square, self.way.len() as u16);
    }

    pub(super) fn leave(&mut self) -> Option<Square> {
        let square = self.way.pop()?;
        self.set(square, 0);
        Some(square)
    }

    fn set(&mut self, square: Square, number: u16) {
        let images = if self.turned { &orbit(self.board, square)[..] } else { &[square] };
        images.iter().for_each(|image| self.numbers[image.index() as usize] = number);
    }
}

/// The set of one square, for boards of at most 128 squares.
pub(super) fn bit(square: Square) -> SquareSet {
    SquareSet::bit(square.index() as usize)
}
