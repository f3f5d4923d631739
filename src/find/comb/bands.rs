//! The layout of a comb: bands of pieces from left to right, nested in each other from top to bottom.
//!
//! ```text
//! host  > link > link > link      a band is a nest: its host at the left, links of equal width, perhaps a tail;
//!  v
//! host  > link > link > link      the bands are a nest again: the first one is the host, the others are the links
//!  v
//! host  > link > link > link
//! ```

use super::nest::Nest;
use super::piece::{BoardPiece, PieceExit, PlacedPiece};
use super::tiled::{SquareRun, TiledLayout};
use crate::board::Square;

/// A piece and where it is left for the one to its right.
#[derive(Clone, Debug)]
pub(super) struct PieceBlock {
    pub piece: BoardPiece,
    /// The squares from which moves lead to the first and to the last square of the next piece; without them it is left
    /// behind its own last square.
    pub exit: Option<[Square; 2]>,
}

impl PieceBlock {
    /// The same piece walked in the other direction, if asked for.
    pub fn turned(&self, backwards: bool) -> PieceBlock {
        PieceBlock { piece: self.piece.clone().turned(backwards), exit: self.exit }
    }

    fn leave(&self) -> PieceExit {
        match self.exit {
            Some([to_first, to_last]) => self.piece.exit(to_first, to_last),
            None => PieceExit { cut: self.piece.squares(), backwards: false },
        }
    }
}

/// Sides cut into parts: the first one, others of equal length, and what is left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Axis {
    pub first: u32,
    pub each: u32,
    pub links: u32,
}

impl Axis {
    /// The part in which a row or column lies, and which of its own it is.
    #[inline]
    fn split(self, at: u32) -> (u32, u32) {
        if at < self.first {
            return (0, at);
        }
        let at = at - self.first;
        let part = (at / self.each).min(self.links);
        (part + 1, at - part * self.each)
    }

    /// Where a part begins.
    #[inline]
    fn begin(self, part: u32) -> u32 {
        if part == 0 { 0 } else { self.first + (part - 1) * self.each }
    }
}

/// A band: the pieces of a row of tiles.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Band {
    nest: Nest,
    /// The host; links 1, 3, 5 ..; links 2, 4, 6 ..; the tail: as many of them as there are.
    pieces: Vec<PlacedPiece>,
    /// Where the band is left for the one below it.
    down: PieceExit,
}

impl Band {
    /// A band of a host, `links` times the same link, and a tail, with the numbers of squares that lie these strides
    /// apart. `below` are the squares of the host from which moves lead to the next band.
    pub fn new(
        strides: [u32; 2],
        host: &PieceBlock,
        link: Option<(&PieceBlock, u32)>,
        tail: Option<&BoardPiece>,
        below: Option<[Square; 2]>,
    ) -> Band {
        let leave = host.leave();
        let mut nest = Nest::alone(host.piece.squares());
        let mut pieces = Vec::new();
        let mut backwards = leave.backwards;
        if let Some((link, links)) = link {
            let first = link.turned(backwards);
            let second = link.turned(first.leave().backwards);
            let cuts = [first.leave().cut, second.leave().cut];
            nest = Nest { host_cut: leave.cut, links, link: link.piece.squares(), cuts, ..nest };
            pieces.extend([&first, &second].map(|link| link.piece.laid(strides, &[link.leave().cut])));
            backwards = match links {
                0 => backwards,
                _ if links % 2 == 1 => first.leave().backwards,
                _ => second.leave().backwards,
            };
        }
        if let Some(tail) = tail {
            nest.tail = tail.squares();
            pieces.push(tail.clone().turned(backwards).laid(strides, &[]));
        }
        let down = below.map(|[first, last]| host.piece.exit(first, last));
        let cuts: Vec<u32> = down.iter().map(|down| down.cut).chain([nest.host_cut]).collect();
        pieces.insert(0, host.piece.laid(strides, &cuts));
        let down = match down {
            Some(PieceExit { cut, backwards }) if cut > nest.host_cut => {
                PieceExit { cut: cut + nest.nested(), backwards }
            }
            Some(before) => before,
            None => PieceExit { cut: nest.squares(), backwards: false },
        };
        Band { nest, pieces, down }
    }

