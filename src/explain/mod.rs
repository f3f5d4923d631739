//! Searches that say what they do: one step at a time, each with its reason in words.
//!
//! A fast kernel decides eight branches in one instruction and keeps no word of why. Here is its plain twin: [`ExplainedWalk`]
//! goes through the same tree, in the same order, square by square on an array, and the [`ExplainedRules`] of a search judge every
//! move by itself and give the [`Reason`]. Tests hold the twins together: after every node the counts are those of
//! the kernel.
//!
//! ```text
//! steps of one node          then
//! Entered  c4 by move 5      Back     to b2: the move to c4 is exhausted
//! Forced   e5 must be next   Entered  the next untried move of b2, ..
//! Cut      move 3 to d6      Finished nothing is left
//! DeadEnd | Tour
//! ```
//!
//! A [`Tape`] keeps the past of such a search, so that one can step back.

mod brute;
mod path;
mod radley;
mod reason;
mod step;
mod tape;
#[cfg(test)]
mod tests;
mod trail;
mod walk;

pub use brute::BruteRules;
pub use path::PathRules;
pub use radley::RadleyRules;
pub use reason::Reason;
pub use step::{Explained, ExplainedCounts, ExplainedMove, MoveStanding, StepEvent};
pub use tape::Tape;
pub use trail::Trail;
pub use walk::{ExplainedRules, ExplainedWalk, Pruned, RuleVerdict};
