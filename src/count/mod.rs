//! Counting without listing: exact numbers of tours, by frontier states. `README.md` beside this file has the method, its proofs,
//! its words, and the numbers that were confirmed, refuted and found.
//!
//! ```text
//! run      the driver, its checkpoint, the answer; numbers from remainders      symmetric   tours that a symmetry keeps
//! plan     what a count takes, before anything is counted                       number      tours by their numbers
//! pass     one pass over a sweep: the inner loop, widths of counts, files       estimate    random walks
//! states   the order of the squares; patterns, matchings, layers; sweeps
//! ask      the question, the settings, moduli and residues, what is known
//! ```
//!
//! A room imports only rooms below it, and the files beside the rooms. **Invariant**: no number is printed that rests on less
//! than it says: exact (no count overflowed), or settled (one more modulus changed nothing). Every overflow is detected.
//! **Where to begin**: `run/driver.rs` takes a question to its answer; `pass/steps.rs` is where the time goes.

mod ask;
mod error;
pub mod estimate;
#[cfg(test)]
mod forgery_tests;
#[cfg(test)]
mod mirror_tests;
pub mod number;
mod pass;
mod plan;
#[cfg(test)]
mod range_tests;
mod run;
#[cfg(test)]
mod shape_tests;
mod shortage;
mod snapshot;
mod states;
pub mod symmetric;
#[cfg(test)]
mod tests;
mod watch;
#[cfg(test)]
mod wide_tests;

pub use ask::board_range::BoardRange;
pub use ask::question::{Convention, Count, CountQuestion};
pub use ask::residues::{Evidence, Modulus};
pub use ask::settings::{BoardNumber, CountAnswer, CountPosition, Settings};
pub use error::CountError;
pub use plan::count_plan::{CountPlan, RowPlan};
pub use plan::pace::MeasuredPace;
pub use run::checkpointer::CountFile;
pub use run::merge::{MergedCount, unused_prime};
pub use run::saved_count::{CHECKED_PLAN_BYTES, CountOptions, FinishedCount, SavedCount};
pub use run::saved_question::SavedQuestion;
pub use shortage::{MemoryCeiling, MemoryLimit, Shortage};
pub use snapshot::{CountPhase, CountSnapshot, RowMeter, ThreadMeter};
pub use states::sweep::processing_order;
pub use watch::CountWatch;
