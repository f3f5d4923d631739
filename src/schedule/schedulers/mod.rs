//! The search of a tree under one of the five schedulers.
//!
//! Where to begin: [`Crew::run`](crate::schedule::Crew::run) in `tree.rs`, then the loop of a worker in `worker.rs`.

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
