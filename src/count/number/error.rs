//! The errors of numbering tours.

use crate::count::error::CountError;
use crate::count::shortage::Shortage;
use std::io;
use std::path::Path;

/// Why tours could not be numbered.
#[derive(Debug, thiserror::Error)]
pub enum NumberError {
    /// The tours could not be counted, their layers do not fit, their folder cannot be used, or the work was stopped.
    #[error(transparent)]
    Count(#[from] CountError),
    /// The counts are too large.
    #[error(
        "the counts of the {ending} tours of {board} outgrow 64 bits, and numbers of tours need counts that fit in 64 bits: \
         closed tours have them up to 8x10, open tours up to 8x8"
    )]
    Outgrown {
        board: String,
        /// Closed or open.
        ending: &'static str,
    },
    /// No tour has the number.
    #[error("number {number}: {board} has {count} {ending} tours{}", last(*.count))]
    PastEnd {
        number: u128,
        board: String,
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
    /// The counts of the layers do not have their checksum, or do not add up.
    #[error("{0}: remove the folder of the layers and type the same command again")]
    Damaged(String),
}

/// The range of the numbers, as the end of a sentence.
fn last(count: u128) -> String {
    count.checked_sub(1).map_or(String::new(), |last| format!(", with numbers from 0 to {last}"))
}

impl From<Shortage> for NumberError {
    fn from(shortage: Shortage) -> NumberError {
        NumberError::Count(shortage.into())
    }
}

impl NumberError {
    /// The error of counts that do not add up.
    pub(super) fn contradiction() -> NumberError {
        NumberError::Damaged("the counts of the layers contradict each other".to_owned())
    }

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
    pub(super) fn layers(path: &Path, problem: impl ToString) -> NumberError {
        CountError::unusable(path, problem).into()
    }

    /// Whether the work was stopped.
    pub fn is_stopped(&self) -> bool {
        matches!(self, NumberError::Count(CountError::Stopped))
    }

    /// Whether the error is one of usage or bad input, which another command would avoid, and not a failure while running.
    pub fn is_usage(&self) -> bool {
        match self {
            NumberError::Count(error) => error.is_usage(),
            NumberError::File(_) => false,
            _ => true,
        }
    }
}
