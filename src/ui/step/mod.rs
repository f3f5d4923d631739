//! The step view: a search step by step, with an explanation of each step, or the cycles of the three-cycle board; forwards
//! and backwards.
//!
//! A [`StepModel`] plays a tape and gets keys and time. The tape is a search with its [past](crate::explain::Tape), or a
//! [`Film`](crate::gpu::cycle::Film) with the device that computes the same cycles. [`view`](view::view) draws the model.

mod film;
mod goal;
mod model;
mod screen;
mod search;
mod subject;
#[cfg(test)]
mod tests;
mod view;

pub use film::{CyclesSubject, FILM_KEYS, FilmModel, LastBoard};
pub use model::StepModel;
pub use screen::{cycles, run, run_cycles, steps};
pub use search::{KEYS, SearchModel, StepPane};
pub use subject::{StepSubject, StepTitle, WorkerPlace};
pub use view::view;
