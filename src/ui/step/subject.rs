//! The search of the step view, and its title.

use crate::board::{Board, Ending};
use crate::explain::{Explained, Tape};
use crate::run::Question;

/// A search for the step view.
pub struct StepSubject {
    /// The board.
    pub board: Board,
    /// Open or closed tours.
    pub ending: Ending,
    /// The name of the method.
    pub method: String,
    /// Further conditions, in few words; may be empty.
    pub detail: String,
    /// A remark for the log before the first step.
    pub note: Option<String>,
    /// The search before its first step.
    pub search: Box<dyn Explained>,
}

impl StepSubject {
    /// The search of a question.
    ///
    /// # Errors
    /// A sentence that says why the search cannot be shown step by step.
    pub fn of(question: &Question) -> Result<StepSubject, String> {
        let search = match question {
            Question::Search(solver, problem) => solver.step_view(problem),
            Question::Find(finder, request) => finder.step_view(request),
        };
        let (method, detail) = (question.method().to_owned(), question.detail());
        let search = search.map_err(|refusal| refusal.to_string())?;
        Ok(StepSubject { board: question.board(), ending: question.ending(), method, detail, note: None, search })
    }

    pub(super) fn into_tape(self) -> (StepTitle, Tape) {
        let StepSubject { board, ending, method, detail, note, search } = self;
        (StepTitle { board, ending, method, detail, note }, Tape::new(search))
    }
}

/// The question of the search, for the header.
#[derive(Clone, Debug)]
pub struct StepTitle {
    /// The board.
    pub board: Board,
    /// Open or closed tours.
    pub ending: Ending,
    /// The name of the method.
    pub method: String,
    /// Further conditions.
    pub detail: String,
    /// A remark for the log before the first step.
    pub note: Option<String>,
}
