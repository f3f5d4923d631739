//! How a count is to be run, and what comes of it.

use super::error::{CountError, MemoryCeiling};
use super::question::Count;
use super::residues::Evidence;
use crate::saved;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How a count is to be run.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    /// How many threads.
    pub threads: usize,
    /// Bytes that the run may take.
    pub memory: u64,
    /// Bytes that somebody said that it may take: what is kept for a later go.
    pub wanted: Option<u64>,
    /// The most that the process could be given, where that is known: no wish for more memory can help beyond it.
    pub most: Option<MemoryCeiling>,
    /// Where counts may live in files.
    pub spill: Option<PathBuf>,
    /// Where to note finished rows, and to go on from.
    pub checkpoint: Option<PathBuf>,
    /// The same file, where it was [claimed](Settings::claim) before the count was planned.
    pub claimed: Option<saved::ReplacedFile>,
    /// How often finished rows are noted, at most.
    pub every: Duration,
    /// One pass modulo this prime only: enough to hold a published number against.
    pub modulus: Option<u32>,
    /// All passes modulo primes, the largest below this number; from 2^16 to 2^56.
    pub primes_below: Option<u64>,
}

impl Settings {
    /// Claims the checkpoint, if there is to be one: a plan may take minutes, and another run that wants the same file is to
    /// be refused before its own.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when another run writes it, or there can be no such file.
    pub fn claim(&mut self) -> Result<(), CountError> {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        let named = |problem| CountError::Checkpoint { path: path.display().to_string(), problem };
        let place = saved::ReplacedFile::new(path).map_err(named)?;
        place.claim().map_err(|why| named(why.to_owned()))?;
        self.claimed = Some(place);
        Ok(())
    }

    /// Bytes that the run may take and can be given.
    pub fn given(&self) -> u64 {
        self.most.map_or(self.memory, |most| self.memory.min(most.bytes))
    }
}

/// What came of a count.
#[derive(Clone, PartialEq, Debug)]
pub struct CountAnswer {
    /// The number, or its remainder if one modulus was asked for; nothing if the count was stopped.
    pub count: Option<Count>,
    /// How it was made sure of.
    pub how: Evidence,
    /// The most states stored after one square.
    pub peak_states: u64,
    /// From the question to the answer, in all goes.
    pub elapsed: Duration,
    /// Where it went on, if it began from a checkpoint.
    pub resumed: Option<CountPosition>,
    /// What the checkpoint holds, if there is one.
    pub saved: Option<CountPosition>,
    /// Why the checkpoint does not hold more, if a row could not be kept.
    pub unsaved: Option<String>,
}

/// How much of a count is done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CountPosition {
    /// The sweep, from 1.
    pub sweep: usize,
    /// Of so many.
    pub sweeps: usize,
    /// Rows that are done, of the board with its short side across.
    pub rows: u32,
    /// Squares of the next one that are done: a stop does not wait for a row.
    pub squares: u32,
    /// Of so many.
    pub all_rows: u32,
}

impl fmt::Display for CountPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {} of {}", self.rows, self.all_rows)?;
        match self.squares {
            0 => {}
            1 => write!(f, " and a square")?,
            squares => write!(f, " and {squares} squares")?,
        }
        if self.sweeps > 1 { write!(f, " of sweep {} of {}", self.sweep, self.sweeps) } else { Ok(()) }
    }
}
