//! The states of a count: which there are after each square, and where each has its count.

pub mod apex;
pub mod context;
pub mod layers;
pub mod matching;
pub mod mirror;
pub mod order;
pub mod rule;
pub mod set;
pub mod slots;
pub mod sweep;
pub mod table;
