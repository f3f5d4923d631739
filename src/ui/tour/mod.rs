//! The tour view: shows a tour, or a part of one, move by move.
//!
//! The view asks a [`Route`](crate::board::Route) only for squares on the screen. So a tour of a hundred million
//! squares that is a formula costs no more to view than a tour of 64. A [`TourModel`] gets keys and time through
//! [`update`]; [`view`](view::view) draws it.

mod model;
mod screen;
#[cfg(test)]
mod tests;
mod view;
mod words;

pub use model::{Candidate, KEYS, Moves, ShownTour, TourEffect, TourLayout, TourModel, Tours, update};
pub use screen::{TourScreen, show};
pub use view::view;
