//! What the words and figures of the tables mean: the text of their help.

use crate::ui::kit::{PaneWords, UNITS_WORDS};

/// The words of the screen, and of the tables that it shows.
pub const WORDS: &[PaneWords] = &[
    PaneWords {
        pane: "tables",
        words: &[
            ("RUNNING", "Rows are still computed; a row that is not whole yet has the colour of a busy worker."),
            (
                "AS EXPECTED",
                "Each figure that was published, or found here before, is the same again. Times are only shown.",
            ),
            ("DIFFERS", "A figure is not the published one, or not the one that was found before."),
            ("=", "The figures of the row are the published ones, or those that were found before."),
            ("[ ]", "The table that is shown: until you choose one the last that has begun, and at the end the first."),
            ("1 2 3", "The bars of a group, in their order. A group of bars is a row of the table."),
            ("published", "What the source prints; in a chart a line that the bar before it is to reach."),
            ("logarithmic", "Equal heights are equal ratios: the scale names its ends as powers of ten."),
            ("to", "The greatest value of a chart whose scale begins at 0."),
            ("+2", "So many columns have no room at the right: see the keys. In a legend: so many names of bars."),
            (
                "1 to 8 of 14",
                "The lines that are shown of the table: its rows, and below them sentences about the figures.",
            ),
            ("-", "There is no such figure: nothing was published, or nothing found."),
            ("board", "Rows by columns of the board."),
            ("tours", "Tours that were found."),
            ("nodes", "Squares entered by the search, again after each step back."),
            ("seconds", "Time that it took here."),
        ],
    },
    PaneWords {
        pane: "radley",
        words: &[
            ("depth", "Squares on the path so far: the start is depth 1."),
            ("pruned", "Branches that the test all-isolated cut at this depth."),
            ("branches", "Moves that were not searched any further."),
            ("run", "A scheduler, and its number of threads. Every run must find the same figures."),
        ],
    },
    PaneWords {
        pane: "miller",
        words: &[
            ("N", "Moves of a tour: a board has N + 1 squares, and its tree as many levels."),
            ("k", "Moves from a square, in the mean over the board."),
            ("how", "How the nodes are known: counted, every one, or estimated from samples, as a range."),
            ("2^(N+1)-1", "Nodes of a tree with two branches at every node."),
            ("k^(N+1)-1", "Nodes of a tree by the source's rule, with k branches at every node."),
            ("8^N", "Leaves of a tree with eight branches at every node, the plain bound of another source."),
            ("order", "Which move a search tries first: as listed, or by the moves that lead on from its square."),
            ("starts", "Squares to begin from, all that the colours allow."),
            ("found", "Starts from which a tour was found within the nodes that each start has."),
            ("at once", "Starts from which a tour was found without a single step back."),
            ("time", "Time of the searches from all starts together."),
            ("reached", "Most squares on a path, over all starts."),
            ("quickest", "Time to the first tour from the start where that is shortest."),
            ("median", "Half of the starts with a tour were quicker."),
            ("slowest", "Time to the first tour from the start where that is longest."),
            ("squares", "Where on the board: at the edge, beside it, or in the middle."),
            ("visits", "Numbers of the squares on the path: 1 is the start."),
            ("row", "A row of the board, from the top; eight squares for each order."),
            ("natural", "The moves are tried as the source lists them."),
            ("fewest", "Warnsdorff's rule: first to the square with the fewest moves to go on."),
            ("most", "Its reverse: first to the square with the most moves to go on."),
        ],
    },
    PaneWords {
        pane: "carter",
        words: &[
            ("x1 x4 x8 x16", "The plain search on so many threads, the starts dealt out in blocks."),
            ("path", "A search that cuts what cannot be a tour, on one thread."),
            ("his serial", "Seconds that the source prints for one core."),
            ("his 4 8 16", "Seconds that the source prints for so many cores."),
            ("here", "What was measured on this machine."),
            ("his", "The figure of the source; a speedup is that of its printed times."),
            ("times as fast", "The time of the serial search, divided by that of the parallel one."),
            ("squares", "Squares of the board."),
        ],
    },
    UNITS_WORDS,
];
