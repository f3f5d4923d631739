//! What a crew is made of: how many workers, how they share the work, and what else they mind.

use super::snapshot::Levels;

use super::scheduler::Scheduler;

use super::shard::Shard;
use crate::search::HandOver;
use std::time::{Duration, Instant};

/// What a crew is made of.
#[derive(Clone, Copy, Debug)]
pub struct CrewPlan {
    /// Number of workers, 1..=[`THREADS_MAX`](super::THREADS_MAX).
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
