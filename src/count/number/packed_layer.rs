//! The counts of one layer as they are kept: group by group, and of each group only the blocks that are not all zero.
//!
//! One bit for each block says whether it is kept. The beginning of a group follows from these bits, and the place of a block in
//! its group from the bits of the blocks before it. All counts of a layer are 2, 4 or 8 bytes wide, the low byte first: the
//! least width that holds the largest count.

use crate::count::pass::dense::{LayerCounts, Store};
use crate::count::pass::gather::SparseGroup;
use crate::count::states::layer::{Layer, pairs};
use crate::count::states::matching::matchings;
use crate::count::states::rule::extract;
use crate::count::states::set::Groups;
use crate::memory::{room, zeroed};
use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// Bytes of a stretch, which has one checksum.
pub(super) const STRETCH: u64 = 1 << 20;

/// A set of bits.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct BitMarks(pub(super) Vec<u64>);

impl BitMarks {
    fn new(bits: u64) -> BitMarks {
        BitMarks(vec![0; BitMarks::words_for(bits)])
    }

    pub(super) fn words_for(bits: u64) -> usize {
        bits.div_ceil(64) as usize
    }

    fn set(&mut self, bit: u64) {
        self.0[bit as usize / 64] |= 1 << (bit % 64);
    }

    fn get(&self, bit: u64) -> bool {
        self.0[bit as usize / 64] >> (bit % 64) & 1 == 1
    }

    /// Number of set bits in a range.
    fn count(&self, bits: Range<u64>) -> u64 {
        count_ones(&self.0, bits)
    }
}

/// Number of set bits in a range.
fn count_ones(words: &[u64], bits: Range<u64>) -> u64 {
    let below = |bit: u64| (1 << (bit % 64)) - 1;
    let (first, last) = (bits.start as usize / 64, bits.end as usize / 64);
    let head = words.get(first).map_or(0, |word| word & below(bits.start)).count_ones();
    let tail = words.get(last).map_or(0, |word| word & below(bits.end)).count_ones();
    let whole: u64 = words[first.min(words.len())..last].iter().map(|word| u64::from(word.count_ones())).sum();
    whole + u64::from(tail) - u64::from(head)
}

/// The layout of a packed layer: everything but its counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    /// Bytes of a count.
    pub(super) width: usize,
    /// The blocks that are kept.
    pub(super) marks: BitMarks,
    /// By the place of a group in the layer: the number of kept counts before the group; last, the number of all kept counts.
    pub(super) starts: Box<[u64]>,
}

impl Shape {
    pub(super) fn new(layer: &Layer, marks: BitMarks, width: usize) -> Shape {
        let mut kept = 0;
        let mut starts = room(layer.offsets.len());
        starts.push(0);
        for (mask, at) in layer.groups() {
            kept += matchings(pairs(mask)) as u64 * marks.count(at.start.block..at.end.block);
            starts.push(kept);
        }
        Shape { width, marks, starts: starts.into() }
    }

    /// The bytes of the group at a place among the bytes of all kept counts.
    pub(super) fn group_bytes(&self, place: usize) -> Range<u64> {
        let width = self.width as u64;
        self.starts[place] * width..self.starts[place + 1] * width
    }

    /// Bytes of all kept counts.
    pub(super) fn bytes(&self) -> u64 {
        self.starts[self.starts.len() - 1] * self.width as u64
    }
}

/// A layer of a pass that is to be packed.
pub(super) struct Packing<'a> {
    pub(super) layer: &'a Layer,
    pub(super) counts: &'a LayerCounts,
    pub(super) store: &'a Store,
    pub(super) largest: u128,
}

impl Packing<'_> {
    /// The layout of the packed layer.
    pub(super) fn shape(&self) -> Shape {
        let mut marks = BitMarks::new(self.layer.blocks());
        match self.counts {
            LayerCounts::Dense { marks: kept, .. } => {
                (0..).zip(kept).filter(|(_, kept)| **kept).for_each(|(block, _)| marks.set(block));
            }
            LayerCounts::Sparse(groups) => {
                for (group, (_, place)) in groups.iter().zip(self.layer.groups()) {
                    let blocks = (0..group.ends.len()).filter(|&at| !group.block(at).is_empty());
                    blocks.for_each(|at| marks.set(place.start.block + at as u64));
                }
            }
        }
        let width = [2, 4].into_iter().find(|&bytes| self.largest >> (8 * bytes) == 0).unwrap_or(8);
        Shape::new(self.layer, marks, width)
    }

    /// Appends the kept counts of the group at a place to `packed`. An error if the store of the pass cannot be read.
    pub(super) fn group(&self, shape: &Shape, place: usize, packed: &mut Vec<u8>) -> io::Result<()> {
        let (from, to) = (self.layer.offsets[place], self.layer.offsets[place + 1]);
        let size = matchings(pairs(self.layer.set.masks()[place]));
        let kept = (from.block..to.block).filter(|&block| shape.marks.get(block)).map(|block| block - from.block);
        match self.counts {
            LayerCounts::Sparse(groups) => {
                kept.for_each(|at| append_sparse(&groups[place], at as usize, size, shape.width, packed))
            }
            LayerCounts::Dense { bytes, .. } => {
                let mut block = vec![0; size * bytes];
                let layer_bytes = bytes * self.layer.states() as usize;
                for at in kept {
                    let offset = (from.state + at * size as u64) * *bytes as u64;
                    self.store.read(offset, &mut block, layer_bytes)?;
                    append_converted(&block, *bytes, shape.width, packed);
                }
            }
        }
        Ok(())
    }
}

