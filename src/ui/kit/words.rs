//! Words that several screens explain: of moves, and of units.

use super::screen_keys::PaneWords;

/// Ranks, and the eight moves by the compass and by their numbers in [`MOVES`](crate::board::MOVES).
pub const MOVES_WORDS: PaneWords = PaneWords {
    pane: "moves and ranks",
    words: &[
        RANK,
        ("move", "One of the eight moves of a knight N, by the compass; north is up:"),
        ("", "... NNW ... NNE ..."),
        ("", "WNW ... ... ... ENE"),
        ("", "... ... .N. ... ..."),
        ("", "WSW ... ... ... ESE"),
        ("", "... SSW ... SSE ..."),
        (
            "0 to 7",
            "The numbers of the moves, in the order of Radley's search: WSW 0, WNW 1, SSW 2, NNW 3, NNE 4, SSE 5, ENE 6, ESE 7.",
        ),
        TIE,
        LOWEST,
    ],
};

/// Ranks, and the eight moves by the numbers of the shaders.
pub const SHADER_MOVES_WORDS: PaneWords = PaneWords {
    pane: "moves and ranks",
    words: &[
        RANK,
        ("move", "One of the eight moves of a knight N, by its number:"),
        ("", ". 3 . 1 ."),
        ("", "7 . . . 5"),
        ("", ". . N . ."),
        ("", "6 . . . 4"),
        ("", ". 2 . 0 ."),
        TIE,
        LOWEST,
    ],
};

const RANK: (&str, &str) = (
    "rank",
    "Warnsdorff's rank of a square: the moves onward that it has, which is its number of unvisited neighbours.",
);
const TIE: (&str, &str) = ("tie", "Two moves have the same rank; a tie-break chooses one of them.");
const LOWEST: (&str, &str) = ("lowest", "Warnsdorff's rule takes the move of the lowest rank.");

/// The units of numbers and of short times.
pub const UNITS_WORDS: PaneWords = PaneWords {
    pane: "units",
    words: &[
        ("k M G", "Thousands, millions, billions: 1.85G is 1,850,000,000."),
        ("T P E", "10^12, which is a thousand billions, 10^15 and 10^18."),
        ("ms us ns", "A thousandth, a millionth and a billionth of a second."),
    ],
};
