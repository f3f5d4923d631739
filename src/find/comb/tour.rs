//! The comb of a board: the layout in tiles or in blocks that fits the board and the ends, or why there is none.
//!
//! The layout of boards with both sides of at least five squares, in tiles of six by six.
//!
//! ```text
//! root | top   | top   | ..     each side is cut into a first part of 5 to 10 squares and others of 6, so there are
//! -----+-------+-------+---     four kinds of tiles; every tile is a cycle, but the root is a path when both sides
//! side | inner | inner | ..     are odd
//! -----+-------+-------+---
//! side | inner | inner | ..     the teeth of the comb: every row of tiles; its back: the first column
//! ```
//!
//! An exchange of two moves joins two neighbouring tiles. A corner square has only two moves, so every tile has the move
//! a - b below. The tile to the right is made with the move c - d, which is parallel to a - b and one knight's move away.
//! Without a - b and c - d, and with a - c and b - d instead, two cycles are one. The joint to the tile below is this
//! figure mirrored at the diagonal. No move is part of two exchanges.
//!
//! ```text
//! . . . . . a | . . . . . .
//! . . . . . . | . c . . . .
//! . . . . b . | . . . . . .
//! . . . . . . | d . . . . .
//! ```

use super::bands::{Bands, band};
use super::nest::NestLine;
use super::piece::{BoardPiece, TILE, ends_in, root, small, squares};
use super::thin::LyingBoard;
use super::tiled::Tiled;
use crate::board::{Board, Ending, Route, Shape, Square};
use crate::find::strands::TourEnds;

/// A tour in tiles of six by six, or in blocks on boards three and four wide.
pub type Comb = Tiled<Bands>;

impl Comb {
    /// A tour of a board with this ending. On a board with closed tours an open tour is a closed one too, unless both ends
    /// are given and are not neighbours on it. The seed determines the tour.
    ///
    /// # Errors
    /// [`CombError`] when the board has no such tour, or when the construction has none with the given ends.
    pub fn new(board: Board, ending: Ending, ends: [Option<Square>; 2], seed: u64) -> Result<Comb, CombError> {
        let [start, end] = ends;
        let existence = board.existence(ending);
        let forbidden = if existence.exists {
            Shape::from(board).colours_forbid(ending, start, end)
        } else {
            Some(existence.reason)
        };
        if let Some(reason) = forbidden {
            return Err(CombError::NoTour { board, ending, reason });
        }
        let (lying, mut random) = (LyingBoard::new(board), fastrand::Rng::with_seed(seed));
        if board.existence(Ending::Closed).exists {
            let cycle = if lying.is_thin() {
                lying.three_closed(&mut random)
            } else {
                lay(board, TourEnds::Closed, &mut random)
            };
            let cycle = cycle.unwrap_or_else(|| unreachable!("the search finds every kind of cycle"));
            if let Some(comb) = Tiled::round(board, ending, cycle, ends) {
                return Ok(comb);
            }
        }
        if ending == Ending::Closed {
            return Err(CombError::NotNeighbours(board));
        }
        let mut lay = |start, end| {
            if lying.is_thin() {
                lying.open(start, end, &mut random)
            } else {
                lay(board, ends_in(root(board), board, start, end)?, &mut random)
            }
        };
        let path = lay(start, end).map(|path| (path, false)).or_else(|| Some((lay(end, start)?, true)));
        let (path, backwards) = path.ok_or(CombError::Ends { board, first: lying.first_piece() })?;
        Ok(Tiled::open(board, path, backwards))
    }

    /// Writes the numbers, from 0, of the squares of a row: one for every column. Row 0 is the top. Rows are independent of
    /// each other, so several threads may write them.
    ///
    /// # Panics
    /// When the board has no such row, or `numbers` is not as long as the row.
    pub fn number_row(&self, row: u32, numbers: &mut [u32]) {
        let board = self.board();
        assert!(row < board.rows() && numbers.len() == board.cols() as usize, "a row of {board}");
        self.layout.number_row(row, numbers);
        if !self.is_plain() {
            numbers.iter_mut().for_each(|number| *number = self.number(*number));
        }
    }
}

