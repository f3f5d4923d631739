//! Kernels that look for one tour: constructions, heuristics, searches with restarts.
//!
//! What enumerates lies in [`search`](crate::search): it can be split, and its totals are the same however it was
//! shared. What is here wants one answer soon. A try at it is an [`Attempt`]: numbered from 0, wholly determined by
//! the question, the seed and its number, driven in bursts, able to be drawn. Attempts know no thread, channel, clock
//! or atomic; [`Crew::race`](crate::schedule::Crew::race) runs many of them side by side and accepts their tours in
//! the order of their numbers, so that the answer does not depend on who was faster.

mod attempt;
pub mod comb;
mod depth_first;
mod depth_first_rules;
pub mod genetic;
mod neural;
mod order;
mod quarter_turn;
mod squirrel_cull;
pub mod strands;
mod tie;
mod warnsdorff;

pub use attempt::{Attempt, AttemptProgress, run, seed_of};
pub use depth_first::{DepthFirst, Heat, Preference};
pub use depth_first_rules::DepthFirstRules;
pub use neural::Network;
pub use order::MoveOrder;
pub use quarter_turn::QuarterTurns;
pub use squirrel_cull::SquirrelCull;
pub use tie::Tie;
pub use warnsdorff::{HOPS_MAX, RuleKnights, RuleManner, Warnsdorff};
