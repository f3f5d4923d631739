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
            (".3.", "A move passed: searched before the view began, or another worker's."),
            ("x3x", "A move that was cut, or is ruled out by a rule: the pane of the moves says why."),
            ("!0!", "A square that is the reason for the latest step, with the moves left to it, if that is why."),
            (
                "reserved",
                "The diamond, or R: a square that is kept for the last move. It may not be entered before, and is no cut.",
            ),
            (
                "A1 A2 B1",
                "Pieces of edges and quarter-turn: a letter for each and, where there is room, the number of the square in its piece.",
            ),
        ],
    },
    PaneWords {
        pane: "moves",
        words: &[
            (
                "moves from",
                "The moves from the square at which the search stands, in the order in which they are tried.",
            ),
            ("move", "The move by the compass and by its number, drawn under moves and ranks."),
            ("-", "In place of the rank: the move is made, or cannot be made."),
            ("quarter-turn", "Its ranks count the moves to a square and to its three images by quarter turns as one."),
            ("open", "Edges, in place of the rank: the moves that can still be made to the square."),
            ("next", "The move that the next step takes."),
            ("tried", "Everything behind the move is searched, or it led to a dead end at once."),
            ("passed", "The move comes before the way to the worker: it was searched before, or is another worker's."),
            ("exhausted", "Every move from the square has been tried."),
            ("visited", "The square is on the path already, with this number."),
            ("kept", "The square is kept for the last move."),
            ("no", "On a narrow screen: the move is ruled out. The pane of the moves says why when it is zoomed."),
            ("fixed", "The move is one of the moves of a piece, and stays until the search takes it back."),
            ("its moves", "Edges: every square of a tour has two moves, one to come and one to go."),
        ],
    },
    PaneWords {
        pane: "tree",
        words: &[
            ("tree", "The search tree around the position: a line for each place at which the search chose."),
            ("root", "The beginning of the search, the top of the tree."),
            ("branch", "A move to try, with everything behind it."),
            ("depth at", "Squares on the path, or moves fixed, and the square at which the search chose there."),
            ("way", "What was chosen, from line to line down to the position; [c4] is next, end: nothing is left."),
            ("before", "What comes before the way in the order of the search, at its left."),
            ("after", "What comes after it, at its right."),
            ("|c3|", "Taken: it is on the way."),
            ("-c3-", "Tried: everything behind it is searched."),
            ("xc3x", "Cut, or ruled out by a rule."),
            ("reserved", "The diamond, or R, around a square: it is kept for the last move."),
            (".c3.", "Passed: searched before the view began, or another worker's."),
            ("(c3)", "Left: it will be tried."),
            ("+3", "So many more, without room."),
        ],
    },
    MOVES_WORDS,
    PaneWords {
        pane: "steps",
        words: &[
            ("steps", "The latest steps in words; the last line is the latest one."),
            (
                "cut",
                "The search does not enter a square, because no tour can come of it, for the reason that is said. Edges, brute, the methods that find one tour, and radley without a prune test make no cuts.",
            ),
            ("isolated", "A square that no path can enter and leave any more."),
            ("exit", "Of a square: a vacant square a knight's move away, by which the path can leave it."),
            ("vacant", "Not visited yet."),
            ("dead end", "The knight has no move, or a square cannot get its moves, and there is no tour."),
            ("back", "The search goes back to an earlier square, or takes back the move that it chose last."),
            ("piece", "Moves of edges that hang together, or a square without a move."),
            ("end", "The first or the last square of a piece: it needs one more move."),
            (
                "join",
                "Edges chooses a move between two pieces: first at an end where turned and mirrored tours differ, later at the end with the fewest moves open.",
            ),
            ("forced", "Nothing else is left: the move must be made."),
            ("copies", "Quarter-turn: the path, and the three that quarter turns of the board make of it."),
            ("string", "To make a tour of pieces by moves between their ends."),
            (
                "images",
                "Tours that turns and mirrors of the board make of one. Edges searches one of them and counts all.",
            ),
            ("ring", "Moves that close before they have visited every square."),
        ],
    },
    PaneWords {
        pane: "header",
        words: &[
            ("step", "Steps so far: entering a square, cutting a move and going back are one each."),
            (
                "PLAYING 5/s",
                "The view steps by itself, so many steps a second; RUNNING to: it goes on to what is named.",
            ),
            ("FINISHED", "The search has ended: everything is tried, or the tour that was looked for is found."),
            ("nodes", "Squares entered, or moves chosen."),
            (
                "this way",
                "After e in a live view, the figures count from the root of the search to the worker by its way alone, and on from there. They are not those of the run.",
            ),
            (
                "at worker 3",
                "The view has a copy of the search of this worker. It began at the place where the worker was, and a run that is not paused goes on without being seen. Esc goes back to it.",
            ),
            ("pruned", "Moves that were cut, or dead ends, whichever the method counts. Edges counts none."),
            ("tours", "Tours found."),
            ("depth", "Squares on the path, or moves fixed, of those of a tour."),
            ("10s", "A number before a key: ten steps. 5n goes on to the fifth tour from here, 1200g to step 1,200."),
        ],
    },
];
