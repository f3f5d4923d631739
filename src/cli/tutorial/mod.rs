//! `destrier tutorial`: ten lessons on real runs, for those who see the program for the first time.

#[cfg(feature = "tui")]
mod lessons;

use super::terminal::{needs_terminal, on_screens};
use crate::job::{Answer, Failure};
#[cfg(feature = "tui")]
use crate::{
    cli::screen::left,
    job::{note, put, say},
    ui::Exit,
};
use clap::Args;
#[cfg(feature = "tui")]
use std::io::{self, IsTerminal as _};

/// `destrier tutorial`.
#[derive(Args)]
pub struct TutorialArgs {
    /// Tell the lessons in lines, one after the other where enter is typed, or all of them in a pipe
    #[arg(long)]
    lines: bool,
}

/// Shows the lessons until the user leaves, or tells them.
///
/// # Errors
/// [`Failure`] without a terminal, or when the terminal failed.
pub fn run(args: &TutorialArgs) -> Result<Answer, Failure> {
    if args.lines {
        return on_screens!( => print_lessons());
    }
    needs_terminal("tutorial", "`destrier tutorial --lines` does without one")?;
    on_screens!( => shown())
}

/// Prints the lessons.
#[cfg(feature = "tui")]
fn print_lessons() -> Result<Answer, Failure> {
    let waits = io::stdin().is_terminal() && io::stdout().is_terminal();
    for (number, lesson) in lessons::texts().into_iter().enumerate() {
        if waits && number > 0 {
            note("enter: the next lesson; q: leave\n")?;
            if !matches!(io::stdin().lines().next(), Some(Ok(typed)) if typed.trim() != "q") {
                break;
            }
        }
        put(format_args!("{}{lesson}", if number > 0 { "\n" } else { "" }))?;
    }
    Ok(Answer::Yes)
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
