//! `destrier watch`: the live view of a search; the summary goes to the shell when it is left.

use super::args::WatchArgs;
use super::files::WrittenFiles;
use super::find::shown;
use super::keep::{self, Begun, Files, Keeping};
use super::output::{Destination, TourFormat};
use super::record::Recording;
use super::say::say;
use super::screen::on_terminal;
use super::{runs, search};
use crate::cli::failure::{Failure, running, usage};
use crate::lock::LockAlways as _;
use crate::run::{Beginning, Frame, Live, ObservedSource, Outbox, Plan, Question, RunDone};
use crate::ui::{self, Session, SessionReport, UiError};
use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::Arc;

/// Shows the search and prints its summary afterwards; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the search failed.
pub fn run(args: &WatchArgs) -> Result<u8, Failure> {
    let plan = args.plan()?;
    args.options.check_files(WrittenFiles::default())?;
    if !on_terminal()? {
        let instead = "`destrier search` with the same options does the same work without one";
        return Err(usage(format!("watch needs a terminal for its keys and its screen; {instead}")));
    }
    let recording = args.options.recording(&plan)?;
    let begun = keep::begin(&plan, &args.options)?;
    if matches!(begun, Begun::Going(Destination::Stdout(_), ..)) {
        return Err(usage("--out - would write over the screen: give --out a file"));
    }
    let beginning = Beginning { paused: args.paused, pace: args.slow };
    go(plan, begun, recording, (args.fps, beginning), args.options.json)
}

/// Shows what has begun.
///
/// # Errors
/// As [`run`].
pub fn go(plan: Plan, begun: Begun, recording: Recording, how: (u32, Beginning), json: bool) -> Result<u8, Failure> {
    match begun {
        Begun::Ended(checkpoint) => {
            recording.say_nothing_ran()?;
            search::print_ended(&checkpoint, json)
        }
        Begun::Going(output, format, keeping) => live(plan, how, (Files { output, recording, keeping }, format), json),
    }
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

/// Shows runs, the first one begun so, until the user has seen enough, and prints the summary of the last one; answers
/// the exit code. Their tours, frames and checkpoints go to these files.
///
/// # Errors
/// [`Failure`] when the view or a run failed.
pub fn live(
    plan: Plan,
    (fps, beginning): (u32, Beginning),
    (Files { output, recording, mut keeping }, format): (Files, TourFormat),
    json: bool,
) -> Result<u8, Failure> {
    // A second run would write its tours behind those of the first, and a journal, a trace and a checkpoint are about one.
    let (recorder, observed) = (recording.recorder(), recording.observation());
    let written = recorder.is_some() || observed.is_traced() || keeping.is_kept();
    let may_restart = matches!(output, Destination::Nowhere) && !written;
    let (witnesses, observer) = (recording.witnesses(), observed.observer());
    let mut goes = keeping.goes(false)?;
    let output = Rc::new(RefCell::new(output));
    let outbox = Outbox::default();
    let launch = {
        let (output, outbox) = (output.clone(), Arc::clone(&outbox));
        move |plan: &Plan, beginning: Beginning| -> Box<dyn crate::run::Source> {
            let tours = output.borrow().for_workers(format, plan.question.board());
            let run = Live::start(plan, beginning, std::mem::take(&mut goes), tours, Arc::clone(&outbox));
            observer.iter().for_each(|observer| observer.begin_anew());
            let witnesses = witnesses.clone();
            match witnesses.are_some() {
                true => Box::new(
                    ObservedSource::new(run, move |frame: &Frame| witnesses.take(frame)).into_journal(recorder.clone()),
                ),
                false => Box::new(run),
            }
        }
    };
    let place = Rc::new(RefCell::new(None));
    let berth = {
        let place = Rc::clone(&place);
        move || {
            runs::DetachSlot::take().map(|taken| drop(place.borrow_mut().replace(taken))).map_err(|why| why.to_string())
        }
    };
    let report =
        ui::run(Session { plan, may_restart, fps, beginning, launch: Box::new(launch), berth: Box::new(berth) });
    let mut output = output.replace(Destination::Nowhere);
    let SessionReport { plan, detached, signal } = match report {
        Ok(report) => report,
        Err(error) => {
            leave(output, &keeping)?;
            return Err(error.into());
        }
    };
    let Some(done) = outbox.locked().take() else {
        leave(output, &keeping)?;
        return Err(UiError::Vanished.into());
    };
    if let (true, Ok(RunDone { outcome, .. }), Some(berth)) = (detached, &done, place.take())
        && outcome.stopped.is_some()
    {
        match keeping.let_go(&plan, (&mut output, format), outcome, &berth.checkpoint()) {
            Ok(file) => {
                drop((keeping, output));
                recording.end(None, None::<&()>)?;
                return berth.go_on(&file, &plan);
            }
            // Then it has been stopped, and that is all.
            Err(failure) => say(format_args!("it cannot go on without this terminal: {failure}"))?,
        }
    }
    let end = match &plan.question {
        Question::Search(..) => search::finish(&plan, done, Files { output, recording, keeping }, json, signal),
        Question::Find(..) => done.map_err(running).and_then(|done| shown::show_watched(plan, done, recording)),
    };
    search::exit_code(end, signal)
}

/// Gives the tours of a run that nobody sees any more their name; a run that is kept goes on with them.
fn leave(output: Destination, keeping: &Keeping) -> Result<(), Failure> {
    if keeping.is_kept() { Ok(keeping.say_how_to_go_on()?) } else { output.keep() }
}
