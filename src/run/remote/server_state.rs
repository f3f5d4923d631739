//! What the run and the threads that serve its viewers share: the newest state, the past, and a desk for each viewer.

use super::lines::{CONNECTIONS_MAX, GUESTS_MAX, RunState};
use super::outbox::ClientOutbox;
use crate::lock::LockAlways as _;
use crate::run::frame::Frame;
use crate::run::history::RunHistory;
use crate::run::journal::{LastLine, Subject};
use crate::run::source::Wish;
use crossbeam_channel::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// What guests say to a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewerRequest {
    /// That one has come, and wants to see something, or another worker.
    Look,
    /// A wish.
    Wish(Wish),
}

/// What the run and the threads of its guests share.
pub struct ServerState {
    /// What is run.
    pub subject: Subject,
    pub(super) room: Mutex<Connections>,
    /// Somebody has gone.
    pub(super) gone: Condvar,
    pub(super) words: Sender<ViewerRequest>,
}

pub(super) struct Connections {
    pub(super) desks: Vec<Arc<ClientOutbox>>,
    pub(super) connections: usize,
    pub(super) past: RunHistory,
    pub(super) state: RunState,
    pub(super) end: Option<LastLine>,
    pub(super) closed: bool,
    /// Whose turn it is to see the worker that it looks at, and which worker was looked at last.
    pub(super) turn: usize,
    pub(super) told: Option<usize>,
}

impl ServerState {
    pub(super) fn room(&self) -> MutexGuard<'_, Connections> {
        self.room.locked()
    }

    /// Whether there is room for another connection, which then is counted.
    pub(super) fn admits(&self) -> bool {
        let mut room = self.room();
        let admits = room.connections < CONNECTIONS_MAX;
        room.connections += usize::from(admits);
        admits
    }

    /// How far the run is.
    pub fn state(&self) -> RunState {
        let room = self.room();
        RunState { guests: room.desks.len(), ..room.state.clone() }
    }

    /// A desk for somebody who comes, and what was seen before; nothing when there are too many.
    pub fn enter(&self) -> Option<(Arc<ClientOutbox>, Vec<Frame>)> {
        let mut room = self.room();
        if room.desks.len() >= GUESTS_MAX {
            return None;
        }
        let desk = Arc::new(ClientOutbox::default());
        if let Some(last) = &room.end {
            desk.end(last.clone());
        }
        room.desks.push(Arc::clone(&desk));
        let past = room.past.told();
        drop(room);
        self.say(ViewerRequest::Look);
        Some((desk, past))
    }

    /// Somebody goes.
    pub fn leave(&self, desk: &Arc<ClientOutbox>) {
        desk.leave();
        self.room().desks.retain(|other| !Arc::ptr_eq(other, desk));
        self.gone.notify_all();
    }

    /// Says something to the run, which may be too busy with what was said before.
    pub fn say(&self, word: ViewerRequest) {
        let _ = self.words.try_send(word);
    }
}
