//! The comparison: several runs of one question on one time axis. The runs are live, one after the other, or
//! recorded.
//!
//! A [`CompareModel`] gets frames of the current run, and keys. [`view`](view::view) draws the model; [`run`] shows it on
//! the terminal.

mod model;
mod screen;
mod view;

pub use model::{CompareLayout, CompareModel, ComparePage, KEYS};
pub use screen::{ComparedRun, screen};
pub use view::view;

use crate::run::Rival;
use crate::ui::screen::{Exit, ModelScreen, UiError};
use crate::ui::terminal::TerminalSession;

/// Shows runs until the user leaves or a signal arrives. Returns how the session ended and the data of each run. A
/// run whose turn has not come is never started. `question` is the question of all runs.
///
/// # Errors
/// [`UiError`] if there is no terminal, if it fails, or if a run does not stop.
pub fn run(question: &str, entries: Vec<ComparedRun<'_>>) -> Result<(Exit, Vec<Rival>), UiError> {
    let mut screen = screen(question, entries);
    let exit = TerminalSession::enter()?.show(&mut screen)?;
    let ModelScreen { mut model, mut feed, .. } = screen;
    feed.close(&mut model)?;
    Ok((exit, model.rivals))
}
