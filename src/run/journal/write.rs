//! Writes a journal while the run goes on: frames go to a thread of its own by a queue, and whoever looks on waits for
//! nothing. A frame that finds the queue full is counted as lost; its events go with the next one.

use super::read::subject_of;
use super::scribe::Scribe;
use super::title::{Head, LastLine, Subject, seal};
use crate::bounded::FIRST_LINE_MAX;
use crate::event::Event;
use crate::lock::LockAlways as _;
use crate::run::frame::Frame;
use crate::run::source::End;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError};
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Frames that wait to be written, at most.
const QUEUE: usize = 64;
/// What was written is flushed this often.
const FLUSH_EVERY: Duration = Duration::from_secs(1);
/// A run that nobody looks at is looked at this often.
pub const SAMPLE_EVERY: Duration = Duration::from_millis(100);
/// How hard zstd tries: a thousandth of a core at most; more does not make it much smaller.
const LEVEL: i32 = 12;

/// Writes a journal; see the module.
pub struct Recorder {
    /// Nothing once it is over.
    sender: Option<Sender<Note>>,
    /// Events of frames that were lost.
    held: Mutex<Vec<Event>>,
    lost: AtomicU64,
    thread: Mutex<Option<JoinHandle<io::Result<JournalTotals>>>>,
}

/// What was written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct JournalTotals {
    /// Frames.
    pub frames: u64,
    /// Frames that did not fit.
    pub lost: u64,
}

enum Note {
    Frame(Box<Frame>),
    Last(Box<LastLine>),
}

impl Recorder {
    /// A journal in this open file: compressed when its name says so. What the file holds is written over when the first
    /// frame comes; without any, it stays as it was, and one that is `fresh` goes again.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn new(file: File, path: &Path, fresh: bool, subject: Subject) -> io::Result<Recorder> {
        let (sender, notes) = crossbeam_channel::bounded(QUEUE);
        let path = path.to_owned();
        let write = move || match notes.recv() {
            Ok(first) => Writer::begin(file, &path, subject)?.run(first, &notes),
            Err(_) if fresh => std::fs::remove_file(path).map(|()| JournalTotals::default()),
            Err(_) => Ok(JournalTotals::default()),
        };
        let thread = std::thread::Builder::new().name("journal".to_owned()).spawn(write)?;
        Ok(Recorder {
            sender: Some(sender),
            held: Mutex::default(),
            lost: AtomicU64::new(0),
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Writes a frame down, soon, or counts it as lost.
    pub fn take(&self, frame: &Frame) {
        let mut frame = Box::new(frame.clone());
        let mut held = self.held.locked();
        if !held.is_empty() {
            held.append(&mut frame.events);
            frame.events = std::mem::take(&mut held);
        }
        let sent = self.sender.as_ref().map(|sender| sender.try_send(Note::Frame(frame)));
        if let Some(Err(TrySendError::Full(Note::Frame(frame)) | TrySendError::Disconnected(Note::Frame(frame)))) = sent
        {
            *held = frame.events;
            self.lost.fetch_add(1, Relaxed);
        }
    }

    /// Frames that did not fit so far.
    pub fn lost(&self) -> u64 {
        self.lost.load(Relaxed)
    }

    /// Whether nothing waits to be written.
    #[cfg(test)]
    pub fn is_idle(&self) -> bool {
        self.sender.as_ref().is_none_or(Sender::is_empty)
    }

    /// Writes how the run ended, and waits until all is on the disk. Only the first call does.
    ///
    /// # Errors
    /// When something could not be written, now or before.
    pub fn finish(&self, end: Option<End>, report: Option<Value>) -> io::Result<JournalTotals> {
        let Some(thread) = self.thread.locked().take() else {
            return Ok(JournalTotals::default());
        };
        // A writer that has failed takes no more, and says why.
        if let Some(sender) = &self.sender {
            let _ = sender.send(Note::Last(Box::new(LastLine { end, report, lost: self.lost() })));
        }
        let written = thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that writes panicked")))?;
        Ok(JournalTotals { lost: self.lost(), ..written })
    }
}

/// A journal that nobody ends is all the same written as far as it goes.
impl Drop for Recorder {
    fn drop(&mut self) {
        self.sender = None;
        let thread = self.thread.unlocked().take();
        // Whoever wants to know whether it could be written ends it.
        thread.map(JoinHandle::join);
    }
}

enum Output {
    Plain(BufWriter<File>),
    Zstd(zstd::Encoder<'static, File>),
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Plain(output) => output.write(bytes),
            Output::Zstd(output) => output.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Plain(output) => output.flush(),
            Output::Zstd(output) => output.flush(),
        }
    }
}

impl Output {
    /// Ends the file.
    fn finish(self) -> io::Result<()> {
        let file = match self {
            Output::Plain(output) => output.into_inner()?,
            Output::Zstd(output) => output.finish()?,
        };
        match file.sync_all() {
            // A pipe has nothing to synchronise.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            done => done,
        }
    }
}

struct Writer {
    scribe: Scribe<Output>,
}

impl Writer {
    fn begin(file: File, path: &Path, subject: Subject) -> io::Result<Writer> {
        if file.metadata()?.is_file() {
            file.set_len(0)?;
        }
        let zstd = path.extension().is_some_and(|extension| extension == "zst");
        let output =
            if zstd { Output::Zstd(zstd::Encoder::new(file, LEVEL)?) } else { Output::Plain(BufWriter::new(file)) };
        Ok(Writer { scribe: Scribe::begin(output, subject)? })
    }

    fn run(mut self, first: Note, notes: &Receiver<Note>) -> io::Result<JournalTotals> {
        let (mut flush_due, mut note) = (Instant::now(), Ok(first));
        loop {
            match note {
                Ok(Note::Frame(frame)) => self.scribe.frame(&frame)?,
                Ok(Note::Last(last)) => {
                    self.scribe.end(*last)?;
                    break;
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            // The first frame is flushed at once: a run that is killed soon has one.
            if Instant::now() >= flush_due {
                self.scribe.flush()?;
                flush_due = Instant::now() + FLUSH_EVERY;
            }
            note = notes.recv_deadline(flush_due);
        }
        let written = JournalTotals { frames: self.scribe.frames(), lost: 0 };
        self.scribe.into_inner().finish()?;
        Ok(written)
    }
}

/// Checks that a journal of this run can be read again: writes its first line to memory and reads it.
///
/// # Errors
/// Why it cannot, in words that follow the name of the file.
pub fn check(subject: &Subject) -> Result<(), String> {
    let line = serde_json::to_vec(&Head::new(subject.clone())).map_err(|error| error.to_string());
    let checked = line.and_then(|line| {
        let (bytes, most) = ((line.len() + seal(&[]).len()) as u64, FIRST_LINE_MAX >> 20);
        if bytes > FIRST_LINE_MAX {
            return Err(format!(
                "it takes {} MiB, and a journal notes {most} MiB of it at most",
                bytes.div_ceil(1 << 20)
            ));
        }
        subject_of(&line).map(drop)
    });
    checked.map_err(|why| format!("a journal cannot note what is asked: {why}; leave out --record"))
}
