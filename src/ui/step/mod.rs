//! The step view: a search step by step, forwards and backwards, with an explanation of each step.
//!
//! A [`StepModel`] keeps the search on a [`Tape`](crate::explain::Tape) and gets keys and time through [`update`].
//! [`view`](view::view) draws the model; [`Steps`] is the screen.

mod model;
mod screen;
mod subject;
#[cfg(test)]
mod tests;
mod view;
mod words;

pub use model::{KEYS, StepModel, StepPane, update};
pub use screen::{Steps, run};
pub use subject::{StepSubject, StepTitle, WorkerPlace};
pub use view::view;
