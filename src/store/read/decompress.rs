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
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::collections::VecDeque;
use std::io::{self, BufReader, Chain, Cursor, Read, Seek, SeekFrom};
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
pub enum UnpackedInput<R: Read> {
    /// Nothing has been read yet. `None` only while the state changes.
    Fresh(Option<R>),
    /// Not compressed.
    Plain(HeadAndRest<R>),
    /// Compressed by zstd.
    Zstd(ZstdReader<HeadAndRest<R>>),
}

/// The first few bytes, which have been read already, and the rest.
type HeadAndRest<R> = Chain<Cursor<Vec<u8>>, R>;

impl<R: Read> UnpackedInput<R> {
    /// An input that reads `inner`.
    pub fn new(inner: R) -> UnpackedInput<R> {
        UnpackedInput::Fresh(Some(inner))
    }

    fn open(mut inner: R) -> io::Result<UnpackedInput<R>> {
        let mut head = Vec::new();
        (&mut inner).take(BEGIN_FRAME.len() as u64).read_to_end(&mut head)?;
        let (is_packed, must_end) = (is_compressed(&head), head == BEGIN_FRAME);
        let whole = Cursor::new(head).chain(inner);
        Ok(if is_packed { UnpackedInput::Zstd(ZstdReader::new(whole, must_end)) } else { UnpackedInput::Plain(whole) })
    }

    /// Sets the number of threads that decompress.
    pub fn set_threads(&mut self, threads: usize) {
        if let UnpackedInput::Zstd(unpack) = self
            && unpack.threads != threads
        {
            (unpack.threads, unpack.pool) = (threads, None);
        }
    }
}

/// Reads bytes, whatever signals arrive.
fn read_some(input: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(into) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
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
            UnpackedInput::Plain(whole) => read_some(whole, into),
            UnpackedInput::Zstd(unpack) => unpack.read(into).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "the compressed file was cut off"),
                kind => io::Error::new(kind, format!("the file cannot be decompressed: {error}")),
            }),
        }
    }
}

impl<R: Read + Seek> UnpackedInput<R> {
    /// Seeks to a byte. Returns false if that is not possible, in a compressed file or a pipe.
    pub fn seek(&mut self, place: SeekFrom) -> bool {
        let UnpackedInput::Plain(whole) = self else { return false };
        let (head, inner) = whole.get_mut();
        let done = inner.seek(place).is_ok();
        if done {
            *head = Cursor::default();
        }
        done
    }
}

/// Reads the decompressed bytes of a zstd input.
pub struct ZstdReader<R: Read> {
    state: ZstdState<R>,
    threads: usize,
    /// The threads. `None` until they are needed, and where they cannot be started.
    pool: Option<ThreadPool>,
    /// Decompressed frames, as far as they have not been read.
    ready: VecDeque<Cursor<Vec<u8>>>,
}

enum ZstdState<R: Read> {
    /// Whole frames are decompressed in batches.
    Frames(CompressedBytes<R>),
    /// A decoder reads the rest as a stream.
    Stream(Box<Decoder<'static, BufReader<CompressedBytes<R>>>>),
    /// The end, or a state that is being changed, or an error.
    Over,
}

/// A frame that has been read completely.
struct WholeFrame {
    /// Offset of the frame in the bytes that were read.
    at: usize,
    /// Number of compressed bytes.
    bytes: usize,
    /// Number of decompressed bytes.
    text: usize,
}

/// The compressed bytes: bytes that were read but not consumed, then a known error or the rest of the input.
struct CompressedBytes<R> {
    read: Cursor<Vec<u8>>,
    error: Option<io::Error>,
    inner: EndCheck<R>,
}

/// The compressed input. Reports an error if a file that must have an end frame ends without it.
pub struct EndCheck<R> {
    inner: R,
    /// Whether the file must have an end frame.
    must_end: bool,
    /// The last bytes so far, as many as an end frame has.
    tail: Vec<u8>,
}

impl<R: Read> ZstdReader<R> {
    /// A reader of `inner`. `must_end`: the file must have an end frame.
    pub fn new(inner: R, must_end: bool) -> ZstdReader<R> {
        let inner = EndCheck { inner, must_end, tail: Vec::new() };
        let packed = CompressedBytes { read: Cursor::default(), error: None, inner };
        ZstdReader { state: ZstdState::Frames(packed), threads: 1, pool: None, ready: VecDeque::new() }
    }

    /// Decompresses the next batch of frames, or changes to the streaming decoder.
    fn advance(&mut self, mut packed: CompressedBytes<R>) -> io::Result<ZstdState<R>> {
        let batch = (self.threads * BATCH_BYTES.0).min(BATCH_BYTES.1);
        let mut frames = packed.whole_frames(batch);
        while frames.is_empty() && packed.may_be_whole() && packed.read_more() {
            frames = packed.whole_frames(batch);
        }
        let texts = self.decompress_frames(packed.unread(), &frames);
        let sound = texts.iter().take_while(|text| text.is_some()).count();
        self.ready.extend(texts.into_iter().take(sound).flatten().map(Cursor::new));
        Ok(match frames[..sound].last() {
            Some(last) => {
                packed.consume(last.at + last.bytes);
                ZstdState::Frames(packed)
            }
            None if packed.is_over() => ZstdState::Over,
            None => ZstdState::Stream(Box::new(Decoder::new(packed)?)),
        })
    }

