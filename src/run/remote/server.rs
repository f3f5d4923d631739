//! The server beside a run: a socket, and an outbox with the newest frame for each client.

use super::lines::{
    AHEAD, CLIENT_TIMEOUT, CLIENTS_MAX, CONNECTIONS_MAX, ClientLine, Hello, LINE_MAX, Purpose, RunState, line,
};
use crate::bounded::json_line;
use crate::lock::LockAlways as _;
use crate::run::frame::{Body, FORMAT, Frame};
use crate::run::history::RunHistory;
use crate::run::journal::{JournalLine, LastLine, Scribe, Subject};
use crate::run::source::{End, Wish};
use crossbeam_channel::{Receiver, Sender};
use serde_json::Value;
use std::io::{self, BufReader, Write};
use std::net::Shutdown;
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
    /// The requests of the clients.
    pub requests: Receiver<ViewerRequest>,
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

    /// Puts a frame in the outbox of each client.
    pub fn take(&self, frame: &Frame) {
        let mut connections = self.shared.connections.locked();
        connections.outboxes.iter().for_each(|outbox| outbox.put(frame));
        connections.state = RunState::of(frame);
        connections.history.take(frame.clone());
    }

    /// Whether a viewer is attached.
    pub fn is_watched(&self) -> bool {
        !self.shared.connections.locked().outboxes.is_empty()
    }

    /// The worker to select now, if it has changed. The workers that clients look at take turns.
    pub fn selected(&self) -> Option<usize> {
        let mut connections = self.shared.connections.locked();
        let mut selected: Vec<usize> =
            connections.outboxes.iter().filter_map(|outbox| outbox.state.locked().selected).collect();
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
            let mut connections = self.shared.connections.locked();
            connections.outboxes.iter().for_each(|outbox| outbox.change(|state| state.end = Some(last.clone())));
            (connections.end, connections.closed) = (Some(last), true);
        }
        // A connection wakes the accepting thread, which then sees that the server is closed.
        let woken = UnixStream::connect(&self.path);
        let _ = std::fs::remove_file(&self.path);
        if woken.is_ok() {
            let _ = accepting.join();
        }
        let connections = self.shared.connections.locked();
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
        let mut connections = shared.connections.locked();
        if connections.closed {
            return;
        }
        match stream {
            // Connection limit reached: close this connection at once.
            Ok(_) if connections.open >= CONNECTIONS_MAX => {}
            Ok(stream) => {
                connections.open += 1;
                drop(connections);
                let serving = Arc::clone(shared);
                let serve = move || {
                    serve(stream, &serving);
                    serving.connections.locked().open -= 1;
                };
                // Without a thread the connection closes.
                if std::thread::Builder::new().name("client".to_owned()).spawn(serve).is_err() {
                    shared.connections.locked().open -= 1;
                }
            }
            // Too many open files: wait until some are closed.
            Err(_) => {
                drop(connections);
                std::thread::sleep(Duration::from_millis(100));
            }
        }
    }
}

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
    /// The newest state of the run.
    pub fn state(&self) -> RunState {
        let connections = self.connections.locked();
        RunState { guests: connections.outboxes.len(), ..connections.state.clone() }
    }

    /// A new outbox and the frames in the history; `None` when [`CLIENTS_MAX`] clients are attached.
    pub fn admit_client(&self) -> Option<(Arc<ClientOutbox>, Vec<Frame>)> {
        let mut connections = self.connections.locked();
        if connections.outboxes.len() >= CLIENTS_MAX {
            return None;
        }
        let outbox = Arc::new(ClientOutbox::default());
        if let Some(last) = &connections.end {
            outbox.change(|state| state.end = Some(last.clone()));
        }
        connections.outboxes.push(Arc::clone(&outbox));
        let history = connections.history.to_frames();
        drop(connections);
        self.request(ViewerRequest::Look);
        Some((outbox, history))
    }

    /// Removes the outbox of a client that has left.
    pub fn leave(&self, outbox: &Arc<ClientOutbox>) {
        outbox.change(|state| state.left = true);
        self.connections.locked().outboxes.retain(|other| !Arc::ptr_eq(other, outbox));
        self.client_left.notify_all();
    }

    /// Sends a request to the run, or drops it when the queue is full.
    pub fn request(&self, request: ViewerRequest) {
        let _ = self.requests.try_send(request);
    }
}

/// Most events kept from skipped frames. Beyond that the oldest are dropped and counted as lost.
const EVENTS_MAX: usize = 1 << 14;

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

