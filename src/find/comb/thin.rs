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

use super::bands::{Bands, band};
use super::nest::NestLine;
use super::piece::{BoardPiece, SIDE_MIN, ends_in, path_between, root, small, square_in, squares};
use crate::board::{Board, Square, Symmetry};
use crate::find::strands::TourEnds;

/// Number of columns of the blocks after the first, four wide.
const FOUR: u32 = 3;

/// A board that lies on its side: it has at least as many columns as rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct LyingBoard {
    board: Board,
    /// Whether its rows are the columns of the original board.
    transposed: bool,
}

impl LyingBoard {
    /// The board, with rows and columns exchanged if it has more rows than columns.
    pub fn new(board: Board) -> LyingBoard {
        let transposed = board.rows() > board.cols();
        LyingBoard { board: if transposed { board.transposed() } else { board }, transposed }
    }

    /// Whether the board is too thin for tiles.
    pub fn is_thin(self) -> bool {
        self.board.rows() < SIDE_MIN
    }

    /// The first piece of a path, with the rows and columns of the original board.
    pub fn first_piece(self) -> Board {
        let host = self.host();
        if self.transposed { host.transposed() } else { host }
    }

    /// The first piece of a path, with the rows and columns of the lying board.
    fn host(self) -> Board {
        let long = self.board.cols();
        match self.board.rows() {
            SIDE_MIN.. => root(self.board),
            3 => small(3, [4, 9, 10, 7][long as usize % 4]),
            4 if long >= 2 * FOUR => small(4, FOUR + long % FOUR),
            _ => self.board,
        }
    }

    /// The layout of one band.
    fn band(self, host: &BoardPiece, link: Option<(&BoardPiece, u32)>, tail: Option<&BoardPiece>) -> Bands {
        let LyingBoard { board, transposed } = self;
        let strides = if transposed { [1, board.rows()] } else { [board.cols(), 1] };
        Bands { transposed, strides, bands: NestLine::alone(band(strides, host, link, tail, None)) }
    }

    /// Lays out a board three wide as a cycle. The longer side must be even and at least 10.
    pub fn three_closed(self, random: &mut fastrand::Rng) -> Option<Bands> {
        let long = self.board.cols();
        let (host, link) = (small(3, if long % 4 == 2 { 10 } else { 12 }), small(3, 4));
        let exit = |block: Board| squares(block, [[0, block.cols() - 1], [2, block.cols() - 2]]);
        let cycle = BoardPiece::find(host, TourEnds::Closed, &[exit(host)], &[], random)?;
        let mut firsts = squares(link, [[1, 1], [2, 0]]);
        random.shuffle(&mut firsts);
        let ends = firsts.map(|first| path_between(Some(first), link.square(1, 0)));
        let between = ends.into_iter().find_map(|ends| BoardPiece::find(link, ends, &[exit(link)], &[], random))?;
        let [host, link] = [cycle, between].map(|piece| BoardPiece { to_right: Some(exit(piece.board)), ..piece });
        Some(self.band(&host, Some((&link, (long - host.board.cols()) / 4)), None))
    }

    /// Lays out a thin board as a path between squares of the original board.
    pub fn open(self, start: Option<Square>, end: Option<Square>, random: &mut fastrand::Rng) -> Option<Bands> {
        let lie = |square| {
            if self.transposed { Symmetry::MainDiagonal.apply(self.board.transposed(), square) } else { square }
        };
        let (start, end) = (start.map(lie), end.map(lie));
        match self.board.rows() {
            3 => self.three_open(start, end, random),
            4 if self.board.cols() >= 2 * FOUR => self.four_open(start, end, random),
            _ => {
                let whole = BoardPiece::find(self.board, path_between(start, end), &[], &[], random)?;
                Some(self.band(&whole, None, None))
            }
        }
    }

    /// Lays out a board three wide as a path. The longer side must be 4 or at least 7. A given start must lie in the first
    /// block. A given end must be the bottom right corner of the board, or lie in the only block. Otherwise `None`.
    fn three_open(self, start: Option<Square>, end: Option<Square>, random: &mut fastrand::Rng) -> Option<Bands> {
        let (host, link) = (self.host(), small(3, 4));
        let links = (self.board.cols() - host.cols()) / 4;
        let corner = |cols: u32| self.board.square(2, cols - 1);
        let end = match end {
            _ if links == 0 => end,
            Some(_) if end != corner(self.board.cols()) => return None,
            _ => corner(host.cols()),
        };
        let first = BoardPiece::find(host, ends_in(host, self.board, start, end)?, &[], &[], random)?;
        let between = BoardPiece::find(link, path_between(link.at(0), link.square(2, 3)), &[], &[], random)?;
        Some(self.band(&first, Some((&between, links)), None))
    }

    /// Lays out a board four wide as a path. The longer side must be at least 6. A given start and a given end must lie in the
    /// first block; otherwise `None`.
    ///
    /// The blocks are cut from the tour of a board with one block of each kind, on which only the moves of the joints lead
    /// from one block to the next.
    fn four_open(self, start: Option<Square>, end: Option<Square>, random: &mut fastrand::Rng) -> Option<Bands> {
        let host = self.host();
        let borders = [host.cols(), host.cols() + FOUR];
        let sample = small(4, host.cols() + 2 * FOUR);
        let in_sample = |square| square_in(sample, host, square);
        let TourEnds::Open { start, end } = ends_in(host, self.board, start, end)? else { return None };
        let joint = |border| {
            let joint = [[[1, border - 1], [3, border]], [[2, border - 1], [3, border + 1]]];
            joint.map(|places| squares(sample, places))
        };
        let must = borders.map(joint).concat();
        let must_not = other_moves_across(sample, borders, &must);
        // If one end lies in the first block, so does the other: the walk enters every other block as often as it leaves it.
        let mut starts: Vec<Square> = host.all().filter_map(in_sample).collect();
        random.shuffle(&mut starts);
        if let Some(given) = start.or(end) {
            starts = vec![in_sample(given)?];
        }
        let other = start.and(end).and_then(in_sample);
        let lace =
            |&start: &Square| BoardPiece::find(sample, path_between(Some(start), other), &must, &must_not, random);
        let tour = starts.iter().find_map(lace)?.reversed_if(start.is_none() && end.is_some());
        let cut = |from: u32, cols: u32| {
            let board = small(4, cols);
            let own = tour.squares.iter().filter_map(|&square| {
                let (row, col) = sample.row_col(square);
                board.square(row, col.checked_sub(from)?)
            });
            BoardPiece { board, squares: own.collect(), to_right: None }
        };
        let [link, tail] = borders.map(|border| {
            let block = cut(border, FOUR);
            block.reversed_if(block.squares.first() != block.board.square(3, 0).as_ref())
        });
        let [host, link] = [cut(0, host.cols()), link].map(|block| {
            let to_right = squares(block.board, [1, 2].map(|row| [row, block.board.cols() - 1]));
            BoardPiece { to_right: Some(to_right), ..block }
        });
        let links = (self.board.cols() - host.board.cols() - FOUR) / FOUR;
        Some(self.band(&host, Some((&link, links)), Some(&tail)))
    }
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
