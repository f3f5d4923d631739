//! The counts of a layer as bytes of a file: the body of a checkpoint, and a file of a numbering.
//!
//! ```text
//! 8 bytes a word      the marks: one bit for each block, from the low bit of the first word: whether it is kept
//! 4 bytes             the CRC-32 of the marks
//! ..                  the counts of the kept blocks, group by group; behind every stretch 4 bytes, its CRC-32
//! ```
//!
//! A block that is not kept has only zeros. A stretch is a mebibyte of a group, or the rest of the group; most groups are one
//! stretch. A group and its blocks are found from the marks alone. All counts of a layer are 2, 4, 8 or 16 bytes wide, which stands
//! elsewhere: in the header of the checkpoint, or in the manifest of the numbering. All numbers have the low byte first.
//!
//! # What is believed
//!
//! The checksums find accidental damage. A forged file, or one written by another program, may have valid ones. Whatever it holds,
//! the gathering must find its ranks in its tables, and its sums must not overflow. A rank is the place of a count here, so it is
//! one of the block; [`check_findings`] compares what the counts are with the header. A file that passes these checks and has
//! wrong counts is believed.

use super::counts::StoreFindings;
use super::dense::LayerCounts;
use super::gather::SparseGroup;
use super::store::Store;
use crate::count::ask::residues::Modulus;
use crate::count::states::layers::{Layer, pairs};
use crate::count::states::matching::matchings;
use crate::memory::{reserve, room, zeroed};
use std::io::{self, Read, Write};
use std::ops::Range;

/// Most bytes of a stretch.
const STRETCH: usize = 1 << 20;
/// Bytes of a checksum.
const SUM_BYTES: usize = 4;
/// Bytes of a count of a sparse layer.
const SPARSE_WIDTH: usize = 4;

/// A set of bits.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct BitMarks(Vec<u64>);

impl BitMarks {
    fn new(bits: u64) -> BitMarks {
        BitMarks(vec![0; bits.div_ceil(64) as usize])
    }

    fn set(&mut self, bit: u64) {
        self.0[bit as usize / 64] |= 1 << (bit % 64);
    }

    pub fn get(&self, bit: u64) -> bool {
        self.0[bit as usize / 64] >> (bit % 64) & 1 == 1
    }

    /// Number of set bits in a range.
    pub fn count(&self, bits: Range<u64>) -> u64 {
        count_ones(&self.0, bits)
    }

    /// The longest ranges of set bits in a range, the lowest first.
    fn runs(&self, bits: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let mut at = bits.start;
        std::iter::from_fn(move || {
            let first = (at..bits.end).find(|&bit| self.get(bit))?;
            at = (first..bits.end).find(|&bit| !self.get(bit)).unwrap_or(bits.end);
            Some(first..at)
        })
    }
}

/// Number of set bits in a range.
pub fn count_ones(words: &[u64], bits: Range<u64>) -> u64 {
    let below = |bit: u64| (1 << (bit % 64)) - 1;
    let (first, last) = (bits.start as usize / 64, bits.end as usize / 64);
    let head = words.get(first).map_or(0, |word| word & below(bits.start)).count_ones();
    let tail = words.get(last).map_or(0, |word| word & below(bits.end)).count_ones();
    let whole: u64 = words[first.min(words.len())..last].iter().map(|word| u64::from(word.count_ones())).sum();
    whole + u64::from(tail) - u64::from(head)
}

/// The layout of a stored layer: everything but its counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerShape {
    /// Bytes of a count.
    pub width: usize,
    /// The blocks that are kept.
    pub marks: BitMarks,
    /// By the place of a group in the layer: the bytes of kept counts before the group; last, those of all.
    starts: Box<[u64]>,
}

impl LayerShape {
    fn new(layer: &Layer, marks: BitMarks, width: usize) -> LayerShape {
        let mut bytes = 0;
        let mut starts = room(layer.offsets.len());
        starts.push(0);
        for (mask, at) in layer.groups() {
            bytes += (matchings(pairs(mask)) * width) as u64 * marks.count(at.start.block..at.end.block);
            starts.push(bytes);
        }
        LayerShape { width, marks, starts: starts.into() }
    }

