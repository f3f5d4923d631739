//! The errors of numbering tours.

use crate::board::Board;
use crate::count::error::CountError;
use crate::words;
use std::io;
use std::path::Path;

/// Why tours could not be numbered.
#[derive(Debug, thiserror::Error)]
pub enum NumberError {
    /// The tours could not be counted.
    #[error(transparent)]
    Count(#[from] CountError),
    /// The counts are too large.
    #[error(
        "the counts of the {ending} tours of {board} outgrow 64 bits, and numbers of tours need counts that fit in 64 bits: \
         closed tours have them up to 8x10, open tours up to 8x8"
    )]
    Outgrown {
        board: Board,
        /// Closed or open.
        ending: &'static str,
    },
    /// The layers do not fit in memory.
    #[error(
        "to number the {ending} tours of {board} takes up to {} of memory, {} of them for the layers; {} may be used. \
         With --layers DIR the layers are kept in files, and a later command can use them again",
        words::bytes(*.bytes),
        words::bytes(*.layers),
        words::bytes(*.limit)
    )]
    Memory {
        board: Board,
        /// Closed or open.
        ending: &'static str,
        /// Bytes needed.
        bytes: u64,
        /// Bytes of the layers.
        layers: u64,
        /// Bytes that may be used.
        limit: u64,
    },
    /// The count that makes the layers does not fit in memory.
    #[error(
        "to make the layers of the {ending} tours of {board} takes up to {} of memory, and {} may be used",
        words::bytes(*.bytes),
        words::bytes(*.limit)
    )]
    Making {
        board: Board,
        /// Closed or open.
        ending: &'static str,
        /// Bytes needed.
        bytes: u64,
        /// Bytes that may be used.
        limit: u64,
    },
    /// The counts of a layer need 64 bits and do not fit in memory.
    #[error("the counts of a layer need 64 bits, and exceed the memory that may be used: raise --memory")]
    TooWide,
    /// The layers do not fit on the disk.
    #[error(
        "{path}: {board} {ending} takes up to {} of disk for its layers, and {} are free there: make room, or name a \
         folder on a larger disk",
        words::bytes(*.bytes),
        words::bytes(*.free)
    )]
    Disk {
        /// The folder.
        path: String,
        board: Board,
        /// Closed or open.
        ending: &'static str,
        /// Bytes needed.
        bytes: u64,
        /// Bytes free.
        free: u64,
    },
    /// The folder of layers cannot be used.
    #[error("{path}: {problem}")]
    Layers {
        /// The folder, or a file in it.
        path: String,
        /// The problem, and what to do.
        problem: String,
    },
    /// No tour has the number.
    #[error("number {number}: {board} has {count} {ending} tours{}", last(*.count))]
    PastEnd {
        number: u128,
        board: Board,
        /// Closed or open.
        ending: &'static str,
        /// Number of tours.
        count: u128,
    },
    /// A tour is of another board, ending or start.
    #[error("tour {index}: is no {expected}")]
    Foreign {
        /// The position of the tour in the input, from 1.
        index: usize,
        /// The tours of the question, in words.
        expected: String,
    },
    /// A file of layers could not be read or written.
    #[error("{0}")]
    File(String),
    /// The counts of a layer do not have their checksum.
    #[error("{0}: remove the folder of the layers and type the same command again")]
    Damaged(String),
    /// The counts of the layers do not add up.
    #[error(
        "the counts of the layers contradict each other: remove the folder of the layers and type the same command again"
    )]
    Contradiction,
    /// The work was stopped.
    #[error("stopped")]
    Stopped,
}

/// The range of the numbers, as the end of a sentence.
fn last(count: u128) -> String {
    count.checked_sub(1).map_or(String::new(), |last| format!(", with numbers from 0 to {last}"))
}

impl NumberError {
    /// The error of a file that could not be read or written.
    pub(super) fn file(path: &Path, source: &io::Error) -> NumberError {
        NumberError::File(format!("{}: {source}", path.display()))
    }

    /// The error of a layer whose counts could not be read or are damaged.
    pub(super) fn layer(error: &io::Error) -> NumberError {
        match error.kind() {
            io::ErrorKind::InvalidData => NumberError::Damaged(error.to_string()),
            _ => NumberError::File(error.to_string()),
        }
    }

    /// The error of a folder or file of layers that cannot be used.
    pub(super) fn layers(path: &Path, problem: impl Into<String>) -> NumberError {
        NumberError::Layers { path: path.display().to_string(), problem: problem.into() }
    }

    /// Whether the work was stopped.
    pub fn is_stopped(&self) -> bool {
        matches!(self, NumberError::Stopped | NumberError::Count(CountError::Stopped))
    }

    /// Whether the error is one of usage or bad input, which another command would avoid, and not a failure while running.
    pub fn is_usage(&self) -> bool {
        match self {
            NumberError::Count(error) => error.is_usage(),
            NumberError::File(_) | NumberError::Stopped => false,
            _ => true,
        }
    }
}
