//! `destrier find`: one tour or a few, by any method; a tour of every board in a range; a start asked for at a terminal.

mod args;
mod moves;
mod race;
mod run;
mod sweep;
mod uniform;
#[cfg(feature = "tui")]
mod watch;

pub use args::FindArgs;
pub use run::run;
