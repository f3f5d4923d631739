//! What `destrier count` does: count a board or a range with its files, plan it, estimate it, or resume a count.

use super::args::{CountArgs, of_saved};
use super::report::{CountRunEnd, answered, count_report, failed, finished_report, in_words};
use super::{plan, starts, symmetry};
use crate::cli::args::ResumeArgs;
use crate::cli::terminal::{on_screens, watch_needs_terminal};
use crate::count::{
    CHECKED_PLAN_BYTES, CountAnswer, CountError, CountFile, CountPlan, CountQuestion, CountSnapshot, CountWatch,
    SavedCount, Settings,
};
use crate::job::limits::peak_bytes;
use crate::job::saving::{CountFiles, resumed};
use crate::job::{
    self, Answer, AttendedWork, Failure, Job, Observation, Report, Reported, RunOptions, SettledFiles, WrittenFiles,
    print, progress, usage, with_signals,
};
use crate::run::journal::{CountSubject, Subject};
use crate::run::{CountSource, End};
use std::path::Path;
use std::time::Duration;

/// Counts, or plans, and prints the report.
///
/// # Errors
/// [`Failure`] on bad input, when the count does not fit, or when it or its files failed.
pub fn run(args: &CountArgs) -> Result<Answer, Failure> {
    let question = CountQuestion { range: args.range()?, ..args.question()? };
    if args.estimate.estimate {
        return args.estimate.run(&question.shape, question.ending, args.by.threads, args.json);
    }
    let settings = args.settings()?;
    if let Some(which) = args.symmetry {
        return symmetry::run(which, args.json, &question, &settings);
    }
    if args.per_start {
        return starts::run(args, &question, &settings);
    }
    if args.plan {
        return plan::run(&question, &settings, args.json);
    }
    args.detach.refuse_screen(args.watch)?;
    let job = CountJob::new(question, settings, args.files(), args.watch, args.json);
    job::run(job, &args.run_options())
}

/// Resumes the count in a file.
///
/// # Errors
/// As [`run()`].
pub fn resume(args: &ResumeArgs) -> Result<Answer, Failure> {
    args.refuse_for_count()?;
    let (file, found) = resumed::<SavedCount>(&args.file)?;
    let question = found.question.question.clone();
    if question.range.is_some() {
        let held = "the count of a range of boards, which has none";
        args.refuse([("--watch", args.watch, held), ("--detach", args.detach.detach, held)])?;
    }
    let settings = of_saved(args, &found)?;
    let files = if args.detach.detach {
        // Another process claims the file.
        drop(file);
        CountFiles::default()
    } else {
        CountFiles { part: None, file: Some(file), found: Some(found) }
    };
    let job = CountJob::new(question, settings, files, args.watch, args.json);
    job::run(job, &RunOptions { detaching: args.detach, json: args.json, ..RunOptions::default() })
}

pub struct CountJob {
    pub(super) question: CountQuestion,
    pub(super) settings: Settings,
    /// Whether it has a screen.
    watched: bool,
    json: bool,
    pub(super) watch: CountWatch,
    files: CountFiles,
    /// The file, from which the count begins.
    pub(super) file: Option<CountFile>,
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

impl CountJob {
    /// A count that is new, unless its file has it already.
    fn new(question: CountQuestion, mut settings: Settings, files: CountFiles, watched: bool, json: bool) -> CountJob {
        if let Some(part) = &files.part {
            settings.checkpoint = Some(part.checkpoint.clone());
        }
        let watch = CountWatch::new(settings.threads);
        CountJob { question, settings, watched, json, watch, files, file: None }
    }

    /// Plans and counts.
    pub(super) fn count(&self, file: Option<CountFile>) -> Result<CountAnswer, CountError> {
        let CountJob { question, settings, watch, .. } = self;
        CountPlan::new(question, settings.planning_memory(), watch)?.run(settings, watch, file)
    }

    pub(super) fn work(&self, answered: Result<CountAnswer, CountError>, stopped: &'static str) -> CountWork {
        CountWork { answered, last: self.watch.snapshot(), peak_bytes: peak_bytes(), stopped }
    }

