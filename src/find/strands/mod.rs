//! Strands: a tour put together of moves, anywhere on the board, forced moves first.
//!
//! A search that extends one path learns too late that a far square has lost its exits. This search decides moves anywhere
//! on the board. It takes the square with the fewest options (the end of a strand before a bare square), chooses one of
//! its open moves at random, draws every conclusion (`move_state.rs`), and chooses again. A refuted choice is ruled out, so
//! the search is exhaustive if it runs to its end. A node is one choice.
//!
//! An early mistake can cost more than a lifetime, so an attempt has a limit of nodes, and the next attempt starts again
//! with other choices. The limit doubles every `ROUND` attempts. At last one attempt searches everything, which proves
//! that there is no tour if there is none.
//!
//! With both ends free, the knot of an open tour has moves to at least half the board, and few squares are forced. So
//! most attempts choose free ends at random too. Such an attempt proves nothing about other ends. Every `ROUND`th
//! attempt, the *thorough* one, leaves the ends free and continues after a tour to the next. The other attempts stop
//! after one tour, so the tours of different attempts differ widely.
//!
//! # Source
//! D. E. Knuth, "The Art of Computer Programming", volume 4, fascicle 8a, "Hamiltonian Paths and Cycles", 2025, on
//! forced moves and mates.

mod attempt;
mod move_state;
mod question;
mod tight;

#[cfg(test)]
mod tests;

pub use attempt::{SquarePairs, StrandRoot, Strands, count_pairs};
pub use question::{Contradiction, TourEnds};
