//! `destrier simulate`: a search by virtual workers on a virtual clock, for every number of workers of a list,
//! or in the live view for one.

mod args;
mod report;
mod run;
#[cfg(feature = "tui")]
mod watch;

pub use args::SimulateArgs;
pub use run::run;
