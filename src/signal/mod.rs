//! Signals to the process: which ones ask it to end, which ones it was started to ignore, and whether its terminal is still
//! open.
//!
//! The first request to end is answered by the program; a further one acts at once, unless other programs send it in pairs. Every run heeds [`CaughtSignals`], with
//! a screen or without one. A terminal that has gone away is a request too, and its signal is only the message of it:
//! [`is_hangup`] tells whether an error means it, and [`ui::keyboard`](crate::ui) looks at the terminal itself.
//!
//! ```text
//!  INT, TERM, HUP, XCPU, USR2 ──> listener: first ──> the run stops, saves, reports ──> exit code 128 + signal
//!                                           second ─> the process ends at once
//!  USR1 ──> save_request: the run saves at its next break, and continues
//! ```
//!
//! **Invariant**: a signal that the process was started to ignore stays ignored. **Where to begin**: `listener.rs`.

mod disposition;
mod hangup;
mod listener;

pub use disposition::{catch_save_requests, is_ignored, outlive_limits};
pub use hangup::{is_hangup, terminal_has_gone};
pub use listener::{CaughtSignals, ENDING, SignalListener};
