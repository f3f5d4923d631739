//! Writes a journal while the run works: frames go through a queue to a thread of its own, so the run and its view
//! never wait. A frame that finds the queue full is counted as lost; its events and positions go with the next frame.

use super::read::subject_of;
use super::title::{Head, JournalLine, LastLine, Subject, seal};
use crate::bounded::FIRST_LINE_MAX;
use crate::lock::LockAlways as _;
use crate::run::frame::{Frame, NewestFrame};
use crate::run::source::End;
use crate::system::{self, ThreadRefused};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use serde::Serialize;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Most frames in the queue.
const QUEUE: usize = 64;
/// Interval of flushes.
const FLUSH_EVERY: Duration = Duration::from_secs(1);
/// Interval of frames of a run without a screen.
pub const SAMPLE_EVERY: Duration = Duration::from_millis(100);
/// Compression level of zstd. With 64 threads and ten frames a second the thread of the journal takes 0.6 % of a core. A
/// higher level hardly makes the file smaller.
const LEVEL: i32 = 12;

/// Records a run in a journal.
pub struct Recorder {
    /// `None` when the journal has ended.
    sender: Option<Sender<Note>>,
    /// What the queue has not taken yet.
    newest: Mutex<NewestFrame>,
    lost: AtomicU64,
    thread: Mutex<Option<JoinHandle<io::Result<u64>>>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct JournalTotals {
    /// Frames written.
    pub frames: u64,
    /// Frames lost because the queue was full.
    pub lost: u64,
}

/// A line that waits to be written.
type Note = JournalLine<Frame>;

impl Recorder {
    /// Writes a journal into this open file, compressed if its name says so. The first frame overwrites the old
    /// contents. If no frame comes, the file stays as it was, and a `fresh` file is removed.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn new(file: File, path: &Path, fresh: bool, subject: Subject) -> Result<Recorder, ThreadRefused> {
        let (sender, notes) = crossbeam_channel::bounded(QUEUE);
        let path = path.to_owned();
        let write = move || match notes.recv() {
            Ok(first) => write(file, &path, subject, first, &notes),
            Err(_) if fresh => std::fs::remove_file(path).map(|()| 0),
            Err(_) => Ok(0),
        };
        let thread = system::start("journal", write)?;
        Ok(Recorder {
            sender: Some(sender),
            newest: Mutex::default(),
            lost: AtomicU64::new(0),
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Queues a frame for writing, or counts it as lost.
    pub fn take(&self, frame: &Frame) {
        let mut newest = self.newest.locked();
        newest.put(frame.clone());
        let Some(sender) = &self.sender else { return };
        // This is the only sender of frames, so a queue with room takes one.
        let is_queued =
            !sender.is_full() && newest.take().is_some_and(|frame| sender.try_send(JournalLine::Frame(frame)).is_ok());
        if !is_queued {
            self.lost.fetch_add(1, Relaxed);
        }
    }

    /// Frames lost so far.
    pub fn lost(&self) -> u64 {
        self.lost.load(Relaxed)
    }

    /// Whether the queue is empty.
    #[cfg(test)]
    pub fn is_idle(&self) -> bool {
        self.sender.as_ref().is_none_or(Sender::is_empty)
    }

    /// Writes the last line and waits until the file is complete. Only the first call has an effect.
    ///
    /// # Errors
    /// When a write failed, now or earlier.
    pub fn finish(&self, end: Option<End>, report: Option<Value>) -> io::Result<JournalTotals> {
        let Some(thread) = self.thread.locked().take() else {
            return Ok(JournalTotals::default());
        };
        // A failed writer takes no more; its error is returned below.
        if let Some(sender) = &self.sender {
            // The newest frame was counted as lost, and is not.
            let newest = self.newest.locked().take();
            if newest.is_some_and(|frame| sender.send(JournalLine::Frame(frame)).is_ok()) {
                self.lost.fetch_sub(1, Relaxed);
            }
            let _ = sender.send(JournalLine::Ended(LastLine { end, report, lost: self.lost(), frames: None }));
        }
        let frames =
            thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that writes the journal panicked")))?;
        Ok(JournalTotals { frames, lost: self.lost() })
    }
}

/// A journal that is dropped without an end is still written up to the last frame.
impl Drop for Recorder {
    fn drop(&mut self) {
        self.sender = None;
        let thread = self.thread.unlocked().take();
        // A caller that needs the error calls `finish`.
        thread.map(JoinHandle::join);
    }
}

/// The file that is written, compressed or not.
trait Output: Write {
    /// Writes what is still in memory.
    fn finish(self: Box<Self>) -> io::Result<File>;
}

impl Output for BufWriter<File> {
    fn finish(self: Box<Self>) -> io::Result<File> {
        Ok(self.into_inner()?)
    }
}

impl Output for zstd::Encoder<'static, File> {
    fn finish(self: Box<Self>) -> io::Result<File> {
        (*self).finish()
    }
}

/// Overwrites an open file; it is compressed if its name says so.
fn output(file: File, path: &Path) -> io::Result<Box<dyn Output>> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    Ok(if path.extension().is_some_and(|extension| extension == "zst") {
        Box::new(zstd::Encoder::new(file, LEVEL)?)
    } else {
        Box::new(BufWriter::new(file))
    })
}

/// Writes the notes, the first one and those that follow, until the last one or until nothing more can come. Returns how
/// many frames were written.
fn write(file: File, path: &Path, subject: Subject, first: Note, notes: &Receiver<Note>) -> io::Result<u64> {
    let mut scribe = Scribe::begin(output(file, path)?, subject)?;
    let (mut flush_due, mut note, mut frames) = (Instant::now(), Ok(first), 0);
    loop {
        match note {
            Ok(JournalLine::Ended(last)) => {
                scribe.line(&Note::Ended(LastLine { frames: Some(frames), ..last }))?;
                break;
            }
            Ok(line) => {
                scribe.line(&line)?;
                frames += 1;
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        // Flush the first frame at once, so that a run killed early still has one.
        if Instant::now() >= flush_due {
            scribe.output.flush()?;
            flush_due = Instant::now() + FLUSH_EVERY;
        }
        note = notes.recv_deadline(flush_due);
    }
    match scribe.output.finish()?.sync_all() {
        // A pipe has nothing to synchronise.
        Err(error) if error.kind() != io::ErrorKind::InvalidInput => Err(error),
        _ => Ok(frames),
    }
}

/// Checks that a journal of this run can be read again, by writing and reading its first line in memory.
///
/// # Errors
/// Why the journal cannot be read again, in words that follow the name of the file.
pub fn check(subject: &Subject) -> Result<(), String> {
    let line = serde_json::to_vec(&Head::new(subject.clone())).map_err(|error| error.to_string());
    let checked = line.and_then(|line| {
        let (bytes, most) = ((line.len() + seal(&[]).len()) as u64, FIRST_LINE_MAX >> 20);
        if bytes > FIRST_LINE_MAX {
            return Err(format!("the question takes {} MiB, and the limit is {most} MiB", bytes.div_ceil(1 << 20)));
        }
        subject_of(&line).map(drop)
    });
    checked.map_err(|why| format!("a journal cannot hold the question: {why}; leave out --record"))
}

/// Writes the lines of a journal.
pub struct Scribe<W> {
    pub output: W,
}

impl<W: Write> Scribe<W> {
    /// Writes the first line, with the subject.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(output: W, subject: Subject) -> io::Result<Scribe<W>> {
        let mut scribe = Scribe { output };
        scribe.write(&Head::new(subject))?;
        Ok(scribe)
    }

    /// Writes a line after the first.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn line(&mut self, line: &JournalLine<impl Serialize>) -> io::Result<()> {
        self.write(line)
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        // Remove the last brace, which the seal adds again.
        text.pop();
        text.extend(seal(&text).bytes().chain([b'\n']));
        self.output.write_all(&text)
    }
}
