//! Strands: a tour put together of moves, anywhere on the board, forced moves first.
//!
//! A search that extends one path learns too late that a far square has lost its exits. This search decides moves anywhere
//! on the board. It takes the square with the fewest options (the end of a strand before a bare square), chooses one of
//! its open moves at random, draws every conclusion (`joins.rs`), and chooses again. A refuted choice is ruled out, so
//! the search is exhaustive if it runs to its end. A node is one choice.
//!
//! An early mistake can cost more than a lifetime, so an attempt has a limit of nodes, and the next attempt starts again
//! with other choices. The limit doubles every [`ROUND`] attempts. At last one attempt searches everything, which proves
//! that there is no tour if there is none.
//!
//! With both ends free, the knot of an open tour has moves to at least half the board, and few squares are forced. So
//! most attempts choose free ends at random too. Such an attempt proves nothing about other ends. Every [`ROUND`]th
//! attempt, the *thorough* one, leaves the ends free and continues after a tour to the next. The other attempts stop
//! after one tour, so the tours of different attempts differ widely.
//!
//! | file | contents |
//! | --- | --- |
//! | `question.rs` | what a search is asked for, what is forced at once, and why there is no tour |
//! | `attempt.rs` | the root that attempts share, and one attempt |
//! | `joins.rs` | the position: moves in, out and open, and the conclusions from them |
//! | `tight.rs` | the squares with the fewest options |
//! | `pairs.rs` | how many pairs of squares are the ends of a tour |
//!
//! # Source
//! D. E. Knuth, "The Art of Computer Programming", volume 4, fascicle 8a, "Hamiltonian Paths and Cycles", 2025, on
//! forced moves and mates.

mod attempt;
mod joins;
mod pairs;
mod question;
mod tight;

#[cfg(test)]
mod tests;

pub use attempt::{ROUND, StrandRoot, Strands, first_tour};
pub use pairs::{SquarePairs, count_pairs};
pub use question::{Contradiction, TourEnds};
