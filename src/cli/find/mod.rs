//! `destrier find`: one tour or a few, by any method; a tour of every board in a range; a start asked for at a terminal.

mod args;
mod ask;
mod checked;
mod moves;
mod race;
pub mod report;
mod run;
#[cfg(feature = "tui")]
mod screen;
pub mod shown;
mod sweep;
mod uniform;
#[cfg(feature = "tui")]
mod watch;

pub use args::{FindArgs, TOURS_SQUARES_MAX};
pub use report::Names;
pub use run::run;
pub use shown::{FindFormat, FormatOptions, write_all};
