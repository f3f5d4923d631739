//! Work without a screen: signals stop it cleanly, and stderr shows its progress.

use super::say::say;
use crate::job::fault::{Failure, io_failure};
use crate::signal::{CaughtSignals, ENDING};
use crate::system;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// How often the progress line changes; the first time after the same while, so that short runs stay quiet.
const PROGRESS_EVERY: Duration = Duration::from_millis(500);
/// How often there is a new line where stderr is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// What work came to, and the last signal that was received.
pub type WithSignal<T> = Result<(T, Option<i32>), Failure>;

/// Runs `body`; a signal calls `stop`, and stderr shows the line of `progress`: parts with a comma between them, the most
/// important first. A terminal shows one line, anything else gets a line every ten seconds, and an empty line is not shown.
/// Returns the result of the body, and the last signal received.
///
/// The first signal calls `stop`. From then on a signal has its usual effect, as [`CaughtSignals`] says: a run that
/// cannot stop because its output is not read can still be ended. The same holds after the run.
///
/// # Errors
/// When the signal handlers cannot be set up, or the thread that waits for signals cannot be started.
pub fn with_signals<T>(
    stop: impl Fn() + Sync,
    progress: impl Fn() -> String + Sync,
    body: impl FnOnce() -> T,
) -> WithSignal<T> {
    let (calls, listener) = CaughtSignals::catch(&ENDING, say_cost).map_err(io_failure("signals cannot be caught"))?;
    let (done, ended) = crossbeam_channel::bounded::<()>(0);
    let result = std::thread::scope(|scope| {
        let _over = Over { calls: &calls, _done: done };
        let stop = &stop;
        system::start_within(scope, "signal", move || listener.listen(stop))?;
        // Without a thread for it there is no progress line, and that is all.
        let _ = system::start_within(scope, "progress", || {
            let every = if is_rewritten() { PROGRESS_EVERY } else { LINE_EVERY };
            // The other end is dropped, never used: anything but a timeout means the end.
            let goes_on = || ended.recv_timeout(every).is_err_and(|why| why.is_timeout());
            let texts = std::iter::from_fn(|| goes_on().then(&progress));
            if is_rewritten() { show_progress(texts) } else { print_progress(texts) }
        });
        Result::<_, Failure>::Ok(body())
    })?;
    Ok((result, calls.last()))
}

/// Says what a further Ctrl-C costs, to a user who may press it because the run takes its time to end.
fn say_cost() {
    clear_progress();
    // A message that is not read is no reason to stop.
    let _ =
        say("the run is ending; another Ctrl-C ends it at once, without its report and without what is not saved yet");
}

/// Ends the threads beside a run when it has ended, also by a panic: they are waited for.
struct Over<'a> {
    calls: &'a CaughtSignals,
    /// Its end lets go of the progress line.
    _done: crossbeam_channel::Sender<()>,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.calls.release();
    }
}

/// The name of the terminal if it moves no cursor: `dumb`, or empty.
pub fn dumb_terminal() -> Option<String> {
    std::env::var("TERM").ok().filter(|name| is_dumb(name))
}

fn is_dumb(name: &str) -> bool {
    name.is_empty() || name == "dumb"
}

/// Whether a line on stderr can be written over.
fn is_rewritten() -> bool {
    io::stderr().is_terminal() && dumb_terminal().is_none()
}

/// As many parts of a line as fit, from the first on.
fn fitting(line: &str, width: usize) -> String {
    let mut rest = line;
    while rest.chars().count() > width {
        let Some((before, _)) = rest.rsplit_once(", ") else { return rest.chars().take(width).collect() };
        rest = before;
    }
    rest.to_owned()
}

/// Writes a line now and then until the run has ended.
fn print_progress(texts: impl Iterator<Item = String>) {
    for text in texts.filter(|text| !text.is_empty()) {
        // A progress line that is not read is no reason to stop.
        let _ = writeln!(io::stderr(), "{text}");
    }
}

/// Writes one line over and over until the run has ended, then clears it.
fn show_progress(texts: impl Iterator<Item = String>) {
    let mut shown = false;
    for text in texts {
        // Another writer may use the same terminal now.
        shown = !text.is_empty();
        if !shown {
            continue;
        }
        let width = match rustix::termios::tcgetwinsize(io::stderr()) {
            // A terminal may not know its size.
            Ok(size) if size.ws_col > 0 => usize::from(size.ws_col),
            _ => 80,
        };
        // A line that wraps could not be written over.
        let line = fitting(&text, width.saturating_sub(1));
        // A terminal that has gone away is no reason to stop.
        let _ = write!(io::stderr(), "\r{line}\x1b[K");
    }
    if shown {
        clear_progress();
    }
}

/// Clears the progress line before other text is written to the same terminal.
pub fn clear_progress() {
    if is_rewritten() {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_between_its_parts() {
        assert_eq!(fitting("0:07  1.2% done, left 9 s, 5 nodes", 40), "0:07  1.2% done, left 9 s, 5 nodes");
        assert_eq!(fitting("0:07  1.2% done, left 9 s, 5 nodes", 33), "0:07  1.2% done, left 9 s");
        assert_eq!(fitting("0:07  1.2% done, left 9 s, 5 nodes", 5), "0:07 ");
    }

    #[test]
    fn terminals_without_a_cursor_are_known_by_their_names() {
        assert_eq!(["dumb", "", "xterm", "linux", "dumber"].map(is_dumb), [true, true, false, false, false]);
    }

    #[test]
    fn a_run_that_panics_is_not_waited_for() {
        let run = || with_signals(|| (), String::new, || -> () { panic!("on purpose") });
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
