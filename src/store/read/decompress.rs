//! Reads an input, decompressed if its first bytes are those of zstd.
//!
//! The files that this program writes consist of many small frames, and the last one says that the file is whole. The bytes before a
//! frame that is damaged or cut off are read.

use crate::bounded::is_compressed;
use crate::store::frames::{BEGIN_FRAME, END_FRAME};
use std::io::{self, BufReader, Chain, Cursor, Read, Seek, SeekFrom};
use zstd::Decoder;

/// Reads the decompressed bytes of an input.
pub enum UnpackedInput<R: Read> {
    /// Nothing has been read yet. `None` only while the state changes.
    Fresh(Option<R>),
    /// Not compressed: the first few bytes, which have been read, and the rest.
    Plain(Chain<Cursor<Vec<u8>>, R>),
    /// Compressed by zstd.
    Zstd(Box<Decoder<'static, BufReader<EndCheck<R>>>>),
}

/// The compressed input. Reports an error if a file that must have an end frame ends without it.
pub struct EndCheck<R> {
    inner: Chain<Cursor<Vec<u8>>, R>,
    /// Whether the file must have an end frame.
    must_end: bool,
    /// The last bytes so far, as many as an end frame has.
    tail: Vec<u8>,
}

impl<R: Read> UnpackedInput<R> {
    /// An input that reads `inner`.
    pub fn new(inner: R) -> UnpackedInput<R> {
        UnpackedInput::Fresh(Some(inner))
    }

    fn open(mut inner: R) -> io::Result<UnpackedInput<R>> {
        let mut head = Vec::new();
        (&mut inner).take(BEGIN_FRAME.len() as u64).read_to_end(&mut head)?;
        let (is_compressed, must_end) = (is_compressed(&head), head == BEGIN_FRAME);
        let inner = Cursor::new(head).chain(inner);
        if !is_compressed {
            return Ok(UnpackedInput::Plain(inner));
        }
        let input = EndCheck { inner, must_end, tail: Vec::new() };
        Ok(UnpackedInput::Zstd(Box::new(Decoder::new(input)?)))
    }
}

impl<R: Read> Read for UnpackedInput<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let UnpackedInput::Fresh(inner) = self {
            let Some(inner) = inner.take() else { return Ok(0) };
            *self = UnpackedInput::open(inner)?;
        }
        match self {
            UnpackedInput::Fresh(_) => Ok(0),
            UnpackedInput::Plain(inner) => inner.read(into),
            UnpackedInput::Zstd(decoder) => decoder.read(into).map_err(|error| match error.kind() {
                io::ErrorKind::Interrupted => error,
                io::ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "the compressed file was cut off"),
                kind => io::Error::new(kind, format!("the file cannot be decompressed: {error}")),
            }),
        }
    }
}

impl<R: Read + Seek> UnpackedInput<R> {
    /// Seeks to a byte. Returns false if that is not possible, in a compressed file or a pipe.
    pub fn seek(&mut self, place: SeekFrom) -> bool {
        let UnpackedInput::Plain(inner) = self else { return false };
        let (head, inner) = inner.get_mut();
        let done = inner.seek(place).is_ok();
        if done {
            *head = Cursor::default();
        }
        done
    }
}

impl<R: Read> Read for EndCheck<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        if count == 0 && !into.is_empty() && self.must_end && self.tail != END_FRAME {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let new = &into[..count];
        self.tail.extend_from_slice(&new[count.saturating_sub(END_FRAME.len())..]);
        self.tail.drain(..self.tail.len().saturating_sub(END_FRAME.len()));
        Ok(count)
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::frames::FrameCompressor;

    /// An input that gives at most this number of bytes at a time.
    struct SmallReads<'a>(&'a [u8], usize);

    impl Read for SmallReads<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(into.len()).min(self.1);
            into[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    /// All bytes that can be read, and the kind of the error that follows, if there is one.
    fn all(file: &[u8], drop: usize) -> (Vec<u8>, Option<io::ErrorKind>) {
        let mut text = Vec::new();
        let end = UnpackedInput::new(SmallReads(file, drop)).read_to_end(&mut text).err().map(|error| error.kind());
        (text, end)
    }

    /// Blocks of lines of different lengths.
    fn blocks() -> Vec<Vec<u8>> {
        let line = |number: usize| format!("{number} {:x}\n", number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).into_bytes();
        [3, 40, 1, 0, 17, 200, 90].map(|lines| (0..lines).flat_map(line).collect()).to_vec()
    }

    #[test]
    fn a_file_is_read_whole_or_up_to_its_first_damage() {
        let (frames, blocks) = (FrameCompressor::default(), blocks());
        let packed: Vec<u8> = blocks.iter().flat_map(|block| frames.compress(block).unwrap()).collect();
        let own = [&BEGIN_FRAME[..], &packed, &END_FRAME].concat();
        let text = blocks.concat();
        for drop in [1, 7, 1000, 1 << 20] {
            assert_eq!(all(&own, drop), (text.clone(), None));
        }
        for at in 13..own.len() {
            let (found, error) = all(&own[..at], 1000);
            assert!(text.starts_with(&found) && error == Some(io::ErrorKind::UnexpectedEof), "{at}: {error:?}");
            let mut wrong = own.clone();
            wrong[at] ^= 4;
            let (found, error) = all(&wrong, 1 << 20);
            assert!(found == text || error.is_some(), "{at}: {found:?}");
        }
        // Files of other programs: a frame that does not give its size, a large frame, and both among small frames.
        let silent = zstd::encode_all(&*text, 1).unwrap();
        let noise: Vec<u8> = (0..1u32 << 20).flat_map(|k| k.wrapping_mul(0x9E37_79B9).to_le_bytes()).collect();
        let large = zstd::bulk::compress(&noise, 1).unwrap();
        let mixed = [&packed[..], &silent, &packed, &large, &packed].concat();
        let expected = [&text[..], &text, &text, &noise, &text].concat();
        assert!(all(&mixed, 4000) == (expected, None));
        assert_eq!(all(&silent[..silent.len() - 9], 1 << 20).1, Some(io::ErrorKind::UnexpectedEof));
    }
}
