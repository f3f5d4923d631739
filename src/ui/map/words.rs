//! What the words and figures of the map view mean: the text of its help.

use crate::ui::kit::{PaneWords, SHADER_MOVES_WORDS};

/// The words of the panes.
pub const WORDS: &[PaneWords] = &[
    PaneWords {
        pane: "starts",
        words: &[
            (
                "starts",
                "Every square as the start of a tour; the number is the share of the orders that complete from it.",
            ),
            (">99.1<", "The start that is pointed at."),
            ("by 2x2", "A square of the picture is a block of so many squares of the board."),
        ],
    },
    PaneWords {
        pane: "figures",
        words: &[
            ("start", "The start that is pointed at, and how many of its knights completed a tour."),
            ("worst, best", "The starts from which the fewest and the most orders complete."),
            ("knights", "A knight tries one order from one start; so many of all have finished."),
            ("complete", "Knights that visited every square, and their share."),
            (
                "order",
                "The order in which moves of equal rank are tried: the digits are moves. The best one so far is shown.",
            ),
            ("from", "From so many starts the best order completes."),
            ("by starts", "How many orders complete from so many starts."),
        ],
    },
    SHADER_MOVES_WORDS,
    PaneWords {
        pane: "header",
        words: &[
            ("filling", "Knights are on their way; the map fills."),
            ("CPU", "Where the knights run: on a GPU, by the Vulkan driver of that adapter, or on threads of the CPU."),
            ("orders", "Orders of moves that are tried from each start."),
            ("moves/s", "Moves that all knights make in a second."),
            ("done", "The share of the knights that have finished."),
            ("left", "Time until the end at this speed."),
        ],
    },
];
