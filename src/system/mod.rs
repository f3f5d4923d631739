//! What the operating system allows this process: its cores, the limit of CPU time of its control group, its threads.
//!
//! **Where to begin**: `cores.rs` has the number of cores and the limit of CPU time, `root.rs` the files of the kernel.

mod cores;
pub mod root;
mod threads;

pub use cores::{Quota, allowed_cores, cores};
pub use root::{Root, list_len};
pub use threads::{fewer_threads, pool};
