//! Where the newest frame lies until a guest takes it.

use super::lines::AHEAD;
use crate::lock::LockAlways as _;
use crate::run::frame::{Body, Frame};
use crate::run::journal::LastLine;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Events of frames that were skipped, at most: beyond that the oldest go, and are counted as lost.
const EVENTS_MAX: usize = 1 << 14;

/// The desk of one guest.
#[derive(Default)]
pub struct ClientOutbox {
    top: Mutex<Top>,
    news: Condvar,
}

#[derive(Default)]
struct Top {
    /// The newest frame, with what those alone had that it overtook.
    frame: Option<Box<Frame>>,
    /// Events that were too many, since the beginning.
    events_lost: u64,
    /// Frames that may be taken.
    more: u32,
    end: Option<LastLine>,
    gone: bool,
    /// The worker that it looks at.
    selected: Option<usize>,
}

/// What a guest is sent next.
pub enum Next {
    /// A frame.
    Frame(Box<Frame>),
    /// How the run ended.
    End(LastLine),
    /// Nothing: it has gone.
    Nothing,
}

impl ClientOutbox {
    fn top(&self) -> MutexGuard<'_, Top> {
        self.top.locked()
    }

    fn change(&self, change: impl FnOnce(&mut Top)) {
        change(&mut self.top());
        self.news.notify_all();
    }

    /// Puts a frame there, over the one that lies there.
    pub fn put(&self, frame: &Frame) {
        self.change(|top| {
            let mut frame = Box::new(frame.clone());
            if let Some(overtaken) = top.frame.take() {
                top.events_lost += overtake(*overtaken, &mut frame);
            }
            top.frame = Some(frame);
        });
    }

    /// So many frames more may be taken.
    pub fn ask(&self, more: u32) {
        self.change(|top| top.more = top.more.saturating_add(more).min(AHEAD));
    }

    /// The run has ended so.
    pub fn end(&self, last: LastLine) {
        self.change(|top| top.end = Some(last));
    }

    /// The guest has gone.
    pub fn leave(&self) {
        self.change(|top| top.gone = true);
    }

    /// The guest looks at this worker.
    pub fn select(&self, worker: usize) {
        self.change(|top| top.selected = Some(worker));
    }

    /// The worker that the guest looks at, if it has said so.
    pub fn selected(&self) -> Option<usize> {
        self.top().selected
    }

    /// Waits for what comes next.
    pub fn next(&self) -> Next {
        let mut top = self.top();
        loop {
            if top.gone {
                return Next::Nothing;
            }
            // The last frame comes before the end, asked for or not.
            let may = top.more > 0 || top.end.is_some();
            if let Some(mut frame) = top.frame.take_if(|_| may) {
                top.more = top.more.saturating_sub(1);
                if let Body::Tree(tree) = &mut frame.body {
                    tree.snapshot.events_lost += top.events_lost;
                }
                return Next::Frame(frame);
            }
            if let Some(last) = top.end.take() {
                return Next::End(last);
            }
            top = self.news.wait(top).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Gives a frame what only the one had that it overtakes; answers how many events were too many.
fn overtake(old: Frame, new: &mut Frame) -> u64 {
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
