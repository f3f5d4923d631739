//! The layout of a comb: bands of pieces from left to right, nested in each other from top to bottom.
//!
//! ```text
//! host  > link > link > link      a band is a nest: its host at the left, links of equal width, perhaps a tail;
//!  v
//! host  > link > link > link      the bands are a nest again: the first one is the host, the others are the links
//!  v
//! host  > link > link > link
//! ```

use super::nest::{NestLine, NestPart, PieceExit};
use super::piece::{BoardPiece, PlacedPiece};
use super::tiled::{SquareRun, TiledLayout};
use crate::board::Square;

/// A band: the pieces of one row of tiles.
pub(super) type Band = NestPart<NestLine<PlacedPiece>>;

/// A band of one piece, or of a host with links and perhaps a tail. `strides` are the differences between the indices of two
/// rows, and of two columns, of the board. From the two squares `below` of the host moves lead to the next band.
pub(super) fn band(
    strides: [u32; 2],
    host: &BoardPiece,
    link: Option<(&BoardPiece, u32)>,
    tail: Option<&BoardPiece>,
    below: Option<[Square; 2]>,
) -> Band {
    let PieceExit { cut, backwards } = host.exit(below);
    let part = host.in_band(strides, cut);
    let place = |piece: &BoardPiece, backwards| piece.reversed_if(backwards).in_band(strides, 0);
    let line = match link {
        None => NestLine::alone(part),
        Some((link, links)) => {
            let link = |backwards| place(link, backwards);
            NestLine::new(part, links, link, |backwards| tail.map(|tail| place(tail, backwards)))
        }
    };
    let exit = PieceExit { cut: line.nest.number(0, cut - 1) + 1, backwards };
    NestPart { squares: line.nest.squares(), length: host.board.rows(), exit, tables: line }
}

/// Number of columns of two tiles of a comb.
const PAIR: usize = 12;

/// The layout of a comb: bands of pieces, nested in each other.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bands {
    /// Whether the rows of the layout are the columns of the board.
    pub(super) transposed: bool,
    pub(super) strides: [u32; 2],
    pub(super) bands: NestLine<NestLine<PlacedPiece>>,
}

impl Bands {
    /// Writes the numbers of a row of the board, one for each column.
    ///
    /// In every column the numbers of every other tile are an arithmetic progression, so only the numbers of the first two
    /// tiles of a row are computed one by one.
    pub(super) fn number_row(&self, row: u32, numbers: &mut [u32]) {
        // A transposed layout is one band.
        let (band, row_in_band) = self.bands.split(if self.transposed { 0 } else { row });
        let own = self.bands.part(band);
        let [first, each] = own.lengths.map(|length| length as usize);
        if self.transposed || 2 * each != PAIR || own.nest.links < 2 {
            for (col, number) in (0..).zip(numbers) {
                *number = self.number(row, col);
            }
            return;
        }
        let number = |piece, offset| self.bands.nest.number(band, own.nest.number(piece, offset));
        let (host, tiles) = numbers.split_at_mut(first);
        for (to, &offset) in host.iter_mut().zip(own.part(0).row(row_in_band)) {
            *to = number(0, offset);
        }
        let (mut pair, mut stride) = ([0; PAIR], [0; PAIR]);
        for (tile, piece) in [(0, 1), (each, 2)] {
            for (col, &offset) in (tile..).zip(own.part(piece).row(row_in_band)) {
                pair[col] = number(piece, offset);
                stride[col] = own.nest.stride(offset >= own.nest.cuts[piece as usize - 1]);
            }
        }
        progress(tiles, pair, &stride);
    }
}

/// Writes `numbers`, where each number exceeds the one [`PAIR`] places before by its own stride.
///
/// Inlined code would not become vector instructions, so this is a function of its own.
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
        self.bands.number(row, |band, row| band.number(col, |piece, col| piece.offset(row, col)))
    }

    #[inline]
    fn run(&self, number: u32) -> SquareRun<'_> {
        let (band, row, number) = self.bands.part_of(number);
        let (piece, col, offset) = band.part_of(number);
        let (places, at) = piece.run(offset);
        SquareRun { base: row * self.strides[0] + col * self.strides[1], places, at }
    }
}
