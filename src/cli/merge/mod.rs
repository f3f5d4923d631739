//! `destrier merge`: the parts of one question, put together, or seen as they gather.

mod count;
mod run;
mod search;
#[cfg(feature = "tui")]
mod watch;

pub use run::run;
