//! The tour view: shows a tour, or a part of one, move by move.
//!
//! The view asks a [`Route`](crate::board::Route) only for squares on the screen. So a tour of a hundred million
//! squares that is a formula costs no more to view than a tour of 64. A [`TourModel`] gets keys and time;
//! [`view`](view::view) draws it.

mod model;
mod moves;
mod screen;
#[cfg(test)]
mod tests;
mod view;

pub use model::{KEYS, ShownTour, TourLayout, TourModel, Tours};
pub use moves::{Candidate, Moves};
pub use screen::{screen, show};
pub use view::view;
