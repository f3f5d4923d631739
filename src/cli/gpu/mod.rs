//! `destrier gpu`: work for a GPU; the CPU does it where there is none.

mod map;
mod report;

pub use map::{GpuArgs, run, whole};
pub use report::{MapReport, coloured};
