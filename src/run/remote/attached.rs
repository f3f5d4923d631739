//! The client side: shows a run of another process as a source of frames.

use super::lines::{AHEAD, CLIENT_TIMEOUT, ClientLine, Hello, Purpose, RunState, line};
use crate::bounded;
use crate::run::frame::Frame;
use crate::run::journal::{Item, JournalError, LastLine, Reader, Subject};
use crate::run::source::{End, Source, Wish, Wished};
use crate::system::{self, ThreadRefused};
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Most bytes in an answer about the state.
const STATE_MAX: u64 = 1 << 16;

/// Why a viewer cannot attach to a run.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// No process answers at the socket.
    #[error("no process answers at the socket of the run: {0}; destrier runs lists the runs")]
    Io(io::Error),
    /// A run of another version answers.
    #[error("the run is of another version of destrier: attach with that version")]
    Version,
    /// Another program answers.
    #[error("the process at the socket is no run of this version of destrier: what it sends is no journal")]
    Foreign,
    /// The connection failed.
    #[error("the connection to the run failed: {0}")]
    Broken(io::Error),
    /// A thread could not be started.
    #[error("{0}")]
    Thread(#[from] ThreadRefused),
    /// The process accepts the connection and does not answer.
    #[error(
        "the run does not answer within {} seconds: its process or the connection may be suspended",
        CLIENT_TIMEOUT.as_secs()
    )]
    Late,
    /// The process closes the connection without an answer.
    #[error("the run closed the connection: it may have too many viewers, or be of another version")]
    Silent,
}

