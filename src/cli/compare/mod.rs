//! `destrier compare`: one question asked in several ways, side by side.

mod run;
mod table;
#[cfg(feature = "tui")]
mod watch;
mod ways;

pub use run::{CompareArgs, run};
