//! The step view: a search step by step, forwards and backwards, with an explanation of each step.
//!
//! A [`StepModel`] keeps the search on a [`Tape`](crate::explain::Tape) and gets keys and time through [`update`].
//! [`view`](view::view) draws the model; [`Steps`] is the screen.

mod layout;
mod model;
mod run;
mod screen;
#[cfg(test)]
mod tests;
mod view;
mod words;

pub use layout::StepLayout;
pub use model::{KEYS, StepModel, StepSubject, StepTitle, update};
pub use screen::{Steps, run};
pub use view::view;
