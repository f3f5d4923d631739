//! The one path of every run: from its first file to its exit code.

use super::detached::{self, Detaching, HostedRun};
use super::fault::{Answer, Failure};
use super::files::WrittenFiles;
use super::lines::{LinesObserver, LinesOptions};
use super::observe::{Observation, ObserveOptions};
use super::report::Report;
use super::say;
use crate::run::End;
use crate::run::journal::Subject;
use crate::signal;
use std::io;
use std::path::Path;

/// What is the same for every kind of run.
#[derive(Clone, Default, Debug)]
pub struct RunOptions {
    /// What observes it.
    pub observe: ObserveOptions,
    /// Whether its observers replace existing files.
    pub force: bool,
    /// Whether it continues in a process of its own.
    pub detaching: Detaching,
    /// Whether its report is printed as one JSON object.
    pub json: bool,
    /// Whether it is told in lines.
    pub lines: LinesOptions,
}

/// A run with its files: what differs between a search, a race, a count and a map. The methods stand in the order in which
/// [`run()`] calls them.
pub trait Job {
    /// What the attended work yields, an error of the work included.
    type Work;
    /// What came of work without an error.
    type Done;

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
    fn begin(&mut self) -> Result<Option<Report>, Failure>;

    /// The file that the run is saved in.
    fn checkpoint(&self) -> Option<&Path> {
        None
    }

    /// Whether that file was there before.
    fn is_resumed(&self) -> bool {
        false
    }

    /// Removes what [`Job::begin`] has begun, of a run that does not take place.
    fn withdraw(&mut self) {}

    /// Does the work, with a screen or without one, and shows it to the observers. An error here ends the run at once: its
    /// journal has no end then.
    ///
    /// # Errors
    /// [`Failure`] when the work could not begin or its view failed.
    fn attend(&mut self, observation: Observation) -> Result<AttendedWork<Self::Work>, Failure>;

    /// What came of the work, and its report; `signal` is the signal that ended it.
    ///
    /// # Errors
    /// [`Failure`] of work that failed: then nothing else is done, so what is to be saved is saved here.
    fn report(&mut self, work: Self::Work, signal: Option<i32>, observation: &Observation) -> Reported<Self::Done>;

    /// How the run ended, for its journal and its viewers.
    fn end(&self, done: &Self::Done) -> Option<End>;

    /// Saves how the run ended, and gives finished files their names.
    fn settle(&mut self, done: &Self::Done) -> SettledFiles;

    /// Prints the report; `done` is `None` for a run that has ended before.
    ///
    /// # Errors
    /// When stdout or stderr is gone.
    fn print(&self, report: &Report, done: Option<&Self::Done>) -> Result<(), Failure>;

    /// Says and notes what follows the report, such as how to resume a run that is not complete.
    ///
    /// # Errors
    /// [`Failure`] when that cannot be said or noted.
    fn conclude(&mut self, _done: &Self::Done, _is_complete: bool) -> Result<(), Failure> {
        Ok(())
    }

    /// What a run came to that no signal has ended.
    fn answer(&self, _done: &Self::Done) -> Answer {
        Answer::Yes
    }
}

/// What came of work, and its report.
pub type Reported<D> = Result<(D, Report), Failure>;

/// Work that has been attended to its end.
pub enum AttendedWork<W> {
    /// It has ended here.
    Here(Box<FinishedWork<W>>),
    /// It continues in another process, whose command came to this.
    Elsewhere(Answer),
}

/// Work that has ended.
pub struct FinishedWork<W> {
    /// What it yields.
    pub work: W,
    /// The signal that ended it, or its view.
    pub signal: Option<i32>,
    /// Why the view went away, if the user did not leave it.
    pub view_failed: Option<Failure>,
    /// What has observed it.
    pub observation: Observation,
}

impl<W> AttendedWork<W> {
    pub fn without_screen(work: W, signal: Option<i32>, observation: Observation) -> AttendedWork<W> {
        FinishedWork { work, signal, view_failed: None, observation }.here()
    }
}

impl<W> FinishedWork<W> {
    /// Work that has ended here.
    pub fn here(self) -> AttendedWork<W> {
        AttendedWork::Here(Box::new(self))
    }
}

/// How the files of a run were left.
pub struct SettledFiles {
    /// Whether nothing is left to be done.
    pub is_complete: bool,
    /// What could not be written, of a run that is of no use without it.
    pub result: Result<(), Failure>,
    /// What is to be said of the files after the report.
    pub note: Option<String>,
}

impl SettledFiles {
    pub fn well(is_complete: bool) -> SettledFiles {
        SettledFiles { is_complete, result: Ok(()), note: None }
    }
}

/// Takes a run from its first file to its end.
///
/// # Errors
/// [`Failure`] on bad input, or when the work, its view or its output failed.
pub fn run<J: Job>(mut job: J, options: &RunOptions) -> Result<Answer, Failure> {
    let RunOptions { observe, force, detaching, json, lines } = options;
    let traced = observe.traced.trace.as_deref();
    job.written_files()
        .file("--record", observe.record.as_deref())
        .file("--trace", traced)
        .file("--metrics", observe.metrics.metrics.as_deref())
        .check()?;
    job.check()?;
    if detaching.detach {
        job.check_detach()?;
        return detached::begin_typed(*json);
    }
    if let Some(report) = job.begin()? {
        observe.say_nothing_ran()?;
        return job.print(&report, None).map(|()| Answer::Yes);
    }
    let subject = job.subject();
    let observed = Observation::begin(observe, *force, &subject).and_then(|mut observation| {
        observation.lines = lines.observer(&subject);
        observation.hosted = detaching.host(&subject, job.checkpoint(), job.is_resumed())?;
        let history = observation.hosted.as_ref().map(HostedRun::history);
        observation.history = history.map(|file| LinesObserver::of_history(&subject, file));
        Ok(observation)
    });
    let observation = observed.inspect_err(|_| job.withdraw())?;
    match job.attend(observation)? {
        AttendedWork::Elsewhere(answer) => Ok(answer),
        AttendedWork::Here(ended) => finish(job, *ended),
    }
}

