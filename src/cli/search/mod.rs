//! Every tour of a board, without a screen.

mod report;
pub mod run;
#[cfg(feature = "tui")]
mod viewed;

pub use report::search_report;
pub use run::{resume, run};
