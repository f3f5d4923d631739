//! Writes the lines of a journal to a file or to a client of the server.

use super::change::change;
use super::title::{Head, JournalLine, LastLine, Subject, seal, strip};
use crate::run::frame::Frame;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};

/// A full frame is written after this many frames.
const WHOLE_EVERY: u64 = 20;

/// Writes the lines of a journal.
pub struct Scribe<W> {
    output: W,
    /// Lines written so far.
    line: u64,
    /// The last frame, without its events and positions.
    last: Option<Value>,
    frames: u64,
}

impl<W: Write> Scribe<W> {
    /// Writes the first line, with the subject.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(output: W, subject: Subject) -> io::Result<Scribe<W>> {
        let mut scribe = Scribe { output, line: 1, last: None, frames: 0 };
        scribe.write(&Head::new(subject))?;
        Ok(scribe)
    }

    /// Writes a frame.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn frame(&mut self, frame: &Frame) -> io::Result<()> {
        let mut frame = serde_json::to_value(frame)?;
        self.line += 1;
        let last = self.last.take().filter(|_| !self.frames.is_multiple_of(WHOLE_EVERY));
        self.frames += 1;
        let Some(last) = last else {
            self.write(&JournalLine::Whole { line: self.line, frame: frame.clone() })?;
            strip(&mut frame);
            self.last = Some(frame);
            return Ok(());
        };
        let [events, positions] = strip(&mut frame);
        let change = change(&last, &frame).unwrap_or_else(|| Value::Object(serde_json::Map::new()));
        self.last = Some(frame);
        self.write(&JournalLine::Change { line: self.line, change, events, positions })
    }

    /// Writes the last line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(&mut self, ended: LastLine) -> io::Result<()> {
        self.write(&JournalLine::Ended { ended })
    }

    /// Frames written.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// Returns the output.
    pub fn into_inner(self) -> W {
        self.output
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        // Remove the last brace, which the seal adds again.
        text.pop();
        text.extend(seal(&text).bytes().chain([b'\n']));
        self.output.write_all(&text)
    }
}
