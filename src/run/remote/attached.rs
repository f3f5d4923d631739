//! The side of whoever looks on: a run of another process, as a source of frames.

use super::lines::{AHEAD, ClientLine, Hello, PATIENCE, Purpose, RunState, line};
use super::pending_wishes::PendingWishes;
use crate::lock::LockAlways as _;
use crate::run::frame::{Body, Frame};
use crate::run::history::size_of_frame;
use crate::run::journal::{Item, JournalError, Reader};
use crate::run::journal::{LastLine, Subject};
use crate::run::source::{End, Source, Wish};
use crossbeam_channel::{Receiver, RecvTimeoutError};
use serde::Serialize;
use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Bytes of an answer about the state, at most.
const STATE_MAX: u64 = 1 << 16;
/// Bytes of frames that are taken in before they are looked at: more than a host tells of the past at once. What else a host
/// sends waits on its side.
const BACKLOG_MAX: usize = 4 << 20;

/// Why a run cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// Nobody answers there.
    #[error("nobody answers: {0}")]
    Io(io::Error),
    /// Somebody else answers, or another version.
    #[error("what answers is no run of this version: {0}")]
    Foreign(JournalError),
    /// It is there, and does not answer.
    #[error("it does not answer within {} seconds: it may be stopped, or the line may be", PATIENCE.as_secs())]
    Late,
    /// The answer is none.
    #[error("it has too many guests, or does not speak to this one")]
    Silent,
}

impl From<io::Error> for AttachError {
    fn from(error: io::Error) -> AttachError {
        match error.kind() {
            // It closed the door on what was being said.
            io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => AttachError::Silent,
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => AttachError::Late,
            _ => AttachError::Io(error),
        }
    }
}

impl AttachError {
    /// Whether there is nobody any more who could answer.
    pub fn is_absence(&self) -> bool {
        let AttachError::Io(error) = self else { return false };
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
    }
}

/// Bytes of frames that have come and were not looked at; nothing once the viewer has left.
struct Backlog {
    bytes: Mutex<Option<usize>>,
    less: Condvar,
}

impl Backlog {
    fn bytes(&self) -> MutexGuard<'_, Option<usize>> {
        self.bytes.locked()
    }

    /// Waits until there is room for a frame; answers whether it is still wanted. One frame always has room.
    fn add(&self, frame: usize) -> bool {
        let is_full = |bytes: &mut Option<usize>| bytes.is_some_and(|bytes| bytes > 0 && bytes + frame > BACKLOG_MAX);
        let mut bytes = self.less.wait_while(self.bytes(), is_full).unwrap_or_else(PoisonError::into_inner);
        *bytes = bytes.map(|bytes| bytes + frame);
        bytes.is_some()
    }

    fn take(&self, frame: usize) {
        let mut bytes = self.bytes();
        *bytes = bytes.map(|bytes| bytes.saturating_sub(frame));
        self.less.notify_one();
    }

    fn close(&self) {
        *self.bytes() = None;
        self.less.notify_one();
    }
}

/// A run of another process; see the module.
pub struct Attached {
    subject: Subject,
    stream: UnixStream,
    items: Receiver<Item>,
    /// What has come and was not looked at.
    waiting: VecDeque<Frame>,
    backlog: Arc<Backlog>,
    /// Frames that were looked at since more were asked for.
    looked_at: u32,
    end: Option<End>,
    last: Arc<OnceLock<LastLine>>,
    /// What was wished and is not seen yet.
    wanted: PendingWishes,
    /// Whether whoever looks on has gone.
    left: bool,
}

