//! Holds the newest frame until a client takes it.

use super::lines::AHEAD;
use crate::lock::LockAlways as _;
use crate::run::frame::{Body, Frame};
use crate::run::journal::LastLine;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Most events kept from skipped frames. Beyond that the oldest are dropped and counted as lost.
const EVENTS_MAX: usize = 1 << 14;

/// The outbox of one client.
#[derive(Default)]
pub struct ClientOutbox {
    state: Mutex<OutboxState>,
    changed: Condvar,
}

#[derive(Default)]
struct OutboxState {
    /// The newest frame, with the events and positions of the frames it replaced.
    frame: Option<Box<Frame>>,
    /// Events dropped since the run began.
    events_lost: u64,
    /// Frames that the client has requested and not received.
    more: u32,
    end: Option<LastLine>,
    left: bool,
    /// The worker that the client looks at.
    selected: Option<usize>,
}

/// What to send to a client next.
pub enum Next {
    /// A frame.
    Frame(Box<Frame>),
    /// How the run ended.
    End(LastLine),
    /// Nothing: the client has left.
    Left,
}

impl ClientOutbox {
    fn state(&self) -> MutexGuard<'_, OutboxState> {
        self.state.locked()
    }

    fn change(&self, change: impl FnOnce(&mut OutboxState)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Stores a frame in place of the one that was not taken.
    pub fn put(&self, frame: &Frame) {
        self.change(|state| {
            let mut frame = Box::new(frame.clone());
            if let Some(skipped) = state.frame.take() {
                state.events_lost += merge_skipped(*skipped, &mut frame);
            }
            state.frame = Some(frame);
        });
    }

    /// The client requests `more` frames.
    pub fn allow(&self, more: u32) {
        self.change(|state| state.more = state.more.saturating_add(more).min(AHEAD));
    }

    /// Stores the end of the run.
    pub fn end(&self, last: LastLine) {
        self.change(|state| state.end = Some(last));
    }

    /// Marks the client as gone.
    pub fn leave(&self) {
        self.change(|state| state.left = true);
    }

    /// The client looks at this worker.
    pub fn select(&self, worker: usize) {
        self.change(|state| state.selected = Some(worker));
    }

    /// The worker that the client looks at, if it has selected one.
    pub fn selected(&self) -> Option<usize> {
        self.state().selected
    }

    /// Waits for the next thing to send.
    pub fn next(&self) -> Next {
        let mut state = self.state();
        loop {
            if state.left {
                return Next::Left;
            }
            // The last frame is sent before the end, even without a request.
            let may = state.more > 0 || state.end.is_some();
            if let Some(mut frame) = state.frame.take_if(|_| may) {
                state.more = state.more.saturating_sub(1);
                if let Body::Tree(tree) = &mut frame.body {
                    tree.snapshot.events_lost += state.events_lost;
                }
                return Next::Frame(frame);
            }
            if let Some(last) = state.end.take() {
                return Next::End(last);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Moves the events and missing positions of a skipped frame into the newer one. Returns how many events were dropped.
fn merge_skipped(old: Frame, new: &mut Frame) -> u64 {
    let mut events = old.events;
    events.append(&mut new.events);
    let lost = events.len().saturating_sub(EVENTS_MAX);
    events.drain(..lost);
    new.events = events;
    if let (Body::Tree(old), Body::Tree(new)) = (old.body, &mut new.body) {
        let missing = |worker: usize| new.positions.iter().all(|(other, _)| *other != worker);
        let kept: Vec<_> = old.positions.into_iter().filter(|(worker, _)| missing(*worker)).collect();
        new.positions.extend(kept);
        new.positions.sort_by_key(|(worker, _)| *worker);
    }
    lost as u64
}
