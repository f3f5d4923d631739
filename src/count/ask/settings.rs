//! The settings of a count, and its answer.

use super::question::Count;
use super::residues::Evidence;
use crate::board::Board;
use crate::count::shortage::{MemoryCeiling, MemoryLimit};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Memory that a plan may take beyond the limit of the run, in bytes: enough for boards up to eight squares wide.
const PLAN_BYTES: u64 = 512 << 20;

#[derive(Clone, Default, Debug)]
pub struct Settings {
    pub threads: usize,
    /// Memory limit of the run, in bytes.
    pub memory: u64,
    /// Memory that the machine has free, in bytes, if that is known: see [`Settings::planning_memory`].
    pub available: u64,
    /// Memory limit in bytes that the user gave; a checkpoint stores it for a later run.
    pub memory_option: Option<u64>,
    /// The most memory that the process can get, if known: a larger limit does not help.
    pub ceiling: Option<MemoryCeiling>,
    /// Folder for counts in files; without one, counts live in memory.
    pub spill: Option<PathBuf>,
    /// File for the checkpoint, from which an existing count is resumed.
    pub checkpoint: Option<PathBuf>,
    /// Shortest time between two checkpoints.
    pub save_interval: Duration,
    /// Makes one pass modulo this prime only: enough to check a published number.
    pub modulus: Option<u32>,
    /// Makes all passes modulo primes, the largest below this number; from 2^16 to 2^56.
    pub primes_below: Option<u64>,
}

impl Settings {
    /// Memory limit of the plan. A plan of up to 512 MiB is made under any limit of the run, where the machine has
    /// twice as much free: only the plan says how much memory the count takes, which its refusal names.
    pub fn planning_memory(&self) -> MemoryLimit {
        let bytes = self.usable_memory().max(PLAN_BYTES.min(self.available / 2));
        MemoryLimit { bytes, ceiling: self.ceiling }
    }

    /// Memory limit of the run.
    pub(in crate::count) fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit { bytes: self.memory, ceiling: self.ceiling }
    }

    /// Memory that the run may take and can get, in bytes.
    pub fn usable_memory(&self) -> u64 {
        self.ceiling.map_or(self.memory, |most| self.memory.min(most.bytes))
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct BoardNumber {
    /// The board, with rows and columns as they were typed.
    pub board: Board,
    /// The number, or its remainder for a question with one modulus.
    pub count: Count,
    /// Why the number is right.
    pub evidence: Evidence,
}

#[derive(Clone, PartialEq, Default, Debug)]
pub struct CountAnswer {
    /// The boards whose numbers are known, the shortest first: one, or those of a range.
    pub boards: Vec<BoardNumber>,
    /// Whether the numbers of all boards are known. A stopped count is not complete.
    pub complete: bool,
    /// The most states stored after one square.
    pub peak_states: u64,
    /// Time from the question to the answer, in all runs.
    pub elapsed: Duration,
    /// The position from which the run was resumed.
    pub resumed_from: Option<CountPosition>,
    /// The position that the checkpoint holds, if there is one.
    pub saved_position: Option<CountPosition>,
}

impl CountAnswer {
    /// The number of the only board; nothing if the count was stopped.
    pub fn only(&self) -> Option<&BoardNumber> {
        self.boards.first()
    }

    /// Why the number of the only board is right; nothing if the count was stopped.
    pub fn evidence(&self) -> Option<&Evidence> {
        let is_counted = self.peak_states > 0;
        self.only().map(|number| if is_counted { &number.evidence } else { &Evidence::Plain })
    }

    /// The number of the only board, or its remainder; nothing if the count was stopped.
    pub fn count(&self) -> Option<&Count> {
        self.only().map(|number| &number.count)
    }
}

/// How much of a count is done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CountPosition {
    /// The sweep, from 1.
    pub sweep: usize,
    pub sweeps: usize,
    /// The pass over the sweep, from 1.
    pub pass: usize,
    /// Finished rows, of the board with its short side across.
    pub rows: u32,
    /// Finished squares of the next row: a stop does not wait for the end of a row.
    pub squares: u32,
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
        if self.pass > 1 {
            write!(f, " of pass {}", self.pass)?;
        }
        if self.sweeps > 1 { write!(f, " of sweep {} of {}", self.sweep, self.sweeps) } else { Ok(()) }
    }
}
