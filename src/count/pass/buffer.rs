//! Memory for two neighbouring layers.
//!
//! The layers share one stretch of memory and stand at its left and its right end in turn. So the buffer needs no more
//! than the two largest neighbours together. It is sized once, from the plan, because fresh memory costs as much time
//! as counting: the system maps and clears every page of it.
//!
//! Huge pages (`madvise`) were tried on 8x8 closed, in turns, six times: a quarter of the faults and 4 % less time in the program, but 2.4 s
//! in the system instead of 0.9, because a virtual machine gives free pages of that size back to its host and has to get
//! them again.

use crate::memory::{MemoryRefused, zeroed};
use rayon::prelude::*;

/// Words that one thread copies at a time.
const STRETCH: usize = 1 << 18;

/// Memory for two layers: one to read, one to write.
#[derive(Default)]
pub struct Buffer {
    words: Vec<u64>,
    /// Whether the layer to read stands at the right end.
    reads_right: bool,
}

impl Buffer {
    /// Size of the buffer.
    pub fn bytes(&self) -> u64 {
        8 * self.words.len() as u64
    }

    /// Makes room for the current layer of `before` bytes, which stays, and a next layer of `after` bytes. Copies with
    /// the threads of the pool in which it is called.
    ///
    /// If the memory is refused, the current layer stays where it is.
    pub fn reserve(&mut self, before: usize, after: usize) -> Result<(), MemoryRefused> {
        let words = before.div_ceil(8) + after.div_ceil(8);
        if words > self.words.len() {
            // Fresh memory costs nothing until the first write; to grow the old buffer would copy all of it. The two
            // extra words are for two layers of other sizes with an equal total, which round up to whole words.
            let mut larger = zeroed(words + 2)?;
            let before_words = before.div_ceil(8);
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
        let (before_words, after_words) = (before.div_ceil(8), after.div_ceil(8));
        let (left, right) = if self.reads_right { (after_words, before_words) } else { (before_words, after_words) };
        let (first, rest) = self.words.split_at_mut(left);
        let skipped = rest.len() - right;
        let last = &mut rest[skipped..];
        let (source, target) = if self.reads_right { (last, first) } else { (first, last) };
        (&bytemuck::cast_slice(source)[..before], &mut bytemuck::cast_slice_mut(target)[..after])
    }

    /// The layer to read, of `bytes` bytes.
    pub fn layer(&self, bytes: usize) -> &[u8] {
        let before_words = bytes.div_ceil(8);
        let first = if self.reads_right { self.words.len() - before_words } else { 0 };
        &bytemuck::cast_slice(&self.words[first..first + before_words])[..bytes]
    }

    /// Makes the layer that was written the layer to read.
    pub fn swap(&mut self) {
        self.reads_right = !self.reads_right;
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
            buffer.reserve(before, after).unwrap();
            let (source, target) = buffer.layers(before, after);
            assert!(source.iter().all(|&byte| byte == value), "{before} {after}");
            value += 1;
            target.fill(value);
            buffer.swap();
            before = after;
        }
        assert_eq!(buffer.bytes(), 48);
    }

    #[test]
    fn a_refusal_leaves_the_layer_that_stays() {
        let mut buffer = Buffer::default();
        buffer.reserve(0, 3).unwrap();
        buffer.layers(0, 3).1.fill(7);
        buffer.swap();
        let refused = buffer.reserve(3, 1 << 60).unwrap_err();
        assert!(refused.bytes > 1 << 60);
        assert_eq!(buffer.layer(3), [7; 3]);
    }
}
