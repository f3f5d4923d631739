//! A run that is looked at from another process: a journal that is read over a socket while it is written.
//!
//! ```text
//!  Attached (a Source)                                   Host (beside the run)
//!    {"destrier":"attach","format":3}         ------->
//!    {"more":2}                               ------->     two frames may come
//!                                             <-------   the first line of a journal, and what is kept of the past
//!                                             <-------   the newest frame
//!    {"more":1}   once a frame was looked at  ------->
//!    {"wish":{"pause":true}}                  ------->   told to the run
//!                                             <-------   the newest frame by then; frames between are skipped
//!                                             <-------   the last line: how it ended
//! ```
//!
//! What goes to whoever looks on is a [journal](super::journal), compressed by zstd; what comes from there are short
//! lines of JSON. A frame is sent when one more was asked for, and then it is the newest: so nothing is queued anywhere on
//! the way, and somebody behind a slow line sees fewer frames, not older ones. What a skipped frame alone has, its events
//! and its positions, goes with the next one. The run waits for nobody: it puts its frame on the desk of each guest, and
//! a thread for each sends what lies there.
//!
//! Two ask for other things: `{"destrier":"state","format":3}` is answered by one line that says how far the run is, and
//! the connection ends. A first line that is neither, a later one that is no line of these, or longer than [`LINE_MAX`], and
//! a guest that takes nothing for [`PATIENCE`] end that connection, and nothing else.

mod attached;
mod desk;
mod guest;
mod host;
mod wanted;

#[cfg(test)]
mod tests;

pub use attached::{AttachError, Attached, state};
pub use host::{Host, Word};

use super::{Body, FORMAT, Frame, Wish};
use crate::count;
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
const CONNECTIONS_MAX: usize = 80;
/// Frames that may be asked for ahead.
const AHEAD: u32 = 2;

/// The first line of somebody who asks.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hello {
    destrier: Purpose,
    format: u32,
}

impl Hello {
    fn new(destrier: Purpose) -> Hello {
        Hello { destrier, format: FORMAT }
    }
}

/// What somebody comes for.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Purpose {
    /// To look on.
    Attach,
    /// To know how far it is.
    State,
}

/// Any other line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Asked {
    /// So many frames more.
    More(u32),
    /// A wish.
    Wish(Wish),
}

/// How far a run is.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct State {
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

impl State {
    /// What a frame says of it.
    fn of(frame: &Frame) -> State {
        let elapsed_s = frame.at().as_secs_f64();
        match &frame.body {
            Body::Tree(tree) => State {
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
                State { progress, elapsed_s, ..State::default() }
            }
            Body::Map(_) | Body::Cycles(_) | Body::Campaign(_) => State { elapsed_s, ..State::default() },
        }
    }
}

/// Reads a line that is not too long; nothing at the end.
fn read_line(input: &mut impl io::BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input.take(LINE_MAX).read_until(b'\n', &mut line)?;
    match line.last() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(line)),
        Some(_) => Err(io::Error::new(io::ErrorKind::InvalidData, "a line that is too long, or cut off")),
    }
}

/// A line that says this.
fn line(said: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(said)?;
    line.push(b'\n');
    Ok(line)
}
