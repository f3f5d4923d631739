//! Reads a journal, even if it is cut off or damaged: an unreadable line is reported and skipped, and a file without
//! its last line ends where it is cut off.
//!
//! Another program may have written the file, and a few kilobytes of zstd may hold gigabytes. So the length of a line,
//! the number of values in a line, and the number of unreadable lines are bounded, and the checksum is verified before a
//! line is parsed.

use super::title::{Head, JournalLine, LastLine, Subject, seal};
use crate::bounded::{self, FIRST_LINE_MAX, FileFormat, FileKind};
use crate::run::frame::Frame;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::time::Duration;

/// Most bytes in a line after the first: a map of a million squares has six million, a frame of the largest crew three.
pub(super) const LINE_MAX: u64 = 16 << 20;
/// Most values in a line: a map of a million squares has one for each.
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
    /// The frames of a line, of how many wishes of the viewer the run had heard, and whether they are from before the viewer
    /// came. In a file it is one frame.
    Frames {
        frames: Vec<Frame>,
        heard: u32,
        past: bool,
    },
    /// A line that was skipped.
    Damaged(Damage),
    Ended(LastLine),
}

/// Reads a journal line by line; ends after its last line, or where it is cut off.
pub struct Reader {
    subject: Subject,
    input: Box<dyn BufRead + Send>,
    line: u64,
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
        Reader::new(bounded::open_stream(path)?)
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
            Some(_) => JournalError::Foreign(why),
            None => JournalError::Foreign(format!("{why}: --record FILE of search, count and find makes one")),
        })?;
        let line = unsealed(&line).ok_or_else(|| damaged("is damaged".to_owned()))?;
        let subject = subject_of(&line).map_err(|why| damaged(format!("is invalid: {why}")))?;
        Ok(Reader { subject, input, line: 1, damaged: 0, over: false })
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
}

/// Parses a line after the first.
fn item(line: &[u8]) -> Result<Item, String> {
    let line = unsealed(line).ok_or("its checksum does not agree with its contents")?;
    if values_at_most(&line) > VALUES_MAX {
        return Err("it holds more values than a frame can have".to_owned());
    }
    let (frames, heard, past) = match bounded::json::<JournalLine<Frame>>(&line).map_err(|error| error.to_string())? {
        JournalLine::Frame(frame) => (vec![frame], 0, false),
        JournalLine::Frames { frames, heard, past } => (frames, heard, past),
        JournalLine::Ended(last) => return Ok(Item::Ended(last)),
    };
    if frames.iter().any(|frame| frame.at() > AT_MAX) {
        Err("its time is later than any run can last".to_owned())
    } else {
        Ok(Item::Frames { frames, heard, past })
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

/// Upper bound of the values in a line: one for each byte that begins a value or separates two.
fn values_at_most(line: &[u8]) -> usize {
    line.iter().filter(|byte| matches!(byte, b',' | b':' | b'[' | b'{')).count()
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
        let item = read.and_then(|line| item(&line));
        let item = item.unwrap_or_else(|mut why| {
            self.damaged += 1;
            // The report may quote the line.
            if let Some((end, _)) = why.char_indices().nth(WHY_MAX) {
                why.truncate(end);
                why += "..";
            }
            if self.damaged == DAMAGED_MAX && !self.over {
                self.over = true;
                why += "; too many lines are unreadable, so the rest is not read";
            }
            Item::Damaged(Damage { line: self.line, why })
        });
        self.over |= matches!(item, Item::Ended(..));
        Some(item)
    }
}
