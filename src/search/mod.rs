//! Tree searches that can be split.
//!
//! A [`Kernel`] walks a tree of choices (a square to visit, an edge to fix) depth first. It knows no thread, channel or
//! clock. A scheduler drives it in bursts, takes parts of its remaining work with [`Kernel::split`], and reads its
//! counts from a [`Tally`]. A part travels as a [`Task`]: the choices that lead to it from the root, so that another
//! kernel of the tree can begin there on any thread.
//!
//! A kernel has two gears. In the explicit gear every level lies in a [`Stack`], the search may stop before any node,
//! and any level can be split. Below a level with few squares left, the sparse gear hands each subtree to a bare loop
//! that uses only registers. 99 of 100 nodes lie there, and one poll per such subtree costs nothing. A [`Burst`] has
//! one of the two gears. The bare loop of the plain path searches walks several paths at once (module `lanes`).

mod brute;
mod drawing;
mod edges;
mod kernel;
mod lanes;
#[cfg(test)]
mod laws;
pub(crate) mod path;
mod probe;
mod prune;
pub mod quarter;
mod radley;
mod stack;
mod tally;
mod task;

pub use brute::Brute;
pub use drawing::Drawing;
pub use edges::Edges;
pub use kernel::{Branches, Burst, BurstEnd, Kernel};
pub use path::{OrbitImages, Path};
pub use probe::{Prober, TreeSample};
pub use prune::Prune;
pub use radley::{Radley, RadleyOptions};
pub use stack::Stack;
pub use tally::{BurstOutput, DEPTHS, Tally, TourSink};
pub use task::{HandOver, Task};
