//! The server beside a run: a socket, and for each viewer the newest frame.

use super::lines::{AHEAD, CLIENT_TIMEOUT, CLIENTS_MAX, CONNECTIONS_MAX, ClientLine, Hello, LINE_MAX, PROTOCOL};
use super::lines::{Purpose, RunState, line};
use crate::bounded::json_line;
use crate::lock::LockAlways as _;
use crate::run::frame::{Frame, NewestFrame};
use crate::run::history::RunHistory;
use crate::run::journal::{JournalLine, LastLine, Scribe, Subject};
use crate::run::source::{End, Wish};
use crate::system;
use crossbeam_channel::{Receiver, Sender};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Bytes of history that a new client receives: a slow connection sends it in seconds.
const HISTORY_BYTES: usize = 1 << 20;
/// Most lines in which the history is sent: a slow connection shows the first soon.
const HISTORY_LINES: usize = 16;
/// How long the end of a run waits until all clients have received it.
const END_TIMEOUT: Duration = Duration::from_secs(3);
/// Capacity of the request queue. The server drops requests that do not fit.
const REQUESTS_MAX: usize = 256;
/// Compression level of zstd. Little is sent, and a client takes no more than a megabyte of memory.
const LEVEL: i32 = 3;

/// Serves a run to clients over a Unix socket.
pub struct Server {
    shared: Arc<ServerState>,
    /// The wishes of the viewers, by their numbers, and `None` for a viewer that is new or has selected another worker.
    pub requests: Receiver<Option<(u64, Wish)>>,
    path: PathBuf,
    /// The socket's own number: the process that resumes the run may have put its own one there.
    inode: u64,
}

impl Server {
    /// Opens a socket at `path` for a run of `subject`, and starts the thread that accepts clients.
    ///
    /// # Errors
    /// When the socket or the thread cannot be created.
    pub fn open(path: &Path, subject: Subject) -> io::Result<Server> {
        let listener = UnixListener::bind(path)?;
        let inode = std::fs::metadata(path)?.ino();
        let (sender, requests) = crossbeam_channel::bounded(REQUESTS_MAX);
        let run = ServedRun { history: RunHistory::new(HISTORY_BYTES), ..ServedRun::default() };
        let (run, changed) = (Mutex::new(run), Condvar::new());
        let shared = Arc::new(ServerState { subject, run, changed, requests: sender });
        let accepting = Arc::clone(&shared);
        // It ends with the process: after the end no client finds the socket.
        system::start("accepting", move || accept(&listener, &accepting))?;
        Ok(Server { shared, requests, path: path.to_owned(), inode })
    }

    /// Leaves a frame for every viewer.
    pub fn take(&self, frame: &Frame) {
        let mut run = self.shared.run.locked();
        for viewer in run.viewers.values_mut() {
            viewer.newest.put(frame.clone());
            viewer.heard_by_newest = viewer.heard;
        }
        run.history.take(frame.clone());
        drop(run);
        self.shared.changed.notify_all();
    }

    /// Says that the run has heard a wish of this viewer, which later frames show.
    pub fn heard(&self, viewer: u64) {
        self.shared.heard(viewer);
    }

    /// Whether a viewer is attached.
    pub fn is_watched(&self) -> bool {
        !self.shared.run.locked().viewers.is_empty()
    }

    /// The worker to select now, if it has changed. The workers that viewers look at take turns.
    pub fn selected(&self) -> Option<usize> {
        let mut run = self.shared.run.locked();
        let mut selected: Vec<usize> = run.viewers.values().filter_map(|viewer| viewer.selected).collect();
        selected.sort_unstable();
        selected.dedup();
        run.turn += 1;
        let worker = *selected.get(run.turn % selected.len().max(1))?;
        (run.selected.replace(worker) != Some(worker)).then_some(worker)
    }

