//! From what the squares choose to a tour, and back.
//!
//! Squares are those of the board with its short side across until the end; there they are exchanged if the board asked
//! for stands the other way.

use super::digits::Digits;
use crate::board::{Board, Ending, Square, Tour, TourFault};
use crate::count::order::processing_order;

/// Who may be chosen by each square, in the order of processing.
pub(super) struct Choices {
    /// The board asked for.
    board: Board,
    /// The same with its short side across, and its squares.
    upright: Board,
    squares: Vec<Square>,
    /// By place in the order: the neighbours that are still to be processed, in the order of the step's `ahead`. The apex
    /// of an open tour comes after the last.
    ahead: Vec<Vec<Square>>,
    /// When each square is processed.
    place: Vec<u32>,
}

impl Choices {
    /// Those of a board.
    pub(super) fn new(board: Board) -> Choices {
        let (upright, squares) = processing_order(board);
        let mut place = vec![0; squares.len()];
        (0..).zip(&squares).for_each(|(at, square)| place[square.index() as usize] = at);
        let later = |square: Square| {
            let own = place[square.index() as usize];
            upright.neighbours(square).filter(|next| place[next.index() as usize] > own).collect()
        };
        let ahead = squares.iter().map(|&square| later(square)).collect();
        Choices { board, upright, squares, ahead, place }
    }

    /// The tour whose squares choose these neighbours: a closed one from `begin`, or else its first square, on to the
    /// lesser neighbour; an open one from `begin`, or else from the lesser of its ends, or the greater.
    ///
    /// # Errors
    /// The fault of what is no tour: then the choices are none of a tour.
    pub(super) fn tour(&self, chosen: &[u8], digits: Digits, begin: Option<Square>) -> Result<Tour, TourFault> {
        let none = self.squares[0];
        let mut next = vec![(0, [none; 2]); self.squares.len()];
        let mut ends = Vec::new();
        for ((&square, ahead), &chosen) in self.squares.iter().zip(&self.ahead).zip(chosen) {
            let own = self.to_board(square, digits.turned);
            for (place, &other) in ahead.iter().enumerate() {
                if chosen >> place & 1 == 1 {
                    let other = self.to_board(other, digits.turned);
                    for (from, to) in [(own, other), (other, own)] {
                        let (degree, neighbours) = &mut next[from.index() as usize];
                        neighbours[(*degree).min(1)] = to;
                        *degree += 1;
                    }
                }
            }
            if chosen >> ahead.len() & 1 == 1 {
                ends.push(own);
            }
        }
        ends.sort();
        let ending = if ends.is_empty() { Ending::Closed } else { Ending::Open };
        let first = begin.or(ends.get(usize::from(digits.backwards)).copied()).or(self.board.at(0)).unwrap_or(none);
        let mut tour = Vec::with_capacity(self.squares.len());
        let (mut before, mut at) = (None, first);
        for _ in 0..self.squares.len() {
            tour.push(at);
            let (degree, [a, b]) = next[at.index() as usize];
            let to = match before {
                None if degree == 2 => a.min(b),
                None => a,
                Some(before) if a == before => b,
                Some(_) => a,
            };
            (before, at) = (Some(at), to);
        }
        Tour::verify(self.board, ending, tour)
    }

    /// What the squares choose in a tour, which is turned first if that is said.
    pub(super) fn chosen(&self, tour: &Tour, turned: bool) -> Vec<u8> {
        let squares: Vec<Square> = tour.squares().iter().map(|&square| self.to_upright(square, turned)).collect();
        let mut chosen = vec![0; squares.len()];
        let mut choose = |a: Square, b: Square| {
            let (early, late) = if self.place(a) < self.place(b) { (a, b) } else { (b, a) };
            let at = self.place(early) as usize;
            let place = self.ahead[at].iter().position(|&other| other == late);
            chosen[at] |= place.map_or(0, |place| 1 << place);
        };
        squares.windows(2).for_each(|step| choose(step[0], step[1]));
        let ends = [squares[0], squares[squares.len() - 1]];
        match tour.ending() {
            Ending::Closed => choose(ends[0], ends[1]),
            Ending::Open => ends.iter().for_each(|&end| {
                let at = self.place(end) as usize;
                chosen[at] |= 1 << self.ahead[at].len();
            }),
        }
        chosen
    }

    /// The colours of the ends of an open tour, in the order of processing.
    pub(super) fn end_colours(&self, tour: &Tour) -> [usize; 2] {
        let squares = tour.squares();
        let mut ends = [squares[0], squares[squares.len() - 1]].map(|square| self.to_upright(square, false));
        ends.sort_by_key(|&end| self.place(end));
        ends.map(|end| {
            let (row, col) = self.upright.row_col(end);
            ((row + col) % 2) as usize
        })
    }

    fn place(&self, square: Square) -> u32 {
        self.place[square.index() as usize]
    }

    /// A square of the board asked for, on the upright board, and turned.
    fn to_upright(&self, square: Square, turned: bool) -> Square {
        exchange(self.board, self.upright, turn(self.board, square, turned))
    }

    /// The way back.
    fn to_board(&self, square: Square, turned: bool) -> Square {
        turn(self.board, exchange(self.upright, self.board, square), turned)
    }
}

/// The square where a half turn takes one, if it is to be.
fn turn(board: Board, square: Square, turned: bool) -> Square {
    let to = if turned { board.squares() - 1 - square.index() } else { square.index() };
    board.at(to).unwrap_or(square)
}

/// The same square of a board whose rows are the columns of another one, unless it is the same board.
fn exchange(from: Board, to: Board, square: Square) -> Square {
    let (row, col) = from.row_col(square);
    if from == to { square } else { to.square(col, row).unwrap_or(square) }
}
