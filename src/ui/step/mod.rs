//! The step view: a search step by step, forwards and backwards, with an explanation of each step.
//!
//! A [`StepModel`] keeps the search on a [`Tape`](crate::explain::Tape) and gets keys and time.
//! [`view`](view::view) draws the model.

mod goal;
mod model;
mod screen;
mod subject;
#[cfg(test)]
mod tests;
mod view;

pub use model::{KEYS, StepModel, StepPane};
pub use screen::{run, steps};
pub use subject::{StepSubject, StepTitle, WorkerPlace};
pub use view::view;
