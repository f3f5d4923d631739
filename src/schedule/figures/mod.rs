//! A run in figures: plain data that can be kept, compared and written to a file.
//!
//! Where to begin: the table of the figures of a worker, in `workers.rs`.

pub mod cells;
mod columns;
pub mod outcome;
pub mod progress;
pub mod snapshot;
pub mod waits;
pub mod workers;
