//! The search of a tree under one of the five schedulers.
//!
//! | file | holds |
//! | --- | --- |
//! | `tree.rs` | [`Crew::run`](crate::schedule::Crew::run): the search, its breaks and its estimate; the serial scheduler |
//! | `worker.rs` | a worker with a kernel, and the loop that drives the kernel in bursts |
//! | `hire.rs` | idle workers are hired by busy ones, by the protocol in `protocol.rs` |
//! | `fork.rs` | rayon |
//! | `fixed.rs` | prefixes dealt out before the run |
//! | `shard_prefixes.rs` | the prefixes of one part of a tree, for a run on many machines |

pub mod fixed;
mod fork;
mod hire;
#[cfg(test)]
mod overhead_tests;
mod shard_prefixes;
#[cfg(test)]
mod tests;
pub mod tree;
mod worker;