    /// Reads the marks of a layer whose counts are `width` bytes wide, and their checksum. What follows are the groups.
    pub fn read(input: &mut impl Read, layer: &Layer, width: usize) -> io::Result<LayerShape> {
        let mut bytes = zeroed::<u8>(marks_bytes(layer))?;
        input.read_exact(&mut bytes)?;
        if !unseal(&mut bytes) {
            return Err(io::Error::other("the checksum of its marks does not agree with them"));
        }
        let word = |word: &[u8]| word.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
        let marks = BitMarks(bytes.chunks_exact(8).map(word).collect());
        let rest = marks.0.last().map_or(0, |last| last >> (layer.blocks() % 64));
        if !layer.blocks().is_multiple_of(64) && rest != 0 {
            return Err(io::Error::other("it keeps blocks that do not exist"));
        }
        Ok(LayerShape::new(layer, marks, width))
    }

    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let marks: Vec<u8> = self.marks.0.iter().flat_map(|word| word.to_le_bytes()).collect();
        write_sealed(&marks, output)
    }

    /// Number of groups.
    pub fn groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// The bytes of the group at a place among those of all kept counts.
    pub fn group_bytes(&self, place: usize) -> Range<u64> {
        self.starts[place]..self.starts[place + 1]
    }

    /// By the place of a group: where it begins in a file, behind the marks; last, where all of them end.
    pub fn places_in_file(&self) -> Box<[u64]> {
        let mut places: Vec<u64> = room(self.starts.len());
        places.push(0);
        for place in 0..self.groups() {
            places.push(places[place] + self.sealed_bytes(place));
        }
        places.into()
    }

    /// Bytes of the group at a place, with its checksums.
    fn sealed_bytes(&self, place: usize) -> u64 {
        let bytes = self.group_bytes(place);
        let bytes = bytes.end - bytes.start;
        bytes + bytes.div_ceil(STRETCH as u64) * SUM_BYTES as u64
    }
}

/// Bytes of the marks of a layer in a file, with their checksum.
pub fn marks_bytes(layer: &Layer) -> usize {
    8 * layer.blocks().div_ceil(64) as usize + SUM_BYTES
}

/// Most bytes of a layer in a file, if its counts are `width` bytes wide.
pub fn most_bytes(layer: &Layer, width: u64) -> u64 {
    let counts = layer.states() * width;
    let stretches = layer.set.masks().len() as u64 + counts / STRETCH as u64;
    marks_bytes(layer) as u64 + counts + SUM_BYTES as u64 * stretches
}

/// The least width that holds counts up to `largest`, in bytes; 8 for those that were cut to 64 bits.
pub fn least_width(largest: u128) -> usize {
    [2, 4].into_iter().find(|&bytes| largest >> (8 * bytes) == 0).unwrap_or(8)
}

/// Writes a stretch and its checksum.
fn write_sealed(stretch: &[u8], output: &mut impl Write) -> io::Result<()> {
    output.write_all(stretch)?;
    output.write_all(&crc32fast::hash(stretch).to_le_bytes())
}

/// Whether the last bytes of a stretch are its checksum.
fn is_sealed(stretch: &[u8]) -> bool {
    stretch.split_last_chunk::<SUM_BYTES>().is_some_and(|(counts, sum)| crc32fast::hash(counts).to_le_bytes() == *sum)
}

/// Takes the checksums out of a group as it stands in a file. Returns whether all agree.
pub fn unseal(group: &mut Vec<u8>) -> bool {
    let (mut from, mut to) = (0, 0);
    while from < group.len() {
        let end = (from + STRETCH + SUM_BYTES).min(group.len());
        if !is_sealed(&group[from..end]) {
            return false;
        }
        let (end, length) = (end - SUM_BYTES, end - SUM_BYTES - from);
        if from > 0 {
            group.copy_within(from..end, to);
        }
        (from, to) = (end + SUM_BYTES, to + length);
    }
    group.truncate(to);
    true
}

/// A layer of a pass that is to be stored; its dense counts are in `store`.
pub struct PassLayer<'a> {
    pub layer: &'a Layer,
    pub counts: &'a LayerCounts,
    pub store: &'a Store,
}

