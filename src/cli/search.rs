//! `destrier search`: every tour of a board, without a screen.

use super::args::SearchArgs;
use super::halt::Halt;
use super::output::Destination;
use super::record::Recording;
use super::report::Report;
use super::say::{print, print_failed};
use super::{adapter, headless, progress};
use crate::cli::failure::{Failure, by_signal, running};
use crate::run::{Done, End, Ended, Plan};
use crate::schedule::{Crew, CrewPlan, HEAD_START, Levels, Outcome, RunError};
use crate::signal;
use crate::solve::{self, Problem};
use std::io::{self, IsTerminal};
use std::time::Duration;

/// Searches and prints the summary; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when the search or its output failed.
pub fn run(args: &SearchArgs) -> Result<u8, Failure> {
    let plan = args.options.plan(args.board)?;
    let output = args.options.output()?;
    let exact = args.options.json && plan.question.levels() == Levels::Exact;
    let levels = if exact { Levels::Exact } else { Levels::Off };
    // Somebody who watches the progress line wants to know at once how long it will take.
    let head_start = if io::stderr().is_terminal() { HEAD_START } else { Duration::ZERO };
    let crew = CrewPlan { estimate: Some(head_start), ..plan.crew(levels) };
    let recording = args.options.recording(&plan)?;
    let halt = Halt::recording(recording.recorder());
    let body = || halt.answer(0, &plan, crew, output.for_workers(args.options.format, args.board), &|_, _| {});
    let (done, signal) = headless::attended(&halt, || halt.progress(progress::search), body)?;
    exit_code(finish(&plan, done, (output, recording), args.options.json, signal), signal)
}

/// Searches by the name of a solver, for nobody but who wants the figures.
///
/// # Errors
/// [`Failure`] when no solver has the name, it does not take the problem, or the run fails.
pub fn solve(solver: &str, problem: &Problem, crew: Crew) -> Result<Outcome, Failure> {
    let solver = solve::by_name(solver).ok_or_else(|| running(format!("no solver is called {solver}")))?;
    solver.admits(problem).map_err(running)?;
    solver.solve(problem, crew, None).map_err(running)
}

/// Keeps the tours and prints the report of a run that has ended.
///
/// # Errors
/// [`Failure`] when the run or its output failed; tours written until a worker failed are kept.
pub fn finish(
    plan: &Plan,
    done: Result<Done, RunError>,
    (output, recording): (Destination, Recording),
    json: bool,
    signal: Option<i32>,
) -> Result<(), Failure> {
    let stdout_taken = matches!(output, Destination::Stdout);
    match done {
        Ok(mut done) => {
            done.outcome.stopped = done.outcome.stopped.map(|reason| reason.by(signal.is_some()));
            let report = Report::new(plan, &done.outcome);
            // Whatever becomes of the tours and of whoever reads the report.
            let recorded = recording.end(Some(End::Run(Ended::of(&done, plan.question.board()))), Some(&report));
            output.keep()?;
            adapter::tell(done.outcome.lanes.as_ref().and_then(|lanes| lanes.why.as_deref()))?;
            print(&report, json, stdout_taken)?;
            recorded
        }
        Err(RunError::Write(error)) if stdout_taken && is_unread(&error) => Err(Failure::Io(error)),
        Err(error) => {
            let kept = match &error {
                RunError::Write(_) => output.keep_part(),
                _ => output.keep().map(|()| None)?,
            };
            if json {
                print_failed(plan.question.board(), &error)?;
            }
            let place =
                kept.map_or(String::new(), |path| format!("; what was written until then is in {}", path.display()));
            Err(running(format!("{error}{place}")))
        }
    }
}

/// Whether an error means that nobody reads any more what is written: the pipe is closed, or the terminal has gone.
fn is_unread(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe || signal::is_hangup(error)
}

/// The exit code of a run that a signal may have ended; then it says so, even if nobody read its output any more.
///
/// # Errors
/// As the run's end.
pub fn exit_code(end: Result<(), Failure>, signal: Option<i32>) -> Result<u8, Failure> {
    match (end, signal) {
        (Ok(()), None) => Ok(0),
        (Ok(()), Some(signal)) => Ok(by_signal(signal)),
        (Err(Failure::Io(error)), Some(signal)) if is_unread(&error) => Ok(by_signal(signal)),
        (Err(failure), _) => Err(failure),
    }
}
