//! Why there is no number, or no tour.

use crate::board::Board;
use crate::count::error::CountError;
use crate::words;
use std::io;
use std::path::Path;

/// Why tours could not be numbered.
#[derive(Debug, thiserror::Error)]
pub enum NumberError {
    /// They could not be counted.
    #[error(transparent)]
    Count(#[from] CountError),
    /// The counts are too large.
    #[error(
        "the counts of the {ending} tours of {board} outgrow 64 bits, and tours are numbered with counts that do not: \
         closed tours up to 8x10 and open ones up to 8x8 have such counts"
    )]
    Outgrown {
        /// The board.
        board: Board,
        /// Closed or open.
        ending: &'static str,
    },
    /// All layers together do not fit in memory.
    #[error(
        "to number the {ending} tours of {board} takes up to {} of memory, {} of them for the layers; {} may be used. \
         With --layers DIR the layers are kept in files, and stay there for another time",
        words::bytes(*.bytes),
        words::bytes(*.layers),
        words::bytes(*.limit)
    )]
    Memory {
        /// The board.
        board: Board,
        /// Closed or open.
        ending: &'static str,
        /// Bytes wanted.
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
        /// The board.
        board: Board,
        /// Closed or open.
        ending: &'static str,
        /// Bytes wanted.
        bytes: u64,
        /// Bytes that may be used.
        limit: u64,
    },
    /// The counts grew wider than the memory holds.
    #[error("the counts of a layer want 64 bits, and there is not as much memory")]
    TooWide,
    /// The disk does not hold the layers.
    #[error(
        "{path}: {board} {ending} takes up to {} of disk for its layers, and {} are free there: make room, or name a \
         folder on a larger disk",
        words::bytes(*.bytes),
        words::bytes(*.free)
    )]
    Disk {
        /// The folder.
        path: String,
        /// The board.
        board: Board,
        /// Closed or open.
        ending: &'static str,
        /// Bytes wanted.
        bytes: u64,
        /// Bytes free.
        free: u64,
    },
    /// A folder of layers that cannot be used.
    #[error("{path}: {problem}")]
    Layers {
        /// The folder, or a file in it.
        path: String,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// No tour has such a number.
    #[error("number {number}: {board} has {count} {ending} tours{}", last(*.count))]
    PastEnd {
        /// The number.
        number: u128,
        /// The board.
        board: Board,
        /// Closed or open.
        ending: &'static str,
        /// How many tours there are.
        count: u128,
    },
    /// A tour of another board, ending or start.
    #[error("tour {index}: is no {wanted}")]
    Foreign {
        /// Which, from 1.
        index: usize,
        /// What was wanted.
        wanted: String,
    },
    /// The system did not read or write a file of layers.
    #[error("{0}")]
    File(String),
    /// Counts are not what was written.
    #[error("{0}: remove the folder, and the layers are made again")]
    Damaged(String),
    /// Counts do not add up.
    #[error("the counts of the layers contradict each other: remove them, and they are made again")]
    Contradiction,
    /// It was asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Which numbers there are.
fn last(count: u128) -> String {
    count.checked_sub(1).map_or(String::new(), |last| format!(", with numbers from 0 to {last}"))
}

impl NumberError {
    /// A file that could not be read or written.
    pub(super) fn file(path: &Path, source: &io::Error) -> NumberError {
        NumberError::File(format!("{}: {source}", path.display()))
    }

    /// A layer whose counts could not be read, or are not what was written.
    pub(super) fn layer(error: &io::Error) -> NumberError {
        match error.kind() {
            io::ErrorKind::InvalidData => NumberError::Damaged(error.to_string()),
            _ => NumberError::File(error.to_string()),
        }
    }

    /// A folder or file of layers with something wrong.
    pub(super) fn layers(path: &Path, problem: impl Into<String>) -> NumberError {
        NumberError::Layers { path: path.display().to_string(), problem: problem.into() }
    }

    /// Whether it was asked to stop.
    pub fn is_stopped(&self) -> bool {
        matches!(self, NumberError::Stopped | NumberError::Count(CountError::Stopped))
    }

    /// Whether asking differently would help: usage or bad input rather than a failure while running.
    pub fn is_usage(&self) -> bool {
        match self {
            NumberError::Count(error) => error.is_usage(),
            NumberError::File(_) | NumberError::Stopped => false,
            _ => true,
        }
    }
}
