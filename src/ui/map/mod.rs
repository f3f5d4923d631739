//! The map view: from which starts Warnsdorff's rule makes a tour, filling as the knights of a batch come to their ends.
//!
//! The work is done elsewhere; a [`MapModel`] takes in what came of it, from whatever [`Source`], by [`MapModel::take`], and keys through
//! [`update`]; [`view`](view::view) draws it; [`run`] puts it on the terminal.

mod keys;
mod layout;
mod model;
mod screen;
mod view;

pub use keys::KEYS;
pub use layout::MapLayout;
pub use model::{MapModel, update};
pub use view::view;

use crate::gpu::map::Batch;
use crate::run::Source;
use crate::ui::end::{Exit, UiError};
use crate::ui::stage::Stage;
use screen::MapScreen;
use std::io;

/// Shows a batch until the user leaves, a signal comes, or the work goes away. `begin` starts the work, once the
/// terminal is ours: what a driver writes does not reach the screen from then on.
///
/// # Errors
/// [`UiError`] when there is no terminal, or when it or `begin` fails.
pub fn run(batch: Batch, source: &mut dyn Source, begin: impl FnOnce() -> io::Result<()>) -> Result<Exit, UiError> {
    let stage = Stage::enter()?;
    begin().map_err(UiError::Thread)?;
    stage.show(&mut MapScreen::new(batch, source))
}
