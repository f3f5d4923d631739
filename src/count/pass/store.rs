//! Where two neighbouring layers live: in memory, or in files.
//!
//! In memory the layers share one stretch and stand at its left and its right end in turn. So the buffer needs no more
//! than the two largest neighbours together. It is sized from the plan, once for each width of the counts, because fresh memory
//! costs as much time as counting: the system maps and clears every page of it.
//!
//! Huge pages (`madvise`) were tried on 8x8 closed, in turns, six times: a quarter of the faults and 4 % less time in the program, but 2.4 s
//! in the system instead of 0.9, because a virtual machine gives free pages of that size back to its host and has to get
//! them again.
//!
//! Layers larger than memory lie in two files of a folder that the user names. The groups of a context are read, worked
//! on in memory, and written. So every count is read once and written once a step, in stretches of the size of a group. A step to
//! a halved layer has two parts: the second reads the counts once more, and reads and writes those to which it adds.
//! The files have no names: they vanish when the program ends, in whatever way.

use crate::memory::{MemoryRefused, zeroed};
use rayon::prelude::*;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Where two neighbouring layers live.
pub enum Store {
    Memory(Buffer),
    Files(Spill),
}

impl Store {
    /// Makes room for the current layer of `before` bytes, which stays, and a next layer of `after` bytes; memory that has to
    /// grow gets `ahead` bytes at once, for the layers to come. Fails if the system refuses the memory or a file cannot be written.
    pub fn reserve(&mut self, before: usize, after: usize, ahead: u64) -> io::Result<()> {
        match self {
            Store::Memory(buffer) => Ok(buffer.reserve(before, after, ahead)?),
            Store::Files(spill) => spill.begin_layer(after as u64),
        }
    }

    /// Reads a stretch of the current layer, which has `bytes` bytes.
    pub fn read(&self, offset: u64, stretch: &mut [u8], bytes: usize) -> io::Result<()> {
        match self {
            Store::Memory(buffer) => {
                stretch.copy_from_slice(&buffer.layer(bytes)[offset as usize..][..stretch.len()]);
                Ok(())
            }
            Store::Files(spill) => spill.read(offset, stretch),
        }
    }

    /// Writes a stretch of the layer with which a pass resumes, as it is read from a file; the whole layer has `bytes` bytes.
    /// There must be no current layer: [`Store::swap`] makes this one current.
    pub fn write(&mut self, offset: u64, stretch: &[u8], bytes: usize) -> io::Result<()> {
        match self {
            Store::Memory(buffer) => {
                buffer.layers(0, bytes).1[offset as usize..][..stretch.len()].copy_from_slice(stretch);
                Ok(())
            }
            Store::Files(spill) => spill.write(offset, stretch),
        }
    }

    /// Bytes of memory for layers.
    pub fn taken(&self) -> u64 {
        if let Store::Memory(buffer) = self { buffer.bytes() } else { 0 }
    }

    /// Whether layers of `before` and `after` bytes fit in `limit` bytes: in the buffer, or beside the old buffer while
    /// it grows.
    pub fn fits(&self, before: usize, after: usize, limit: u64) -> bool {
        let wanted = (before + after) as u64;
        match self {
            Store::Memory(buffer) => wanted <= buffer.bytes() || buffer.bytes() + wanted <= limit,
            Store::Files(_) => wanted <= limit,
        }
    }

    /// Makes the layer that was written the current layer.
    pub fn swap(&mut self) -> io::Result<()> {
        match self {
            Store::Memory(buffer) => {
                buffer.swap();
                Ok(())
            }
            Store::Files(spill) => spill.swap(),
        }
    }
}

/// Bytes of a word: a layer begins with one, and is aligned for the widest counts.
const WORD: usize = size_of::<u128>();
/// Words that one thread copies at a time.
const STRETCH: usize = 1 << 17;

/// Memory for two layers: one to read, one to write.
#[derive(Default)]
pub struct Buffer {
    words: Vec<u128>,
    /// Whether the layer to read stands at the right end.
    reads_right: bool,
}

impl Buffer {
    /// Size of the buffer.
    pub fn bytes(&self) -> u64 {
        (WORD * self.words.len()) as u64
    }

    /// Makes room for the current layer of `before` bytes, which stays, and a next layer of `after` bytes; a buffer that has to
    /// grow gets `ahead` bytes, if that is more. Copies with the threads of the pool in which it is called.
    ///
    /// If the memory is refused, the current layer stays where it is.
    pub fn reserve(&mut self, before: usize, after: usize, ahead: u64) -> Result<(), MemoryRefused> {
        let words = before.div_ceil(WORD) + after.div_ceil(WORD);
        if words > self.words.len() {
            // Fresh memory costs nothing until the first write; to grow the old buffer would copy all of it. The two
            // extra words are for two layers of other sizes with an equal total, which round up to whole words.
            let most = words.max(ahead as usize / WORD);
            let mut larger = zeroed(most + 2).or_else(|_| zeroed(words + 2))?;
            let before_words = before.div_ceil(WORD);
            let first = if self.reads_right { self.words.len() - before_words } else { 0 };
            let (to, from) = (&mut larger[..before_words], &self.words[first..first + before_words]);
            let stretches = to.par_chunks_mut(STRETCH).zip(from.par_chunks(STRETCH));
            // With nothing to copy, no thread is used: outside of a pool the call would start a pool.
            if before_words > 0 {
                stretches.for_each(|(to, from)| to.copy_from_slice(from));
            }
            *self = Buffer { words: larger, reads_right: false };
        }
        Ok(())
    }

