//! Reads a journal, also one that was cut off or damaged: a line that cannot be read is named and skipped, and the end of
//! a file without its last line is the end of what is known.

use super::change::changed;
use super::{Head, Last, Line, NAME, Subject, dress, seal, strip};
use crate::run::{End, FORMAT, Frame};
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Bytes of the longest line that is read: a frame of the largest crew on the largest board is shorter.
const LINE_MAX: u64 = 256 << 20;
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
        let mut line = Vec::new();
        (&mut input).take(LINE_MAX).read_until(b'\n', &mut line)?;
        let foreign = |error: serde_json::Error| JournalError::Foreign(format!("its first line: {error}"));
        let head: Value = serde_json::from_slice(&line).map_err(foreign)?;
        if head["destrier"] != NAME {
            return Err(JournalError::Foreign("its first line does not say so".to_owned()));
        }
        match head["format"].as_u64() {
            Some(format) if format == u64::from(FORMAT) => {}
            format => return Err(JournalError::Version(format.unwrap_or(0))),
        }
        if unsealed(&line).is_none() {
            return Err(JournalError::Foreign("its first line is damaged".to_owned()));
        }
        let Head { subject, .. } = serde_json::from_value(head).map_err(foreign)?;
        Ok(Reader { subject, input, line: 1, last: None, over: false })
    }

    /// What was run.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Reads the next line that is not empty; nothing at the end, also at one that cannot be read on from.
    fn next_line(&mut self) -> Option<Result<Vec<u8>, String>> {
        let mut line = Vec::new();
        let read = (&mut self.input).take(LINE_MAX).read_until(b'\n', &mut line);
        self.line += 1;
        match read {
            Ok(0) => None,
            Ok(_) if line.ends_with(b"\n") => Some(Ok(line)),
            // Cut off in the middle of a line.
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
        match serde_json::from_slice(&line).map_err(text)? {
            Line::Whole { line, frame } => {
                let mut last = frame.clone();
                strip(&mut last);
                let frame = serde_json::from_value(frame).map_err(text)?;
                self.last = Some((line, last));
                Ok(Item::Frame(frame))
            }
            Line::Change { line, change, events, positions } => {
                let after = line.wrapping_sub(1);
                let last = self.last.as_ref().filter(|(last, _)| *last == after);
                let (_, last) =
                    last.ok_or_else(|| format!("it needs the frame of line {after}, which cannot be read"))?;
                let mut frame = changed(last, &change).ok_or("it does not fit to the frame that it changes")?;
                self.last = Some((line, frame.clone()));
                dress(&mut frame, [events, positions]);
                serde_json::from_value(frame).map(Item::Frame).map_err(text)
            }
            Line::Ended { ended: Last { end, report, lost } } => Ok(Item::Ended(end, report, lost)),
        }
    }
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
        let item = item.unwrap_or_else(|why| Item::Damaged(Damage { line: self.line, why }));
        self.over |= matches!(item, Item::Ended(..));
        Some(item)
    }
}
