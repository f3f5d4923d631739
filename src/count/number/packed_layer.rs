//! A layer that is kept for a numbering: its counts in memory, or in a file, of which a group is read at a time.
//!
//! What is kept of a layer, and its form in a file, is that of [`stored_layer`](crate::count::pass::stored_layer).

use crate::count::pass::stored_layer::{LayerShape, count_ones, unseal};
use crate::count::states::layers::{Layer, pairs};
use crate::count::states::matching::matchings;
use crate::count::states::rule::extract;
use crate::count::states::set::Groups;
use crate::memory::zeroed;
use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

pub(super) struct PackedLayer {
    pub(super) shape: LayerShape,
    pub(super) body: BlockBody,
}

pub(super) enum BlockBody {
    Memory(Vec<u8>),
    File(LayerFile),
}

impl PackedLayer {
    /// The counts of a group. An error if its file cannot be read or is damaged.
    pub(super) fn group<'a>(&'a self, groups: &Groups, layer: &'a Layer, ends: u32) -> io::Result<GroupCounts<'a>> {
        let place = layer.set.place(ends);
        let bytes = place.map_or(0..0, |place| self.shape.group_bytes(place));
        let counts = match (&self.body, place) {
            (BlockBody::File(file), Some(place)) => Cow::Owned(file.read(place)?),
            (BlockBody::Memory(all), _) => Cow::Borrowed(&all[bytes.start as usize..bytes.end as usize]),
            (BlockBody::File(_), None) => Cow::Borrowed(&[][..]),
        };
        Ok(GroupCounts {
            patterns: layer.set.table(ends),
            free: !ends & ((1 << groups.slots) - 1),
            first: place.map_or(0, |place| layer.offsets[place].block),
            shape: &self.shape,
            size: matchings(pairs(ends)),
            counts,
        })
    }
}

/// The open file of a layer.
pub(super) struct LayerFile {
    pub(super) path: PathBuf,
    pub(super) file: File,
    /// By the place of a group in the layer: where it begins in the file; last, the end of the file.
    pub(super) places: Box<[u64]>,
}

impl LayerFile {
    /// Reads the counts of the group at a place and checks its stretches. A checksum that does not agree is
    /// [`InvalidData`](io::ErrorKind::InvalidData).
    fn read(&self, place: usize) -> io::Result<Vec<u8>> {
        let mut counts = zeroed((self.places[place + 1] - self.places[place]) as usize)?;
        let named = |error: io::Error| io::Error::other(format!("{}: {error}", self.path.display()));
        self.file.read_exact_at(&mut counts, self.places[place]).map_err(named)?;
        if unseal(&mut counts) {
            return Ok(counts);
        }
        let damaged = format!("{}: is damaged: a checksum does not agree with its counts", self.path.display());
        Err(io::Error::new(io::ErrorKind::InvalidData, damaged))
    }
}

pub(super) struct GroupCounts<'a> {
    /// The truth table of its patterns.
    patterns: &'a [u64],
    /// The slots without an end.
    free: u32,
    /// The first block.
    first: u64,
    shape: &'a LayerShape,
    /// Number of counts in a block.
    size: usize,
    counts: Cow<'a, [u8]>,
}

impl GroupCounts<'_> {
    /// The counts of the pattern with these slots of degree 2; `None` if the pattern is not stored or all its counts are zero.
    pub(super) fn block(&self, twos: u32) -> Option<PatternBlock<'_>> {
        let bit = u64::from(extract(twos, self.free));
        if self.patterns.get(bit as usize / 64)? >> (bit % 64) & 1 == 0 {
            return None;
        }
        let block = self.first + count_ones(self.patterns, 0..bit);
        if !self.shape.marks.get(block) {
            return None;
        }
        let bytes = self.size * self.shape.width;
        let at = self.shape.marks.count(self.first..block) as usize * bytes;
        Some(PatternBlock { counts: &self.counts[at..at + bytes], width: self.shape.width })
    }
}

pub(super) struct PatternBlock<'a> {
    counts: &'a [u8],
    width: usize,
}

impl PatternBlock<'_> {
    /// The count of the matching with this rank.
    pub(super) fn count(&self, rank: usize) -> u64 {
        let mut wide = [0; 8];
        wide[..self.width].copy_from_slice(&self.counts[rank * self.width..][..self.width]);
        u64::from_le_bytes(wide)
    }
}