impl PassLayer<'_> {
    /// Writes the layer with counts of `bytes` bytes, or of a sparse layer with `bytes` 0: what [`read_counts`] reads.
    pub fn write(&self, bytes: usize, output: &mut impl Write) -> io::Result<()> {
        self.write_shape(&self.shape(width_of(bytes)), output)
    }

    /// Writes the layer with this layout.
    pub fn write_shape(&self, shape: &LayerShape, output: &mut impl Write) -> io::Result<()> {
        shape.write(output)?;
        self.write_groups(shape, output)
    }

    /// Writes what stands behind the marks.
    pub fn write_groups(&self, shape: &LayerShape, output: &mut impl Write) -> io::Result<()> {
        // A group may have hundreds of mebibytes: no more than two stretches are in memory.
        let mut kept = Vec::new();
        (0..shape.groups()).try_for_each(|place| {
            self.pieces(shape, place, &mut kept, |kept| {
                let whole = kept.len() / STRETCH * STRETCH;
                kept[..whole].chunks(STRETCH).try_for_each(|stretch| write_sealed(stretch, output))?;
                kept.drain(..whole);
                Ok(())
            })?;
            if !kept.is_empty() {
                write_sealed(&kept, output)?;
            }
            kept.clear();
            Ok(())
        })
    }

    /// The layout of the layer with counts of `width` bytes, which must hold its largest count.
    pub fn shape(&self, width: usize) -> LayerShape {
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
        LayerShape::new(self.layer, marks, width)
    }

    /// Appends the kept counts of the group at a place to `kept`. An error if the store of the pass cannot be read.
    pub fn group(&self, shape: &LayerShape, place: usize, kept: &mut Vec<u8>) -> io::Result<()> {
        self.pieces(shape, place, kept, |_| Ok(()))
    }

    /// Appends the kept counts of the group at a place to `kept`, in pieces of at most a stretch or a sparse block, and calls
    /// `each` behind each of them.
    fn pieces(
        &self,
        shape: &LayerShape,
        place: usize,
        kept: &mut Vec<u8>,
        mut each: impl FnMut(&mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        let (from, to) = (self.layer.offsets[place], self.layer.offsets[place + 1]);
        let size = matchings(pairs(self.layer.set.masks()[place]));
        for run in shape.marks.runs(from.block..to.block) {
            let run = run.start - from.block..run.end - from.block;
            match self.counts {
                LayerCounts::Sparse(groups) => {
                    for at in run {
                        append_sparse(&groups[place], at as usize, size, shape.width, kept);
                        each(kept)?;
                    }
                }
                LayerCounts::Dense { bytes, .. } => {
                    let layer_bytes = bytes * self.layer.states() as usize;
                    let at = |block: u64| (from.state + block * size as u64) * *bytes as u64;
                    let (first, end) = (at(run.start), at(run.end));
                    for offset in (first..end).step_by(STRETCH) {
                        let mut counts = vec![0; STRETCH.min((end - offset) as usize)];
                        self.store.read(offset, &mut counts, layer_bytes)?;
                        append_converted(&counts, *bytes, shape.width, kept);
                        each(kept)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Appends block `at` of a sparse group, which has `size` counts.
fn append_sparse(group: &SparseGroup, at: usize, size: usize, width: usize, kept: &mut Vec<u8>) {
    let first = kept.len();
    kept.resize(first + size * width, 0);
    for &(rank, count) in group.block(at) {
        kept[first + rank as usize * width..][..width].copy_from_slice(&count.to_le_bytes()[..width]);
    }
}

/// Appends counts of `bytes` bytes in the byte order of this machine, converted to `width` bytes, the low byte first. All counts
/// must fit in `width` bytes.
fn append_converted(counts: &[u8], bytes: usize, width: usize, kept: &mut Vec<u8>) {
    if bytes == width && cfg!(target_endian = "little") {
        return kept.extend_from_slice(counts);
    }
    for count in counts.chunks_exact(bytes) {
        let mut wide = [0; size_of::<u128>()];
        wide[..bytes].copy_from_slice(count);
        if cfg!(target_endian = "big") {
            wide[..bytes].reverse();
        }
        kept.extend_from_slice(&wide[..width]);
    }
}

/// Bytes of a stored count, where a pass has counts of `bytes` bytes, or 0 if they are sparse.
fn width_of(bytes: usize) -> usize {
    if bytes == 0 { SPARSE_WIDTH } else { bytes }
}

/// Reads the counts of a layer that [`PassLayer::write`] has written, and returns them with their largest value and the number of
/// nonzero ones. Dense counts go into `store`. Fails when the counts end too early, or do not have their checksums.
pub fn read_counts(
    input: &mut impl Read,
    bytes: usize,
    layer: &Layer,
    store: &mut Store,
) -> io::Result<(LayerCounts, StoreFindings)> {
    let shape = LayerShape::read(input, layer, width_of(bytes))?;
    read_groups(input, &shape, bytes, layer, store)
}

/// The same behind the marks. Sparse counts may have any width here.
pub fn read_groups(
    input: &mut impl Read,
    shape: &LayerShape,
    bytes: usize,
    layer: &Layer,
    store: &mut Store,
) -> io::Result<(LayerCounts, StoreFindings)> {
    let layer_bytes = bytes * layer.states() as usize;
    if bytes > 0 {
        store.reserve(0, layer_bytes, 0)?;
    }
    let (mut found, mut sparse, mut kept) = (StoreFindings::default(), Vec::new(), Vec::new());
    for (place, (mask, at)) in layer.groups().enumerate() {
        let blocks = at.start.block..at.end.block;
        let size = matchings(pairs(mask));
        // The places of the dense counts in the store, a range for each run of kept blocks.
        let state = |block: u64| at.start.state + (block - at.start.block) * size as u64;
        let runs = shape.marks.runs(blocks.clone());
        let mut places = runs.map(|run| state(run.start) * bytes as u64..state(run.end) * bytes as u64);
        let mut there = 0..0;
        let all = shape.group_bytes(place);
        let mut left = (all.end - all.start) as usize;
        kept.clear();
        while left > 0 {
            let begin = if bytes == 0 { kept.len() } else { 0 };
            let length = left.min(STRETCH);
            left -= length;
            kept.truncate(begin);
            reserve(&mut kept, length + SUM_BYTES);
            kept.resize(begin + length + SUM_BYTES, 0);
            input.read_exact(&mut kept[begin..])?;
            if !is_sealed(&kept[begin..]) {
                return Err(io::Error::other("a checksum does not agree with its counts"));
            }
            kept.truncate(begin + length);
            found = found.and(findings(&kept[begin..], shape.width));
            if bytes == 0 {
                continue;
            }
            low_byte_first(&mut kept, bytes);
            let mut rest = &kept[..];
            while !rest.is_empty() {
                if there.is_empty() {
                    there = places.next().unwrap_or_else(|| unreachable!("the runs have as many counts as the group"));
                }
                let counts = rest.split_off(..rest.len().min((there.end - there.start) as usize)).unwrap_or_default();
                store.write(there.start, counts, layer_bytes)?;
                there.start += counts.len() as u64;
            }
        }
        if bytes == 0 {
            sparse.push(sparse_group(shape, blocks, size, &kept));
        }
    }
    if bytes == 0 {
        return Ok((LayerCounts::Sparse(sparse), found));
    }
    store.swap()?;
    let marks = (0..layer.blocks()).map(|block| shape.marks.get(block)).collect();
    Ok((LayerCounts::Dense { bytes, marks }, found))
}

/// The nonzero counts of a group, of whose `blocks`, each of `size` counts, those that are marked are in `kept`.
fn sparse_group(shape: &LayerShape, blocks: Range<u64>, size: usize, kept: &[u8]) -> SparseGroup {
    let mut group = SparseGroup::default();
    if kept.is_empty() {
        return group;
    }
    let mut rest = kept.chunks_exact(size * shape.width);
    for block in blocks {
        let counts = if shape.marks.get(block) { rest.next().unwrap_or_default() } else { &[] };
        let counts = counts
            .chunks_exact(shape.width)
            .map(|count| count.iter().rev().fold(0, |all, &byte| all << 8 | u32::from(byte)));
        group.counts.extend((0..).zip(counts).filter(|&(_, count)| count != 0));
        group.ends.push(group.counts.len() as u32);
    }
    group
}

/// The largest of some counts that have the low byte first, and the number of nonzero ones.
fn findings(counts: &[u8], width: usize) -> StoreFindings {
    match width {
        2 => scan(counts, u16::from_le_bytes),
        4 => scan(counts, u32::from_le_bytes),
        8 => scan(counts, u64::from_le_bytes),
        _ => scan(counts, u128::from_le_bytes),
    }
}

fn scan<const BYTES: usize, C: Default + Copy + Ord + Into<u128>>(
    counts: &[u8],
    count: impl Fn([u8; BYTES]) -> C,
) -> StoreFindings {
    let (mut largest, mut nonzero) = (C::default(), 0);
    for bytes in counts.as_chunks::<BYTES>().0 {
        let count = count(*bytes);
        largest = largest.max(count);
        nonzero += u64::from(count != C::default());
    }
    StoreFindings { largest: largest.into(), nonzero }
}

/// Converts counts between the machine's byte order and the file's.
fn low_byte_first(counts: &mut [u8], bytes: usize) {
    if cfg!(target_endian = "big") {
        counts.chunks_exact_mut(bytes).for_each(<[u8]>::reverse);
    }
}

/// Checks that the counts `found` agree with what the header has, `written`, and that their width fits the modulus; `bytes` is
/// the width of a count, or 0 if the layer is sparse. A pass over a range (`is_range`) has taken counts out of the layer since.
pub fn check_findings(
    found: StoreFindings,
    written: StoreFindings,
    is_range: bool,
    modulus: Modulus,
    bytes: usize,
    layer: &Layer,
) -> io::Result<()> {
    let is_less = is_range && found.largest <= written.largest && found.nonzero <= written.nonzero;
    let is_same = is_less || found == written;
    let same = match modulus {
        // The header has the largest count before it was cut to 64 bits.
        Modulus::TwoTo64 => is_range || layer.states() > 1 || found.largest == u128::from(written.largest as u64),
        Modulus::Prime(prime) => is_same && found.largest < prime.into(),
        Modulus::None => is_same,
    };
    let width = bytes == 0 || modulus.bytes().is_none_or(|remainder| remainder == bytes);
    if same && width { Ok(()) } else { Err(io::Error::other("its counts do not agree with its header")) }
}

#[cfg(test)]
pub mod tests;
