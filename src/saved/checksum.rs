//! The format of a saved file: a stream with its CRC-32 at the end.

use crate::bounded;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Bytes that are gathered before they are written or read.
pub const BLOCK: usize = 1 << 20;

/// Opens a saved file for reading, from its first byte on.
///
/// # Errors
/// When it cannot be opened, or is no regular file: a read from a pipe could wait for ever.
pub fn open(path: &Path) -> io::Result<ChecksumStream<BufReader<File>>> {
    Ok(ChecksumStream::new(BufReader::with_capacity(BLOCK, bounded::open(path)?)))
}

/// The CRC-32 of these pieces, one behind the other.
pub fn checksum<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    pieces.into_iter().for_each(|piece| hasher.update(piece));
    hasher.finalize()
}

/// A reader or writer that computes the CRC-32 of all bytes that pass.
#[derive(Debug)]
pub struct ChecksumStream<T> {
    inner: T,
    hasher: crc32fast::Hasher,
}

impl<T> ChecksumStream<T> {
    /// A stream of which no byte has passed yet.
    pub fn new(inner: T) -> ChecksumStream<T> {
        ChecksumStream { inner, hasher: crc32fast::Hasher::new() }
    }
}

impl ChecksumStream<BufReader<File>> {
    /// Length of the open file in bytes, whichever file has its name now.
    ///
    /// # Errors
    /// When the system does not tell.
    pub(super) fn file_bytes(&self) -> io::Result<u64> {
        Ok(self.inner.get_ref().metadata()?.len())
    }

    /// Where the stream is, to [go back](Self::go_back) there.
    pub(super) fn place(&mut self) -> io::Result<(u64, crc32fast::Hasher)> {
        Ok((self.inner.stream_position()?, self.hasher.clone()))
    }

    /// Reads on from an earlier place.
    pub(super) fn go_back(&mut self, (at, hasher): (u64, crc32fast::Hasher)) -> io::Result<()> {
        self.hasher = hasher;
        self.inner.seek(SeekFrom::Start(at)).map(drop)
    }
}

impl<T: Write> ChecksumStream<T> {
    /// Writes the checksum, and flushes the stream.
    pub(super) fn seal(mut self) -> io::Result<()> {
        let sum = self.hasher.finalize();
        self.inner.write_all(&sum.to_le_bytes())?;
        self.inner.flush()
    }
}

impl<T: BufRead> ChecksumStream<T> {
    /// Reads a line, of at most `longest` bytes.
    ///
    /// # Errors
    /// The errors of [`bounded::line`].
    pub fn line(&mut self, longest: u64) -> io::Result<Vec<u8>> {
        let line = bounded::line(&mut self.inner, longest)?;
        self.hasher.update(&line);
        Ok(line)
    }

    /// Reads the checksum, which must be that of all bytes read, and the end of the file.
    ///
    /// # Errors
    /// When the checksum differs, or the file is longer or shorter.
    pub fn check(&mut self) -> io::Result<()> {
        let sum = self.hasher.clone().finalize();
        let mut stored = [0; 4];
        self.inner.read_exact(&mut stored)?;
        if u32::from_le_bytes(stored) != sum || self.inner.read(&mut [0])? > 0 {
            let why = "its checksum does not agree with its contents";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(())
    }
}

impl<T: Read> Read for ChecksumStream<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(bytes)?;
        self.hasher.update(&bytes[..length]);
        Ok(length)
    }
}

impl<T: Write> Write for ChecksumStream<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
