//! `destrier count`: the exact number of tours, without listing them, or an estimate of it.

mod args;
mod estimate;
pub mod memory;
pub mod merge;
mod part;
pub mod plan;
pub mod progress;
mod range;
mod report;
mod starts;
mod symmetry;
#[cfg(feature = "tui")]
mod watch;

pub use args::{CountArgs, settings};

use super::resume::ResumeArgs;
use super::say::{print, print_failed, print_object, say, shell_word};
use super::{headless, runs, search};
use crate::board::Ending;
use crate::cli::failure::{Failure, running, usage};
use crate::cli::record::Recording;
use crate::count::estimate::Estimator;
use crate::count::{
    CountAnswer, CountError, CountPlan, CountPosition, CountQuestion, CountWatch, MemoryCeiling, SavedCount, Settings,
};
use crate::run::journal::{CountSubject, Subject};
use crate::run::{self, CountSource};
use memory::Peak;
use part::CountPart;
use plan::PlanReport;
use report::{CountReport, CountRunEnd};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
#[cfg(feature = "tui")]
use watch::run as watched;

/// A count that is to be run.
struct CountJob<'a> {
    question: CountQuestion,
    settings: Settings,
    /// The part that it makes, if it is one.
    part: Option<&'a CountPart>,
    /// Whether it is to be seen.
    watch: bool,
    json: bool,
}

/// Counts, or plans, and prints what came of it; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, when the count does not fit, or when it or its files failed.
pub fn run(args: &CountArgs) -> Result<u8, Failure> {
    if let Some(strip) = args.strip()? {
        return range::run(args, strip);
    }
    if let Some(estimated) = args.estimated() {
        return estimated;
    }
    let (question, mut settings) = (args.question()?, args.settings()?);
    if let Some(which) = args.symmetry {
        return symmetry::run(which, args, &question, &settings);
    }
    if args.per_start {
        return starts::run(args, &question, &settings);
    }
    if args.plan {
        return plan(&question, &settings, &CountWatch::new(settings.threads), args.json);
    }
    let part = args.part(&question);
    args.check_files(part.as_ref())?;
    if args.detach.detach {
        if args.watch {
            return Err(usage("--detach goes on without a screen: leave out --watch, and see it by destrier attach"));
        }
        return runs::typed(args.json);
    }
    let kept = match (&part, &settings.checkpoint) {
        (Some(part), _) => part.begin()?,
        (None, Some(file)) => SavedCount::find(file, &question, settings.modulus).map_err(usage)?,
        (None, None) => None,
    };
    if let Some(part) = &part {
        settings.checkpoint = Some(part.checkpoint());
    }
    let job = CountJob { question, settings, part: part.as_ref(), watch: args.watch, json: args.json };
    if args.records() && kept.as_ref().is_some_and(|kept| kept.finished.is_some()) {
        say("--record: nothing is left to count, and so nothing to record")?;
    }
    let file = job.settings.checkpoint.as_deref();
    job.go(kept.as_ref(), || {
        let recording = args.recording(question, job.settings.threads)?;
        Ok(recording.hosted(args.detach.host(&counted(question, job.settings.threads), file)?))
    })
}

/// Goes on with the count in a file; answers the exit code.
///
/// # Errors
/// As [`run()`].
pub fn resume(args: &ResumeArgs) -> Result<u8, Failure> {
    args.refuse_for_count()?;
    let kept = SavedCount::read(&args.file).map_err(usage)?;
    if kept.question.strip.is_some() {
        return range::resume(args, &kept);
    }
    let job = CountJob {
        question: kept.question,
        settings: args::of_kept(args, &kept)?,
        part: None,
        watch: args.watch,
        json: args.json,
    };
    job.go(Some(&kept), || {
        let subject = counted(kept.question, job.settings.threads);
        Ok(Recording::default().hosted(args.detach.host(&subject, Some(&args.file))?))
    })
}

/// Refuses to leave the count of a range in a file to a run of its own.
///
/// # Errors
/// [`Failure::Usage`] when the file holds such a count.
pub fn check_detach(args: &ResumeArgs) -> Result<(), Failure> {
    match SavedCount::read(&args.file) {
        Ok(saved) if saved.question.strip.is_some() => Err(range::has_none("--detach", args)),
        _ => Ok(()),
    }
}

/// What whoever looks on is told that it is.
fn counted(question: CountQuestion, threads: usize) -> Subject {
    Subject::Count(CountSubject { question, threads })
}

