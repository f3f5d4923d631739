//! The one path of every run: from its first file to its exit code.

use super::detached::{self, Detaching};
use super::failure::{Failure, by_signal};
use super::files::WrittenFiles;
use super::observe::{Observation, ObserveOptions};
use super::say;
use crate::run::End;
use crate::run::journal::Subject;
use crate::signal;
use serde::Serialize;
use std::io;
use std::path::Path;

/// What is the same for every kind of run.
#[derive(Clone, Default, Debug)]
pub struct RunOptions {
    /// What observes it.
    pub observe: ObserveOptions,
    /// Whether it continues in a process of its own.
    pub detaching: Detaching,
    /// Whether its report is printed as one JSON object.
    pub json: bool,
}

/// A run with its files: what differs between a search, a race, a count and a map. The methods stand in the order in which
/// [`run`] calls them.
pub trait Job {
    /// What the work came to.
    type Done;
    /// What is printed of it.
    type Report: Serialize;

    /// The files that it writes beside those of its observers.
    fn written_files(&self) -> WrittenFiles;

    /// Refuses what cannot be done, such as a screen without a terminal, before any file is touched.
    ///
    /// # Errors
    /// [`Failure::Usage`] that says why.
    fn check(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// Refuses to continue in a process of its own.
    ///
    /// # Errors
    /// [`Failure::Usage`] that says why.
    fn check_detach(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// The subject, for its observers.
    fn subject(&self) -> Subject;

    /// Opens the files, and resumes what they hold. Returns the report of a run that has ended before.
    ///
    /// # Errors
    /// [`Failure`] when a file cannot be written or resumed.
    fn begin(&mut self) -> Result<Option<Self::Report>, Failure>;

    /// The file that the run is saved in.
    fn checkpoint(&self) -> Option<&Path> {
        None
    }

    /// Removes what [`Job::begin`] has begun, of a run that does not take place.
    fn withdraw(&mut self) {}

    /// Does the work, with a screen or without one, and shows it to the observers.
    ///
    /// # Errors
    /// [`Failure`] when the work could not be done or its view failed.
    fn attend(&mut self, observation: Observation) -> Result<Attended<Self::Done>, Failure>;

    /// The report of the work.
    ///
    /// # Errors
    /// [`Failure`] of work that failed: then nothing else is done, so what is to be saved is saved here.
    fn report(&mut self, ended: &mut Ended<Self::Done>) -> Result<Self::Report, Failure>;

    /// How the run ended, for its journal and its viewers.
    fn end(&self, done: &Self::Done) -> Option<End>;

    /// Saves how the run ended, and gives finished files their names.
    fn settle(&mut self, done: &Self::Done) -> Settled;

    /// Prints the report; `done` is `None` for a run that has ended before.
    ///
    /// # Errors
    /// When stdout or stderr is gone.
    fn print(&self, report: &Self::Report, done: Option<&Self::Done>, json: bool) -> Result<(), Failure>;

    /// Says and notes what follows the report, such as how to resume a run that is not complete.
    ///
    /// # Errors
    /// [`Failure`] when that cannot be said or noted.
    fn conclude(&mut self, _done: &Self::Done, _is_complete: bool) -> Result<(), Failure> {
        Ok(())
    }

    /// The exit code of a run that no signal has ended.
    fn exit_code(&self, _done: &Self::Done, _report: &Self::Report) -> u8 {
        0
    }
}

/// Work that has been attended to its end.
pub enum Attended<D> {
    /// It has ended here.
    Here(Box<Ended<D>>),
    /// It continues in another process, whose command has this exit code.
    Elsewhere(u8),
}

/// Work that has ended.
pub struct Ended<D> {
    /// What it came to.
    pub done: D,
    /// The signal that ended it, or its view.
    pub signal: Option<i32>,
    /// Why the view went away, if the user did not leave it.
    pub view_failed: Option<Failure>,
    /// What has observed it.
    pub observation: Observation,
}

impl<D> Attended<D> {
    /// Work without a screen.
    pub fn without_screen(done: D, signal: Option<i32>, observation: Observation) -> Attended<D> {
        Ended { done, signal, view_failed: None, observation }.here()
    }
}

impl<D> Attended<D> {
    /// The same with what `change` makes of what the work came to.
    ///
    /// # Errors
    /// Those of `change`.
    pub fn map<E>(self, change: impl FnOnce(D) -> Result<E, Failure>) -> Result<Attended<E>, Failure> {
        match self {
            Attended::Elsewhere(code) => Ok(Attended::Elsewhere(code)),
            Attended::Here(ended) => {
                let Ended { done, signal, view_failed, observation } = *ended;
                Ok(Ended { done: change(done)?, signal, view_failed, observation }.here())
            }
        }
    }
}

impl<D> Ended<D> {
    /// Work that has ended here.
    pub fn here(self) -> Attended<D> {
        Attended::Here(Box::new(self))
    }
}

/// How the files of a run were left.
pub struct Settled {
    /// Whether nothing is left to be done.
    pub is_complete: bool,
    /// What could not be written, of a run that is of no use without it.
    pub result: Result<(), Failure>,
    /// What is to be said of the files after the report.
    pub note: Option<String>,
}

impl Settled {
    /// Files that are as they are to be.
    pub fn well(is_complete: bool) -> Settled {
        Settled { is_complete, result: Ok(()), note: None }
    }
}

/// Takes a run from its first file to its end. Returns the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when the work, its view or its output failed.
pub fn run<J: Job>(mut job: J, options: &RunOptions) -> Result<u8, Failure> {
    let RunOptions { observe, detaching, json } = options;
    let traced = observe.traced.trace.as_deref();
    job.written_files().file("--record", observe.record.as_deref()).file("--trace", traced).check()?;
    job.check()?;
    if detaching.detach {
        job.check_detach()?;
        return detached::begin_typed(*json);
    }
    // The journal begins first: if that is refused, the checkpoint is as it was.
    let observation = Observation::begin(observe, || job.subject())?;
    if let Some(report) = job.begin()? {
        observation.say_nothing_ran()?;
        return job.print(&report, None, *json).map(|()| 0);
    }
    let hosted = detaching.host(&job.subject(), job.checkpoint()).inspect_err(|_| job.withdraw())?;
    match job.attend(observation.hosted(hosted))? {
        Attended::Elsewhere(code) => Ok(code),
        Attended::Here(ended) => finish(job, *ended, *json),
    }
}

/// Ends the observation, settles the files, prints the report and says what follows it; all of that, whatever of it fails.
fn finish<J: Job>(mut job: J, mut ended: Ended<J::Done>, json: bool) -> Result<u8, Failure> {
    let signal = ended.signal;
    let report = match job.report(&mut ended) {
        Ok(report) => report,
        Err(failure) => return exit_code(Err(failure), signal),
    };
    let Ended { done, observation, view_failed, .. } = ended;
    let end = job.end(&done);
    let (observation, hosted) = observation.split_hosted();
    let recorded = observation.end(end.clone(), Some(&report));
    let Settled { is_complete, result, note } = job.settle(&done);
    let said = job
        .print(&report, Some(&done), json)
        .and_then(|()| note.map_or(Ok(()), |note| Ok(say::say(note)?)))
        .and_then(|()| job.conclude(&done, is_complete));
    // Viewers learn the end when all is where it is to be.
    if let Some(hosted) = hosted {
        hosted.end(end, &report);
    }
    let all = said.and(result).and(recorded).and(view_failed.map_or(Ok(()), Err));
    match exit_code(all, signal)? {
        0 => Ok(job.exit_code(&done, &report)),
        code => Ok(code),
    }
}

/// The exit code of work that a signal may have ended; then the code says so, even if the output was not read.
///
/// # Errors
/// Those of the work.
pub fn exit_code(end: Result<(), Failure>, signal: Option<i32>) -> Result<u8, Failure> {
    match (end, signal) {
        (Ok(()), None) => Ok(0),
        (Ok(()), Some(signal)) => Ok(by_signal(signal)),
        (Err(Failure::Io(error)), Some(signal)) if is_unread(&error) => Ok(by_signal(signal)),
        (Err(failure), _) => Err(failure),
    }
}

/// Whether an error means that the output is not read any more: the pipe is closed, or the terminal has gone.
pub fn is_unread(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe || signal::is_hangup(error)
}
