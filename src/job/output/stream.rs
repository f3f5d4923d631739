//! What becomes of blocks of tours on their way to a file or to stdout: they are cut into packed blocks, or compressed,
//! or both, or neither.

use crate::lock::LockAlways as _;
use crate::store::frames::{BEGIN_FRAME, END_FRAME, FrameCompressor};
use crate::store::packed::PackedLayout;
use crate::store::write::{PackedProgress, PackedWriter};
use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard};

/// Where blocks go that several threads write.
pub struct Stream<W> {
    /// What it is compressed by, if it is.
    frames: Option<FrameCompressor>,
    inner: Mutex<Inner<W>>,
}

struct Inner<W> {
    to: W,
    /// Whether anything was written.
    begun: bool,
    packed: Option<PackedWriter>,
    /// How far a packed file was that is gone on with.
    far: Option<PackedProgress>,
}

impl<W: Write> Stream<W> {
    /// A new file; `compressed` or not.
    pub fn new(to: W, compressed: bool) -> Stream<W> {
        Stream::go_on(to, compressed, false, None)
    }

    /// One that may have `begun`, and is so far if it is packed.
    pub fn go_on(to: W, compressed: bool, begun: bool, far: Option<PackedProgress>) -> Stream<W> {
        let inner = Mutex::new(Inner { to, begun, packed: None, far });
        Stream { frames: compressed.then(FrameCompressor::default), inner }
    }

    /// Takes blocks for records of such a file from now on.
    pub fn pack(&self, layout: PackedLayout) {
        let mut inner = self.inner();
        let packed = inner.far.map_or_else(|| PackedWriter::new(layout), |far| PackedWriter::resume(layout, far));
        inner.packed = Some(packed);
    }

    /// Writes a block of whole tours.
    ///
    /// # Errors
    /// What was said when it could not be written.
    pub fn write(&self, block: &[u8]) -> io::Result<()> {
        let mut inner = self.inner();
        if let Some(packed) = &mut inner.packed {
            let mut file = Vec::with_capacity(block.len());
            packed.add(block, &mut file);
            let file = self.framed(&file)?;
            return inner.put(&file, self.frames.is_some());
        }
        drop(inner);
        // Nobody waits for a block that is being compressed.
        let block = self.framed(block)?;
        self.inner().put(&block, self.frames.is_some())
    }

    fn framed<'a>(&self, block: &'a [u8]) -> io::Result<Cow<'a, [u8]>> {
        Ok(match &self.frames {
            Some(frames) => Cow::Owned(frames.compress(block)?),
            None => Cow::Borrowed(block),
        })
    }

    /// Writes what belongs at the end.
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

    /// Asks where it goes, and how far it is if it is packed; nobody writes in between.
    pub fn with<T>(&self, ask: impl FnOnce(&mut W, Option<PackedProgress>) -> T) -> T {
        let Inner { to, packed, .. } = &mut *self.inner();
        ask(to, packed.as_ref().and_then(PackedWriter::progress))
    }

    /// The same stream, after something was done to where it goes; and what came of that.
    pub fn map<T>(self, change: impl FnOnce(W) -> (W, T)) -> (Stream<W>, T) {
        let inner = self.inner.into_content();
        let (to, done) = change(inner.to);
        (Stream { frames: self.frames, inner: Mutex::new(Inner { to, ..inner }) }, done)
    }

    /// Where it went.
    pub fn into_inner(self) -> W {
        self.inner.into_content().to
    }

    fn inner(&self) -> MutexGuard<'_, Inner<W>> {
        self.inner.locked()
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
