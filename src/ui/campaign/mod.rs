//! The view of a campaign: a search in parts, as they gather in a folder.
//!
//! The view only watches the folder and runs no part. A [`CampaignModel`] gets the state of the folder from a
//! [`Source`] by [`CampaignModel::take`], and keys through [`update`]. [`view`](view::view) draws the model; [`run`]
//! shows it on the terminal.

mod layout;
mod model;
mod rows;
mod screen;
mod view;
mod words;

pub use layout::CampaignLayout;
pub use model::{CampaignModel, KEYS, update};
pub use screen::CampaignScreen;
pub use view::view;

use crate::run::{Campaign, Source};
use crate::ui::end::{Exit, UiError};
use crate::ui::stage::Stage;

/// Shows a campaign until the user leaves, a signal arrives, or the source fails. Returns how the session ended and
/// the last state of the campaign. `folder` is the path as the user typed it.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if it fails.
pub fn run(folder: &str, source: &mut dyn Source) -> Result<(Exit, Campaign), UiError> {
    let mut screen = CampaignScreen::new(folder, source);
    let exit = Stage::enter()?.show(&mut screen)?;
    Ok((exit, screen.into_seen()))
}
