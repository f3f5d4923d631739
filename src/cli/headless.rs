//! Running a search without a screen: signals stop it cleanly, and a terminal on stderr shows how far it is.

use crate::schedule::{Snapshot, StopReason, Watch, words};
use crate::signal::Calls;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// Signals that stop a run, unless whoever started it had them ignored.
const STOPPING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];
/// How often the progress line changes; the first time after the same while, so that short runs stay quiet.
const PROGRESS_EVERY: Duration = Duration::from_millis(500);

/// Runs `body` while signals stop the watched run; answers what it returned, and the last signal received.
///
/// # Errors
/// As [`heeding`].
pub fn attended<T>(watch: &Watch, body: impl FnOnce() -> T) -> io::Result<(T, Option<i32>)> {
    heeding(|| watch.control().stop(StopReason::Asked), || progress(&watch.snapshot()), body)
}

/// Runs `body`; a signal calls `stop`, and a terminal on stderr shows what `progress` says, nothing while that is empty.
/// Answers what the body returned, and the last signal received.
///
/// The first signal asks the run to stop. From then on a signal has its usual effect, as [`Calls`] says: a run that
/// cannot stop, because nobody reads what it writes, can still be ended. The same holds after the run.
///
/// # Errors
/// When the signal handlers cannot be set up, or the thread that heeds signals cannot be started.
pub fn heeding<T>(
    stop: impl Fn() + Sync,
    progress: impl Fn() -> String + Sync,
    body: impl FnOnce() -> T,
) -> io::Result<(T, Option<i32>)> {
    let (calls, listener) = Calls::catch(&STOPPING)?;
    let (done, ended) = crossbeam_channel::bounded::<()>(0);
    let result = std::thread::scope(|scope| {
        let _over = Over { calls: &calls, _done: done };
        let stop = &stop;
        std::thread::Builder::new().spawn_scoped(scope, move || listener.listen(stop))?;
        if io::stderr().is_terminal() {
            // Where there is no thread for it nobody is shown how far it is, and that is all.
            let _ = std::thread::Builder::new().spawn_scoped(scope, || show_progress(&progress, &ended));
        }
        io::Result::Ok(body())
    })?;
    Ok((result, calls.last()))
}

/// Ends the threads beside a run when it has ended, also by a panic: they are waited for.
struct Over<'a> {
    calls: &'a Calls,
    /// Its end lets go of the progress line.
    _done: crossbeam_channel::Sender<()>,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.calls.release();
    }
}

/// How far a run is, in one line.
fn progress(now: &Snapshot) -> String {
    let busy = now.workers.iter().filter(|worker| worker.state.has_work()).count();
    let rate = now.nodes() as f64 / now.elapsed.as_secs_f64().max(1e-3);
    let tree = now.estimate.map_or(String::new(), |estimate| {
        let (nodes, tours) =
            (words::powers(estimate.nodes), estimate.tours.map_or("unknown".to_owned(), words::powers));
        format!("; tree {nodes} nodes, {tours} tours, left {}", words::spans(now.time_left(rate).unwrap_or_default()))
    });
    let (clock, done) = (words::clock(now.elapsed), words::progress(now.done));
    let (nodes, tours) = (words::count(now.nodes()), words::count(now.tours()));
    format!("{clock}  {done} done, {nodes} nodes, {}/s, {tours} tours, {busy} busy{tree}", words::rate(rate))
}

/// Writes one line over and over until the run has ended, then clears it.
fn show_progress(progress: &dyn Fn() -> String, ended: &crossbeam_channel::Receiver<()>) {
    let mut shown = false;
    // The other end is dropped, never used: anything but a timeout means the end.
    while ended.recv_timeout(PROGRESS_EVERY) == Err(crossbeam_channel::RecvTimeoutError::Timeout) {
        let text = progress();
        if text.is_empty() {
            // Somebody else may be writing to the same terminal.
            shown = false;
            continue;
        }
        let width = match rustix::termios::tcgetwinsize(io::stderr()) {
            // A terminal may not know its size.
            Ok(size) if size.ws_col > 0 => usize::from(size.ws_col),
            _ => 80,
        };
        // A line that wraps could not be written over.
        let line: String = text.chars().take(width.saturating_sub(1)).collect();
        shown = true;
        // A terminal that has gone away is no reason to stop.
        let _ = write!(io::stderr(), "\r{line}\x1b[K");
    }
    if shown {
        clear_progress();
    }
}

/// Clears the line that shows the progress, for somebody who writes to the same terminal.
pub fn clear_progress() {
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_panics_is_not_waited_for() {
        let run = || heeding(|| (), String::new, || -> () { panic!("on purpose") });
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
