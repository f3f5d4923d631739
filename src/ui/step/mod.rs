//! The step view: a search taken step by step, forwards and back, each step said in words.
//!
//! A [`Model`] keeps the search on a [`Tape`] and takes in keys and time through [`update`];
//! [`view`](view::view) draws it; [`Steps`] puts it on a stage.

mod keys;
mod layout;
mod model;
mod run;
mod screen;
mod view;

pub use keys::KEYS;
pub use layout::Layout;
pub use model::{Model, SPEEDS, update};
pub use screen::Steps;
pub use view::view;

use crate::board::{Board, Ending};
use crate::explain::{Explained, Tape};
use crate::run::Question;
use crate::ui::end::{Exit, UiError};
use crate::ui::stage::Stage;

/// A search to be stepped through.
pub struct Subject {
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

impl Subject {
    /// The search of the question.
    ///
    /// # Errors
    /// A sentence that says why it cannot be taken step by step.
    pub fn of(question: &Question) -> Result<Subject, String> {
        let search = match question {
            Question::Search(solver, problem) => solver.explained(problem),
            Question::Find(finder, request) => finder.explained(request),
        };
        let (method, detail) = (question.method().to_owned(), question.detail());
        let search = search.map_err(|refusal| refusal.to_string())?;
        Ok(Subject { board: question.board(), ending: question.ending(), method, detail, note: None, search })
    }

    fn into_tape(self) -> (Title, Tape) {
        let Subject { board, ending, method, detail, note, search } = self;
        (Title { board, ending, method, detail, note }, Tape::new(search))
    }
}

/// What is searched, for the header.
#[derive(Clone, Debug)]
pub struct Title {
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

/// Shows a search on the terminal until the user leaves or a signal comes.
///
/// # Errors
/// [`UiError`] when there is no terminal, or when it fails.
pub fn run(subject: Subject) -> Result<Exit, UiError> {
    Stage::enter()?.show(&mut Steps::new(subject))
}
