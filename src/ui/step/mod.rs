//! The step view: a search taken step by step, forwards and back, each step said in words.
//!
//! A [`Model`] keeps the search on a [`Tape`] and takes in keys and time through [`update`];
//! [`view`](view::view) draws it; [`Steps`] puts it on a stage.

mod keys;
mod layout;
mod model;
mod run;
mod screen;
mod subject;
mod view;

pub use keys::KEYS;
pub use layout::Layout;
pub use model::{Model, SPEEDS, update};
pub use screen::{Steps, run};
pub use subject::{Subject, Title};
pub use view::view;
