//! Strands: a tour put together of moves, wherever one is forced.
//!
//! A search that extends one path learns too late that a far square has lost its exits. This one decides moves anywhere
//! on the board: at the square with the fewest options (the end of a strand before a bare square) it chooses a random
//! open move, draws every conclusion (`joins`), and chooses again. A choice that is refuted is ruled out, so that the
//! search is exhaustive when it is let. A node is one choice made.
//!
//! An early mistake can cost more than anybody's lifetime, so an attempt has a limit of nodes, and the next one begins
//! anew with other choices. The limit doubles every [`ROUND`] attempts: in the end one of them comes to its end, and what is
//! impossible is proven to be.
//!
//! With both ends free the knot of an open tour has moves to half the board at least, and few squares are forced. So
//! most attempts choose such ends at random as well. They prove nothing about other ends: every [`ROUND`]th attempt,
//! the *thorough* one, leaves the ends free, and goes on after a tour to the next one. The others stop after one, so
//! that tours of different attempts differ widely.
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

pub use attempt::{ROUND, StrandRoot, Strands, first};
pub use pairs::{SquarePairs, pairs};
pub use question::{Contradiction, TourEnds};
