//! What is made of the frames of a search while it goes on, or of a recording: the trace of `--trace FILE`, beside its name
//! until it is whole, and the balance of `--balance`.

use super::failure::{Failure, running, usage};
use super::outfile::{Lasts, OutFile};
use super::say::say;
use crate::lock::LockAlways as _;
use crate::run::balance::{Balance, BalanceFigures};
use crate::run::journal::Subject;
use crate::run::{Frame, RunObserver, Trace, Traced};
use clap::Args;
use serde_json::{Map, Value};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

/// What is asked of a search beside its answer.
#[derive(Args, Clone, Default)]
pub struct ObserveArgs {
    /// Write who worked when to FILE: a trace in the format of Chrome, which Perfetto opens
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Say how well the work was shared, figure by figure
    #[arg(long)]
    pub balance: bool,
}

impl ObserveArgs {
    /// Whether anything is asked.
    pub fn are_some(&self) -> bool {
        self.trace.is_some() || self.balance
    }
}

/// What is made of a run; nothing where nothing was asked.
#[derive(Default)]
pub struct Observed {
    observer: Option<Arc<Observer>>,
    file: Option<(PathBuf, OutFile)>,
}

/// A trace that is written to whatever takes it.
type Writing = Trace<Box<dyn Write + Send>>;

/// Takes in what is seen of a run.
pub struct Observer {
    /// Nothing once it is ended, or where none is written.
    trace: Mutex<Option<io::Result<Writing>>>,
    /// Nothing where none was asked for.
    balance: Mutex<Option<Balance>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.locked()
}

impl RunObserver for Observer {
    fn take(&self, frame: &Frame) {
        locked(&self.balance).iter_mut().for_each(|balance| balance.take(frame));
        let mut trace = locked(&self.trace);
        // What could not be written is said at the end.
        if let Some(Ok(writing)) = trace.as_mut()
            && let Err(error) = writing.take(frame)
        {
            *trace = Some(Err(error));
        }
    }
}

impl Observer {
    /// Another run begins, of which no trace is written.
    #[cfg(feature = "tui")]
    pub fn begin_anew(&self) {
        locked(&self.balance).iter_mut().for_each(|balance| *balance = Balance::default());
    }
}

impl Observed {
    /// What is asked of a run of this subject.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the subject is no search, or the file exists and may not be replaced, is stdout, or cannot
    /// be written.
    pub fn begin(args: &ObserveArgs, force: bool, subject: &Subject) -> Result<Observed, Failure> {
        if !args.are_some() {
            return Ok(Observed::default());
        }
        if !matches!(subject, Subject::Run(plan) if !plan.question.finds()) {
            return Err(usage(format!(
                "--trace and --balance tell how a search is shared, and this is none: {subject}"
            )));
        }
        if args.trace.as_deref() == Some(Path::new("-")) {
            return Err(usage("--trace -: it is written to a file: give its name"));
        }
        let begun = |path: &PathBuf| -> Result<_, Failure> {
            Ok((path.clone(), OutFile::create("--trace", path, force, Lasts::UntilItFails)?))
        };
        let file = args.trace.as_ref().map(begun).transpose()?;
        let trace = file.as_ref().map(|(_, file)| {
            let output: Box<dyn Write + Send> = Box::new(BufWriter::new(file.writer()));
            Trace::begin(output, &subject.to_string())
        });
        let balance = args.balance.then(Balance::default);
        let observer = Observer { trace: Mutex::new(trace), balance: Mutex::new(balance) };
        Ok(Observed { observer: Some(Arc::new(observer)), file })
    }

    /// Who takes in what is seen, if anybody does.
    pub fn observer(&self) -> Option<Arc<Observer>> {
        self.observer.clone()
    }

    /// Whether a trace is written.
    #[cfg(feature = "tui")]
    pub fn is_traced(&self) -> bool {
        self.file.is_some()
    }

    /// How well the work was shared so far, if that was asked.
    pub fn balance(&self) -> Option<BalanceFigures> {
        let observer = self.observer.as_ref()?;
        locked(&observer.balance).as_ref().map(Balance::figures)
    }

    /// Ends the trace, which gets its name.
    ///
    /// # Errors
    /// [`Failure::Running`] when not all could be written; then there is no such file.
    pub fn end(self) -> Result<(), Failure> {
        let (Some(observer), Some((path, file))) = (self.observer, self.file) else { return Ok(()) };
        let Some(trace) = locked(&observer.trace).take() else { return Ok(()) };
        let version = ("destrier".to_owned(), Value::from(env!("CARGO_PKG_VERSION")));
        let shown = path.display();
        // With it goes the writer, before the file gets its name.
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
