//! The count of a board or of a range of boards, with its files: new, resumed, or a part.

use super::failed::{failed, in_words};
use super::memory::Peak;
use super::range::RangeReport;
use super::report::{CountReport, CountRunEnd, answered};
#[cfg(feature = "tui")]
use crate::cli::screen::needs_terminal;
use crate::count::{
    CountAnswer, CountError, CountPlan, CountQuestion, CountSnapshot, CountWatch, FinishedCount, SavedCount, Settings,
};
use crate::job::saving::{CountFiles, CountPart};
use crate::job::say::{print, say};
use crate::job::{Attended, Ended, Failure, Job, Observation, Settled, WrittenFiles, progress, usage, with_signals};
use crate::run::journal::{CountSubject, Subject};
use crate::run::{CountSource, End};
use serde::Serialize;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// A count that is to be run.
pub struct CountJob {
    question: CountQuestion,
    settings: Settings,
    /// The part that it makes, if it makes one.
    part: Option<CountPart>,
    /// Whether it has a screen.
    watched: bool,
    json: bool,
    watch: CountWatch,
    files: CountFiles,
}

/// What the work of a count came to.
pub struct CountDone {
    /// The answer; `None` if the count was stopped before its plan was made.
    answered: Result<Option<CountAnswer>, CountError>,
    /// The last look at it.
    last: CountSnapshot,
    /// Resident maximum of the process, in bytes.
    peak_bytes: Option<u64>,
    /// What stopped it, if anything did: `signal`, `request` or `view`.
    stopped: &'static str,
}

/// The report of a count.
#[derive(Serialize)]
#[serde(untagged)]
pub enum CountJobReport {
    /// Of a board.
    Board(Box<CountReport>),
    /// Of a range of boards.
    Range(RangeReport),
}

impl fmt::Display for CountJobReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CountJobReport::Board(report) => report.fmt(f),
            CountJobReport::Range(report) => report.fmt(f),
        }
    }
}

impl CountJob {
    /// A count that is new, unless its file has it already.
    pub fn new(
        question: CountQuestion,
        mut settings: Settings,
        part: Option<CountPart>,
        watched: bool,
        json: bool,
    ) -> CountJob {
        if let Some(part) = &part {
            settings.checkpoint = Some(part.checkpoint());
        }
        let watch = CountWatch::new(settings.threads);
        let files = CountFiles::default();
        CountJob { question, settings, part, watched, json, watch, files }
    }

    /// The count in a file. The checkpoint of a part becomes the part when it is complete.
    pub fn resumed(saved: &SavedCount, mut settings: Settings, watched: bool, json: bool) -> CountJob {
        let file = settings.checkpoint.take();
        let part = file.as_deref().and_then(|file| CountPart::of_checkpoint(file, saved));
        settings.checkpoint = file;
        CountJob::new(saved.question, settings, part, watched, json)
    }

    /// The report of a count that was complete before.
    fn again(&self, finished: &FinishedCount) -> CountJobReport {
        let (question, modulus) = (&self.question, self.settings.modulus);
        match question.strip {
            None => CountJobReport::Board(Box::new(CountReport::again(question, modulus, finished))),
            Some(_) => CountJobReport::Range(RangeReport::again(question, &self.settings, finished)),
        }
    }

    /// Plans and counts.
    fn count(&self) -> Result<CountAnswer, CountError> {
        CountPlan::new(&self.question, self.settings.memory, &self.watch)?.run(&self.settings, &self.watch)
    }

    fn done(&self, answered: Result<CountAnswer, CountError>, stopped: &'static str) -> CountDone {
        let answered = match answered {
            Ok(answer) => Ok(Some(answer)),
            Err(CountError::Stopped) => Ok(None),
            Err(error) => Err(error),
        };
        CountDone { answered, last: self.watch.snapshot(), peak_bytes: Peak::of_process().bytes(), stopped }
    }

    fn attend_without_screen(&mut self, observation: Observation) -> Result<Attended<CountDone>, Failure> {
        let observers = observation.observers();
        // How it ends is known when it has been reported.
        let (_open, never) = crossbeam_channel::bounded(1);
        let count = || match observers.are_some() {
            true => observers.beside(CountSource::new(&self.watch, never), || self.count()),
            false => self.count(),
        };
        let line = || progress::count(&self.watch.snapshot());
        let (answered, signal) = with_signals(|| self.watch.stop(), line, count)?;
        let stopped = if signal.is_some() { "signal" } else { "request" };
        Ok(Attended::without_screen(self.done(answered, stopped), signal, observation))
    }

