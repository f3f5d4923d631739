//! What a crew is made of: how many workers, how they share the work, and what else they mind.

use super::shard::Shard;
use crate::schedule::figures::snapshot::Levels;
use crate::search::HandOver;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Workers of the largest crew.
pub const THREADS_MAX: usize = 4096;

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

/// What a crew is made of.
#[derive(Clone, Copy, Debug)]
pub struct CrewPlan {
    /// Number of workers, 1..=[`THREADS_MAX`](THREADS_MAX).
    pub threads: usize,
    /// How they share the work.
    pub scheduler: Scheduler,
    /// By which rule branches are handed over.
    pub hand_over: HandOver,
    /// How figures by depth are counted.
    pub levels: Levels,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// By how much the workers lower their own priority, 0..=19, so that a view stays quick.
    pub nice: i32,
    /// CPU time that estimating the whole tree by random sampling may take at once, beside the search, before it gets
    /// but a small share; nothing: it is not estimated.
    pub estimate: Option<Duration>,
    /// How often the search of a tree takes a break, in which whoever [keeps](super::Crew::keep) it is told how far it is.
    pub breaks: Option<Duration>,
    /// Which part of the tree is to be searched, of so many; nothing: all of it.
    pub shard: Option<Shard>,
    /// Whether every worker stays on a core of its own, as far as there are enough.
    pub pin: bool,
}

impl CrewPlan {
    /// So many workers that share their work in this way, and mind nothing else: they hand over the shallowest branch,
    /// count no figures by depth, know no deadline, keep their priority, estimate nothing, take no breaks and search the whole tree.
    pub fn of(threads: usize, scheduler: Scheduler) -> CrewPlan {
        let (hand_over, levels) = (HandOver::Shallowest, Levels::Off);
        CrewPlan {
            threads,
            scheduler,
            hand_over,
            levels,
            deadline: None,
            nice: 0,
            estimate: None,
            breaks: None,
            shard: None,
            pin: false,
        }
    }

    /// One worker, which shares its work with nobody.
    pub fn serial() -> CrewPlan {
        CrewPlan::of(1, Scheduler::Serial)
    }
}
