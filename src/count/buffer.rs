//! Memory for two neighbouring layers.
//!
//! One stretch: the layers stand at its left and its right end in turn, so that it needs no more than the largest two
//! neighbours together. It is sized once, from the plan, because fresh memory costs as much time as counting does:
//! every page of it is handed over, and cleared, by the system.

use crate::memory::{MemoryRefused, zeroed};
use rayon::prelude::*;

/// Words that one thread copies at a time.
const STRETCH: usize = 1 << 18;

/// Room for two layers.
#[derive(Default)]
pub(super) struct Buffer {
    words: Vec<u64>,
    /// Whether the layer that is read stands at the right end.
    right: bool,
}

impl Buffer {
    /// How many bytes there are.
    pub(super) fn bytes(&self) -> u64 {
        8 * self.words.len() as u64
    }

    /// Makes room for a layer of `before` bytes, which stays, and one of `after` bytes, by all threads of the pool that
    /// this is called in.
    ///
    /// # Errors
    /// [`MemoryRefused`]; then the layer that stays is where it was.
    pub(super) fn reserve(&mut self, before: usize, after: usize) -> Result<(), MemoryRefused> {
        let words = before.div_ceil(8) + after.div_ceil(8);
        if words > self.words.len() {
            // Fresh memory costs nothing before it is written to; growing the old one would copy all of it. Two words
            // more are for what two layers of other sizes, together as large, lose to whole words.
            let mut larger = zeroed(words + 2)?;
            let kept = before.div_ceil(8);
            let first = if self.right { self.words.len() - kept } else { 0 };
            let (to, from) = (&mut larger[..kept], &self.words[first..first + kept]);
            let stretches = to.par_chunks_mut(STRETCH).zip(from.par_chunks(STRETCH));
            // Nothing to copy is not for threads either: outside of a pool that would begin one.
            if kept > 0 {
                stretches.for_each(|(to, from)| to.copy_from_slice(from));
            }
            *self = Buffer { words: larger, right: false };
        }
        Ok(())
    }

    /// The layer that is read, of `before` bytes, and the room of the one to be written, of `after` bytes.
    ///
    /// # Panics
    /// Without a [`Buffer::reserve`] for both.
    pub(super) fn layers(&mut self, before: usize, after: usize) -> (&[u8], &mut [u8]) {
        let (kept, room) = (before.div_ceil(8), after.div_ceil(8));
        let (left, right) = if self.right { (room, kept) } else { (kept, room) };
        let (first, rest) = self.words.split_at_mut(left);
        let skipped = rest.len() - right;
        let last = &mut rest[skipped..];
        let (source, target) = if self.right { (last, first) } else { (first, last) };
        (&bytemuck::cast_slice(source)[..before], &mut bytemuck::cast_slice_mut(target)[..after])
    }

    /// The layer that is read, of `bytes` bytes.
    pub(super) fn layer(&self, bytes: usize) -> &[u8] {
        let kept = bytes.div_ceil(8);
        let first = if self.right { self.words.len() - kept } else { 0 };
        &bytemuck::cast_slice(&self.words[first..first + kept])[..bytes]
    }

    /// The layer that was written is read from now on.
    pub(super) fn turn(&mut self) {
        self.right = !self.right;
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
            buffer.turn();
            before = after;
        }
        assert_eq!(buffer.bytes(), 48);
    }

    #[test]
    fn a_refusal_leaves_the_layer_that_stays() {
        let mut buffer = Buffer::default();
        buffer.reserve(0, 3).unwrap();
        buffer.layers(0, 3).1.fill(7);
        buffer.turn();
        let refused = buffer.reserve(3, 1 << 60).unwrap_err();
        assert!(refused.bytes > 1 << 60);
        assert_eq!(buffer.layer(3), [7; 3]);
    }
}
