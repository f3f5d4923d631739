//! One piece: a small board with the order in which it is walked, its tables, and the search that finds it.

use crate::board::{Board, Holes, Square};
use crate::find::attempt::{Attempt, AttemptProgress};
use crate::find::strands::{StrandRoot, TourEnds};

/// The point at which the walk leaves a piece for the next piece, and the direction of that piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PieceExit {
    /// Number of squares of the piece before this point.
    pub cut: u32,
    /// Whether the next piece is walked from its last square to its first.
    pub backwards: bool,
}

/// The squares of a small board in the order of the walk.
#[derive(Clone, Debug)]
pub(super) struct BoardPiece {
    pub board: Board,
    squares: Vec<Square>,
}

impl BoardPiece {
    /// A piece of `squares`, which are all squares of `board`.
    pub fn new(board: Board, squares: Vec<Square>) -> BoardPiece {
        assert_eq!(squares.len(), board.squares() as usize, "a piece contains every square of its board");
        BoardPiece { board, squares }
    }

    pub fn squares(&self) -> u32 {
        self.board.squares()
    }

    /// This cycle as a path from `first` to `last`, which are neighbours on the cycle.
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

    /// This piece, in the other direction if `backwards`.
    pub fn reversed_if(mut self, backwards: bool) -> BoardPiece {
        if backwards {
            self.squares.reverse();
        }
        self
    }

    /// The number of squares before `square`.
    pub fn offset(&self, square: Square) -> u32 {
        let offset = self.squares.iter().position(|&own| own == square);
        offset.unwrap_or_else(|| unreachable!("a piece visits every square of its board")) as u32
    }

    /// The exit at the move between two squares. A move leads from `to_first` to the first square of the next piece, and from
    /// `to_last` to its last.
    pub fn exit(&self, to_first: Square, to_last: Square) -> PieceExit {
        let (a, b) = (self.offset(to_first), self.offset(to_last));
        debug_assert_eq!(a.abs_diff(b), 1, "the move is part of the piece");
        PieceExit { cut: a.max(b), backwards: b < a }
    }

    /// The squares in the order of the walk, each as the difference between its index and that of the top left square of the
    /// piece. `strides` are the differences between the indices of two rows, and of two columns, of the whole board.
    pub fn square_offsets(&self, strides: [u32; 2]) -> Box<[u32]> {
        let place = |&square: &Square| {
            let (row, col) = self.board.row_col(square);
            row * strides[0] + col * strides[1]
        };
        self.squares.iter().map(place).collect()
    }

    /// The tables of the piece on a board with these strides (see [`BoardPiece::square_offsets`]); the walk leaves the piece
    /// at each offset of `cuts`.
    pub fn place(&self, strides: [u32; 2], cuts: &[u32]) -> PlacedPiece {
        let offsets = self.board.all().map(|square| self.offset(square)).collect();
        let mut runs: Vec<u32> = cuts.iter().copied().chain([0, self.squares()]).collect();
        runs.sort_unstable();
        runs.dedup();
        PlacedPiece { cols: self.board.cols(), offsets, places: self.square_offsets(strides), runs: runs.into() }
    }
}

/// A piece on a board, as tables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct PlacedPiece {
    cols: u32,
    /// For each square of the piece: its offset in the walk.
    offsets: Box<[u32]>,
    /// For each offset: the difference between the index of the square and that of the top left square of the piece.
    places: Box<[u32]>,
    /// The offsets at which the walk enters or leaves the piece, in order, with both ends.
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

    /// The squares that are walked without interruption around an offset, as differences of indices from the top left square,
    /// and the position of the offset among them.
    #[inline]
    pub fn run(&self, offset: u32) -> (&[u32], usize) {
        let end = self.runs.iter().position(|&end| offset < end);
        let end = end.unwrap_or_else(|| unreachable!("an offset lies before the end of its piece"));
        let (from, to) = (self.runs[end - 1] as usize, self.runs[end] as usize);
        (&self.places[from..to], offset as usize - from)
    }
}

/// Number of attempts at a piece. The last attempts have limits high enough to find any piece that exists.
const ATTEMPTS: u64 = 24;

/// Searches by [`strands`](crate::find::strands) for a tour of a small board with all moves of `must` and none of `must_not`.
/// A closed tour starts at square 0. `None` when there is no such tour, or no attempt finds one.
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

/// The ends of a path; an end that is `None` may be any square.
pub(super) fn path_between(start: Option<Square>, end: Option<Square>) -> TourEnds {
    TourEnds::Open { start, end }
}
