//! A session: the runs that are looked at one after the other, and by whom they are started.

use crate::run::{Beginning, Plan, Source};

/// What is to be shown.
pub struct Session {
    /// What is asked to begin with, and by whom it is answered.
    pub plan: Plan,
    /// Whether the user may ask something else, or change the scheduler; not while its tours are written.
    pub may_restart: bool,
    /// Frames a second, 1..=60.
    pub fps: u32,
    /// How the first run begins.
    pub beginning: Beginning,
    /// Starts runs. Called again when the user changes the scheduler or asks something else, after the run before has
    /// ended.
    pub launch: Launch,
    /// Sees to it that a run can be left to another process, before it is stopped for that; or says why it cannot.
    pub berth: MakeRoom,
}

/// Makes room for a run that is to go on elsewhere.
pub type MakeRoom = Box<dyn FnMut() -> Result<(), String>>;

/// Starts a run, or whatever else is to be looked at, and answers at once.
pub type Launch = Box<dyn FnMut(&Plan, Beginning) -> Box<dyn Source>>;
