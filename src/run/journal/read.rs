//! Reads a journal, even if it is cut off or damaged: an unreadable line is reported and skipped, and a file without
//! its last line ends where it is cut off.
//!
//! Another program may have written the file, and a few kilobytes of zstd may hold gigabytes. So the length of a line,
//! the number of values in a line or a frame, and the number of unreadable lines are bounded, and the checksum is
//! verified before a line is parsed.

use super::change::changed;
use super::title::{Head, JournalLine, LastLine, Subject, dress, seal, strip};
use crate::bounded::{self, FIRST_LINE_MAX, FileFormat, FileKind};
use crate::run::frame::Frame;
use crate::run::source::End;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::time::Duration;

/// Most bytes in a line after the first: a map of a million squares has six million, a frame of the largest crew two.
pub(super) const LINE_MAX: u64 = 16 << 20;
/// Most values in a line and in a frame: a map of a million squares has one for each.
const VALUES_MAX: usize = 3 << 19;
/// Reading ends after this many unreadable lines.
const DAMAGED_MAX: u64 = 10_000;
/// The latest time of a frame, some thousand years: sums of a few such times do not overflow.
const AT_MAX: Duration = Duration::from_secs(1 << 36);
/// Most characters in the report of an unreadable line.
const WHY_MAX: usize = 200;

/// Why a file is not read as a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is something else, or damaged in its first line.
    #[error("this {0}")]
    Foreign(String),
    /// Another version wrote the file.
    #[error("this {0}")]
    Version(String),
}

/// A line that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Line number, from 1.
    pub line: u64,
    /// What is wrong with the line.
    pub why: String,
}

/// The next item of a journal.
#[derive(Debug)]
pub enum Item {
    /// A frame.
    Frame(Box<Frame>),
    /// A line that was skipped.
    Damaged(Damage),
    /// The last line: how the run ended, its report, and how many frames were lost.
    Ended(Option<End>, Option<Value>, u64),
}

/// Reads a journal line by line; ends after its last line, or where it is cut off.
pub struct Reader {
    subject: Subject,
    input: Box<dyn BufRead + Send>,
    line: u64,
    /// The line number and value of the last readable frame, without its events and positions.
    last: Option<(u64, Value)>,
    /// Unreadable lines so far.
    damaged: u64,
    over: bool,
}

impl Reader {
    /// Opens a journal.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn open(path: &Path) -> Result<Reader, JournalError> {
        Reader::new(File::open(path)?)
    }

    /// Reads a journal from any input.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn new(input: impl Read + Send + 'static) -> Result<Reader, JournalError> {
        let mut input = BufReader::new(input);
        let compressed = bounded::is_compressed(input.fill_buf()?);
        let mut input: Box<dyn BufRead + Send> =
            if compressed { Box::new(BufReader::new(zstd::Decoder::with_buffer(input)?)) } else { Box::new(input) };
        let damaged = |why: String| JournalError::Foreign(format!("is no whole journal: its first line {why}"));
        let line = bounded::line(&mut input, FIRST_LINE_MAX).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => damaged(format!("has more than {} MiB", FIRST_LINE_MAX >> 20)),
            _ => error.into(),
        })?;
        FileKind::Journal.check(&line).map_err(|why| match FileFormat::of(&line) {
            Some(FileFormat { kind: FileKind::Journal, .. }) => JournalError::Version(why),
            _ => JournalError::Foreign(why),
        })?;
        let line = unsealed(&line).ok_or_else(|| damaged("is damaged".to_owned()))?;
        let subject = subject_of(&line).map_err(|why| damaged(format!("is invalid: {why}")))?;
        Ok(Reader { subject, input, line: 1, last: None, damaged: 0, over: false })
    }

    /// The subject of the recording.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Reads the next line; `None` at the end, or when nothing further can be read.
    fn next_line(&mut self) -> Option<Result<Vec<u8>, String>> {
        let read = bounded::line(&mut self.input, LINE_MAX);
        self.line += 1;
        match read {
            Ok(line) if line.ends_with(b"\n") => Some(Ok(line)),
            // The end, or a line that was cut off.
            Ok(_) => None,
            // Zstd reports this for a file that was cut off.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
            Err(error) => {
                self.over = true;
                Some(Err(format!("the rest of the file cannot be read: {error}")))
            }
        }
    }

    fn item(&mut self, line: &[u8]) -> Result<Item, String> {
        let line = unsealed(line).ok_or("its checksum does not agree with its contents")?;
        if values_at_most(&line) > VALUES_MAX {
            return Err(TOO_MUCH.to_owned());
        }
        match bounded::json(&line).map_err(|error| error.to_string())? {
            JournalLine::Whole { line, frame } => {
                let mut last = frame.clone();
                strip(&mut last);
                let frame = frame_of(frame)?;
                self.last = Some((line, last));
                Ok(Item::Frame(frame))
            }
            JournalLine::Change { line, change, events, positions } => {
                let after = line.wrapping_sub(1);
                let last = self.last.as_ref().filter(|(last, _)| *last == after);
                let (_, last) =
                    last.ok_or_else(|| format!("it needs the frame of line {after}, which cannot be read"))?;
                let mut frame = changed(last, &change).ok_or("its change does not fit the frame before")?;
                if !fits(&frame) {
                    return Err(TOO_MUCH.to_owned());
                }
                self.last = Some((line, frame.clone()));
                dress(&mut frame, [events, positions]);
                frame_of(frame).map(Item::Frame)
            }
            JournalLine::Ended { ended: LastLine { end, report, lost } } => Ok(Item::Ended(end, report, lost)),
        }
    }
}

