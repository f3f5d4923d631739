//! The server beside a run: a socket, and an outbox with the newest frame for each client.

use super::client;
use super::lines::RunState;
use super::server_state::{Connections, ServerState, ViewerRequest};
use crate::lock::LockAlways as _;
use crate::run::frame::Frame;
use crate::run::history::RunHistory;
use crate::run::journal::{LastLine, Subject};
use crate::run::source::End;
use crossbeam_channel::Receiver;
use serde_json::Value;
use std::io;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Bytes of history that a new client receives: a slow connection sends it in seconds.
const HISTORY_BYTES: usize = 1 << 20;
/// How long the end of a run waits until all clients have received it.
const END_TIMEOUT: Duration = Duration::from_secs(3);
/// Capacity of the request queue. The server drops requests that do not fit.
const REQUESTS_MAX: usize = 256;

/// Serves a run to clients over a Unix socket.
pub struct Server {
    shared: Arc<ServerState>,
    requests: Receiver<ViewerRequest>,
    path: PathBuf,
    accepting: Mutex<Option<JoinHandle<()>>>,
}

impl Server {
    /// Opens a socket at `path` for a run of `subject`, and starts the thread that accepts clients.
    ///
    /// # Errors
    /// When the socket or the thread cannot be created.
    pub fn open(path: &Path, subject: Subject) -> io::Result<Server> {
        let listener = UnixListener::bind(path)?;
        let (sender, requests) = crossbeam_channel::bounded(REQUESTS_MAX);
        let history = RunHistory::new(HISTORY_BYTES);
        let connections = Mutex::new(Connections { history, ..Connections::default() });
        let shared = Arc::new(ServerState { subject, connections, client_left: Condvar::new(), requests: sender });
        let for_thread = Arc::clone(&shared);
        let accepting =
            std::thread::Builder::new().name("accept".to_owned()).spawn(move || accept(&listener, &for_thread))?;
        Ok(Server { shared, requests, path: path.to_owned(), accepting: Mutex::new(Some(accepting)) })
    }

    /// The requests of the clients.
    pub fn requests(&self) -> &Receiver<ViewerRequest> {
        &self.requests
    }

    /// Puts a frame in the outbox of each client.
    pub fn take(&self, frame: &Frame) {
        let mut connections = self.shared.connections();
        connections.outboxes.iter().for_each(|outbox| outbox.put(frame));
        connections.state = RunState::of(frame);
        connections.history.take(frame.clone());
    }

    /// Whether a viewer is attached.
    pub fn is_watched(&self) -> bool {
        !self.shared.connections().outboxes.is_empty()
    }

    /// The worker to select now, if it has changed. The workers that clients look at take turns.
    pub fn selected(&self) -> Option<usize> {
        let mut connections = self.shared.connections();
        let mut selected: Vec<usize> = connections.outboxes.iter().filter_map(|outbox| outbox.selected()).collect();
        selected.sort_unstable();
        selected.dedup();
        connections.turn += 1;
        let worker = *selected.get(connections.turn % selected.len().max(1))?;
        (connections.last_selected.replace(worker) != Some(worker)).then_some(worker)
    }

    /// Sends the end of the run to all clients and waits up to three seconds until they have it. Accepts no more
    /// clients. Only the first call has an effect.
    pub fn end(&self, end: Option<End>, report: Option<Value>) {
        let Some(accepting) = self.accepting.locked().take() else { return };
        let last = LastLine { end, report, lost: 0 };
        {
            let mut connections = self.shared.connections();
            connections.outboxes.iter().for_each(|outbox| outbox.end(last.clone()));
            (connections.end, connections.closed) = (Some(last), true);
        }
        // A connection wakes the accepting thread, which then sees that the server is closed.
        let woken = UnixStream::connect(&self.path);
        let _ = std::fs::remove_file(&self.path);
        if woken.is_ok() {
            let _ = accepting.join();
        }
        let connections = self.shared.connections();
        let waiting = |connections: &mut Connections| !connections.outboxes.is_empty();
        let left = self.shared.client_left.wait_timeout_while(connections, END_TIMEOUT, waiting);
        drop(left.unwrap_or_else(PoisonError::into_inner));
    }
}

/// A server dropped without a call of `end` reports that the run has failed.
impl Drop for Server {
    fn drop(&mut self) {
        self.end(Some(End::Failed), None);
    }
}

/// Accepts clients until the run has ended.
fn accept(listener: &UnixListener, shared: &Arc<ServerState>) {
    for stream in listener.incoming() {
        if shared.connections().closed {
            return;
        }
        match stream {
            // Connection limit reached: close this connection at once.
            Ok(_) if !shared.reserve_connection() => {}
            Ok(stream) => {
                let serving = Arc::clone(shared);
                let serve = move || {
                    client::serve(stream, &serving);
                    serving.connections().open -= 1;
                };
                // Without a thread the connection closes.
                if std::thread::Builder::new().name("client".to_owned()).spawn(serve).is_err() {
                    shared.connections().open -= 1;
                }
            }
            // Too many open files: wait until some are closed.
            Err(_) => std::thread::sleep(Duration::from_millis(100)),
        }
    }
}
