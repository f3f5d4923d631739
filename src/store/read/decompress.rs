//! Reads an input, decompressed if its first bytes are those of zstd: frame by frame, several at a time by several threads.
//!
//! The files that this program writes consist of many small frames, each of which gives its compressed and its decompressed
//! size. Frames that have been read completely are decompressed in batches. The first other frame goes, with all that
//! follows, to a streaming decoder. Such a frame is cut off, does not give its size, is too large, or is damaged. The
//! decoder gives the bytes that can be recovered, and reports the error.

use crate::bounded::{ZSTD_FRAME, is_compressed};
use crate::store::frames::{BEGIN_FRAME, END_FRAME};
use crate::system;
use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use zstd::Decoder;
use zstd::bulk::Decompressor;
use zstd::zstd_safe::{find_frame_compressed_size, get_frame_content_size};

/// Compressed bytes that are read at once.
const READ_BYTES: usize = 1 << 18;
/// Most bytes of a frame, compressed or decompressed. A frame is a block of tours.
const FRAME_MAX: usize = 1 << 20;
/// Decompressed bytes at which a batch ends: for each thread, and at most.
const BATCH_BYTES: (usize, usize) = (1 << 18, 1 << 21);

/// Reads the decompressed bytes of an input.
pub struct UnpackedInput<R: Read> {
    state: InputState<R>,
    threads: usize,
    /// The threads. `None` until they are needed, and where they cannot be started.
    pool: Option<ThreadPool>,
    /// Decompressed frames, as far as they have not been read.
    ready: Cursor<Vec<u8>>,
}

enum InputState<R: Read> {
    /// Nothing has been read yet.
    Fresh(R),
    /// The input is not compressed.
    Plain(InputBytes<R>),
    /// Whole frames are decompressed in batches.
    Frames(InputBytes<R>),
    /// A decoder reads the rest as a stream.
    Stream(Box<Decoder<'static, BufReader<InputBytes<R>>>>),
    /// The end, or a state that is being changed, or an error.
    Over,
}

/// The bytes of the input: those that were read but not consumed, then a known error or the rest.
struct InputBytes<R> {
    read: Cursor<Vec<u8>>,
    error: Option<io::Error>,
    inner: R,
    /// Whether the input must end with an end frame.
    must_end: bool,
    /// The last bytes so far, as many as an end frame has.
    tail: Vec<u8>,
}

/// A frame that has been read completely, and its number of decompressed bytes.
type WholeFrame<'a> = (&'a [u8], usize);

impl<R: Read> UnpackedInput<R> {
    /// An input that reads `inner`.
    pub fn new(inner: R) -> UnpackedInput<R> {
        UnpackedInput { state: InputState::Fresh(inner), threads: 1, pool: None, ready: Cursor::default() }
    }

    /// Sets the number of threads that decompress.
    pub fn set_threads(&mut self, threads: usize) {
        if self.threads != threads {
            (self.threads, self.pool) = (threads, None);
        }
    }

    /// Decompresses the next batch of frames, or changes to the streaming decoder.
    fn advance(&mut self, mut packed: InputBytes<R>) -> io::Result<InputState<R>> {
        let batch = (self.threads * BATCH_BYTES.0).min(BATCH_BYTES.1);
        while packed.whole_frames(batch).is_empty() && packed.may_be_whole() && packed.read_more() {}
        let mut frames = packed.whole_frames(batch);
        frames.truncate(self.decompress_frames(&frames));
        let consumed = frames.iter().map(|(bytes, _)| bytes.len()).sum::<usize>();
        Ok(match consumed {
            1.. => {
                packed.read.set_position(packed.read.position() + consumed as u64);
                InputState::Frames(packed)
            }
            0 if packed.unread().is_empty() && packed.error.is_none() => InputState::Over,
            0 => InputState::Stream(Box::new(Decoder::new(packed)?)),
        })
    }

