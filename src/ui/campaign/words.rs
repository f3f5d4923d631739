//! What the words and figures of the view of a campaign mean: the text of its help.

use crate::ui::kit::{PaneWords, UNITS_WORDS};

/// The words of the panes.
pub const WORDS: &[PaneWords] = &[
    PaneWords {
        pane: "parts",
        words: &[
            ("parts", "The parts of the question, in the order of their numbers; a cell may stand for several."),
            ("done", "The file of the part is complete."),
            ("running", "A run writes the file of the part."),
            ("stale", "The file is not complete, and no run writes it."),
            ("missing", "There is no file of the part."),
            ("wrong", "The file is damaged, or is no part of this question."),
        ],
    },
    PaneWords {
        pane: "figures",
        words: &[
            ("tours", "Tours of the parts that are done."),
            ("whole", "The estimate of all tours, and its standard error."),
            ("tours/s", "Tours found in a second by all runs together."),
            ("nodes/s", "Nodes entered in a second, and how many cores are at work."),
            ("nodes", "Nodes so far, of the estimated number of all."),
            ("CPU time", "Time on processors so far, of the estimated time of all."),
            ("95 %", "The whole lies in this range with a probability of 95 %."),
        ],
    },
    PaneWords {
        pane: "estimate",
        words: &[
            ("whole", "The estimate of the whole as parts are done: it narrows."),
            ("standard error", "The height of the band: two standard errors up and down."),
        ],
    },
    PaneWords {
        pane: "running, wrong",
        words: &[
            ("part", "The number of a part that is running."),
            ("CPU", "Its time on a processor."),
            ("kept", "When it was last saved."),
            (
                "checksum",
                "A number at the end of a file by which it is seen whether its contents are as they were written.",
            ),
        ],
    },
    PaneWords {
        pane: "header",
        words: &[
            ("gathering", "Parts are missing; the screen follows the folder until all are done and the files agree."),
            ("left", "Time until the last part is done at this speed, where that can be told."),
            ("undirected", "A tour and the same tour backwards are one."),
        ],
    },
    UNITS_WORDS,
];
