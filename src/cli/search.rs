//! `destrier search`: every tour of a board, without a screen.

use super::args::SearchArgs;
use super::files::WrittenFiles;
use super::halt::Halt;
use super::keep::{self, Begun, Files};
use super::output::Destination;
use super::record::Recording;
use super::report::SearchReport;
use super::runs::DetachArgs;
use super::say::{print, print_failed};
use super::{adapter, headless, progress, runs, shard};
use crate::cli::failure::{Failure, by_signal, running, usage};
use crate::run::journal::Subject;
use crate::run::{Checkpoint, End, Plan, RunDone, SearchEnded};
use crate::schedule::{Crew, CrewPlan, HEAD_START, Levels, RunError, RunOutcome};
use crate::signal;
use crate::solve::{self, Problem, TourOutput};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

/// Searches and prints the summary; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when the search or its output failed.
pub fn run(args: &SearchArgs) -> Result<u8, Failure> {
    let plan = args.options.plan(args.board)?;
    let part = args.part.wanted();
    args.options.check_files(part.map_or_else(WrittenFiles::default, shard::files))?;
    if args.detach.detach {
        keep::refuse_stdout(&args.options)?;
        return runs::typed(args.options.json);
    }
    if let Some(part) = part {
        return shard::run(args, plan, part);
    }
    let mut options = args.options.clone();
    if options.keep.checkpoint.is_none() && keep::refuse_devices(&plan, "--detach").is_ok() {
        options.keep.checkpoint = args.detach.checkpoint()?;
    }
    // A file that cannot be begun leaves nothing behind of one that is to be gone on with.
    let recording = options.recording(&plan)?;
    let begun = keep::begin(&plan, &options)?;
    let recording = hosted(recording, &begun, &args.detach, &plan, options.keep.checkpoint.as_deref())?;
    go(&plan, begun, recording, options.json)
}

/// Lets a run that has begun be looked at from elsewhere, if it is to be.
///
/// # Errors
/// [`Failure`] when there can be no socket.
pub fn hosted(
    recording: Recording,
    begun: &Begun,
    detach: &DetachArgs,
    plan: &Plan,
    checkpoint: Option<&Path>,
) -> Result<Recording, Failure> {
    match begun {
        Begun::Ended(_) => Ok(recording),
        Begun::Going(..) => Ok(recording.hosted(detach.host(&Subject::Run(plan.clone()), checkpoint)?)),
    }
}

/// Runs what has begun, without a screen, and prints its report; answers the exit code.
///
/// # Errors
/// [`Failure`] when the search or its output failed.
pub fn go(plan: &Plan, begun: Begun, recording: Recording, json: bool) -> Result<u8, Failure> {
    let (output, format, mut keeping) = match begun {
        Begun::Ended(checkpoint) => {
            recording.say_nothing_ran()?;
            return print_ended(&checkpoint, json);
        }
        Begun::Going(output, format, keeping) => (output, format, keeping),
    };
    // Whoever takes it up may want the figures by depth.
    let exact = (json || keeping.is_kept()) && plan.question.levels() == Levels::Exact;
    let levels = match exact {
        true => Levels::Exact,
        // A client sees what a live view shows.
        false if recording.is_hosted() => plan.question.levels(),
        // A replay shows the shape: to count every node would cost some kernels a tenth of their speed.
        false if recording.is_recorded() => Levels::Sampled,
        false => Levels::Off,
    };
    // Somebody who watches the progress line wants to know at once how long it will take.
    let head_start = if io::stderr().is_terminal() { HEAD_START } else { Duration::ZERO };
    let crew = CrewPlan { estimate: Some(head_start), ..plan.crew(levels) };
    let halt = Halt::seen_by(recording.witnesses());
    let begin = (crew, keeping.goes(true)?);
    let body = || halt.answer(0, plan, begin, output.for_workers(format, plan.question.board()), &|_, _| {});
    let (done, signal) = headless::attended(&halt, || halt.progress(progress::search), body)?;
    // A signal that came when the last branch was done has ended nothing.
    let is_complete = done.as_ref().is_ok_and(|done| done.outcome.stopped.is_none());
    let signal = signal.filter(|_| !is_complete);
    exit_code(finish(plan, done, Files { output, recording, keeping }, json, signal), signal)
}

