//! What `destrier search` does: enumerate all tours, with its files.

use super::report::search_report;
use crate::cli::adapter;
use crate::cli::args::{ResumeArgs, SearchArgs};
use crate::cli::found::{TourDisplay, find_report, print_answer};
use crate::cli::terminal::{needs_terminal, on_screens, watch_needs_terminal};
use crate::job::output::Destination;
use crate::job::saving::{SearchFiles, SearchOutput, SearchPart, StoppedSearch};
use crate::job::{
    self, ActiveRuns, Answer, AttendedWork, Failure, Job, Observation, RaceVerdict, Report, Reported, RunOptions,
    STDOUT, SettledFiles, WrittenFiles, io_failure, is_unread, print, print_failed, progress, refuse_if, running,
    usage,
};
use crate::run::journal::Subject;
use crate::run::{Beginning, End, Plan, RunDone, SearchEnd};
use crate::schedule::{CrewPlan, HEAD_START, Levels, RunError};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

/// Searches and prints the summary.
///
/// # Errors
/// [`Failure`] on bad input, or when the search or its output failed.
pub fn run(args: &SearchArgs) -> Result<Answer, Failure> {
    let (mut plan, mut output) = (args.options.plan(&args.board)?, args.options.output.clone());
    let options = output.run_options(args.detach)?;
    if let Some(part) = &args.part {
        SearchPart::check(&plan, &output)?;
        plan.shard = Some(part.shard);
    } else if output.save.checkpoint.is_none() {
        // A detached process always has one.
        output.save.checkpoint = args.detach.checkpoint()?;
    }
    job::run(SearchJob { part: args.part.clone(), ..SearchJob::new(plan, output) }, &options)
}

/// Resumes the search in a file.
///
/// # Errors
/// [`Failure`] when it cannot be resumed, or when the search or its output failed.
pub fn resume(args: &ResumeArgs) -> Result<Answer, Failure> {
    let options = RunOptions { detaching: args.detach, json: args.json, ..RunOptions::default() };
    let stopped = StoppedSearch::read(&args.file, args.of_search()?)?;
    let is_viewed = args.watch && !stopped.has_ended();
    let output = SearchOutput { json: args.json, ..SearchOutput::default() };
    let job = SearchJob::new(stopped.plan().clone(), output);
    let job = SearchJob { stopped: Some(stopped), ..job };
    job::run(if is_viewed { job.viewed(None, Beginning::default()) } else { job }, &options)
}

/// A search of all tours, or a part of one; or a race for tours in the live view.
pub struct SearchJob {
    /// The question, and how the work is shared.
    pub plan: Plan,
    output: SearchOutput,
    part: Option<SearchPart>,
    /// The search that is resumed, if its file is not found by `--checkpoint`.
    stopped: Option<StoppedSearch>,
    /// The open files.
    pub files: SearchFiles,
    /// Frames a second of its live view, if it has one, and how the view begins.
    view: Option<(Option<u32>, Beginning)>,
}

impl SearchJob {
    /// A search whose files are not open yet.
    pub fn new(plan: Plan, output: SearchOutput) -> SearchJob {
        SearchJob { plan, output, part: None, stopped: None, files: SearchFiles::default(), view: None }
    }

    /// This search, or this race for tours, in the live view, with so many frames a second. The user may start other runs in
    /// it, of either kind: the report is of the last one.
    pub fn viewed(self, fps: Option<u32>, beginning: Beginning) -> SearchJob {
        SearchJob { view: Some((fps, beginning)), ..self }
    }

    /// The crew of a run without a view.
    fn crew(&self, observation: &Observation) -> CrewPlan {
        let question = &self.plan.question;
        // A resumed run reports the figures by depth of both.
        let exact = (self.output.json || self.files.is_saved()) && question.levels() == Levels::Exact;
        let levels = match exact {
            true => Levels::Exact,
            // A viewer sees what a live view shows.
            false if observation.hosted.is_some() => question.levels(),
            // A replay shows the shape: to count every node would cost some kernels a tenth of their speed.
            false if observation.is_recorded() => Levels::Sampled,
            false => Levels::Off,
        };
        // A progress line tells early how long the search takes.
        let is_told = io::stderr().is_terminal() || observation.lines.is_some();
        let head_start = if is_told { HEAD_START } else { Duration::ZERO };
        CrewPlan { estimate: Some(head_start), ..self.plan.crew(levels) }
    }