    /// Decompresses frames up to the first that is damaged. Returns their number.
    fn decompress_frames(&mut self, frames: &[WholeFrame<'_>]) -> usize {
        if self.threads > 1 && frames.len() > 1 && self.pool.is_none() {
            // Without threads the caller decompresses all frames.
            self.pool = system::pool(self.threads).ok();
        }
        let mut texts = vec![0; frames.iter().map(|(_, length)| length).sum()];
        let mut rest = &mut texts[..];
        let parts = frames.iter().map(|&(bytes, length)| (bytes, rest.split_off_mut(..length).unwrap_or_default()));
        let parts: Vec<_> = parts.collect();
        let new = || Decompressor::new().ok();
        let are_sound: Vec<bool> = match &self.pool {
            Some(pool) => pool.install(|| parts.into_par_iter().map_init(new, decompress).collect()),
            None => parts.into_iter().scan(new(), |by, part| Some(decompress(by, part))).collect(),
        };
        let sound = are_sound.iter().take_while(|is_sound| **is_sound).count();
        texts.truncate(frames[..sound].iter().map(|(_, length)| length).sum());
        self.ready = Cursor::new(texts);
        sound
    }
}

/// Decompresses a frame into its text. Returns whether the frame is sound.
fn decompress(by: &mut Option<Decompressor<'static>>, (bytes, text): (&[u8], &mut [u8])) -> bool {
    // A frame of another type is skipped.
    !bytes.starts_with(&ZSTD_FRAME)
        || by.as_mut().is_some_and(|by| by.decompress_to_buffer(bytes, text).is_ok_and(|count| count == text.len()))
}

impl<R: Read> Read for UnpackedInput<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let unreadable = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "the compressed file was cut off"),
            kind => io::Error::new(kind, format!("the file cannot be decompressed: {error}")),
        };
        loop {
            let given = self.ready.read(into)?;
            if given > 0 || into.is_empty() {
                return Ok(given);
            }
            match &mut self.state {
                InputState::Over => return Ok(0),
                InputState::Plain(bytes) => return bytes.read(into),
                InputState::Stream(decoder) => return decoder.read(into).map_err(unreadable),
                InputState::Fresh(_) | InputState::Frames(_) => {}
            }
            match std::mem::replace(&mut self.state, InputState::Over) {
                InputState::Fresh(inner) => self.state = InputBytes::open(inner)?,
                InputState::Frames(packed) => self.state = self.advance(packed).map_err(unreadable)?,
                state => self.state = state,
            }
        }
    }
}

impl<R: Read + Seek> UnpackedInput<R> {
    /// Seeks to a byte. Returns false if that is not possible, in a compressed file or a pipe.
    pub fn seek(&mut self, place: SeekFrom) -> bool {
        let InputState::Plain(bytes) = &mut self.state else { return false };
        let done = bytes.inner.seek(place).is_ok();
        if done {
            bytes.read = Cursor::default();
        }
        done
    }
}

impl<R: Read> InputBytes<R> {
    /// Reads the first few bytes, which say whether the input is compressed.
    fn open(mut inner: R) -> io::Result<InputState<R>> {
        let mut head = Vec::new();
        (&mut inner).take(BEGIN_FRAME.len() as u64).read_to_end(&mut head)?;
        let (is_packed, must_end, tail) = (is_compressed(&head), head == BEGIN_FRAME, head.clone());
        let bytes = InputBytes { read: Cursor::new(head), error: None, inner, must_end, tail };
        Ok(if is_packed { InputState::Frames(bytes) } else { InputState::Plain(bytes) })
    }

    /// The bytes that were read but not consumed.
    fn unread(&self) -> &[u8] {
        &self.read.get_ref()[self.read.position() as usize..]
    }

