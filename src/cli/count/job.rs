//! The count of a board or of a range of boards, with its files: new, resumed, or a part.

use super::failed::{failed, in_words};
use super::range::RangeReport;
use super::report::{CountReport, CountRunEnd, again, answered};
use crate::cli::terminal::{on_screens, watch_needs_terminal};
use crate::count::{
    CountAnswer, CountError, CountPlan, CountQuestion, CountSnapshot, CountWatch, FinishedCount, Settings,
};
use crate::job::limits::Peak;
use crate::job::saving::{CountFiles, CountPart};
use crate::job::say::{print, say};
use crate::job::{Attended, Failure, Job, Observation, Settled, WrittenFiles, progress, usage, with_signals};
use crate::run::journal::{CountSubject, Subject};
use crate::run::{CountSource, End};
use crate::words::grouped;
use serde::Serialize;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// Largest plan that a finished count is held against, in bytes: of boards up to seven squares wide.
const CHECKED_PLAN_BYTES: u64 = 64 << 20;

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

/// What the work of a count yields.
pub struct CountWork {
    answered: Result<CountAnswer, CountError>,
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

impl CountJobReport {
    /// The report of a run; without an answer it was stopped before it began to count.
    fn new(end: &CountRunEnd<'_>, answer: Option<&CountAnswer>) -> CountJobReport {
        match end.question.strip {
            None => CountJobReport::Board(Box::new(CountReport::new(end, answer))),
            Some(_) => CountJobReport::Range(RangeReport::new(end, answer)),
        }
    }
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

    /// Plans and counts.
    fn count(&self) -> Result<CountAnswer, CountError> {
        CountPlan::new(&self.question, self.settings.planning_memory(), &self.watch)?.run(&self.settings, &self.watch)
    }

    fn work(&self, answered: Result<CountAnswer, CountError>, stopped: &'static str) -> CountWork {
        CountWork { answered, last: self.watch.snapshot(), peak_bytes: Peak::of_process().bytes(), stopped }
    }

    fn attend_without_screen(&mut self, observation: Observation) -> Result<Attended<CountWork>, Failure> {
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
        Ok(Attended::without_screen(self.work(answered, stopped), signal, observation))
    }

    #[cfg(feature = "tui")]
    fn attend_on_screen(&mut self, observation: Observation) -> Result<Attended<CountWork>, Failure> {
        let CountJob { question, settings, watch, .. } = &*self;
        let observers = observation.observers();
        let (answered, signal, view_failed) =
            super::watch::run(question, settings.threads, &observers, watch, || self.count())?;
        let stopped = match (&view_failed, signal) {
            (Some(_), _) => "view",
            (None, Some(_)) => "signal",
            (None, None) => "request",
        };
        Ok(crate::job::Ended { work: self.work(answered, stopped), signal, view_failed, observation }.here())
    }
}

impl CountJob {
    /// Refuses the answer in a file that stored another number of states than its question does. Where planning would take longer
    /// than a moment, the file is believed.
    fn check_finished(&self, finished: &FinishedCount) -> Result<(), Failure> {
        let Ok(plan) = CountPlan::new(&self.question, CHECKED_PLAN_BYTES, &self.watch) else { return Ok(()) };
        let (found, right) = (finished.peak_states, plan.peak_states());
        if found == right {
            return Ok(());
        }
        let file = self.settings.checkpoint.as_deref().map_or(String::new(), |file| format!("{}: ", file.display()));
        Err(usage(format!(
            "{file}it stored {} states at once, and the count of {} stores {}: the file was changed; remove it to begin again",
            grouped(found),
            plan.name(),
            grouped(right)
        )))
    }
}

impl Job for CountJob {
    type Work = CountWork;
    /// `None` if the count was stopped before its plan was made.
    type Done = Option<CountAnswer>;
    type Report = CountJobReport;

    fn written_files(&self) -> WrittenFiles {
        match &self.part {
            Some(part) => part.files(),
            None => WrittenFiles::default().saved("--checkpoint", self.settings.checkpoint.as_deref()),
        }
    }

    fn check(&self) -> Result<(), Failure> {
        if self.watched { watch_needs_terminal() } else { Ok(()) }
    }

    fn subject(&self) -> Subject {
        Subject::Count(CountSubject { question: self.question, threads: self.settings.threads })
    }

    fn begin(&mut self) -> Result<Option<CountJobReport>, Failure> {
        let (files, saved) = CountFiles::claim(&self.question, &mut self.settings, self.part.clone())?;
        self.files = files;
        if let Some(finished) = saved.as_ref().and_then(|saved| saved.finished.as_ref()) {
            self.check_finished(finished)?;
            return Ok(Some(again(&self.question, &self.settings, finished, CountJobReport::new)));
        }
        self.watch.set_earlier_time(saved.map_or(Duration::ZERO, |saved| saved.elapsed));
        CountPlan::check_plannable(&self.question, self.settings.planning_memory())
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

    fn attend(&mut self, observation: Observation) -> Result<Attended<CountWork>, Failure> {
        if self.watched {
            on_screens!(observation => self.attend_on_screen(observation))
        } else {
            self.attend_without_screen(observation)
        }
    }

    fn report(
        &mut self,
        work: CountWork,
        _: Option<i32>,
        _: &Observation,
    ) -> Result<(Option<CountAnswer>, CountJobReport), Failure> {
        let CountJob { question, settings, .. } = &*self;
        let CountWork { answered, last, peak_bytes, stopped } = work;
        let answer = match answered {
            Ok(answer) => Some(answer),
            Err(CountError::Stopped) => None,
            Err(error) => {
                if error.is_usage() {
                    self.files.withdraw();
                }
                return Err(failed(question, settings, &error, self.json));
            }
        };
        let end = CountRunEnd { question, settings, last: &last, peak_bytes, stopped };
        let report = CountJobReport::new(&end, answer.as_ref());
        Ok((answer, report))
    }

    fn end(&self, answer: &Option<CountAnswer>) -> Option<End> {
        answer.as_ref().and_then(|answer| answered(&self.question, answer)).map(End::Count)
    }

    fn settle(&mut self, answer: &Option<CountAnswer>) -> Settled {
        let is_complete = answer.as_ref().is_some_and(|answer| answer.complete);
        match self.files.settle(&self.question, &self.settings, answer.as_ref()) {
            Ok(unsaved) => {
                let then = if is_complete { "; the count went on" } else { "" };
                let note = unsaved.map(|unsaved| format!("--checkpoint {unsaved}{then}"));
                Settled { note, ..Settled::well(is_complete) }
            }
            Err(failure) => Settled { result: Err(failure), ..Settled::well(is_complete) },
        }
    }

    fn print(&self, report: &CountJobReport, _: Option<&Option<CountAnswer>>) -> Result<(), Failure> {
        Ok(print(report, self.json, false)?)
    }

    fn conclude(&mut self, answer: &Option<CountAnswer>, is_complete: bool) -> Result<(), Failure> {
        if !is_complete {
            say(self.files.how_to_resume(answer.as_ref().and_then(|answer| answer.saved_position)))?;
        }
        Ok(())
    }
}
