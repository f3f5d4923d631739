//! The live view of a search: who works at which depth, who hires whom, and how evenly the work is shared.
//!
//! The view observes a run from outside: about ten snapshots of its meters a second, and its rare events. Both update
//! a [`LiveModel`]; [`view()`] draws it. Other screens open over this one. Only a [`LiveFeed`] talks to the run.
//!
//! | file or folder | contents |
//! | --- | --- |
//! | `screen.rs` | the screen: frames update the model, and keys become wishes |
//! | `model.rs` | all that is shown, and what frames change of it |
//! | `update.rs`, `wishes.rs`, `position.rs` | keys: of the view; of the run; those that open other screens |
//! | `hires.rs`, `story.rs` | what is made of events: who hired whom; the sentence below the bar |
//! | `timeline.rs` | what each worker did over the run |
//! | `workers.rs` | of workers: their looks, which are shown, their rates |
//! | `layout.rs`, `help.txt` | where the panes are; what the words on the screen mean |
//! | `view/` | a file for each pane: `view/depths.rs` draws nodes and prunes by depth |
//! | `report.rs` | the balance report |

mod groups;
mod hires;
mod layout;
mod model;
mod position;
mod report;
mod screen;
mod story;
#[cfg(test)]
mod tests;
mod timeline;
mod update;
mod view;
mod wishes;
mod workers;

pub use model::{About, LiveModel, Phase};
pub use screen::{Launch, LiveFeed, LiveScreen, PrepareDetach, Session, screen};
pub use update::KEYS;
pub use view::{LivePane, screen_text, view};
