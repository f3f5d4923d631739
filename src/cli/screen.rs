//! What commands with a screen share: work beside it, and the end.

use crate::job::{Answer, Failure, fault, io_failure, running, usage};
use crate::run::Source;
use crate::run::journal::Subject;
use crate::signal;
use crate::system;
use crate::ui::{self, Exit, UiError};
use std::io;
use std::thread::ScopedJoinHandle;

impl From<UiError> for Failure {
    /// A terminal that went away before its screen was shown has no reader any more; that is no failure of the program.
    fn from(error: UiError) -> Failure {
        match error {
            UiError::Terminal(error) if signal::is_hangup(&error) => io_failure("the terminal failed")(error),
            error => running(error),
        }
    }
}

/// The signal that ended a view, if one did.
pub fn signal_of(exit: Exit) -> Option<i32> {
    match exit {
        Exit::Left => None,
        Exit::Signal(signal) => Some(signal),
    }
}

/// What a view came to that was left.
///
/// # Errors
/// [`Failure::Running`] when the terminal failed.
pub fn left(exit: Result<Exit, UiError>) -> Result<Answer, Failure> {
    Ok(Answer::Yes.or_signal(signal_of(exit?)))
}

/// Shows a run of another process, or a recorded one, in the view of its subject until the user leaves.
///
/// # Errors
/// [`Failure::Running`] when the terminal failed.
pub fn look_on(subject: &Subject, mut source: Box<dyn Source>) -> Result<Answer, Failure> {
    left(match subject {
        Subject::Run(plan) => ui::look_on(plan.clone(), source),
        Subject::Count(count) => ui::count::run(&count.question, count.threads, &mut *source, || Ok(())),
        // The program records maps, but it makes none without a screen that could be attached to.
        Subject::Map(_) => return Err(usage("a map has no screen: destrier replay prints a recorded one")),
    })
}

/// Does `work` on a thread of its own while `show` shows it, which begins it once the terminal is ours. When the view is
/// left, `stop` stops the work, and it is waited for, also when the view panics. Answers what the work came to, the signal
/// that ended the view, if one did, and why the view went away, if that was not the user's wish.
///
/// # Errors
/// [`Failure`] when the view failed before the work was begun, or when the work panicked.
pub fn beside<T: Send>(
    stop: impl Fn(),
    work: impl FnOnce() -> T + Send,
    show: impl FnOnce(&mut dyn FnMut() -> io::Result<()>) -> Result<Exit, UiError>,
) -> Result<(T, Option<i32>, Option<Failure>), Failure> {
    let (shown, worked) = std::thread::scope(|scope| {
        let stopping = Stopping(stop);
        let (mut work, mut worker) = (Some(work), None);
        let mut begin = || {
            if let Some(work) = work.take() {
                worker = Some(system::start_within(scope, "run", work)?);
            }
            Ok(())
        };
        let shown = show(&mut begin);
        drop(stopping);
        (shown, worker.map(ScopedJoinHandle::join))
    });
    let (signal, view_failed) = match shown {
        Ok(exit) => (signal_of(exit), None),
        Err(error) => (None, Some(error.into())),
    };
    let Some(worked) = worked else {
        return Err(view_failed.unwrap_or_else(|| unreachable!("a screen that was shown has begun its work")));
    };
    let worked = worked.map_err(|payload| fault::failure(&*payload))?;
    Ok((worked, signal, view_failed))
}

/// Stops work at its end.
struct Stopping<F: Fn()>(F);

impl<F: Fn()> Drop for Stopping<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