    #[cfg(feature = "tui")]
    fn attend_on_screen(&mut self, observation: Observation) -> Result<Attended<CountDone>, Failure> {
        let CountJob { question, settings, watch, .. } = &*self;
        let observers = observation.observers();
        let (answered, signal, view_failed) =
            super::watch::run(question, settings.threads, &observers, watch, || self.count())?;
        let stopped = match (&view_failed, signal) {
            (Some(_), _) => "view",
            (None, Some(_)) => "signal",
            (None, None) => "request",
        };
        Ok(Ended { done: self.done(answered, stopped), signal, view_failed, observation }.here())
    }

    #[cfg(not(feature = "tui"))]
    fn attend_on_screen(&mut self, _: Observation) -> Result<Attended<CountDone>, Failure> {
        Err(usage("this destrier was built without its screens (feature tui): leave out --watch"))
    }
}

impl CountDone {
    /// The answer, if the count got so far.
    fn answer(&self) -> Option<&CountAnswer> {
        self.answered.as_ref().ok()?.as_ref()
    }

    fn is_complete(&self) -> bool {
        self.answer().is_some_and(|answer| answer.complete)
    }
}

impl Job for CountJob {
    type Done = CountDone;
    type Report = CountJobReport;

    fn written_files(&self) -> WrittenFiles {
        match &self.part {
            Some(part) => part.files(),
            None => WrittenFiles::default().saved("--checkpoint", self.settings.checkpoint.as_deref()),
        }
    }

    #[cfg(feature = "tui")]
    fn check(&self) -> Result<(), Failure> {
        if self.watched { needs_terminal() } else { Ok(()) }
    }

    fn subject(&self) -> Subject {
        Subject::Count(CountSubject { question: self.question, threads: self.settings.threads })
    }

    fn begin(&mut self) -> Result<Option<CountJobReport>, Failure> {
        let (files, saved) = CountFiles::claim(&self.question, &mut self.settings, self.part.clone())?;
        self.files = files;
        if let Some(finished) = saved.as_ref().and_then(|saved| saved.finished.as_ref()) {
            return Ok(Some(self.again(finished)));
        }
        self.watch.set_earlier_time(saved.map_or(Duration::ZERO, |saved| saved.elapsed));
        CountPlan::check_plannable(&self.question, self.settings.memory)
            .map_err(|error| usage(in_words(&self.question, &error, &self.settings)))?;
        self.files.begin(&self.question, &self.settings)?;
        Ok(None)
    }

    fn checkpoint(&self) -> Option<&Path> {
        self.settings.checkpoint.as_deref()
    }

    fn withdraw(&mut self) {
        self.files.withdraw();
    }

    fn attend(&mut self, observation: Observation) -> Result<Attended<CountDone>, Failure> {
        if self.watched { self.attend_on_screen(observation) } else { self.attend_without_screen(observation) }
    }

    fn report(&mut self, ended: &mut Ended<CountDone>) -> Result<CountJobReport, Failure> {
        let CountJob { question, settings, .. } = &*self;
        let CountDone { answered, last, peak_bytes, stopped } = &ended.done;
        let answer = match answered {
            Ok(answer) => answer.as_ref(),
            Err(error) => {
                if error.is_usage() {
                    self.files.withdraw();
                }
                return Err(failed(question, settings, error, self.json));
            }
        };
        let end = CountRunEnd { question, settings, last, peak_bytes: *peak_bytes, stopped };
        Ok(match question.strip {
            None => CountJobReport::Board(Box::new(CountReport::new(&end, answer))),
            Some(_) => CountJobReport::Range(RangeReport::new(&end, answer)),
        })
    }

    fn end(&self, done: &CountDone) -> Option<End> {
        done.answer().and_then(|answer| answered(&self.question, answer)).map(End::Count)
    }

    fn settle(&mut self, done: &CountDone) -> Settled {
        let is_complete = done.is_complete();
        match self.files.settle(&self.question, &self.settings, done.answer()) {
            Ok(unsaved) => {
                let then = if is_complete { "; the count went on" } else { "" };
                let note = unsaved.map(|unsaved| format!("--checkpoint {unsaved}{then}"));
                Settled { note, ..Settled::well(is_complete) }
            }
            Err(failure) => Settled { result: Err(failure), ..Settled::well(is_complete) },
        }
    }

    fn print(&self, report: &CountJobReport, _: Option<&CountDone>, json: bool) -> Result<(), Failure> {
        Ok(print(report, json, false)?)
    }

    fn conclude(&mut self, done: &CountDone, is_complete: bool) -> Result<(), Failure> {
        if !is_complete {
            say(self.files.how_to_resume(done.answer().and_then(|answer| answer.saved_position)))?;
        }
        Ok(())
    }
}
