//! The schedulers by name.

use serde::{Deserialize, Serialize};

/// How the work is shared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Scheduler {
    /// Idle workers attach to busy ones and are hired by them.
    Hire,
    /// Tasks above a size on rayon's deques, stolen from the far end.
    Rayon,
    /// The starts, or prefixes, dealt out once.
    Static,
    /// One worker.
    Serial,
}

impl Scheduler {
    /// Every scheduler, the default first.
    pub const ALL: [Scheduler; 4] = [Scheduler::Hire, Scheduler::Rayon, Scheduler::Static, Scheduler::Serial];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scheduler::Hire => "hire",
            Scheduler::Rayon => "rayon",
            Scheduler::Static => "static",
            Scheduler::Serial => "serial",
        }
    }

    /// One line about it.
    pub fn summary(self) -> &'static str {
        match self {
            Scheduler::Hire => "idle workers attach to a busy one, which hires them (Radley)",
            Scheduler::Rayon => "large parts become tasks on rayon's deques, to be stolen",
            Scheduler::Static => "starts or prefixes dealt out once, like a parallel for (Carter)",
            Scheduler::Serial => "one worker",
        }
    }
}
