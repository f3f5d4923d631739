//! Text on its way out, gathered to blocks, and why it did not get there.

use crate::board::TourFault;
use std::fmt;
use std::io::{self, Write};

/// Bytes that are gathered before they are written.
pub(super) const BLOCK: usize = 1 << 16;

/// Why a tour was not written, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Writing failed; a closed pipe is [`io::ErrorKind::BrokenPipe`].
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The route is no tour. What was written until then is none either.
    #[error("no tour: {0}")]
    Fault(#[from] TourFault),
}

/// Text on its way out.
pub(super) struct TextOut<'a> {
    to: &'a mut dyn Write,
    pub(super) block: Vec<u8>,
}

impl<'a> TextOut<'a> {
    pub(super) fn new(to: &'a mut dyn Write) -> TextOut<'a> {
        // A little more than a block: what comes last need not fit in it.
        TextOut { to, block: Vec::with_capacity(BLOCK + 4096) }
    }

    pub(super) fn text(&mut self, text: &str) {
        self.block.extend_from_slice(text.as_bytes());
    }

    /// Short text with values in it.
    pub(super) fn add(&mut self, text: fmt::Arguments<'_>) {
        // A vector takes everything.
        let _ = self.block.write_fmt(text);
    }

    /// Writes the block if it is full; to be called after every few words.
    #[inline]
    pub(super) fn pass(&mut self) -> io::Result<()> {
        if self.block.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.to.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }
}