impl From<io::Error> for AttachError {
    fn from(error: io::Error) -> AttachError {
        match error.kind() {
            // The server closed the connection while the client wrote.
            io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => AttachError::Silent,
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => AttachError::Late,
            // A process answers, but not with what a run sends.
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::Other => AttachError::Foreign,
            _ => AttachError::Broken(error),
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

/// A viewer's connection to a run of another process.
pub struct Attached {
    /// What the run answers.
    pub subject: Subject,
    stream: UnixStream,
    items: Receiver<Item>,
    /// Frames received and not shown.
    waiting: VecDeque<Frame>,
    /// Wishes sent, and what they change until the run has heard them.
    wished: u32,
    unheard: Wished,
    /// Whether the frames received last are from before this viewer came.
    past: bool,
    /// Frames requested and not received.
    requested: usize,
    end: Option<End>,
    /// The last line of the run, after the run has ended while this viewer was attached.
    pub last: Arc<OnceLock<LastLine>>,
    /// Whether the viewer may only look: wishes that would change the run are ignored.
    pub read_only: bool,
}

impl Attached {
    /// Connects to this socket and waits for the first frames.
    ///
    /// # Errors
    /// [`AttachError`].
    pub fn to(socket: &Path) -> Result<Attached, AttachError> {
        Attached::within(socket, CLIENT_TIMEOUT)
    }

    fn within(socket: &Path, within: Duration) -> Result<Attached, AttachError> {
        let stream = ask(socket, Purpose::Attach, within)?;
        // A run may be suspended for days.
        stream.set_read_timeout(None)?;
        let deadline = Instant::now() + within;
        let mut reader = opened(&stream, within, Reader::new)?.map_err(|error| match error {
            JournalError::Foreign(_) if is_over(&stream) => AttachError::Silent,
            JournalError::Foreign(_) => AttachError::Foreign,
            JournalError::Io(error) => error.into(),
            JournalError::Version(_) => AttachError::Version,
        })?;
        // A line for each request, and two at the end.
        let (send, items) = crossbeam_channel::bounded(AHEAD + 2);
        let mut attached = Attached {
            subject: reader.subject().clone(),
            stream,
            items,
            waiting: VecDeque::new(),
            wished: 0,
            unheard: Wished::default(),
            past: false,
            // The first line asks for frames too.
            requested: 1,
            end: None,
            last: Arc::default(),
            read_only: false,
        };
        system::start("reading", move || reader.all(|item| send.send(item).is_ok()))?;
        while attached.waiting.is_empty() && attached.end.is_none() {
            let item = attached.items.recv_deadline(deadline);
            attached
                .take(item.map_err(|error| if error.is_timeout() { AttachError::Late } else { AttachError::Silent })?);
            attached.request();
        }
        Ok(attached)
    }

    /// Takes the next item, if it is received within this time.
    fn receive(&mut self, within: Duration) {
        match self.items.recv_timeout(within) {
            Ok(item) => self.take(item),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.close(End::Cut),
        }
    }

    fn take(&mut self, item: Item) {
        self.requested = self.requested.saturating_sub(1);
        match item {
            Item::Frames { frames, heard, past } => {
                if heard == self.wished {
                    self.unheard = Wished::default();
                }
                self.past = past;
                self.waiting.extend(frames);
            }
            Item::Ended(last) => {
                self.close(last.end.clone().unwrap_or(End::Cut));
                let _ = self.last.set(last);
            }
            Item::Damaged(_) => {}
        }
    }

    /// Ends the view after the frames that were received.
    fn close(&mut self, end: End) {
        self.end.get_or_insert(end);
    }

    /// Asks for frames as long as none is there.
    fn request(&mut self) {
        while self.waiting.is_empty() && self.requested < AHEAD && self.end.is_none() {
            self.send(&ClientLine::More);
            self.requested += 1;
        }
    }

    fn send(&mut self, request: &ClientLine) {
        // A failed write means that the server is gone, which the reading thread notices.
        let _ = line(request).and_then(|line| (&self.stream).write_all(&line));
    }
}

impl Source for Attached {
    fn look(&mut self) -> Option<Frame> {
        if self.waiting.is_empty() && self.end.is_none() {
            // At least one, which notices that the connection has ended. What is received meanwhile is for the next look: a
            // server that sends without a request does not hold up the viewer.
            (0..self.items.len().max(1)).for_each(|_| self.receive(Duration::ZERO));
        }
        let frame = self.waiting.pop_front();
        self.request();
        frame
    }

    fn is_behind(&self) -> bool {
        !self.waiting.is_empty()
    }

    fn is_catching_up(&self) -> bool {
        self.past && self.end.is_none()
    }

    fn wished(&self) -> Wished {
        self.unheard
    }

    fn wish(&mut self, wish: Wish) {
        match wish {
            Wish::Stop => {
                let _ = self.stream.shutdown(Shutdown::Both);
                self.close(End::Cut);
                self.waiting.clear();
            }
            Wish::Select(_) => self.send(&ClientLine::Wish(wish)),
            Wish::Pause(_) | Wish::Step | Wish::Pace(_) | Wish::Rule(_) | Wish::Reach { .. } if self.read_only => {}
            wish => {
                self.wished = self.wished.wrapping_add(1);
                self.unheard.add(wish);
                self.send(&ClientLine::Wish(wish));
            }
        }
    }

    fn end(&mut self, within: Duration) -> Option<End> {
        if self.waiting.is_empty() && self.end.is_none() {
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
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Whether the other side has closed the connection.
fn is_over(mut stream: &UnixStream) -> bool {
    matches!(stream.read(&mut [0]), Ok(0) | Err(_))
}

/// Connects to a socket that is to answer within this time, and sends the first line.
fn ask(socket: &Path, purpose: Purpose, within: Duration) -> Result<UnixStream, AttachError> {
    let mut stream = UnixStream::connect(socket).map_err(AttachError::Io)?;
    stream.set_read_timeout(Some(within))?;
    stream.set_write_timeout(Some(within))?;
    stream.write_all(&line(&Hello::new(purpose))?)?;
    Ok(stream)
}

/// Reads what the other side begins with, if that comes within this time, however slowly its bytes come.
fn opened<T: Send + 'static>(
    stream: &UnixStream,
    within: Duration,
    open: impl FnOnce(UnixStream) -> T + Send + 'static,
) -> Result<T, AttachError> {
    let ((send, opened), own) = (crossbeam_channel::bounded(1), stream.try_clone()?);
    system::start("opening", move || drop(send.send(open(own))))?;
    opened.recv_timeout(within).map_err(|_| {
        // The thread ends with the connection.
        let _ = stream.shutdown(Shutdown::Both);
        AttachError::Late
    })
}

/// The state of the run behind a socket, if it answers within this time.
///
/// # Errors
/// [`AttachError`] when no process answers, or none in time.
pub fn state(socket: &Path, within: Duration) -> Result<RunState, AttachError> {
    let stream = ask(socket, Purpose::State, within)?;
    let answer = opened(&stream, within, |stream| bounded::rest(stream, STATE_MAX))??;
    bounded::json(&answer).map_err(|_| AttachError::Silent)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{frame, server, subject, until};
    use super::*;
    use crate::run::frame::Body;
    use crate::run::journal::{JournalLine, Scribe};
    use std::os::unix::net::UnixListener;

    /// A byte now and then never ends a line.
    #[test]
    fn a_host_that_drips_is_late() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let listener = UnixListener::bind(&path).unwrap();
        let host = std::thread::spawn(move || {
            for stream in listener.incoming().take(2) {
                let mut stream = stream.unwrap();
                while stream.write_all(b" ").is_ok() {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
        });
        let within = Duration::from_millis(100);
        assert!(matches!(Attached::within(&path, within), Err(AttachError::Late)));
        assert!(matches!(state(&path, within), Err(AttachError::Late)));
        host.join().unwrap();
    }

    #[test]
    fn unrequested_frames_take_bounded_memory_and_do_not_hold_up_the_viewer() {
        const FRAMES: u64 = 2000;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.sock");
        let listener = UnixListener::bind(&path).unwrap();
        let server = std::thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let mut scribe = Scribe::begin(zstd::Encoder::new(&stream, 1).unwrap(), subject()).unwrap();
            (0..FRAMES).for_each(|k| {
                scribe.line(&JournalLine::Frames { frames: vec![frame(k)], heard: 0, past: false }).unwrap()
            });
            let last = LastLine { end: Some(End::Map), ..LastLine::default() };
            scribe.line(&JournalLine::<Frame>::Ended(last)).unwrap();
            scribe.output.finish().unwrap();
        });
        let mut client = Attached::to(&path).unwrap();
        let mut shown = 0;
        while client.end(Duration::ZERO).is_none() {
            // As the screen reads a run.
            let mut at_once = 0;
            while client.look().is_some() {
                at_once += 1;
                if !client.is_behind() {
                    break;
                }
            }
            assert!(at_once <= AHEAD + 2 && client.items.len() <= AHEAD + 2, "a line has one frame");
            shown += at_once as u64;
        }
        assert_eq!(shown, FRAMES);
        server.join().unwrap();
    }

    #[test]
    fn a_frame_from_before_a_wish_does_not_take_it_back() {
        let (server, path, _folder) = server();
        server.take(&frame(0));
        let mut client = Attached::to(&path).unwrap();
        let shown = |client: &mut Attached| {
            let mut shown = None;
            until("a frame comes", || {
                shown = shown.take().or_else(|| client.look());
                shown.is_some()
            });
            let Some(Frame { body: Body::Tree(mut tree), events }) = shown else { panic!("a search") };
            assert_eq!(events.len(), 1);
            let said = (tree.snapshot.paused, tree.snapshot.pace);
            client.wished().show_in(&mut tree.snapshot);
            assert_eq!(said, (false, None), "the frame stays as the run gave it");
            (tree.snapshot.elapsed, tree.snapshot.paused, tree.snapshot.pace)
        };
        let at = |k| frame(k).at();
        assert_eq!(shown(&mut client), (at(0), false, None));
        server.take(&frame(1));
        until("it comes", || client.items.len() == 1);
        client.wish(Wish::Pause(true));
        client.wish(Wish::Pace(Some(7)));
        assert_eq!(shown(&mut client), (at(1), true, Some(7)), "received before the wishes");
        let heard: Vec<_> =
            (0..).map_while(|_| server.requests.recv_timeout(CLIENT_TIMEOUT).ok()).flatten().take(2).collect();
        server.heard(heard[0].0);
        server.take(&frame(2));
        server.heard(heard[1].0);
        assert_eq!(shown(&mut client), (at(2), true, Some(7)), "the run had heard one of them");
        server.take(&frame(3));
        assert_eq!(shown(&mut client), (at(3), false, None), "what the run says after it has heard both");
        // To leave waits for no frame.
        client.wish(Wish::Pace(None));
        client.wish(Wish::Stop);
        assert_eq!(client.end(Duration::ZERO), Some(End::Cut));
    }
}
