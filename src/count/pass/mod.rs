//! One pass over a sweep: all squares, in order, with a count for every state.

pub mod buffer;
pub mod counts;
pub mod dense;
pub mod gather;
#[cfg(test)]
mod gather_tests;
pub mod spill;
pub mod steps;
pub mod stored_layer;
pub mod threads;
