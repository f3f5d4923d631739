//! The live view of a search or of a race for tours. The user may start other runs in it, of either kind: the report is of
//! the last one.

use super::run::SearchJob;
use crate::cli::adapter;
use crate::cli::found::{TourDisplay, find_report, print_answer};
use crate::cli::terminal::watch_needs_terminal;
use crate::job::detached::DetachSlot;
use crate::job::output::{Destination, TourOutputOptions};
use crate::job::saving::{SaveOptions, SearchFiles};
use crate::job::say::say;
use crate::job::{
    ActiveRuns, AttendedWork, Failure, FinishedWork, Job, Observation, RaceVerdict, Report, SettledFiles, WrittenFiles,
    running, usage,
};
use crate::lock::LockAlways as _;
use crate::run::journal::Subject;
use crate::run::{Beginning, End, Live, Outbox, Plan, Question, RunDone};
use crate::schedule::RunError;
use crate::ui::{self, Session, SessionReport, UiError};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// A search or a race in the live view.
pub struct ViewedJob {
    /// The search, or the files and the plan of a race.
    search: SearchJob,
    /// Frames a second.
    fps: Option<u32>,
    beginning: Beginning,
}

/// What came of the last run.
pub enum ViewedDone {
    /// A search of all tours.
    Searched(Box<RunDone>),
    /// A race for tours.
    Found(Box<RaceVerdict>),
}

impl ViewedJob {
    /// A search in the live view.
    pub fn new(search: SearchJob, fps: Option<u32>, beginning: Beginning) -> ViewedJob {
        ViewedJob { search, fps, beginning }
    }

    /// A search in the live view, as it begins by itself.
    pub fn of_search(search: SearchJob) -> ViewedJob {
        ViewedJob::new(search, None, Beginning::default())
    }

    /// A race of this plan in the live view; its tours are printed when the view is left.
    pub fn of_race(plan: Plan) -> ViewedJob {
        ViewedJob::of_search(SearchJob::new(plan, TourOutputOptions::default(), SaveOptions::default(), false))
    }
}

impl Job for ViewedJob {
    type Work = SessionWork;
    type Done = ViewedDone;

    fn written_files(&self) -> WrittenFiles {
        self.search.written_files()
    }

    fn check(&self) -> Result<(), Failure> {
        watch_needs_terminal()
    }

    fn subject(&self) -> Subject {
        self.search.subject()
    }

    fn begin(&mut self) -> Result<Option<Report>, Failure> {
        let ended = self.search.begin()?;
        if matches!(self.search.files.output(), Destination::Stdout(_)) {
            return Err(usage("--out - would write over the screen: give --out a file"));
        }
        Ok(ended)
    }

    fn checkpoint(&self) -> Option<&Path> {
        self.search.checkpoint()
    }

    fn attend(&mut self, observation: Observation) -> Result<AttendedWork<SessionWork>, Failure> {
        let ViewedJob { search, fps, beginning } = self;
        session(search.plan.clone(), &mut search.files, observation, *fps, *beginning)
    }

    fn report(
        &mut self,
        (plan, work): SessionWork,
        signal: Option<i32>,
        observation: &Observation,
    ) -> Result<(ViewedDone, Report), Failure> {
        self.search.plan = plan;
        if let Question::Search(..) = self.search.plan.question {
            let (done, report) = self.search.report(work, signal, observation)?;
            return Ok((ViewedDone::Searched(Box::new(done)), report));
        }
        let (plan, done) = (self.search.plan.clone(), work.map_err(running)?);
        let verdict = RaceVerdict { plan, done, generations: None };
        let report = find_report(&verdict, verdict.request().tours > 1);
        Ok((ViewedDone::Found(Box::new(verdict)), report))
    }

    fn end(&self, done: &ViewedDone) -> Option<End> {
        match done {
            ViewedDone::Searched(done) => self.search.end(done),
            ViewedDone::Found(verdict) => Some(verdict.end()),
        }
    }

