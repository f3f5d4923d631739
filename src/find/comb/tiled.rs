//! A tour that is a formula: a layout of pieces gives numbers and squares, [`Tiled`] makes a route of it.
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

use super::bands::{Axis, Band, Bands, PieceBlock};
use super::nest::Nest;
use super::piece::{BoardPiece, path_between, piece_tour};
use crate::board::{Board, Ending, Holes, Route, Square, WALK_BLOCK};
use crate::find::strands::TourEnds;
use std::fmt::Debug;

/// A path or cycle over a whole board, put together of pieces. Rows and columns count from 0 at the top left.
pub trait TiledLayout: Send + Sync + Debug {
    /// The number of the square in a row and column.
    fn number(&self, row: u32, col: u32) -> u32;

    /// The squares around a number that lie in one piece and are walked without interruption.
    fn run(&self, number: u32) -> SquareRun<'_>;
}

/// Consecutive squares of a walk.
#[derive(Clone, Copy, Debug)]
pub struct SquareRun<'a> {
    /// The index of the square from which `places` count.
    pub base: u32,
    /// For each square: by how much its index exceeds `base`.
    pub places: &'a [u32],
    /// The position in `places` of the square with the requested number.
    pub at: usize,
}

/// The start and the direction of a walk on a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct CycleTurn {
    pub squares: u32,
    /// The number on the cycle of the first square of the walk.
    pub from: u32,
    pub backwards: bool,
}

impl CycleTurn {
    /// The walk round a cycle from `start` to `end`; `None` when the two are not neighbours on the cycle.
    pub fn between(squares: u32, start: u32, end: u32) -> Option<CycleTurn> {
        let after = |number| if number + 1 == squares { 0 } else { number + 1 };
        if after(end) == start {
            Some(CycleTurn { squares, from: start, backwards: false })
        } else if after(start) == end {
            Some(CycleTurn { squares, from: start, backwards: true })
        } else {
            None
        }
    }

    /// The number on the cycle of the square `k` squares after the first square of the walk.
    #[inline]
    pub fn on_cycle(self, k: u32) -> u32 {
        match self.backwards {
            false if k < self.squares - self.from => self.from + k,
            false => k - (self.squares - self.from),
            true if k <= self.from => self.from - k,
            true => self.from + (self.squares - k),
        }
    }

    /// How many squares after the first square of the walk comes the square with a number on the cycle.
    #[inline]
    pub fn since_start(self, number: u32) -> u32 {
        let (ahead, behind) = if self.backwards { (self.from, number) } else { (number, self.from) };
        if ahead >= behind { ahead - behind } else { self.squares - (behind - ahead) }
    }
}

/// A tour of which only the pieces are stored: the number of a square and the square of a number are computed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tiled<L> {
    board: Board,
    ending: Ending,
    layout: L,
    turn: CycleTurn,
}

impl<L: TiledLayout> Tiled<L> {
    /// A tour in the order of its layout, or backwards.
    pub(super) fn open(board: Board, layout: L, backwards: bool) -> Tiled<L> {
        let squares = board.squares();
        let turn = CycleTurn { squares, from: if backwards { squares - 1 } else { 0 }, backwards };
        Tiled { board, ending: Ending::Open, layout, turn }
    }

    /// A tour round a cycle with the given start and end; `None` when both are given and are not neighbours on the cycle.
    pub(super) fn round(
        board: Board,
        ending: Ending,
        layout: L,
        [start, end]: [Option<Square>; 2],
    ) -> Option<Tiled<L>> {
        let squares = board.squares();
        let number = |square| {
            let (row, col) = board.row_col(square);
            layout.number(row, col)
        };
        let turn = match (start.map(number), end.map(number)) {
            (Some(start), Some(end)) => CycleTurn::between(squares, start, end)?,
            (None, Some(end)) => CycleTurn { squares, from: (end + 1) % squares, backwards: false },
            (start, None) => CycleTurn { squares, from: start.unwrap_or(0), backwards: false },
        };
        Some(Tiled { board, ending, layout, turn })
    }

