//! The plan of a crew: number of workers, scheduler, part of the tree, and other settings.

use crate::bounded::in_range;
use crate::schedule::figures::snapshot::Levels;
use crate::schedule::scheduler::Scheduler;
use crate::search::HandOver;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// Workers of the largest crew.
pub const THREADS_MAX: usize = 4096;

/// Reads a number of threads that a file names.
///
/// # Errors
/// When it is not 1..=[`THREADS_MAX`].
pub fn read_threads<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let threads = usize::deserialize(deserializer)?;
    in_range(threads, 1..=THREADS_MAX, "the number of threads").map_err(D::Error::custom)
}

#[derive(Clone, Copy, Debug)]
pub struct CrewPlan {
    /// Number of workers, 1..=[`THREADS_MAX`].
    pub threads: usize,
    /// How the workers share the tree.
    pub scheduler: Scheduler,
    /// Rule by which branches are handed over.
    pub hand_over: HandOver,
    /// How figures by depth are counted.
    pub levels: Levels,
    /// Moment at which the run stops.
    pub deadline: Option<Instant>,
    /// By how much the workers lower their own priority, 0..=19, so that the view stays responsive.
    pub nice: i32,
    /// CPU time that the estimate of the tree may take at once, by random sampling beside the search. After that, sampling
    /// gets a small share of the CPU time. `None`: no estimate.
    pub estimate: Option<Duration>,
    /// Interval of the breaks in which the search of a tree calls its [saver](super::lifecycle::Crew::set_saver). `None`:
    /// no breaks.
    pub breaks: Option<Duration>,
    /// The part of the tree that is searched; `None`: the whole tree.
    pub shard: Option<Shard>,
    /// Whether every worker is pinned to a core of its own, as far as there are enough cores.
    pub pin: bool,
}

impl CrewPlan {
    /// A plan of `threads` workers under this scheduler. All else is off: the workers hand over the shallowest branch,
    /// count no figures by depth, have no deadline, keep their priority, estimate nothing, take no breaks and search the
    /// whole tree.
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

    /// A plan of one worker that shares its work with no other.
    pub fn serial() -> CrewPlan {
        CrewPlan::of(1, Scheduler::SERIAL)
    }
}

/// Number of parts in a group.
const GROUP: u32 = 128;

/// Part `index` of `of` parts, from 1 on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    index: u32,
    of: u32,
}

impl Shard {
    /// Largest number of parts: each part must find its prefixes among those of all parts.
    pub const MOST: u32 = 1_000_000;

    /// Part `index` of `of`; `None` when there is no such part.
    pub fn new(index: u32, of: u32) -> Option<Shard> {
        ((1..=of).contains(&index) && of <= Shard::MOST).then_some(Shard { index, of })
    }

    /// Number of this part, from 1.
    pub fn index(self) -> u32 {
        self.index
    }

    /// Number of all parts.
    pub fn of(self) -> u32 {
        self.of
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Shard, String> {
        text.parse()
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let wrong =
            || format!("'{text}' is no part: write I/N, such as 3/64, with I from 1 to N and N up to {}", Shard::MOST);
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        number(index).zip(number(of)).and_then(|(index, of)| Shard::new(index, of)).ok_or_else(wrong)
    }
}

impl Shard {
    /// Numbers of the parts in the group of this part.
    pub(in crate::schedule) fn group(self) -> RangeInclusive<u32> {
        let first = (self.index - 1) / GROUP * GROUP + 1;
        first..=(first + GROUP - 1).min(self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_as_they_are_written_and_others_are_not() {
        let shard: Shard = "3/64".parse().unwrap();
        assert_eq!((shard.index(), shard.of(), shard.to_string().as_str()), (3, 64, "3/64"));
        for wrong in ["", "3", "0/4", "5/4", "-1/4", "+1/4", "1/0", "1/1000001", "1/4/4", "a/b", "1 /4"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn groups_are_neighbours_and_cover_all_parts() {
        let group = |index, of| Shard::new(index, of).unwrap().group();
        assert_eq!((group(1, 3), group(3, 3)), (1..=3, 1..=3));
        assert_eq!((group(128, 300), group(129, 300), group(300, 300)), (1..=128, 129..=256, 257..=300));
    }
}
