//! Writes the lines of a journal to a file or to a client of the server.

use super::title::{Head, JournalLine, Subject, seal};
use serde::Serialize;
use std::io::{self, Write};

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
