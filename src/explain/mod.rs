//! Explained searches: one step at a time, each with its reason in words.
//!
//! A fast kernel decides eight branches in one instruction and stores no reason. This room has its plain twin:
//! [`ExplainedWalk`] walks the tree of the kernel in the kernel's order, square by square on an array. The
//! [`ExplainedRules`] of a search judge every move separately and give the [`Reason`]. [`ExplainedEdges`] is the twin of
//! the search that fixes moves anywhere on the board. Tests compare the twins: after every node their counts are equal.
//!
//! ```text
//! steps of one node          then
//! Entered  c4 by SSE         Back     to b2: the move to c4 is exhausted
//! Forced   e5 must be next   Entered  the next untried move of b2, ..
//! Cut      NNW to d6         Finished nothing is left
//! DeadEnd | Tour
//!
//! Joined   b1 to d2          Undone   b1 to d2 is exhausted
//! Fixed    f3 to e1, ..      Joined   b1 to c3, ..
//! Few      strung to tours
//! ```
//!
//! **Invariant**: an explained search enters the nodes, finds the tours and prunes the branches of its kernel, in the same
//! order.
//!
//! **Where to begin**: [`ExplainedRules`], which each search in `solve` gives its own; `ui/step` shows the steps.
//!
//! A search can be [led](Explained::lead) straight to a position, such as that of a worker. A [`Tape`] stores the past of an
//! explained search, so that a viewer can step back.

mod edges;
mod path;
mod quarter;
mod radley;
mod step;
mod tape;
#[cfg(test)]
mod tests;
mod trail;
mod walk;

pub use edges::ExplainedEdges;
pub use path::PathRules;
pub use quarter::QuarterRules;
pub use radley::RadleyRules;
pub use step::{BranchEnd, Explained, ExplainedCounts, ExplainedMove, MoveStatus, Reason, StepEvent, TreeLevel};
pub use tape::Tape;
pub use trail::Trail;
pub use walk::{CandidateSquare, ExplainedRules, ExplainedWalk, PlainRules, RuleVerdict, brute_rules};
