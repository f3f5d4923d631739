//! What is made of the frames of a search, live or recorded: the trace of `--trace FILE`, beside its name until it is
//! complete, and the balance of `--balance`.

use crate::job::failure::{Failure, running, usage};
use crate::job::output::{FileLifetime, OutFile};
use crate::job::say::say;
use crate::lock::LockAlways as _;
use crate::run::balance::{Balance, BalanceFigures};
use crate::run::journal::Subject;
use crate::run::{Frame, RunObserver, Trace, Traced};
use crate::schedule::Scheduler;
use serde_json::{Map, Value};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// What is wanted of a search beside its result.
#[derive(Clone, Default, Debug)]
pub struct TraceOptions {
    /// The file of the trace.
    pub trace: Option<PathBuf>,
    /// Whether the balance is reported.
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
        self.balance.locked().iter_mut().for_each(|balance| balance.take(frame));
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
        if options.trace.as_deref() == Some(Path::new("-")) {
            return Err(usage("--trace -: it is written to a file: give its name"));
        }
        let begun = |path: &PathBuf| -> Result<_, Failure> {
            Ok((path.clone(), OutFile::create("--trace", path, force, FileLifetime::UntilFailure)?))
        };
        let file = options.trace.as_ref().map(begun).transpose()?;
        let trace = file.as_ref().map(|(_, file)| {
            let output: Box<dyn Write + Send> = Box::new(BufWriter::new(file.writer()));
            Trace::begin(output, &subject.to_string())
        });
        let balance = options.balance.then(|| Balance::of(plan.scheduler));
        let observer = TraceObserver { trace: Mutex::new(trace), balance: Mutex::new(balance) };
        Ok(Tracing { observer: Some(Arc::new(observer)), file })
    }

    /// What receives the frames, if anything is wanted.
    pub fn observer(&self) -> Option<Arc<dyn RunObserver>> {
        self.observer.clone().map(|observer| observer as Arc<dyn RunObserver>)
    }

    /// Whether a trace is written.
    pub fn is_traced(&self) -> bool {
        self.file.is_some()
    }

    /// A function that begins the balance anew for another run under a scheduler, of which no trace is written.
    pub fn restart(&self) -> impl Fn(Scheduler) + use<> {
        let observer = self.observer.clone();
        move |scheduler| {
            let balances = observer.iter().map(|observer| &observer.balance);
            balances
                .for_each(|balance| balance.locked().iter_mut().for_each(|balance| *balance = Balance::of(scheduler)));
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
