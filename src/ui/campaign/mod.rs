//! The view of a campaign: a search in parts, as they gather in a folder.
//!
//! Nobody here does a part: a [`CampaignModel`] takes in what was seen of the folder, from whatever [`Source`], by
//! [`CampaignModel::take`], and keys through [`update`]; [`view`](view::view) draws it; [`run`] puts it on the terminal.

mod keys;
mod layout;
mod model;
mod rows;
mod screen;
mod view;

pub use keys::KEYS;
pub use layout::CampaignLayout;
pub use model::{CampaignModel, update};
pub use screen::Gathered;
pub use view::view;

use crate::run::{Campaign, Source};
use crate::ui::end::{Exit, UiError};
use crate::ui::stage::Stage;

/// Shows a campaign until the user leaves, a signal comes, or the looking fails; answers how that ended, and what was
/// seen last. `folder` is where it is looked for, as it is typed.
///
/// # Errors
/// [`UiError`] when there is no terminal, or when it fails.
pub fn run(folder: &str, source: &mut dyn Source) -> Result<(Exit, Campaign), UiError> {
    let mut screen = Gathered::new(folder, source);
    let exit = Stage::enter()?.show(&mut screen)?;
    Ok((exit, screen.into_seen()))
}
