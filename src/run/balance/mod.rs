//! How well the work of a run is shared: one [`Balance`] is built from the events and snapshots of a run, whichever source
//! they come from, and says at any moment what they come to, as [`BalanceFigures`]. It has as much room after days as after a
//! second: figures of every worker, histograms, and who hired whom in crews of up to [`PAIRS_MAX`] workers.

mod figures;
mod gauge;
mod histogram;
mod pairs;
#[cfg(test)]
mod tests;
mod words;

pub use figures::{BalanceFigures, PerHire, RunSpan};
pub use gauge::Balance;
pub use histogram::Histogram;
pub use pairs::{Matrix, PAIRS_MAX, Pairs, SHOWN_MAX};
pub use words::{BalanceLine, Bar};
