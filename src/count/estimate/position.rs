//! A tour that grows move by move, in no order: which moves are still open, what is forced, and how many tours are left.
//!
//! Moves that are made form fragments. A square needs as many moves as it still wants, two at first; the two ends of a
//! fragment, each other's mates, want one each. A move that is no longer possible is deleted at both its squares, and
//! whoever has as few moves left as it wants makes them all. A move between mates would close a fragment before all
//! squares are on it, so it goes as soon as they are mates.

use crate::board::Board;

/// Most squares of a board: their numbers fit in a byte.
pub(super) const SQUARES_MAX: usize = 256;
/// Moves of a knight at most, and as many directions: the opposite one of `k` is `7 - k`.
const DIRECTIONS: [(i64, i64); 8] = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

/// The moves of a board, by square and direction.
#[derive(Clone, Debug)]
pub(super) struct MoveTable {
    /// Where each leads; a move that leads off the board is not in `open`.
    to: Vec<[u8; 8]>,
    /// Sets of directions.
    open: Vec<u8>,
}

/// Squares that must be looked at again, because they lost a move or made one.
pub(super) type TouchedSquares = Vec<u8>;

/// What forced moves have led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ForcedOutcome {
    /// Some square cannot get its moves any more.
    Dead,
    /// Nothing is forced.
    Open,
    /// All squares are on one path, whose ends are a move apart: it is a tour.
    Tour,
}

/// A set of fragments and the moves still open; see the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// By square the directions still open.
    open: [u8; SQUARES_MAX],
    /// By square how many moves it still wants.
    wants: [u8; SQUARES_MAX],
    /// By end of a fragment its other end; a bare square is its own mate. Of squares inside it means nothing.
    mate: [u8; SQUARES_MAX],
    /// Number of fragments and bare squares.
    pieces: u32,
}

impl MoveTable {
    /// The moves of a board, or nothing when it has more than [`SQUARES_MAX`] squares.
    pub(super) fn new(board: Board) -> Option<MoveTable> {
        let (rows, cols) = (i64::from(board.rows()), i64::from(board.cols()));
        if rows * cols > SQUARES_MAX as i64 {
            return None;
        }
        let (mut to, mut open) = (vec![[0; 8]; (rows * cols) as usize], vec![0; (rows * cols) as usize]);
        for (square, (to, open)) in to.iter_mut().zip(&mut open).enumerate() {
            let (row, col) = (square as i64 / cols, square as i64 % cols);
            for (direction, (down, right)) in DIRECTIONS.iter().enumerate() {
                let (row, col) = (row + down, col + right);
                if (0..rows).contains(&row) && (0..cols).contains(&col) {
                    to[direction] = (row * cols + col) as u8;
                    *open |= 1 << direction;
                }
            }
        }
        Some(MoveTable { to, open })
    }

    /// Number of squares.
    pub(super) fn squares(&self) -> usize {
        self.to.len()
    }

    /// Where a move leads.
    #[inline(always)]
    pub(super) fn to(&self, square: usize, direction: usize) -> usize {
        usize::from(self.to[square][direction])
    }

    /// The direction of the move between two squares, if there is one.
    fn between(&self, from: usize, to: usize) -> Option<usize> {
        directions(self.open[from]).find(|&direction| self.to(from, direction) == to)
    }
}

/// The directions of a set.
#[inline(always)]
pub(super) fn directions(mut set: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (first < 8).then_some(first)
    })
}

impl Position {
    /// No move made; every square is to be looked at.
    pub(super) fn new(moves: &MoveTable, touched: &mut TouchedSquares) -> Position {
        let squares = moves.squares();
        let mut open = [0; SQUARES_MAX];
        open[..squares].copy_from_slice(&moves.open);
        touched.extend((0..squares).map(|square| square as u8));
        Position { open, wants: [2; SQUARES_MAX], mate: std::array::from_fn(|s| s as u8), pieces: squares as u32 }
    }

    /// The same with two squares as the ends of the tour: joined outside the board, so that a closed tour is left to find.
    pub(super) fn ending_at(mut self, moves: &MoveTable, touched: &mut TouchedSquares, ends: [usize; 2]) -> Position {
        for (end, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            self.wants[end] = 1;
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

    /// The directions still open to a square.
    #[inline(always)]
    pub(super) fn open(&self, square: usize) -> u8 {
        self.open[square]
    }

    /// How many moves a square still wants.
    #[inline(always)]
    pub(super) fn wants(&self, square: usize) -> u8 {
        self.wants[square]
    }

    #[inline(always)]
    fn remove_move(&mut self, moves: &MoveTable, square: usize, direction: usize) -> usize {
        let other = moves.to(square, direction);
        self.open[square] &= !(1 << direction);
        self.open[other] &= !(1 << (7 - direction));
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
            self.wants[joined] -= 1;
            if self.wants[joined] == 0 {
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

    /// Makes forced moves until there are none; nothing is left to be looked at.
    pub(super) fn make_forced_moves(&mut self, moves: &MoveTable, touched: &mut TouchedSquares) -> ForcedOutcome {
        while self.pieces > 1 {
            let Some(square) = touched.pop().map(usize::from) else { return ForcedOutcome::Open };
            let (open, wants) = (self.open[square], u32::from(self.wants[square]));
            if open.count_ones() < wants {
                touched.clear();
                return ForcedOutcome::Dead;
            }
            if open.count_ones() == wants && wants > 0 {
                // Those that are forced beside it follow when it is looked at again.
                let direction = open.trailing_zeros() as usize;
                self.join(moves, touched, square, direction);
                touched.push(square as u8);
            }
        }
        touched.clear();
        self.closing_outcome(moves)
    }

    /// Whether the ends of the one path that is left are a move apart.
    fn closing_outcome(&self, moves: &MoveTable) -> ForcedOutcome {
        let end = (0..moves.squares()).find(|&square| self.wants[square] == 1);
        let closing = end.and_then(|end| moves.between(end, usize::from(self.mate[end])));
        closing.map_or(ForcedOutcome::Dead, |_| ForcedOutcome::Tour)
    }

    /// The end of a fragment with the fewest moves open; the first of several.
    pub(super) fn narrowest(&self, moves: &MoveTable) -> usize {
        let (mut narrowest, mut fewest) = (0, u32::MAX);
        for square in (0..moves.squares()).filter(|&square| self.wants[square] == 1) {
            let open = self.open[square].count_ones();
            if open < fewest {
                (narrowest, fewest) = (square, open);
            }
            // One that had only one has made it.
            if open <= 2 {
                break;
            }
        }
        narrowest
    }

    /// The position after a move and those that it forces, and what they have led to.
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

    /// The number of tours that contain a settled position, which is not dead.
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

    /// All tours of a board, closed, or open between two squares.
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
    fn a_board_of_more_squares_than_a_byte_can_number_is_not_taken() {
        assert!(MoveTable::new("16x16".parse().unwrap()).is_some());
        assert!(MoveTable::new("16x17".parse().unwrap()).is_none());
    }
}
