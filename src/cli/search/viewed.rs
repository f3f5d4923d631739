//! `destrier watch`, and the live view of any search or race for tours. The user may start other runs in it, of either kind.

use super::run::SearchJob;
use crate::cli::args::{WatchArgs, threads};
use crate::job::detached::{DetachSlot, Detaching};
use crate::job::output::Destination;
use crate::job::saving::SearchOutput;
use crate::job::{self, Answer, AttendedWork, Failure, FinishedWork, Observation, RunOptions, refuse_if, say};
use crate::lock::LockAlways as _;
use crate::run::{Beginning, Live, Outbox, Plan, RunDone, demonstration};
use crate::schedule::RunError;
use crate::ui::{self, Session, SessionReport, UiError, settings};
use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

impl SearchJob {
    /// Shows runs, the first one of this job, until the user has seen enough; then the plan is that of the last one. A run
    /// that is left to another process is resumed there.
    ///
    /// # Errors
    /// [`Failure`] when the view failed; a saved run can be resumed then.
    pub fn attend_in_view(
        &mut self,
        observation: Observation,
        fps: Option<u32>,
        beginning: Beginning,
    ) -> Result<AttendedWork<Result<RunDone, RunError>>, Failure> {
        let (plan, files) = (self.plan.clone(), &mut self.files);
        // A second run would write its tours behind those of the first, and a journal, a trace and a checkpoint are of one run.
        let written = observation.is_written() || files.is_saved();
        let may_restart = matches!(files.output(), Destination::Nowhere) && !written;
        let (observers, restart_balance) = (observation.observers(), observation.tracing.restart());
        let (mut continuation, mut tours) = (files.continuation(false)?, files.for_workers(&plan.question));
        let (outbox, slot) = (Outbox::default(), Rc::new(RefCell::new(None)));
        let (launched, mut begun) = (Arc::clone(&outbox), Instant::now());
        // By how much longer the runs were watched that others resumed in the view.
        let held_before = Rc::new(Cell::new(Duration::ZERO));
        let held = Rc::clone(&held_before);
        let launch = move |plan: &Plan, beginning: Beginning| {
            restart_balance(plan.scheduler);
            let mut continuation = std::mem::take(&mut continuation);
            let mut plan = plan.clone();
            if let Some(time) = beginning.resumes_at {
                let left = launched.locked().take().and_then(Result::ok);
                continuation.earlier = left.map(|left| {
                    held.set(held.get() + left.outcome.elapsed.saturating_sub(time));
                    left.outcome.by_run_time(time)
                });
                plan.deadline = plan.deadline.map(|deadline| deadline.saturating_sub(begun.elapsed()));
            } else {
                begun = Instant::now();
                held.set(Duration::ZERO);
            }
            observers.around(Live::start(&plan, beginning, continuation, tours.take(), Arc::clone(&launched)))
        };
        let (launch, prepare_detach) = (Box::new(launch), Box::new(taking(&slot)));
        let shown = ui::run(Session { plan, may_restart, fps, beginning, launch, prepare_detach });
        let (SessionReport { plan, detached, signal }, mut done) = match (shown, outbox.locked().take()) {
            (Ok(report), Some(done)) => (report, done),
            (shown, _) => {
                files.leave()?;
                return Err(shown.err().unwrap_or(UiError::Vanished).into());
            }
        };
        if let (Some(ran), Ok(RunDone { outcome, .. }), Some(slot)) = (detached, &done, slot.take())
            && outcome.stopped.is_some()
        {
            match files.hand_over(&plan, &outcome.clone().by_run_time(ran), &slot.checkpoint()) {
                // Another process resumes the run that is saved in this file.
                Ok(file) => {
                    let force = std::mem::take(files).replaces();
                    // The run continues whatever became of the journal of its beginning.
                    let recorded = observation.end(None, None);
                    let answer = slot.resume(&file, &plan, force)?;
                    return recorded.map(|()| AttendedWork::Elsewhere(answer));
                }
                // Then the run is stopped, and that is all.
                Err(failure) => say(format_args!("it cannot go on without this terminal: {failure}"))?,
            }
        }
        if let Some(RunDone { outcome, .. }) = done.as_mut().ok().filter(|done| !done.outcome.is_timed()) {
            *outcome = std::mem::take(outcome).watched_longer(held_before.get());
            say("watched in slow motion: the times of the summary are those of the watching")?;
        }
        self.plan = plan;
        Ok(FinishedWork { work: done, signal, view_failed: None, observation }.here())
    }
}

/// What takes the place of a run without a terminal.
fn taking(slot: &Rc<RefCell<Option<DetachSlot>>>) -> impl FnMut() -> Result<(), String> + use<> {
    let slot = Rc::clone(slot);
    move || DetachSlot::take().map(|taken| drop(slot.borrow_mut().replace(taken))).map_err(|why| why.to_string())
}

/// Shows the search, or tells it in lines, and prints its summary afterwards.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the search failed.
pub fn watch(args: &WatchArgs) -> Result<Answer, Failure> {
    let plan = args.plan()?;
    let WatchArgs { options, fps, paused, slow, lines, .. } = args;
    if lines.lines.is_some() {
        let mut output = options.output.clone();
        output.json |= lines.is_json();
        let is_stdout = output.out.as_deref() == Some(Path::new("-"));
        refuse_if(is_stdout, "--out - and --lines both write on stdout: give --out a file")?;
        let run_options = output.run_options(Detaching::default())?;
        return job::run(SearchJob::new(plan, output), &RunOptions { lines: *lines, ..run_options });
    }
    let beginning = Beginning { paused: *paused, pace: *slow, tempo: args.tempo(&plan), ..Beginning::default() };
    let job = SearchJob::new(plan, options.output.clone());
    job::run(job.viewed(*fps, beginning), &options.output.run_options(Detaching::default())?)
}

/// Shows the demonstration with this many workers, or a number that suits the machine, and prints its summary afterwards.
///
/// # Errors
/// [`Failure`] when the search failed.
pub fn demonstrate(workers: Option<u32>) -> Result<Answer, Failure> {
    let (plan, tempo) = demonstration(threads(None)?, workers.map(|workers| workers as usize));
    let job = SearchJob::new(plan, SearchOutput::default());
    let beginning = Beginning { tempo, ..Beginning::default() };
    if settings::current().is_first {
        // It stands above the summary when the screen is left, which then remembers that it was shown.
        say("new here? `destrier tutorial` shows in ten lessons what there is to see (this is said once)")?;
        settings::note(|_| ());
    }
    job::run(job.viewed(None, beginning), &RunOptions::default())
}
