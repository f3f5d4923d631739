//! What is taken step by step, and its title.

use crate::board::{Board, Ending};
use crate::explain::{Explained, Tape};
use crate::run::Question;

/// A search to be stepped through.
pub struct StepSubject {
    /// The board.
    pub board: Board,
    /// Which tours it looks for.
    pub ending: Ending,
    /// The name of the method.
    pub method: String,
    /// What else was asked for, in few words; may be empty.
    pub detail: String,
    /// What is to be said before the first step.
    pub note: Option<String>,
    /// The search before its first step.
    pub search: Box<dyn Explained>,
}

impl StepSubject {
    /// The search of the question.
    ///
    /// # Errors
    /// A sentence that says why it cannot be taken step by step.
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

/// What is searched, for the header.
#[derive(Clone, Debug)]
pub struct StepTitle {
    /// The board.
    pub board: Board,
    /// Which tours.
    pub ending: Ending,
    /// The name of the method.
    pub method: String,
    /// What else was asked for.
    pub detail: String,
    /// What is to be said before the first step.
    pub note: Option<String>,
}