/// Parses the subject from the first line without its checksum.
///
/// # Errors
/// What is wrong with the line.
pub(super) fn subject_of(line: &[u8]) -> Result<Subject, String> {
    if values_at_most(line) > VALUES_MAX {
        return Err("it names more squares than a journal can hold".to_owned());
    }
    let head: Head = bounded::json(line).map_err(|error| error.to_string())?;
    Ok(head.subject)
}

/// The report of a line that would become too large a frame.
const TOO_MUCH: &str = "it holds more values than a frame can have";

/// Parses a frame.
fn frame_of(value: Value) -> Result<Box<Frame>, String> {
    let frame: Box<Frame> = serde_json::from_value(value).map_err(|error| error.to_string())?;
    if frame.at() > AT_MAX { Err("its time is later than any run can last".to_owned()) } else { Ok(frame) }
}

/// Upper bound of the values in a line: one for each byte that begins a value or separates two.
fn values_at_most(line: &[u8]) -> usize {
    line.iter().filter(|byte| matches!(byte, b',' | b':' | b'[' | b'{')).count()
}

/// Whether a changed frame is no larger than a frame that one line can hold.
fn fits(frame: &Value) -> bool {
    /// Subtracts the values, and the bytes of their texts, from what is left of the limits.
    fn take(value: &Value, left: &mut (usize, usize)) -> Option<()> {
        left.0 = left.0.checked_sub(1)?;
        match value {
            Value::String(text) => left.1 = left.1.checked_sub(text.len())?,
            Value::Array(items) => items.iter().try_for_each(|item| take(item, left))?,
            Value::Object(members) => {
                for (name, value) in members {
                    left.1 = left.1.checked_sub(name.len())?;
                    take(value, left)?;
                }
            }
            _ => {}
        }
        Some(())
    }
    take(frame, &mut (VALUES_MAX, LINE_MAX as usize)).is_some()
}

/// The line without its checksum, if the checksum is right.
fn unsealed(line: &[u8]) -> Option<Vec<u8>> {
    let line = line.trim_ascii_end();
    let (members, end) = line.split_at_checked(line.len().checked_sub(seal(&[]).len())?)?;
    (end == seal(members).as_bytes()).then(|| [members, b"}"].concat())
}

impl Iterator for Reader {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if self.over {
            return None;
        }
        let read = self.next_line()?;
        let item = read.and_then(|line| self.item(&line));
        let item = item.unwrap_or_else(|mut why| {
            self.damaged += 1;
            if self.damaged == DAMAGED_MAX && !self.over {
                self.over = true;
                why += "; too many lines are unreadable, so the rest is not read";
            }
            // The report may quote the line.
            if let Some((end, _)) = why.char_indices().nth(WHY_MAX) {
                why.truncate(end);
                why += "..";
            }
            Item::Damaged(Damage { line: self.line, why })
        });
        self.over |= matches!(item, Item::Ended(..));
        Some(item)
    }
}
