//! What is shown step by step: a search, and the position at which the view begins.

use crate::board::{Board, Ending};
use crate::explain::{Explained, Tape};
use crate::run::Question;
use crate::search::Drawing;
use crate::ui::kit::keys::Action;

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
    /// The position at which the view begins; without it the beginning of the search.
    pub place: Option<WorkerPlace>,
    /// The search before its first step.
    pub search: Box<dyn Explained>,
}

/// The position of a worker.
#[derive(Clone, Debug)]
pub struct WorkerPlace {
    /// Number of the worker.
    pub worker: usize,
    /// The position; it may be empty.
    pub position: Drawing,
}

impl WorkerPlace {
    /// What the view says when it opens.
    pub(super) fn notice(&self) -> String {
        let WorkerPlace { worker, position } = self;
        let (back, first) = (Action::Back.key(), Action::First.key());
        if position.is_empty() {
            return format!("worker {worker} has no position yet: this is the beginning of the search");
        }
        if position.skipped > 0 {
            return format!(
                "the path of worker {worker} is too long to lead there: this is the beginning of the search"
            );
        }
        format!("here is worker {worker}, alone from now on: {back} goes back on its way, {first} to the root")
    }
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
        let (board, ending) = (question.board(), question.ending());
        Ok(StepSubject { board, ending, method, detail, note: None, place: None, search })
    }

    /// The question, and the search at the position at which the view begins.
    pub(super) fn into_tape(self) -> (StepTitle, Tape) {
        let StepSubject { board, ending, method, detail, note, place, mut search } = self;
        if let Some(place) = place {
            search.lead(&place.position);
        }
        let mut tape = Tape::new(search);
        while tape.search().is_led() {
            tape.forward();
        }
        (StepTitle { board, ending, method, detail, note }, tape)
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
