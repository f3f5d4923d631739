//! The live view of a search or a race, in which the user may start other runs.

use crate::job::detached::DetachSlot;
use crate::job::output::Destination;
use crate::job::saving::SearchFiles;
use crate::job::say::say;
use crate::job::{Attended, Ended, Failure, Observation};
use crate::lock::LockAlways as _;
use crate::run::{Beginning, Live, Outbox, Plan, RunDone};
use crate::schedule::RunError;
use crate::ui::{self, Session, SessionReport, UiError};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// What the last run of a view came to, and its plan.
pub type SessionDone = (Plan, Result<RunDone, RunError>);

/// Shows runs, the first one of this plan and with these files, until the user has seen enough. A run that is left to
/// another process is resumed there.
///
/// # Errors
/// [`Failure`] when the view failed; a saved run can be resumed then.
pub fn session(
    plan: Plan,
    files: &mut SearchFiles,
    observation: Observation,
    (fps, beginning): (u32, Beginning),
) -> Result<Attended<SessionDone>, Failure> {
    // A second run would write its tours behind those of the first, and a journal, a trace and a checkpoint are of one run.
    let written = observation.is_recorded() || observation.tracing().is_traced() || files.is_saved();
    let may_restart = matches!(files.output(), Destination::Nowhere) && !written;
    let (observers, restart_balance) = (observation.observers(), observation.tracing().restart());
    let (mut continuation, mut tours) = (files.continuation(false)?, files.for_workers(&plan.question));
    let outbox = Outbox::default();
    let launch = {
        let outbox = Arc::clone(&outbox);
        move |plan: &Plan, beginning: Beginning| {
            restart_balance();
            let continuation = std::mem::take(&mut continuation);
            observers.around(Live::start(plan, beginning, continuation, tours.take(), Arc::clone(&outbox)))
        }
    };
    let slot = Rc::new(RefCell::new(None));
    let berth = {
        let slot = Rc::clone(&slot);
        move || DetachSlot::take().map(|taken| drop(slot.borrow_mut().replace(taken))).map_err(|why| why.to_string())
    };
    let shown =
        ui::run(Session { plan, may_restart, fps, beginning, launch: Box::new(launch), berth: Box::new(berth) });
    let (SessionReport { plan, detached, signal }, done) = match (shown, outbox.locked().take()) {
        (Ok(report), Some(done)) => (report, done),
        (shown, _) => {
            files.leave()?;
            return Err(shown.err().unwrap_or(UiError::Vanished).into());
        }
    };
    if let (true, Ok(RunDone { outcome, .. }), Some(slot)) = (detached, &done, slot.take())
        && outcome.stopped.is_some()
    {
        match files.hand_over(&plan, outcome, &slot.checkpoint()) {
            Ok(file) => {
                drop(std::mem::take(files));
                observation.end(None, None::<&()>)?;
                return Ok(Attended::Elsewhere(slot.resume(&file, &plan)?));
            }
            // Then the run is stopped, and that is all.
            Err(failure) => say(format_args!("it cannot go on without this terminal: {failure}"))?,
        }
    }
    Ok(Ended { done: (plan, done), signal, view_failed: None, observation }.here())
}
