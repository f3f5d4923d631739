//! `destrier watch`: the live view of a search; the summary goes to the shell when it is left.

use super::args::WatchArgs;
use super::output::Destination;
use super::{fault, find, search};
use crate::cli::failure::{Failure, running, usage};
use crate::run::{Beginning, Live, Outbox, Plan, Question};
use crate::ui::{self, Exit, Report, Session, UiError};
use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::rc::Rc;
use std::sync::{Arc, PoisonError};
use std::thread::ScopedJoinHandle;

/// Whether there is a terminal for keys and screen.
pub fn on_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Refuses `--watch` without one.
///
/// # Errors
/// [`Failure::Usage`].
pub fn needs_terminal() -> Result<(), Failure> {
    if on_terminal() {
        return Ok(());
    }
    Err(usage("--watch needs a terminal for its keys and its screen; without it the same work needs none"))
}

/// Shows the search and prints its summary afterwards; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the search failed.
pub fn run(args: &WatchArgs) -> Result<u8, Failure> {
    let plan = args.plan()?;
    let board = plan.question.board();
    if !on_terminal() {
        let instead = "`destrier search` with the same options does the same work without one";
        return Err(usage(format!("watch needs a terminal for its keys and its screen; {instead}")));
    }
    let output = args.options.output(board)?;
    if matches!(output, Destination::Stdout(..)) {
        return Err(usage("--out - would write over the screen: give --out a file"));
    }
    live(plan, args.fps, output, args.options.json)
}

/// The same in a session of its own, of which the terminal is the one that this process stands on.
///
/// # Errors
/// As [`run`], and when there can be no such session.
pub fn run_alone(args: &WatchArgs) -> Result<u8, Failure> {
    rustix::process::setsid()
        .and_then(|_| rustix::process::ioctl_tiocsctty(rustix::stdio::stdin()))
        .map_err(io::Error::from)?;
    run(args)
}

/// Shows runs until the user has seen enough, and prints the summary of the last one; answers the exit code.
///
/// # Errors
/// [`Failure`] when the view or a run failed.
pub fn live(plan: Plan, fps: u32, output: Destination, json: bool) -> Result<u8, Failure> {
    // A second run would write its tours behind those of the first.
    let may_restart = matches!(output, Destination::Nowhere);
    let output = Rc::new(RefCell::new(output));
    let outbox = Outbox::default();
    let launch = {
        let (output, outbox) = (output.clone(), Arc::clone(&outbox));
        move |plan: &Plan, beginning: Beginning| -> Box<dyn crate::run::Source> {
            let tours = output.borrow().for_workers();
            Box::new(Live::start(plan, beginning, tours, Arc::clone(&outbox)))
        }
    };
    let report = ui::run(Session { plan, may_restart, fps, launch: Box::new(launch) });
    let output = output.replace(Destination::Nowhere);
    let Report { plan, signal } = match report {
        Ok(report) => report,
        Err(error) => {
            output.keep()?;
            return Err(error.into());
        }
    };
    let Some(done) = outbox.lock().unwrap_or_else(PoisonError::into_inner).take() else {
        output.keep()?;
        return Err(UiError::Vanished.into());
    };
    let end = match &plan.question {
        Question::Search(..) => search::finish(&plan, done, output, json, signal),
        Question::Find(finder, request) => {
            done.map_err(running).and_then(|done| find::live::print(*finder, request.clone(), plan.threads, done))
        }
    };
    search::exit_code(end, signal)
}

/// What came of work and of the screen beside it.
pub struct Beside<T> {
    /// What the work came to.
    pub worked: T,
    /// The signal that ended the view, if one did.
    pub signal: Option<i32>,
    /// Why the view went away, if that was not the user's wish.
    pub view_failed: Option<Failure>,
}

/// Does `work` on a thread of its own while `show` shows it, which begins it once the terminal is ours. When the view is
/// left, `stop` stops the work, and it is waited for, also when the view panics.
///
/// # Errors
/// [`Failure`] without a terminal, when the view failed before the work was begun, or when the work panicked.
pub fn beside<T: Send>(
    stop: impl Fn(),
    work: impl FnOnce() -> T + Send,
    show: impl FnOnce(&mut dyn FnMut() -> io::Result<()>) -> Result<Exit, UiError>,
) -> Result<Beside<T>, Failure> {
    needs_terminal()?;
    let (shown, worked) = std::thread::scope(|scope| {
        let stopping = Stopping(stop);
        let (mut work, mut worker) = (Some(work), None);
        let mut begin = || {
            if let Some(work) = work.take() {
                worker = Some(std::thread::Builder::new().spawn_scoped(scope, work)?);
            }
            Ok(())
        };
        let shown = show(&mut begin);
        drop(stopping);
        (shown, worker.map(ScopedJoinHandle::join))
    });
    let (signal, view_failed) = match shown {
        Ok(Exit::Left) => (None, None),
        Ok(Exit::Signal(signal)) => (Some(signal), None),
        Err(error) => (None, Some(error.into())),
    };
    let Some(worked) = worked else {
        return Err(view_failed.unwrap_or_else(|| unreachable!("a screen that was shown has begun its work")));
    };
    let worked = worked.map_err(|payload| fault::failure(&*payload))?;
    Ok(Beside { worked, signal, view_failed })
}

/// Stops work at its end.
struct Stopping<F: Fn()>(F);

impl<F: Fn()> Drop for Stopping<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
