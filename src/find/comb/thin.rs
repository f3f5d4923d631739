//! Boards three and four squares wide, in blocks of their own.
//!
//! Three wide, closed: a cycle of 3x10 or 3x12, and blocks of 3x4 for the rest. Every block is a path that replaces the move
//! a - b of the block before, and has such a move itself:
//!
//! ```text
//! . . . a | . . . a        first and last square of the path are a knight's move from a and b
//! . . . . | . . . .
//! . . b . | . . b .
//! ```
//!
//! Three wide, open: a path of 3x4, 3x7, 3x9 or 3x10 that ends in its bottom right corner, a knight's move from the top
//! left corner of a 3x4 block, which is walked from there to its own bottom right corner.
//!
//! Four wide, open: two strands run along the board. The first block has the two ends of the tour. A block in the middle has
//! two paths that lead from c, d to a, b, in either pairing. The last block is a path from c to d:
//!
//! ```text
//! . . . | . . .            a leads to the next c, b to the next d
//! . . a | . . .
//! . . b | . . .
//! . . . | c d .
//! ```
//!
//! Both c and d lie on an outer row. The neighbours of outer squares are all inner squares, and there are as many outer
//! squares as inner ones, so no path through a whole block has both its ends on inner rows.

use super::bands::{Axis, Band, Bands, PieceBlock};
use super::nest::Nest;
use super::piece::{BoardPiece, path_between, piece_tour};
use crate::board::{Board, Square};
use crate::find::strands::TourEnds;

/// Number of columns of the blocks after the first, four wide.
const FOUR: u32 = 3;

/// A board that lies on its side: it has at least as many columns as rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct LyingBoard {
    pub board: Board,
    /// Whether its rows are the columns of the original board.
    pub transposed: bool,
}

impl LyingBoard {
    /// The board, with rows and columns exchanged if it has more rows than columns.
    pub fn new(board: Board) -> LyingBoard {
        let transposed = board.rows() > board.cols();
        LyingBoard { board: if transposed { board.transposed() } else { board }, transposed }
    }

    /// The square of the lying board for a square of the original board.
    pub fn lay_square(self, square: Square) -> Square {
        let lies = || {
            let standing = self.board.transposed();
            let (row, col) = standing.row_col(square);
            self.board.square(col, row)
        };
        if self.transposed {
            lies().unwrap_or_else(|| unreachable!("every square of the original board has one on the lying board"))
        } else {
            square
        }
    }

    /// The layout of one band.
    fn band(self, host: &PieceBlock, link: Option<(&PieceBlock, u32)>, tail: Option<&BoardPiece>) -> Bands {
        let LyingBoard { board, transposed } = self;
        let strides = if transposed { [1, board.rows()] } else { [board.cols(), 1] };
        let (each, links) = link.map_or((1, 0), |(link, links)| (link.piece.board.cols(), links));
        let cols = Axis { first: host.piece.board.cols(), each, links };
        let rows = Axis { first: board.rows(), each: 1, links: 0 };
        let band = Band::new(strides, host, link, tail, None);
        let nest = Nest::alone(band.squares());
        Bands { transposed, strides, rows, cols, bands: vec![band], nest }
    }

    /// The first block of a path, with the rows and columns of the original board.
    pub fn first_block(self) -> Board {
        let long = self.board.cols();
        let host = match self.board.rows() {
            3 => block(3, [4, 9, 10, 7][long as usize % 4]),
            4 if long >= 2 * FOUR => block(4, FOUR + long % FOUR),
            _ => self.board,
        };
        if self.transposed { host.transposed() } else { host }
    }

    /// The first block of a path, with the rows and columns of the lying board.
    fn host(self) -> Board {
        LyingBoard { transposed: false, ..self }.first_block()
    }

    /// Lays out a board three wide as a cycle. The longer side must be even and at least 10.
    pub fn three_closed(self, random: &mut fastrand::Rng) -> Option<Bands> {
        let long = self.board.cols();
        let (host, link) = (block(3, if long % 4 == 2 { 10 } else { 12 }), block(3, 4));
        let exit = |block: Board| [square(block, 0, block.cols() - 1), square(block, 2, block.cols() - 2)];
        let cycle = piece_tour(host, TourEnds::Closed, &[exit(host)], &[], random)?;
        let mut firsts = [square(link, 1, 1), square(link, 2, 0)];
        random.shuffle(&mut firsts);
        let ends = firsts.map(|first| path_between(Some(first), Some(square(link, 1, 0))));
        let between = ends.into_iter().find_map(|ends| piece_tour(link, ends, &[exit(link)], &[], random))?;
        let piece_block =
            |board, squares| PieceBlock { piece: BoardPiece::new(board, squares), exit: Some(exit(board)) };
        let links = (long - host.cols()) / 4;
        Some(self.band(&piece_block(host, cycle), Some((&piece_block(link, between), links)), None))
    }