    fn settle(&mut self, done: &ViewedDone) -> SettledFiles {
        match done {
            ViewedDone::Searched(done) => self.search.settle(done),
            ViewedDone::Found(verdict) => self.search.files.settle(&verdict.done.outcome),
        }
    }

    fn print(&self, report: &Report, done: Option<&ViewedDone>) -> Result<(), Failure> {
        match done {
            Some(ViewedDone::Searched(done)) => self.search.print(report, Some(done)),
            None => self.search.print(report, None),
            Some(ViewedDone::Found(verdict)) => {
                adapter::tell_of(verdict.done.device.as_ref())?;
                if !verdict.done.tours().is_empty() {
                    TourDisplay::default().target(&verdict.plan)?.show(verdict, &ActiveRuns::default())?;
                }
                Ok(print_answer(verdict, true)?)
            }
        }
    }

    fn conclude(&mut self, done: &ViewedDone, is_complete: bool) -> Result<(), Failure> {
        match done {
            ViewedDone::Searched(done) => self.search.conclude(done, is_complete),
            ViewedDone::Found(_) => Ok(()),
        }
    }
}

/// The plan of the last run of a view, and what it yields.
pub type SessionWork = (Plan, Result<RunDone, RunError>);

/// Shows runs, the first one of this plan and with these files, until the user has seen enough. A run that is left to
/// another process is resumed there.
///
/// # Errors
/// [`Failure`] when the view failed; a saved run can be resumed then.
fn session(
    plan: Plan,
    files: &mut SearchFiles,
    observation: Observation,
    fps: Option<u32>,
    beginning: Beginning,
) -> Result<AttendedWork<SessionWork>, Failure> {
    // A second run would write its tours behind those of the first, and a journal, a trace and a checkpoint are of one run.
    let written = observation.is_recorded() || observation.tracing.is_traced() || files.is_saved();
    let may_restart = matches!(files.output(), Destination::Nowhere) && !written;
    let (observers, restart_balance) = (observation.observers(), observation.tracing.restart());
    let (mut continuation, mut tours) = (files.continuation(false)?, files.for_workers(&plan.question));
    let outbox = Outbox::default();
    let launch = {
        let outbox = Arc::clone(&outbox);
        move |plan: &Plan, beginning: Beginning| {
            restart_balance(plan.scheduler);
            let continuation = std::mem::take(&mut continuation);
            observers.around(Live::start(plan, beginning, continuation, tours.take(), Arc::clone(&outbox)))
        }
    };
    let slot = Rc::new(RefCell::new(None));
    let prepare_detach = {
        let slot = Rc::clone(&slot);
        move || DetachSlot::take().map(|taken| drop(slot.borrow_mut().replace(taken))).map_err(|why| why.to_string())
    };
    let (launch, prepare_detach) = (Box::new(launch), Box::new(prepare_detach));
    let shown = ui::run(Session { plan, may_restart, fps, beginning, launch, prepare_detach });
    let (SessionReport { plan, detached, signal }, done) = match (shown, outbox.locked().take()) {
        (Ok(report), Some(done)) => (report, done),
        (shown, _) => {
            files.leave()?;
            return Err(shown.err().unwrap_or(UiError::Vanished).into());
        }
    };
    if let (true, Ok(RunDone { outcome, .. }), Some(slot)) = (detached, &done, slot.take())
        && outcome.stopped.is_some()
    {
        match files.hand_over(&plan, outcome, &slot.checkpoint()) {
            Ok(file) => {
                let force = std::mem::take(files).replaces();
                // The run continues whatever became of the journal of its beginning.
                let recorded = observation.end(None, None);
                let code = slot.resume(&file, &plan, force)?;
                return recorded.map(|()| AttendedWork::Elsewhere(code));
            }
            // Then the run is stopped, and that is all.
            Err(failure) => say(format_args!("it cannot go on without this terminal: {failure}"))?,
        }
    }
    Ok(FinishedWork { work: (plan, done), signal, view_failed: None, observation }.here())
}
