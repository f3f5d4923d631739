//! Every tour of a board, without a screen.

pub mod job;
mod run;

pub use run::{resume, run};
