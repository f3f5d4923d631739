//! `destrier search`, `watch` and `resume`: every tour of a board, with the live view or without it.

use super::adapter;
use super::args::{ResumeArgs, SearchArgs};
use super::report::SearchReport;
#[cfg(feature = "tui")]
use super::screen;
#[cfg(feature = "tui")]
use super::session::session;
use crate::job::detached::Detaching;
use crate::job::output::{Destination, TourOutputOptions};
use crate::job::saving::{BegunSearch, SaveOptions, SearchFiles, SearchPart, refuse_devices};
use crate::job::say::{print, print_failed};
use crate::job::{
    self, ActiveRuns, Attended, Ended, Failure, Job, Observation, RunOptions, Settled, WrittenFiles, is_unread,
    progress, running, usage,
};
use crate::run::journal::Subject;
use crate::run::{Beginning, End, Plan, RunDone, SearchEnded};
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
    let detaching = args.detach.options();
    let options = RunOptions { observe: args.options.observe()?, detaching, json: args.options.json };
    let (output, save) = (args.options.output(), args.options.save());
    let job = match args.part.part() {
        Some(part) => {
            SearchPart::check(&plan, &output)?;
            SearchJob::new(Plan { shard: Some(part.shard), ..plan }, output, save, options.json).part(part)
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
    let options = RunOptions { detaching: args.detach.options(), json: args.json, ..RunOptions::default() };
    let (plan, begun) = SearchFiles::resume(&args.file, &args.of_search()?)?;
    let mut job = SearchJob::new(plan, TourOutputOptions::default(), SaveOptions::default(), args.json);
    if args.watch && matches!(begun, BegunSearch::Running(_)) {
        job = job.resumed_view()?;
    }
    job.begun = Some(begun);
    job::run(job, &options)
}

/// A search of all tours, or a part of one.
pub struct SearchJob {
    plan: Plan,
    output: TourOutputOptions,
    save: SaveOptions,
    part: Option<SearchPart>,
    /// A resumed search, whose files are open already.
    begun: Option<BegunSearch>,
    files: SearchFiles,
    /// Frames a second of the live view, and how the run begins there; `None` without a view.
    view: Option<(u32, Beginning)>,
    json: bool,
}

impl SearchJob {
    /// A search without a view.
    pub fn new(plan: Plan, output: TourOutputOptions, save: SaveOptions, json: bool) -> SearchJob {
        let (part, begun, files, view) = (None, None, SearchFiles::default(), None);
        SearchJob { plan, output, save, part, begun, files, view, json }
    }

    /// The same in the live view, with so many frames a second.
    #[cfg(feature = "tui")]
    pub fn viewed(self, fps: u32, beginning: Beginning) -> SearchJob {
        SearchJob { view: Some((fps, beginning)), ..self }
    }

    /// A part of a search.
    fn part(self, part: SearchPart) -> SearchJob {
        SearchJob { part: Some(part), ..self }
    }

    /// The same in a process of its own, if it is hosted there: then it is always saved where that is possible.
    fn hosted(mut self, detaching: &Detaching) -> Result<SearchJob, Failure> {
        if self.save.checkpoint.is_none() && refuse_devices(&self.plan, "--detach").is_ok() {
            self.save.checkpoint = detaching.checkpoint()?;
        }
        Ok(self)
    }

    #[cfg(feature = "tui")]
    fn resumed_view(self) -> Result<SearchJob, Failure> {
        Ok(self.viewed(crate::ui::FPS_DEFAULT, Beginning::default()))
    }

    #[cfg(not(feature = "tui"))]
    fn resumed_view(self) -> Result<SearchJob, Failure> {
        Err(usage("this destrier was built without its live view (feature tui): leave out --watch"))
    }

    /// The crew of a run without a view.
    fn crew(&self, observation: &Observation) -> CrewPlan {
        let question = &self.plan.question;
        // A resumed run reports the figures by depth of both.
        let exact = (self.json || self.files.is_saved()) && question.levels() == Levels::Exact;
        let levels = match exact {
            true => Levels::Exact,
            // A viewer sees what a live view shows.
            false if observation.is_hosted() => question.levels(),
            // A replay shows the shape: to count every node would cost some kernels a tenth of their speed.
            false if observation.is_recorded() => Levels::Sampled,
            false => Levels::Off,
        };
        // A progress line tells early how long the search takes.
        let head_start = if io::stderr().is_terminal() { HEAD_START } else { Duration::ZERO };
        CrewPlan { estimate: Some(head_start), ..self.plan.crew(levels) }
    }

    fn attend_without_view(&mut self, observation: Observation) -> Result<Attended<SearchDone>, Failure> {
        let runs = ActiveRuns::observed(observation.observers());
        let begin = (self.crew(&observation), self.files.continuation(true)?);
        let tours = self.files.for_workers(&self.plan.question);
        let body = || runs.answer(0, &self.plan, begin, tours, &|_, _| {});
        let (done, signal) = runs.attend(|| runs.progress(progress::search), body)?;
        // A signal that came when the last branch was done has ended nothing.
        let is_complete = done.as_ref().is_ok_and(|done| done.outcome.stopped.is_none());
        Ok(Attended::without_screen(done, signal.filter(|_| !is_complete), observation))
    }

    #[cfg(feature = "tui")]
    fn attend_with_view(
        &mut self,
        observation: Observation,
        view: (u32, Beginning),
    ) -> Result<Attended<SearchDone>, Failure> {
        let attended = session(self.plan.clone(), &mut self.files, observation, view)?;
        attended.map(|(plan, done)| {
            // The last run of the view may have another plan than the first.
            self.plan = plan;
            Ok(done)
        })
    }

    /// The failure of a run that a worker or the disk has ended; tours that were written until then are kept.
    fn failed(&mut self, error: RunError) -> Result<Failure, Failure> {
        let stdout_taken = matches!(self.files.output(), Destination::Stdout(_));
        match error {
            RunError::Parts(fault) => Ok(usage(format!("what is to be taken up cannot be: {fault}"))),
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

/// What a search came to.
type SearchDone = Result<RunDone, RunError>;

impl Job for SearchJob {
    type Done = SearchDone;
    type Report = SearchReport;

    fn written_files(&self) -> WrittenFiles {
        let files = self.part.as_ref().map_or_else(WrittenFiles::default, SearchPart::files);
        files.saved("--checkpoint", self.save.checkpoint.as_deref()).file("--out", self.output.out.as_deref())
    }

    #[cfg(feature = "tui")]
    fn check(&self) -> Result<(), Failure> {
        match &self.begun {
            _ if self.view.is_none() => Ok(()),
            Some(_) => screen::needs_terminal(),
            None if screen::on_terminal()? => Ok(()),
            None => {
                let instead = "`destrier search` with the same options does the same work without one";
                Err(usage(format!("watch needs a terminal for its keys and its screen; {instead}")))
            }
        }
    }

    fn check_detach(&self) -> Result<(), Failure> {
        self.output.refuse_stdout()
    }

    fn subject(&self) -> Subject {
        Subject::Run(self.plan.clone())
    }

    fn begin(&mut self) -> Result<Option<SearchReport>, Failure> {
        let begun = match (self.begun.take(), &self.part) {
            (Some(begun), _) => begun,
            (None, Some(part)) => part.begin(&self.plan, &self.output, &self.save)?,
            (None, None) => SearchFiles::begin(&self.plan, &self.output, &self.save)?,
        };
        match begun {
            BegunSearch::Ended(ended) => Ok(Some(SearchReport::new(&ended.plan, &ended.outcome))),
            BegunSearch::Running(files) if self.view.is_some() && matches!(files.output(), Destination::Stdout(_)) => {
                Err(usage("--out - would write over the screen: give --out a file"))
            }
            BegunSearch::Running(files) => {
                self.files = files;
                Ok(None)
            }
        }
    }

    fn checkpoint(&self) -> Option<&Path> {
        self.files.checkpoint()
    }

    #[cfg(feature = "tui")]
    fn attend(&mut self, observation: Observation) -> Result<Attended<SearchDone>, Failure> {
        match self.view {
            Some(view) => self.attend_with_view(observation, view),
            None => self.attend_without_view(observation),
        }
    }

    #[cfg(not(feature = "tui"))]
    fn attend(&mut self, observation: Observation) -> Result<Attended<SearchDone>, Failure> {
        self.attend_without_view(observation)
    }

    fn report(&mut self, ended: &mut Ended<SearchDone>) -> Result<SearchReport, Failure> {
        let mut done = match std::mem::replace(&mut ended.done, Ok(RunDone::default())) {
            Ok(done) => done,
            Err(error) => return Err(self.failed(error)?),
        };
        if let Some(why) = self.plan.contradiction(&done.outcome) {
            if self.json {
                print_failed(self.plan.question.board(), &why)?;
            }
            return Err(self.files.refuse_number(&why));
        }
        done.outcome.stopped = done.outcome.stopped.map(|reason| reason.with_signal(ended.signal.is_some()));
        let report = SearchReport::new(&self.plan, &done.outcome).balanced(ended.observation.balance());
        ended.done = Ok(done);
        Ok(report)
    }

    fn end(&self, done: &SearchDone) -> Option<End> {
        done.as_ref().ok().map(|done| End::Run(SearchEnded::of(done, self.plan.question.board())))
    }

    fn settle(&mut self, done: &SearchDone) -> Settled {
        let Ok(done) = done else { return Settled::well(false) };
        self.files.settle(&done.outcome)
    }

    fn print(&self, report: &SearchReport, done: Option<&SearchDone>, json: bool) -> Result<(), Failure> {
        if let Some(Ok(done)) = done {
            adapter::tell(done.outcome.lanes.as_ref().and_then(|lanes| lanes.why.as_deref()))?;
        }
        let stdout_taken = done.is_some() && self.output.out.as_deref() == Some(Path::new("-"));
        Ok(print(report, json, stdout_taken)?)
    }

    fn conclude(&mut self, _: &SearchDone, is_complete: bool) -> Result<(), Failure> {
        if !is_complete {
            self.files.say_how_to_resume()?;
        }
        Ok(())
    }
}
