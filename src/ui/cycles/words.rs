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
            ("visit R", "Red, the first of four channels: what the shader keeps of a square. The number of its visit."),
            ("counter G", "Green: for how many cycles the knight has stood here; it decides in the third."),
            ("rank B", "Blue: the rank of the square, on the board before the cycle."),
            ("next move A", "Alpha: the move by which the knight has left the square, and its direction."),
        ],
    },
    PaneWords {
        pane: "figures",
        words: &[
            ("figures", "What is known in the cycle that is shown, counted and compared."),
            ("knight", "Where the knight is. It is touring, complete when it has visited all squares, or stuck."),
            ("stuck", "No square around the knight is free: no move is left."),
            ("came by", "The move that brought it here, and the rank of the square."),
            ("goes by", "The move that it has just decided on; none yet: it has decided on none."),
            ("candidates", "Squares that it may enter. A tie: several of them have the lowest rank."),
            ("ranks used", "Ranks that the decision needs, of all that the shader has computed in the cycle."),
            ("so far", "The sum over all cycles up to the one that is shown."),
            (
                "model",
                "Cycles that Kurapati's paper of 2007, the source of this method, counts on a CPU and on a GPU: 3x as \
                 many. It was never measured. Here: what this run counts in the same units.",
            ),
            (
                "CPU",
                "The model looks at 8 neighbours of each of 8 squares and compares 8 ranks: 8 x (8 + 1) = 72 a move. \
                 Here only free squares count, and the neighbours that they have.",
            ),
            (
                "GPU",
                "The model finds all ranks computed, and compares 8 in each of 3 cycles: 8 x 3 = 24 a move. Here only \
                 free squares count, once, in the third cycle.",
            ),
            ("measured", "Times of the last batch. The model leaves out what it takes to begin a cycle; they have it."),
            ("wall", "Time of a cycle on the clock of this machine."),
            ("device", "Time of a cycle on the clock of the device, if it has timestamps; below, its name and driver."),
            ("batch", "Cycles that are given to the device at once."),
            (
                "dispatches",
                "Starts of the shader, one a cycle. Submits give them to the device, readbacks take a board; a submit or a readback is an exchange.",
            ),
            ("opening", "The device is looked for; until it is open, the film is shown alone."),
            ("CPU twin", "The same rule, computed by this program square by square, without a device."),
            ("SOFTWARE", "A Vulkan driver that computes on the CPU: no GPU, and no faster than the twin."),
            ("checked", "Whether the board that was read back equals the film, in every square; and in which cycle."),
            (
                "film",
                "All cycles of this run as the CPU computes them, move by move, without a device. The screen shows the \
                 film, so that every cycle can be stepped to; the device follows it.",
            ),
            ("WRONG", "The device computed other numbers than the film: so many squares, the first of them named."),
            ("it is at", "The cycle of the device, which may be another one than the one that is shown."),
        ],
    },
    SHADER_MOVES_WORDS,
    PaneWords {
        pane: "header",
        words: &[
            ("gpu-cycles", "The method: Warnsdorff's rule with a processor for each square."),
            ("from", "The board, and the square where the knight begins."),
            ("order", "The order of the moves, by which a tie is decided, if it is not the source's."),
            ("cycle", "Three cycles are a move: the knight arrives, ranks are computed, the next move is decided."),
            ("arrive", "The knight enters a square."),
            ("ranks", "The ranks around it are computed."),
            ("decide", "The next move is chosen."),
            ("square", "Squares visited, of all."),
            ("RUNNING", "The cycles go on by themselves: so many a second, or at the full speed of the device."),
        ],
    },
];
