//! The states of a count: which there are after each square, and where each has its count.
//!
//! | file | holds |
//! | --- | --- |
//! | `order.rs` | the order of the squares, and the slots that hold the frontier |
//! | `apex.rs` | one more vertex, joined to the ends of an open tour |
//! | `slots.rs` | which slot holds which square |
//! | `mirror.rs` | mirror images, of which one of two is stored; why that counts all tours |
//! | `rule.rs` | what a square does to patterns; contexts and the numbers of their groups |
//! | `set.rs`, `layer.rs` | sets of patterns; the states of one layer |
//! | `layers.rs` | all layers of a sweep: the passes over the board that find them |
//! | `context.rs` | the groups of two layers that rules connect, and that are worked on by themselves |
//! | `matching.rs`, `table.rs` | numbers for matchings, and how they change |
//! | `sweep.rs` | the sweeps that answer a question; colours of the ends of open tours |

pub mod apex;
pub mod context;
pub mod layer;
pub mod layers;
pub mod matching;
pub mod mirror;
pub mod order;
pub mod rule;
pub mod set;
pub mod slots;
pub mod sweep;
pub mod table;