impl Attached {
    /// Comes to this socket and waits for the first frame.
    ///
    /// # Errors
    /// [`AttachError`].
    pub fn to(socket: &Path) -> Result<Attached, AttachError> {
        let stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        (&stream).write_all(&line(&Hello::new(Purpose::Attach))?)?;
        (&stream).write_all(&line(&ClientLine::More(AHEAD))?)?;
        let reader = Reader::new(stream.try_clone()?).map_err(|error| match error {
            JournalError::Foreign(_) if is_over(&stream) => AttachError::Silent,
            JournalError::Io(error) => error.into(),
            error => AttachError::Foreign(error),
        })?;
        let subject = reader.subject().clone();
        let (send, items) = crossbeam_channel::unbounded();
        let backlog = Arc::new(Backlog { bytes: Mutex::new(Some(0)), less: Condvar::new() });
        let reading = Arc::clone(&backlog);
        let read = move || {
            for item in reader {
                if let Item::Frame(frame) = &item
                    && !reading.add(frame_bytes(frame))
                {
                    return;
                }
                // A damaged line spoils those behind it, and there will be no other one.
                let over = matches!(item, Item::Damaged(_));
                if send.send(item).is_err() || over {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("attached".to_owned()).spawn(read)?;
        let (waiting, end, last) = (VecDeque::new(), None, Arc::default());
        let wanted = PendingWishes::default();
        let mut attached =
            Attached { subject, stream, items, waiting, backlog, looked_at: 0, end, last, wanted, left: false };
        attached.receive(PATIENCE);
        if attached.waiting.is_empty() && attached.end != Some(End::Failed) {
            return Err(AttachError::Silent);
        }
        // The run may be held, and say nothing for days.
        attached.stream.set_read_timeout(None)?;
        Ok(attached)
    }

    /// What is run.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// How the run ended, once it has while somebody looked on.
    pub fn last(&self) -> Arc<OnceLock<LastLine>> {
        Arc::clone(&self.last)
    }

    /// Takes in what has come, and waits so long for something if nothing has.
    fn receive(&mut self, mut within: Duration) {
        loop {
            match self.items.recv_timeout(within) {
                Ok(Item::Frame(frame)) => self.waiting.push_back(*frame),
                Ok(Item::Ended(end, report, lost)) => {
                    self.end = Some(end.clone().unwrap_or(End::Cut));
                    let _ = self.last.set(LastLine { end, report, lost });
                }
                Ok(Item::Damaged(_)) => {}
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => {
                    self.end.get_or_insert(End::Cut);
                    return;
                }
            }
            within = Duration::ZERO;
        }
    }

    fn ask(&mut self, asked: &impl Serialize) {
        // Whoever does not hear it has gone, which the reader sees.
        let _ = line(asked).and_then(|line| (&self.stream).write_all(&line));
    }
}

impl Source for Attached {
    fn look(&mut self) -> Option<Frame> {
        // A host that sends without an end is behind only as far as its frames have come.
        if self.waiting.is_empty() {
            self.receive(Duration::ZERO);
        }
        let mut frame = self.waiting.pop_front()?;
        self.backlog.take(frame_bytes(&frame));
        if let Body::Tree(tree) = &mut frame.body {
            self.wanted.show(&mut tree.snapshot, Instant::now());
        }
        self.looked_at += 1;
        // What is past comes unasked.
        if self.waiting.is_empty() && self.end.is_none() {
            let more = std::mem::take(&mut self.looked_at).min(AHEAD);
            self.ask(&ClientLine::More(more));
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
            wish => {
                self.wanted.note(wish, Instant::now());
                self.ask(&ClientLine::Wish(wish));
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
        // What has come before the end is seen before it.
        self.end.clone().filter(|_| self.waiting.is_empty())
    }

    fn goes_on_alone(&self) -> bool {
        true
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.backlog.close();
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// About how many bytes a frame takes.
fn frame_bytes(frame: &Frame) -> usize {
    size_of_frame(frame) + size_of_val(&frame.events[..])
}

/// Whether the other side has closed a connection.
fn is_over(mut stream: &UnixStream) -> bool {
    matches!(stream.read(&mut [0]), Ok(0) | Err(_))
}

/// How far the run behind a socket is, if it says so within this time.
///
/// # Errors
/// [`AttachError`] when nobody answers, or not in time.
pub fn state(socket: &Path, within: Duration) -> Result<RunState, AttachError> {
    let stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(within))?;
    stream.set_write_timeout(Some(within))?;
    (&stream).write_all(&line(&Hello::new(Purpose::State))?)?;
    let mut answer = Vec::new();
    BufReader::new(&stream).take(STATE_MAX).read_to_end(&mut answer)?;
    serde_json::from_slice(&answer).map_err(|_| AttachError::Silent)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{frame, subject, until};
    use super::*;
    use crate::run::RunHistory;
    use crate::run::journal::Scribe;
    use std::os::unix::net::UnixListener;

    /// A host sends frames that were not asked for, all of one time.
    #[test]
    fn frames_that_come_unasked_take_bounded_memory_and_are_behind_only_as_far_as_they_have_come() {
        let room = BACKLOG_MAX / frame_bytes(&frame(1));
        // The backlog, and some that are taken one at a time.
        let frames = room + 2000;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.sock");
        let listener = UnixListener::bind(&path).unwrap();
        let host = std::thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let mut scribe = Scribe::begin(zstd::Encoder::new(&stream, 1).unwrap(), subject()).unwrap();
            (0..frames).for_each(|_| scribe.frame(&frame(1)).unwrap());
            scribe.end(LastLine { end: Some(End::Map), report: None, lost: 0 }).unwrap();
            scribe.into_inner().finish().unwrap();
        });
        let mut guest = Attached::to(&path).unwrap();
        let (mut past, mut taken) = (RunHistory::new(1 << 20), 0);
        until("the backlog is full", || guest.items.len() + guest.waiting.len() == room);
        while guest.end(Duration::ZERO).is_none() {
            let mut at_once = 0;
            while let Some(frame) = guest.look() {
                past.take(frame);
                at_once += 1;
                assert!(guest.items.len() + guest.waiting.len() <= room);
                if !guest.is_behind() {
                    break;
                }
            }
            taken += at_once;
            // A viewer goes on to what else it has to do.
            assert!(at_once <= room + 1, "{at_once} frames at once");
        }
        assert_eq!(taken, frames);
        assert!(past.frames().len() < 4000, "{}", past.frames().len());
        host.join().unwrap();
    }
}
