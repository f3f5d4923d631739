//! Errors of a count: why it did not start, or did not end with a number.

use super::symmetric::SymmetricError;
use crate::memory::MemoryRefused;
use crate::words;
use std::path::Path;
use std::{fmt, io};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The parts of the question contradict each other.
    #[error("{0}")]
    Question(&'static str),
    /// The board's short side is too long to plan.
    #[error(
        "a board {cols} squares across is too wide to count. Each column more takes \
         about thirty times the states: 8 across stores 161 million after one square, 9 across 5 thousand million (20 \
         GB in 32-bit counts), 10 across would be some 150 thousand million. Boards of at most {max} squares across are \
         planned; the other side may be longer"
    )]
    TooWide {
        /// The short side, in squares.
        cols: u32,
        /// The longest short side that can be planned.
        max: u32,
    },
    /// The degree patterns alone do not fit in memory. The command line adds [`MemoryCeiling::advice`].
    #[error(
        "the plan alone of the {ending} tours of {board} takes up to {}, and {} may be used",
        words::bytes(*.bytes),
        words::bytes(*.limit)
    )]
    PlanTooLarge {
        /// The board, or the range of boards.
        board: String,
        /// Closed or open.
        ending: &'static str,
        /// Bytes needed.
        bytes: u64,
        /// Memory limit in bytes.
        limit: u64,
    },
    /// The count does not fit in memory.
    #[error("{0}")]
    Refused(Box<CountRefusal>),
    /// The number of a run that did not resume from a checkpoint contradicts a known number.
    #[error("no number is printed, for {0}; this is a fault of the program: please report it")]
    Contradiction(String),
    /// A checkpoint that cannot be used: unreadable, damaged, or of something else.
    #[error("{path}: {problem}")]
    Checkpoint {
        /// The file.
        path: String,
        /// What is wrong with the file, and what to do.
        problem: String,
    },
    /// The folder for files does not exist, or takes no files.
    #[error("{path}: {source}: name an existing folder that can be written")]
    Folder {
        /// The folder.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The disk is too small.
    #[error(
        "{path}: up to {} of disk are needed ({parts}), and {} are free there: make room, or name a folder on a larger disk",
        words::bytes(*.bytes),
        words::bytes(*.free)
    )]
    Disk {
        /// The folder.
        path: String,
        /// Bytes needed.
        bytes: u64,
        /// Bytes free.
        free: u64,
        /// The parts of the bytes, each with its purpose.
        parts: String,
    },
    /// A checkpoint could not be written.
    #[error("{path}: {source}; the previous checkpoint, if there is one, is unchanged")]
    Row {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// Counts could not be written to files, or read back.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The count was stopped before it was planned.
    #[error("stopped while planning")]
    Stopped,
    /// The tours that a symmetry keeps could not be counted.
    #[error(transparent)]
    Symmetric(SymmetricError),
    /// The system refuses memory that the plan and its limit allow.
    #[error("{0}: limit the count with --memory SIZE, or keep its counts in files with --spill DIR")]
    Memory(#[from] MemoryRefused),
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
}

impl CountError {
    /// The error for a file or folder that cannot be used, or for memory that was refused.
    pub(super) fn file(path: &Path, source: io::Error) -> CountError {
        match source.downcast::<MemoryRefused>() {
            Ok(refused) => CountError::Memory(refused),
            Err(source) => CountError::File { path: path.display().to_string(), source },
        }
    }

    /// Whether other options or another input would help; false for a failure of the run itself.
    pub fn is_usage(&self) -> bool {
        use CountError::{Contradiction, File, Memory, Row, Stopped, Threads};
        !matches!(self, Contradiction(_) | File { .. } | Row { .. } | Memory(_) | Threads(_) | Stopped)
    }
}

/// The most memory that a process can get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryCeiling {
    pub bytes: u64,
    /// What limits the memory, as the subject of a sentence, such as `this machine`.
    pub by: &'static str,
}

impl MemoryCeiling {
    /// The `--memory` option that gives `wanted` bytes, or why no option can.
    pub fn advice(ceiling: Option<MemoryCeiling>, wanted: u64) -> String {
        match ceiling {
            Some(MemoryCeiling { bytes, by }) if bytes < wanted => {
                format!("no --memory helps: {by} allows no more than {}", words::bytes(bytes))
            }
            // Rounded up, so that the printed size is enough when it is typed.
            Some(_) => format!("--memory {}M", wanted.div_ceil(1 << 20)),
            None => format!("--memory {}M, if the machine has that much", wanted.div_ceil(1 << 20)),
        }
    }
}

/// Why a count does not fit, in figures.
#[derive(Clone, PartialEq, Debug)]
pub struct CountRefusal {
    /// The board, or the range of boards.
    pub board: String,
    /// Closed or open.
    pub ending: &'static str,
    /// The most states after one square.
    pub peak_states: u64,
    /// Width of the counts that the figures assume, in bits; wider numbers are put together from residues.
    pub bits: u32,
    /// Memory that the count needs, in bytes.
    pub bytes: u64,
    /// Bytes of counts, which could live in files.
    pub count_bytes: u64,
    /// Memory that the count needs with its counts in files, in bytes.
    pub bytes_spilling: u64,
    /// Whether the settings keep the counts in files.
    pub spills: bool,
    /// Memory limit in bytes.
    pub limit: u64,
    /// The most memory that the process can get, if known.
    pub ceiling: Option<MemoryCeiling>,
    /// The widest smaller board of the same length that fits, and the bytes that it needs.
    pub smaller_board: Option<(String, u64)>,
}

impl fmt::Display for CountRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CountRefusal { board, ending, .. } = self;
        if self.spills {
            return write!(
                f,
                "counting the {ending} tours of {board} with its counts in files takes {} of memory; {} may be used. \
                 What would be enough: {}",
                words::bytes(self.bytes_spilling),
                words::bytes(self.limit),
                MemoryCeiling::advice(self.ceiling, self.bytes_spilling)
            );
        }
        write!(
            f,
            "counting the {ending} tours of {board} takes {}: up to {} states after one square, two layers of them, {} \
             bytes each; {} may be used. What would fit: ",
            words::bytes(self.bytes),
            words::grouped(self.peak_states),
            self.bits / 8,
            words::bytes(self.limit)
        )?;
        if let Some((board, taken)) = &self.smaller_board {
            write!(f, "{board} ({}); ", words::bytes(*taken))?;
        }
        if self.bytes_spilling <= self.limit {
            write!(f, "this board with --spill DIR, where {} of disk are free; ", words::bytes(self.count_bytes))?;
        }
        match self.ceiling {
            Some(ceiling) if ceiling.bytes < self.bytes => {
                write!(f, "{}", MemoryCeiling::advice(self.ceiling, self.bytes))
            }
            _ => write!(f, "this board with {}", MemoryCeiling::advice(self.ceiling, self.bytes)),
        }
    }
}
