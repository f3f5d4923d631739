//! One pass over a sweep: all squares, in order, with a count for every state.
//!
//! | file | holds |
//! | --- | --- |
//! | `steps.rs` | the pass: a step for each square, sparse or dense, in the narrowest counts that hold it |
//! | `gather.rs` | the inner loop: sums over whole blocks |
//! | `counts.rs` | widths of counts; storing a block, and what is found of it |
//! | `threads.rs` | the work of a step for the threads |
//! | `dense.rs`, `buffer.rs`, `spill.rs` | a step in counts of one width; counts in memory and in files |
//! | `stored_layer.rs` | the counts of a layer as bytes of a file, and their validation |

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
