//! The question of a run, as the header shows it.

use crate::board::{Board, Ending};
use crate::run::Question;

/// The question that a run answers, as the header shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// The board.
    pub board: Board,
    /// Open or closed tours.
    pub ending: Ending,
    /// The convention by which tours are counted, for example `undirected`.
    pub convention: String,
    /// The name of the solver or finder.
    pub method: String,
    /// Further conditions, for example `unique` or `from a1`; may be empty.
    pub detail: String,
    /// Whether the run looks for one tour by attempts. Otherwise it enumerates tours in a tree.
    pub finds: bool,
    /// Whether the user may change the scheduler or ask another question. Both start a new run, and so are refused
    /// while tours are written to a file.
    pub may_restart: bool,
    /// Whether the run can be detached into another process: true of searches on the CPU with several workers.
    pub may_detach: bool,
}

impl About {
    /// Describes a question for the header.
    pub fn new(question: &Question, may_restart: bool) -> About {
        About {
            board: question.board(),
            ending: question.ending(),
            convention: question.convention().to_owned(),
            method: question.method().to_owned(),
            detail: question.detail(),
            finds: question.finds(),
            may_restart,
            may_detach: matches!(question, Question::Search(solver, _) if !solver.card().single_worker),
        }
    }
}
