//! The layout of a comb: bands of pieces from left to right, nested in each other from top to bottom; and the check of
//! such a tour, stretch by stretch, many of them side by side.
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
use super::tiled::{SquareRun, Tiled, TiledLayout, TiledWalk};
use crate::board::{Ending, Route, Square};
use crate::find::attempt::{Attempt, AttemptProgress};
use crate::search::Drawing;

/// A piece, and the point at which the walk leaves it for the piece to its right.
#[derive(Clone, Debug)]
pub(super) struct PieceBlock {
    pub piece: BoardPiece,
    /// The squares from which moves lead to the first and to the last square of the next piece. With `None` the walk leaves
    /// the piece behind its last square.
    pub exit: Option<[Square; 2]>,
}

impl PieceBlock {
    /// This piece, walked in the other direction if `backwards`.
    pub fn reversed_if(&self, backwards: bool) -> PieceBlock {
        PieceBlock { piece: self.piece.clone().reversed_if(backwards), exit: self.exit }
    }

    fn exit_point(&self) -> PieceExit {
        match self.exit {
            Some([to_first, to_last]) => self.piece.exit(to_first, to_last),
            None => PieceExit { cut: self.piece.squares(), backwards: false },
        }
    }
}

/// A side cut into parts: the first part, `links` parts of length `each`, and the rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Axis {
    pub first: u32,
    pub each: u32,
    pub links: u32,
}

impl Axis {
    /// The part in which a row or column lies, and its place in that part.
    #[inline]
    fn split(self, at: u32) -> (u32, u32) {
        if at < self.first {
            return (0, at);
        }
        let at = at - self.first;
        let part = (at / self.each).min(self.links);
        (part + 1, at - part * self.each)
    }

    /// The first row or column of a part.
    #[inline]
    fn begin(self, part: u32) -> u32 {
        if part == 0 { 0 } else { self.first + (part - 1) * self.each }
    }
}

/// A band: the pieces of one row of tiles.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Band {
    nest: Nest,
    /// The host, then the piece of links 1, 3, 5 .., then the piece of links 2, 4, 6 .., then the tail, as far as they exist.
    pieces: Vec<PlacedPiece>,
    /// The point at which the walk leaves the band for the band below.
    down: PieceExit,
}

impl Band {
    /// A band of a host, a link as many times as given, and a tail. `strides` are the differences between the indices of two
    /// rows, and of two columns, of the board. From the two squares `below` of the host moves lead to the next band.
    pub fn new(
        strides: [u32; 2],
        host: &PieceBlock,
        link: Option<(&PieceBlock, u32)>,
        tail: Option<&BoardPiece>,
        below: Option<[Square; 2]>,
    ) -> Band {
        let leave = host.exit_point();
        let mut nest = Nest::alone(host.piece.squares());
        let mut pieces = Vec::new();
        let mut backwards = leave.backwards;
        if let Some((link, links)) = link {
            let first = link.reversed_if(backwards);
            let second = link.reversed_if(first.exit_point().backwards);
            let cuts = [first.exit_point().cut, second.exit_point().cut];
            nest = Nest { host_cut: leave.cut, links, link: link.piece.squares(), cuts, ..nest };
            pieces.extend([&first, &second].map(|link| link.piece.place(strides, &[link.exit_point().cut])));
            backwards = match links {
                0 => backwards,
                _ if links % 2 == 1 => first.exit_point().backwards,
                _ => second.exit_point().backwards,
            };
        }
        if let Some(tail) = tail {
            nest.tail = tail.squares();
            pieces.push(tail.clone().reversed_if(backwards).place(strides, &[]));
        }
        let down = below.map(|[first, last]| host.piece.exit(first, last));
        let cuts: Vec<u32> = down.iter().map(|down| down.cut).chain([nest.host_cut]).collect();
        pieces.insert(0, host.piece.place(strides, &cuts));
        let down = match down {
            Some(PieceExit { cut, backwards }) if cut > nest.host_cut => {
                PieceExit { cut: cut + nest.nested(), backwards }
            }
            Some(before) => before,
            None => PieceExit { cut: nest.squares(), backwards: false },
        };
        Band { nest, pieces, down }
    }

    pub fn squares(&self) -> u32 {
        self.nest.squares()
    }

