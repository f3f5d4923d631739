//! What the words and marks of the step view mean: the text of its help.

use crate::ui::kit::{MOVES_WORDS, PaneWords};

/// The words of the panes.
pub const WORDS: &[PaneWords] = &[
    PaneWords {
        pane: "board",
        words: &[
            ("[3]", "The next move, to a square of rank 3."),
            ("(3)", "A move for later."),
            ("-3-", "A move that has been tried: everything behind it is searched."),
            ("x3x", "A move that was cut."),
            ("!0!", "An isolated square, or another reason for the cut."),
            ("reserved", "The diamond, or R: a square that is kept for the last move."),
        ],
    },
    PaneWords {
        pane: "moves",
        words: &[
            ("moves from", "The moves from the square of the knight, in the order in which they are tried."),
            ("move to", "The number of the move, and where it leads."),
            ("next", "The move that the next step takes."),
            ("tried", "Everything behind the move is searched, or it was cut."),
            ("exhausted", "Every move from the square has been tried."),
            ("visited", "The square is on the path already, with this number."),
            ("kept", "The square is kept for the last move."),
        ],
    },
    MOVES_WORDS,
    PaneWords {
        pane: "steps",
        words: &[
            ("steps", "The latest steps in words; the last line is the latest one."),
            ("cut", "The search does not enter a square, because no tour can come of it, for the reason that is said."),
            ("isolated", "A square that no path can enter and leave any more."),
            ("vacant", "Not visited yet."),
            ("dead end", "The knight has no move, and the path is no tour."),
            ("back", "The search goes back to an earlier square."),
        ],
    },
    PaneWords {
        pane: "header",
        words: &[
            ("step", "Steps so far: entering a square, cutting a move and going back are one each."),
            ("nodes", "Squares entered."),
            ("pruned", "Moves that were cut."),
            ("tours", "Tours found."),
            ("depth", "Squares on the path, of all squares."),
            ("10s", "A number before a key: ten steps. 5n goes on to the fifth tour from here."),
        ],
    },
];
