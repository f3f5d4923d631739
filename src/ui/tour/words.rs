//! What the words and marks of the tour view mean: the text of its help.

use crate::ui::kit::{MOVES_WORDS, PaneWords};

/// The words of the panes.
pub const WORDS: &[PaneWords] = &[
    PaneWords {
        pane: "board",
        words: &[
            ("numbers", "The move that enters the square; 1 is the start."),
            ("[1]", "The square that the next move enters, and its rank."),
            ("(2)", "Another square that the knight could enter, and its rank."),
            ("dot", "A square that is not visited yet; unvisited squares are left over where the path ends early."),
            ("columns", "Columns beyond z have two letters: aa, ab, ..; the letters are those of the columns shown."),
            ("of", "A board that does not fit is shown in part; the map shows which part."),
        ],
    },
    PaneWords {
        pane: "moves",
        words: &[
            (
                "moves from",
                "The eight moves from the square of the knight; an arrow marks the one that the tour takes.",
            ),
            ("square", "Where the move leads."),
            ("rank", "The rank of the square, as a bar. The lowest is Warnsdorff's choice; of several it is a tie."),
            ("visited", "The square was entered before, by the move with this number."),
            ("off the board", "The move leads off the board."),
            ("hole", "The square is none of the board."),
        ],
    },
    MOVES_WORDS,
    PaneWords {
        pane: "header",
        words: &[
            ("move", "The number of the square on which the knight stands, of all squares."),
            ("closed", "The last square is a knight's move from the first; of an open tour it need not be."),
            ("quarter-turn", "The name of the search or method that made the tour."),
            (
                "tour",
                "The number of the tour in its list, and that of the last one shown. A tour has a number, a square a rank.",
            ),
            ("50s", "A number before a key: fifty moves on. 50g, or 50 and enter, goes to move 50; 500n to tour 500."),
        ],
    },
];
