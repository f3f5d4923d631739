//! Who sees a run, and is told how it ended and what was reported of it: the journal of `--record FILE`, begun before the
//! work, what else is made of it, and those who look on from elsewhere, where the run was detached.

use super::failure::{Failure, running, usage};
use super::observe::{Observed, Observer};
use super::runs::Hosted;
use super::say::say;
use crate::run::balance::BalanceFigures;
use crate::run::journal::{self, Recorder, Subject};
use crate::run::{End, RunObserver, RunObservers};
use serde::Serialize;
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Who writes a journal, if anybody does.
pub type Tap = Option<Arc<Recorder>>;

/// Who sees a run, if anybody is to.
#[derive(Default)]
pub struct Recording {
    journal: Option<(Arc<Recorder>, PathBuf)>,
    hosted: Option<Hosted>,
    observed: Observed,
}

impl Recording {
    /// Begins the journal of this subject in the file that `--record` names, if it names one.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the file exists and may not be replaced, or cannot be written.
    pub fn begin(file: Option<&Path>, force: bool, subject: impl FnOnce() -> Subject) -> Result<Recording, Failure> {
        let Some(path) = file else { return Ok(Recording::default()) };
        let refused = |why: &dyn std::fmt::Display| usage(format!("--record {}: {why}", path.display()));
        if path.is_dir() {
            return Err(refused(&"is a folder; name a file in it"));
        }
        if path == Path::new("-") {
            return Err(refused(&"a journal is a file: give its name"));
        }
        let fresh = !path.exists();
        if !fresh && !force {
            return Err(refused(&"the file exists; add --force to replace it"));
        }
        let subject = subject();
        journal::check(&subject).map_err(|why| refused(&why))?;
        // What it holds stays until there is something to write.
        let file = OpenOptions::new().write(true).truncate(false).create(force).create_new(!force).open(path);
        let recorder = file.and_then(|file| Recorder::new(file, path, fresh, subject));
        let recorder = recorder.map_err(|error| refused(&format!("cannot be written: {error}")))?;
        Ok(Recording { journal: Some((Arc::new(recorder), path.to_owned())), ..Recording::default() })
    }

    /// Who writes it, if anybody does.
    pub fn recorder(&self) -> Tap {
        self.journal.as_ref().map(|(recorder, _)| Arc::clone(recorder))
    }

    /// The same, and the run can be looked at from elsewhere, if it is hosted.
    pub fn hosted(self, hosted: Option<Hosted>) -> Recording {
        Recording { hosted, ..self }
    }

    /// The same, and this is made of what is seen.
    pub fn observed(self, observed: Observed) -> Recording {
        Recording { observed, ..self }
    }

    /// What is made of what is seen.
    #[cfg(feature = "tui")]
    pub fn observation(&self) -> &Observed {
        &self.observed
    }

    /// How well the work was shared so far, if that was asked.
    pub fn balance(&self) -> Option<BalanceFigures> {
        self.observed.balance()
    }

    /// Says that a run which had ended before is not observed any more, if it was to be.
    ///
    /// # Errors
    /// When stderr is gone.
    pub fn say_nothing_ran(&self) -> io::Result<()> {
        match self.observed.observer() {
            Some(_) => say(format_args!("the run had ended before: there is no trace and no balance of it")),
            None => Ok(()),
        }
    }

    /// Whether the run can be looked at from elsewhere.
    pub fn is_hosted(&self) -> bool {
        self.hosted.is_some()
    }

    /// Whether a journal is written.
    pub fn is_recorded(&self) -> bool {
        self.journal.is_some()
    }

    /// All who see the run.
    pub fn witnesses(&self) -> RunObservers {
        let observer = self.observed.observer().map(|observer: Arc<Observer>| observer as Arc<dyn RunObserver>);
        RunObservers::new(self.recorder(), self.hosted.as_ref().map(Hosted::host)).and(observer)
    }

    /// The journal alone, and whoever looks on from elsewhere: they are told the end when all is where it is to be.
    pub fn apart(mut self) -> (Recording, Option<Hosted>) {
        let hosted = self.hosted.take();
        (self, hosted)
    }

    /// Ends it with how the run ended and what was reported of it.
    ///
    /// # Errors
    /// [`Failure::Running`] when not all could be written; the journal is good up to there, and there is no trace.
    pub fn end(self, end: Option<End>, report: Option<&impl Serialize>) -> Result<(), Failure> {
        let traced = self.observed.end();
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
