//! What the operating system allows this process: its cores, the limit of CPU time of its control group, its threads.
//!
//! **Where to begin**: `cores.rs` has the number of cores and the limit of CPU time, `topology.rs` how these hang together, `root.rs` the files of
//! the kernel, `threads.rs` starts every thread, `stdout.rs` knows whether there is a stdout.

mod cores;
pub mod root;
mod stdout;
mod threads;
mod topology;

pub use cores::{Quota, allowed_cores, cores};
pub use root::{Root, numbers, ranges};
pub use stdout::is_stdout_closed;
pub use threads::{ThreadRefused, fewer_threads, pool, pool_with, start, start_within};
pub use topology::{CpuLevel, Topology};
