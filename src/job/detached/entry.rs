//! What the folder of runs knows of a run: its question, its process, and how it ended.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// A run, as its file has it.
#[derive(Clone, Serialize, Deserialize)]
pub struct RunEntry {
    /// Its number.
    pub id: u32,
    /// Its process.
    pub pid: u32,
    /// Its question, in words.
    pub question: String,
    /// When it began, in seconds since 1970.
    pub began_s: u64,
    /// The file that it is saved in.
    pub checkpoint: Option<PathBuf>,
    /// Its report, once it has ended.
    pub report: Option<Value>,
}

/// Seconds since 1970.
pub fn now_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
