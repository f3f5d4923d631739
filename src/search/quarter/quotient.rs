//! A square board folded by quarter turns: its orbits, and which of them a knight's move joins.
//!
//! R turns the board by 90 degrees about its centre. A square and its three images are an *orbit*; the centre of an odd
//! board is in none. If a knight's move leads from x to y, one leads from Rx to Ry. So a path through the orbits stands
//! for four rotated paths on the board. 5x5, squares by orbit, `+` the centre:
//!
//! ```text
//! 0 1 2 3 0
//! 3 4 5 4 1
//! 2 5 + 5 2
//! 1 4 5 4 3
//! 0 3 2 1 0
//! ```

use crate::board::{Board, Square, SquareMask, Symmetry};

/// Orbits of the largest board, 16x16.
pub const ORBITS_MAX: usize = 64;

/// The knight graph of a square board, folded by quarter turns.
///
/// Orbits are numbered by their lowest square, which is the square at turn 0; so orbit 0 is that of the corners. Turns
/// are counted 0..4, and `(orbit, turn)` names a square.
#[derive(Clone, Debug)]
pub struct Quotient {
    pub(super) board: Board,
    squares: Vec<[u8; 4]>,
    neighbours: [u64; ORBITS_MAX],
    links: Box<[[u8; ORBITS_MAX]; ORBITS_MAX]>,
    /// The orbits where a knight's move joins squares to their own images. Odd boards have none. Even boards have two,
    /// mirror images of each other: one and a half and one half square from the centre. The move is a quarter turn.
    pub(super) loops: u64,
    /// The orbits that a knight's move joins to the centre: two on odd boards.
    pub(super) around_centre: u64,
}

impl Quotient {
    /// The quotient of a square board of at most 16x16.
    ///
    /// # Panics
    /// When the board is not square or has more than [`ORBITS_MAX`] orbits.
    pub fn new(board: Board) -> Quotient {
        assert!(
            board.rows() == board.cols() && board.squares() / 4 <= ORBITS_MAX as u32,
            "{board} must be square and at most 16x16"
        );
        let mut place = vec![None; board.squares() as usize];
        let mut squares = Vec::new();
        for square in board.all().filter(|&square| Some(square) != centre(board)) {
            if place[square.index() as usize].is_none() {
                let images = orbit(board, square);
                for (turn, image) in images.iter().enumerate() {
                    place[image.index() as usize] = Some((squares.len(), turn));
                }
                squares.push(images);
            }
        }
        let mut quotient = Quotient {
            board,
            squares: squares.iter().map(|images| images.map(|image| image.index() as u8)).collect(),
            neighbours: [0; ORBITS_MAX],
            links: Box::new([[0; ORBITS_MAX]; ORBITS_MAX]),
            loops: 0,
            around_centre: 0,
        };
        for (from, images) in squares.iter().enumerate() {
            for neighbour in board.neighbours(images[0]) {
                match place[neighbour.index() as usize] {
                    Some((to, turn)) => quotient.link(from, to, turn),
                    None => quotient.around_centre |= u64::bit(from),
                }
            }
        }
        quotient
    }

    fn link(&mut self, from: usize, to: usize, turn: usize) {
        self.links[from][to] |= 1 << turn;
        if from == to {
            self.loops |= u64::bit(from);
        } else {
            self.neighbours[from] |= u64::bit(to);
        }
    }

    pub fn orbits(&self) -> usize {
        self.squares.len()
    }

    pub fn all(&self) -> u64 {
        (0..self.orbits()).fold(0, |set, orbit| set | u64::bit(orbit))
    }

    /// The number of the square `(orbit, turn)`; `turn` counts modulo 4.
    #[inline]
    pub fn square(&self, orbit: u8, turn: u8) -> u8 {
        self.squares[usize::from(orbit)][usize::from(turn & 3)]
    }

    /// The number of the centre, if the board has one.
    pub fn centre(&self) -> Option<u8> {
        centre(self.board).map(|square| square.index() as u8)
    }

