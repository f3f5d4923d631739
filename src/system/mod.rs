//! What the machine and its operating system allow this process: instructions, cores, the limit of CPU time of its control group, threads.
//!
//! **Where to begin**: `cores.rs` has the number of cores and the limit of CPU time, `topology.rs` how these hang together, `root.rs` the files of
//! the kernel, `threads.rs` starts every thread, `stdout.rs` knows whether there is a stdout,
//! `processor.rs` what the processor can run.

mod cores;
pub mod processor;
pub mod root;
mod stdout;
mod threads;
mod topology;

pub use cores::{Quota, allowed_cores, cores};
pub(crate) use processor::at_best_level;
pub use root::{Root, numbers, ranges};
pub use stdout::is_stdout_closed;
pub use threads::{ThreadRefused, fewer_threads, pool, pool_with, start, start_within};
pub use topology::{CpuLevel, Topology};
