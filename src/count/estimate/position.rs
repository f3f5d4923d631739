//! A tour that grows move by move, in any order: its open moves, its forced moves, and the number of tours that contain it.
//!
//! The moves that are made form fragments. A bare square needs two moves; the two ends of a fragment, each the other's mate,
//! want one each. A move that is no longer possible is deleted at both its squares. A square that has as few open moves as it
//! needs makes all of them. A move between two mates would close a fragment before all squares are on it, so it is deleted
//! as soon as the two squares are mates.

use crate::board::{Board, MOVES, opposite};

/// The most squares of a board: the number of a square fits in a byte.
pub(super) const SQUARES_MAX: usize = 256;

/// The directions of moves, as indices into [`MOVES`], in the order of the numbers of the squares to which they lead.
///
/// A walk draws among the open directions by their place in this order, so the order decides what a seed gives: a change
/// would change every estimate.
const DIRECTIONS: [usize; 8] = [3, 4, 1, 6, 0, 7, 2, 5];

/// The direction that leads back. A direction and its opposite are as far from the two ends of the order.
#[inline(always)]
const fn back(direction: usize) -> usize {
    7 - direction
}

const _: () = {
    let mut direction = 0;
    while direction < DIRECTIONS.len() {
        assert!(DIRECTIONS[back(direction)] == opposite(DIRECTIONS[direction]), "a direction leads back");
        direction += 1;
    }
};

/// The moves of a board, by square and direction.
#[derive(Clone, Debug)]
pub(super) struct MoveTable {
    /// By square and direction: the square that the move leads to. It means nothing for a direction that is not in `open`.
    to: Vec<[u8; 8]>,
    /// By square: the set of directions that stay on the board.
    open: Vec<u8>,
}

/// Squares to check for forced moves, because they lost a move or made one.
pub(super) type TouchedSquares = Vec<u8>;

/// The result of making all forced moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ForcedOutcome {
    /// Some square has fewer open moves than it needs, or the last path cannot be closed: no tour contains the position.
    Dead,
    /// No move is forced.
    Open,
    /// All squares are on one path, whose ends are a move apart: it is a tour.
    Tour,
}

/// A set of fragments, and the moves that are still open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// By square: the open directions.
    open: [u8; SQUARES_MAX],
    /// By square: the number of moves that it still needs.
    needs: [u8; SQUARES_MAX],
    /// By end of a fragment: the other end. A bare square is its own mate; for a square inside a fragment it means nothing.
    mate: [u8; SQUARES_MAX],
    /// Number of fragments and bare squares.
    pieces: u32,
}

impl MoveTable {
    /// The moves of a board; `None` if it has more than [`SQUARES_MAX`] squares.
    pub(super) fn new(board: Board) -> Option<MoveTable> {
        let (rows, cols) = (i64::from(board.rows()), i64::from(board.cols()));
        if rows * cols > SQUARES_MAX as i64 {
            return None;
        }
        let (mut to, mut open) = (vec![[0; 8]; (rows * cols) as usize], vec![0; (rows * cols) as usize]);
        for (square, (to, open)) in to.iter_mut().zip(&mut open).enumerate() {
            let (row, col) = (square as i64 / cols, square as i64 % cols);
            for (direction, (down, right)) in DIRECTIONS.map(|k| MOVES[k]).into_iter().enumerate() {
                let (row, col) = (row + i64::from(down), col + i64::from(right));
                if (0..rows).contains(&row) && (0..cols).contains(&col) {
                    to[direction] = (row * cols + col) as u8;
                    *open |= 1 << direction;
                }
            }
        }
        Some(MoveTable { to, open })
    }

    pub(super) fn squares(&self) -> usize {
        self.to.len()
    }

    #[inline(always)]
    pub(super) fn to(&self, square: usize, direction: usize) -> usize {
        usize::from(self.to[square][direction])
    }

    /// The direction of the move between two squares, if there is one.
    fn between(&self, from: usize, to: usize) -> Option<usize> {
        directions(self.open[from]).find(|&direction| self.to(from, direction) == to)
    }
}

#[inline(always)]
pub(super) fn directions(mut set: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (first < 8).then_some(first)
    })
}

impl Position {
    /// The position without a move. Every square is touched.
    pub(super) fn new(moves: &MoveTable, touched: &mut TouchedSquares) -> Position {
        let squares = moves.squares();
        let mut open = [0; SQUARES_MAX];
        open[..squares].copy_from_slice(&moves.open);
        touched.extend((0..squares).map(|square| square as u8));
        Position { open, needs: [2; SQUARES_MAX], mate: std::array::from_fn(|s| s as u8), pieces: squares as u32 }
    }

    /// This position with two squares as the ends of an open tour. The ends are joined outside the board, so that the open
    /// tours between them are the closed tours of the new position.
    pub(super) fn ending_at(mut self, moves: &MoveTable, touched: &mut TouchedSquares, ends: [usize; 2]) -> Position {
        for (end, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            self.needs[end] = 1;
            self.mate[end] = other as u8;
        }
        self.pieces -= 1;
        if let Some(direction) = moves.between(ends[0], ends[1]) {
            self.delete(moves, touched, ends[0], direction);
        }
        self
    }

    /// Number of fragments and bare squares.
    pub(super) fn pieces(&self) -> u32 {
        self.pieces
    }

    /// The open directions of a square.
    #[inline(always)]
    pub(super) fn open(&self, square: usize) -> u8 {
        self.open[square]
    }

    /// The number of moves that a square still needs.
    #[inline(always)]
    pub(super) fn needs(&self, square: usize) -> u8 {
        self.needs[square]
    }

