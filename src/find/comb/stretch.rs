//! The check of a stretch of a tour that is a formula: many stretches, checked side by side, check the whole tour.

use super::tiled::{Tiled, TiledLayout, TiledWalk};
use crate::board::{Ending, Route, Square};
use crate::find::attempt::{Attempt, AttemptProgress};
use crate::search::Drawing;

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
