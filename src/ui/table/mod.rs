//! The tables of a source: charts and figures, row by row as they are computed.
//!
//! A [`TablesModel`] gets [`TableNews`] and keys. [`view`](view::view) draws one table at a time: its chart, with a group
//! of bars for each row, and its figures below. [`run`] shows it on the terminal.

mod chart;
mod layout;
mod model;
mod screen;
#[cfg(test)]
mod tests;
mod view;
mod words;

pub use layout::TablesPart;
pub use model::{KEYS, ShownTable, TablesModel, TablesState, update};
pub use view::view;

use crate::run::TableNews;
use crate::ui::end::{Exit, UiError};
use crate::ui::kit::Surface;
use crate::ui::stage::Stage;
use crossbeam_channel::Receiver;
use screen::TablesScreen;
use std::io;

/// Shows tables until the user leaves or a signal arrives, or until the work fails. `begin` starts the work after the
/// terminal has been taken over.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if the terminal or `begin` fails.
pub fn run(name: &str, news: Receiver<TableNews>, begin: impl FnOnce() -> io::Result<()>) -> Result<Exit, UiError> {
    let stage = Stage::enter()?;
    begin().map_err(UiError::Thread)?;
    stage.show(&mut TablesScreen::new(TablesModel::new(name, Surface::for_stage()), news))
}
