//! Writes the counts of a layer as bytes of a file, and reads them back.
//!
//! Numbers are stored with the low byte first. A sparse layer is stored by group that has patterns: the number of blocks, the number of
//! counts, the ends of the blocks, and the counts with their ranks. A dense layer is stored as its marks, then its
//! counts.

use super::counts::StoreFindings;
use super::dense::{LayerCounts, Store};
use super::gather::SparseGroup;
use super::layer_check;
use crate::count::states::layer::Layer;
use crate::memory::zeroed;
use std::io::{self, Read, Write};

/// Bytes that are read or written at a time.
const STRETCH: usize = 1 << 20;

/// Writes the counts of a layer; dense counts are read from `store`.
pub fn write_counts(output: &mut impl Write, counts: &LayerCounts, layer: &Layer, store: &Store) -> io::Result<()> {
    match counts {
        LayerCounts::Sparse(groups) => {
            for group in groups {
                let lengths = [group.ends.len() as u32, group.counts.len() as u32];
                write_words(output, lengths)?;
                write_words(output, group.ends.iter().copied())?;
                write_words(output, group.counts.iter().flat_map(|&(rank, count)| [rank, count]))?;
            }
        }
        LayerCounts::Dense { bytes, marks } => {
            marks.chunks(STRETCH).try_for_each(|marks| {
                let marks: Vec<u8> = marks.iter().map(|&mark| mark.into()).collect();
                output.write_all(&marks)
            })?;
            let mut stretch = vec![0; STRETCH];
            for (offset, length) in stretches(*bytes, layer) {
                store.read(offset, &mut stretch[..length], *bytes * layer.states() as usize)?;
                low_byte_first(&mut stretch[..length], *bytes);
                output.write_all(&stretch[..length])?;
            }
        }
    }
    Ok(())
}

/// Reads the counts of a layer, checks them, and returns them with their largest value and the number of nonzero ones.
/// Dense counts go into `store`. Fails when the counts end too early, or cannot be those of the layer.
pub fn read_counts(
    input: &mut impl Read,
    bytes: usize,
    layer: &Layer,
    store: &mut Store,
) -> io::Result<(LayerCounts, StoreFindings)> {
    if bytes == 0 {
        let groups = layer.groups().map(|(_, at)| {
            let blocks = (at.end.block - at.start.block) as usize;
            let lengths = read_words(input, 2)?;
            // Checked before memory is taken: a damaged file may give any length.
            let most = at.end.state - at.start.state;
            if ![0, blocks].contains(&(lengths[0] as usize)) || u64::from(lengths[1]) > most {
                return Err(io::Error::other("a group has more counts than its patterns have states"));
            }
            let ends = read_words(input, lengths[0] as usize)?;
            let counts = read_words(input, 2 * lengths[1] as usize)?;
            let counts = counts.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
            Ok(SparseGroup { ends, counts })
        });
        let groups = groups.collect::<io::Result<Vec<_>>>()?;
        let found = layer_check::check_sparse(&groups, layer)?;
        return Ok((LayerCounts::Sparse(groups), found));
    }
    if ![2, 4, 8].contains(&bytes) {
        return Err(io::Error::other("its counts are not 16, 32 or 64 bits wide"));
    }
    let mut marks = zeroed::<u8>(layer.blocks() as usize)?;
    input.read_exact(&mut marks)?;
    let marks: Vec<bool> = marks.into_iter().map(|mark| mark != 0).collect();
    let mut census = layer_check::DenseCheck::new(bytes, layer, &marks);
    store.reserve(0, bytes * layer.states() as usize)?;
    let mut stretch = vec![0; STRETCH];
    for (offset, length) in stretches(bytes, layer) {
        input.read_exact(&mut stretch[..length])?;
        low_byte_first(&mut stretch[..length], bytes);
        census.add(&stretch[..length]);
        store.write(offset, &stretch[..length], bytes * layer.states() as usize)?;
    }
    store.swap()?;
    let found = census.findings();
    Ok((LayerCounts::Dense { bytes, marks }, found))
}

/// Offsets and lengths that cover the counts of a layer.
fn stretches(bytes: usize, layer: &Layer) -> impl Iterator<Item = (u64, usize)> + use<> {
    let all = bytes as u64 * layer.states();
    (0..all).step_by(STRETCH).map(move |offset| (offset, STRETCH.min((all - offset) as usize)))
}

/// Converts counts between the machine's byte order and the file's.
fn low_byte_first(counts: &mut [u8], bytes: usize) {
    if cfg!(target_endian = "big") {
        counts.chunks_exact_mut(bytes).for_each(<[u8]>::reverse);
    }
}

fn write_words(output: &mut impl Write, words: impl IntoIterator<Item = u32>) -> io::Result<()> {
    words.into_iter().try_for_each(|word| output.write_all(&word.to_le_bytes()))
}

fn read_words(input: &mut impl Read, count: usize) -> io::Result<Vec<u32>> {
    let mut bytes = zeroed::<u8>(4 * count)?;
    input.read_exact(&mut bytes)?;
    Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
}
