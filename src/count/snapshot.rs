//! The progress of a count at one moment, as plain data: for a viewer, a recording, or JSON.

use super::ask::residues::Modulus;
use crate::table::table;
use serde::{Deserialize, Serialize};

table! {
    /// What is being done; `name`: in JSON.
    #[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
    pub enum CountPhase(name: &'static str) {
        /// Finding the degree patterns of every square.
        #[default]
        Planning: "planning";
        Counting: "counting";
        /// Counting the tours that a symmetry of the board keeps.
        Symmetry: "symmetry";
        /// The count has ended.
        Done: "done";
    }
}

/// Progress of one row of the board, with its short side across.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RowMeter {
    /// States that the squares of the row will store.
    pub planned: u64,
    /// States stored so far.
    pub done: u64,
    /// Nonzero counts among the stored states.
    pub nonzero: u64,
    /// Width of the row's counts so far, in bits; 0 before the row starts, and while its counts are sparse.
    pub bits: u32,
    /// Seconds spent on the row.
    pub seconds: f64,
}

/// Progress of one thread.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ThreadMeter {
    /// The context in work, by its number from 0 in the order of patterns.
    pub context: Option<u32>,
    /// Contexts done, over all steps.
    pub contexts_done: u64,
    /// States stored.
    pub states: u64,
    /// Seconds of work.
    pub busy_s: f64,
}

/// Progress of a count at one moment.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CountSnapshot {
    /// What the count is doing.
    pub phase: CountPhase,
    /// The pass over the sweep, from 0: the first counts exactly or modulo 2^64, further ones modulo primes.
    pub pass: usize,
    /// Expected number of passes over a sweep; 0 or 1 if it is one or unknown.
    #[serde(default)]
    pub passes: usize,
    /// What the pass counts modulo.
    pub modulus: Modulus,
    /// The sweep in work, from 0.
    pub sweep: usize,
    pub sweeps: usize,
    /// Squares that the pass has processed.
    pub square: usize,
    /// Squares of the board.
    pub squares: usize,
    /// The row in work, of the board with its short side across.
    pub row: u32,
    /// Number of rows of the board.
    pub rows: u32,
    /// States stored so far, in all sweeps and passes.
    pub states: u64,
    /// States that will be stored, in all sweeps and passes known so far.
    pub states_planned: u64,
    /// Progress of each row of the sweep.
    pub by_row: Vec<RowMeter>,
    /// Progress of each thread.
    pub threads: Vec<ThreadMeter>,
    /// Contexts of the square in work: ranges of degree patterns that one thread works on alone.
    pub contexts: u32,
    /// Contexts of the square in work that are done.
    pub contexts_done: u32,
    /// Width of the counts being written, in bits.
    pub bits: u32,
    /// The largest count after the last square.
    #[serde(with = "digits")]
    pub largest: u128,
    /// Whether only nonzero counts are stored.
    pub sparse: bool,
    /// Bytes of counts in memory.
    pub buffer_bytes: u64,
    /// Bytes of counts in files.
    pub spilled_bytes: u64,
    /// Memory limit of the count, in bytes.
    pub memory_limit: u64,
    /// Seconds of work on the count, in this run and the runs that it resumes.
    pub elapsed_s: f64,
    /// Estimated seconds left, at the pace of the last squares; none while the pace is unknown.
    pub left_s: Option<f64>,
}

impl CountSnapshot {
    /// The row in work, from 1.
    pub fn row_in_work(&self) -> u32 {
        (self.row + 1).min(self.rows.max(1))
    }

    /// The width of the counts being written, in words.
    pub fn width(&self) -> String {
        match (self.sparse, self.bits) {
            (true, _) => "sparse".to_owned(),
            (false, 0) => "-".to_owned(),
            (false, bits) => format!("{bits} bits"),
        }
    }
}

/// Serialises a number as its decimal digits: it may be larger than readers of JSON take.
mod digits {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
