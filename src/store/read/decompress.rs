//! What zstd has compressed, frame by frame: as many at a time as there are threads to unpack them.
//!
//! The files that this program writes are made of many small frames, each of which says how long it is, packed and
//! unpacked. Frames that are whole in what was read are taken in batches. The first one that is not whole where nothing
//! more comes, does not say how long it is, is larger than it should be, or damaged goes with all that follows to a
//! decoder that takes bytes as they come: it gives what can be had of them, and says what is wrong.

use crate::store::frames::{END, ZSTD};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::VecDeque;
use std::io::{self, BufReader, Cursor, Read};
use zstd::Decoder;
use zstd::bulk::Decompressor;
use zstd::zstd_safe::{find_frame_compressed_size, get_frame_content_size};

/// Bytes that are read at once, packed.
const READ: usize = 1 << 18;
/// Bytes of a frame at most, packed or unpacked: it is a block of tours.
const FRAME_MAX: usize = 1 << 20;
/// Bytes of a batch, unpacked, behind which no further frame is begun: for each thread, and at most.
const BATCH: (usize, usize) = (1 << 18, 1 << 21);

/// Unpacked bytes.
pub struct Unpack<R: Read> {
    state: UnpackState<R>,
    threads: usize,
    /// Nothing before it is needed, or where there can be none.
    pool: Option<ThreadPool>,
    /// One for each thread.
    tools: Vec<Option<Decompressor<'static>>>,
    /// Frames that are unpacked, and how many bytes of the first are given out.
    ready: VecDeque<Vec<u8>>,
    at: usize,
}

enum UnpackState<R: Read> {
    /// Whole frames may come.
    Frames(PackedBytes<R>),
    /// Bytes are taken as they come.
    Stream(Box<Decoder<'static, BufReader<PackedBytes<R>>>>),
    /// While it changes, and where it could not be.
    Over,
}

/// A frame that is whole.
struct WholeFrame {
    /// Where it begins in what was read.
    at: usize,
    /// Its bytes.
    bytes: usize,
    /// The bytes of its text.
    text: usize,
}

/// Packed bytes: those that were read and not taken yet, then why there are no more, if that is known, then what comes.
struct PackedBytes<R> {
    read: Cursor<Vec<u8>>,
    broken: Option<io::Error>,
    inner: Marked<R>,
}

/// Compressed bytes; notices when a file that has an end comes without it.
pub struct Marked<R> {
    head: Cursor<Vec<u8>>,
    inner: R,
    /// Whether it is one that has an end.
    ends: bool,
    /// The last bytes so far, as many as an end has.
    tail: Vec<u8>,
}

impl<R: Read> Unpack<R> {
    /// What `head`, which has been read already, and `inner` hold; `ends` says whether it is a file that has an end.
    pub fn new(head: Vec<u8>, inner: R, ends: bool) -> Unpack<R> {
        let inner = Marked { head: Cursor::new(head), inner, ends, tail: Vec::new() };
        let packed = PackedBytes { read: Cursor::default(), broken: None, inner };
        Unpack {
            state: UnpackState::Frames(packed),
            threads: 1,
            pool: None,
            tools: Vec::new(),
            ready: VecDeque::new(),
            at: 0,
        }
    }

    /// From now on frames are unpacked by so many threads.
    pub fn share(&mut self, threads: usize) {
        if threads != self.threads {
            (self.threads, self.pool) = (threads, None);
        }
    }

    /// Gets frames ready, or goes over to taking bytes as they come.
    fn next(&mut self, mut packed: PackedBytes<R>) -> io::Result<UnpackState<R>> {
        let batch = (self.threads * BATCH.0).min(BATCH.1);
        let mut frames = packed.whole_frames(batch);
        while frames.is_empty() && packed.may_be_whole() && packed.read_more() {
            frames = packed.whole_frames(batch);
        }
        let texts = self.unpacked(packed.left(), &frames);
        let sound = texts.iter().take_while(|text| text.is_some()).count();
        self.ready.extend(texts.into_iter().take(sound).flatten());
        Ok(match frames[..sound].last() {
            Some(last) => {
                packed.skip(last.at + last.bytes);
                UnpackState::Frames(packed)
            }
            None if packed.is_over() => UnpackState::Over,
            None => UnpackState::Stream(Box::new(Decoder::new(packed)?)),
        })
    }

