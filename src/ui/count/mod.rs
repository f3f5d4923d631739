//! The view of a count: how far the frontier has swept over the board, the states of every row, and what the threads
//! are busy with.
//!
//! The count runs on threads of its own and writes meters; a [`CountModel`] takes in [`CountSnapshot`]s of them, from whatever
//! [`Source`], and keys, through [`update`]; [`view`](view::view) draws it; [`run`] puts it on the terminal. The number comes last, as an
//! [`Answered`], and stays until the user leaves.

mod keys;
mod layout;
mod model;
mod pace;
mod screen;
mod view;

pub use crate::count::CountSnapshot;
pub use crate::run::Answered;
pub use keys::KEYS;
pub use layout::{CountLayout, CountPane, CountRoom};
pub use model::{CountModel, CountMsg, FrontierPlace, update};
pub use view::view;

use crate::count::CountQuestion;
use crate::run::Source;
use crate::ui::end::{Exit, UiError};
use crate::ui::stage::Stage;
use screen::CountScreen;
use std::io;

/// Shows a count by so many threads until the user leaves, a signal comes, or the count goes away without an answer.
/// `begin` starts it, once the terminal is ours.
///
/// # Errors
/// [`UiError`] when there is no terminal, or when it or `begin` fails.
pub fn run(
    question: &CountQuestion,
    threads: usize,
    source: &mut dyn Source,
    begin: impl FnOnce() -> io::Result<()>,
) -> Result<Exit, UiError> {
    let stage = Stage::enter()?;
    begin().map_err(UiError::Thread)?;
    stage.show(&mut CountScreen::new(question, threads, source))
}