    /// The point at which the walk leaves the band for the band below.
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

/// Number of columns of two tiles of a comb.
const PAIR: usize = 12;

/// The layout of a comb: bands of pieces, nested in each other.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bands {
    /// Whether the rows of the layout are the columns of the board.
    pub(super) transposed: bool,
    pub(super) strides: [u32; 2],
    pub(super) rows: Axis,
    pub(super) cols: Axis,
    /// The first band, then bands 2, 4, 6 .., then bands 3, 5, 7 .., as far as they exist.
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
    /// In every column the numbers of every other tile are an arithmetic progression, so only the numbers of the first two
    /// tiles of a row are computed one by one.
    pub(super) fn number_row(&self, row: u32, numbers: &mut [u32]) {
        let Axis { first, each, links } = self.cols;
        if self.transposed || 2 * each as usize != PAIR || links < 2 {
            for (col, number) in (0..).zip(numbers) {
                *number = self.number(row, col);
            }
            return;
        }
        let (band, row) = self.rows.split(row);
        let (lift, own) = (self.nest.numbering(band), self.band(band));
        let (host, tiles) = numbers.split_at_mut(first as usize);
        let in_host = own.nest.numbering(0);
        for (number, &offset) in host.iter_mut().zip(own.piece(0).row(row)) {
            *number = lift.number(in_host.number(offset));
        }
        let (mut pair, mut stride) = ([0; PAIR], [0; PAIR]);
        for (tile, piece) in [(0, 1), (each as usize, 2)] {
            let in_tile = own.nest.numbering(piece);
            for (col, &offset) in (tile..).zip(own.piece(piece).row(row)) {
                pair[col] = lift.number(in_tile.number(offset));
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
        self.number_in(self.rows.split(row), self.cols.split(col))
    }

    #[inline]
    fn run(&self, number: u32) -> SquareRun<'_> {
        let (band, number) = self.nest.piece_at(number);
        let own = self.band(band);
        let (piece, offset) = own.nest.piece_at(number);
        let (places, at) = own.piece(piece).run(offset);
        SquareRun {
            base: self.rows.begin(band) * self.strides[0] + self.cols.begin(piece) * self.strides[1],
            places,
            at,
        }
    }
}

/// An attempt that walks a stretch of a tour and checks it. For every square the formula must give its number, and a
/// knight's move must lead to the next square: also to the first square of the next stretch and, on a cycle, from the last
/// square to the first. If all stretches of a tour pass, it is a tour, because a square with one number is visited once.
/// The attempt never finds a tour; a node is one square checked.
///
/// [`Attempt::advance`] panics when the formula is wrong.
#[derive(Clone, Debug)]
pub struct CheckedStretch<'a, L> {
    tiled: &'a Tiled<L>,
    walk: TiledWalk<'a, L>,
    from: u32,
    /// The number of the next square to check, which is `at`.
    number: u32,
    at: Option<Square>,
    end: u32,
}

impl<L: TiledLayout> Tiled<L> {
    /// The stretch of `squares` squares from number `from` on, or of the squares up to the end of the tour.
    pub fn checked_stretch(&self, from: u32, squares: u32) -> CheckedStretch<'_, L> {
        let mut walk = self.walk_from(from);
        let at = walk.next();
        let end = from.saturating_add(squares).min(self.squares());
        CheckedStretch { tiled: self, walk, from, number: from, at, end }
    }
}

impl<L: TiledLayout> Attempt for CheckedStretch<'_, L> {
    fn advance(&mut self, nodes: u64, entered: &mut u64) -> AttemptProgress {
        let board = self.tiled.board();
        for _ in 0..nodes {
            let Some(at) = self.at.filter(|_| self.number < self.end) else { return AttemptProgress::GivenUp };
            let first = || self.tiled.square_at(0).filter(|_| self.tiled.ending() == Ending::Closed);
            let next = self.walk.next().or_else(first);
            let right = self.tiled.number_of(at) == Some(self.number)
                && next.is_none_or(|next| board.adjacent(at, next))
                && (next.is_some() || self.number + 1 == board.squares());
            assert!(right, "the formula for {board} is wrong at {}, square {}", board.name(at), self.number);
            *entered += 1;
            self.number += 1;
            self.at = next;
        }
        AttemptProgress::Going
    }

    fn depth(&self) -> usize {
        (self.number - self.from) as usize
    }

    fn draw(&self, drawing: &mut Drawing) {
        drawing.path(self.tiled.walk_from(self.from).take(self.depth()).map(Square::index), None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::find::comb::tiled::SquareRun;
    use crate::find::comb::{Bands, Comb};

    /// A layout that is wrong at one number: it gives the square of another number.
    #[derive(Clone, Debug)]
    struct WrongLayout(Bands, u32);

    impl TiledLayout for WrongLayout {
        fn number(&self, row: u32, col: u32) -> u32 {
            self.0.number(row, col)
        }
        fn run(&self, number: u32) -> SquareRun<'_> {
            let SquareRun { base, places, at } = self.0.run(number);
            let other = if number == self.1 { self.0.run(0) } else { SquareRun { base, places, at } };
            SquareRun { places: &other.places[other.at..=other.at], at: 0, ..other }
        }
    }

    fn bands(board: Board) -> Bands {
        Comb::new(board, Ending::Closed, [None; 2], 1).unwrap().layout().clone()
    }

    /// Checks in bursts of 100 nodes; returns the number of squares checked.
    fn check<L: TiledLayout>(tiled: &Tiled<L>, from: u32, squares: u32) -> u64 {
        let (mut stretch, mut entered) = (tiled.checked_stretch(from, squares), 0);
        let mut drawing = Drawing::default();
        while stretch.advance(100, &mut entered) == AttemptProgress::Going {
            stretch.draw(&mut drawing);
            assert_eq!((stretch.depth() as u64, drawing.chains[0].len() as u64), (entered, entered));
        }
        entered
    }

    #[test]
    fn all_stretches_of_a_tour_pass() {
        let board: Board = "18x19".parse().unwrap();
        for ending in [Ending::Closed, Ending::Open] {
            let comb = Comb::new(board, ending, [board.at(100), None], 1).unwrap();
            assert_eq!((0..4).map(|stretch| check(&comb, 100 * stretch, 100)).sum::<u64>(), 342);
        }
    }

    #[test]
    fn a_wrong_formula_is_found_wherever_it_is_wrong() {
        let board: Board = "12x13".parse().unwrap();
        for number in 1..board.squares() {
            let wrong = Tiled::round(board, Ending::Closed, WrongLayout(bands(board), number), [None; 2]).unwrap();
            let found = std::panic::catch_unwind(|| check(&wrong, number / 50 * 50, 50));
            assert!(found.is_err(), "{number}");
        }
    }
}