    fn attend_without_screen(&mut self, observation: Observation) -> Result<AttendedWork<CountWork>, Failure> {
        let (observers, file) = (observation.observers(), self.file.take());
        // How it ends is known when it has been reported.
        let (_open, never) = crossbeam_channel::bounded(1);
        let count = || {
            if observers.are_some() {
                observers
                    .beside(CountSource::new(&self.watch, never), || self.count(file))
                    .unwrap_or_else(|refused| Err(CountError::Threads(refused.to_string())))
            } else {
                self.count(file)
            }
        };
        let line = || progress::count(&self.watch.snapshot());
        let (answered, signal) = with_signals(|| self.watch.stop(), line, count)?;
        let stopped = if signal.is_some() { "signal" } else { "request" };
        Ok(AttendedWork::without_screen(self.work(answered, stopped), signal, observation))
    }

    /// Refuses the answer in a file that stored another number of states than its question does.
    fn check_finished(&self, found: &SavedCount) -> Result<(), Failure> {
        let file = self.settings.checkpoint.as_deref().map_or(String::new(), |file| format!("{}: ", file.display()));
        let refused = |why| usage(format!("{file}{why}: the file was changed; remove it to begin again"));
        let plan = CountPlan::new(&self.question, CHECKED_PLAN_BYTES, &self.watch);
        plan.map_or(Ok(()), |plan| found.check_states(&plan).map_err(refused))
    }
}

impl Job for CountJob {
    type Work = CountWork;
    /// `None` if the count was stopped before its plan was made.
    type Done = Option<CountAnswer>;

    fn written_files(&self) -> WrittenFiles {
        match &self.files.part {
            Some(part) => part.written_files(),
            None => WrittenFiles::default().saved("--checkpoint", self.settings.checkpoint.as_deref()),
        }
    }

    fn check(&self) -> Result<(), Failure> {
        if self.watched { watch_needs_terminal() } else { Ok(()) }
    }

    fn subject(&self) -> Subject {
        Subject::Count(CountSubject { question: self.question.clone(), threads: self.settings.threads })
    }

    fn begin(&mut self) -> Result<Option<Report>, Failure> {
        self.files.open(&self.question, &self.settings)?;
        if let Some((found, finished)) = self.files.found.as_ref().and_then(|found| Some((found, found.finished()?))) {
            self.check_finished(found)?;
            self.files.remove_older();
            return Ok(Some(finished_report(&self.question, &self.settings, &finished, None)));
        }
        self.watch.set_earlier_time(self.files.found.as_ref().map_or(Duration::ZERO, |found| found.elapsed));
        CountPlan::check_plannable(&self.question, self.settings.planning_memory())
            .map_err(|error| usage(in_words(&self.question, &error, &self.settings)))?;
        self.file = self.files.begin(&self.question, &self.settings)?;
        Ok(None)
    }

    fn checkpoint(&self) -> Option<&Path> {
        self.settings.checkpoint.as_deref()
    }

    fn is_resumed(&self) -> bool {
        self.files.file.as_ref().is_some_and(|file| !file.is_new())
    }

    fn withdraw(&mut self) {
        self.files.withdraw();
    }

    fn attend(&mut self, observation: Observation) -> Result<AttendedWork<CountWork>, Failure> {
        if self.watched {
            on_screens!(observation => self.attend_on_screen(observation))
        } else {
            self.attend_without_screen(observation)
        }
    }

    fn report(&mut self, work: CountWork, _: Option<i32>, _: &Observation) -> Reported<Option<CountAnswer>> {
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
        let report = count_report(&end, answer.as_ref(), None);
        Ok((answer, report))
    }

    fn end(&self, answer: &Option<CountAnswer>) -> Option<End> {
        answer.as_ref().and_then(|answer| answered(&self.question, answer)).map(End::Count)
    }

    fn settle(&mut self, answer: &Option<CountAnswer>) -> SettledFiles {
        let is_complete = answer.as_ref().is_some_and(|answer| answer.complete);
        let then = if is_complete { "; the count went on" } else { "" };
        let (note, result) = match self.files.settle(answer.as_ref()) {
            Ok(unsaved) => (unsaved.map(|unsaved| unsaved + then), Ok(())),
            Err(failure) => (None, Err(failure)),
        };
        SettledFiles { is_complete, result, note }
    }

    fn print(&self, report: &Report, _: Option<&Option<CountAnswer>>) -> Result<(), Failure> {
        print(report, self.json, false)
    }

    fn conclude(&mut self, answer: &Option<CountAnswer>, is_complete: bool) -> Result<(), Failure> {
        if !is_complete {
            let position = answer.as_ref().and_then(|answer| answer.saved_position);
            self.files.say_how_to_resume(&self.question, self.settings.modulus, position)?;
        }
        Ok(())
    }
}
