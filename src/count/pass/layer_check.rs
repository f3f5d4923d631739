//! Checks the counts that a checkpoint holds: that they are possible for the layer, and that they agree with the
//! header.
//!
//! The checksum finds accidental damage. A forged file, or one written by another program, may have a valid checksum.
//! Whatever it holds, the gathering must find its ranks in its tables, and its sums must not overflow. A file that
//! passes these checks and has wrong counts is believed.

use super::counts::StoreFindings;
use super::gather::SparseGroup;
use crate::count::ask::residues::Modulus;
use crate::count::states::layer::{Layer, pairs};
use crate::count::states::matching::matchings;
use std::io;

fn error(what: &str) -> io::Error {
    io::Error::other(what)
}

/// Checks that sparse counts are possible for the layer. Returns the largest count and the number of nonzero ones.
pub fn check_sparse(groups: &[SparseGroup], layer: &Layer) -> io::Result<StoreFindings> {
    let mut found = StoreFindings::default();
    for (&mask, group) in layer.set.masks().iter().zip(groups) {
        let (mut first, size) = (0, matchings(pairs(mask)));
        for &end in &group.ends {
            if end < first || end as usize > group.counts.len() || (end - first) as usize > size {
                return Err(error("its blocks are not in order"));
            }
            first = end;
        }
        if first as usize != group.counts.len() {
            return Err(error("it has counts outside its blocks"));
        }
        for &(rank, count) in &group.counts {
            if rank as usize >= size {
                return Err(error("it has counts of states that do not exist"));
            }
            found = found.and(StoreFindings { largest: count.into(), nonzero: u64::from(count != 0) });
        }
    }
    debug_assert_eq!(groups.len(), layer.offsets.len() - 1);
    Ok(found)
}

/// Scans dense counts, stretch by stretch.
pub struct DenseCheck<'a> {
    bytes: usize,
    /// The blocks after the current one: number of counts, and whether any is nonzero.
    blocks: Box<dyn Iterator<Item = (usize, bool)> + 'a>,
    /// Bytes of the current block still to come, and whether the block is marked. A block without a mark has arbitrary
    /// bytes.
    bytes_left: usize,
    is_marked: bool,
    findings: StoreFindings,
}

impl<'a> DenseCheck<'a> {
    /// A scan of counts of `bytes` bytes, in the marked blocks of a layer.
    pub fn new(bytes: usize, layer: &'a Layer, marks: &'a [bool]) -> DenseCheck<'a> {
        let sizes = layer.groups().flat_map(|(mask, at)| {
            let size = matchings(pairs(mask));
            (at.start.block..at.end.block).map(move |_| size)
        });
        let blocks = Box::new(sizes.zip(marks.iter().copied()));
        DenseCheck { bytes, blocks, bytes_left: 0, is_marked: false, findings: StoreFindings::default() }
    }

    /// Scans the next stretch, which holds whole counts.
    pub fn add(&mut self, mut stretch: &[u8]) {
        while !stretch.is_empty() {
            if self.bytes_left == 0 {
                let Some((size, counts)) = self.blocks.next() else { return };
                (self.bytes_left, self.is_marked) = (size * self.bytes, counts);
            }
            let (part, rest) = stretch.split_at(self.bytes_left.min(stretch.len()));
            self.bytes_left -= part.len();
            stretch = rest;
            if self.is_marked {
                self.findings = self.findings.and(match self.bytes {
                    2 => scan(part, |count| u16::from_ne_bytes(count).into()),
                    4 => scan(part, |count| u32::from_ne_bytes(count).into()),
                    _ => scan(part, u64::from_ne_bytes),
                });
            }
        }
    }

    /// The largest count and the number of nonzero ones.
    pub fn findings(self) -> StoreFindings {
        self.findings
    }
}

fn scan<const BYTES: usize>(counts: &[u8], count: impl Fn([u8; BYTES]) -> u64) -> StoreFindings {
    let (mut largest, mut nonzero) = (0, 0);
    for bytes in counts.as_chunks::<BYTES>().0 {
        let count = count(*bytes);
        largest = largest.max(count);
        nonzero += u64::from(count != 0);
    }
    StoreFindings { largest: largest.into(), nonzero }
}

/// Checks that the counts `found` agree with what the header `said`, and that their width fits the modulus; `bytes` is
/// the width of a count, or 0 if the layer is sparse. A pass over a strip (`is_strip`) has taken counts out of the layer since.
pub fn check_findings(
    found: StoreFindings,
    said: StoreFindings,
    is_strip: bool,
    modulus: Modulus,
    bytes: usize,
    layer: &Layer,
) -> io::Result<()> {
    let is_less = is_strip && found.largest <= said.largest && found.nonzero <= said.nonzero;
    let is_same = is_less || found == said;
    let same = match modulus {
        // The header has the largest count before it was cut to 64 bits.
        Modulus::TwoTo64 => is_strip || layer.states() > 1 || found.largest == u128::from(said.largest as u64),
        Modulus::Prime(prime) => is_same && found.largest < prime.into(),
        Modulus::None => is_same,
    };
    let width = bytes == 0 || modulus.bytes().is_none_or(|remainder| remainder == bytes);
    if same && width { Ok(()) } else { Err(error("its counts do not agree with its header")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Ending};
    use crate::count::{CountPlan, CountQuestion, CountWatch};

    #[test]
    fn remainders_are_below_their_prime() {
        let question = CountQuestion::new("3x4".parse::<Board>().unwrap(), Ending::Closed);
        let plan = CountPlan::new(&question, 1 << 30, &CountWatch::new(1)).unwrap();
        let layer = &plan.sweeps[0].layers.layers[1];
        let prime = 65_537;
        for (largest, is_possible) in [(prime - 1, true), (prime, false), (prime + 1, false)] {
            let found = StoreFindings { largest: largest.into(), nonzero: 1 };
            for bytes in [0, 4] {
                let checked = check_findings(found, found, false, Modulus::Prime(prime), bytes, layer);
                assert_eq!(checked.is_ok(), is_possible, "{largest} in {bytes} bytes");
            }
        }
    }
}
