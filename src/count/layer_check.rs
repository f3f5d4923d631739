//! The counts of a checkpoint, held against what they can be and against what the file says of them.
//!
//! The checksum finds what was damaged by accident. A file that was made up, or written by another program, may have a
//! checksum that agrees: whatever it says, the gathering must find its ranks in its tables and its sums must hold what
//! is summed. A file that agrees with itself in all this and lies in its counts is believed.

use super::gather::{SparseGroup, StoreFindings};
use super::layers::Layer;
use super::matching::matchings;
use super::residues::Modulus;
use std::io;

fn wrong(what: &str) -> io::Error {
    io::Error::other(what)
}

/// What sparse counts come to.
///
/// # Errors
/// When they cannot be those of the layer.
pub(super) fn sparse(groups: &[SparseGroup], layer: &Layer) -> io::Result<StoreFindings> {
    let mut found = StoreFindings::default();
    for (ends, group) in (0u32..).zip(groups) {
        let (mut first, size) = (0, matchings(ends.count_ones() as usize / 2));
        for &end in &group.ends {
            if end < first || end as usize > group.counts.len() || (end - first) as usize > size {
                return Err(wrong("its blocks are not one after the other"));
            }
            first = end;
        }
        if first as usize != group.counts.len() {
            return Err(wrong("it has counts of no block"));
        }
        for &(rank, count) in &group.counts {
            if rank as usize >= size {
                return Err(wrong("it has counts of states that there are not"));
            }
            found = found.and(StoreFindings { largest: count.into(), nonzero: u64::from(count != 0) });
        }
    }
    debug_assert_eq!(groups.len(), layer.places.len() - 1);
    Ok(found)
}

/// What dense counts come to, stretch by stretch.
pub(super) struct Dense<'a> {
    bytes: usize,
    /// Of the blocks still to come: how many counts, and whether not all are zero.
    blocks: Box<dyn Iterator<Item = (usize, bool)> + 'a>,
    /// Bytes of the block in work that are still to come, and whether they count: of others nobody knows what is there.
    left: usize,
    counts: bool,
    found: StoreFindings,
}

impl<'a> Dense<'a> {
    /// Of counts of `bytes` bytes, in the blocks of a layer that are marked.
    pub(super) fn new(bytes: usize, layer: &'a Layer, marks: &'a [bool]) -> Dense<'a> {
        let sizes = layer.places.windows(2).zip(0u32..).flat_map(|(place, ends)| {
            let size = matchings(ends.count_ones() as usize / 2);
            (place[0].block..place[1].block).map(move |_| size)
        });
        let blocks = Box::new(sizes.zip(marks.iter().copied()));
        Dense { bytes, blocks, left: 0, counts: false, found: StoreFindings::default() }
    }

    /// Takes the next counts, whole ones.
    pub(super) fn take(&mut self, mut stretch: &[u8]) {
        while !stretch.is_empty() {
            if self.left == 0 {
                let Some((size, counts)) = self.blocks.next() else { return };
                (self.left, self.counts) = (size * self.bytes, counts);
            }
            let (part, rest) = stretch.split_at(self.left.min(stretch.len()));
            self.left -= part.len();
            stretch = rest;
            if self.counts {
                self.found = self.found.and(match self.bytes {
                    2 => tally(part, |count| u16::from_ne_bytes(count).into()),
                    4 => tally(part, |count| u32::from_ne_bytes(count).into()),
                    _ => tally(part, u64::from_ne_bytes),
                });
            }
        }
    }

    /// What they came to.
    pub(super) fn found(self) -> StoreFindings {
        self.found
    }
}

fn tally<const BYTES: usize>(counts: &[u8], count: impl Fn([u8; BYTES]) -> u64) -> StoreFindings {
    let (mut largest, mut nonzero) = (0, 0);
    for bytes in counts.as_chunks::<BYTES>().0 {
        let count = count(*bytes);
        largest = largest.max(count);
        nonzero += u64::from(count != 0);
    }
    StoreFindings { largest: largest.into(), nonzero }
}

/// Whether counts of `bytes` bytes, or sparse ones if that is 0, which come to `found` are those of a state of which
/// this is `said`.
///
/// # Errors
/// When they are not.
pub(super) fn agree(
    found: StoreFindings,
    said: StoreFindings,
    modulus: Modulus,
    bytes: usize,
    layer: &Layer,
) -> io::Result<()> {
    let same = match modulus {
        // What was found was found before the counts were cut.
        Modulus::TwoTo64 => layer.states() > 1 || found.largest == u128::from(said.largest as u64),
        Modulus::Prime(prime) => found == said && found.largest < prime.into(),
        Modulus::None => found == said,
    };
    let width = bytes == 0 || modulus.bytes().is_none_or(|remainder| remainder == bytes);
    if same && width { Ok(()) } else { Err(wrong("its counts are not what it says of them")) }
}
