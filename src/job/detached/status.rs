//! The state of a run of another process: it answers, it has ended, or its process is gone.

use super::folder::{RunEntry, RunsFolder};
use crate::claim::is_held;
use crate::job::command_line::CommandLine;
use crate::job::fault::{Failure, usage};
use crate::run::remote;
use std::time::Duration;

/// How long a run may take to answer.
const ANSWER_WITHIN: Duration = Duration::from_millis(500);

/// The state of a run.
pub enum RunStatus {
    /// It runs, and answers.
    Running(remote::RunState),
    /// It runs, and is too busy to answer.
    Busy,
    /// It is complete.
    Ended,
    /// It was stopped before its end.
    Stopped,
    /// It has reported or its process is gone, and its checkpoint is still locked: it cannot be resumed yet.
    Ending,
    /// Its process is gone without a report, and its checkpoint is free, or another run of the folder has it.
    Died,
}

impl RunStatus {
    /// The name of the state.
    pub fn name(&self) -> &'static str {
        match self {
            RunStatus::Running(state) if state.paused => "paused",
            RunStatus::Running(state) if state.pace.is_some() => "slowed",
            RunStatus::Running(_) | RunStatus::Busy => "running",
            RunStatus::Ended => "ended",
            RunStatus::Stopped => "stopped",
            RunStatus::Ending => "ending",
            RunStatus::Died => "died",
        }
    }

    /// The state of a run that is over, as a participle: it has ..
    pub fn past(&self) -> &'static str {
        match self {
            RunStatus::Stopped => "been stopped",
            RunStatus::Ending => "not quite ended",
            other => other.name(),
        }
    }

    /// Whether the run continues.
    pub fn goes_on(&self) -> bool {
        matches!(self, RunStatus::Running(_) | RunStatus::Busy)
    }
}

impl RunEntry {
    /// The state of the run now. Takes over a report that the run has written since the entry was read.
    pub fn status(&mut self, folder: &RunsFolder) -> RunStatus {
        if self.report.is_none() {
            match remote::state(&folder.socket(self.id), ANSWER_WITHIN) {
                Ok(state) => return RunStatus::Running(state),
                // Its socket may have been cleaned away.
                Err(error) if !error.is_absence() || self.is_at_work() => return RunStatus::Busy,
                Err(_) => self.report = folder.entry(self.id).and_then(|now| now.report),
            }
        }
        match &self.report {
            Some(report) if report["complete"] == true => RunStatus::Ended,
            Some(_) if self.is_at_work() => RunStatus::Ending,
            Some(_) => RunStatus::Stopped,
            None if self.is_held() && self.resumed_by(folder).is_none() => RunStatus::Ending,
            None => RunStatus::Died,
        }
    }

    /// Whether its checkpoint is locked.
    fn is_held(&self) -> bool {
        self.checkpoint.as_deref().is_some_and(is_held)
    }

    /// The number of the run that has resumed this one and works, if there is one.
    pub fn resumed_by(&self, folder: &RunsFolder) -> Option<u32> {
        let others = folder.entries().ok().filter(|_| self.is_held())?;
        let mut others = others.filter(|other| other.id != self.id && other.checkpoint == self.checkpoint);
        // One that goes on at a terminal is known by its answer.
        let answers = |other: &RunEntry| remote::state(&folder.socket(other.id), ANSWER_WITHIN).is_ok();
        others.find(|other| other.is_at_work() || answers(other)).map(|other| other.id)
    }

    /// The number of the last run that began with its checkpoint.
    pub fn followed_by(&self, folder: &RunsFolder) -> Option<u32> {
        let later = |other: &RunEntry| other.id > self.id && other.checkpoint == self.checkpoint;
        let others = folder.entries().ok().filter(|_| self.checkpoint.is_some())?;
        others.filter(later).map(|other| other.id).max()
    }

    /// Whether its process exists and holds its checkpoint, if it has one.
    fn is_at_work(&self) -> bool {
        let pid = i32::try_from(self.pid).ok().and_then(rustix::process::Pid::from_raw);
        let is_there = pid.is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok());
        // A process that has ended and was not waited for has no command line, and another process has another one.
        let words = std::fs::read(format!("/proc/{}/cmdline", self.pid));
        let is_it = words.map_or(true, |words| words.ends_with(format!("--hosted\0{}\0", self.id).as_bytes()));
        is_there && is_it && self.checkpoint.as_deref().is_none_or(is_held)
    }

    /// The command that resumes it, of a run that was stopped or died and has saved itself.
    pub fn resume(&self, status: &RunStatus) -> Option<String> {
        let is_over = matches!(status, RunStatus::Stopped | RunStatus::Died);
        let checkpoint = self.checkpoint.as_ref().filter(|file| is_over && file.exists())?;
        Some(CommandLine::resume(checkpoint, false).to_string())
    }

    /// How long it has run, as it last said, in seconds.
    pub fn elapsed_s(&self, status: &RunStatus) -> Option<f64> {
        match status {
            RunStatus::Running(state) => Some(state.elapsed_s),
            _ => self.report.as_ref()?["elapsed_s"].as_f64(),
        }
    }

    /// The share that is done, as far as that is known.
    pub fn progress(&self, status: &RunStatus) -> Option<f64> {
        match status {
            RunStatus::Running(state) => state.progress,
            RunStatus::Ended => Some(1.0),
            // Of a search, or of a count.
            _ => {
                let report = self.report.as_ref()?;
                report["progress"]["done"].as_f64().or_else(|| report["done"]["share"].as_f64())
            }
        }
    }
}

/// The run of a number.
///
/// # Errors
/// [`Failure::Usage`] when there is none.
pub fn known_run(folder: Option<&RunsFolder>, id: u32) -> Result<(&RunsFolder, RunEntry), Failure> {
    let found = folder.and_then(|folder| Some((folder, folder.read(id)?)));
    let (folder, read) = found.ok_or_else(|| usage(format!("there is no run {id}; destrier runs lists them")))?;
    read.map(|entry| (folder, entry)).map_err(|why| usage(format!("run {id} is {why}")))
}
