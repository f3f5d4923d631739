//! An exhaustive search for the tests of this room, which compare closed forms and canonical forms with it.
//!
//! The search extends a path and uses no theorem. It cuts a branch only where an unvisited square has too few exits left.
//! Squares with few exits are tried first (Warnsdorff's rule), so that a tour is found early where there is one.

use super::rectangle::{Board, Square};
use super::small_board::{SmallBoard, SquareMask};
use super::tour::{Ending, Tour};
use std::sync::LazyLock;

/// Gives every tour from `start` to `take`, closed tours in both directions, until `take` returns false.
///
/// Returns whether the search was completed.
pub(super) fn tours_from(board: Board, ending: Ending, start: Square, take: impl FnMut(&[u8]) -> bool) -> bool {
    let graph = SmallBoard::<u64>::new(board).expect("a board of up to 64 squares");
    let home = match ending {
        Ending::Closed => u64::bit(start.index() as usize),
        Ending::Open => 0,
    };
    let unvisited = graph.all() & !u64::bit(start.index() as usize);
    let mut search = PlainSearch { graph, home, path: vec![start.index() as u8], take };
    search.extend(unvisited, 0)
}

/// Every tour that the contract of `Symmetries::is_canonical` asks for: closed tours once each, from square 0; open tours
/// directed, from the representatives of the orbits.
pub(super) fn tours(board: Board, ending: Ending) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let starts = board.orbits().map(|orbit| orbit.representative());
    for start in starts.take(if ending == Ending::Closed { 1 } else { usize::MAX }) {
        tours_from(board, ending, start, |squares| {
            if ending == Ending::Open || squares[1] < squares[squares.len() - 1] {
                found.push(squares.to_vec());
            }
            true
        });
    }
    found
}

/// Tours of 5x6, half of them closed, for property tests to pick from.
pub(crate) fn tours_5x6() -> &'static [Tour] {
    static TOURS: LazyLock<Vec<Tour>> = LazyLock::new(|| {
        let board = Board::new(5, 6).expect("a small board");
        let verified = |ending| {
            tours(board, ending).into_iter().map(move |squares| {
                let squares: Vec<_> = squares.into_iter().filter_map(|s| board.at(s.into())).collect();
                Tour::verify(board, ending, squares).expect("a tour that the search found")
            })
        };
        // Far more tours are open. Few of them are used and closed tours are repeated, so that half of all picks are closed.
        let open: Vec<_> = verified(Ending::Open).step_by(199).collect();
        verified(Ending::Closed).cycle().take(open.len()).chain(open).collect()
    });
    &TOURS
}

struct PlainSearch<F> {
    graph: SmallBoard<u64>,
    /// The start as a mask if the tour must return to it, else 0.
    home: u64,
    path: Vec<u8>,
    take: F,
}

impl<F: FnMut(&[u8]) -> bool> PlainSearch<F> {
    /// Extends the path in every way. `ends` holds unvisited squares that have one exit left.
    fn extend(&mut self, unvisited: u64, ends: u64) -> bool {
        let head = self.path[self.path.len() - 1] as usize;
        if unvisited == 0 {
            let complete = self.home == 0 || !(self.graph.neighbours(head) & self.home).is_empty();
            return !complete || (self.take)(&self.path);
        }
        let exits = |square: usize| (self.graph.neighbours(square) & unvisited).len();
        let mut next: Vec<usize> = (self.graph.neighbours(head) & unvisited).iter().collect();
        next.sort_by_key(|&square| exits(square));
        next.into_iter().all(|square| {
            let left = unvisited & !u64::bit(square);
            let Some(ends) = self.ends_after(head, square, left, ends) else { return true };
            self.path.push(square as u8);
            let completed = self.extend(left, ends);
            self.path.pop();
            completed
        })
    }

    /// The squares with one exit after the move from `head` to `square`. `None` if the move leaves a square that no tour can
    /// pass.
    fn ends_after(&self, head: usize, square: usize, left: u64, ends: u64) -> Option<u64> {
        let mut ends = ends & left;
        for beside in (self.graph.neighbours(head) & left).iter() {
            match (self.graph.neighbours(beside) & (left | u64::bit(square) | self.home)).len() {
                0 => return None,
                1 => ends |= u64::bit(beside),
                _ => {}
            }
        }
        // An open tour has one last square. A closed tour leaves every square again.
        (ends.len() <= if self.home == 0 { 1 } else { 0 }).then_some(ends)
    }
}
