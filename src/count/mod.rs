//! Counting without listing: exact numbers of tours, by frontier states.
//!
//! A search finds tours one by one, and 13 million million tours are too many for that. A count looks at no tour. It
//! processes the board square by square. Of the many ways to fill the part behind, it keeps only what matters for the
//! part ahead, and how many ways are alike in that.
//!
//! `README.md` beside this file tells how that works: frontier states, degree patterns, passes, residues; and it holds the numbers
//! that were confirmed, refuted and found.
//!
//! ```text
//!  question ──> plan: patterns of every square, memory, work ──> pass: sweep over the squares in plain integers
//!                                                                  │ counts outgrow 64 bits
//!                                                                  v
//!                                            further passes modulo primes ──> number, evidence ──> answer
//! ```
//!
//! **Invariant**: no number is printed that rests on less than it says: exact (no count overflowed), or settled (one more
//! modulus changed nothing). Every overflow is detected. **Where to begin**: `README.md`, then `run/driver.rs`, which takes
//! a question to its answer, and `pass/steps.rs`, where the time goes.
//!
//! A room imports only rooms below it in this table, and the files beside the rooms.
//!
//! | room or file | holds |
//! | --- | --- |
//! | [`number`] | the tour with a number, the number of a tour, tours drawn uniformly |
//! | `run` | runs of a plan: passes, checkpoints, the answer; numbers from remainders |
//! | `plan` | what a count takes, before anything is counted |
//! | `pass` | one pass over a sweep: the inner loop, widths of counts, memory and files |
//! | `states` | the order of the squares; patterns, matchings and layers; sweeps |
//! | `ask` | the question, the settings, moduli and residues, what is known so far |
//! | `watch.rs`, `snapshot.rs` | the view of a running count from outside; its progress as plain data |
//! | `error.rs`, `shortage.rs` | why there is no answer; what does not fit, in one sentence |
//! | [`symmetric`] | tours that a symmetry keeps, for numbers of classes |
//! | [`estimate`] | estimates by random walks, where there are too many states |
//!
//! # Source
//! The method is the frontier method, as in D. E. Knuth, "The Art of Computer Programming", pre-fascicle 8a,
//! "Hamiltonian Paths and Cycles", 2025, Algorithm E. Dense blocks by degree pattern and the gathering of whole
//! contexts are this project's. M. Loebbing, I. Wegener, "The number of knight's tours equals 33,439,123,484,294:
//! counting with binary decision diagrams", Electronic Journal of Combinatorics 3, 1996, R5, with the comment that
//! corrects it. B. D. McKay, "Knight's tours of an 8x8 chessboard", technical report TR-CS-97-03, Australian National
//! University, 1997.

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
mod shortage;
mod snapshot;
mod states;
pub mod symmetric;
#[cfg(test)]
mod tests;
mod watch;

pub use ask::board_range::BoardRange;
pub use ask::question::{Convention, Count, CountQuestion};
pub use ask::residues::{Evidence, Modulus};
pub use ask::settings::{BoardNumber, CountAnswer, CountPosition, Settings};
pub use error::CountError;
pub use plan::count_plan::{CountPlan, RowPlan};
pub use plan::pace::MeasuredPace;
pub use run::header::{CountOptions, FinishedCount};
pub use run::merge::{MergedCount, unused_prime};
pub use run::saved_question::SavedCount;
pub use shortage::{MemoryCeiling, MemoryLimit, Shortage};
pub use snapshot::{CountPhase, CountSnapshot, RowMeter, ThreadMeter};
pub use states::sweep::processing_order;
pub use watch::CountWatch;
