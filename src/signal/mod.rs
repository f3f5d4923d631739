//! What the outside asks of the process: to end, which it does in its own way when asked once and at once when asked
//! again; what it was told to pass over when it was started; and whether its terminal is still there.
//!
//! Everything that runs heeds [`CaughtSignals`], with a screen or without one. A terminal that goes away is a call too, of
//! which the signal is only the message: [`is_hangup`] tells whether a failure means it, and
//! [`ui::keyboard`](crate::ui) looks at the terminal itself.

mod calls;
mod hangup;
mod ignored;

pub use calls::{CaughtSignals, SignalListener};
pub use hangup::{is_hangup, terminal_has_gone};
pub use ignored::is_ignored;

use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;
use std::io;
use std::sync::Arc;

/// Lets a file that grows beyond the limit of the process (`ulimit -f`) fail as a full disk does: the write answers an
/// error, which is said or borne where it belongs, and the process goes on. By default it would be killed.
///
/// # Errors
/// When the operating system refuses.
pub fn outlive_limits() -> io::Result<()> {
    if !is_ignored(SIGXFSZ) {
        // Nobody reads the flag: that the signal is caught is all that is needed.
        flag::register(SIGXFSZ, Arc::default())?;
    }
    Ok(())
}