impl CountJob<'_> {
    /// Counts, from what was kept on if something was, and prints what came of it.
    fn go(
        &self,
        kept: Option<&SavedCount>,
        recording: impl FnOnce() -> Result<Recording, Failure>,
    ) -> Result<u8, Failure> {
        let CountJob { question, watch: watched_too, .. } = self;
        let mut settings = self.settings.clone();
        if let Some(finished) = kept.and_then(|kept| kept.finished.as_ref()) {
            print(&CountReport::again(question, self.settings.modulus, finished), self.json, false)?;
            return Ok(0);
        }
        let watch = CountWatch::new(settings.threads);
        watch.set_earlier_time(kept.map_or(Duration::ZERO, |kept| kept.elapsed));
        // Said before the screen is taken, or a journal begun.
        CountPlan::check_plannable(question, settings.memory)
            .map_err(|error| usage(in_words(question, &error, &self.settings)))?;
        // A run whose checkpoint another run holds is refused before it is listed or recorded.
        let new_file = claim(&mut settings, |file, settings| SavedCount::create(file, question, settings))?;
        let recording = recording().inspect_err(|_| remove(new_file.as_deref()))?;
        let settings = &settings;
        let witnesses = recording.witnesses();
        let alone = || CountPlan::new(question, settings.memory, &watch)?.run(settings, &watch);
        // How it ends is known when it has been reported.
        let (_open, never) = crossbeam_channel::bounded(1);
        let count = || match witnesses.are_some() && !watched_too {
            true => witnesses.beside(CountSource::new(&watch, never), alone),
            false => alone(),
        };
        let (answered, signal, view_failed) = if *watched_too {
            watched(question, (settings.threads, recording.recorder()), &watch, count)?
        } else {
            let (answered, signal) = headless::heeding(|| watch.stop(), || progress::line(&watch.snapshot()), count)?;
            (answered, signal, None)
        };
        let stopped = match (&view_failed, signal) {
            (Some(_), _) => "view",
            (None, Some(_)) => "signal",
            (None, None) => "request",
        };
        withdraw(new_file, &answered);
        let last = watch.snapshot();
        let peak_bytes = Peak::of_process().bytes();
        let end = CountRunEnd { question, settings, last: &last, peak_bytes, stopped };
        // What has been counted is not lost with the screen.
        let printed = self.finish(&end, answered, recording);
        let settled = printed.and(view_failed.map_or(Ok(()), Err));
        search::exit_code(settled, signal)
    }
}

/// Claims the file of a count, and begins it if it is not there, before anything that takes long; answers the file if it
/// was begun here: nothing is lost with it.
///
/// # Errors
/// [`Failure::Usage`] when another run writes it, or there can be no such file. What a disk refuses is said at the end.
fn claim(
    settings: &mut Settings,
    begin: impl FnOnce(&Path, &Settings) -> Result<(), CountError>,
) -> Result<Option<PathBuf>, Failure> {
    settings.claim().map_err(usage)?;
    let (Some(file), Some(place)) = (&settings.checkpoint, &settings.claimed_file) else { return Ok(None) };
    let is_new = place.is_free();
    match begin(file, settings) {
        Err(error) if error.is_usage() => Err(usage(error)),
        _ => Ok(is_new.then(|| file.clone())),
    }
}

/// Removes a file that was begun here, of a count that is refused after all.
fn withdraw<T>(new_file: Option<PathBuf>, answered: &Result<T, CountError>) {
    if answered.as_ref().is_err_and(|error| error.is_usage()) {
        remove(new_file.as_deref());
    }
}

/// Removes the file of a count that has not begun.
fn remove(new_file: Option<&Path>) {
    // It may not have been written.
    let _ = new_file.map(fs::remove_file);
}

#[cfg(not(feature = "tui"))]
fn watched(
    _: &CountQuestion,
    _: (usize, super::record::Tap),
    _: &CountWatch,
    _: impl FnOnce() -> Result<CountAnswer, CountError>,
) -> Result<report::CountExit, Failure> {
    Err(usage("this destrier was built without its screens (feature tui): leave out --watch"))
}

/// Prints what the count would take.
fn plan(question: &CountQuestion, settings: &Settings, watch: &CountWatch, json: bool) -> Result<u8, Failure> {
    let body = || PlanReport::new(&CountPlan::new(question, settings.usable_memory(), watch)?, settings, watch);
    planned(&question.name(), watch, json, body, |error| failed(question, settings, &error, json))
}

/// Prints what `body` finds that the count of a board, or a range of boards, would take.
fn planned(
    name: &str,
    watch: &CountWatch,
    json: bool,
    body: impl FnOnce() -> Result<PlanReport, CountError>,
    failed: impl FnOnce(CountError) -> Result<(), Failure>,
) -> Result<u8, Failure> {
    let (planned, signal) = headless::heeding(|| watch.stop(), || progress::line(&watch.snapshot()), body)?;
    let end = match planned {
        Ok(report) => Ok(print(&report, json, false)?),
        Err(CountError::Stopped) => Ok(match json {
            true => print_object(&serde_json::json!({ "board": name, "complete": false, "stopped": "signal" })),
            false => writeln!(io::stdout(), "{name}: NOT planned: stopped by signal"),
        }?),
        Err(error) => failed(error),
    };
    search::exit_code(end, signal)
}