    /// The layer to read, of `before` bytes, and the room for the layer to write, of `after` bytes.
    ///
    /// Panics unless [`Buffer::reserve`] made room for both.
    pub fn layers(&mut self, before: usize, after: usize) -> (&[u8], &mut [u8]) {
        let (before_words, after_words) = (before.div_ceil(WORD), after.div_ceil(WORD));
        let (left, right) = if self.reads_right { (after_words, before_words) } else { (before_words, after_words) };
        let (first, rest) = self.words.split_at_mut(left);
        let skipped = rest.len() - right;
        let last = &mut rest[skipped..];
        let (source, target) = if self.reads_right { (last, first) } else { (first, last) };
        (&bytemuck::cast_slice(source)[..before], &mut bytemuck::cast_slice_mut(target)[..after])
    }

    /// The layer to read, of `bytes` bytes.
    pub fn layer(&self, bytes: usize) -> &[u8] {
        let before_words = bytes.div_ceil(WORD);
        let first = if self.reads_right { self.words.len() - before_words } else { 0 };
        &bytemuck::cast_slice(&self.words[first..first + before_words])[..bytes]
    }

    /// Makes the layer that was written the layer to read.
    pub fn swap(&mut self) {
        self.reads_right = !self.reads_right;
    }
}

/// Two layers in files: one to read, one to write.
pub struct Spill {
    pub folder: PathBuf,
    files: [File; 2],
    /// Which of the files is read.
    reading: usize,
    /// Bytes of each layer.
    sizes: [u64; 2],
}

impl Spill {
    /// Two empty files in a folder; fails if the folder does not exist or cannot be written.
    pub fn new(folder: &Path) -> io::Result<Spill> {
        let files = [tempfile::tempfile_in(folder)?, tempfile::tempfile_in(folder)?];
        Ok(Spill { folder: folder.to_owned(), files, reading: 0, sizes: [0; 2] })
    }

    /// Bytes free on the folder's disk; fails if the folder does not exist.
    pub fn free_bytes(folder: &Path) -> io::Result<u64> {
        let disk = rustix::fs::statvfs(folder)?;
        Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    /// Bytes of both layers.
    pub fn bytes(&self) -> u64 {
        self.sizes.iter().sum()
    }

    /// Reads a stretch of the layer to read.
    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.files[self.reading].read_exact_at(bytes, offset)
    }

    /// Writes a stretch of the layer to write.
    pub fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.files[1 - self.reading].write_all_at(bytes, offset)
    }

    /// Reads a stretch of the layer to write, as far as it has been written.
    pub fn read_written(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.files[1 - self.reading].read_exact_at(bytes, offset)
    }

    /// Begins a layer to write, of `bytes` bytes, and forgets the earlier content of its file.
    pub fn begin_layer(&mut self, bytes: u64) -> io::Result<()> {
        let writing = 1 - self.reading;
        self.files[writing].set_len(0)?;
        self.files[writing].set_len(bytes)?;
        self.sizes[writing] = bytes;
        Ok(())
    }

    /// Makes the layer that was written the layer to read, and forgets the other one.
    pub fn swap(&mut self) -> io::Result<()> {
        self.files[self.reading].set_len(0)?;
        self.sizes[self.reading] = 0;
        self.reading = 1 - self.reading;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_stand_at_either_end_and_survive_growing() {
        let mut buffer = Buffer::default();
        let mut before = 0;
        let mut value = 0;
        for after in [3, 9, 16, 5, 40, 1] {
            buffer.reserve(before, after, 0).unwrap();
            let (source, target) = buffer.layers(before, after);
            assert!(source.iter().all(|&byte| byte == value), "{before} {after}");
            value += 1;
            target.fill(value);
            buffer.swap();
            before = after;
        }
        assert_eq!(buffer.bytes(), 96);
    }

    /// What grows has room for the layers to come; where that is refused, for the next one.
    #[test]
    fn a_buffer_grows_once() {
        for (ahead, bytes) in [(320, 352), (5, 208), (1 << 60, 208)] {
            let mut buffer = Buffer::default();
            buffer.reserve(0, 3, 0).unwrap();
            buffer.layers(0, 3).1.fill(7);
            buffer.swap();
            buffer.reserve(3, 160, ahead).unwrap();
            assert_eq!((buffer.bytes(), buffer.layer(3)), (bytes, &[7; 3][..]));
            buffer.reserve(3, 150, 1 << 60).unwrap();
            assert_eq!(buffer.bytes(), bytes);
        }
    }

    #[test]
    fn a_refusal_leaves_the_layer_that_stays() {
        let mut buffer = Buffer::default();
        buffer.reserve(0, 3, 0).unwrap();
        buffer.layers(0, 3).1.fill(7);
        buffer.swap();
        let refused = buffer.reserve(3, 1 << 60, 0).unwrap_err();
        assert!(refused.bytes > 1 << 60);
        assert_eq!(buffer.layer(3), [7; 3]);
    }

    #[test]
    fn bytes_are_read_after_the_swap() {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(folder.path()).unwrap();
        spill.begin_layer(8).unwrap();
        spill.write(3, &[7, 8]).unwrap();
        spill.swap().unwrap();
        let mut bytes = [9; 8];
        spill.read(0, &mut bytes).unwrap();
        assert_eq!(bytes, [0, 0, 0, 7, 8, 0, 0, 0]);
        assert_eq!(spill.bytes(), 8);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the files have no names");
    }
}
