//! How well the work of a run is shared. A [`Balance`] collects the events and snapshots of a run from any source, and
//! gives its [`BalanceFigures`] at any moment. Its memory is bounded, whatever the length of the run: figures of every
//! worker, histograms, and who hired whom in crews of up to [`PAIRS_MAX`] workers.

mod chains;
mod figures;
mod gauge;
mod groups;
mod pairs;
mod recent;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod verdict_tests;
mod verdicts;
mod waits;
mod words;
mod worker;

pub use chains::{AllowedSpeedup, DecidingChain, DecidingHire, LastTask, allowed, crews_up_to};
pub use figures::{BalanceFigures, Histogram, PerHire, RunSpan, SwitchTotals, WorkerUse};
pub use gauge::Balance;
pub use groups::{GroupUse, WorkerGroups, group_noun};
pub use pairs::{Matrix, PAIRS_MAX, Pairs, SHOWN_MAX};
pub use recent::{RecentUse, WorkerMarks};
pub use verdicts::{SHARE_MIN, SHORT_S, Verdict, VerdictName};
pub use waits::WaitFigures;
pub use words::{BalanceLine, Bar};
