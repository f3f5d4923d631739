//! Reads a journal, also one that was cut off or damaged: a line that cannot be read is named and skipped, and the end of
//! a file without its last line is the end of what is known.
//!
//! Another program may have made it up, and a few kilobytes of zstd may hold gigabytes. So the length of a line is bounded,
//! and its checksum is looked at before anything is made of it; the number of values in a line, and in a frame that many
//! lines have changed, is bounded too, and so is the number of lines that cannot be read.

use super::change::changed;
use super::title::{Head, JournalLine, JournalTitle, LastLine, NAME, Subject, dress, seal, strip};
use crate::bounded::{self, FIRST_LINE_MAX};
use crate::run::frame::{FORMAT, Frame};
use crate::run::source::End;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::time::Duration;

/// Bytes of the longest line that is read, but for the first: a map of a million squares has six million, and a frame of
/// the largest crew two.
pub(super) const LINE_MAX: u64 = 16 << 20;
/// Values in a line, and in a frame: a map of a million squares has one for each.
const VALUES_MAX: usize = 3 << 19;
/// Lines that cannot be read, before nothing more is read.
const DAMAGED_MAX: u64 = 10_000;
/// The latest time of a frame, some thousand years: sums of a few such times are times.
const AT_MAX: Duration = Duration::from_secs(1 << 36);
/// Characters of what is said of a line that cannot be read.
const WHY_MAX: usize = 200;
/// What a file compressed by zstd begins with.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Why a file is not read as a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read at all.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("this is no journal of destrier: {0}")]
    Foreign(String),
    /// It was written by another version.
    #[error("this journal has format {0}, and this version reads format {FORMAT}")]
    Version(u64),
}

/// A line that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

/// What comes next in a journal.
#[derive(Debug)]
pub enum Item {
    /// A frame.
    Frame(Box<Frame>),
    /// A line that was skipped.
    Damaged(Damage),
    /// The last line: how the run ended, its report, and how many frames did not fit.
    Ended(Option<End>, Option<Value>, u64),
}

/// Reads a journal line by line; ends after its last line, or where it is cut off.
pub struct Reader {
    subject: Subject,
    input: Box<dyn BufRead + Send>,
    line: u64,
    /// The last frame that could be read, without what is new in each, and the number that its line gives itself.
    last: Option<(u64, Value)>,
    /// Lines that could not be read.
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

    /// Reads a journal from wherever it comes.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn new(input: impl Read + Send + 'static) -> Result<Reader, JournalError> {
        let mut input = BufReader::new(input);
        let compressed = input.fill_buf()?.starts_with(&ZSTD);
        let mut input: Box<dyn BufRead + Send> =
            if compressed { Box::new(BufReader::new(zstd::Decoder::with_buffer(input)?)) } else { Box::new(input) };
        let line = bounded::line(&mut input, FIRST_LINE_MAX).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => {
                JournalError::Foreign(format!("its first line has more than {} MiB", FIRST_LINE_MAX >> 20))
            }
            _ => error.into(),
        })?;
        let foreign = |error: String| JournalError::Foreign(format!("its first line: {error}"));
        let JournalTitle { destrier, format } =
            serde_json::from_slice(&line).map_err(|_| foreign("it does not begin a journal".to_owned()))?;
        if destrier != NAME {
            return Err(JournalError::Foreign("its first line does not say so".to_owned()));
        }
        if format != u64::from(FORMAT) {
            return Err(JournalError::Version(format));
        }
        let line = unsealed(&line).ok_or_else(|| JournalError::Foreign("its first line is damaged".to_owned()))?;
        let subject = subject_of(&line).map_err(foreign)?;
        Ok(Reader { subject, input, line: 1, last: None, damaged: 0, over: false })
    }

    /// What was run.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Reads the next line; nothing at the end, also at one that cannot be read on from.
    fn next_line(&mut self) -> Option<Result<Vec<u8>, String>> {
        let read = bounded::line(&mut self.input, LINE_MAX);
        self.line += 1;
        match read {
            Ok(line) if line.ends_with(b"\n") => Some(Ok(line)),
            // At the end, or cut off in the middle of a line.
            Ok(_) => None,
            // Zstd says so of a file that was cut off.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
            Err(error) => {
                self.over = true;
                Some(Err(format!("nothing can be read from here on: {error}")))
            }
        }
    }

    fn item(&mut self, line: &[u8]) -> Result<Item, String> {
        let text = |error: serde_json::Error| error.to_string();
        let line = unsealed(line).ok_or("its checksum is not that of what it says")?;
        if values_said(&line) > VALUES_MAX {
            return Err(TOO_MUCH.to_owned());
        }
        match serde_json::from_slice(&line).map_err(text)? {
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
                let mut frame = changed(last, &change).ok_or("it does not fit to the frame that it changes")?;
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

/// What is run, by the first line without its checksum.
///
/// # Errors
/// What is wrong with the line.
pub(super) fn subject_of(line: &[u8]) -> Result<Subject, String> {
    if values_said(line) > VALUES_MAX {
        return Err("it names more squares than a journal notes".to_owned());
    }
    let head: Head = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    Ok(head.subject)
}

/// What is said of a line of which too much would be made.
const TOO_MUCH: &str = "it says more than a frame can hold";

/// The frame that is written so.
fn frame_of(value: Value) -> Result<Box<Frame>, String> {
    let frame: Box<Frame> = serde_json::from_value(value).map_err(|error| error.to_string())?;
    if frame.at() > AT_MAX { Err("no run takes as long".to_owned()) } else { Ok(frame) }
}

/// How many values a line says, at most: one for each byte that begins one, or stands between two.
fn values_said(line: &[u8]) -> usize {
    line.iter().filter(|byte| matches!(byte, b',' | b':' | b'[' | b'{')).count()
}

/// Whether a frame that was changed is no larger than one that a line can say.
fn fits(frame: &Value) -> bool {
    /// Takes the values off what is left of their number, and their texts off what is left of those.
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

/// A line without its checksum, if that is right.
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
                why += "; so many lines cannot be read that no more are";
            }
            // It may name what the line says.
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
