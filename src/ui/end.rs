//! How what is shown on the terminal ends: as the user wants it, by a signal, or because it cannot go on.

use std::io;
use std::time::Duration;

/// A run that was told to stop does so within a burst; one that does not is given up after this long.
pub const STOP_WITHIN: Duration = Duration::from_secs(10);

/// How a session on the stage ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The user left.
    Left,
    /// A signal ended it, or the key that stands for SIGINT, or the terminal went away, which is SIGHUP.
    Signal(i32),
}

/// Why a session could not be shown, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum UiError {
    /// Standard output is not a terminal.
    #[error("the live view needs a terminal; search prints its figures without one")]
    NoTerminal,
    /// The terminal could not be read or written.
    #[error("the terminal failed: {0}")]
    Terminal(#[from] io::Error),
    /// The thread that does what is shown could not be started.
    #[error("its thread could not be started: {0}")]
    Thread(io::Error),
    /// The search went away without a word.
    #[error("the search ended without a result")]
    Vanished,
    /// The search was told to stop and did not.
    #[error("the search did not stop within {} seconds", STOP_WITHIN.as_secs())]
    Deaf,
}
