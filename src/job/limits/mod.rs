//! What this machine allows a process: the memory it may take, what sets that bound, and how much it took.

mod memory;
mod process;
pub mod root;

pub use memory::{Bound, MachineMemory, Share};
pub use process::{Peak, available, available_and_most};
