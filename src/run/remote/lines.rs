//! The lines between a server and its clients, and the limits of the connections.

use crate::count;
use crate::run::frame::{Body, FORMAT, Frame};
use crate::run::source::Wish;
use crate::words::share;
use serde::{Deserialize, Serialize};
use std::io;
use std::time::Duration;

/// Most bytes in a line from a client.
pub const LINE_MAX: u64 = 1 << 12;
/// How long a client may take to send its first line, or to read what was sent.
pub const CLIENT_TIMEOUT: Duration = Duration::from_secs(20);
/// Most viewers attached at one time.
pub const CLIENTS_MAX: usize = 64;
/// Most connections at one time, including clients that have sent nothing yet.
pub(super) const CONNECTIONS_MAX: usize = 80;
/// Most frames that a client may request ahead.
pub(super) const AHEAD: usize = 2;
/// The version of the lines between a server and its clients, which have frames of the version [`FORMAT`].
pub(super) const PROTOCOL: u32 = 100 + FORMAT;

/// The first line from a client.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hello {
    pub(super) destrier: Purpose,
    pub(super) format: u32,
}

impl Hello {
    pub(super) fn new(destrier: Purpose) -> Hello {
        Hello { destrier, format: PROTOCOL }
    }
}

/// What a client requests.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Purpose {
    /// Frames until the run ends.
    Attach,
    /// One line with the state of the run.
    State,
}

/// A later line from a client.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ClientLine {
    /// The client can take another frame.
    More,
    /// A wish for the run.
    Wish(Wish),
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunState {
    /// Whether the run is paused.
    pub paused: bool,
    /// Limit of nodes per second for each worker, if there is one.
    pub pace: Option<u32>,
    /// Share of the work that is done, 0..=1, if known.
    pub progress: Option<f64>,
    /// Seconds since the run began, without pauses.
    pub elapsed_s: f64,
    /// Viewers attached.
    pub guests: usize,
}

impl RunState {
    /// The state that a frame shows.
    pub(super) fn of(frame: &Frame) -> RunState {
        let elapsed_s = frame.at().as_secs_f64();
        match &frame.body {
            Body::Tree(tree) => RunState {
                paused: tree.snapshot.paused,
                pace: tree.snapshot.pace,
                progress: tree.snapshot.progress().map(|progress| progress.done()),
                elapsed_s: tree.snapshot.ran().as_secs_f64(),
                guests: 0,
            },
            Body::Count(seen) => {
                let counts = matches!(seen.phase, count::CountPhase::Counting | count::CountPhase::Done);
                let progress = counts.then(|| share(seen.states, seen.states_planned));
                RunState { progress, elapsed_s, ..RunState::default() }
            }
            Body::Map(_) | Body::Cycles(_) => RunState { elapsed_s, ..RunState::default() },
        }
    }
}

/// Writes a value as one line of JSON.
pub(super) fn line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}
