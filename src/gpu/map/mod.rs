//! The batch of knights: every start of a board, each with many orders of the moves, all by Warnsdorff's rule.
//!
//! A knight is independent of all others, makes about as many moves as they do, and needs little memory: of all work
//! here, this suits a GPU best. Workers on the CPU can run the same batch; device and workers agree on every knight.
//! A map answers from which starts the rule fails, and which order fails least.
//!
//! ```text
//! knight     0   1   2 .. 63   64  65 ..          8x8: starts in the order of the squares,
//! start     a8  b8  c8 .. h1   a8  b8 ..               first with order 0, then with order 1, ..
//! order      0   0   0 ..  0    1   1 ..
//! visits    64  64  60 .. 64   64  64 ..
//! ```
//!
//! * [`Batch`]: the question; [`Map`]: the results of the knights so far
//! * [`MapEngine`]: moves the knights: [`Workers`] on the CPU, a device by `map.wgsl`, or the rule square by square
//!   (`workers.rs`)
//! * [`MapWork`]: a batch in progress; if its device fails, workers on the CPU replace it
//!
//! # Source
//! The rule and its first order are those of Suraj N. Kurapati, "Knight's Tour in Cg", 2007.

mod batch;
#[cfg(feature = "gpu")]
mod shader;
mod work;
mod workers;

pub use batch::{Batch, Map, MapEngine, SQUARES_MAX};
pub use work::{MapComparison, MapOutcome, MapWork};
pub use workers::Workers;

#[cfg(test)]
mod tests;