    /// The number in the tour of the square with a number in the layout.
    #[inline]
    pub(super) fn number(&self, in_layout: u32) -> u32 {
        self.turn.since_start(in_layout)
    }

    pub(super) fn layout(&self) -> &L {
        &self.layout
    }

    /// Whether the numbers in the tour are those in the layout.
    pub(super) fn is_plain(&self) -> bool {
        self.turn.from == 0 && !self.turn.backwards
    }

    /// The squares from number `k` on, in the order of the tour.
    pub fn walk_from(&self, k: u32) -> TiledWalk<'_, L> {
        let left = self.board.squares().saturating_sub(k);
        TiledWalk { tiled: self, left, base: 0, run: [].iter() }
    }
}

impl<L: TiledLayout> Route for Tiled<L> {
    fn board(&self) -> Board {
        self.board
    }

    fn ending(&self) -> Ending {
        self.ending
    }

    fn holes(&self) -> &Holes {
        static NONE: Holes = Holes::none();
        &NONE
    }

    fn squares(&self) -> u32 {
        self.board.squares()
    }

    fn square_at(&self, k: u32) -> Option<Square> {
        if k >= self.squares() {
            return None;
        }
        let SquareRun { base, places, at } = self.layout.run(self.turn.on_cycle(k));
        self.board.at(base + places[at])
    }

    fn number_of(&self, square: Square) -> Option<u32> {
        self.board.at(square.index())?;
        let (row, col) = self.board.row_col(square);
        Some(self.number(self.layout.number(row, col)))
    }

    fn walk(&self) -> Box<dyn Iterator<Item = Square> + '_> {
        Box::new(self.walk_from(0))
    }

    fn walk_in_blocks(&self, see: &mut dyn FnMut(&[Square]) -> bool) {
        let (mut walk, mut block) = (self.walk_from(0), Vec::with_capacity(WALK_BLOCK));
        loop {
            block.clear();
            while block.len() < WALK_BLOCK && walk.left > 0 {
                walk.append(&mut block);
            }
            if block.is_empty() || !see(&block) {
                return;
            }
        }
    }
}

/// A walk along a tour, which computes one run of squares at a time.
#[derive(Clone, Debug)]
pub struct TiledWalk<'a, L> {
    tiled: &'a Tiled<L>,
    /// Number of squares left, the current run included.
    left: u32,
    base: u32,
    run: std::slice::Iter<'a, u32>,
}

impl<L: TiledLayout> TiledWalk<'_, L> {
    /// Computes the next run if the current one is at its end.
    #[inline]
    fn enter_run(&mut self) {
        let Tiled { board, layout, turn, .. } = self.tiled;
        if self.run.len() == 0 {
            let SquareRun { base, places, at } = layout.run(turn.on_cycle(board.squares() - self.left));
            self.base = base;
            self.run = if turn.backwards { places[..=at].iter() } else { places[at..].iter() };
        }
    }

    /// Appends squares of one run, as many as there is room for in a block.
    fn append(&mut self, block: &mut Vec<Square>) {
        self.enter_run();
        let many = self.run.len().min(self.left as usize).min(WALK_BLOCK - block.len());
        self.left -= many as u32;
        let (base, places, board) = (self.base, self.run.as_slice(), self.tiled.board);
        let square = |place: &u32| board.at(base + place).unwrap_or_else(|| unreachable!("a piece lies on its board"));
        if self.tiled.turn.backwards {
            let (rest, next) = places.split_at(places.len() - many);
            block.extend(next.iter().rev().map(square));
            self.run = rest.iter();
        } else {
            let (next, rest) = places.split_at(many);
            block.extend(next.iter().map(square));
            self.run = rest.iter();
        }
    }
}

impl<L: TiledLayout> Iterator for TiledWalk<'_, L> {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.left == 0 {
            return None;
        }
        self.enter_run();
        self.left -= 1;
        let place = if self.tiled.turn.backwards { self.run.next_back() } else { self.run.next() };
        place.and_then(|place| self.tiled.board.at(self.base + place))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl<L: TiledLayout> ExactSizeIterator for TiledWalk<'_, L> {}

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
