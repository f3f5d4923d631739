//! How a session on the terminal ends: by the user, by a signal, or by an error.

use std::io;
use std::time::Duration;

/// How long to wait for a run to stop. A run normally stops within one burst.
pub const STOP_WITHIN: Duration = Duration::from_secs(10);

/// How a session on the stage ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The user left.
    Left,
    /// A signal ended the session; `ctrl-c` counts as SIGINT, a terminal that was closed as SIGHUP.
    Signal(i32),
}

/// Why a session could not be shown, or broke off.
#[derive(Debug, thiserror::Error)]
pub enum UiError {
    /// Standard output is not a terminal.
    #[error("the live view needs a terminal; search prints its figures without one")]
    NoTerminal,
    /// The terminal could not be read or written.
    #[error("the terminal failed: {0}")]
    Terminal(#[from] io::Error),
    /// The worker thread could not be started.
    #[error("its thread could not be started: {0}")]
    Thread(io::Error),
    /// The search ended without a result.
    #[error("the search ended without a result")]
    Vanished,
    /// The search did not stop within `STOP_WITHIN`.
    #[error("the search did not stop within {} seconds", STOP_WITHIN.as_secs())]
    Deaf,
}
