//! Where screens are shown: the terminal that they need, and the one refusal of a program that was built without them.

use crate::job::{Failure, dumb_terminal, safe, usage};
use std::io::{self, IsTerminal};

/// `on_screens!(a, b => shown)` is `shown`, which shows a screen and uses `a` and `b`. In a program that was built without
/// screens (feature `tui`) it is the refusal instead.
macro_rules! on_screens {
    ($($of:ident),* => $shown:expr) => {{
        #[cfg(feature = "tui")]
        {
            $shown
        }
        #[cfg(not(feature = "tui"))]
        {
            $(let _ = $of;)*
            Err(crate::cli::terminal::without_screens())
        }
    }};
}
pub(crate) use on_screens;

/// The refusal of a program that was built without screens.
pub fn without_screens() -> Failure {
    usage(
        "this destrier was built without its screens (feature tui): leave out --watch and --show, and use search for \
         watch and step, verify for show, runs for attach, replay --json for replay",
    )
}

/// Whether there are screens, and a terminal for keys and screen.
///
/// # Errors
/// [`Failure::Usage`] when there is one that shows no full screen, by its name.
pub fn on_terminal() -> Result<bool, Failure> {
    Ok(io::stdin().is_terminal() && on_screen()?)
}

/// Whether there are screens, and a terminal for one, wherever keys come from.
///
/// # Errors
/// As [`on_terminal`].
pub fn on_screen() -> Result<bool, Failure> {
    let is_there = cfg!(feature = "tui") && io::stdout().is_terminal();
    let Some(name) = dumb_terminal().filter(|_| is_there) else { return Ok(is_there) };
    let name = safe(&name);
    Err(usage(format!(
        "TERM={name} is a terminal that shows no full screen: set TERM to what yours is, such as TERM=xterm-256color; \
         or use a command without a screen, such as destrier search or destrier count"
    )))
}

/// Refuses `what` where nothing can be shown, and says what does it `instead`.
///
/// # Errors
/// [`Failure::Usage`].
pub fn needs_terminal(what: &str, instead: &str) -> Result<(), Failure> {
    match on_terminal()? {
        true => Ok(()),
        false if cfg!(feature = "tui") => {
            Err(usage(format!("{what} needs a terminal for its keys and its screen; {instead}")))
        }
        false => Err(without_screens()),
    }
}

/// Refuses `--watch` where nothing can be shown.
///
/// # Errors
/// [`Failure::Usage`].
pub fn watch_needs_terminal() -> Result<(), Failure> {
    needs_terminal("--watch", "without it the same work needs none")
}
