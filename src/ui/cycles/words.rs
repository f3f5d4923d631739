//! What the words and marks of the view of the cycles mean: the text of its help.

use crate::ui::kit::{PaneWords, SHADER_MOVES_WORDS};

/// The words of the panes.
pub const WORDS: &[PaneWords] = &[
    PaneWords {
        pane: "board",
        words: &[
            ("3", "A number on a square: the value of this channel there. The knight is shown reversed."),
            ("!3!", "A rank that is wrong at this moment: the shader does not know yet that the knight is here."),
            ("(3)", "A rank that may be used."),
            ("[3]", "Where the knight will go."),
            ("rank B", "A channel of the texture: what the shader keeps of each square."),
        ],
    },
    PaneWords {
        pane: "figures",
        words: &[
            ("knight", "Where the knight is, and whether it still moves."),
            ("came by", "The move that brought it here, and the rank of the square."),
            ("candidates", "Squares that it may enter, and whether two have the lowest rank."),
            ("ranks used", "Ranks that a move needs, of those that the shader computes."),
            ("model", "Cycles that the paper of 2007 counts for a CPU and for a GPU."),
            ("wall", "Time of a cycle on the clock of this machine."),
            ("device", "Time of a cycle on the clock of the device."),
            ("batch", "Cycles that are given to the device at once."),
            ("dispatches", "Starts of the shader; submits and readbacks are exchanges with the device."),
            (
                "checked",
                "The board that was read back agrees, in every square, with what the CPU computes from the moves alone.",
            ),
            ("film", "The boards of all cycles that the CPU has computed; the device is compared with it."),
        ],
    },
    SHADER_MOVES_WORDS,
    PaneWords {
        pane: "header",
        words: &[
            ("cycle", "Three cycles are a move: the knight arrives, ranks are computed, the next move is decided."),
            ("arrive", "The knight enters a square."),
            ("ranks", "The ranks around it are computed."),
            ("decide", "The next move is chosen."),
            ("square", "Squares visited, of all."),
        ],
    },
];
