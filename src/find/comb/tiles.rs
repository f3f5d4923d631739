//! The comb: boards with both sides of at least five squares, in tiles of six by six.
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

use super::bands::{Axis, Band, Bands, PieceBlock};
use super::nest::Nest;
use super::piece::{BoardPiece, path_between, piece_tour};
use crate::board::{Board, Square};
use crate::find::strands::TourEnds;

/// Length of each part of a side after the first part.
const TILE: u32 = 6;
/// The shortest side.
pub(super) const SIDE_MIN: u32 = 5;

/// Row and column of the two squares of a move, where two tiles join: for the first square of a tile, and for the last.
type Joint = [[u32; 2]; 2];

/// The first and last square of a tile that the walk enters from the left.
const FROM_LEFT: Joint = [[1, 1], [3, 0]];

fn squares(board: Board, joint: Joint) -> [Square; 2] {
    joint.map(|[row, col]| {
        board
            .square(row, col)
            .unwrap_or_else(|| unreachable!("the moves of the joints lie on every tile of 5x5 or more"))
    })
}

/// The move of a tile that the exchange with the tile to the right removes.
fn to_right(tile: Board) -> [Square; 2] {
    squares(tile, [[0, tile.cols() - 1], [2, tile.cols() - 2]])
}

/// The move of a tile that the exchange with the tile below removes.
fn to_below(tile: Board) -> [Square; 2] {
    squares(tile, [[tile.rows() - 1, 0], [tile.rows() - 2, 2]])
}

fn axis(side: u32) -> Axis {
    let first = SIDE_MIN + (side - SIDE_MIN) % TILE;
    Axis { first, each: TILE, links: (side - first) / TILE }
}

/// The board of the tile in the top left corner, the only tile that may be a path.
pub(super) fn root(board: Board) -> Board {
    small(axis(board.rows()).first, axis(board.cols()).first)
}

fn small(rows: u32, cols: u32) -> Board {
    Board::new(rows.into(), cols.into()).unwrap_or_else(|_| unreachable!("a tile has 25 to 100 squares"))
}

/// A cycle through a tile with the moves `more`, cut open at the joint by which the walk enters.
fn tile(board: Board, entry: Joint, more: &[[Square; 2]], random: &mut fastrand::Rng) -> Option<PieceBlock> {
    let [first, last] = squares(board, entry);
    let exit = to_right(board);
    let must: Vec<[Square; 2]> = more.iter().copied().chain([[first, last], exit]).collect();
    let cycle = piece_tour(board, TourEnds::Closed, &must, &[], random)?;
    Some(PieceBlock { piece: BoardPiece::new(board, cycle).cut_open(first, last), exit: Some(exit) })
}

/// Lays out a board with sides of at least [`SIDE_MIN`]: as a cycle, or as a path whose ends lie in the root. `None` when
/// the search finds no such path.
pub(super) fn lay(board: Board, ends: TourEnds, random: &mut fastrand::Rng) -> Option<Bands> {
    let (rows, cols) = (axis(board.rows()), axis(board.cols()));
    let strides = [board.cols(), 1];
    let root = small(rows.first, cols.first);
    let (right, below) = (to_right(root), to_below(root));
    let given: Vec<_> =
        [(cols.links > 0).then_some(right), (rows.links > 0).then_some(below)].into_iter().flatten().collect();
    let exit = (cols.links > 0).then_some(right);
    let host = PieceBlock { piece: BoardPiece::new(root, piece_tour(root, ends, &given, &[], random)?), exit };
    let tooth = |height, random: &mut fastrand::Rng| tile(small(height, TILE), FROM_LEFT, &[], random);
    let top = tooth(rows.first, random)?;
    let first = Band::new(strides, &host, has_links(cols, &top), None, (rows.links > 0).then_some(below));
    if rows.links == 0 {
        let nest = Nest::alone(first.squares());
        return Some(Bands { transposed: false, strides, rows, cols, bands: vec![first], nest });
    }
    let inner = tooth(TILE, random)?;
    let side = small(TILE, cols.first);
    let below = to_below(side);
    let from_above = FROM_LEFT.map(|[row, col]| [col, row]);
    let side = tile(side, from_above, &[below], random)?;
    let band = |backwards| Band::new(strides, &side.reversed_if(backwards), has_links(cols, &inner), None, Some(below));
    let second = band(first.down().backwards);
    let third = band(second.down().backwards);
    let nest = Nest {
        host: first.squares(),
        host_cut: first.down().cut,
        links: rows.links,
        link: second.squares(),
        cuts: [second.down().cut, third.down().cut],
        tail: 0,
    };
    Some(Bands { transposed: false, strides, rows, cols, bands: vec![first, second, third], nest })
}

fn has_links(cols: Axis, link: &PieceBlock) -> Option<(&PieceBlock, u32)> {
    (cols.links > 0).then_some((link, cols.links))
}

/// The given ends as squares of the root, for [`lay`]; `None` when one lies outside the root.
pub(super) fn root_ends(board: Board, ends: [Option<Square>; 2]) -> Option<TourEnds> {
    let root = root(board);
    let within = |end: Option<Square>| match end {
        None => Some(None),
        Some(end) => {
            let (row, col) = board.row_col(end);
            root.square(row, col).map(Some)
        }
    };
    Some(path_between(within(ends[0])?, within(ends[1])?))
}
