//! The comparison: several runs of one question on one time axis. The runs are live, one after the other, or
//! recorded.
//!
//! A [`CompareModel`] gets frames of the current run, and keys through [`update`]. [`view`](view::view) draws the
//! model; [`run`] shows it on the terminal.

mod model;
mod screen;
mod view;
mod words;

pub use model::{CompareLayout, CompareModel, ComparePage, KEYS, update};
pub use screen::{ComparedRun, Comparison};
pub use view::view;

use crate::run::Rival;
use crate::ui::end::{Exit, UiError};
use crate::ui::stage::Stage;

/// Shows runs until the user leaves or a signal arrives. Returns how the session ended and the data of each run. A
/// run whose turn has not come is never started. `question` is the question of all runs.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if it fails.
pub fn run(question: &str, entries: Vec<ComparedRun<'_>>) -> Result<(Exit, Vec<Rival>), UiError> {
    let mut screen = Comparison::new(question, entries);
    let exit = Stage::enter()?.show(&mut screen)?;
    Ok((exit, screen.into_rivals()))
}
