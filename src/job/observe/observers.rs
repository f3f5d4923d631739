//! All that observes a run without a screen: the journal of `--record FILE`, the trace and the balance, and the viewers of
//! other processes, where the run is detached. All are told how the run ended.

use super::trace::{TraceOptions, Tracing};
use crate::job::detached::HostedRun;
use crate::job::failure::{Failure, running, usage};
use crate::job::say::say;
use crate::run::journal::{self, Recorder, Subject};
use crate::run::{End, RunObservers};
use serde::Serialize;
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is to observe a run.
#[derive(Clone, Default, Debug)]
pub struct ObserveOptions {
    /// The file of the journal.
    pub record: Option<PathBuf>,
    /// The trace and the balance.
    pub traced: TraceOptions,
    /// Whether existing files may be replaced.
    pub force: bool,
}

impl ObserveOptions {
    /// Reports that a run which has ended before is not observed, if it was to be.
    ///
    /// # Errors
    /// When stderr is gone.
    pub fn say_nothing_ran(&self) -> io::Result<()> {
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
}

impl Observation {
    /// Begins the files of the observers of a run of this subject.
    ///
    /// # Errors
    /// [`Failure::Usage`] when a file exists and may not be replaced, or cannot be written.
    pub fn begin(options: &ObserveOptions, subject: &Subject) -> Result<Observation, Failure> {
        let tracing = Tracing::begin(&options.traced, options.force, subject)?;
        let journal = options.record.as_deref().map(|path| begin_journal(path, options.force, subject)).transpose()?;
        Ok(Observation { journal, hosted: None, tracing })
    }

    /// All observers of the run.
    pub fn observers(&self) -> RunObservers {
        RunObservers {
            recorder: self.journal.as_ref().map(|(recorder, _)| Arc::clone(recorder)),
            server: self.hosted.as_ref().map(HostedRun::server),
            observer: self.tracing.observer(),
        }
    }

    /// Whether a journal is written.
    pub fn is_recorded(&self) -> bool {
        self.journal.is_some()
    }

    /// Ends the journal and the trace with the end of the run and its report.
    ///
    /// # Errors
    /// [`Failure::Running`] when not all could be written; the journal is good up to there, and there is no trace.
    pub fn end(self, end: Option<End>, report: Option<&impl Serialize>) -> Result<(), Failure> {
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
    let refused = |why: &dyn std::fmt::Display| usage(format!("--record {}: {why}", path.display()));
    if path.is_dir() {
        return Err(refused(&"is a folder; name a file in it"));
    }
    if path == Path::new("-") {
        return Err(refused(&"a journal is a file: give its name"));
    }
    // A pipe would wait for a reader.
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(refused(&"is no regular file; name another file"));
    }
    let fresh = !path.exists();
    if !fresh && !force {
        return Err(refused(&"the file exists; add --force to replace it"));
    }
    journal::check(subject).map_err(|why| refused(&why))?;
    // An existing file keeps its contents until there is something to write.
    let file = OpenOptions::new().write(true).truncate(false).create(force).create_new(!force).open(path);
    let recorder = file.and_then(|file| Recorder::new(file, path, fresh, subject.clone()));
    let recorder = recorder.map_err(|error| refused(&format!("cannot be written: {error}")))?;
    Ok((Arc::new(recorder), path.to_owned()))
}