/// Ends the observation, settles the files, prints the report and says what follows it. A failure of one step leaves out no
/// other one, but for the report of a run whose output is not read any more.
fn finish<J: Job>(mut job: J, ended: FinishedWork<J::Work>) -> Result<Answer, Failure> {
    let FinishedWork { work, signal, view_failed, mut observation } = ended;
    let (done, report) = match job.report(work, signal, &observation) {
        Ok(reported) => reported,
        Err(failure) => return answered(Err(failure), signal),
    };
    let end = job.end(&done);
    let hosted = observation.hosted.take();
    let recorded = observation.end(end.clone(), Some(&report));
    let SettledFiles { is_complete, result, note } = job.settle(&done);
    let is_read = !matches!(&result, Err(Failure::Io(_, error)) if is_unread(error));
    let printed = if is_read { job.print(&report, Some(&done)) } else { Ok(()) };
    let noted = note.map_or(Ok(()), say::say);
    let concluded = job.conclude(&done, is_complete);
    let answer = job.answer(&done);
    // Viewers learn the end when all is where it is to be, and the files are free: a run whose end is noted may be forgotten or
    // resumed by another process.
    drop((job, done));
    if let Some(hosted) = hosted {
        hosted.end(end, &report);
    }
    let view = view_failed.map_or(Ok(()), Err);
    let all = printed.and(noted).and(concluded).and(result).and(recorded).and(view);
    Ok(match answered(all, signal)? {
        Answer::Yes => answer,
        by_signal => by_signal,
    })
}

/// What work came to that a signal may have ended; then the answer says so, even if the output was not read.
///
/// # Errors
/// Those of the work.
pub fn answered(end: Result<(), Failure>, signal: Option<i32>) -> Result<Answer, Failure> {
    match (end, signal) {
        (Ok(()), signal) => Ok(Answer::Yes.or_signal(signal)),
        (Err(Failure::Io(_, error)), Some(signal)) if is_unread(&error) => Ok(Answer::Signal(signal)),
        (Err(failure), _) => Err(failure),
    }
}

/// Whether an error means that the output is not read any more: the pipe is closed, or the terminal has gone.
pub fn is_unread(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe || signal::is_hangup(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::detached::{HostedRun, RunsFolder};
    use crate::run::journal::CountSubject;
    use crate::saved::SavedFile;

    /// A run without work that holds its checkpoint, and the folder in which its end is noted.
    struct HeldJob<'a> {
        checkpoint: SavedFile,
        folder: &'a RunsFolder,
    }

    impl Drop for HeldJob<'_> {
        fn drop(&mut self) {
            assert!(self.folder.entry(1).is_some_and(|entry| entry.report.is_none()), "its end is noted too early");
        }
    }

    impl Job for HeldJob<'_> {
        type Work = ();
        type Done = ();

        fn written_files(&self) -> WrittenFiles {
            WrittenFiles::default()
        }

        fn subject(&self) -> Subject {
            let question = crate::count::CountQuestion::new(
                "6x6".parse::<crate::board::Shape>().unwrap(),
                crate::board::Ending::Closed,
            );
            Subject::Count(CountSubject { question, threads: 1 })
        }

        fn begin(&mut self) -> Result<Option<Report>, Failure> {
            Ok(None)
        }

        fn attend(&mut self, observation: Observation) -> Result<AttendedWork<()>, Failure> {
            Ok(AttendedWork::without_screen((), None, observation))
        }

        fn report(&mut self, (): (), _: Option<i32>, _: &Observation) -> Result<((), Report), Failure> {
            let mut report = Report::default();
            report.key("complete", true);
            Ok(((), report))
        }

        fn end(&self, (): &()) -> Option<End> {
            None
        }

        fn settle(&mut self, (): &()) -> SettledFiles {
            SettledFiles::well(true)
        }

        fn print(&self, _: &Report, _: Option<&()>) -> Result<(), Failure> {
            Ok(())
        }
    }

    /// Another process that finds the end of a run may forget the run, or resume it: its files are free by then.
    #[test]
    fn the_end_of_a_run_is_noted_when_its_files_are_free() {
        let place = tempfile::tempdir_in("/tmp").unwrap();
        let (folder, path) = (RunsFolder::of_test(place.path()), place.path().join("1.checkpoint"));
        let job = HeldJob { checkpoint: SavedFile::new(&path).unwrap(), folder: &folder };
        job.checkpoint.save("held\n", |_| Ok(())).unwrap();
        assert!(crate::claim::is_held(&path));
        let subject = job.subject();
        let mut observation = Observation::begin(&ObserveOptions::default(), false, &subject).unwrap();
        observation.hosted = Some(HostedRun::open(folder.clone(), 1, &subject, Some(&path)).unwrap());
        let ended = FinishedWork { work: (), signal: None, view_failed: None, observation };
        assert_eq!(finish(job, ended).ok(), Some(Answer::Yes));
        assert_eq!(folder.entry(1).unwrap().report, Some(serde_json::json!({ "complete": true })));
        assert!(!crate::claim::is_held(&path));
    }
}