    /// Lays out a board three wide as a path. The longer side must be 4 or at least 7. A given start must lie in the first
    /// block. A given end must be the bottom right corner of the board, or lie in the only block. Otherwise `None`.
    pub fn three_open(self, [start, end]: [Option<Square>; 2], random: &mut fastrand::Rng) -> Option<Bands> {
        let long = self.board.cols();
        let (host, link) = (self.host(), block(3, 4));
        let links = (long - host.cols()) / 4;
        let corner = |block: Board| square(block, 2, block.cols() - 1);
        let end = match (links, end) {
            (0, end) => self.in_block(host, end)?,
            (_, Some(end)) if end != corner(self.board) => return None,
            _ => Some(corner(host)),
        };
        let first = piece_tour(host, path_between(self.in_block(host, start)?, end), &[], &[], random)?;
        let between = piece_tour(link, path_between(Some(square(link, 0, 0)), Some(corner(link))), &[], &[], random)?;
        let piece_block = |board, squares| PieceBlock { piece: BoardPiece::new(board, squares), exit: None };
        Some(self.band(&piece_block(host, first), Some((&piece_block(link, between), links)), None))
    }

    /// Lays out a board four wide as a path. The longer side must be at least 5. A given start and a given end must lie in the
    /// first block; otherwise `None`.
    ///
    /// The blocks are cut from the tour of a board with one block of each kind, on which only the moves of the joints lead
    /// from one block to the next.
    pub fn four_open(self, [start, end]: [Option<Square>; 2], random: &mut fastrand::Rng) -> Option<Bands> {
        let long = self.board.cols();
        if long < 2 * FOUR {
            let whole = piece_tour(self.board, path_between(start, end), &[], &[], random)?;
            return Some(self.band(&PieceBlock { piece: BoardPiece::new(self.board, whole), exit: None }, None, None));
        }
        let host = self.host();
        let (start, end) = (self.in_block(host, start)?, self.in_block(host, end)?);
        let borders = [host.cols(), host.cols() + FOUR];
        let sample = block(4, host.cols() + 2 * FOUR);
        let joint = |border| {
            let joint = [[[1, border - 1], [3, border]], [[2, border - 1], [3, border + 1]]];
            joint.map(|ends: [[u32; 2]; 2]| ends.map(|[row, col]| square(sample, row, col)))
        };
        let must = borders.map(joint).concat();
        let must_not = other_moves_across(sample, borders, &must);
        // If one end lies in the first block, so does the other: the walk enters every other block as often as it leaves it.
        let mut starts: Vec<Square> = host.all().filter_map(|own| same_row_and_col(own, host, sample)).collect();
        random.shuffle(&mut starts);
        if let Some(given) = start.or(end) {
            starts = vec![same_row_and_col(given, host, sample)?];
        }
        let other = start.and(end).and_then(|end| same_row_and_col(end, host, sample));
        let lace = |&start: &Square| piece_tour(sample, path_between(Some(start), other), &must, &must_not, random);
        let mut tour = starts.iter().find_map(lace)?;
        if start.is_none() && end.is_some() {
            tour.reverse();
        }
        let cut = |from: u32, cols: u32| {
            let to = block(4, cols);
            let own = tour.iter().filter_map(|&square| {
                let (row, col) = sample.row_col(square);
                to.square(row, col.checked_sub(from)?)
            });
            BoardPiece::new(to, own.collect())
        };
        let piece_block = |piece: BoardPiece| {
            let exit = [1, 2].map(|row| square(piece.board, row, piece.board.cols() - 1));
            PieceBlock { piece, exit: Some(exit) }
        };
        let entered = |piece: BoardPiece| {
            let backwards = piece.offset(square(piece.board, 3, 0)) != 0;
            piece.reversed_if(backwards)
        };
        let link = piece_block(entered(cut(borders[0], FOUR)));
        let tail = entered(cut(borders[1], FOUR));
        let links = (long - host.cols() - FOUR) / FOUR;
        Some(self.band(&piece_block(cut(0, host.cols())), Some((&link, links)), Some(&tail)))
    }

    /// Lays out the board of one square.
    pub fn lay_one_square(self) -> Bands {
        self.band(
            &PieceBlock { piece: BoardPiece::new(self.board, self.board.all().collect()), exit: None },
            None,
            None,
        )
    }

    /// The square of the block `host` in the row and column of a given square; `None` when it lies outside the block.
    fn in_block(self, host: Board, given: Option<Square>) -> Option<Option<Square>> {
        match given {
            None => Some(None),
            Some(given) => same_row_and_col(given, self.board, host).map(Some),
        }
    }
}

fn block(rows: u32, cols: u32) -> Board {
    Board::new(rows.into(), cols.into()).unwrap_or_else(|_| unreachable!("a block has 12 to 44 squares"))
}

fn square(board: Board, row: u32, col: u32) -> Square {
    board.square(row, col).unwrap_or_else(|| unreachable!("the joints lie on every block"))
}

/// The square of the board `to` in the row and column of a square of `from`; `None` when it lies outside.
fn same_row_and_col(square: Square, from: Board, to: Board) -> Option<Square> {
    let (row, col) = from.row_col(square);
    to.square(row, col)
}

/// Every move across one of the borders that is not in `but`. A border lies to the left of its column.
fn other_moves_across(board: Board, borders: [u32; 2], but: &[[Square; 2]]) -> Vec<[Square; 2]> {
    let col = |square| board.row_col(square).1;
    let rightwards = board.all().flat_map(|a| board.neighbours(a).map(move |b| [a, b]));
    rightwards
        .filter(|&[a, b]| borders.iter().any(|&border| col(a) < border && border <= col(b)))
        .filter(|other| !but.contains(other))
        .collect()
}
