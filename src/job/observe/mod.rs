//! What sees the frames of a run without a screen: its journal, its trace and balance, and viewers of other processes.

mod observers;
mod trace;

pub use observers::{Observation, ObserveOptions};
pub use trace::{TraceOptions, Tracing};
