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
//!
//! ```text
//!  level   at   untried there         a Stack on 8x8, begun at a8
//!    0     a8   c7                    <── split by `shallowest` takes this one: the lowest open level has the largest part
//!    1     b6   c4, d5, d7
//!    2     a4   b2, c3                <── split by `next` takes the search's own next move
//! ```
//!
//! **Invariant**: however a tree is cut into bursts, gears and tasks, the tallies of its parts add up to that of one
//! uninterrupted run, and each tour is handed out once. `laws.rs` tests that for every kernel.
//!
//! **Where to begin**: `kernel.rs` has the trait, `stack.rs` the stack, and `brute.rs` is the shortest kernel.
//!
//! | file or folder | contents |
//! | --- | --- |
//! | `kernel.rs`, `stack.rs` | the trait, with tasks, counts and drawings; the levels of a search |
//! | `brute.rs`, `path/` | open tours with nothing pruned; path extension with forced moves |
//! | `radley.rs`, `prune.rs` | closed tours from a corner, and the prune tests |
//! | `lanes.rs` | the bare loop of `brute.rs` and `radley.rs` |
//! | `edges/` | closed tours by fixing edges |
//! | [`quarter`] | tours made of four rotated paths |
//! | `probe.rs` | the size of a tree, estimated before a search |

mod brute;
pub(crate) mod edges;
mod kernel;
mod lanes;
#[cfg(test)]
mod laws;
pub(crate) mod path;
mod probe;
pub(crate) mod prune;
pub mod quarter;
mod radley;
mod stack;
#[cfg(test)]
mod tests;

pub use brute::Brute;
pub use edges::Edges;
pub use kernel::{
    AnotherKernel, Branches, Burst, BurstEnd, BurstOutput, DEPTHS, Drawing, HandOver, Kernel, Tally, Task, TourSink,
};
pub use path::{OrbitImages, Path};
pub use probe::{Prober, TreeSample};
pub use prune::Prune;
pub use radley::{Radley, RadleyOptions};
pub use stack::Stack;
