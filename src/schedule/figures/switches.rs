//! How often the operating system switched a worker off its core, and moved it to another one.

use serde::Serialize;
use std::ops::Add;

/// Context switches of one worker. The figures stop at their greatest value, which takes 50 days of a
/// thousand switches a second: many of these are kept in memory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct ContextSwitches {
    /// The worker went to sleep: it had no work, or waited for the output.
    pub voluntary: u32,
    /// Something else was to run on its core.
    pub forced: u32,
    /// Times that the worker went on on another core; `None` where the system does not tell.
    pub migrations: Option<u32>,
}

impl Add for ContextSwitches {
    type Output = ContextSwitches;

    fn add(self, other: ContextSwitches) -> ContextSwitches {
        ContextSwitches {
            // Figures that were read may be any numbers.
            voluntary: self.voluntary.saturating_add(other.voluntary),
            forced: self.forced.saturating_add(other.forced),
            migrations: self.migrations.zip(other.migrations).map(|(a, b)| a.saturating_add(b)),
        }
    }
}
