//! Every tour of a board, without a screen.

pub mod run;
#[cfg(feature = "tui")]
pub mod viewed;

pub use run::{resume, run};
