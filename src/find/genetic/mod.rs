//! A genetic algorithm: bit strings that code walks compete, mate and mutate until one codes a tour.
//!
//! An [`Island`] is a population with its own seed and start, and an [`Attempt`](super::Attempt). It ends after a bounded
//! number of generations, because a population that has become uniform seldom finds anything new. A node is one
//! evaluation. Breeding and repair can each be switched off, to show what they contribute.
//!
//! Most of 40 islands of 8x8 have found an open tour after 30 generations, a closed one after 80; of 10x10 one in
//! twenty has found one after 400. The clockwise coding of the directions matters: with the codes of
//! [`MOVES`](crate::board::MOVES), which jump from side to side, 250,000 strings of 8x8 yield 2 tours instead of 493.
//!
//! | file | contents |
//! | --- | --- |
//! | `genome.rs` | the bit strings, and the walk that evaluates one |
//! | `island.rs` | the population, one generation after another |
//!
//! # Source
//! V. S. Gordon and T. J. Slocum, "The Knight's Tour - Evolutionary vs. Depth-First Search", Congress on Evolutionary
//! Computation, 2004: the coding, the fitness and the repair. Population, rates and the order in which repair tries
//! directions are as in programs that cite this paper; the selection is a choice of this program.

mod genome;
mod island;

pub use island::{Generation, Island, IslandOptions, POPULATION};
