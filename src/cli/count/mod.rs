//! `destrier count`: the exact number of tours, without listing them, or an estimate of it.

mod args;
mod estimate;
pub mod plan;
mod report;
mod run;
mod starts;
mod symmetry;
#[cfg(feature = "tui")]
mod watch;

pub use args::{CountArgs, settings};
pub use report::{PartLine, asked_report, finished_report};
pub use run::{resume, run};
#[cfg(feature = "tui")]
pub use watch::count_for_view;
