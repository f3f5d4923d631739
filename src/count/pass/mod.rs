//! One pass over a sweep: all squares, in order, with a count for every state.

pub mod counts;
pub mod dense;
pub mod gather;
#[cfg(test)]
mod gather_tests;
pub mod steps;
pub mod store;
pub mod stored_layer;
pub mod threads;