    #[inline(always)]
    fn remove_move(&mut self, moves: &MoveTable, square: usize, direction: usize) -> usize {
        let other = moves.to(square, direction);
        self.open[square] &= !(1 << direction);
        self.open[other] &= !(1 << back(direction));
        other
    }

    fn delete(&mut self, moves: &MoveTable, touched: &mut TouchedSquares, square: usize, direction: usize) {
        let other = self.remove_move(moves, square, direction);
        touched.extend([square as u8, other as u8]);
    }

    /// Makes an open move.
    fn join(&mut self, moves: &MoveTable, touched: &mut TouchedSquares, square: usize, direction: usize) {
        let other = self.remove_move(moves, square, direction);
        let (one, two) = (usize::from(self.mate[square]), usize::from(self.mate[other]));
        self.mate[one] = two as u8;
        self.mate[two] = one as u8;
        self.pieces -= 1;
        for joined in [square, other] {
            self.needs[joined] -= 1;
            if self.needs[joined] == 0 {
                directions(self.open[joined]).for_each(|direction| self.delete(moves, touched, joined, direction));
            } else {
                touched.push(joined as u8);
            }
        }
        let between = directions(self.open[one]).find(|&direction| moves.to(one, direction) == two);
        if let Some(direction) = between {
            self.delete(moves, touched, one, direction);
        }
    }

    /// Makes forced moves until none is left. Afterwards no square is touched.
    pub(super) fn make_forced_moves(&mut self, moves: &MoveTable, touched: &mut TouchedSquares) -> ForcedOutcome {
        while self.pieces > 1 {
            let Some(square) = touched.pop().map(usize::from) else { return ForcedOutcome::Open };
            let (open, needs) = (self.open[square], u32::from(self.needs[square]));
            if open.count_ones() < needs {
                touched.clear();
                return ForcedOutcome::Dead;
            }
            if open.count_ones() == needs && needs > 0 {
                // The square is touched again: its second forced move follows then.
                let direction = open.trailing_zeros() as usize;
                self.join(moves, touched, square, direction);
                touched.push(square as u8);
            }
        }
        touched.clear();
        self.closing_outcome(moves)
    }

    /// A tour if the ends of the single remaining path are a move apart, otherwise dead.
    fn closing_outcome(&self, moves: &MoveTable) -> ForcedOutcome {
        let end = (0..moves.squares()).find(|&square| self.needs[square] == 1);
        let closing = end.and_then(|end| moves.between(end, usize::from(self.mate[end])));
        closing.map_or(ForcedOutcome::Dead, |_| ForcedOutcome::Tour)
    }

    /// The end of a fragment with the fewest open moves; the first of several.
    pub(super) fn narrowest(&self, moves: &MoveTable) -> usize {
        let (mut narrowest, mut fewest) = (0, u32::MAX);
        for square in (0..moves.squares()).filter(|&square| self.needs[square] == 1) {
            let open = self.open[square].count_ones();
            if open < fewest {
                (narrowest, fewest) = (square, open);
            }
            // No end has fewer than two open moves: a single one is forced, and made already.
            if open <= 2 {
                break;
            }
        }
        narrowest
    }

    /// The position after the move `by`, a square and a direction, and after the moves that it forces; with the outcome.
    pub(super) fn after(
        &self,
        moves: &MoveTable,
        touched: &mut TouchedSquares,
        by: (usize, usize),
    ) -> (Position, ForcedOutcome) {
        let mut next = *self;
        next.join(moves, touched, by.0, by.1);
        let settled = next.make_forced_moves(moves, touched);
        (next, settled)
    }

    /// The number of tours that contain the position. All forced moves must be made, and the position must not be dead.
    pub(super) fn count_tours(&self, moves: &MoveTable, touched: &mut TouchedSquares) -> u64 {
        if self.pieces == 1 {
            return 1;
        }
        let end = self.narrowest(moves);
        let below = |direction| match self.after(moves, touched, (end, direction)) {
            (_, ForcedOutcome::Dead) => 0,
            (_, ForcedOutcome::Tour) => 1,
            (next, ForcedOutcome::Open) => next.count_tours(moves, touched),
        };
        directions(self.open[end]).map(below).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of tours of a board: closed tours, or open tours between two squares.
    fn tours(board: &str, ends: Option<[usize; 2]>) -> u64 {
        let (moves, mut touched) = (MoveTable::new(board.parse().unwrap()).unwrap(), TouchedSquares::new());
        let bare = Position::new(&moves, &mut touched);
        let mut root = ends.map_or(bare, |ends| bare.ending_at(&moves, &mut touched, ends));
        match root.make_forced_moves(&moves, &mut touched) {
            ForcedOutcome::Dead => 0,
            ForcedOutcome::Tour | ForcedOutcome::Open => root.count_tours(&moves, &mut touched),
        }
    }

    #[test]
    fn every_tour_is_found_once() {
        for (board, expected) in [("3x3", 0), ("3x10", 16), ("10x3", 16), ("5x6", 8), ("6x6", 9862), ("4x6", 0)] {
            assert_eq!(tours(board, None), expected, "{board}");
        }
        for (board, expected) in [("3x4", 8), ("4x5", 82), ("5x5", 864)] {
            let moves = MoveTable::new(board.parse().unwrap()).unwrap().squares();
            let pairs = (0..moves).flat_map(|one| (0..one).map(move |two| [one, two]));
            assert_eq!(pairs.map(|ends| tours(board, Some(ends))).sum::<u64>(), expected, "{board}");
        }
    }

    #[test]
    fn a_board_of_more_squares_than_a_byte_can_number_is_refused() {
        assert!(MoveTable::new("16x16".parse().unwrap()).is_some());
        assert!(MoveTable::new("16x17".parse().unwrap()).is_none());
    }
}
