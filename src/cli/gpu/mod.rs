//! `destrier gpu`: work for a GPU; the CPU does it where there is none.

mod job;
mod map;
pub mod report;
#[cfg(feature = "tui")]
mod watch;
mod work;

pub use map::{GpuArgs, run};
pub use work::whole;
