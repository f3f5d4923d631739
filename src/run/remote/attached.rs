//! The client side: shows a run of another process as a source of frames.

use super::lines::{AHEAD, CLIENT_TIMEOUT, ClientLine, Hello, Purpose, RunState, line};
use crate::bounded;
use crate::lock::LockAlways as _;
use crate::run::frame::{Body, Frame};
use crate::run::history::size_of_frame;
use crate::run::journal::{Item, JournalError, LastLine, Reader, Subject};
use crate::run::source::{End, Source, Wish};
use crate::schedule::Snapshot;
use crate::search::HandOver;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use serde::Serialize;
use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Most bytes in an answer about the state.
const STATE_MAX: u64 = 1 << 16;
/// Most bytes of frames read ahead of the viewer: more than the history that a server sends. Further data waits at the
/// server.
const BACKLOG_MAX: usize = 4 << 20;

/// Why a viewer cannot attach to a run.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// No process answers at the socket.
    #[error("no process answers at the socket of the run: {0}; destrier runs lists the runs")]
    Io(io::Error),
    /// Another program or another version answers.
    #[error("the process at the socket is no run of this version of destrier: {0}")]
    Foreign(JournalError),
    /// The process accepts the connection and does not answer.
    #[error(
        "the run does not answer within {} seconds: its process or the connection may be suspended",
        CLIENT_TIMEOUT.as_secs()
    )]
    Late,
    /// The process closes the connection without an answer.
    #[error("the run closed the connection: it may have too many viewers; try again later")]
    Silent,
}

impl From<io::Error> for AttachError {
    fn from(error: io::Error) -> AttachError {
        match error.kind() {
            // The server closed the connection while the client wrote.
            io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => AttachError::Silent,
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => AttachError::Late,
            _ => AttachError::Io(error),
        }
    }
}

impl AttachError {
    /// Whether no process is left that could answer.
    pub fn is_absence(&self) -> bool {
        let AttachError::Io(error) = self else { return false };
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
    }
}

/// Bytes of frames read and not shown; `None` after the viewer has left.
struct Backlog {
    bytes: Mutex<Option<usize>>,
    freed: Condvar,
}

impl Backlog {
    /// Waits until a frame fits; returns whether it is still needed. One frame always fits.
    fn add(&self, frame: usize) -> bool {
        let is_full = |bytes: &mut Option<usize>| bytes.is_some_and(|bytes| bytes > 0 && bytes + frame > BACKLOG_MAX);
        let mut bytes = self.freed.wait_while(self.bytes.locked(), is_full).unwrap_or_else(PoisonError::into_inner);
        *bytes = bytes.map(|bytes| bytes + frame);
        bytes.is_some()
    }

    fn take(&self, frame: usize) {
        let mut bytes = self.bytes.locked();
        *bytes = bytes.map(|bytes| bytes.saturating_sub(frame));
        self.freed.notify_one();
    }

    fn close(&self) {
        *self.bytes.locked() = None;
        self.freed.notify_one();
    }
}

/// A viewer's connection to a run of another process.
pub struct Attached {
    /// What the run answers.
    pub subject: Subject,
    stream: UnixStream,
    items: Receiver<Item>,
    /// Frames received and not shown.
    waiting: VecDeque<Frame>,
    backlog: Arc<Backlog>,
    /// Frames shown since the last request for more.
    looked_at: u32,
    end: Option<End>,
    /// The last line of the run, after the run has ended while this viewer was attached.
    pub last: Arc<OnceLock<LastLine>>,
    /// Wishes that no frame shows yet.
    pending: PendingWishes,
    /// Whether the viewer has detached.
    left: bool,
    /// Whether the viewer may only look: wishes that would change the run are ignored.
    pub read_only: bool,
}

