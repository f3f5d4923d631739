//! The memory that this machine allows a process, what sets that bound, and how much it took.

mod memory;
mod process;

pub use memory::{Bound, MachineMemory, Share};
pub use process::{Peak, available, available_and_most};
