//! The view of a count: the progress of the frontier over the board, the states of every row, and the work of the
//! threads.
//!
//! The count runs on threads of its own and writes meters. A [`CountModel`] gets [`CountSnapshot`]s of the meters
//! from a [`Source`], and keys. [`view`](view::view) draws the model; [`run`] shows it on the terminal. The result arrives last, as a [`CountResult`], and stays until the user leaves.

mod history;
mod model;
mod view;

pub use crate::count::CountSnapshot;
pub use crate::run::CountResult;
pub use model::{CountLayout, CountModel, CountPane, CountRoom, FrontierPlace, KEYS};
pub use view::view;

use crate::count::CountQuestion;
use crate::run::Source;
use crate::ui::kit::Common;
use crate::ui::playing;
use crate::ui::screen::{Exit, UiError};
use std::io;

/// Shows a count by `threads` threads until the user leaves, a signal arrives, or the count ends without a result.
/// `begin` starts the count after the terminal has been taken over.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if the terminal or `begin` fails.
pub fn run(
    question: &CountQuestion,
    threads: usize,
    source: &mut dyn Source,
    begin: impl FnOnce() -> io::Result<()>,
) -> Result<Exit, UiError> {
    playing::show(CountModel::new(question, threads, Common::for_session()), source, begin)
}