    /// The texts of frames of `bytes`, nothing of those that are not sound.
    fn unpacked(&mut self, bytes: &[u8], frames: &[WholeFrame]) -> Vec<Option<Vec<u8>>> {
        let runs: Vec<&[WholeFrame]> = frames.chunks(frames.len().div_ceil(self.threads).max(1)).collect();
        self.tools.resize_with(self.tools.len().max(runs.len()), || Decompressor::new().ok());
        let unpacked = |(tool, run): (&mut Option<Decompressor<'static>>, &&[WholeFrame])| {
            run.iter().map(|frame| tool.as_mut().and_then(|tool| frame.text(bytes, tool))).collect::<Vec<_>>()
        };
        if runs.len() > 1 && self.pool.is_none() {
            // Where there are no threads, one does it.
            self.pool = ThreadPoolBuilder::new().num_threads(self.threads).build().ok();
        }
        let texts: Vec<Vec<Option<Vec<u8>>>> = match &self.pool {
            Some(pool) if runs.len() > 1 => {
                pool.install(|| self.tools.par_iter_mut().zip(runs.par_iter()).map(unpacked).collect())
            }
            _ => self.tools.iter_mut().zip(&runs).map(unpacked).collect(),
        };
        texts.into_iter().flatten().collect()
    }
}

impl<R: Read> Unpack<R> {
    /// Gives out what is ready; how many bytes.
    fn give(&mut self, into: &mut [u8]) -> usize {
        let mut given = 0;
        while given < into.len()
            && let Some(first) = self.ready.front()
        {
            let rest = &first[self.at..];
            let count = rest.len().min(into.len() - given);
            into[given..given + count].copy_from_slice(&rest[..count]);
            (self.at, given) = (self.at + count, given + count);
            if self.at == first.len() {
                self.ready.pop_front();
                self.at = 0;
            }
        }
        given
    }
}

impl<R: Read> Read for Unpack<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let given = self.give(into);
            if given > 0 || into.is_empty() {
                return Ok(given);
            }
            match std::mem::replace(&mut self.state, UnpackState::Over) {
                UnpackState::Over => return Ok(0),
                UnpackState::Frames(packed) => self.state = self.next(packed)?,
                UnpackState::Stream(mut decoder) => {
                    let read = decoder.read(into);
                    self.state = UnpackState::Stream(decoder);
                    return read;
                }
            }
        }
    }
}

impl WholeFrame {
    /// Its text, if it is sound; `bytes` are those that it was found in.
    fn text(&self, bytes: &[u8], tool: &mut Decompressor<'static>) -> Option<Vec<u8>> {
        let frame = &bytes[self.at..self.at + self.bytes];
        // Others are to be skipped.
        if frame.starts_with(&ZSTD) { tool.decompress(frame, self.text).ok() } else { Some(Vec::new()) }
    }
}

impl<R: Read> PackedBytes<R> {
    /// The bytes that were read and not taken.
    fn left(&self) -> &[u8] {
        &self.read.get_ref()[self.read.position() as usize..]
    }

    /// So many of them are taken.
    fn skip(&mut self, bytes: usize) {
        self.read.set_position(self.read.position() + bytes as u64);
    }

    /// Whether all was taken, and nothing is known to be wrong.
    fn is_over(&self) -> bool {
        self.left().is_empty() && self.broken.is_none()
    }

