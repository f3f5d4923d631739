//! What the run and the threads of its clients share: the newest state, the history, and an outbox for each client.

use super::lines::{CLIENTS_MAX, CONNECTIONS_MAX, RunState};
use super::outbox::ClientOutbox;
use crate::lock::LockAlways as _;
use crate::run::frame::Frame;
use crate::run::history::RunHistory;
use crate::run::journal::{LastLine, Subject};
use crate::run::source::Wish;
use crossbeam_channel::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// A request of a client to the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewerRequest {
    /// A client has attached or selected another worker: take a frame soon.
    Look,
    /// A wish for the run.
    Wish(Wish),
}

/// What the run and the threads of its clients share.
pub struct ServerState {
    /// What the run answers.
    pub subject: Subject,
    pub(super) connections: Mutex<Connections>,
    /// Signals that a client has left.
    pub(super) client_left: Condvar,
    pub(super) requests: Sender<ViewerRequest>,
}

#[derive(Default)]
pub(super) struct Connections {
    pub(super) outboxes: Vec<Arc<ClientOutbox>>,
    pub(super) open: usize,
    pub(super) history: RunHistory,
    pub(super) state: RunState,
    pub(super) end: Option<LastLine>,
    pub(super) closed: bool,
    /// Whose turn it is among the selected workers, and the worker that was selected last.
    pub(super) turn: usize,
    pub(super) last_selected: Option<usize>,
}

impl ServerState {
    pub(super) fn connections(&self) -> MutexGuard<'_, Connections> {
        self.connections.locked()
    }

    /// Reserves a place for one more connection; `false` when the limit is reached.
    pub(super) fn reserve_connection(&self) -> bool {
        let mut connections = self.connections();
        let free = connections.open < CONNECTIONS_MAX;
        connections.open += usize::from(free);
        free
    }

    /// The newest state of the run.
    pub fn state(&self) -> RunState {
        let connections = self.connections();
        RunState { guests: connections.outboxes.len(), ..connections.state.clone() }
    }

    /// A new outbox and the frames in the history; `None` when [`CLIENTS_MAX`] clients are attached.
    pub fn admit_client(&self) -> Option<(Arc<ClientOutbox>, Vec<Frame>)> {
        let mut connections = self.connections();
        if connections.outboxes.len() >= CLIENTS_MAX {
            return None;
        }
        let outbox = Arc::new(ClientOutbox::default());
        if let Some(last) = &connections.end {
            outbox.end(last.clone());
        }
        connections.outboxes.push(Arc::clone(&outbox));
        let history = connections.history.to_frames();
        drop(connections);
        self.request(ViewerRequest::Look);
        Some((outbox, history))
    }

    /// Removes the outbox of a client that has left.
    pub fn leave(&self, outbox: &Arc<ClientOutbox>) {
        outbox.leave();
        self.connections().outboxes.retain(|other| !Arc::ptr_eq(other, outbox));
        self.client_left.notify_all();
    }

    /// Sends a request to the run, or drops it when the queue is full.
    pub fn request(&self, request: ViewerRequest) {
        let _ = self.requests.try_send(request);
    }
}
