//! `destrier count`: the exact number of tours, without listing them.

mod args;
pub mod memory;
pub mod plan;
mod progress;
mod report;
#[cfg(feature = "tui")]
mod watch;

pub use args::CountArgs;

use super::say::{print, print_failed, print_object, say};
use super::{headless, search};
use crate::cli::failure::{Failure, running, usage};
use crate::cli::record::Recording;
use crate::count::{Answer, CountError, Most, Place, Plan, Question, Settings, Watch};
use crate::run::{self, Counting};
use memory::Peak;
use plan::PlanReport;
use report::{End, Report};
use std::io::{self, Write};
use std::path::Path;
#[cfg(feature = "tui")]
use watch::run as watched;

/// Counts, or plans, and prints what came of it; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, when the count does not fit, or when it or its files failed.
pub fn run(args: &CountArgs) -> Result<u8, Failure> {
    let (question, settings) = (args.question()?, args.settings()?);
    let watch = Watch::new(settings.threads);
    if args.plan {
        return plan(&question, &settings, &watch, args.json);
    }
    if args.watch || args.records() {
        // Said before the screen is taken, or a journal begun.
        Plan::can_be_made(&question, settings.memory).map_err(|error| usage(in_words(&error, &settings)))?;
    }
    let recording = args.recording(question, settings.threads)?;
    let recorder = recording.recorder();
    let alone = || Plan::new(&question, settings.memory, &watch)?.run(&settings, &watch);
    let count = || match recorder.as_ref().filter(|_| !args.watch) {
        Some(recorder) => recorder.beside(|| Counting::frame(&watch), alone),
        None => alone(),
    };
    let (answered, signal, view_failed) = if args.watch {
        watched(&question, (settings.threads, recorder.clone()), &watch, count)?
    } else {
        let (answered, signal) = headless::heeding(|| watch.stop(), || progress::line(&watch.snapshot()), count)?;
        (answered, signal, None)
    };
    let stopped = match (&view_failed, signal) {
        (Some(_), _) => "view",
        (None, Some(_)) => "signal",
        (None, None) => "request",
    };
    let last = watch.snapshot();
    let peak_bytes = Peak::of_process().bytes();
    let end = End { question: &question, settings: &settings, last: &last, peak_bytes, stopped };
    // What has been counted is not lost with the screen.
    let printed = finish(&end, answered, args.json, recording);
    search::exit_code(printed.and(view_failed.map_or(Ok(()), Err)), signal)
}

#[cfg(not(feature = "tui"))]
fn watched(
    _: &Question,
    _: (usize, super::record::Tap),
    _: &Watch,
    _: impl FnOnce() -> Result<Answer, CountError>,
) -> Result<report::Ended, Failure> {
    Err(usage("this destrier was built without its screens (feature tui): leave out --watch"))
}

/// Prints what the count would take.
fn plan(question: &Question, settings: &Settings, watch: &Watch, json: bool) -> Result<u8, Failure> {
    let body = || PlanReport::new(&Plan::new(question, settings.given(), watch)?, settings, watch);
    let (planned, signal) = headless::heeding(|| watch.stop(), || progress::line(&watch.snapshot()), body)?;
    let end = match planned {
        Ok(report) => Ok(print(&report, json, false)?),
        Err(CountError::Stopped) => {
            let board = question.board.to_string();
            Ok(match json {
                true => print_object(&serde_json::json!({ "board": board, "complete": false, "stopped": "signal" })),
                false => writeln!(io::stdout(), "{board}: NOT planned: stopped by signal"),
            }?)
        }
        Err(error) => failed(question, settings, &error, json),
    };
    search::exit_code(end, signal)
}

/// Prints the report of a count that has ended.
fn finish(
    end: &End<'_>,
    answered: Result<Answer, CountError>,
    json: bool,
    recording: Recording,
) -> Result<(), Failure> {
    let answer = match answered {
        Ok(answer) => Some(answer),
        Err(CountError::Stopped) => None,
        Err(error) => return failed(end.question, end.settings, &error, json),
    };
    let report = Report::new(end, answer.as_ref());
    let answered = answer.as_ref().and_then(|answer| report::answered(end.question, answer));
    let recorded = recording.end(answered.map(run::End::Count), Some(&report));
    print(&report, json, false)?;
    if let Some(unsaved) = answer.as_ref().and_then(|answer| answer.unsaved.as_ref()) {
        say(format_args!("--checkpoint {unsaved}; the count went on"))?;
    }
    if answer.as_ref().is_none_or(|answer| answer.count.is_none()) {
        let saved = answer.and_then(|answer| answer.saved);
        say(how_to_go_on(end.settings.checkpoint.as_deref(), saved))?;
    }
    recorded
}

/// What somebody can do who stopped a count and wants it all the same.
fn how_to_go_on(checkpoint: Option<&Path>, saved: Option<Place>) -> String {
    let Some(file) = checkpoint else {
        return "nothing was kept; with --checkpoint FILE a stopped count goes on at its last finished row".to_owned();
    };
    let file = file.display();
    match saved {
        Some(place) => format!("{file} holds {place}: the same command goes on there"),
        None if checkpoint.is_some_and(Path::exists) => format!("the same command goes on from {file}"),
        None => format!("no row was finished: {file} was not written"),
    }
}

/// The failure that an error means; whoever reads objects gets one that says it, unless the usage was wrong.
fn failed(question: &Question, settings: &Settings, error: &CountError, json: bool) -> Result<(), Failure> {
    if error.is_usage() {
        return Err(usage(in_words(error, settings)));
    }
    if json {
        print_failed(question.board, error)?;
    }
    Err(running(error))
}

/// The error, and what can be done about one that the settings are to blame for.
fn in_words(error: &CountError, settings: &Settings) -> String {
    match error {
        CountError::PlanTooLarge { bytes, .. } => format!("{error}: {}", Most::or_memory(settings.most, *bytes)),
        error => error.to_string(),
    }
}
