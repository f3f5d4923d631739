//! One layer: the states after some number of squares, and where each has its count.
//!
//! The states of a pattern are a block, one for each matching of its ends; the blocks of a group stand one after the other, by rising
//! twos; the groups stand one after the other, by rising mask.

use super::matching::matchings;
use super::mirror::Stored;
use super::set::PatternSet;
use std::ops::Range;

/// Work for a pattern, in light states: it is done once for its whole block.
const STATES_A_PATTERN: u64 = 130;
/// Work for a state, in light states, by its pairs of ends: from 7, 8 and 9 pairs on.
const HEAVY: [(usize, u64); 3] = [(7, 2), (8, 5), (9, 10)];

/// The states after some number of squares.
pub struct Layer {
    /// The degree patterns of the states.
    pub set: PatternSet,
    /// Where each group that has patterns begins, and one entry more for the end of the last group.
    pub offsets: Box<[GroupOffset]>,
    /// Most pairs of ends of a pattern.
    pub pairs: usize,
    /// Which groups are stored.
    pub stored: Stored,
}

/// Pairs of ends of the groups with this mask. With a mark of groups that are alone the number of bits is odd.
pub fn pairs(mask: u32) -> usize {
    mask.count_ones() as usize / 2
}

/// Where a group begins in a layer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GroupOffset {
    /// States before the group.
    pub state: u64,
    /// Blocks before the group; a block is the states of one pattern.
    pub block: u64,
}

impl Layer {
    pub fn new(set: PatternSet, stored: Stored) -> Layer {
        let mut offset = GroupOffset::default();
        let mut offsets = vec![offset];
        for (place, &mask) in set.masks().iter().enumerate() {
            let blocks: u64 = set.table_at(place).iter().map(|word| u64::from(word.count_ones())).sum();
            offset.block += blocks;
            offset.state += blocks * matchings(pairs(mask)) as u64;
            offsets.push(offset);
        }
        let pairs = set.masks().iter().map(|&mask| pairs(mask)).max().unwrap_or(0);
        Layer { set, offsets: offsets.into(), pairs, stored }
    }

    /// The groups that have patterns, by rising mask, and where each begins and ends.
    pub fn groups(&self) -> impl Iterator<Item = (u32, Range<GroupOffset>)> {
        self.set.masks().iter().zip(self.offsets.windows(2)).map(|(&mask, at)| (mask, at[0]..at[1]))
    }

    pub fn states(&self) -> u64 {
        self.end().state
    }

    /// Number of patterns.
    pub fn blocks(&self) -> u64 {
        self.end().block
    }

    /// Number of states of the group at a place.
    pub fn states_of(&self, place: usize) -> u64 {
        self.offsets[place + 1].state - self.offsets[place].state
    }

    /// Work to fill the layer, in light states.
    pub fn work(&self) -> u64 {
        let states = self.groups().map(|(mask, at)| {
            let times = HEAVY.iter().rev().find(|&&(from, _)| pairs(mask) >= from).map_or(1, |&(_, times)| times);
            times * (at.end.state - at.start.state)
        });
        states.sum::<u64>() + STATES_A_PATTERN * self.blocks()
    }

    fn end(&self) -> GroupOffset {
        self.offsets[self.offsets.len() - 1]
    }
}
