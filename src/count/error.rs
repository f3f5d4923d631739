//! Why a count was not begun, or not finished.

use super::symmetric::SymmetricError;
use crate::memory::MemoryRefused;
use crate::words;
use std::fmt;
use std::io;
use std::path::Path;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The parts of the question do not go together.
    #[error("{0}")]
    Question(&'static str),
    /// The board's short side is longer than frontiers can be planned for.
    #[error(
        "a board {cols} squares across is too wide to count. Each column more takes \
         about thirty times the states: 8 across stores 286 million after one square, 9 across 9 thousand million (36 \
         GB in 32-bit counts), 10 across would be some 300 thousand million. Boards of at most {max} squares across are \
         planned; the other side may be longer"
    )]
    TooWide {
        /// The short side, in squares.
        cols: u32,
        /// The longest short side that is taken.
        max: u32,
    },
    /// Even the patterns do not fit.
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
        /// Bytes wanted.
        bytes: u64,
        /// Bytes that may be used.
        limit: u64,
    },
    /// It does not fit.
    #[error("{0}")]
    Refused(Box<CountRefusal>),
    /// The number of a count that used no file contradicts a known number.
    #[error("no number is printed, for {0}; this is a fault of the program: please report it")]
    Contradiction(String),
    /// A checkpoint that cannot be read, or belongs to something else.
    #[error("{path}: {problem}")]
    Checkpoint {
        /// The file.
        path: String,
        /// What is wrong with it, and what would be right.
        problem: String,
    },
    /// The folder for files is not there, or takes none.
    #[error("{path}: {source}: name a folder that is there and can be written")]
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
        /// Bytes wanted.
        bytes: u64,
        /// Bytes free.
        free: u64,
        /// What is wanted for what.
        parts: String,
    },
    /// A finished row could not be kept.
    #[error("{path}: {source}; the row that was kept before, if one was, is still there")]
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
    #[error("{0}: --memory SIZE holds a count to what there is, --spill DIR keeps its counts in files")]
    Memory(#[from] MemoryRefused),
    /// No threads could be started.
    #[error("no threads: {0}")]
    Threads(String),
}

impl CountError {
    /// A file or folder that cannot be used, unless it was memory that was refused.
    pub(super) fn file(path: &Path, source: io::Error) -> CountError {
        match source.downcast::<MemoryRefused>() {
            Ok(refused) => CountError::Memory(refused),
            Err(source) => CountError::File { path: path.display().to_string(), source },
        }
    }

    /// Whether asking differently would help: usage or bad input rather than a failure while running.
    pub fn is_usage(&self) -> bool {
        use CountError::{Contradiction, File, Memory, Row, Stopped, Threads};
        !matches!(self, Contradiction(_) | File { .. } | Row { .. } | Memory(_) | Threads(_) | Stopped)
    }
}

/// The most memory that a process can be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryCeiling {
    /// Bytes.
    pub bytes: u64,
    /// What sets the bound, as the subject of "allows no more": `this machine`.
    pub by: &'static str,
}

impl MemoryCeiling {
    /// What somebody can do who wants so many bytes, where this is the most that there is, as far as that is known.
    pub fn or_memory(most: Option<MemoryCeiling>, wanted: u64) -> String {
        match most {
            Some(MemoryCeiling { bytes, by }) if bytes < wanted => {
                format!("no --memory helps: {by} allows no more than {}", words::bytes(bytes))
            }
            // Rounded up: typed back, it must be enough.
            Some(_) => format!("--memory {}M", wanted.div_ceil(1 << 20)),
            None => format!("--memory {}M, if the machine has that much", wanted.div_ceil(1 << 20)),
        }
    }
}

/// Why a count was not begun, in figures.
#[derive(Clone, PartialEq, Debug)]
pub struct CountRefusal {
    /// The board, or the range of boards.
    pub board: String,
    /// Closed or open.
    pub ending: &'static str,
    /// The most states after one square.
    pub peak_states: u64,
    /// The width of the counts that is reckoned with: answers that are wider are put together from residues.
    pub bits: u32,
    /// Bytes that it would take.
    pub bytes: u64,
    /// Bytes of counts, which could live in files.
    pub disk: u64,
    /// Bytes of memory that it would take then.
    pub bytes_spilling: u64,
    /// Whether they were to live in files.
    pub spills: bool,
    /// Bytes that it may take.
    pub limit: u64,
    /// The most that it could be allowed to take.
    pub most: Option<MemoryCeiling>,
    /// The widest board as long that fits, and the bytes that it takes.
    pub fits: Option<(String, u64)>,
}

impl fmt::Display for CountRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CountRefusal { board, ending, .. } = self;
        if self.spills {
            return write!(
                f,
                "counting the {ending} tours of {board} with its counts in files takes {} of memory; {} may be used. \
                 What would do: {}",
                words::bytes(self.bytes_spilling),
                words::bytes(self.limit),
                MemoryCeiling::or_memory(self.most, self.bytes_spilling)
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
        if let Some((board, taken)) = &self.fits {
            write!(f, "{board} ({}); ", words::bytes(*taken))?;
        }
        if self.bytes_spilling <= self.limit {
            write!(f, "this board with --spill DIR, where {} of disk are free; ", words::bytes(self.disk))?;
        }
        match self.most {
            Some(most) if most.bytes < self.bytes => write!(f, "{}", MemoryCeiling::or_memory(self.most, self.bytes)),
            _ => write!(f, "this board with {}", MemoryCeiling::or_memory(self.most, self.bytes)),
        }
    }
}
