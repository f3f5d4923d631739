//! What the words and figures of the live view mean, pane by pane: the text of its help.

use crate::ui::kit::{Pane, PaneWords, UNITS_WORDS};
use crate::ui::live::layout::LivePane;

/// The name of a pane in the help.
pub fn name(pane: LivePane) -> &'static str {
    WORDS[usize::from(pane.key()) - 1].pane
}

/// The words of the panes, in the order of their keys, then those of the header and of a search on a GPU.
pub const WORDS: &[PaneWords] = &[
    PaneWords {
        pane: "pane 1, threads",
        words: &[
            (
                "threads",
                "The workers of the run, each on a thread of its own. A number after 'of' is how many pass the filter.",
            ),
            ("B busy", "The worker searches."),
            ("H hired", "The worker was hired a moment ago."),
            ("i idle", "The worker has no work."),
            ("w waiting", "The worker has asked another one for work; the arrow points to that one."),
            ("d descheduled", "The worker has work, but the system runs something else on the processor."),
            ("P paused", "The worker is held by the pause."),
            ("S slowed", "The worker is held between two nodes by slow motion."),
            (". done", "The worker has ended, because no work is left."),
            ("#", "The number of the worker; by cache, the number of the group of cores that share one."),
            (
                "depth",
                "The bar: how deep in the tree the worker is. It is grey up to the lowest level with a branch to give.",
            ),
            ("at", "The depth of the node that the worker is at: the squares on its path."),
            ("low", "The lowest level with a branch that the worker could give to another one."),
            ("busy", "Share of its time for which the worker had work."),
            ("idle", "Time for which the worker had no work; its share of all where the order is by idle time."),
            ("nodes", "Nodes that the worker has entered: a node is a square put on the path."),
            ("tours", "Tours that the worker has found."),
            ("hires", "Branches that the worker has handed to idle workers."),
            (
                "given",
                "Donations: how often the worker ran dry and passed the workers that waited for it on to another one.",
            ),
            ("by", "The order of the workers: by number, nodes, depth, hires, idle time or cache."),
            ("and more", "Workers that are not on this page of the table, by their states."),
            ("!", "What keeps workers from work, and what to do about it. Pane 4 zoomed says how that is measured."),
            (
                "ramp_up, tail",
                "Causes: workers waited for their first branch, or at the end; uneven: work was dealt out unevenly.",
            ),
            (
                "state",
                "A cell without a heading shows state, depth as a column, and the lowest level with a branch to give.",
            ),
        ],
    },
    PaneWords {
        pane: "pane 2, board",
        words: &[
            ("board", "The path of the selected worker at this moment, numbered from its start."),
            ("worker", "The number of the worker whose path this is."),
            ("at its end", "The run has ended: this is the last position of the worker that was seen."),
            ("a tour found", "The first tour that a search for one has found."),
            ("lines", "The moves of the path; the latest are the brightest."),
            ("reserved", "The diamond, or R: the square that is kept for the last move of a closed tour."),
            ("A A B", "In a search by edges the squares of each piece of the tour have a letter."),
            ("a2", "The second square of piece a."),
        ],
    },
    PaneWords {
        pane: "pane 3, depths",
        words: &[
            ("depths", "Nodes and cuts by depth in the tree. The tree widens until cuts outnumber branches."),
            ("nodes", "Nodes entered at each depth."),
            ("pruned", "Branches that were cut, or ended in a dead end, at each depth."),
            ("most", "The greatest figure of the chart, and the depth that has it."),
            ("exact", "Every node is counted."),
            ("sampled", "One burst of nodes in 64 is counted: shares are right, and numbers are about right."),
            ("since", "The figures begin at this time of the run."),
        ],
    },
    PaneWords {
        pane: "pane 4, balance",
        words: &[
            ("balance", "How evenly the work is shared. Zoomed, the pane says of every figure how it is measured."),
            ("had work", "Share of the time of all workers for which they had work."),
            ("efficiency", "CPU time of all workers by the number of workers and the time of the run."),
            ("descheduled", "Share of their time for which workers had work, but no processor."),
            ("idle", "Share of their time for which workers had no work."),
            ("most/mean", "Nodes of the busiest worker by the mean of all. 1.00 is an even share."),
            ("hires", "Branches handed over to an idle worker."),
            ("hires/s", "Hires in the last second."),
            ("nodes/hire", "Nodes of the run for each hire: the more, the less is lost by handing over."),
            ("donations", "How often a worker without work passed the workers that waited for it on to another one."),
            ("tasks", "A task is the work from getting a branch until running dry."),
            (
                "handed over",
                "Mean nodes of a branch that was handed over, without the parts that its worker handed on.",
            ),
            ("median", "Half of the branches that were handed over had no more nodes than that."),
            ("tenths", "A tenth of these branches had at most the first number of nodes, nine tenths the second."),
            ("ramp-up", "Time until every worker had had work."),
            ("tail", "Time from when half of the workers have no more work until the end."),
            ("hand-overs", "In a simulation: share of the time that giving branches took."),
            ("with work", "Share of the time for which so many workers had work at once."),
            ("share", "The part of the time of all workers."),
            ("time", "Where the time of the workers went."),
            ("ratio", "One figure by another."),
            ("work", "Searching on a processor."),
            ("wait", "Time without a branch, until being hired."),
            ("no CPU", "Time with a branch while the system ran something else."),
        ],
    },
    PaneWords {
        pane: "pane 5, hires",
        words: &[
            ("hires", "The hires of the run, their number in the last second, and how many nodes there are for each."),
            ("3 -> 5", "Worker 3 has hired worker 5, which was idle: it gave a branch of its tree away."),
            ("at depth", "The depth of the branch that was given."),
            ("kept level 4", "Of a hire in the past: the lowest level with a branch that its giver had left."),
            ("first tour", "The first tour of the run, and the worker that found it."),
            ("helper", "A worker that waits for work; a worker that runs dry passes its helpers on."),
            ("rule", "From here on branches are handed over by another rule: the shallowest one, or the next one."),
            ("paused", "The run was held, and went on later."),
            ("busiest pairs", "Who hired whom most often."),
            ("each", "Nodes of the run for each hire."),
        ],
    },
    PaneWords {
        pane: "pane 6, history",
        words: &[
            ("history", "The run over time: as much of it as the line below the charts says."),
            ("at work", "Workers that had work."),
            ("nodes/s", "Nodes that all workers entered in a second."),
            ("effic.", "CPU time of all workers by the number of workers and the time."),
            ("all", "The charts show all of the run, or the last part of it."),
            ("to", "The range of the chart above it."),
            ("last", "The charts show the last minutes alone."),
            ("r p", "Letters on the line: the rule was changed, the run was paused."),
        ],
    },
    PaneWords {
        pane: "header",
        words: &[
            ("destrier", "This program; then the board, the question, the method and its options."),
            ("closed, open", "A closed tour ends a knight's move from its start; an open tour need not."),
            ("hire, ..", "The scheduler, and which branch a worker gives away: the shallowest is the largest."),
            ("prune", "The rule that cuts branches without a tour."),
            ("nodes", "Nodes that all workers have entered, and how many in the last second."),
            ("tours", "Tours found, and how many in the last second."),
            ("done", "Share of the tree that has been searched, by an estimate of the whole."),
            ("tree", "Estimated nodes and tours of the whole tree."),
            ("unknown", "There is no estimate yet."),
            ("left", "Time until the end at this speed, as a range: the tree is estimated."),
            (
                "RUNNING",
                "What the run does: RUNNING, PAUSED, SLOW, FINISHED or STOPPED; PAST is an earlier moment. Then its time.",
            ),
            ("attempts", "In a search for one tour: attempts begun, and how many of them found one."),
            ("simulated time", "The clock of a simulation. On it a node takes 1 ms, on whatever machine it runs."),
            ("real time", "In a simulation: what the same work would take on a machine whose node takes so long."),
            ("nodes a second", "In a simulation: how many nodes of each worker go by in a second of your time."),
            ("lost", "Events or frames that could not be kept up with and are not shown."),
            ("read only", "The view was attached with --read-only: no key changes the run."),
            ("REC", "The run is recorded."),
            ("simulated", "The workers are simulated: there may be more of them than cores."),
        ],
    },
    PaneWords {
        pane: "a search on a GPU",
        words: &[
            ("lanes", "Searches that the GPU does side by side."),
            ("live lanes", "How many lanes are at work from start to start of the shader."),
            ("at work", "Mean share of lanes with work; 'now' is that of the last start."),
            ("now", "Share of lanes with work at the last start of the shader."),
            ("dispatches", "Starts of the shader."),
            ("ms each", "Time of a start."),
            ("prefixes", "Subtrees that have been put into the queue."),
            ("split off", "Prefixes that were cut from lanes with much work."),
            ("a step", "One node of each lane."),
        ],
    },
    UNITS_WORDS,
];
