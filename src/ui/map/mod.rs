//! The map view: shows for every start square whether Warnsdorff's rule completes a tour, while the knights of a
//! batch finish.
//!
//! A [`MapModel`] gets the results from a [`Source`], and keys through [`update`].
//! [`view`](view::view) draws the model; [`run`] shows it on the terminal.

mod model;
#[cfg(test)]
mod tests;
mod view;
mod words;

pub use model::{KEYS, MapLayout, MapModel, update};
pub use view::view;

use crate::gpu::map::Batch;
use crate::run::Source;
use crate::ui::end::{Exit, UiError};
use crate::ui::kit::Surface;
use crate::ui::playing;
use std::io;

/// Shows a batch until the user leaves, a signal arrives, or the work fails. `begin` starts the work after the
/// terminal has been taken over, so that messages of a driver do not reach the screen.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if the terminal or `begin` fails.
pub fn run(batch: Batch, source: &mut dyn Source, begin: impl FnOnce() -> io::Result<()>) -> Result<Exit, UiError> {
    playing::show(MapModel::new(batch, Surface::for_stage()), view, source, begin)
}
