//! Errors of a count: why it did not start, or did not end with a number.

use super::shortage::Shortage;
use super::symmetric::SymmetricError;
use crate::memory::MemoryRefused;
use crate::saved::SaveError;
use std::io;
use std::path::Path;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The parts of the question contradict each other.
    #[error("{0}")]
    Question(&'static str),
    /// The board's short side, in squares, is longer than the longest one that can be planned.
    #[error(
        "a board {cols} squares across is too wide to count: each column more takes about thirty times the states. Boards \
         of at most {max} squares across are planned; the other side may be longer"
    )]
    TooWide { cols: u32, max: u32 },
    /// The plan, the count or its files do not fit in memory or on a disk.
    #[error(transparent)]
    Shortage(Box<Shortage>),
    /// The number of a run that did not resume from a checkpoint contradicts a known number.
    #[error("no number is printed, for {0}; this is a fault of the program: please report it")]
    Contradiction(String),
    /// A checkpoint or a folder that cannot be used, or a file that could not be written or read back.
    #[error(transparent)]
    Saved(SaveError),
    /// The count was stopped before it had an answer.
    #[error("stopped")]
    Stopped,
    /// The tours that a symmetry keeps could not be counted.
    #[error(transparent)]
    Symmetric(SymmetricError),
    /// The system refuses memory that the plan and its limit allow.
    #[error("{0}: limit the count with --memory SIZE, or keep its counts in files with --spill DIR")]
    Memory(#[from] MemoryRefused),
    /// The threads could not be started.
    #[error("{0}")]
    Threads(String),
    /// Tours cannot be numbered: the counts are too large.
    #[error(
        "the counts of the {ending} tours of {board} outgrow 64 bits, and numbers of tours need counts that fit in 64 bits: \
         closed tours have them up to 8x10, open tours up to 8x8"
    )]
    Outgrown { board: String, ending: &'static str },
    /// No tour has the number.
    #[error("number {number}: {board} has {count} {ending} tours{}", last(*.count))]
    PastEnd { number: u128, board: String, ending: &'static str, count: u128 },
    /// A tour that is to be numbered, the one at this position in the input from 1, is of another board, ending or start than the
    /// question asks for.
    #[error("tour {index}: is no {expected}")]
    Foreign { index: usize, expected: String },
    /// The counts of layers do not have their checksum, or do not add up.
    #[error("{0}: remove the folder of the layers and type the same command again")]
    Damaged(String),
}

/// The range of the numbers, as the end of a sentence.
fn last(count: u128) -> String {
    count.checked_sub(1).map_or(String::new(), |last| format!(", with numbers from 0 to {last}"))
}

impl CountError {
    /// Refuses a question whose parts contradict each other.
    pub(super) fn refuse_if(contradicts: bool, why: &'static str) -> Result<(), CountError> {
        if contradicts { Err(CountError::Question(why)) } else { Ok(()) }
    }

    /// The error for a file or folder that fails, or for memory that was refused.
    pub(super) fn file(path: &Path, source: io::Error) -> CountError {
        match source.downcast::<MemoryRefused>() {
            Ok(refused) => CountError::Memory(refused),
            Err(source) => CountError::Saved(SaveError::Unwritten(format!("{}: {source}", path.display()))),
        }
    }

    /// The error for a folder that cannot be used.
    pub(super) fn unusable(path: &Path, problem: impl ToString) -> CountError {
        SaveError::unusable(path, problem).into()
    }

    /// The error of layers whose counts do not add up.
    pub(super) fn contradictory_layers() -> CountError {
        CountError::Damaged("the counts of the layers contradict each other".to_owned())
    }

    /// The error of a layer whose counts could not be read or are damaged.
    pub(super) fn layer(error: &io::Error) -> CountError {
        match error.kind() {
            io::ErrorKind::InvalidData => CountError::Damaged(error.to_string()),
            _ => CountError::Saved(SaveError::Unwritten(error.to_string())),
        }
    }

    /// Whether other options or another input would help; false for a failure of the run itself.
    pub fn is_usage(&self) -> bool {
        use CountError::{Contradiction, Memory, Saved, Stopped, Threads};
        match self {
            Saved(error) => matches!(error, SaveError::Unusable(_)),
            error => !matches!(error, Contradiction(_) | Memory(_) | Threads(_) | Stopped),
        }
    }

    /// Whether a smaller board, or an estimate, would take memory that there is.
    pub fn is_too_large(&self) -> bool {
        match self {
            CountError::TooWide { .. } => true,
            CountError::Shortage(shortage) => shortage.folder.is_none(),
            _ => false,
        }
    }
}

impl From<SaveError> for CountError {
    fn from(error: SaveError) -> CountError {
        match error {
            SaveError::Memory(refused) => refused.into(),
            error => CountError::Saved(error),
        }
    }
}

impl From<Shortage> for CountError {
    fn from(shortage: Shortage) -> CountError {
        CountError::Shortage(Box::new(shortage))
    }
}