    /// Sends the end of the run to all viewers and waits up to three seconds until they have it. Only the first call has
    /// an effect.
    pub fn end(&self, end: Option<End>, report: Option<Value>) {
        let mut run = self.shared.run.locked();
        if run.end.is_some() {
            return;
        }
        run.end = Some(LastLine { end, report, ..LastLine::default() });
        if std::fs::metadata(&self.path).is_ok_and(|socket| socket.ino() == self.inode) {
            let _ = std::fs::remove_file(&self.path);
        }
        self.shared.changed.notify_all();
        let are_left = |run: &mut ServedRun| !run.viewers.is_empty();
        let waited = self.shared.changed.wait_timeout_while(run, END_TIMEOUT, are_left);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

/// A server dropped without a call of `end` reports that the run has failed.
impl Drop for Server {
    fn drop(&mut self) {
        self.end(Some(End::Failed), None);
    }
}

/// What the run and the threads of its clients share.
struct ServerState {
    subject: Subject,
    run: Mutex<ServedRun>,
    /// Signals that the run, or one of its viewers, has changed.
    changed: Condvar,
    requests: Sender<Option<(u64, Wish)>>,
}

#[derive(Default)]
struct ServedRun {
    history: RunHistory,
    /// The viewers, in the order in which they came.
    viewers: BTreeMap<u64, ServedViewer>,
    /// The number of the next viewer. None is used again, as the thread of a viewer that left may still wait for frames.
    next_id: u64,
    /// Whose turn it is among the selected workers, and the worker that was selected last.
    turn: usize,
    selected: Option<usize>,
    end: Option<LastLine>,
}

#[derive(Default)]
struct ServedViewer {
    newest: NewestFrame,
    /// Frames that the viewer has requested and not received.
    more: usize,
    /// Wishes of the viewer that the run has heard, and those that it had when the newest frame was taken.
    heard: u32,
    heard_by_newest: u32,
    /// The worker that the viewer looks at.
    selected: Option<usize>,
}

/// Accepts clients as long as there is a server.
fn accept(listener: &UnixListener, shared: &Arc<ServerState>) {
    for stream in listener.incoming() {
        match stream {
            // Every connection refers to the state, as do the server and this thread. One too many is closed at once.
            Ok(_) if Arc::strong_count(shared) >= CONNECTIONS_MAX + 2 => {}
            Ok(stream) => {
                let shared = Arc::clone(shared);
                // Without a thread the connection closes. The run does not depend on why it ends.
                let serve = move || drop(serve(&stream, &shared));
                let _ = system::start("client", serve);
            }
            // Too many open files: wait until some are closed.
            Err(_) => thread::sleep(Duration::from_millis(100)),
        }
    }
}

/// Serves a client until it disconnects or sends an invalid line, or the run ends.
fn serve(stream: &UnixStream, shared: &ServerState) -> io::Result<()> {
    stream.set_read_timeout(Some(CLIENT_TIMEOUT))?;
    stream.set_write_timeout(Some(CLIENT_TIMEOUT))?;
    let (mut input, mut output) = (BufReader::new(stream), stream);
    let Some(hello) = json_line::<Hello>(&mut input, LINE_MAX)? else { return Ok(()) };
    if hello.format != PROTOCOL {
        // The first line of a journal names its format, to any version.
        return output.write_all(&line(&json!({ "destrier": "journal", "format": PROTOCOL, "subject": null }))?);
    }
    if hello.destrier == Purpose::State {
        let run = shared.run.locked();
        let (newest, guests) = (run.history.frames().back().cloned(), run.viewers.len());
        drop(run);
        let state = newest.map(|frame| RunState::of(&frame)).unwrap_or_default();
        let state = RunState { guests, ..state };
        return output.write_all(&line(&state)?);
    }
    // A viewer may send nothing for days.
    stream.set_read_timeout(None)?;
    let Some((id, history)) = shared.admit() else { return Ok(()) };
    thread::scope(|scope| {
        let send = || {
            let sent = shared.send(id, history, stream);
            // The client is no longer read either.
            stream.shutdown(Shutdown::Both).and(sent)
        };
        let sending = system::start_within(scope, "sending", send);
        let received = sending.map_err(io::Error::from).and_then(|_| shared.receive(id, &mut input));
        shared.run.locked().viewers.remove(&id);
        shared.changed.notify_all();
        // What cannot be sent any more is not waited for.
        stream.shutdown(Shutdown::Both).and(received)
    })
}

impl ServerState {
    /// The number of another viewer, and the frames of the history for it; `None` when [`CLIENTS_MAX`] are attached.
    fn admit(&self) -> Option<(u64, Vec<Frame>)> {
        let mut run = self.run.locked();
        if run.viewers.len() >= CLIENTS_MAX {
            return None;
        }
        let (id, history) = (run.next_id, run.history.to_frames());
        run.next_id += 1;
        run.viewers.insert(id, ServedViewer { more: usize::from(history.is_empty()), ..ServedViewer::default() });
        drop(run);
        self.request(None);
        Some((id, history))
    }

    /// Sends a request to the run, or drops it when the queue is full: then nothing is to be waited for.
    fn request(&self, request: Option<(u64, Wish)>) {
        if let (Err(_), Some((id, _))) = (self.requests.try_send(request), request) {
            self.heard(id);
        }
    }

    fn heard(&self, id: u64) {
        self.change(id, |viewer| viewer.heard = viewer.heard.wrapping_add(1));
    }

    fn change(&self, id: u64, change: impl FnOnce(&mut ServedViewer)) {
        self.run.locked().viewers.get_mut(&id).map(change);
        self.changed.notify_all();
    }

    /// Reads the requests of a viewer.
    fn receive(&self, id: u64, input: &mut impl BufRead) -> io::Result<()> {
        while let Some(request) = json_line(input, LINE_MAX)? {
            match request {
                ClientLine::More => self.change(id, |viewer| viewer.more = AHEAD.min(viewer.more + 1)),
                ClientLine::Wish(Wish::Select(worker)) => {
                    self.change(id, |viewer| viewer.selected = Some(worker));
                    self.request(None);
                }
                // A viewer that detaches does not end the run.
                ClientLine::Wish(Wish::Stop) => {}
                ClientLine::Wish(wish) => self.request(Some((id, wish))),
            }
        }
        Ok(())
    }

    /// Sends frames to a viewer: those of the history, then the newest one for each request, and the end.
    fn send(&self, id: u64, history: Vec<Frame>, stream: &UnixStream) -> io::Result<()> {
        let mut scribe = Scribe::begin(zstd::Encoder::new(stream, LEVEL)?, self.subject.clone())?;
        let past = history.chunks(history.len().div_ceil(HISTORY_LINES).max(1));
        let mut past = past.map(|frames| JournalLine::Frames { frames: frames.to_vec(), heard: 0, past: true });
        while let Some(line) = past.next().or_else(|| self.next(id)) {
            scribe.line(&line)?;
            if let JournalLine::Ended(_) = line {
                return scribe.output.finish().map(drop);
            }
            scribe.output.flush()?;
        }
        Ok(())
    }

    /// Waits for the next line for a viewer; `None` when the viewer has left. The last frame is sent before the end, even
    /// without a request.
    fn next(&self, id: u64) -> Option<JournalLine<Frame>> {
        let has_all = |run: &mut ServedRun| {
            let viewer = run.viewers.get(&id);
            run.end.is_none() && viewer.is_some_and(|viewer| viewer.more == 0 || !viewer.newest.is_some())
        };
        let run = self.changed.wait_while(self.run.locked(), has_all);
        let mut run = run.unwrap_or_else(PoisonError::into_inner);
        let viewer = run.viewers.get_mut(&id)?;
        let Some(frame) = viewer.newest.take() else { return run.end.clone().map(JournalLine::Ended) };
        viewer.more = viewer.more.saturating_sub(1);
        Some(JournalLine::Frames { frames: vec![frame], heard: viewer.heard_by_newest, past: false })
    }
}
