//! The lines between a run and its viewers in other processes, and the limits of the connections.

use crate::count;
use crate::run::frame::{Body, FORMAT, Frame};
use crate::run::source::Wish;
use crate::words::share;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read};
use std::time::Duration;

/// Bytes of a line that is asked, at most.
pub const LINE_MAX: u64 = 1 << 12;
/// How long a guest may take for its first line, or to take in what was sent.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// Guests at the same time, at most.
pub const GUESTS_MAX: usize = 64;
/// Connections at the same time, at most, those included that have said nothing yet.
pub(super) const CONNECTIONS_MAX: usize = 80;
/// Frames that may be asked for ahead.
pub(super) const AHEAD: u32 = 2;

/// The first line of somebody who asks.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hello {
    pub(super) destrier: Purpose,
    pub(super) format: u32,
}

impl Hello {
    pub(super) fn new(destrier: Purpose) -> Hello {
        Hello { destrier, format: FORMAT }
    }
}

/// What somebody comes for.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Purpose {
    /// To look on.
    Attach,
    /// To know how far it is.
    State,
}

/// Any other line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ClientLine {
    /// So many frames more.
    More(u32),
    /// A wish.
    Wish(Wish),
}

/// How far a run is.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunState {
    /// Whether it is held.
    pub paused: bool,
    /// Nodes a second that each worker is limited to, if they are.
    pub pace: Option<u32>,
    /// The share that is done, as far as that is known.
    pub progress: Option<f64>,
    /// How long it has run.
    pub elapsed_s: f64,
    /// Tours found so far, where they are listed.
    pub tours: Option<u64>,
    /// How many look on.
    pub guests: usize,
}

impl RunState {
    /// What a frame says of it.
    pub(super) fn of(frame: &Frame) -> RunState {
        let elapsed_s = frame.at().as_secs_f64();
        match &frame.body {
            Body::Tree(tree) => RunState {
                paused: tree.snapshot.paused,
                pace: tree.snapshot.pace,
                progress: tree.snapshot.progress().map(|progress| progress.done()),
                elapsed_s,
                tours: Some(tree.snapshot.tours()),
                guests: 0,
            },
            Body::Count(seen) => {
                let counts = matches!(seen.phase, count::CountPhase::Counting | count::CountPhase::Done);
                let progress = counts.then(|| share(seen.states, seen.states_planned));
                RunState { progress, elapsed_s, ..RunState::default() }
            }
            Body::Map(_) | Body::Cycles(_) | Body::Campaign(_) => RunState { elapsed_s, ..RunState::default() },
        }
    }
}

/// Reads a line that is not too long; nothing at the end.
pub(super) fn read_line(input: &mut impl io::BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input.take(LINE_MAX).read_until(b'\n', &mut line)?;
    match line.last() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(line)),
        Some(_) => Err(io::Error::new(io::ErrorKind::InvalidData, "a line that is too long, or cut off")),
    }
}

/// A line that says this.
pub(super) fn line(said: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(said)?;
    line.push(b'\n');
    Ok(line)
}
