//! From the choices of the squares to a tour, and back.
//!
//! The layers use the upright shape: the squares of the question with the short side across. Rows and columns are exchanged
//! on the way to the upright shape and back if the two differ, and rows and columns of holes at the edges are left out.

use super::digits::Digits;
use crate::board::{Board, Ending, Shape, Square, Tour, TourFault};
use crate::count::ask::upright_shape::UprightShape;
use crate::count::states::order::{Images, in_order};

/// The neighbours that each square of a board may choose, in the order of processing.
pub(super) struct Choices {
    /// The shape of the question.
    shape: Shape,
    upright: UprightShape,
    /// The squares of the upright shape, in the order of processing.
    squares: Vec<Square>,
    /// By place in the order of processing: the square on the board of the question.
    asked: Vec<Square>,
    /// By place in the order of processing: the neighbours that come later, in the order of the step's `ahead`. The apex of an
    /// open tour comes after the last neighbour.
    ahead: Vec<Vec<Square>>,
    /// By square of the upright shape: its place in the order of processing.
    place: Vec<u32>,
}

impl Choices {
    pub(super) fn new(shape: &Shape) -> Choices {
        let upright = UprightShape::new(shape);
        let squares: Vec<Square> = in_order(&upright.shape, Images::Both).collect();
        let mut place = vec![0; upright.shape.board().squares() as usize];
        (0..).zip(&squares).for_each(|(at, square)| place[square.index() as usize] = at);
        let mut asked = squares.clone();
        for (square, on_upright) in shape.all().filter_map(|square| Some((square, upright.square(square)?))) {
            asked[place[on_upright.index() as usize] as usize] = square;
        }
        let later = |square: Square| {
            let own = place[square.index() as usize];
            upright.shape.neighbours(square).filter(|next| place[next.index() as usize] > own).collect()
        };
        let ahead = squares.iter().map(|&square| later(square)).collect();
        Choices { shape: shape.clone(), upright, squares, asked, ahead, place }
    }

    /// The tour whose squares choose these neighbours. A closed tour begins at `begin`, or else at the first square of the
    /// shape, and continues at the lesser neighbour. An open tour begins at `begin`, or else at the lesser of its ends, or at
    /// the greater if `digits.backwards`. Returns a fault if the choices do not make a tour.
    pub(super) fn tour(&self, chosen: &[u8], digits: Digits, begin: Option<Square>) -> Result<Tour, TourFault> {
        let none = self.squares[0];
        let mut next = vec![(0, [none; 2]); self.shape.board().squares() as usize];
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
        let end = ends.get(usize::from(digits.backwards)).copied();
        let first = begin.or(end).or_else(|| self.shape.all().next()).unwrap_or(none);
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
        Tour::verify(&self.shape, ending, tour)
    }

    /// The choices of the squares in a tour. With `turned` the tour is first turned by a half turn.
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

    /// The colours of the ends of an open tour, (row + column) mod 2, in the order of processing.
    pub(super) fn end_colours(&self, tour: &Tour) -> [usize; 2] {
        let squares = tour.squares();
        let mut ends = [squares[0], squares[squares.len() - 1]].map(|square| self.to_upright(square, false));
        ends.sort_by_key(|&end| self.place(end));
        ends.map(|end| {
            let (row, col) = self.upright.shape.board().row_col(end);
            ((row + col) % 2) as usize
        })
    }

    fn place(&self, square: Square) -> u32 {
        self.place[square.index() as usize]
    }

    /// The square of the upright shape for a square of the board of the question, which is turned first with `turned`.
    fn to_upright(&self, square: Square, turned: bool) -> Square {
        self.upright.square(turn(self.shape.board(), square, turned)).unwrap_or(square)
    }

    /// The square of the board of the question for a square of the upright shape: the inverse of [`Choices::to_upright`].
    fn to_board(&self, square: Square, turned: bool) -> Square {
        turn(self.shape.board(), self.asked[self.place(square) as usize], turned)
    }
}

/// The image of a square under a half turn with `turned`, otherwise the square itself.
fn turn(board: Board, square: Square, turned: bool) -> Square {
    let to = if turned { board.squares() - 1 - square.index() } else { square.index() };
    board.at(to).unwrap_or(square)
}