    /// The complete frames among the unread bytes, up to `batch` decompressed bytes.
    fn whole_frames(&self, batch: usize) -> Vec<WholeFrame<'_>> {
        let (mut rest, mut frames, mut texts) = (self.unread(), Vec::new(), 0);
        while texts < batch
            && !rest.is_empty()
            && let Ok(Some(text)) = get_frame_content_size(rest)
            && text <= FRAME_MAX as u64
            && let Ok(length) = find_frame_compressed_size(rest)
        {
            frames.push((&rest[..length], text as usize));
            (rest, texts) = (&rest[length..], texts + text as usize);
        }
        frames
    }

    /// Whether the next frame could be complete after more is read.
    fn may_be_whole(&self) -> bool {
        // The decompressed size is in the first eighteen bytes of a frame.
        let (unread, is_small) = (self.unread(), |text: Option<u64>| text.is_some_and(|text| text <= FRAME_MAX as u64));
        let fits = get_frame_content_size(unread).map_or(unread.len() < 18, is_small);
        fits && unread.len() < FRAME_MAX && self.error.is_none()
    }

    /// Reads more bytes behind the unread ones. Returns false if there are none.
    fn read_more(&mut self) -> bool {
        let mut more = vec![0; READ_BYTES];
        let read = self.read_inner(&mut more);
        more.truncate(read.as_ref().map_or(0, |count| *count));
        self.read = Cursor::new([self.unread(), &more].concat());
        self.error = read.err();
        !more.is_empty()
    }

    /// Reads bytes of the input, whatever signals arrive. It is an error if it ends without an end frame that it must have.
    fn read_inner(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = loop {
            match self.inner.read(into) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        if count == 0 && !into.is_empty() && self.must_end && self.tail != END_FRAME {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let new = &into[..count];
        self.tail.extend_from_slice(&new[count.saturating_sub(END_FRAME.len())..]);
        self.tail.drain(..self.tail.len().saturating_sub(END_FRAME.len()));
        Ok(count)
    }
}

impl<R: Read> Read for InputBytes<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.read.read(into)? {
            0 => self.error.take().map_or_else(|| self.read_inner(into), Err),
            some => Ok(some),
        }
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
    fn all(mut reader: impl Read) -> (Vec<u8>, Option<io::ErrorKind>) {
        let mut text = Vec::new();
        let end = reader.read_to_end(&mut text).err().map(|error| error.kind());
        (text, end)
    }

    /// Asserts that the reader gives what a streaming decoder alone gives.
    fn read_alike(file: &[u8], drops: &[usize]) {
        let must_end = file.starts_with(&BEGIN_FRAME);
        let (read, tail) = (Cursor::default(), Vec::new());
        let expected = all(Decoder::new(InputBytes { read, error: None, inner: file, must_end, tail }).unwrap());
        for (&drop, threads) in drops.iter().zip([1, 3].into_iter().cycle()) {
            let mut unpack = UnpackedInput::new(SmallReads(file, drop));
            unpack.threads = threads;
            let found = all(unpack);
            assert!(found == expected, "{} of {} bytes, by {drop}, {threads} threads", file.len(), found.0.len());
        }
    }

    /// Blocks of lines of different lengths.
    fn blocks() -> Vec<Vec<u8>> {
        let line = |number: usize| format!("{number} {:x}\n", number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).into_bytes();
        [3, 40, 1, 0, 17, 200, 90].map(|lines| (0..lines).flat_map(line).collect()).to_vec()
    }

    #[test]
    fn frames_are_read_as_a_streaming_decoder_reads_them() {
        let (frames, blocks) = (FrameCompressor::default(), blocks());
        let packed: Vec<Vec<u8>> = blocks.iter().map(|block| frames.compress(block).unwrap()).collect();
        let ends = packed.iter().scan(BEGIN_FRAME.len(), |end, frame| {
            *end += frame.len();
            Some(*end)
        });
        let (ends, packed): (Vec<usize>, Vec<u8>) = (ends.collect(), packed.concat());
        let own = [&BEGIN_FRAME[..], &packed, &END_FRAME].concat();
        let text = blocks.concat();
        let mut unpack = UnpackedInput::new(&*own);
        unpack.threads = 2;
        assert_eq!(all(unpack), (text.clone(), None));
        // Files that are cut off, or have a wrong bit: at any byte near the end of a frame, where they differ in kind, and at
        // every 17th byte.
        let places = || (13..own.len()).filter(|at| at % 17 == 0 || ends.iter().any(|end| at.abs_diff(*end) < 20));
        for at in places() {
            read_alike(&own[..at], &[1000, 7]);
        }
        for at in places() {
            let mut wrong = own.clone();
            wrong[at] ^= 4;
            read_alike(&wrong, &[1 << 20, 50]);
        }
        // Files of other programs: a frame that does not give its size, a large frame, and both among small frames.
        let silent = zstd::encode_all(&*text, 1).unwrap();
        let noise: Vec<u8> = (0..FRAME_MAX as u32).flat_map(|k| k.wrapping_mul(0x9E37_79B9).to_le_bytes()).collect();
        let large = zstd::bulk::compress(&noise, 1).unwrap();
        for file in [silent.clone(), large.clone(), [&packed[..], &silent, &packed, &large, &packed].concat()] {
            read_alike(&file, &[1 << 20, 4000]);
            read_alike(&file[..file.len() - 9], &[1 << 20]);
        }
    }
}
