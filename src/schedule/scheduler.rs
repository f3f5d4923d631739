//! The schedulers by name.

use serde::{Deserialize, Serialize};

/// How the work is shared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Scheduler {
    /// Idle workers attach to busy ones and are hired by them.
    Hire,
    /// Tasks above a size on rayon's deques, stolen from the far end.
    Rayon,
    /// Many prefixes, dealt out in turn before the run.
    Static,
    /// The starts, or a few prefixes, dealt out in blocks before the run.
    Blocks,
    /// One worker.
    Serial,
}

impl Scheduler {
    /// Every scheduler, the default first.
    pub const ALL: [Scheduler; 5] =
        [Scheduler::Hire, Scheduler::Rayon, Scheduler::Static, Scheduler::Blocks, Scheduler::Serial];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scheduler::Hire => "hire",
            Scheduler::Rayon => "rayon",
            Scheduler::Static => "static",
            Scheduler::Blocks => "static-blocks",
            Scheduler::Serial => "serial",
        }
    }

    /// One line about it.
    pub fn summary(self) -> &'static str {
        match self {
            Scheduler::Hire => "idle workers attach to a busy one, which hires them (Radley)",
            Scheduler::Rayon => "large parts become tasks on rayon's deques, to be stolen",
            Scheduler::Static => {
                "thousands of prefixes dealt out in turn before the run: nobody helps, the shares are even"
            }
            Scheduler::Blocks => {
                "the starts, or a few prefixes, dealt out in blocks, as Carter did: shows uneven shares"
            }
            Scheduler::Serial => "one worker",
        }
    }
}
