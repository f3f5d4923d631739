//! The step view: a search taken step by step, forwards and back, each step said in words.
//!
//! A [`StepModel`] keeps the search on a [`Tape`](crate::explain::Tape) and takes in keys and time through [`update`];
//! [`view`](view::view) draws it; [`Steps`] puts it on a stage.

mod keys;
mod layout;
mod model;
mod run;
mod screen;
mod subject;
mod view;

pub use keys::KEYS;
pub use layout::StepLayout;
pub use model::{SPEEDS, StepModel, update};
pub use screen::{Steps, run};
pub use subject::{StepSubject, StepTitle};
pub use view::view;