    /// The failure of a run that a worker or the disk has ended; tours that were written until then are kept.
    fn failed(&mut self, error: RunError) -> Result<Failure, Failure> {
        let stdout_taken = matches!(self.files.output(), Destination::Stdout(_));
        match error {
            RunError::Parts(fault) => Ok(usage(format!("the search cannot be resumed: {fault}"))),
            RunError::Write(error) if stdout_taken && is_unread(&error) => Ok(io_failure(STDOUT)(error)),
            error => {
                let is_write_error = matches!(error, RunError::Write(_));
                let file = if is_write_error { self.files.output().shown() } else { String::new() };
                let kept = self.files.abandon(is_write_error)?;
                if self.output.json {
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
    /// Of the search, or of a race that was the last run of its view.
    type Done = RaceVerdict;

    fn written_files(&self) -> WrittenFiles {
        let files = self.part.as_ref().map_or_else(WrittenFiles::default, |part| part.files().written_files());
        files.saved("--checkpoint", self.output.save.checkpoint.as_deref()).file("--out", self.output.out.as_deref())
    }

    fn check(&self) -> Result<(), Failure> {
        match (&self.view, &self.stopped) {
            (None, _) => Ok(()),
            (Some(_), Some(_)) => watch_needs_terminal(),
            (Some(_), None) => needs_terminal("watch", "destrier search prints figures without one"),
        }
    }

    fn check_detach(&self) -> Result<(), Failure> {
        self.output.refuse_stdout()
    }

    fn subject(&self) -> Subject {
        Subject::Run(self.plan.clone())
    }

    fn begin(&mut self) -> Result<Option<Report>, Failure> {
        let (files, ended) = match (self.stopped.take(), &self.part) {
            (Some(stopped), _) => stopped.open()?,
            (None, part) => SearchFiles::begin(&self.plan, &self.output, part.as_ref().map(SearchPart::files))?,
        };
        self.files = files;
        let is_on_screen = self.view.is_some() && matches!(self.files.output(), Destination::Stdout(_));
        refuse_if(is_on_screen, "--out - would write over the screen: give --out a file")?;
        Ok(ended.map(|ended| search_report(&ended.plan, &ended.so_far, None, None)))
    }

    fn checkpoint(&self) -> Option<&Path> {
        self.files.checkpoint()
    }

    fn is_resumed(&self) -> bool {
        self.files.is_resumed()
    }

    fn withdraw(&mut self) {
        self.files.withdraw();
    }

    fn attend(&mut self, observation: Observation) -> Result<AttendedWork<Self::Work>, Failure> {
        if let Some((fps, beginning)) = self.view {
            return on_screens!(observation, fps, beginning => self.attend_in_view(observation, fps, beginning));
        }
        let runs = ActiveRuns::observed(observation.observers());
        let (crew, continuation) = (self.crew(&observation), self.files.continuation(true)?);
        let tours = self.files.for_workers(&self.plan.question);
        let body = || runs.answer(0, &self.plan, crew, continuation, tours, &|_, _| {});
        let lines = observation.lines.clone();
        let progress = || match &lines {
            None => runs.progress(progress::search),
            Some(lines) => {
                // A run whose lines are not read ends as one whose output is not read.
                if lines.is_unread() {
                    runs.stop();
                }
                String::new()
            }
        };
        let (done, signal) = runs.attend(progress, body)?;
        // A signal that came when the last branch was done has ended nothing.
        let is_complete = done.as_ref().is_ok_and(|done| done.outcome.stopped.is_none());
        Ok(AttendedWork::without_screen(done, signal.filter(|_| !is_complete), observation))
    }

    fn report(&mut self, work: Self::Work, signal: Option<i32>, observation: &Observation) -> Reported<RaceVerdict> {
        let plan = self.plan.clone();
        if plan.question.finds() {
            let verdict = RaceVerdict { plan, done: work.map_err(running)?, generations: None };
            let report = find_report(&verdict, verdict.request().tours > 1);
            return Ok((verdict, report));
        }
        let mut done = match work {
            Ok(done) => done,
            Err(error) => return Err(self.failed(error)?),
        };
        if let Some(why) = self.plan.contradiction(&done.outcome) {
            if self.output.json {
                print_failed(self.plan.question.board(), &why)?;
            }
            return Err(self.files.refuse_number(&why));
        }
        done.outcome.stopped = done.outcome.stopped.map(|reason| reason.with_signal(signal.is_some()));
        let report = search_report(&self.plan, &done.outcome, observation.tracing.balance(), None);
        Ok((RaceVerdict { plan, done, generations: None }, report))
    }

    fn end(&self, verdict: &RaceVerdict) -> Option<End> {
        let RaceVerdict { plan, done, .. } = verdict;
        Some(if plan.question.finds() { verdict.end() } else { End::Run(SearchEnd::of(done, plan.question.board())) })
    }

    fn settle(&mut self, verdict: &RaceVerdict) -> SettledFiles {
        self.files.settle(&verdict.done.outcome)
    }

    fn print(&self, report: &Report, verdict: Option<&RaceVerdict>) -> Result<(), Failure> {
        if let Some(verdict) = verdict.filter(|verdict| verdict.plan.question.finds()) {
            adapter::tell_of(verdict.done.device.as_ref())?;
            if !verdict.done.tours().is_empty() {
                TourDisplay::default().target(&verdict.plan)?.show(verdict, &ActiveRuns::default())?;
            }
            return print_answer(verdict, true, false);
        }
        let stdout_taken = verdict.is_some() && self.output.out.as_deref() == Some(Path::new("-"));
        print(report, self.output.json, stdout_taken)
    }

    fn conclude(&mut self, verdict: &RaceVerdict, is_complete: bool) -> Result<(), Failure> {
        let is_left = !is_complete && !verdict.plan.question.finds();
        if is_left { self.files.say_how_to_resume() } else { Ok(()) }
    }
}
