//! What a file holds, whether it is compressed by zstd or not: that is seen from its first bytes.

use super::decompress::Unpack;
use crate::store::frames::{MARK, ZSTD};
use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// Bytes as they were before they were compressed, if they were.
pub enum TextInput<R: Read> {
    /// Nothing has been read yet; nothing at all is only while it changes.
    Fresh(Option<R>),
    /// As they are: the first few, and the others.
    Plain(Cursor<Vec<u8>>, R),
    /// Compressed.
    Zstd(Unpack<R>),
}

impl<R: Read> TextInput<R> {
    /// The bytes of `inner`.
    pub fn new(inner: R) -> TextInput<R> {
        TextInput::Fresh(Some(inner))
    }

    fn begun(mut inner: R) -> io::Result<TextInput<R>> {
        let mut head = Vec::new();
        (&mut inner).take(MARK.len() as u64).read_to_end(&mut head)?;
        let ends = head == MARK;
        if !ends && !head.starts_with(&ZSTD) {
            return Ok(TextInput::Plain(Cursor::new(head), inner));
        }
        Ok(TextInput::Zstd(Unpack::new(head, inner, ends)))
    }

    /// From now on what is compressed is unpacked by so many threads.
    pub fn share(&mut self, threads: usize) {
        if let TextInput::Zstd(unpack) = self {
            unpack.share(threads);
        }
    }
}

impl<R: Read> Read for TextInput<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let TextInput::Fresh(inner) = self {
            let Some(inner) = inner.take() else { return Ok(0) };
            *self = TextInput::begun(inner)?;
        }
        match self {
            TextInput::Fresh(_) => Ok(0),
            TextInput::Plain(head, inner) => match head.read(into)? {
                0 => inner.read(into),
                some => Ok(some),
            },
            TextInput::Zstd(unpack) => unpack.read(into).map_err(|error| match error.kind() {
                io::ErrorKind::Interrupted => error,
                io::ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "the compressed file was cut off"),
                kind => io::Error::new(kind, format!("it cannot be decompressed: {error}")),
            }),
        }
    }
}

impl<R: Read + Seek> TextInput<R> {
    /// Goes to this byte; false where that cannot be done: in a compressed file, or a pipe.
    pub fn seek(&mut self, place: SeekFrom) -> bool {
        let TextInput::Plain(head, inner) = self else { return false };
        let done = inner.seek(place).is_ok();
        if done {
            *head = Cursor::default();
        }
        done
    }
}
