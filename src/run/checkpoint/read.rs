//! Reads a checkpoint of a search. It is read line by line, and no line may be longer than a line of a real run.

use super::write::{Checkpoint, KIND, SearchHeader, Worker};
use crate::saved::{self, RecordBody, RecordFault};
use crate::schedule::{RunOutcome, Shard, StopReason, THREADS_MAX, Totals};
use crate::search::{DEPTHS, Tally, Task};
use std::path::Path;
use std::time::Duration;

/// No counter of a real run is larger: some thousand years of a hundred cores.
pub(super) const COUNT_MAX: u64 = 1 << 60;
/// No time of a real run is longer, in seconds: some thirty years.
const SECONDS_MAX: f64 = 1e9;
/// Most bytes of the line of a branch: two for each choice, and the digits of a tiny share.
const PART_MAX: u64 = 1 << 10;

impl Checkpoint {
    /// Reads a checkpoint from a file.
    ///
    /// # Errors
    /// [`RecordFault`].
    pub fn read(path: &Path) -> Result<Checkpoint, RecordFault> {
        saved::read_record(path, &KIND, parse)
    }
}

fn parse(header: SearchHeader, body: &mut RecordBody) -> Result<Checkpoint, RecordFault> {
    let mut rest = Vec::new();
    for _ in 0..header.parts {
        let line = body.line(PART_MAX)?;
        let part = std::str::from_utf8(&line).ok().and_then(task);
        rest.push(part.ok_or_else(|| RecordFault::damaged("a line of an open branch is invalid"))?);
    }
    let read = header.checkpoint(rest).map_err(RecordFault::damaged)?;
    read.plan.contradiction(&read.so_far).map_or(Ok(read), |why| Err(RecordFault::Damaged(why)))
}

/// A time in seconds, if a run can have taken it.
fn time(seconds: f64) -> Option<Duration> {
    interval(seconds).filter(|_| seconds < SECONDS_MAX)
}

/// An interval in seconds, which may be longer than any run: then the run is saved at its end.
fn interval(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

/// The fault of a figure that is too large.
const TOO_LARGE: &str = "its figures are negative, or larger than any run can count";

impl SearchHeader {
    /// Makes a checkpoint of the header and the open branches, or says why they contradict each other.
    fn checkpoint(self, rest: Vec<Task>) -> Result<Checkpoint, &'static str> {
        let SearchHeader { plan, deal, tours, ended, stopped, events_lost, outlook, .. } = self;
        if deal != plan.shard.map(|_| Shard::DEAL) {
            return Err("another version of destrier divided the search into parts");
        }
        let depths = |counts: Vec<u64>| {
            <[u64; DEPTHS]>::try_from(counts).map_err(|_| "its figures by depth have the wrong length")
        };
        let (nodes_by_depth, pruned_by_depth) = (depths(self.nodes_by_depth)?, depths(self.pruned_by_depth)?);
        let counts = self.workers.iter().flat_map(|worker| {
            let Worker { nodes, tours, pruned, sharing, .. } = worker;
            [*nodes, *tours, *pruned].into_iter().chain(sharing.all())
        });
        let others = [events_lost].into_iter().chain(nodes_by_depth).chain(pruned_by_depth);
        // The limit keeps later sums of figures from overflowing.
        let sum =
            counts.chain(others).try_fold(0u64, |sum, count| sum.checked_add(count).filter(|&sum| sum < COUNT_MAX));
        let (elapsed, every) = (time(self.elapsed_s), interval(self.every_s));
        let workers = self.workers.into_iter().map(Worker::totals).collect::<Option<Vec<Totals>>>();
        let (Some(sum), Some(elapsed), Some(every), Some(mut workers)) = (sum, elapsed, every, workers) else {
            return Err(TOO_LARGE);
        };
        let has_worked = workers.iter().any(|worker| !worker.busy.is_zero() || !worker.idle.is_zero());
        if workers.len() > 2 * THREADS_MAX {
            return Err(TOO_LARGE);
        }
        let is_ended =
            stopped.is_none_or(|reason| reason == StopReason::Limit) && (rest.is_empty() || stopped.is_some());
        if (ended && !is_ended) || (!ended && rest.is_empty()) {
            return Err("its open branches contradict its state");
        }
        if rest.iter().any(|part| part.choices.is_empty()) && (sum > 0 || !elapsed.is_zero() || has_worked) {
            return Err("its only open branch is the whole tree, but it has counted nodes");
        }
        // By depth only the sum over all workers is saved.
        if let Some(worker) = workers.first_mut() {
            (worker.tally.nodes_by_depth, worker.tally.pruned_by_depth) = (nodes_by_depth, pruned_by_depth);
        }
        let so_far = RunOutcome { workers, stopped, elapsed, events_lost, outlook, rest, lanes: None };
        Ok(Checkpoint { plan, every, tours, so_far, ended })
    }
}

impl Worker {
    /// The totals; nothing if a time is longer than any run takes.
    fn totals(self) -> Option<Totals> {
        let Worker { nodes, tours, pruned, sharing, busy_s, idle_s } = self;
        let tally = Tally { nodes, tours, pruned, ..Tally::default() };
        Some(Totals { tally, sharing, busy: time(busy_s)?, idle: time(idle_s)?, rest: Vec::new() })
    }
}

/// Parses the line of an open branch.
fn task(line: &str) -> Option<Task> {
    let (choices, share) = line.split_once(' ')?;
    let share: f64 = share.parse().ok().filter(|share| (0.0..=1.0).contains(share))?;
    let pairs = choices.as_bytes().chunks(2);
    let choice = |pair: &[u8]| match *pair {
        [high, low] => Some((char::from(high).to_digit(16)? * 16 + char::from(low).to_digit(16)?) as u8),
        _ => None,
    };
    let choices = pairs.map(choice).collect::<Option<Box<[u8]>>>().filter(|choices| choices.len() < DEPTHS)?;
    Some(Task { choices, share })
}
