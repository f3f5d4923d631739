//! What the words and figures of the comparison mean: the text of its help.

use crate::ui::kit::{PaneWords, UNITS_WORDS};

/// The words of the screen.
pub const WORDS: &[PaneWords] = &[
    PaneWords {
        pane: "runs",
        words: &[
            (
                "run",
                "The runs, and in what they differ. They run one after the other, so that none disturbs another one.",
            ),
            ("stands", "Whether the run waits, runs, is done, or was stopped by its limit."),
            ("RUNNING 1 of 2", "Which of the runs is running; DONE: all have ended."),
            ("time", "The time of the run."),
            (
                "nodes",
                "Nodes entered: equal for runs that search one tree; another solver or prune test has another tree.",
            ),
            ("nodes/s", "Nodes entered in a second; the chart shows them over time."),
            ("hires", "Branches handed over to an idle worker."),
            ("busy", "Share of the time of all workers for which they had work."),
            ("busy workers", "Workers with work, over time; all runs share one axis."),
            ("to", "The greatest value of a chart."),
            ("by depth", "Figures of all nodes at a depth of the tree: squares on the path so far."),
            ("pruned", "Branches that were cut because they cannot hold a tour."),
            ("for each node", "Branches cut at a depth by the nodes entered there."),
            ("from a sample", "Not every node was counted by depth; the figures are estimated from those that were."),
            ("healthy", "No loss reaches 5 % of the time of the workers."),
            ("ramp_up", "A loss by its name; the sentence behind it says what was lost and what to do."),
            (
                "shallowest",
                "The rule by which branches are handed over: the shallowest one of a worker, or the next one.",
            ),
            ("!", "What kept workers from searching most, and what to do; key ! lists all of it for each run."),
        ],
    },
    UNITS_WORDS,
];
