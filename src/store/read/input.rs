//! The input of a reader, decompressed if it is compressed by zstd, which its first bytes show.

use super::decompress::ZstdReader;
use crate::bounded::is_compressed;
use crate::store::frames::BEGIN_FRAME;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// Reads the decompressed bytes of an input.
pub enum TextInput<R: Read> {
    /// Nothing has been read yet. `None` only while the state changes.
    Fresh(Option<R>),
    /// Not compressed: the first few bytes, which have been read, and the rest.
    Plain(Cursor<Vec<u8>>, R),
    /// Compressed by zstd.
    Zstd(ZstdReader<R>),
}

impl<R: Read> TextInput<R> {
    /// An input that reads `inner`.
    pub fn new(inner: R) -> TextInput<R> {
        TextInput::Fresh(Some(inner))
    }

    fn open(mut inner: R) -> io::Result<TextInput<R>> {
        let mut head = Vec::new();
        (&mut inner).take(BEGIN_FRAME.len() as u64).read_to_end(&mut head)?;
        if !is_compressed(&head) {
            return Ok(TextInput::Plain(Cursor::new(head), inner));
        }
        let ends = head == BEGIN_FRAME;
        Ok(TextInput::Zstd(ZstdReader::new(head, inner, ends)))
    }

    /// Sets the number of threads that decompress.
    pub fn set_threads(&mut self, threads: usize) {
        if let TextInput::Zstd(unpack) = self {
            unpack.set_threads(threads);
        }
    }
}

impl<R: Read> Read for TextInput<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let TextInput::Fresh(inner) = self {
            let Some(inner) = inner.take() else { return Ok(0) };
            *self = TextInput::open(inner)?;
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
                kind => io::Error::new(kind, format!("the file cannot be decompressed: {error}")),
            }),
        }
    }
}

impl<R: Read + Seek> TextInput<R> {
    /// Seeks to a byte. Returns false if that is not possible, in a compressed file or a pipe.
    pub fn seek(&mut self, place: SeekFrom) -> bool {
        let TextInput::Plain(head, inner) = self else { return false };
        let done = inner.seek(place).is_ok();
        if done {
            *head = Cursor::default();
        }
        done
    }
}
