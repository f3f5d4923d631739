//! Buffered text output of the writers, and the error type of the writers.

use crate::board::{TourFault, WALK_BLOCK};
use std::fmt;
use std::io::{self, Write};

/// Number of bytes that are buffered before they are written.
pub(super) const BLOCK: usize = 1 << 16;

/// Why a tour was not written, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Writing failed; a closed pipe is [`io::ErrorKind::BrokenPipe`].
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The route is no tour. The part that has been written must be discarded.
    #[error("no tour: {0}")]
    Fault(#[from] TourFault),
}

/// A buffer of text before an output.
pub(super) struct TextOut<'a> {
    to: &'a mut dyn Write,
    pub(super) block: Vec<u8>,
}

impl<'a> TextOut<'a> {
    pub(super) fn new(to: &'a mut dyn Write) -> TextOut<'a> {
        // More than a block, because names of many squares are added before the length is tested.
        TextOut { to, block: Vec::with_capacity(BLOCK + 16 * WALK_BLOCK) }
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.block.extend_from_slice(text.as_bytes());
    }

    /// Appends formatted text.
    pub(super) fn push_fmt(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a vector never fails.
        let _ = self.block.write_fmt(text);
    }

    /// Writes the buffer if it is full. It must be called after every few words.
    #[inline]
    pub(super) fn flush_if_full(&mut self) -> io::Result<()> {
        if self.block.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.to.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }
}
