//! Every tour of a board: `search`, and `watch`, its live view.

mod report;
pub mod run;
#[cfg(feature = "tui")]
mod viewed;

pub use report::search_report;
pub use run::{resume, run};
#[cfg(feature = "tui")]
pub use viewed::{demonstrate, watch};