    /// The decompressed frames, `None` for a damaged frame. `bytes` is what the frames were found in.
    fn decompress_frames(&mut self, bytes: &[u8], frames: &[WholeFrame]) -> Vec<Option<Vec<u8>>> {
        if self.threads > 1 && frames.len() > 1 && self.pool.is_none() {
            // Without threads the caller decompresses all frames.
            self.pool = system::pool(self.threads).ok();
        }
        let new = || Decompressor::new().ok();
        let decompress =
            |by: &mut Option<Decompressor<'static>>, frame: &WholeFrame| frame.decompress(bytes, by.as_mut()?);
        match &self.pool {
            Some(pool) => pool.install(|| frames.par_iter().map_init(new, decompress).collect()),
            None => frames.iter().scan(new(), |by, frame| Some(decompress(by, frame))).collect(),
        }
    }

    /// Copies decompressed bytes. Returns their number.
    fn copy_ready(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut given = 0;
        while given < into.len()
            && let Some(first) = self.ready.front_mut()
        {
            match first.read(&mut into[given..])? {
                0 => drop(self.ready.pop_front()),
                some => given += some,
            }
        }
        Ok(given)
    }
}

impl<R: Read> Read for ZstdReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let given = self.copy_ready(into)?;
            if given > 0 || into.is_empty() {
                return Ok(given);
            }
            match std::mem::replace(&mut self.state, ZstdState::Over) {
                ZstdState::Over => return Ok(0),
                ZstdState::Frames(packed) => self.state = self.advance(packed)?,
                ZstdState::Stream(mut decoder) => {
                    let read = decoder.read(into);
                    self.state = ZstdState::Stream(decoder);
                    return read;
                }
            }
        }
    }
}

impl WholeFrame {
    /// The decompressed frame, `None` if it is damaged. `bytes` is what the frame was found in.
    fn decompress(&self, bytes: &[u8], decompressor: &mut Decompressor<'static>) -> Option<Vec<u8>> {
        let frame = &bytes[self.at..self.at + self.bytes];
        // A frame of another type is skipped.
        if frame.starts_with(&ZSTD_FRAME) { decompressor.decompress(frame, self.text).ok() } else { Some(Vec::new()) }
    }
}

impl<R: Read> CompressedBytes<R> {
    /// The bytes that were read but not consumed.
    fn unread(&self) -> &[u8] {
        &self.read.get_ref()[self.read.position() as usize..]
    }

    /// Consumes this number of bytes.
    fn consume(&mut self, bytes: usize) {
        self.read.set_position(self.read.position() + bytes as u64);
    }

    /// Whether all bytes were consumed and no error is known.
    fn is_over(&self) -> bool {
        self.unread().is_empty() && self.error.is_none()
    }

    /// The complete frames among the unread bytes, up to `batch` decompressed bytes.
    fn whole_frames(&self, batch: usize) -> Vec<WholeFrame> {
        let (left, mut frames, mut at, mut texts) = (self.unread(), Vec::new(), 0, 0);
        while texts < batch
            && let Some(rest) = left.get(at..).filter(|rest| !rest.is_empty())
            && let Ok(Some(text)) = get_frame_content_size(rest)
            && text <= FRAME_MAX as u64
            && let Ok(bytes) = find_frame_compressed_size(rest)
        {
            frames.push(WholeFrame { at, bytes, text: text as usize });
            (at, texts) = (at + bytes, texts + text as usize);
        }
        frames
    }

    /// Whether the next frame could be complete after more is read.
    fn may_be_whole(&self) -> bool {
        // The decompressed size is in the first eighteen bytes of a frame.
        let fits = match get_frame_content_size(self.unread()) {
            Ok(text) => text.is_some_and(|text| text <= FRAME_MAX as u64),
            Err(_) => self.unread().len() < 18,
        };
        fits && self.unread().len() < FRAME_MAX && self.error.is_none()
    }

    /// Reads more bytes. Returns false if there are none.
    fn read_more(&mut self) -> bool {
        let mut bytes = self.unread().to_vec();
        let old = bytes.len();
        bytes.resize(old + READ_BYTES, 0);
        let read = self.inner.read(&mut bytes[old..]);
        let count = read.as_ref().map_or(0, |count| *count);
        bytes.truncate(old + count);
        self.read = Cursor::new(bytes);
        self.error = read.err();
        count > 0
    }
}

impl<R: Read> Read for CompressedBytes<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match (self.read.read(into)?, self.error.take()) {
            (0, Some(error)) => Err(error),
            (0, None) => self.inner.read(into),
            (some, error) => {
                self.error = error;
                Ok(some)
            }
        }
    }
}

impl<R: Read> Read for EndCheck<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = read_some(&mut self.inner, into)?;
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
    fn all(mut reader: impl Read) -> (Vec<u8>, Option<io::ErrorKind>) {
        let mut text = Vec::new();
        let end = reader.read_to_end(&mut text).err().map(|error| error.kind());
        (text, end)
    }

    /// Asserts that the reader gives what a streaming decoder alone gives.
    fn read_alike(file: &[u8], drops: &[usize]) {
        let must_end = file.starts_with(&BEGIN_FRAME);
        let marked = EndCheck { inner: file, must_end, tail: Vec::new() };
        let expected = all(Decoder::new(marked).unwrap());
        for (&drop, threads) in drops.iter().zip([1, 3].into_iter().cycle()) {
            let mut unpack = ZstdReader::new(SmallReads(file, drop), must_end);
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
        let mut unpack = ZstdReader::new(&*own, true);
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
