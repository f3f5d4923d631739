//! Writes the lines of a journal to a file or to a client of the server.

use super::title::{Head, JournalLine, LastLine, Subject, seal};
use crate::run::frame::Frame;
use serde::Serialize;
use std::io::{self, Write};

/// Writes the lines of a journal.
pub struct Scribe<W> {
    output: W,
    frames: u64,
}

impl<W: Write> Scribe<W> {
    /// Writes the first line, with the subject.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(output: W, subject: Subject) -> io::Result<Scribe<W>> {
        let mut scribe = Scribe { output, frames: 0 };
        scribe.write(&Head::new(subject))?;
        Ok(scribe)
    }

    /// Writes a frame.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn frame(&mut self, frame: &Frame) -> io::Result<()> {
        self.frames += 1;
        self.write(&JournalLine::Frame(frame))
    }

    /// Writes the last line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(&mut self, ended: LastLine) -> io::Result<()> {
        self.write(&JournalLine::<&Frame>::Ended(ended))
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
