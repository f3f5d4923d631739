//! What the words and figures of the view of a count mean: the text of its help.

use crate::ui::count::model::CountPane;
use crate::ui::kit::{Pane, PaneWords, UNITS_WORDS};

/// The name of a pane in the help.
pub fn name(pane: CountPane) -> &'static str {
    WORDS[usize::from(pane.key()) - 1].pane
}

/// The words of the panes, in the order of their keys, and of the header.
pub const WORDS: &[PaneWords] = &[
    PaneWords {
        pane: "pane 1, sweep",
        words: &[
            ("frontier", "The squares between what is processed and what is not; the states are about these alone."),
            ("processed", "Squares behind the frontier: all their moves are counted."),
            ("not begun", "The count is being planned."),
            ("o", "The square that is processed now. Dots are squares that are not met yet."),
        ],
    },
    PaneWords {
        pane: "pane 2, rows",
        words: &[
            ("row", "A row of the board. An arrow marks the row that is processed."),
            ("states", "States of all squares of the row together. A state is a way to pair the ends of paths."),
            ("not zero", "The part of them whose count is not zero."),
            ("done", "The part that is done."),
            ("planned", "The part that is still to be done."),
            ("not 0", "The share of states whose count is not zero."),
            ("width", "Bits of a counter (16 bit, 32 bit, ..); sparse: only states that are not zero are kept."),
            ("time", "The time that the row took."),
        ],
    },
    PaneWords {
        pane: "pane 3, threads",
        words: &[
            ("contexts", "Ranges of patterns in this step; one thread does a range alone."),
            ("patterns", "Where the thread is among all patterns."),
            ("context", "The range that the thread does."),
            ("busy", "Share of its time for which the thread had work."),
            ("done", "Contexts that the thread has done."),
            ("states", "States that the thread has processed."),
            ("idle", "Threads without work."),
            ("#", "The number of the thread."),
        ],
    },
    PaneWords {
        pane: "pane 4, memory",
        words: &[
            ("used", "Memory in use, and the limit that it must not pass."),
            ("limit", "The limit that --memory sets."),
            ("counters", "Bits of a counter now."),
            ("largest", "The largest count of a state."),
            ("states", "States of this step."),
            ("files", "What is on disk, where memory is not enough."),
        ],
    },
    PaneWords {
        pane: "pane 5, history",
        words: &[
            ("at work", "Threads that had work."),
            ("speed", "States processed in a second."),
            ("busy", "Share of the time of all threads for which they had work."),
            ("s", "The letter on the line: a new sweep or pass began."),
            ("all", "The charts show all of the count, or its last part."),
        ],
    },
    PaneWords {
        pane: "header",
        words: &[
            ("counting", "What the count does now; in planning, it makes the plan: how many states, how much memory."),
            ("exact", "Every counter is wide enough for its count: all fitted in so many bits, and one pass is exact."),
            ("modulus", "Counts are kept as remainders; several passes make the exact number of them."),
            ("square", "The square that is processed, of all."),
            ("read only", "The view was attached with --read-only."),
            ("states/s", "States processed in a second."),
            ("done", "The share of all states."),
            ("left", "Time until the end at this speed."),
            ("closed", "A tour whose last square is a knight's move from its first; an open one need not be."),
            ("undirected", "A tour and the same tour backwards are one; directed: they are two."),
        ],
    },
    UNITS_WORDS,
];
