//! How well the work of a run is shared. A [`Balance`] collects the events and snapshots of a run from any source, and
//! gives its [`BalanceFigures`] at any moment. Its memory is bounded, whatever the length of the run: figures of every
//! worker, histograms, and who hired whom in crews of up to [`PAIRS_MAX`] workers.

mod allowed;
mod at_work;
mod deciding;
mod figures;
mod gauge;
mod held;
mod histogram;
mod losses;
mod own;
mod pairs;
mod span;
#[cfg(test)]
mod tests;
mod text;
#[cfg(test)]
mod verdict_tests;
mod verdicts;
mod waits;
mod words;

pub use allowed::{AllowedSpeedup, allowed, crews_up_to};
pub use deciding::{DecidingChain, DecidingHire, LastTask};
pub use figures::{BalanceFigures, Deciding, GivenBranch, PerHire, RunSpan};
pub use gauge::Balance;
pub use histogram::Histogram;
pub use own::{SwitchTotals, TIME_PARTS, TimeBar, WorkerUse, bar_cells};
pub use pairs::{Matrix, PAIRS_MAX, Pairs, SHOWN_MAX};
pub use verdicts::{Verdict, VerdictName};
pub use words::{BalanceLine, Bar};
