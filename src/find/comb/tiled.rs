//! A tour that is a formula: a layout of pieces gives numbers and squares, [`Tiled`] makes a route of it; and the check of
//! such a tour, stretch by stretch, many of them side by side.

use crate::board::{Board, Ending, Route, RouteHead, Square, WALK_BLOCK};
use crate::find::attempt::{Attempt, AttemptProgress};
use crate::search::Drawing;
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
pub(super) struct CycleWalk {
    pub squares: u32,
    /// The number on the cycle of the first square of the walk.
    pub from: u32,
    pub backwards: bool,
}

impl CycleWalk {
    /// The walk round a cycle from `start` to `end`; `None` when the two are not neighbours on the cycle.
    pub fn between(squares: u32, start: u32, end: u32) -> Option<CycleWalk> {
        let after = |number| if number + 1 == squares { 0 } else { number + 1 };
        if after(end) == start {
            Some(CycleWalk { squares, from: start, backwards: false })
        } else if after(start) == end {
            Some(CycleWalk { squares, from: start, backwards: true })
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
    head: RouteHead,
    pub(super) layout: L,
    walk: CycleWalk,
}

impl<L: TiledLayout> Tiled<L> {
    /// A tour in the order of its layout, or backwards.
    pub(super) fn open(board: Board, layout: L, backwards: bool) -> Tiled<L> {
        let squares = board.squares();
        let walk = CycleWalk { squares, from: if backwards { squares - 1 } else { 0 }, backwards };
        Tiled { head: RouteHead { shape: board.into(), ending: Ending::Open }, layout, walk }
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
        let walk = match (start.map(number), end.map(number)) {
            (Some(start), Some(end)) => CycleWalk::between(squares, start, end)?,
            (None, Some(end)) => CycleWalk { squares, from: (end + 1) % squares, backwards: false },
            (start, None) => CycleWalk { squares, from: start.unwrap_or(0), backwards: false },
        };
        Some(Tiled { head: RouteHead { shape: board.into(), ending }, layout, walk })
    }

    /// The number in the tour of the square with a number in the layout.
    #[inline]
    pub(super) fn number(&self, in_layout: u32) -> u32 {
        self.walk.since_start(in_layout)
    }

    /// Whether the numbers in the tour are those in the layout.
    pub(super) fn is_plain(&self) -> bool {
        self.walk.from == 0 && !self.walk.backwards
    }

    /// The squares from number `k` on, in the order of the tour.
    pub fn walk_from(&self, k: u32) -> TiledWalk<'_, L> {
        let left = self.head.shape.board().squares().saturating_sub(k);
        TiledWalk { tiled: self, left, base: 0, run: [].iter() }
    }

    /// The stretch of `squares` squares from number `from` on, or of the squares up to the end of the tour.
    pub fn checked_stretch(&self, from: u32, squares: u32) -> CheckedStretch<'_, L> {
        let mut walk = self.walk_from(from);
        let at = walk.next();
        let end = from.saturating_add(squares).min(self.squares());
        CheckedStretch { tiled: self, walk, from, number: from, at, end }
    }
}

impl<L: TiledLayout> Route for Tiled<L> {
    fn head(&self) -> &RouteHead {
        &self.head
    }

    fn squares(&self) -> u32 {
        self.head.shape.board().squares()
    }

    fn square_at(&self, k: u32) -> Option<Square> {
        if k >= self.squares() {
            return None;
        }
        let SquareRun { base, places, at } = self.layout.run(self.walk.on_cycle(k));
        self.head.shape.board().at(base + places[at])
    }

    fn number_of(&self, square: Square) -> Option<u32> {
        self.head.shape.board().at(square.index())?;
        let (row, col) = self.head.shape.board().row_col(square);
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
        let Tiled { head, layout, walk } = self.tiled;
        let board = head.shape.board();
        if self.run.len() == 0 {
            let SquareRun { base, places, at } = layout.run(walk.on_cycle(board.squares() - self.left));
            self.base = base;
            self.run = if walk.backwards { places[..=at].iter() } else { places[at..].iter() };
        }
    }

    /// Appends squares of one run, as many as there is room for in a block.
    fn append(&mut self, block: &mut Vec<Square>) {
        self.enter_run();
        let many = self.run.len().min(self.left as usize).min(WALK_BLOCK - block.len());
        self.left -= many as u32;
        let (base, places, board) = (self.base, self.run.as_slice(), self.tiled.head.shape.board());
        let square = |place: &u32| board.at(base + place).unwrap_or_else(|| unreachable!("a piece lies on its board"));
        if self.tiled.walk.backwards {
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
        let place = if self.tiled.walk.backwards { self.run.next_back() } else { self.run.next() };
        place.and_then(|place| self.tiled.head.shape.board().at(self.base + place))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl<L: TiledLayout> ExactSizeIterator for TiledWalk<'_, L> {}

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
        Comb::new(board, Ending::Closed, [None; 2], 1).unwrap().layout.clone()
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
