//! The eight moves as the source numbers them, and the orders in which they can be compared.
//!
//! ```text
//! . 3 . 1 .
//! 7 . . . 5
//! . . K . .
//! 6 . . . 4
//! . 2 . 0 .
//! ```
//!
//! Where several squares have the lowest rank, the first move in the order wins. The source compares 0, 1, .. 7;
//! another order is another tie-break, and there are 8! = 40,320 orders.
//!
//! # Source
//! Suraj N. Kurapati, "Knight's Tour in Cg", 2007. The numbers are those of the program that belongs to it.

use crate::board::{Board, MOVES, Square, opposite};
use std::fmt;

/// The moves by the numbers of the source, as indices into [`MOVES`]. The shaders number them so too.
const CODES: [u8; 8] = [5, 4, 2, 3, 7, 6, 0, 1];

/// How a move changes column and row, by its number: [`MOVES`] in the order of the source.
pub const STEPS: [(i32, i32); 8] = {
    let (mut steps, mut k) = ([(0, 0); 8], 0);
    while k < steps.len() {
        let (down, right) = MOVES[CODES[k] as usize];
        (steps[k], k) = ((right, down), k + 1);
    }
    steps
};

/// The number that stands for no move.
pub const NO_MOVE: u8 = 8;

/// The number of a move XOR this is the number of the reverse move.
pub const BACK: u8 = 3;

const _: () = {
    let mut k = 0;
    while k < CODES.len() {
        assert!(CODES[k ^ BACK as usize] as usize == opposite(CODES[k] as usize), "a move leads back");
        k += 1;
    }
};

/// The number of orders of eight moves.
pub const ORDERS: u32 = 40_320;

/// An order of the eight moves: a permutation of 0..8, the numbers of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Compass([u8; 8]);

impl Compass {
    /// The order in which the source compares the moves.
    pub const SOURCE: Compass = Compass([0, 1, 2, 3, 4, 5, 6, 7]);

    /// An order of moves; `None` unless each of 0..8 is among them.
    pub fn new(moves: [u8; 8]) -> Option<Compass> {
        (0..8).all(|k| moves.contains(&k)).then_some(Compass(moves))
    }

    /// Order number `n`. Orders are numbered in lexicographic order of their digits; number 0 is the source's.
    ///
    /// # Panics
    /// When `n` is not below [`ORDERS`].
    pub fn nth(n: u32) -> Compass {
        assert!(n < ORDERS, "there are {ORDERS} orders of eight moves, counted from 0, and no {n}");
        let mut left: Vec<u8> = (0..8).collect();
        let (mut rest, mut radix) = (n, ORDERS);
        let moves = [8, 7, 6, 5, 4, 3, 2, 1].map(|choices| {
            radix /= choices;
            let k = rest / radix;
            rest %= radix;
            left.remove(k as usize)
        });
        Compass(moves)
    }

    /// The moves of the order, first to last.
    pub fn moves(self) -> [u8; 8] {
        self.0
    }

    /// The moves of the order as indices into [`MOVES`].
    pub fn codes(self) -> [u8; 8] {
        self.0.map(|k| CODES[usize::from(k)])
    }

    /// The squares that are free and a knight's move away from a square, in this order of the moves, each with its rank: the number of
    /// squares around it that are free.
    pub fn ranked(
        self,
        board: Board,
        from: Square,
        is_free: impl Fn(&Square) -> bool + Copy,
    ) -> impl Iterator<Item = (usize, Square)> {
        let beside = self.codes().into_iter().filter_map(move |code| board.step(from, code.into())).filter(is_free);
        beside.map(move |square| (board.neighbours(square).filter(is_free).count(), square))
    }

    /// The order as a shader reads it: four bits a move, the first in the lowest.
    pub fn packed(self) -> u32 {
        self.0.iter().rev().fold(0, |packed, &k| packed << 4 | u32::from(k))
    }
}

impl fmt::Display for Compass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.map(|k| char::from(b'0' + k)).iter().collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn orders_are_numbered_by_their_digits() {
        assert_eq!(Compass::nth(0), Compass::SOURCE);
        assert_eq!(Compass::nth(1).to_string(), "01234576");
        assert_eq!(Compass::nth(ORDERS - 1).to_string(), "76543210");
        let all: Vec<Compass> = (0..ORDERS).map(Compass::nth).collect();
        assert!(all.is_sorted());
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), ORDERS as usize);
        assert_eq!(Compass::new([0, 1, 2, 3, 4, 5, 6, 6]), None);
    }

    #[test]
    fn moves_are_those_of_the_source() {
        assert_eq!(STEPS, [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)]);
        assert_eq!(Compass::nth(1).codes(), [5, 4, 2, 3, 7, 6, 1, 0]);
        assert_eq!(Compass::nth(1).packed(), 0x6754_3210);
    }
}