impl ClientOutbox {
    fn change(&self, change: impl FnOnce(&mut OutboxState)) {
        change(&mut self.state.locked());
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

    /// Waits for the next line to send; `None` when the client has left.
    fn next(&self) -> Option<JournalLine<Box<Frame>>> {
        let mut state = self.state.locked();
        loop {
            if state.left {
                return None;
            }
            // The last frame is sent before the end, even without a request.
            let may = state.more > 0 || state.end.is_some();
            if let Some(mut frame) = state.frame.take_if(|_| may) {
                state.more = state.more.saturating_sub(1);
                if let Body::Tree(tree) = &mut frame.body {
                    tree.snapshot.events_lost += state.events_lost;
                }
                return Some(JournalLine::Frame(frame));
            }
            if let Some(last) = state.end.take() {
                return Some(JournalLine::Ended(last));
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

/// Compression level of zstd. Little is sent, and a client takes no more than a megabyte of memory.
const LEVEL: i32 = 3;

/// Serves a client until it disconnects or sends an invalid line.
pub fn serve(stream: UnixStream, shared: &Arc<ServerState>) {
    // The run does not depend on why a connection ends.
    let _ = serve_connection(&stream, shared);
    let _ = stream.shutdown(Shutdown::Both);
}

fn serve_connection(stream: &UnixStream, shared: &Arc<ServerState>) -> io::Result<()> {
    stream.set_read_timeout(Some(CLIENT_TIMEOUT))?;
    stream.set_write_timeout(Some(CLIENT_TIMEOUT))?;
    let mut input = BufReader::new(stream);
    let Some(hello) = json_line::<Hello>(&mut input, LINE_MAX)? else { return Ok(()) };
    let mut output = stream;
    if hello.format != FORMAT {
        // A journal's first line names the format: send that line only.
        return Scribe::begin(output, shared.subject.clone())?.output.flush();
    }
    if hello.destrier == Purpose::State {
        return output.write_all(&line(&shared.state())?);
    }
    let Some((outbox, history)) = shared.admit_client() else { return Ok(()) };
    // A viewer may send nothing for days.
    let served = stream.set_read_timeout(None).and_then(|()| exchange(stream, &mut input, shared, &outbox, &history));
    shared.leave(&outbox);
    served
}

/// Sends frames to a client and reads its requests.
fn exchange(
    stream: &UnixStream,
    input: &mut impl io::BufRead,
    shared: &Arc<ServerState>,
    outbox: &Arc<ClientOutbox>,
    history: &[Frame],
) -> io::Result<()> {
    std::thread::scope(|scope| {
        let sending = std::thread::Builder::new().name("sender".to_owned()).spawn_scoped(scope, || {
            let sent = send(stream, shared, outbox, history);
            // The client is no longer read either.
            let _ = stream.shutdown(Shutdown::Both);
            sent
        })?;
        let received = receive(input, shared, outbox);
        outbox.change(|state| state.left = true);
        // Do not wait for data that cannot be sent any more.
        let _ = stream.shutdown(Shutdown::Both);
        let _ = sending.join();
        received
    })
}

fn send(stream: &UnixStream, shared: &ServerState, outbox: &ClientOutbox, history: &[Frame]) -> io::Result<()> {
    let mut scribe = Scribe::begin(zstd::Encoder::new(stream, LEVEL)?, shared.subject.clone())?;
    history.iter().try_for_each(|frame| scribe.line(&JournalLine::Frame(frame)))?;
    loop {
        scribe.output.flush()?;
        let Some(line) = outbox.next() else { return Ok(()) };
        scribe.line(&line)?;
        if let JournalLine::Ended(_) = line {
            return scribe.output.finish().map(|_| ());
        }
    }
}

fn receive(input: &mut impl io::BufRead, shared: &ServerState, outbox: &ClientOutbox) -> io::Result<()> {
    while let Some(line) = json_line(input, LINE_MAX)? {
        match line {
            ClientLine::More(more) => {
                outbox.change(|state| state.more = state.more.saturating_add(more).min(AHEAD));
            }
            ClientLine::Wish(Wish::Select(worker)) => {
                outbox.change(|state| state.selected = Some(worker));
                shared.request(ViewerRequest::Look);
            }
            // A viewer that detaches does not end the run.
            ClientLine::Wish(Wish::Stop) => {}
            ClientLine::Wish(wish) => shared.request(ViewerRequest::Wish(wish)),
        }
    }
    Ok(())
}
