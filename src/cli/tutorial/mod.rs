//! `destrier tutorial`: ten lessons on real runs, for those who see the program for the first time.

#[cfg(feature = "tui")]
mod lessons;
#[cfg(feature = "tui")]
mod own_run;

use super::terminal::{needs_terminal, on_screens};
use crate::job::Failure;

/// Shows the lessons until the user leaves. Returns the exit code.
///
/// # Errors
/// [`Failure`] without a terminal, or when the terminal failed.
pub fn run() -> Result<u8, Failure> {
    needs_terminal("tutorial", "`destrier help` lists the commands")?;
    on_screens!( => super::screen::left(crate::ui::tutorial::show(lessons::all())))
}
