//! The tour view: a finished tour, or a part of one, looked at move by move.
//!
//! It asks a [`Route`](crate::board::Route) only for what is on the screen, so that a tour of a hundred million squares that is a formula
//! costs no more to look at than one of 64. A [`TourModel`] takes in keys and time through [`update`]; [`view`](view::view)
//! draws it.

mod keys;
mod layout;
mod model;
mod moves;
mod screen;
mod subject;
mod view;

pub use keys::KEYS;
pub use layout::TourLayout;
pub use model::{Prompt, SPEEDS, TourEffect, TourModel, update};
pub use moves::{Candidate, Moves};
pub use screen::{TourScreen, show};
pub use subject::{ShownTour, Tours};
pub use view::view;
