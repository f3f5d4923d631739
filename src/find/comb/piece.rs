//! One piece: a small board with the order in which it is walked, its tables, and the search that finds it.

use super::nest::{NestPart, PieceExit};
use crate::board::{Board, Square};
use crate::find::strands::{StrandRoot, TourEnds};

/// Length of each part of a side after the first part.
pub(super) const TILE: u32 = 6;
/// The shortest side.
pub(super) const SIDE_MIN: u32 = 5;

/// The squares of a small board in the order of the walk.
#[derive(Clone, Debug)]
pub(super) struct BoardPiece {
    pub board: Board,
    pub squares: Vec<Square>,
    /// The two squares from which moves lead to the first and to the last square of the piece to the right. With `None` the
    /// walk leaves the piece behind its last square.
    pub to_right: Option<[Square; 2]>,
}

impl BoardPiece {
    /// Searches by [`strands`](crate::find::strands) for a tour of a small board with all moves of `must` and none of
    /// `must_not`. A closed tour starts at square 0. `None` when there is no such tour, or no attempt finds one.
    pub fn find(
        board: Board,
        ends: TourEnds,
        must: &[[Square; 2]],
        must_not: &[[Square; 2]],
        random: &mut fastrand::Rng,
    ) -> Option<BoardPiece> {
        let root = StrandRoot::new(board, ends, must, must_not).ok()?;
        let squares = root.first_tour(random.u64(..), 0..ATTEMPTS)?.into();
        Some(BoardPiece { board, squares, to_right: None })
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
    pub fn reversed_if(&self, backwards: bool) -> BoardPiece {
        let mut piece = self.clone();
        if backwards {
            piece.squares.reverse();
        }
        piece
    }

    /// The number of squares before `square`.
    pub fn offset(&self, square: Square) -> u32 {
        let offset = self.squares.iter().position(|&own| own == square);
        offset.unwrap_or_else(|| unreachable!("a piece visits every square of its board")) as u32
    }

    /// The exit at the move between the two squares `to`. Moves lead from the first of them to the first square of the next
    /// piece, and from the second to its last. With `None` the exit lies behind the last square.
    pub fn exit(&self, to: Option<[Square; 2]>) -> PieceExit {
        let Some(to) = to else { return PieceExit { cut: self.board.squares(), backwards: false } };
        let [a, b] = to.map(|square| self.offset(square));
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

    /// For each square of the board: the number of squares before it.
    pub fn offsets(&self) -> Box<[u32]> {
        self.board.all().map(|square| self.offset(square)).collect()
    }

    /// The piece in a band: its tables on a board with these strides (see [`BoardPiece::square_offsets`]), and its exit to the
    /// right. The walk also leaves the piece at `other_cut`.
    pub fn in_band(&self, strides: [u32; 2], other_cut: u32) -> NestPart<PlacedPiece> {
        let (squares, cols) = (self.board.squares(), self.board.cols());
        let exit = self.exit(self.to_right);
        let mut runs = [0, exit.cut, other_cut, squares];
        runs.sort_unstable();
        let tables = PlacedPiece { cols, offsets: self.offsets(), places: self.square_offsets(strides), runs };
        NestPart { tables, squares, length: cols, exit }
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
    runs: [u32; 4],
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

/// The ends of a path; an end that is `None` may be any square.
pub(super) fn path_between(start: Option<Square>, end: Option<Square>) -> TourEnds {
    TourEnds::Open { start, end }
}

/// The board of the tile in the top left corner, the only tile that may be a path.
pub(super) fn root(board: Board) -> Board {
    let first = |side| SIDE_MIN + (side - SIDE_MIN) % TILE;
    small(first(board.rows()), first(board.cols()))
}

/// A small board.
pub(super) fn small(rows: u32, cols: u32) -> Board {
    Board::new(rows.into(), cols.into()).unwrap_or_else(|_| unreachable!("part of a board"))
}

/// Squares of a small board in these rows and columns.
pub(super) fn squares(board: Board, places: [[u32; 2]; 2]) -> [Square; 2] {
    let square = |[row, col]: [u32; 2]| board.square(row, col);
    places.map(|place| square(place).unwrap_or_else(|| unreachable!("the moves of the joints lie on every piece")))
}

/// The square of the board `piece` in the row and column of a square of `board`; `None` when it lies outside.
pub(super) fn square_in(piece: Board, board: Board, square: Square) -> Option<Square> {
    let (row, col) = board.row_col(square);
    piece.square(row, col)
}

/// A path between given squares of a board, as squares of its first piece; `None` when one lies outside the piece.
pub(super) fn ends_in(piece: Board, board: Board, start: Option<Square>, end: Option<Square>) -> Option<TourEnds> {
    let within = |end: Option<Square>| end.map_or(Some(None), |end| square_in(piece, board, end).map(Some));
    Some(path_between(within(start)?, within(end)?))
}
