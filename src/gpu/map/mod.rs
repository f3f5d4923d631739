//! The batch of knights: every start of a board, each with many orders of the moves, all by Warnsdorff's rule.
//!
//! A knight is independent of all others, takes about as many moves as they do and needs little memory: the one kind
//! of work here that suits a GPU without reserve. The same batch runs on the CPU across workers, and the two agree on
//! every knight. What it answers: from which starts the rule fails, and which order fails least.
//!
//! ```text
//! knight     0   1   2 .. 63   64  65 ..          8x8: starts in the order of the squares,
//! start     a8  b8  c8 .. h1   a8  b8 ..               then the same with the next order
//! order      0   0   0 ..  0    1   1 ..
//! visits    64  64  60 .. 64   64  64 ..
//! ```
//!
//! * [`Batch`]: the question; [`Map`]: what came of the knights so far
//! * [`MapEngine`]: who moves them, [`Workers`] on the CPU or a device by `map.wgsl`; and the rule told plainly (`plain`)
//! * [`MapWork`]: a batch under way, from one engine's hands to the next where a device is lost
//!
//! # Source
//! The rule and its first order are those of Suraj N. Kurapati, "Knight's Tour in Cg", 2007.

mod batch;
mod plain;
#[cfg(feature = "gpu")]
mod shader;
mod work;
mod workers;

pub use batch::{Batch, Map, MapEngine, SQUARES_MAX};
pub use work::{MapComparison, MapOutcome, MapWork};
pub use workers::Workers;

#[cfg(test)]
mod tests;
