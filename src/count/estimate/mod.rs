//! Estimates of the number of tours by random walks, for boards with too many states to count. The estimate is unbiased.
//!
//! A walk makes random choices until it has a tour. Its weight is 1 divided by the likelihood of its choices. Over all
//! walks the mean weight is the number of tours, whatever the likelihoods are: every tour adds its likelihood times its
//! weight, which is 1. A walk that reaches a dead end weighs 0. The likelihoods decide the variance alone. The naive walk,
//! move after move along one path, has a hopeless variance: few walks reach a tour, and of those that do some weigh a
//! million times as much as others.
//!
//! Here a walk grows a set of fragments, as the solver `edges` does. Forced moves cost no draw, and 95 of
//! 100 walks reach a tour on every board that was tried. Where moves are not forced, the walk draws by a score for the
//! number of tours below each choice (`score.rs`), and it counts the last pieces exactly (`walker.rs`). Measured on 8x8
//! closed, the standard deviation of a weight is twice its mean, so that 40,000 walks, about a second on one core, give
//! the number to one per cent; on 10x10 it is three times, on 12x12 five times the mean.
//!
//! The walks are independent. The caller fixes their number or their end time, and no walk is left out for its weight. So
//! the error is that of a mean (`tally.rs`); group `estimates` of `tests/battery` measures how often the intervals hold the true
//! number. Threads take walks by their numbers (`walks.rs`).
//!
//! # Source
//! D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975. H. Cancela, E.
//! Mordecki, "Counting knight's tours through the randomized Warnsdorff rule", arXiv math/0609009, 2006, estimates the
//! open tours of 8x8 by random walks. The growth by fragments, the score and the exact end are this program's own.

mod estimator;
mod score;
mod tally;
mod walker;
mod walks;
mod wide_mask;

pub use estimator::{Estimator, TooManySquares};
pub use tally::{CONFIDENCE, WeightTally, student_quantile};
pub use walks::{WalkLimit, Walks};
