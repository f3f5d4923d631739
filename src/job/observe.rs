//! What sees the frames of a run without a screen: its journal, its trace and balance, and viewers of other processes.

use crate::job::detached::HostedRun;
use crate::job::fault::{Failure, refuse_if, running, usage};
use crate::job::lines::LinesObserver;
use crate::job::metrics::{MetricsObserver, MetricsOptions};
use crate::job::output::OutFile;
use crate::job::report::Report;
use crate::job::say::say;
use crate::lock::LockAlways as _;
use crate::run::balance::{Balance, BalanceFigures};
use crate::run::journal::{self, Recorder, Subject};
use crate::run::{End, Frame, RunObserver, RunObservers, Trace, Traced};
use crate::saved;
use crate::schedule::Scheduler;
use clap::Args;
use serde_json::{Map, Value};
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// What is to observe a run.
#[derive(Args, Clone, Default, Debug)]
pub struct ObserveOptions {
    /// Record the run in FILE, for `destrier replay`
    ///
    /// The file is compressed when its name ends in .zst.
    #[arg(long, value_name = "FILE", help_heading = "Recording and measuring")]
    pub record: Option<PathBuf>,
    #[command(flatten)]
    pub traced: TraceOptions,
    #[command(flatten)]
    pub metrics: MetricsOptions,
}

impl ObserveOptions {
    /// Reports that a run which has ended before is not observed, if it was to be.
    ///
    /// # Errors
    /// When stderr is gone.
    pub fn say_nothing_ran(&self) -> Result<(), Failure> {
        if self.traced.are_some() {
            say("the run had ended before: there is no trace and no balance of it")?;
        }
        if self.record.is_some() {
            say("--record: the run had ended before: there is nothing to record")?;
        }
        Ok(())
    }
}

/// The observers of a run.
pub struct Observation {
    journal: Option<(Arc<Recorder>, PathBuf)>,
    /// The viewers of other processes, if they can see the run; they are told the end when all files are complete.
    pub hosted: Option<HostedRun>,
    /// The trace and the balance.
    pub tracing: Tracing,
    /// What prints lines, if they are wanted.
    pub lines: Option<Arc<LinesObserver>>,
    /// What keeps the history of a hosted run.
    pub history: Option<Arc<LinesObserver>>,
    metrics: Option<Arc<MetricsObserver>>,
}

impl Observation {
    /// Begins the files of the observers of a run of this subject; `force` replaces existing ones.
    ///
    /// # Errors
    /// [`Failure::Usage`] when a file exists and may not be replaced, or cannot be written.
    pub fn begin(options: &ObserveOptions, force: bool, subject: &Subject) -> Result<Observation, Failure> {
        let tracing = Tracing::begin(&options.traced, force, subject)?;
        let journal = options.record.as_deref().map(|path| begin_journal(path, force, subject)).transpose()?;
        let metrics =
            options.metrics.metrics.as_deref().map(|path| MetricsObserver::begin(path, subject)).transpose()?;
        Ok(Observation { journal, hosted: None, tracing, lines: None, history: None, metrics })
    }

    pub fn observers(&self) -> RunObservers {
        let lines = self.lines.clone().or(self.history.clone()).map(|lines| lines as Arc<dyn RunObserver>);
        let metrics = self.metrics.clone().map(|metrics| metrics as Arc<dyn RunObserver>);
        RunObservers {
            recorder: self.journal.as_ref().map(|(recorder, _)| Arc::clone(recorder)),
            server: self.hosted.as_ref().map(HostedRun::server),
            others: [self.tracing.observer(), lines, metrics].into_iter().flatten().collect(),
        }
    }

    /// Whether it is written to files that are of one run.
    pub fn is_written(&self) -> bool {
        self.is_recorded() || self.tracing.file.is_some() || self.metrics.is_some()
    }

    /// Whether a journal is written.
    pub fn is_recorded(&self) -> bool {
        self.journal.is_some()
    }

    /// Ends the journal and the trace with the end of the run and its report.
    ///
    /// # Errors
    /// [`Failure::Running`] when not all could be written; the journal is good up to there, and there is no trace.
    pub fn end(self, end: Option<End>, report: Option<&Report>) -> Result<(), Failure> {
        self.metrics.iter().for_each(|metrics| metrics.end());
        let traced = self.tracing.end();
        let Some((recorder, path)) = self.journal else { return traced };
        let path = path.display();
        let report = report.and_then(|report| serde_json::to_value(report).ok());
        let written = recorder.finish(end, report);
        let written = written.map_err(|error| running(format!("--record {path}: {error}; the journal ends there")))?;
        if written.lost > 0 {
            let all = written.frames + written.lost;
            say(format_args!("--record {path}: {} of {all} frames came too fast and are not in it", written.lost))?;
        }
        traced
    }
}

/// Begins the journal of a subject in a file; `force` replaces an existing one.
fn begin_journal(path: &Path, force: bool, subject: &Subject) -> Result<(Arc<Recorder>, PathBuf), Failure> {
    let (shown, fresh) = (path.display(), !path.exists());
    let refused = |why: &dyn std::fmt::Display| usage(format!("--record {shown}: {why}"));
    let check = |is_wrong: bool, why: &str| if is_wrong { Err(refused(&why)) } else { Ok(()) };
    check(path.is_dir(), "is a folder; name a file in it")?;
    check(path == Path::new("-"), "a journal is a file: give its name")?;
    // A pipe would wait for a reader.
    check(path.metadata().is_ok_and(|found| !found.is_file()), "is no regular file; name another file")?;
    check(!fresh && !force, "the file exists; add --force to replace it")?;
    journal::check(subject).map_err(|why| refused(&why))?;
    // An existing file keeps its contents until there is something to write.
    let file = OpenOptions::new().write(true).truncate(false).create(force).create_new(!force).open(path);
    let file = file.map_err(|error| match fresh {
        true => refused(&saved::why_unwritable(saved::folder(path), &error)),
        false => refused(&format!("cannot be written: {error}")),
    })?;
    let recorder = Recorder::new(file, path, fresh, subject.clone()).inspect_err(|_| {
        // It is empty.
        let _ = fresh.then(|| std::fs::remove_file(path));
    });
    Ok((Arc::new(recorder?), path.to_owned()))
}

