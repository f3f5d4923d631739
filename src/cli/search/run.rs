//! What `destrier search` does: enumerate all tours, with its files.

use super::report::search_report;
use crate::cli::adapter;
use crate::cli::args::{ResumeArgs, SearchArgs};
use crate::cli::terminal::on_screens;
use crate::job::detached::Detaching;
use crate::job::output::{Destination, TourOutputOptions};
use crate::job::saving::{SaveOptions, SearchFiles, SearchPart, SearchStart, StoppedSearch, refuse_devices};
use crate::job::say::{print, print_failed};
use crate::job::{
    self, ActiveRuns, AttendedWork, Failure, Job, Observation, Report, RunOptions, SettledFiles, WrittenFiles,
    is_unread, progress, running, usage,
};
use crate::run::journal::Subject;
use crate::run::{End, Plan, RunDone, SearchEnd};
use crate::schedule::{CrewPlan, HEAD_START, Levels, RunError};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

/// Searches and prints the summary. Returns the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when the search or its output failed.
pub fn run(args: &SearchArgs) -> Result<u8, Failure> {
    let plan = args.options.plan(args.board)?;
    let detaching = args.detach;
    let options = RunOptions { observe: args.options.observe()?, detaching, json: args.options.json };
    let (output, save) = (args.options.output(), args.options.save());
    let job = match args.part.part() {
        Some(part) => {
            SearchPart::check(&plan, &output)?;
            SearchJob::new(plan, output, save, options.json).of_part(part)
        }
        None => SearchJob::new(plan, output, save, options.json).hosted(&detaching)?,
    };
    job::run(job, &options)
}

/// Resumes the search in a file. Returns the exit code.
///
/// # Errors
/// [`Failure`] when it cannot be resumed, or when the search or its output failed.
pub fn resume(args: &ResumeArgs) -> Result<u8, Failure> {
    let options = RunOptions { detaching: args.detach, json: args.json, ..RunOptions::default() };
    let stopped = StoppedSearch::read(&args.file, args.of_search()?)?;
    let is_viewed = args.watch && !stopped.has_ended();
    let job = SearchJob::resuming(stopped, args.json);
    match is_viewed {
        true => on_screens!(job => job::run(crate::cli::search::viewed::ViewedJob::of_search(job), &options)),
        false => job::run(job, &options),
    }
}

/// A search of all tours, or a part of one.
pub struct SearchJob {
    /// The question, and how the work is shared.
    pub plan: Plan,
    output: TourOutputOptions,
    save: SaveOptions,
    part: Option<SearchPart>,
    /// The search that is resumed, if it is not to be found by [`SaveOptions`].
    stopped: Option<StoppedSearch>,
    /// The open files.
    pub files: SearchFiles,
    json: bool,
}

impl SearchJob {
    /// A search whose files are not open yet.
    pub fn new(plan: Plan, output: TourOutputOptions, save: SaveOptions, json: bool) -> SearchJob {
        let (part, stopped, files) = (None, None, SearchFiles::default());
        SearchJob { plan, output, save, part, stopped, files, json }
    }

    /// This search, cut down to one part.
    pub fn of_part(self, part: SearchPart) -> SearchJob {
        SearchJob { plan: Plan { shard: Some(part.shard), ..self.plan }, part: Some(part), ..self }
    }

    /// The stopped search in a file.
    pub fn resuming(stopped: StoppedSearch, json: bool) -> SearchJob {
        let (output, save) = (TourOutputOptions::default(), SaveOptions::default());
        let job = SearchJob::new(stopped.plan().clone(), output, save, json);
        SearchJob { stopped: Some(stopped), ..job }
    }

    /// This search in a detached process, which always has a checkpoint unless a device does the work.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there is no folder for its checkpoint.
    pub fn hosted(mut self, detaching: &Detaching) -> Result<SearchJob, Failure> {
        if self.save.checkpoint.is_none() && refuse_devices(&self.plan, "--detach").is_ok() {
            self.save.checkpoint = detaching.checkpoint()?;
        }
        Ok(self)
    }

    /// The crew of a run without a view.
    fn crew(&self, observation: &Observation) -> CrewPlan {
        let question = &self.plan.question;
        // A resumed run reports the figures by depth of both.
        let exact = (self.json || self.files.is_saved()) && question.levels() == Levels::Exact;
        let levels = match exact {
            true => Levels::Exact,
            // A viewer sees what a live view shows.
            false if observation.hosted.is_some() => question.levels(),
            // A replay shows the shape: to count every node would cost some kernels a tenth of their speed.
            false if observation.is_recorded() => Levels::Sampled,
            false => Levels::Off,
        };
        // A progress line tells early how long the search takes.
        let head_start = if io::stderr().is_terminal() { HEAD_START } else { Duration::ZERO };
        CrewPlan { estimate: Some(head_start), ..self.plan.crew(levels) }
    }

