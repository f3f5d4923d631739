//! A question as it is shown.

use crate::board::{Board, Ending};
use crate::run::Question;

/// The question that is being answered, as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// The board.
    pub board: Board,
    /// Which tours.
    pub ending: Ending,
    /// How its tours are counted: `undirected`.
    pub convention: String,
    /// The name of the method.
    pub method: String,
    /// What else was asked for, `unique`, `from a1`; may be empty.
    pub detail: String,
    /// Whether one tour is looked for by attempts, not all of them in a tree.
    pub finds: bool,
    /// Whether the scheduler may be changed, or something else asked, which starts anew; not while tours are written.
    pub may_restart: bool,
    /// Whether the run can be left to another process: it is a search whose work is on this side.
    pub may_detach: bool,
}

impl About {
    /// What is to be said of a question.
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
