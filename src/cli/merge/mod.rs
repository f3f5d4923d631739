//! `destrier merge`: the parts of one question, put together, or how far they are.

mod count;
mod run;
mod search;

pub use run::run;