    /// The frames that are whole in what was read, up to a batch of so many bytes.
    fn whole_frames(&self, batch: usize) -> Vec<WholeFrame> {
        let (left, mut frames, mut at, mut texts) = (self.left(), Vec::new(), 0, 0);
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

    /// Whether the frame that comes next may be whole once more is read.
    fn may_be_whole(&self) -> bool {
        // The size of the text stands in the first eighteen bytes.
        let fits = match get_frame_content_size(self.left()) {
            Ok(text) => text.is_some_and(|text| text <= FRAME_MAX as u64),
            Err(_) => self.left().len() < 18,
        };
        fits && self.left().len() < FRAME_MAX && self.broken.is_none()
    }

    /// Reads once more; false where nothing comes.
    fn read_more(&mut self) -> bool {
        let mut bytes = self.left().to_vec();
        let old = bytes.len();
        bytes.resize(old + READ, 0);
        let read = loop {
            match self.inner.read(&mut bytes[old..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        let count = read.as_ref().map_or(0, |count| *count);
        bytes.truncate(old + count);
        self.read = Cursor::new(bytes);
        self.broken = read.err();
        count > 0
    }
}

impl<R: Read> Read for PackedBytes<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match (self.read.read(into)?, self.broken.take()) {
            (0, Some(broken)) => Err(broken),
            (0, None) => self.inner.read(into),
            (some, broken) => {
                self.broken = broken;
                Ok(some)
            }
        }
    }
}

impl<R: Read> Read for Marked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = match self.head.read(into)? {
            0 => self.inner.read(into)?,
            some => some,
        };
        if count == 0 && !into.is_empty() && self.ends && self.tail != END {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let new = &into[..count];
        self.tail.extend_from_slice(&new[count.saturating_sub(END.len())..]);
        self.tail.drain(..self.tail.len().saturating_sub(END.len()));
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::frames::{Frames, MARK};

    /// Gives at most so many bytes at a time.
    struct Drops<'a>(&'a [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(into.len()).min(self.1);
            into[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    /// All that can be read, and what kind of error comes then, if one does.
    fn all(mut reader: impl Read) -> (Vec<u8>, Option<io::ErrorKind>) {
        let mut text = Vec::new();
        let end = reader.read_to_end(&mut text).err().map(|error| error.kind());
        (text, end)
    }

    /// The same by frames as by a decoder alone.
    fn read_alike(file: &[u8], drops: &[usize]) {
        let ends = file.starts_with(&MARK);
        let marked = Marked { head: Cursor::default(), inner: file, ends, tail: Vec::new() };
        let expected = all(Decoder::new(marked).unwrap());
        for (&drop, threads) in drops.iter().zip([1, 3].into_iter().cycle()) {
            let (head, rest) = file.split_at(file.len().min(12));
            let mut unpack = Unpack::new(head.to_vec(), Drops(rest, drop), ends);
            unpack.share(threads);
            let found = all(unpack);
            assert!(found == expected, "{} of {} bytes, by {drop}, {threads} threads", file.len(), found.0.len());
        }
    }

    /// Blocks of lines, of different lengths.
    fn blocks() -> Vec<Vec<u8>> {
        let line = |number: usize| format!("{number} {:x}\n", number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).into_bytes();
        [3, 40, 1, 0, 17, 200, 90].map(|lines| (0..lines).flat_map(line).collect()).to_vec()
    }

    #[test]
    fn frames_are_read_as_a_decoder_reads_them() {
        let (frames, blocks) = (Frames::default(), blocks());
        let packed: Vec<u8> = blocks.iter().flat_map(|block| frames.frame(block).unwrap()).collect();
        let own = [&MARK[..], &packed, &END].concat();
        let text = blocks.concat();
        let mut unpack = Unpack::new(Vec::new(), &*own, true);
        unpack.share(2);
        assert_eq!(all(unpack), (text.clone(), None));
        // Cut off anywhere, and with a fault anywhere.
        for at in 13..own.len() {
            read_alike(&own[..at], &[1000, 7]);
        }
        for at in (13..own.len()).step_by(5) {
            let mut wrong = own.clone();
            wrong[at] ^= 4;
            read_alike(&wrong, &[1 << 20, 50]);
        }
        // By others: one that does not say how long it is, one that is large, and both among small ones.
        let silent = zstd::encode_all(&*text, 1).unwrap();
        let noise: Vec<u8> = (0..FRAME_MAX as u32).flat_map(|k| k.wrapping_mul(0x9E37_79B9).to_le_bytes()).collect();
        let large = zstd::bulk::compress(&noise, 1).unwrap();
        for file in [silent.clone(), large.clone(), [&packed[..], &silent, &packed, &large, &packed].concat()] {
            read_alike(&file, &[1 << 20, 4000]);
            read_alike(&file[..file.len() - 9], &[1 << 20]);
        }
    }
}
