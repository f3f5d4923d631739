//! The counts of a layer as a walk reads them, a group at a time: from memory, from a file, or from a pass that stands there.
//!
//! What is kept of a layer in memory has the form that it has in a file, that of
//! [`stored_layer`](crate::count::pass::stored_layer): so a pass can resume there.

use crate::count::pass::dense::LayerCounts;
use crate::count::pass::steps::Pass;
use crate::count::pass::stored_layer::{LayerShape, PassLayer, count_ones, least_width, unseal};
use crate::count::states::layers::{Layer, pairs};
use crate::count::states::matching::matchings;
use crate::count::states::rule::extract;
use crate::count::states::set::Groups;
use crate::memory::{reserve, zeroed};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

pub(super) struct PackedLayer<'p> {
    pub(super) shape: LayerShape,
    pub(super) body: LayerBody<'p>,
}

pub(super) enum LayerBody<'p> {
    Memory(KeptBody),
    File(LayerFile),
    Pass(PassLayer<'p>),
}

/// A layer in memory, as it would stand in a file behind its marks.
pub(super) struct KeptBody {
    pub(super) bytes: Vec<u8>,
    /// By the place of a group in the layer: where it begins; last, the end of the bytes.
    places: Box<[u64]>,
    /// Whether the pass had sparse counts.
    pub(super) is_sparse: bool,
}

impl<'p> PackedLayer<'p> {
    /// The layer at which a pass stands, to be read while it stands there.
    pub(super) fn of_pass(pass: &'p Pass<'_>) -> PackedLayer<'p> {
        let layer = pass.layer();
        PackedLayer { shape: layer.shape(least_width(pass.state.findings.largest)), body: LayerBody::Pass(layer) }
    }

    /// The layer at which a pass stands, to be kept. `bytes` is room of one that was used: fresh memory costs as much time as counting.
    pub(super) fn kept(pass: &Pass<'_>, mut bytes: Vec<u8>) -> io::Result<PackedLayer<'static>> {
        let layer = pass.layer();
        let shape = layer.shape(least_width(pass.state.findings.largest));
        let places = shape.places_in_file();
        let all = places[places.len() - 1] as usize;
        bytes.clear();
        bytes.shrink_to(all);
        reserve(&mut bytes, all);
        layer.write_groups(&shape, &mut bytes)?;
        let is_sparse = matches!(pass.state.counts, LayerCounts::Sparse(_));
        Ok(PackedLayer { shape, body: LayerBody::Memory(KeptBody { bytes, places, is_sparse }) })
    }

    /// The counts of a group. An error if its file cannot be read or is damaged.
    pub(super) fn group<'a>(&'a self, groups: &Groups, layer: &'a Layer, ends: u32) -> io::Result<GroupCounts<'a>> {
        let place = layer.set.place(ends);
        let counts = match (&self.body, place) {
            (_, None) => Vec::new(),
            (LayerBody::File(file), Some(place)) => file.read(place)?,
            (LayerBody::Memory(kept), Some(place)) => {
                let mut counts = kept.bytes[kept.places[place] as usize..kept.places[place + 1] as usize].to_vec();
                match unseal(&mut counts) {
                    true => counts,
                    false => return Err(io::Error::new(io::ErrorKind::InvalidData, "a layer in memory is damaged")),
                }
            }
            (LayerBody::Pass(layer), Some(place)) => {
                let mut counts = Vec::new();
                layer.group(&self.shape, place, &mut counts)?;
                counts
            }
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
    counts: Vec<u8>,
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