    /// The other orbits that a knight's move joins to `orbit`.
    #[inline(always)]
    pub fn neighbours(&self, orbit: usize) -> u64 {
        self.neighbours[orbit]
    }

    /// The turns k for which a knight's move leads from `(from, t)` to `(to, t + k)`, as bits 0..4.
    #[inline(always)]
    pub fn links(&self, from: u8, to: u8) -> u8 {
        self.links[usize::from(from)][usize::from(to)]
    }
}

fn centre(board: Board) -> Option<Square> {
    if board.squares().is_multiple_of(2) { None } else { board.at(board.squares() / 2) }
}

/// A square of a square board and its images under one, two and three quarter turns. The turns have the direction of the
/// source: a square below the centre moves to its right.
pub fn orbit(board: Board, square: Square) -> [Square; 4] {
    use Symmetry::{HalfTurn, Identity, QuarterTurn, ThreeQuarterTurn};
    [Identity, ThreeQuarterTurn, HalfTurn, QuarterTurn].map(|turn| turn.apply(board, square))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quotient(side: u64) -> Quotient {
        Quotient::new(Board::new(side, side).unwrap())
    }

    #[test]
    fn orbits_part_the_board_but_for_the_centre() {
        for side in 5..=16 {
            let quotient = quotient(side);
            let orbits = 0..quotient.orbits() as u8;
            let mut squares: Vec<u8> =
                orbits.flat_map(|o| (0..4).map(move |t| (o, t))).map(|(o, t)| quotient.square(o, t)).collect();
            squares.extend(quotient.centre());
            squares.sort_unstable();
            assert!(squares.iter().map(|&s| u64::from(s)).eq(0..side * side), "{side}");
        }
    }

    #[test]
    fn links_are_the_knights_moves_of_the_board() {
        for side in [5, 6, 7, 8, 16] {
            let quotient = quotient(side);
            let board = quotient.board;
            let at = |orbit, turn| board.at(u32::from(quotient.square(orbit, turn))).unwrap();
            let orbits = quotient.orbits() as u8;
            for (a, b) in (0..orbits).flat_map(|a| (0..orbits).map(move |b| (a, b))) {
                for (turn, k) in (0..4).flat_map(|turn| (0..4).map(move |k| (turn, k))) {
                    let linked = quotient.links(a, b) >> k & 1 == 1;
                    assert_eq!(linked, board.adjacent(at(a, turn), at(b, turn + k)), "{side}: {a} {b} {turn} {k}");
                }
                assert_eq!(a != b && quotient.links(a, b) != 0, quotient.neighbours(a.into()).has(b.into()));
            }
        }
    }

    /// The uniqueness of the tours depends on this; `unfold` gives the argument.
    #[test]
    fn even_boards_have_two_loops_that_are_not_joined_and_odd_ones_have_none() {
        for side in 5..=16 {
            let quotient = quotient(side);
            let loops: Vec<u8> = quotient.loops.iter().map(|o| o as u8).collect();
            if side % 2 == 1 {
                assert!(loops.is_empty(), "{side}");
                assert_eq!(quotient.around_centre.len(), 2, "{side}");
            } else {
                assert_eq!(quotient.around_centre, 0);
                let &[a, b] = loops.as_slice() else { panic!("{side}: {loops:?}") };
                assert_eq!(quotient.links(a, b), 0, "{side}");
                assert_eq!((quotient.links(a, a), quotient.links(b, b)), (0b1010, 0b1010), "{side}");
            }
        }
    }

    /// The corner has two neighbours; from 6x6 on they lie in two orbits.
    #[test]
    fn the_corner_has_two_neighbouring_orbits_from_6x6_on() {
        assert_eq!(quotient(5).neighbours(0).len(), 1);
        for side in 6..=16 {
            let corner = quotient(side);
            let turns: Vec<u32> = corner.neighbours(0).iter().map(|o| corner.links(0, o as u8).count_ones()).collect();
            assert_eq!(turns, [1, 1], "{side}");
        }
    }
}