/// What is wanted of a search beside its result.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Recording and measuring")]
pub struct TraceOptions {
    /// Write who worked when to FILE
    ///
    /// A trace in the format of Chrome, which ui.perfetto.dev opens.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Say how well the work was shared, figure by figure
    #[arg(long)]
    pub balance: bool,
}

impl TraceOptions {
    /// Whether anything is wanted.
    pub fn are_some(&self) -> bool {
        self.trace.is_some() || self.balance
    }
}

/// The trace and the balance of a run, each if it is wanted.
#[derive(Default)]
pub struct Tracing {
    observer: Option<Arc<TraceObserver>>,
    file: Option<(PathBuf, OutFile)>,
}

/// A trace that is being written.
type RunningTrace = Trace<Box<dyn Write + Send>>;

/// Receives the frames.
struct TraceObserver {
    /// `None` when the trace has ended, or when there is none.
    trace: Mutex<Option<io::Result<RunningTrace>>>,
    /// `None` when it is not wanted.
    balance: Mutex<Option<Balance>>,
}

impl RunObserver for TraceObserver {
    fn take(&self, frame: &Frame) {
        if let Some(balance) = &mut *self.balance.locked() {
            balance.take(frame);
        }
        let mut trace = self.trace.locked();
        // A failed write is reported at the end.
        if let Some(Ok(writing)) = trace.as_mut()
            && let Err(error) = writing.take(frame)
        {
            *trace = Some(Err(error));
        }
    }
}

impl Tracing {
    /// Begins the trace and the balance of a run of this subject; `force` replaces an existing file.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the subject is no search, or the file exists and may not be replaced, is stdout, or cannot
    /// be written.
    pub fn begin(options: &TraceOptions, force: bool, subject: &Subject) -> Result<Tracing, Failure> {
        if !options.are_some() {
            return Ok(Tracing::default());
        }
        let plan = match subject {
            Subject::Run(plan) if !plan.question.finds() => plan,
            _ => {
                let refused = "--trace and --balance tell how a search is shared, and this is none";
                return Err(usage(format!("{refused}: {subject}")));
            }
        };
        let is_stdout = options.trace.as_deref() == Some(Path::new("-"));
        refuse_if(is_stdout, "--trace -: it is written to a file: give its name")?;
        let begun =
            |path: &PathBuf| -> Result<_, Failure> { Ok((path.clone(), OutFile::create("--trace", path, force)?)) };
        let file = options.trace.as_ref().map(begun).transpose()?;
        let trace = file.as_ref().map(|(_, file)| {
            let output: Box<dyn Write + Send> = Box::new(BufWriter::new(file.writer()));
            Trace::begin(output, &subject.to_string(), plan.scheduler.times_hand_overs)
        });
        let balance = options.balance.then(|| Balance::of(plan.scheduler));
        let observer = TraceObserver { trace: Mutex::new(trace), balance: Mutex::new(balance) };
        Ok(Tracing { observer: Some(Arc::new(observer)), file })
    }

    /// What receives the frames, if anything is wanted.
    pub fn observer(&self) -> Option<Arc<dyn RunObserver>> {
        self.observer.clone().map(|observer| observer as Arc<dyn RunObserver>)
    }

    /// A function that begins the balance anew for another run under a scheduler, of which no trace is written.
    pub fn restart(&self) -> impl Fn(Scheduler) + use<> {
        let observer = self.observer.clone();
        move |scheduler| {
            if let Some(observer) = &observer
                && let Some(balance) = &mut *observer.balance.locked()
            {
                *balance = Balance::of(scheduler);
            }
        }
    }

    /// The balance so far, if it is wanted.
    pub fn balance(&self) -> Option<BalanceFigures> {
        self.observer.as_ref()?.balance.locked().as_ref().map(Balance::figures)
    }

    /// Ends the trace, whose file gets its name.
    ///
    /// # Errors
    /// [`Failure::Running`] when not all could be written; then there is no such file.
    pub fn end(self) -> Result<(), Failure> {
        let (Some(observer), Some((path, file))) = (self.observer, self.file) else { return Ok(()) };
        let Some(trace) = observer.trace.locked().take() else { return Ok(()) };
        let version = ("destrier".to_owned(), Value::from(env!("CARGO_PKG_VERSION")));
        let shown = path.display();
        // The writer ends with the trace, before the file gets its name.
        let ended = trace.and_then(|trace| trace.finish(Map::from_iter([version]))).map(|(_, traced)| traced);
        let traced = ended.map_err(|error| running(format!("--trace {shown}: {error}; there is no trace")))?;
        file.keep()?;
        let Traced { hires_unseen, events_lost, .. } = traced;
        if events_lost > 0 || hires_unseen > 0 {
            let lost = format!("{events_lost} events were lost, {hires_unseen} hires among what is missing");
            say(format_args!("--trace {shown}: {lost}; the trace has no more than was told"))?;
        }
        Ok(())
    }
}
