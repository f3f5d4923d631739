//! One piece: a small board in the order in which it is walked, with tables both ways.

use crate::board::{Board, Holes, Square};
use crate::find::attempt::{Attempt, AttemptProgress};
use crate::find::strands::{StrandRoot, TourEnds};

/// Where a piece is left for the piece in its cut, and which way that one is walked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PieceExit {
    /// Squares walked before.
    pub cut: u32,
    /// Whether the next piece is walked from its last square to its first.
    pub backwards: bool,
}

/// Squares of a small board in their order.
#[derive(Clone, Debug)]
pub(super) struct BoardPiece {
    pub board: Board,
    squares: Vec<Square>,
}

impl BoardPiece {
    /// A piece of these squares, every one of the board.
    pub fn new(board: Board, squares: Vec<Square>) -> BoardPiece {
        assert_eq!(squares.len(), board.squares() as usize, "a piece is walked whole");
        BoardPiece { board, squares }
    }

    /// Number of squares.
    pub fn squares(&self) -> u32 {
        self.board.squares()
    }

    /// The cycle cut open between two of its squares that are one move apart, from `first` to `last`.
    pub fn cut_open(mut self, first: Square, last: Square) -> BoardPiece {
        let (a, b) = (self.offset(first) as usize, self.offset(last) as usize);
        if (a + 1) % self.squares.len() == b {
            self.squares.reverse();
        }
        let first = self.offset(first) as usize;
        self.squares.rotate_left(first);
        debug_assert_eq!(self.squares.last(), Some(&last), "the move is part of the cycle");
        self
    }

    /// The same squares in the other direction, if asked for.
    pub fn turned(mut self, backwards: bool) -> BoardPiece {
        if backwards {
            self.squares.reverse();
        }
        self
    }

    /// How many squares come before this one.
    pub fn offset(&self, square: Square) -> u32 {
        let offset = self.squares.iter().position(|&own| own == square);
        offset.unwrap_or_else(|| unreachable!("a piece visits every square of its board")) as u32
    }

    /// The exit at the move between two squares, from which moves lead to the first and to the last square of the next
    /// piece.
    pub fn exit(&self, to_first: Square, to_last: Square) -> PieceExit {
        let (a, b) = (self.offset(to_first), self.offset(to_last));
        debug_assert_eq!(a.abs_diff(b), 1, "the move is part of the piece");
        PieceExit { cut: a.max(b), backwards: b < a }
    }

    /// The squares in their order on a board whose squares are numbered with these strides from one row, and one column,
    /// to the next: how far their numbers are from that of the top left square.
    pub fn places(&self, strides: [u32; 2]) -> Box<[u32]> {
        let place = |&square: &Square| {
            let (row, col) = self.board.row_col(square);
            row * strides[0] + col * strides[1]
        };
        self.squares.iter().map(place).collect()
    }

    /// Tables for a board, as in [`BoardPiece::places`], on which the piece is interrupted at some offsets.
    pub fn laid(&self, strides: [u32; 2], cuts: &[u32]) -> PlacedPiece {
        let offsets = self.board.all().map(|square| self.offset(square)).collect();
        let mut runs: Vec<u32> = cuts.iter().copied().chain([0, self.squares()]).collect();
        runs.sort_unstable();
        runs.dedup();
        PlacedPiece { cols: self.board.cols(), offsets, places: self.places(strides), runs: runs.into() }
    }
}

/// A piece on a board.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct PlacedPiece {
    cols: u32,
    /// By square of the piece: its offset in the order.
    offsets: Box<[u32]>,
    /// By offset: how far the square's number is from that of the top left square of the piece.
    places: Box<[u32]>,
    /// Offsets between which nothing else is walked, with both ends.
    runs: Box<[u32]>,
}

impl PlacedPiece {
    /// The offset of a square of the piece.
    #[inline]
    pub fn offset(&self, row: u32, col: u32) -> u32 {
        self.offsets[(row * self.cols + col) as usize]
    }

    /// The offsets of the squares of a row.
    #[inline]
    pub fn row(&self, row: u32) -> &[u32] {
        &self.offsets[(row * self.cols) as usize..][..self.cols as usize]
    }

    /// The squares that are walked without interruption around an offset, as distances from the top left square, and
    /// which of them it is.
    #[inline]
    pub fn run(&self, offset: u32) -> (&[u32], usize) {
        let end = self.runs.iter().position(|&end| offset < end);
        let end = end.unwrap_or_else(|| unreachable!("an offset lies before the end of its piece"));
        let (from, to) = (self.runs[end - 1] as usize, self.runs[end] as usize);
        (&self.places[from..to], offset as usize - from)
    }
}

/// Attempts at a piece: the last ones are patient enough to find any there is.
const ATTEMPTS: u64 = 24;

/// A tour of a small board with all moves of `must` and none of `must_not`, a cycle from its square 0 on; nothing when
/// there is none or none was found in time.
pub(super) fn piece_tour(
    board: Board,
    ends: TourEnds,
    must: &[[Square; 2]],
    must_not: &[[Square; 2]],
    random: &mut fastrand::Rng,
) -> Option<Vec<Square>> {
    let root = StrandRoot::new(board, &Holes::none(), ends, must, must_not).ok()?;
    let seed = random.u64(..);
    for attempt in 0..ATTEMPTS {
        match root.attempt(seed, attempt).advance(u64::MAX, &mut 0) {
            AttemptProgress::Found(tour) => return Some(tour.into()),
            AttemptProgress::Exhausted => return None,
            AttemptProgress::GivenUp | AttemptProgress::Going => {}
        }
    }
    None
}

/// A path between two squares, each of which is any if it is not given.
pub(super) fn path_between(start: Option<Square>, end: Option<Square>) -> TourEnds {
    TourEnds::Open { start, end }
}