    /// Number of squares.
    pub fn squares(&self) -> u32 {
        self.nest.squares()
    }

    /// Where the band is left for the one below it.
    pub fn down(&self) -> PieceExit {
        self.down
    }

    #[inline]
    fn piece(&self, piece: u32) -> &PlacedPiece {
        match piece {
            0 => &self.pieces[0],
            _ if piece <= self.nest.links => &self.pieces[1 + (piece as usize - 1) % 2],
            _ => &self.pieces[3],
        }
    }
}

/// Columns of two tiles of a comb.
const PAIR: usize = 12;

/// The layout of a comb; see the module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bands {
    /// Whether the rows of the layout are the columns of the board.
    pub(super) transposed: bool,
    pub(super) strides: [u32; 2],
    pub(super) rows: Axis,
    pub(super) cols: Axis,
    /// The first band; bands 2, 4, 6 ..; bands 3, 5, 7 ..: as many of them as there are.
    pub(super) bands: Vec<Band>,
    pub(super) nest: Nest,
}

impl Bands {
    #[inline]
    fn band(&self, band: u32) -> &Band {
        if band == 0 { &self.bands[0] } else { &self.bands[1 + (band as usize - 1) % 2] }
    }

    /// The number of the square in a row of a band and a column of one of its pieces.
    #[inline]
    fn number_in(&self, (band, row): (u32, u32), (piece, col): (u32, u32)) -> u32 {
        let own = self.band(band);
        self.nest.number(band, own.nest.number(piece, own.piece(piece).offset(row, col)))
    }

    /// Writes the numbers of a row of the board, one for each column.
    ///
    /// The numbers of every other tile are an arithmetic progression in every column, so a row of tiles is written
    /// without working out a single number but those of its first two tiles.
    pub(super) fn number_row(&self, row: u32, numbers: &mut [u32]) {
        let Axis { first, each, links } = self.cols;
        if self.transposed || 2 * each as usize != PAIR || links < 2 {
            for (col, number) in (0..).zip(numbers) {
                *number = self.number(row, col);
            }
            return;
        }
        let (band, row) = self.rows.split(row);
        let (lift, own) = (self.nest.lift(band), self.band(band));
        let (host, tiles) = numbers.split_at_mut(first as usize);
        let in_host = own.nest.lift(0);
        for (number, &offset) in host.iter_mut().zip(own.piece(0).row(row)) {
            *number = lift.number(in_host.number(offset));
        }
        let (mut pair, mut stride) = ([0; PAIR], [0; PAIR]);
        for (tile, piece) in [(0, 1), (each as usize, 2)] {
            let in_tile = own.nest.lift(piece);
            for (col, &offset) in (tile..).zip(own.piece(piece).row(row)) {
                pair[col] = lift.number(in_tile.number(offset));
                stride[col] = own.nest.stride(offset >= own.nest.cuts[piece as usize - 1]);
            }
        }
        progress(tiles, pair, &stride);
    }
}

/// Writes numbers that progress by their own stride from every one to the one [`PAIR`] further on.
///
/// A function of its own: in line it would not become vector instructions.
#[inline(never)]
fn progress(numbers: &mut [u32], mut pair: [u32; PAIR], stride: &[u32; PAIR]) {
    let (pairs, odd) = numbers.as_chunks_mut::<PAIR>();
    for to in pairs {
        for ((to, number), stride) in to.iter_mut().zip(&mut pair).zip(stride) {
            *to = *number;
            *number = number.wrapping_add(*stride);
        }
    }
    odd.copy_from_slice(&pair[..odd.len()]);
}

impl TiledLayout for Bands {
    #[inline]
    fn number(&self, row: u32, col: u32) -> u32 {
        let (row, col) = if self.transposed { (col, row) } else { (row, col) };
        self.number_in(self.rows.split(row), self.cols.split(col))
    }

    #[inline]
    fn run(&self, number: u32) -> SquareRun<'_> {
        let (band, number) = self.nest.place(number);
        let own = self.band(band);
        let (piece, offset) = own.nest.place(number);
        let (places, at) = own.piece(piece).run(offset);
        SquareRun {
            base: self.rows.begin(band) * self.strides[0] + self.cols.begin(piece) * self.strides[1],
            places,
            at,
        }
    }
}
