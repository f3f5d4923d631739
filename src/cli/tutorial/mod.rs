//! `destrier tutorial`: ten lessons on real runs, for those who see the program for the first time.

#[cfg(feature = "tui")]
mod lessons;

use super::terminal::{needs_terminal, on_screens};
use crate::job::{Answer, Failure};
#[cfg(feature = "tui")]
use crate::{cli::screen::left, job::say::say, ui::Exit};

/// Shows the lessons until the user leaves.
///
/// # Errors
/// [`Failure`] without a terminal, or when the terminal failed.
pub fn run() -> Result<Answer, Failure> {
    needs_terminal("tutorial", "`destrier help` lists the commands")?;
    on_screens!( => shown())
}

/// Shows the lessons, and says behind them what was seen and what to try next, unless a signal has ended them.
#[cfg(feature = "tui")]
fn shown() -> Result<Answer, Failure> {
    let lessons = lessons::all();
    let all = lessons.len();
    let (exit, seen) = crate::ui::tutorial::show(lessons)?;
    if exit == Exit::Left {
        say(format_args!("{seen} of {all} lessons seen; try next: destrier watch 6x6, or destrier help"))?;
    }
    left(Ok(exit))
}