impl CountJob<'_> {
    /// Prints the report of a count that has ended.
    fn finish(
        &self,
        end: &CountRunEnd<'_>,
        answered: Result<CountAnswer, CountError>,
        recording: Recording,
    ) -> Result<(), Failure> {
        let answer = match answered {
            Ok(answer) => Some(answer),
            Err(CountError::Stopped) => None,
            Err(error) => return failed(end.question, end.settings, &error, self.json),
        };
        let report = CountReport::new(end, answer.as_ref());
        let answered = answer.as_ref().and_then(|answer| report::answered(end.question, answer));
        let is_done = answered.is_some();
        let ended = answered.map(run::End::Count);
        let (recording, hosted) = recording.apart();
        let recorded = recording.end(ended.clone(), Some(&report));
        // It is there before anybody is told that it is.
        let kept = self.keep(is_done, answer.as_ref(), end.settings);
        print(&report, self.json, false)?;
        let unsaved = kept?;
        if let Some(unsaved) = &unsaved {
            let then = if is_done { "; the count went on" } else { "" };
            say(format_args!("--checkpoint {unsaved}{then}"))?;
        }
        if !is_done {
            say(self.how_to_go_on(answer.and_then(|answer| answer.saved_position)))?;
        }
        if let Some(hosted) = hosted {
            hosted.end(ended, &report);
        }
        recorded
    }

    /// Leaves the files as they are to be found; answers what could not be kept of a count that is not lost for that.
    fn keep(
        &self,
        is_done: bool,
        answer: Option<&CountAnswer>,
        settings: &Settings,
    ) -> Result<Option<String>, Failure> {
        let unsaved = answer.and_then(|answer| answer.save_error.clone());
        match (self.part, &settings.checkpoint) {
            (Some(_), _) if is_done && unsaved.is_some() => {
                Err(running(format!("--out-dir {}", unsaved.unwrap_or_default())))
            }
            (Some(part), _) if is_done => part.settle().map(|()| None),
            // It was stopped before it could plan.
            (_, Some(file)) if answer.is_none() => {
                Ok(SavedCount::create(file, &self.question, settings).err().map(|error| error.to_string()))
            }
            _ => Ok(unsaved),
        }
    }

    /// What somebody can do who stopped a count and wants it all the same.
    fn how_to_go_on(&self, saved: Option<CountPosition>) -> String {
        let command = |file: &Path| self.part.map_or_else(|| resume_command(file), CountPart::command);
        how_to_resume(self.settings.checkpoint.as_deref(), saved, command)
    }
}

/// What to type to resume the count in a file.
fn resume_command(file: &Path) -> String {
    format!("destrier resume {}", shell_word(file))
}

/// What a stopped count has saved in its file, and how to resume it.
fn how_to_resume(file: Option<&Path>, saved: Option<CountPosition>, command: impl FnOnce(&Path) -> String) -> String {
    let Some(file) = file else {
        return "nothing was kept; with --checkpoint FILE a stopped count goes on where it was".to_owned();
    };
    let (name, command) = (file.display(), command(file));
    match saved {
        _ if !file.exists() => format!("{name} could not be written: nothing was kept"),
        Some(place) => format!("{name} holds {place}; to go on: {command}"),
        None => format!("nothing is counted yet; to go on: {command}"),
    }
}

/// The failure that an error means; whoever reads objects gets one that says it, unless the usage was wrong.
fn failed(question: &CountQuestion, settings: &Settings, error: &CountError, json: bool) -> Result<(), Failure> {
    ended_by(question.name(), error, json, || in_words(question, error, settings))
}

/// The failure that an error means, on a board or a range of boards; `in_words` says what can be done about bad usage.
fn ended_by(
    board: impl std::fmt::Display,
    error: &CountError,
    json: bool,
    in_words: impl FnOnce() -> String,
) -> Result<(), Failure> {
    if error.is_usage() {
        return Err(usage(in_words()));
    }
    if json {
        print_failed(board, error)?;
    }
    Err(running(error))
}

/// The error, and what can be done about one that the settings are to blame for, or the board.
fn in_words(question: &CountQuestion, error: &CountError, settings: &Settings) -> String {
    let said = with_memory(error, settings);
    let is_too_large =
        matches!(error, CountError::TooWide { .. } | CountError::PlanTooLarge { .. } | CountError::Refused(_));
    match question {
        &CountQuestion { board, strip: None, ending, start: None, unique: false, strict: false }
            if is_too_large && settings.modulus.is_none() && Estimator::accepts(board) =>
        {
            let open = if ending == Ending::Open { " --open" } else { "" };
            format!("{said}\nAbout how many there are, in seconds: destrier count {board}{open} --estimate")
        }
        _ => said,
    }
}

/// The error, and how much memory a plan wants that is too large.
fn with_memory(error: &CountError, settings: &Settings) -> String {
    match error {
        CountError::PlanTooLarge { bytes, .. } => {
            format!("{error}: {}", MemoryCeiling::advice(settings.ceiling, *bytes))
        }
        error => error.to_string(),
    }
}
