//! The map view: from which starts Warnsdorff's rule makes a tour, filling as the knights of a batch come to their ends.
//!
//! The work is done elsewhere and sends [`News`]; a [`Model`] takes them in by [`Model::heed`], and keys through
//! [`update`]; [`view`](view::view) draws it; [`run`] puts it on the terminal.

mod keys;
mod layout;
mod model;
mod screen;
mod view;

pub use keys::{Act, BINDINGS};
pub use layout::Layout;
pub use model::{Model, update};
pub use view::view;

use crate::gpu::Label;
use crate::gpu::map::{Batch, Map};
use crate::ui::UiError;
use crate::ui::stage::{Exit, Stage};
use crossbeam_channel::Receiver;
use screen::Filling;
use std::io;
use std::time::Duration;

/// Something that the work tells the view.
#[derive(Debug)]
pub enum News {
    /// Where it is done from now on, and why not where it was to be.
    Placed {
        /// Who does it.
        label: Label,
        /// Why it is nobody better; may be empty.
        why: String,
    },
    /// What came of the knights so far.
    Moved(Box<Moved>),
    /// Every knight has come to its end.
    Over,
}

/// What came of the knights so far.
#[derive(Debug)]
pub struct Moved {
    /// The map.
    pub map: Map,
    /// How long it took.
    pub took: Duration,
}

/// Shows a batch until the user leaves, a signal comes, or the work goes away. `begin` starts the work, once the
/// terminal is ours: what a driver writes does not reach the screen from then on.
///
/// # Errors
/// [`UiError`] when there is no terminal, or when it or `begin` fails.
pub fn run(batch: Batch, news: Receiver<News>, begin: impl FnOnce() -> io::Result<()>) -> Result<Exit, UiError> {
    let stage = Stage::enter()?;
    begin().map_err(UiError::Thread)?;
    stage.show(&mut Filling::new(batch, news))
}
