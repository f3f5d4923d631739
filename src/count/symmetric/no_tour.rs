//! Why a symmetry keeps no tour of a board at all, where that can be said without counting.
//!
//! A tour that is kept is turned along itself, or reversed (see [`super`]); turned only if it is closed. A turn moves
//! every square, and by a number of moves that its order divides into the cycle, so colours say whether it can be. A
//! reversal of a closed tour exchanges the ends of two moves; one of an open tour keeps its middle in place, a square or a
//! move, and nothing else.

use crate::board::{Board, Ending, Symmetry};

/// Why `symmetry`, one of the board's, keeps no tour of it; nothing if it may keep some.
pub fn reason_for_none(board: Board, ending: Ending, symmetry: Symmetry) -> Option<String> {
    let existence = board.existence(ending);
    if !existence.exists {
        return Some(format!("there are no tours to keep: {}", existence.reason));
    }
    if board.squares() == 1 {
        return None;
    }
    match (symmetry, ending) {
        (Symmetry::Identity, _) => None,
        (Symmetry::HalfTurn, _) => against_half_turn(board, ending),
        (Symmetry::QuarterTurn | Symmetry::ThreeQuarterTurn, _) => against_quarter_turn(board, ending),
        (_, Ending::Closed) => against_mirror_of_closed(board, symmetry),
        (_, Ending::Open) => {
            let middle = "so no move can be the middle of an open tour that the mirror reverses";
            let fixed = "and a square can be it only where the mirror leaves no other one in place";
            Some(format!("a mirror image is never a knight's move away, {middle}, {fixed}"))
        }
    }
}

fn against_half_turn(board: Board, ending: Ending) -> Option<String> {
    let even = |side: u32| side.is_multiple_of(2);
    let keeps_colours = even(board.rows()) && even(board.cols());
    (ending == Ending::Open && keeps_colours).then(|| {
        "where both sides are even a half turn keeps the colours, and a move changes them, so no move can be the middle of \
         an open tour that it reverses"
            .to_owned()
    })
}

fn against_quarter_turn(board: Board, ending: Ending) -> Option<String> {
    match ending {
        Ending::Open => Some(
            "an open tour can only be left as it is or reversed, and a quarter turn does neither: done twice it would have \
             to be nothing"
                .to_owned(),
        ),
        Ending::Closed => (board.rows() % 4 != 2).then(|| {
            "a quarter turn changes the colours where the side is even, so a quarter of the cycle must be an odd number of \
             moves: the side must be 2 more than a multiple of 4"
                .to_owned()
        }),
    }
}

fn against_mirror_of_closed(board: Board, symmetry: Symmetry) -> Option<String> {
    let turn = "a mirror image is never a knight's move away, so a mirror can only turn the cycle by half its length";
    let fixed = board.all().filter(|&square| symmetry.apply(board, square) == square).count();
    if fixed > 0 {
        return Some(format!("{turn}, and a turn leaves no square in place; this one leaves {fixed}"));
    }
    let half = board.squares() / 2;
    half.is_multiple_of(2).then(|| {
        format!(
            "{turn}; that would be {half} moves, an even number, which keeps the colours, and this mirror changes them"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::symmetric::quotient::FoldedBoard;

    /// A reason is given just where the folded board has no graph to count in, or there is no tour at all.
    #[test]
    fn reasons_stand_where_there_is_nothing_to_count() {
        for (rows, cols) in (1..=11).flat_map(|rows| (1..=11).map(move |cols| (rows, cols))) {
            let board = Board::new(rows, cols).unwrap();
            for &symmetry in board.symmetries().iter().filter(|&&symmetry| symmetry != Symmetry::Identity) {
                for ending in [Ending::Closed, Ending::Open] {
                    let folded = FoldedBoard::new(board, symmetry);
                    let countable = board.existence(ending).exists
                        && match ending {
                            Ending::Closed => folded.cycles().is_some() || folded.paths_between_special().is_some(),
                            Ending::Open => board.squares() == 1 || folded.paths_from_special().is_some(),
                        };
                    let why = reason_for_none(board, ending, symmetry);
                    assert_eq!(why.is_none(), countable, "{board} {ending:?} {symmetry}: {why:?}");
                }
            }
        }
    }
}
