//! The stream of blocks of tours to a file or to stdout: packed, compressed, both, or neither.

use crate::lock::LockAlways as _;
use crate::store::frames::{BEGIN_FRAME, END_FRAME, FrameCompressor};
use crate::store::packed::PackedLayout;
use crate::store::write::{PackedProgress, PackedWriter};
use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard};

/// A stream of blocks that several threads write.
pub struct Stream<W> {
    /// The compressor, if the stream is compressed.
    frames: Option<FrameCompressor>,
    inner: Mutex<Inner<W>>,
}

struct Inner<W> {
    to: W,
    /// Whether anything was written.
    begun: bool,
    packed: Option<PackedWriter>,
    /// The progress of a packed file that is resumed.
    resumed: Option<PackedProgress>,
}

impl<W: Write> Stream<W> {
    /// A new file; `compressed` or not.
    pub fn new(to: W, compressed: bool) -> Stream<W> {
        Stream::resume(to, compressed, false, None)
    }

    /// The stream of a file that may have `begun`, with its progress if it is packed.
    pub fn resume(to: W, compressed: bool, begun: bool, resumed: Option<PackedProgress>) -> Stream<W> {
        let inner = Mutex::new(Inner { to, begun, packed: None, resumed });
        Stream { frames: compressed.then(FrameCompressor::default), inner }
    }

    /// Takes blocks for records of a packed file with this layout from now on.
    pub fn pack(&self, layout: PackedLayout) {
        let mut inner = self.inner();
        let packed = inner.resumed.map_or_else(|| PackedWriter::new(layout), |far| PackedWriter::resume(layout, far));
        inner.packed = Some(packed);
    }

    /// Writes a block of whole tours.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, block: &[u8]) -> io::Result<()> {
        let mut inner = self.inner();
        if let Some(packed) = &mut inner.packed {
            let mut file = Vec::with_capacity(block.len());
            packed.add(block, &mut file);
            let file = self.framed(&file)?;
            return inner.put(&file, self.frames.is_some());
        }
        drop(inner);
        // Other threads can write while this block is compressed.
        let block = self.framed(block)?;
        self.inner().put(&block, self.frames.is_some())
    }

    fn framed<'a>(&self, block: &'a [u8]) -> io::Result<Cow<'a, [u8]>> {
        Ok(if let Some(frames) = &self.frames { Cow::Owned(frames.compress(block)?) } else { Cow::Borrowed(block) })
    }

    /// Writes the end of the stream.
    ///
    /// # Errors
    /// As [`Stream::write`].
    pub fn end(&self) -> io::Result<()> {
        let mut file = Vec::new();
        let mut inner = self.inner();
        if let Some(packed) = &mut inner.packed {
            packed.end(&mut file);
            let file = self.framed(&file)?;
            inner.put(&file, self.frames.is_some())?;
        }
        if self.frames.is_some() {
            inner.put(&END_FRAME, true)?;
        }
        Ok(())
    }

    /// Calls `ask` with the destination, and with the progress if the stream is packed; no block is written meanwhile.
    pub fn with<T>(&self, ask: impl FnOnce(&mut W, Option<PackedProgress>) -> T) -> T {
        let Inner { to, packed, .. } = &mut *self.inner();
        ask(to, packed.as_ref().and_then(PackedWriter::progress))
    }

    /// The destination.
    pub fn into_inner(self) -> W {
        self.inner.into_content().to
    }

    fn inner(&self) -> MutexGuard<'_, Inner<W>> {
        self.inner.locked()
    }
}

/// A writer to the whole stream, for one thread.
pub struct StreamWriter<W>(pub Arc<Stream<W>>);

impl<W: Write> Write for StreamWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<W: Write> Inner<W> {
    /// Writes bytes as they are, behind the mark of a compressed file.
    fn put(&mut self, bytes: &[u8], compressed: bool) -> io::Result<()> {
        if !std::mem::replace(&mut self.begun, true) && compressed {
            self.to.write_all(&BEGIN_FRAME)?;
        }
        self.to.write_all(bytes)?;
        self.to.flush()
    }
}
