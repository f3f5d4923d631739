//! About how many tours, where there are too many states to count: an unbiased estimate from random walks.
//!
//! Draw a tour by choices at random, and divide 1 by the likelihood of these choices: over all draws the mean of that
//! weight is the number of tours, whatever the likelihoods are, because every tour adds its likelihood times its weight,
//! which is 1. A draw that leads to a dead end weighs 0. What the likelihoods decide is only the variance, and there the
//! naive walk, move after move along one path, is hopeless: few walks reach a tour, and of those that do some weigh a
//! million times as much as others.
//!
//! Here a walk grows a set of fragments (`position.rs`), as the solver `edges` does: what is forced costs no draw, and 95
//! of 100 walks reach a tour on every board that was tried. It draws where it must by a figure of how many tours there may
//! be below each choice (`likely.rs`), and counts the last pieces exactly (`walk.rs`). Measured on 8x8 closed, the
//! standard deviation of a weight is twice its mean, so that 40,000 walks, some two seconds on one core, give the number
//! to one per cent; on 10x10 it is three times, on 12x12 five times the mean.
//!
//! The walks are independent, and their number is fixed by whoever asks, or by the clock; none is left out for its
//! weight. So the error is that of a mean (`tally.rs`); whether the intervals hold what they promise is printed by
//! `destrier bench estimates`. Walks go to threads by their number (`crew.rs`).
//!
//! # Source
//! D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975. H. Cancela, E.
//! Mordecki, "Counting knight's tours through the randomized Warnsdorff rule", arXiv math/0609009, 2006, estimates the
//! open tours of 8x8 so. The growth by fragments, the figure and the exact end are this program's own.

mod estimator;
mod position;
mod score;
mod tally;
mod walker;
mod walks;

pub use estimator::{Estimator, TooManySquares};
pub use tally::{CONFIDENCE, WeightTally, student_quantile};
pub use walks::{WalkLimit, Walks};