/// Prints the report of a run that has ended before; answers the exit code.
///
/// # Errors
/// [`Failure`] when its tours cannot get their name, or nothing can be printed.
pub fn print_ended(checkpoint: &Checkpoint, json: bool) -> Result<u8, Failure> {
    keep::settle(checkpoint)?;
    print(&SearchReport::new(&checkpoint.plan, &checkpoint.so_far), json, false)?;
    Ok(0)
}

/// Searches by the name of a solver, for nobody but who wants the figures, or the tours.
///
/// # Errors
/// [`Failure`] when no solver has the name, it does not take the problem, or the run fails.
pub fn solve(solver: &str, problem: &Problem, crew: Crew, output: TourOutput) -> Result<RunOutcome, Failure> {
    let solver = solve::solver_by_name(solver).ok_or_else(|| running(format!("no solver is called {solver}")))?;
    solver.admits(problem).map_err(running)?;
    solver.solve(problem, crew, output).map_err(running)
}

/// Keeps the tours and prints the report of a run that has ended.
///
/// # Errors
/// [`Failure`] when the run or its output failed; tours written until a worker failed are kept.
pub fn finish(
    plan: &Plan,
    done: Result<RunDone, RunError>,
    Files { output, recording, mut keeping }: Files,
    json: bool,
    signal: Option<i32>,
) -> Result<(), Failure> {
    let stdout_taken = matches!(output, Destination::Stdout(_));
    let wrong = done.as_ref().ok().and_then(|done| plan.contradiction(&done.outcome));
    if let Some(why) = wrong {
        return refuse_number(plan, &why, output, keeping.is_resumed(), json);
    }
    match done {
        Ok(mut done) => {
            done.outcome.stopped = done.outcome.stopped.map(|reason| reason.with_signal(signal.is_some()));
            let report = SearchReport::new(plan, &done.outcome).balanced(recording.balance());
            // Whatever becomes of the tours and of whoever reads the report.
            let ended = Some(End::Run(SearchEnded::of(&done, plan.question.board())));
            let (recording, hosted) = recording.apart();
            let recorded = recording.end(ended.clone(), Some(&report));
            let kept = keeping.end(&done.outcome);
            // A run that is kept goes on with its tours.
            let named = match kept {
                Ok(true) => output.keep(),
                _ => {
                    drop(output);
                    Ok(())
                }
            };
            adapter::tell(done.outcome.lanes.as_ref().and_then(|lanes| lanes.why.as_deref()))?;
            print(&report, json, stdout_taken)?;
            if !matches!(kept, Ok(true)) {
                keeping.say_how_to_go_on()?;
            }
            if let Some(hosted) = hosted {
                hosted.end(ended, &report);
            }
            kept?;
            named?;
            recorded
        }
        Err(RunError::Parts(fault)) => Err(usage(format!("what is to be taken up cannot be: {fault}"))),
        Err(RunError::Write(error)) if stdout_taken && is_unread(&error) => Err(Failure::Io(error)),
        Err(error) => {
            let file = if matches!(error, RunError::Write(_)) { output.shown() } else { String::new() };
            let kept = match &error {
                _ if keeping.is_kept() => {
                    keeping.say_how_to_go_on()?;
                    None
                }
                RunError::Write(_) => output.keep_part(),
                _ => output.keep().map(|()| None)?,
            };
            if json {
                print_failed(plan.question.board(), &error)?;
            }
            let place =
                kept.map_or(String::new(), |path| format!("; what was written until then is in {}", path.display()));
            Err(running(format!("{file}{error}{place}")))
        }
    }
}

/// Ends a run whose number of tours contradicts a known one. No report says the number, no checkpoint says that the run has
/// ended, and the output file does not get its name. Only a resumed run can have the wrong number from its checkpoint.
fn refuse_number(plan: &Plan, why: &str, output: Destination, is_resumed: bool, json: bool) -> Result<(), Failure> {
    if json {
        print_failed(plan.question.board(), &why)?;
    }
    let part = output.keep_part();
    let part = part.map_or(String::new(), |path| format!("; the tours that were written are in {}", path.display()));
    let cause = if is_resumed { "; the checkpoint was changed: remove it to begin again" } else { "" };
    Err(running(format!("{why}{cause}{part}")))
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
