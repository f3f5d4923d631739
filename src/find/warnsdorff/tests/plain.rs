//! Warnsdorff's rule for one move, written without the kernel: every rank counted anew from the squares visited.

use super::super::ties::order;
use crate::board::{Board, Square, Symmetry};
use crate::find::Tie;

/// The squares to which the rule lets a knight on `here` go: one, or those between which it draws lots.
pub fn left(board: Board, visited: impl Fn(Square) -> bool, here: Square, tie: Tie) -> Vec<Square> {
    let around =
        Around { board, order: order(tie, Symmetry::Identity), open: |square| square != here && !visited(square) };
    let mut left: Vec<Square> = around.of(here).collect();
    keep_least(&mut left, |square| around.rank(square));
    match tie {
        Tie::Kurapati | Tie::Fixed | Tie::Random => {}
        Tie::Roth | Tie::RothRandom => keep_least(&mut left, |square| u128::MAX - distance(board, square)),
        Tie::Pohl(levels) => (1..=levels).for_each(|level| keep_least(&mut left, |square| around.sum(square, level))),
        Tie::LowestNeighbour => {
            keep_least(&mut left, |square| around.of(square).map(|next| around.rank(next)).min().unwrap_or(u32::MAX));
        }
    }
    if !tie.draws_lots() {
        left.truncate(1);
    }
    left
}

fn keep_least<V: Ord>(squares: &mut Vec<Square>, value: impl Fn(Square) -> V) {
    let Some(least) = squares.iter().copied().map(&value).min() else { return };
    squares.retain(|&square| value(square) == least);
}

/// Twice the distance from the centre of the board, squared.
fn distance(board: Board, square: Square) -> u128 {
    let (row, col) = board.row_col(square);
    let off = |at: u32, side: u32| u128::from((2 * u64::from(at)).abs_diff(u64::from(side - 1)));
    let (down, right) = (off(row, board.rows()), off(col, board.cols()));
    down * down + right * right
}

/// The open squares around a square.
struct Around<F> {
    board: Board,
    order: [u8; 8],
    open: F,
}

impl<F: Fn(Square) -> bool> Around<F> {
    fn of(&self, square: Square) -> impl Iterator<Item = Square> {
        self.order.iter().filter_map(move |&k| self.board.step(square, k.into())).filter(|&square| (self.open)(square))
    }

    fn rank(&self, square: Square) -> u32 {
        self.of(square).count() as u32
    }

    /// The sum of the ranks `level` levels on.
    fn sum(&self, square: Square, level: u32) -> u64 {
        match level {
            0 => self.rank(square).into(),
            _ => self.of(square).map(|next| self.sum(next, level - 1)).sum(),
        }
    }
}
