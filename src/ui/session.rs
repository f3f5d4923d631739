//! A session: the runs that one live view shows one after the other, and the functions that start them.

use crate::run::{Beginning, Plan, Source};

/// The settings of a session.
pub struct Session {
    /// The plan of the first run.
    pub plan: Plan,
    /// Whether the user may ask another question or change the scheduler; false while tours are written to a file.
    pub may_restart: bool,
    /// Frames a second, 1..=60.
    pub fps: u32,
    /// How the first run starts.
    pub beginning: Beginning,
    /// Starts runs. It is called again when the user changes the scheduler or asks another question, after the
    /// earlier run has ended.
    pub launch: Launch,
    /// Prepares to detach a run into another process, before the run is stopped here; or says why that is impossible.
    pub prepare_detach: PrepareDetach,
}

/// Prepares to detach a run into another process.
pub type PrepareDetach = Box<dyn FnMut() -> Result<(), String>>;

/// Starts a run, or opens another source of frames, and returns at once.
pub type Launch = Box<dyn FnMut(&Plan, Beginning) -> Box<dyn Source>>;
