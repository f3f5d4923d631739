//! Why a command failed, and the exit code of a command that a signal ended.

use std::fmt::Display;
use std::io;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Wrong usage or bad input; exit code 2.
    #[error("{0}")]
    Usage(String),
    /// Failed while running; exit code 3.
    #[error("{0}")]
    Running(String),
    /// The program itself is wrong: what it said, and where; exit code 3.
    #[error("this is a fault of the program: {0}")]
    Fault(String),
    /// Reading or writing failed; exit code 3, or quiet when a pipe was closed.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Wrong usage, or bad input.
pub fn usage(message: impl Display) -> Failure {
    Failure::Usage(message.to_string())
}

/// What failed while running.
pub fn running(why: impl Display) -> Failure {
    Failure::Running(why.to_string())
}

/// The exit code of what this signal ended.
pub fn by_signal(signal: i32) -> u8 {
    128 + signal as u8
}