/// Why there is no tour as requested.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CombError {
    /// The board has no such tour at all, for this reason.
    #[error("{board} has no such {} tour: {reason}", ending.name())]
    NoTour { board: Board, ending: Ending, reason: String },
    /// Quadrants do not fit the board.
    #[error(
        "quadrants takes boards of n x n and n x (n + 2) squares, n even and at least 6, not {0}; use tiles, which takes any"
    )]
    Sides(Board),
    /// The two ends are not neighbours on the cycle of the tour.
    #[error(
        "the constructed cycle on {0} does not lead from the requested end to the requested start; leave out one of them, or use edges"
    )]
    NotNeighbours(Board),
    /// The construction, whose first piece is `first`, has no path of the board from one end to the other.
    #[error(
        "tiles has no open tour of {board} with the requested ends: both must lie in its first piece, rows 1 to {} and columns \
         1 to {} from the top left, and not every pair has a tour; use edges, or leave out the ends",
        first.rows(), first.cols()
    )]
    Ends { board: Board, first: Board },
}

/// Row and column of the two squares of a move, where two tiles join: for the first square of a tile, and for the last.
type Joint = [[u32; 2]; 2];

/// The first and last square of a tile that the walk enters from the left.
const FROM_LEFT: Joint = [[1, 1], [3, 0]];

/// The move of a tile that the exchange with the tile to the right removes.
fn to_right(tile: Board) -> [Square; 2] {
    squares(tile, [[0, tile.cols() - 1], [2, tile.cols() - 2]])
}

/// The move of a tile that the exchange with the tile below removes.
fn to_below(tile: Board) -> [Square; 2] {
    squares(tile, [[tile.rows() - 1, 0], [tile.rows() - 2, 2]])
}

/// A cycle through a tile with the move `below`, cut open at the joint by which the walk enters.
fn tile(board: Board, entry: Joint, below: Option<[Square; 2]>, random: &mut fastrand::Rng) -> Option<BoardPiece> {
    let [first, last] = squares(board, entry);
    let exit = to_right(board);
    let must: Vec<_> = below.into_iter().chain([[first, last], exit]).collect();
    let cycle = BoardPiece::find(board, TourEnds::Closed, &must, &[], random)?;
    Some(BoardPiece { to_right: Some(exit), ..cycle.cut_open(first, last) })
}

/// Lays out a board with sides of at least `SIDE_MIN`: as a cycle, or as a path whose ends, squares of the root, are given.
/// `None` when the search finds no such path.
fn lay(board: Board, ends: TourEnds, random: &mut fastrand::Rng) -> Option<Bands> {
    let root = root(board);
    let (rows, cols) = ((board.rows() - root.rows()) / TILE, (board.cols() - root.cols()) / TILE);
    let [right, below] = [(cols > 0).then(|| to_right(root)), (rows > 0).then(|| to_below(root))];
    let must: Vec<_> = right.into_iter().chain(below).collect();
    let host = BoardPiece { to_right: right, ..BoardPiece::find(root, ends, &must, &[], random)? };
    let strides = [board.cols(), 1];
    let row = |host: &BoardPiece, tooth, below| band(strides, host, (cols > 0).then_some((tooth, cols)), None, below);
    let top = tile(small(root.rows(), TILE), FROM_LEFT, None, random)?;
    let first = row(&host, &top, below);
    let bands = if rows == 0 {
        NestLine::alone(first)
    } else {
        let inner = tile(small(TILE, TILE), FROM_LEFT, None, random)?;
        let side = small(TILE, root.cols());
        let below = Some(to_below(side));
        let side = tile(side, FROM_LEFT.map(|[row, col]| [col, row]), below, random)?;
        NestLine::new(first, rows, |backwards| row(&side.reversed_if(backwards), &inner, below), |_| None)
    };
    Some(Bands { transposed: false, strides, bands })
}