/// Appends block `at` of a sparse group, which has `size` counts.
fn append_sparse(group: &SparseGroup, at: usize, size: usize, width: usize, packed: &mut Vec<u8>) {
    let first = packed.len();
    packed.resize(first + size * width, 0);
    for &(rank, count) in group.block(at) {
        packed[first + rank as usize * width..][..width].copy_from_slice(&count.to_le_bytes()[..width]);
    }
}

/// Appends counts of `bytes` bytes in the byte order of this machine, converted to `width` bytes, the low byte first. All counts
/// must fit in `width` bytes.
fn append_converted(counts: &[u8], bytes: usize, width: usize, packed: &mut Vec<u8>) {
    if bytes == width && cfg!(target_endian = "little") {
        return packed.extend_from_slice(counts);
    }
    for count in counts.chunks_exact(bytes) {
        let mut wide = [0; 8];
        wide[..bytes].copy_from_slice(count);
        if cfg!(target_endian = "big") {
            wide[..bytes].reverse();
        }
        packed.extend_from_slice(&wide[..width]);
    }
}

pub(super) struct PackedLayer {
    pub(super) shape: Shape,
    pub(super) body: BlockBody,
}

pub(super) enum BlockBody {
    Memory(Vec<u8>),
    File(Stretches),
}

impl PackedLayer {
    /// The counts of a group. An error if its file cannot be read or is damaged.
    pub(super) fn group<'a>(&'a self, groups: &Groups, layer: &'a Layer, ends: u32) -> io::Result<GroupCounts<'a>> {
        let place = layer.set.place(ends);
        let bytes = place.map_or(0..0, |place| self.shape.group_bytes(place));
        let counts = match (&self.body, place) {
            (BlockBody::File(file), Some(place)) => Cow::Owned(file.read(place, bytes)?),
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

/// The counts of a layer in its file, as stretches with checksums.
pub(super) struct Stretches {
    pub(super) path: PathBuf,
    pub(super) file: File,
    /// The position of the counts in the file.
    pub(super) counts_at: u64,
    /// By the place of a group in the layer: the number of its first stretch.
    pub(super) firsts: Box<[usize]>,
    /// By stretch: the CRC-32.
    pub(super) sums: Box<[u32]>,
}

impl Stretches {
    /// Reads the bytes of the group at a place and checks its stretches. A checksum that does not agree is
    /// [`InvalidData`](io::ErrorKind::InvalidData).
    pub(super) fn read(&self, place: usize, bytes: Range<u64>) -> io::Result<Vec<u8>> {
        let mut counts = zeroed((bytes.end - bytes.start) as usize)?;
        let named = |error: io::Error| io::Error::other(format!("{}: {error}", self.path.display()));
        self.file.read_exact_at(&mut counts, self.counts_at + bytes.start).map_err(named)?;
        let sums = &self.sums[self.firsts[place]..];
        match counts.chunks(STRETCH as usize).zip(sums).all(|(stretch, &sum)| crc32fast::hash(stretch) == sum) {
            true => Ok(counts),
            false => {
                let damaged = format!("{}: is damaged: a checksum does not agree with its counts", self.path.display());
                Err(io::Error::new(io::ErrorKind::InvalidData, damaged))
            }
        }
    }
}

pub(super) struct GroupCounts<'a> {
    /// The truth table of its patterns.
    patterns: &'a [u64],
    /// The slots without an end.
    free: u32,
    /// The first block.
    first: u64,
    shape: &'a Shape,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_counted_between_any_two_places() {
        let mut marks = BitMarks::new(200);
        let set = [0, 5, 63, 64, 127, 128, 190];
        set.iter().for_each(|&bit| marks.set(bit));
        for from in 0..=200 {
            for to in from..=200 {
                let expected = set.iter().filter(|bit| (from..to).contains(*bit)).count() as u64;
                assert_eq!(marks.count(from..to), expected, "{from}..{to}");
            }
        }
        // If the blocks of a layer fill their words, no word comes after the last bit.
        assert_eq!(BitMarks(vec![u64::MAX]).count(0..64), 64);
        assert_eq!(BitMarks(vec![u64::MAX]).count(64..64), 0);
    }

    #[test]
    fn a_count_keeps_its_value_in_another_width() {
        let counts = [1u32, 0, 65_535];
        let mut packed = Vec::new();
        append_converted(bytemuck::cast_slice(&counts), 4, 2, &mut packed);
        let block = PatternBlock { counts: &packed, width: 2 };
        assert_eq!((0..3).map(|rank| block.count(rank)).collect::<Vec<_>>(), [1, 0, 65_535]);
        packed.clear();
        append_sparse(&SparseGroup { ends: vec![0, 2], counts: vec![(0, 7), (2, 9)] }, 1, 3, 4, &mut packed);
        let block = PatternBlock { counts: &packed, width: 4 };
        assert_eq!((0..3).map(|rank| block.count(rank)).collect::<Vec<_>>(), [7, 0, 9]);
    }
}
