//! Words of every screen on which a knight moves.

use super::screen_keys::PaneWords;

/// Ranks, and the numbers of the eight moves.
pub const MOVES_WORDS: PaneWords = PaneWords {
    pane: "moves and ranks",
    words: &[
        (
            "rank",
            "Warnsdorff's rank of a square: the moves onward that it has, which is its number of unvisited neighbours.",
        ),
        ("move", "One of the eight moves of a knight N, by its number:"),
        ("", ". 3 . 1 ."),
        ("", "7 . . . 5"),
        ("", ". . N . ."),
        ("", "6 . . . 4"),
        ("", ". 2 . 0 ."),
        ("tie", "Two moves have the same rank; a tie-break chooses one of them."),
        ("lowest", "Warnsdorff's rule takes the move of the lowest rank."),
    ],
};
