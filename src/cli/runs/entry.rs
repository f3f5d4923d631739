//! What is known of a run without a screen: what it is, who does it, how it stands, and how it ended.

use super::folder::Folder;
use crate::claim::is_held;
use crate::cli::say::shell_word;
use crate::run::afar;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long a run may take to say how it stands.
const ANSWER_WITHIN: Duration = Duration::from_millis(500);

/// A run, as its file has it.
#[derive(Clone, Serialize, Deserialize)]
pub struct Entry {
    /// Its number.
    pub id: u32,
    /// Its process.
    pub pid: u32,
    /// What is asked, in words.
    pub question: String,
    /// When it began, in seconds since 1970.
    pub began_s: u64,
    /// What it is kept in.
    pub checkpoint: Option<PathBuf>,
    /// Its report, once it has ended.
    pub report: Option<Value>,
}

/// How a run stands.
pub enum Standing {
    /// It goes on, and says so.
    Running(afar::State),
    /// It goes on, and is too busy to say more.
    Busy,
    /// It has done all.
    Ended,
    /// It was stopped before that.
    Stopped,
    /// It went away without a word.
    Died,
}

impl Standing {
    /// Its word.
    pub fn name(&self) -> &'static str {
        match self {
            Standing::Running(state) if state.paused => "paused",
            Standing::Running(state) if state.pace.is_some() => "slowed",
            Standing::Running(_) | Standing::Busy => "running",
            Standing::Ended => "ended",
            Standing::Stopped => "stopped",
            Standing::Died => "died",
        }
    }

    /// Its word, where the run is over: it has ..
    pub fn past(&self) -> &'static str {
        match self {
            Standing::Stopped => "been stopped",
            other => other.name(),
        }
    }

    /// Whether there is somebody to look at.
    pub fn goes_on(&self) -> bool {
        matches!(self, Standing::Running(_) | Standing::Busy)
    }
}

/// Seconds since 1970.
pub fn now_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

impl Entry {
    /// How it stands.
    pub fn standing(&self, folder: &Folder) -> Standing {
        if let Some(report) = &self.report {
            return if report["complete"] == true { Standing::Ended } else { Standing::Stopped };
        }
        match afar::state(&folder.socket(self.id), ANSWER_WITHIN) {
            Ok(state) => Standing::Running(state),
            // Its socket may have been cleaned away.
            Err(error) if error.is_absence() && !self.is_at_work() => Standing::Died,
            Err(_) => Standing::Busy,
        }
    }

    /// Whether its process is there, and holds what it is kept in, if it is kept.
    fn is_at_work(&self) -> bool {
        let pid = i32::try_from(self.pid).ok().and_then(rustix::process::Pid::from_raw);
        let is_there = pid.is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok());
        // One that nobody has buried has no words any more, and another one has others.
        let words = std::fs::read(format!("/proc/{}/cmdline", self.pid));
        let is_it = words.map_or(true, |words| words.ends_with(format!("--hosted\0{}\0", self.id).as_bytes()));
        is_there && is_it && self.checkpoint.as_deref().is_none_or(is_held)
    }

    /// The command that goes on with it, if it was kept, and nobody has gone on with it.
    pub fn resume(&self) -> Option<String> {
        // Its own process may not be quite gone.
        let free = |file: &&PathBuf| file.exists() && (!is_held(file) || self.is_at_work());
        let checkpoint = self.checkpoint.as_ref().filter(free)?;
        Some(format!("destrier resume {}", shell_word(checkpoint)))
    }

    /// How long it has run, as it last said, in seconds.
    pub fn elapsed_s(&self, standing: &Standing) -> Option<f64> {
        match standing {
            Standing::Running(state) => Some(state.elapsed_s),
            _ => self.report.as_ref()?["elapsed_s"].as_f64(),
        }
    }

    /// The share that is done, as far as that is known.
    pub fn progress(&self, standing: &Standing) -> Option<f64> {
        match standing {
            Standing::Running(state) => state.progress,
            Standing::Ended => Some(1.0),
            _ => self.report.as_ref()?["progress"]["done"].as_f64(),
        }
    }
}
