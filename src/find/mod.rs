//! Kernels that look for one tour: constructions, heuristics, searches with restarts.
//!
//! A kernel of [`search`](crate::search) enumerates: its tree can be split among workers, and its totals do not depend on
//! the split. A kernel of this room gives one answer soon. One try is an [`Attempt`]: the question, the seed and the
//! number of the attempt, from 0, determine it completely. A worker drives an attempt in bursts and can draw it after
//! each of them. Attempts know no thread, channel, clock or atomic. [`Crew::race`](crate::schedule::Crew::race) runs many
//! attempts side by side and accepts their tours in the order of their numbers, so the answer does not depend on which
//! worker was faster.
//!
//! ```text
//!  question, seed ──> attempt 0  GivenUp                 three workers at a race: a tour is accepted
//!                     attempt 1  ........ Found ──┐      when all attempts of lower number are over
//!                     attempt 2  .. Found ────────┴──> accepted in this order: 1, then 2
//! ```
//!
//! # Words of this room
//!
//! | word | what it is |
//! | --- | --- |
//! | attempt | one try at a tour: a search or a construction with its own random numbers |
//! | comb | a tour put together of tiles (or blocks), in rows that start at one column like the teeth of a comb |
//! | piece | one tile or block: a small board with its own path or cycle |
//! | band | one row of pieces, walked as a whole |
//! | nest | pieces of which each lies in a cut of the path of the one before, and the arithmetic of their numbers |
//! | strand | a path fragment: squares joined by moves that are decided; the search `edges` calls it a fragment |
//! | knot | the extra vertex that joins the two ends of an open path, so that it is searched as a cycle |
//! | field | the board of Warnsdorff's rule, one byte for each square |
//! | hops | the number of moves that Warnsdorff's rule decides at once |
//!
//! **Invariant**: the tours of a question and a seed are the same with any number of workers. **Where to begin**:
//! `attempt.rs`, then `squirrel_cull.rs`, the shortest.
//!
//! | file | contents |
//! | --- | --- |
//! | `attempt.rs` | [`Attempt`], how one burst ends, and the seed of an attempt |
//! | `comb/` | tours that are formulae, on boards of any size |
//! | `strands/` | tours put together of forced and chosen moves, anywhere on the board |
//! | `warnsdorff/` | Warnsdorff's rule, its tie-breaks, and the board of one byte per square |
//! | `squirrel_cull.rs` | Warnsdorff's rule with orders of moves that change during the tour |
//! | `depth_first.rs` | depth-first search with backtracking, the order in which it tries the eight moves, and its rules for the step view |
//! | `numbers.rs` | tours in which given moves lead to given squares |
//! | `quarter_turn.rs` | tours of four rotated copies of one path |
//! | `genetic/` | a genetic algorithm |

mod attempt;
pub mod comb;
mod depth_first;
pub mod genetic;
mod numbers;
mod quarter_turn;
mod squirrel_cull;
pub mod strands;
mod warnsdorff;

pub use attempt::{Attempt, AttemptProgress, run, seed_of};
pub use depth_first::{DepthFirst, Heat, MoveOrder, Preference};
pub use numbers::{NumbersAttempt, NumbersRoot};
pub use quarter_turn::QuarterTurns;
pub use squirrel_cull::{SQUIRREL_CULL_SIDE_MIN, squirrel_cull};
pub use warnsdorff::{HOPS_MAX, RuleKnights, RuleManner, Tie, Warnsdorff};