    /// The failure of a run that a worker or the disk has ended; tours that were written until then are kept.
    fn failed(&mut self, error: RunError) -> Result<Failure, Failure> {
        let stdout_taken = matches!(self.files.output(), Destination::Stdout(_));
        match error {
            RunError::Parts(fault) => Ok(usage(format!("the search cannot be resumed: {fault}"))),
            RunError::Write(error) if stdout_taken && is_unread(&error) => Ok(Failure::Io(error)),
            error => {
                let is_write_error = matches!(error, RunError::Write(_));
                let file = if is_write_error { self.files.output().shown() } else { String::new() };
                let kept = self.files.abandon(is_write_error)?;
                if self.json {
                    print_failed(self.plan.question.board(), &error)?;
                }
                let place = kept
                    .map_or(String::new(), |path| format!("; what was written until then is in {}", path.display()));
                Ok(running(format!("{file}{error}{place}")))
            }
        }
    }
}

impl Job for SearchJob {
    type Work = Result<RunDone, RunError>;
    type Done = RunDone;

    fn written_files(&self) -> WrittenFiles {
        let files = self.part.as_ref().map_or_else(WrittenFiles::default, SearchPart::files);
        files.saved("--checkpoint", self.save.checkpoint.as_deref()).file("--out", self.output.out.as_deref())
    }

    fn check_detach(&self) -> Result<(), Failure> {
        self.output.refuse_stdout()
    }

    fn subject(&self) -> Subject {
        Subject::Run(self.plan.clone())
    }

    fn begin(&mut self) -> Result<Option<Report>, Failure> {
        let begun = match (self.stopped.take(), &self.part) {
            (Some(stopped), _) => stopped.open()?,
            (None, Some(part)) => part.begin(&self.plan, &self.output, &self.save)?,
            (None, None) => SearchFiles::begin(&self.plan, &self.output, &self.save)?,
        };
        match begun {
            SearchStart::Ended(ended) => Ok(Some(search_report(&ended.plan, &ended.outcome, None, None))),
            SearchStart::Running(files) => {
                self.files = files;
                Ok(None)
            }
        }
    }

    fn checkpoint(&self) -> Option<&Path> {
        self.files.checkpoint()
    }

    fn withdraw(&mut self) {
        self.files.withdraw();
    }

    fn attend(&mut self, observation: Observation) -> Result<AttendedWork<Self::Work>, Failure> {
        let runs = ActiveRuns::observed(observation.observers());
        let (crew, continuation) = (self.crew(&observation), self.files.continuation(true)?);
        let tours = self.files.for_workers(&self.plan.question);
        let body = || runs.answer(0, &self.plan, crew, continuation, tours, &|_, _| {});
        let (done, signal) = runs.attend(|| runs.progress(progress::search), body)?;
        // A signal that came when the last branch was done has ended nothing.
        let is_complete = done.as_ref().is_ok_and(|done| done.outcome.stopped.is_none());
        Ok(AttendedWork::without_screen(done, signal.filter(|_| !is_complete), observation))
    }

    fn report(
        &mut self,
        work: Self::Work,
        signal: Option<i32>,
        observation: &Observation,
    ) -> Result<(RunDone, Report), Failure> {
        let mut done = match work {
            Ok(done) => done,
            Err(error) => return Err(self.failed(error)?),
        };
        if let Some(why) = self.plan.contradiction(&done.outcome) {
            if self.json {
                print_failed(self.plan.question.board(), &why)?;
            }
            return Err(self.files.refuse_number(&why));
        }
        done.outcome.stopped = done.outcome.stopped.map(|reason| reason.with_signal(signal.is_some()));
        let report = search_report(&self.plan, &done.outcome, observation.tracing.balance(), None);
        Ok((done, report))
    }

    fn end(&self, done: &RunDone) -> Option<End> {
        Some(End::Run(SearchEnd::of(done, self.plan.question.board())))
    }

    fn settle(&mut self, done: &RunDone) -> SettledFiles {
        self.files.settle(&done.outcome)
    }

    fn print(&self, report: &Report, done: Option<&RunDone>) -> Result<(), Failure> {
        let lanes = done.and_then(|done| done.outcome.lanes.as_ref());
        adapter::tell(lanes.and_then(|lanes| lanes.why.as_deref()))?;
        let stdout_taken = done.is_some() && self.output.out.as_deref() == Some(Path::new("-"));
        Ok(print(report, self.json, stdout_taken)?)
    }

    fn conclude(&mut self, _: &RunDone, is_complete: bool) -> Result<(), Failure> {
        if !is_complete {
            self.files.say_how_to_resume()?;
        }
        Ok(())
    }
}
