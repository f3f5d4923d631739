//! The view of several runs of one question, side by side on one time axis: live, one after the other, or as they were
//! recorded.
//!
//! A [`CompareModel`] takes in what was seen of the run whose turn it is, and keys through [`update`]; [`view`](view::view) draws
//! it; [`run`] puts it on the terminal.

mod keys;
mod layout;
mod model;
mod screen;
mod view;

pub use keys::KEYS;
pub use layout::CompareLayout;
pub use model::{CompareModel, update};
pub use screen::{ComparedRun, Comparison};
pub use view::view;

use crate::run::Rival;
use crate::ui::end::{Exit, UiError};
use crate::ui::stage::Stage;

/// Shows runs until the user leaves or a signal comes; answers how that ended, and what was seen of each run. Those whose
/// turn has not come never begin. `question` is what they are all asked.
///
/// # Errors
/// [`UiError`] when there is no terminal, or when it fails.
pub fn run(question: &str, entries: Vec<ComparedRun<'_>>) -> Result<(Exit, Vec<Rival>), UiError> {
    let mut screen = Comparison::new(question, entries);
    let exit = Stage::enter()?.show(&mut screen)?;
    Ok((exit, screen.into_rivals()))
}