impl Attached {
    /// Connects to this socket and waits for the first frame.
    ///
    /// # Errors
    /// [`AttachError`].
    pub fn to(socket: &Path) -> Result<Attached, AttachError> {
        let stream = ask(socket, Purpose::Attach, CLIENT_TIMEOUT)?;
        (&stream).write_all(&line(&ClientLine::More(AHEAD))?)?;
        let reader = Reader::new(stream.try_clone()?).map_err(|error| match error {
            JournalError::Foreign(_) if is_over(&stream) => AttachError::Silent,
            JournalError::Io(error) => match AttachError::from(error) {
                // A process answered, but not with what a run sends.
                AttachError::Io(error) => AttachError::Foreign(error.into()),
                error => error,
            },
            error => AttachError::Foreign(error),
        })?;
        let subject = reader.subject().clone();
        let (send, items) = crossbeam_channel::unbounded();
        let backlog = Arc::new(Backlog { bytes: Mutex::new(Some(0)), freed: Condvar::new() });
        let reading = Arc::clone(&backlog);
        let read = move || {
            for item in reader {
                if let Item::Frame(frame) = &item
                    && !reading.add(frame_bytes(frame))
                {
                    return;
                }
                if send.send(item).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("attached".to_owned()).spawn(read)?;
        let mut attached = Attached {
            subject,
            stream,
            items,
            waiting: VecDeque::new(),
            backlog,
            looked_at: 0,
            end: None,
            last: Arc::default(),
            pending: PendingWishes::default(),
            left: false,
            read_only: false,
        };
        attached.receive(CLIENT_TIMEOUT);
        if attached.waiting.is_empty() && attached.end != Some(End::Failed) {
            return Err(AttachError::Silent);
        }
        // A paused run may send nothing for days.
        attached.stream.set_read_timeout(None)?;
        Ok(attached)
    }

    /// Takes what was received; waits up to `within` for the first item.
    fn receive(&mut self, mut within: Duration) {
        loop {
            match self.items.recv_timeout(within) {
                Ok(Item::Frame(frame)) => self.waiting.push_back(*frame),
                Ok(Item::Ended(last)) => {
                    self.end = Some(last.end.clone().unwrap_or(End::Cut));
                    let _ = self.last.set(last);
                }
                // It was a frame that was asked for: the next one is asked for in its place.
                Ok(Item::Damaged(_)) => {
                    self.looked_at += 1;
                    if self.waiting.is_empty() {
                        self.ask_for_more();
                    }
                }
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => {
                    self.end.get_or_insert(End::Cut);
                    return;
                }
            }
            within = Duration::ZERO;
        }
    }

    /// Asks for as many frames as were looked at.
    fn ask_for_more(&mut self) {
        let more = std::mem::take(&mut self.looked_at).min(AHEAD);
        self.send(&ClientLine::More(more));
    }

    fn send(&mut self, request: &impl Serialize) {
        // A failed write means that the server is gone, which the reading thread notices.
        let _ = line(request).and_then(|line| (&self.stream).write_all(&line));
    }
}

impl Source for Attached {
    fn look(&mut self) -> Option<Frame> {
        // Received frames are enough here: a server that sends without end must not keep the viewer behind.
        if self.waiting.is_empty() {
            self.receive(Duration::ZERO);
        }
        let mut frame = self.waiting.pop_front()?;
        self.backlog.take(frame_bytes(&frame));
        if let Body::Tree(tree) = &mut frame.body {
            self.pending.apply(&mut tree.snapshot, Instant::now());
        }
        self.looked_at += 1;
        // Frames of the history come without a request.
        if self.waiting.is_empty() && self.end.is_none() {
            self.ask_for_more();
        }
        Some(frame)
    }

    fn is_behind(&self) -> bool {
        !self.waiting.is_empty()
    }

    fn wish(&mut self, wish: Wish) {
        match wish {
            Wish::Stop => {
                self.left = true;
                let _ = self.stream.shutdown(Shutdown::Both);
            }
            Wish::Pause(_) | Wish::Step | Wish::Pace(_) | Wish::Rule(_) | Wish::Reach { .. } if self.read_only => {}
            wish => {
                self.pending.note(wish, Instant::now());
                self.send(&ClientLine::Wish(wish));
            }
        }
    }

    fn end(&mut self, within: Duration) -> Option<End> {
        if self.left {
            return Some(self.end.clone().unwrap_or(End::Cut));
        }
        if self.end.is_none() {
            self.receive(within);
        }
        // Frames received before the end are shown before it.
        self.end.clone().filter(|_| self.waiting.is_empty())
    }

    fn outlives_viewer(&self) -> bool {
        true
    }

    fn is_read_only(&self) -> bool {
        self.read_only
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.backlog.close();
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Approximate memory of a frame in bytes.
fn frame_bytes(frame: &Frame) -> usize {
    size_of_frame(frame) + size_of_val(&frame.events[..])
}

/// Whether the other side has closed the connection.
fn is_over(mut stream: &UnixStream) -> bool {
    matches!(stream.read(&mut [0]), Ok(0) | Err(_))
}

/// Connects to a socket that is to answer within this time, and sends the first line.
fn ask(socket: &Path, purpose: Purpose, within: Duration) -> io::Result<UnixStream> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(within))?;
    stream.set_write_timeout(Some(within))?;
    stream.write_all(&line(&Hello::new(purpose))?)?;
    Ok(stream)
}

/// The state of the run behind a socket, if it answers within this time.
///
/// # Errors
/// [`AttachError`] when no process answers, or none in time.
pub fn state(socket: &Path, within: Duration) -> Result<RunState, AttachError> {
    let stream = ask(socket, Purpose::State, within)?;
    let mut answer = Vec::new();
    BufReader::new(&stream).take(STATE_MAX).read_to_end(&mut answer)?;
    bounded::json(&answer).map_err(|_| AttachError::Silent)
}

/// How long a wish is shown without confirmation: another viewer may have changed the setting back.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Wishes that no frame confirms yet.
#[derive(Default)]
pub struct PendingWishes {
    paused: Option<(bool, Instant)>,
    pace: Option<(Option<u32>, Instant)>,
    rule: Option<(HandOver, Instant)>,
}

impl PendingWishes {
    /// Notes a wish sent at time `now`.
    pub fn note(&mut self, wish: Wish, now: Instant) {
        match wish {
            Wish::Pause(paused) => self.paused = Some((paused, now)),
            Wish::Step => self.paused = Some((true, now)),
            Wish::Pace(pace) => self.pace = Some((pace, now)),
            Wish::Rule(rule) => self.rule = Some((rule, now)),
            Wish::Select(_) | Wish::Reach { .. } | Wish::Stop => {}
        }
    }

    /// Changes a snapshot as the pending wishes say, until a snapshot confirms them.
    pub fn apply(&mut self, snapshot: &mut Snapshot, now: Instant) {
        apply(&mut self.paused, &mut snapshot.paused, now);
        apply(&mut self.pace, &mut snapshot.pace, now);
        apply(&mut self.rule, &mut snapshot.hand_over, now);
    }
}

fn apply<T: Copy + PartialEq>(pending: &mut Option<(T, Instant)>, seen: &mut T, now: Instant) {
    *pending = pending.filter(|&(value, since)| value != *seen && now.saturating_duration_since(since) < TIMEOUT);
    if let Some((value, _)) = *pending {
        *seen = value;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{frame, subject, until};
    use super::*;
    use crate::run::RunHistory;
    use crate::run::journal::{JournalLine, Scribe};
    use std::os::unix::net::UnixListener;

    /// A server sends unrequested frames, all with one time.
    #[test]
    fn unrequested_frames_take_bounded_memory_and_do_not_hold_up_the_viewer() {
        let room = BACKLOG_MAX / frame_bytes(&frame(1));
        // Frames of a full backlog, and some more that are taken one at a time.
        let frames = room + 2000;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.sock");
        let listener = UnixListener::bind(&path).unwrap();
        let server = std::thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let mut scribe = Scribe::begin(zstd::Encoder::new(&stream, 1).unwrap(), subject()).unwrap();
            (0..frames).for_each(|_| scribe.line(&JournalLine::Frame(frame(1))).unwrap());
            let last = LastLine { end: Some(End::Map), report: None, lost: 0 };
            scribe.line(&JournalLine::<Frame>::Ended(last)).unwrap();
            scribe.output.finish().unwrap();
        });
        let mut client = Attached::to(&path).unwrap();
        let (mut past, mut taken) = (RunHistory::new(1 << 20), 0);
        until("the backlog is full", || client.items.len() + client.waiting.len() == room);
        while client.end(Duration::ZERO).is_none() {
            let mut at_once = 0;
            while let Some(frame) = client.look() {
                past.take(frame);
                at_once += 1;
                assert!(client.items.len() + client.waiting.len() <= room);
                if !client.is_behind() {
                    break;
                }
            }
            taken += at_once;
            // A viewer also has other work to do.
            assert!(at_once <= room + 1, "{at_once} frames at once");
        }
        assert_eq!(taken, frames);
        assert!(past.frames().len() < 4000, "{}", past.frames().len());
        server.join().unwrap();
    }

    #[test]
    fn a_wish_is_shown_until_a_frame_confirms_it_or_the_timeout_ends() {
        let (mut pending, now) = (PendingWishes::default(), Instant::now());
        let seen = |pending: &mut PendingWishes, paused, now| {
            let mut snapshot = Snapshot { paused, ..Snapshot::default() };
            pending.apply(&mut snapshot, now);
            snapshot.paused
        };
        pending.note(Wish::Pause(true), now);
        // The first frame was on its way when the wish was sent; the second one confirms it.
        assert_eq!([false, true].map(|paused| seen(&mut pending, paused, now)), [true, true]);
        assert!(!seen(&mut pending, false, now), "it was seen");
        pending.note(Wish::Pause(true), now);
        assert!(!seen(&mut pending, false, now + TIMEOUT));
        pending.note(Wish::Pace(Some(5)), now);
        let mut snapshot = Snapshot::default();
        pending.apply(&mut snapshot, now);
        assert_eq!((snapshot.pace, snapshot.paused), (Some(5), false));
    }
}
