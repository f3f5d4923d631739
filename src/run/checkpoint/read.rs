//! Reads a checkpoint of a search, and has the functions that checkpoints of all runs share.
//!
//! A checkpoint is used only if both checksums agree. It is read line by line, and no line may be longer than a line of
//! a real run.

use super::write::{Checkpoint, MAGIC, SALT, SearchHeader, Worker};
use crate::saved::{self, ChecksumStream};
use crate::schedule::{RunOutcome, Shard, StopReason, THREADS_MAX, Totals};
use crate::search::{DEPTHS, Tally, Task};
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::time::Duration;

/// No counter of a real run is larger: some thousand years of a hundred cores.
pub(super) const COUNT_MAX: u64 = 1 << 60;
/// Bytes of the second line.
const SUM_BYTES: u64 = 9;
/// Most bytes of the third line: with 8,192 workers, each with figures of 19 digits, it has 1.8 MB.
const HEADER_MAX: u64 = 2 << 20;
/// Most bytes of the line of a branch: two for each choice, and the digits of a tiny share.
const PART_MAX: u64 = 1 << 10;
/// Most bytes of a file whose checksum is computed to explain an error.
const BLAMED_MAX: u64 = 1 << 30;

/// Why a checkpoint is not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("is no checkpoint of a {0}")]
    Foreign(&'static str),
    /// The file is a damaged checkpoint.
    #[error("is damaged: {0}")]
    Damaged(String),
}

impl Checkpoint {
    /// Reads a checkpoint from a file.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn read(path: &Path) -> Result<Checkpoint, ReadError> {
        let mut input = opened(path, MAGIC, "search")?;
        blamed(path, Checkpoint::parsed(&mut input).and_then(|read| input.check().map(|()| read).map_err(faulty)))
    }

    fn parsed(input: &mut CheckpointInput) -> Result<Checkpoint, ReadError> {
        let damaged = |why: &str| ReadError::Damaged(why.to_owned());
        let own = next_line(input, SUM_BYTES)?;
        let mut contents = crc32fast::Hasher::new();
        contents.update(SALT);
        let mut next = |longest| next_line(input, longest).inspect(|line| contents.update(line));
        let header: SearchHeader =
            serde_json::from_slice(&next(HEADER_MAX)?).map_err(|error| ReadError::Damaged(error.to_string()))?;
        let mut rest = Vec::new();
        for _ in 0..header.parts {
            let part = next(PART_MAX)?;
            let part = std::str::from_utf8(&part).ok().and_then(|line| task(line.strip_suffix('\n')?));
            rest.push(part.ok_or_else(|| damaged("a line of an open branch is invalid"))?);
        }
        if own != format!("{:08x}\n", contents.finalize()).as_bytes() {
            return Err(damaged("its contents were changed"));
        }
        let read = header.checkpoint(rest).map_err(damaged)?;
        read.plan.contradiction(&read.so_far).map_or(Ok(read), |why| Err(ReadError::Damaged(why)))
    }
}

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
            let Worker { nodes, tours, pruned, hires, donations, busy_ns, idle_ns } = *worker;
            [nodes, tours, pruned, hires, donations, busy_ns, idle_ns]
        });
        let others =
            [self.elapsed_ns, events_lost, self.every_ns].into_iter().chain(nodes_by_depth).chain(pruned_by_depth);
        // The limit keeps later sums of figures from overflowing.
        let sum =
            counts.chain(others).try_fold(0u64, |sum, count| sum.checked_add(count).filter(|&sum| sum < COUNT_MAX));
        if sum.is_none() || self.workers.len() > 2 * THREADS_MAX {
            return Err("its figures are larger than any run can count");
        }
        let is_ended =
            stopped.is_none_or(|reason| reason == StopReason::Limit) && (rest.is_empty() || stopped.is_some());
        if (ended && !is_ended) || (!ended && rest.is_empty()) {
            return Err("its open branches contradict its state");
        }
        if rest.iter().any(|part| part.choices.is_empty()) && sum != Some(self.every_ns) {
            return Err("its only open branch is the whole tree, but it has counted nodes");
        }
        let mut workers: Vec<Totals> = self.workers.into_iter().map(Worker::totals).collect();
        // By depth only the sum over all workers is saved.
        if let Some(worker) = workers.first_mut() {
            (worker.tally.nodes_by_depth, worker.tally.pruned_by_depth) = (nodes_by_depth, pruned_by_depth);
        }
        let elapsed = Duration::from_nanos(self.elapsed_ns);
        let so_far = RunOutcome { workers, stopped, elapsed, events_lost, outlook, rest, lanes: None };
        Ok(Checkpoint { plan, every: Duration::from_nanos(self.every_ns), tours, so_far, ended })
    }
}

impl Worker {
    fn totals(self) -> Totals {
        let Worker { nodes, tours, pruned, hires, donations, busy_ns, idle_ns } = self;
        let tally = Tally { nodes, tours, pruned, ..Tally::default() };
        let (busy, idle) = (Duration::from_nanos(busy_ns), Duration::from_nanos(idle_ns));
        Totals { tally, hires, donations, busy, idle, rest: Vec::new() }
    }
}

/// A file after its first line.
pub(in crate::run) type CheckpointInput = ChecksumStream<BufReader<File>>;

/// Opens a file and checks its first line; `what` names the kind of run for the error.
///
/// # Errors
/// [`ReadError`].
pub(in crate::run) fn opened(path: &Path, magic: &str, what: &'static str) -> Result<CheckpointInput, ReadError> {
    let mut input = saved::open(path)?;
    if input.begins_with(magic)? { Ok(input) } else { Err(ReadError::Foreign(what)) }
}

/// Reads a line, with its line end.
///
/// # Errors
/// [`ReadError::Damaged`] when the line has no end, or more than `longest` bytes.
pub(in crate::run) fn next_line(input: &mut CheckpointInput, longest: u64) -> Result<Vec<u8>, ReadError> {
    let line = input.line(longest).map_err(faulty)?;
    if line.ends_with(b"\n") { Ok(line) } else { Err(faulty(io::ErrorKind::UnexpectedEof.into())) }
}

/// The meaning of an I/O error for a file that is being read.
pub(in crate::run) fn faulty(error: io::Error) -> ReadError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => ReadError::Damaged("it ends too early".to_owned()),
        io::ErrorKind::InvalidData => ReadError::Damaged(error.to_string()),
        _ => ReadError::Io(error),
    }
}

/// Reports a wrong checksum in place of a later finding, because it is the cause.
pub(in crate::run) fn blamed<T>(path: &Path, read: Result<T, ReadError>) -> Result<T, ReadError> {
    let Err(ReadError::Damaged(found)) = read else { return read };
    let sum = || {
        let text = fs::metadata(path)?.len().checked_sub(4).filter(|&bytes| bytes < BLAMED_MAX);
        let mut input = saved::open(path)?;
        io::copy(&mut (&mut input).take(text.ok_or(io::ErrorKind::UnexpectedEof)?), &mut io::sink())?;
        input.check()
    };
    Err(match sum() {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => faulty(error),
        _ => ReadError::Damaged(found),
    })
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
