//! The live view of a search: who works at which depth, who hires whom, and how evenly the work is shared.
//!
//! The view observes a run from outside: about ten snapshots of its meters a second, and its rare events. Both update
//! a [`LiveModel`], keys through [`update()`], which returns an effect to perform; [`view()`] draws the model. Other
//! screens open over this one. [`LiveScreen`] is the screen; only it talks to the run.
//!
//! | file or folder | contents |
//! | --- | --- |
//! | `screen.rs` | the screen: frames update the model, and keys become wishes |
//! | `model.rs` | all that is shown |
//! | `update.rs`, `control.rs`, `position.rs` | keys: of the view, of the run, and those that open other screens |
//! | `frames.rs`, `hires.rs`, `rates.rs` | what frames and events change: charts, depths, hires, rates |
//! | `layout.rs`, `look.rs`, `order.rs` | where the panes are; how a state of a worker looks; the orders of the workers |
//! | `filter.rs`, `words.rs` | which workers are shown; what the words on the screen mean |
//! | `view/` | a file for each pane: `view/depths.rs` draws nodes and prunes by depth |
//! | `report.rs` | the balance report |

mod control;
mod filter;
mod frames;
mod hires;
mod layout;
mod look;
mod model;
pub mod order;
mod position;
mod rates;
mod report;
mod screen;
mod update;
mod view;
pub mod words;

pub use layout::LivePane;
pub use model::{About, LiveEffect, LiveModel, Phase};
pub use order::WorkerOrder;
pub use screen::{Launch, LiveScreen, PrepareDetach, Session};
pub use update::{KEYS, update};
pub use view::{screen_text, view};
