//! The apex: one more vertex, which makes every open tour a closed one.
//!
//! The apex is joined to every square, is never processed, and has degree 2 in the end; its two neighbours are the ends of the
//! tour. It has slot 0 from the beginning, and stays where it is in the mirror.

use super::mirror::LOW_HALVES;
use crate::board::Square;

pub const APEX_SLOT: u8 = 0;

/// The squares that may be joined to the apex, first and second in the order of processing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Apex {
    /// The colours, (row + column) mod 2, that may be joined first.
    pub first: [bool; 2],
    /// The colours that may be joined second.
    pub second: [bool; 2],
    /// Whether the two squares must have different colours.
    pub unlike: bool,
    /// A square that must be joined, of any colour.
    pub required: Option<Square>,
}

/// How a square may be joined to the apex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ApexLink {
    /// Whether the square may be the first neighbour of the apex.
    pub first: bool,
    /// Whether the square may be the second neighbour of the apex.
    pub second: bool,
    /// Whether the square must be joined.
    pub required: bool,
}

impl Apex {
    /// How a square of this colour may be joined.
    pub fn link(&self, square: Square, colour: usize) -> ApexLink {
        let required = self.required == Some(square);
        let [first, second] = [self.first, self.second].map(|colours| required || colours[colour]);
        ApexLink { first, second, required }
    }
}

/// Which patterns after a step have two squares of different colours joined to the apex.
///
/// A move leads from a white square to a black one: without the moves to the apex, the degrees of the white squares have the same sum
/// as those of the black ones. The two squares joined to the apex are processed, because a square chooses its moves when it is,
/// and have one such move where other processed squares have two. Count two for them, too: then white exceeds black by 0 if
/// they differ in colour, and by 2 or -2 if not. Let `p` squares be processed and, on the frontier, `w` white and `b` black ones be ends and
/// `twos` have degree 2. Half of what white exceeds black by has the parity of `p + (w - b) / 2 + twos`, because a sign does
/// not change a parity. So the two squares differ in colour exactly if that is even.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnlikeEnds {
    /// The slots of white squares after the step.
    pub white: u32,
    /// Whether an odd number of squares is processed.
    pub odd: bool,
}

impl UnlikeEnds {
    /// Drops from the truth table of a group with these ends the patterns that join two squares of one colour.
    pub fn keep(self, table: &mut [u64], ends: u32) {
        if ends >> APEX_SLOT & 1 == 1 {
            return;
        }
        // (w - b) / 2 = w - ends / 2
        let half = (ends & self.white).count_ones() + ends.count_ones() / 2;
        let twos_are_odd = self.odd == half.is_multiple_of(2);
        for (word, bits) in (0usize..).zip(table) {
            // The apex is the lowest variable, and one of the twos where it counts.
            let same = twos_are_odd == word.count_ones().is_multiple_of(2);
            *bits &= LOW_HALVES[0] | if same { EVEN } else { !EVEN };
        }
    }
}

/// The bits of a word whose index has an even number of ones.
const EVEN: u64 = 0x9669_6996_6996_9669;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_with_ends_of_one_colour_are_dropped() {
        let slots = 12u32;
        for (ends, white, odd) in [(0, 0b1_1010_1010, false), (0b110, 0b100, true), (0b1_1110, 0b1010, false)] {
            let free: Vec<u32> = (0..slots).filter(|slot| ends >> slot & 1 == 0).collect();
            let mut table = vec![u64::MAX; 1usize << (free.len() - 6)];
            UnlikeEnds { white, odd }.keep(&mut table, ends);
            for index in 0..1u32 << free.len() {
                let (apex, twos) = (index & 1 == 1, (index >> 1).count_ones() as i32);
                let (white, all) = ((ends & white).count_ones() as i32, ends.count_ones() as i32);
                let balance = i32::from(odd) + (white - (all - white)) / 2 + twos;
                let is_kept = table[index as usize / 64] >> (index % 64) & 1 == 1;
                assert_eq!(is_kept, !apex || balance % 2 == 0, "{ends:b} {index:b}");
            }
        }
        let (mut table, ends) = ([u64::MAX], 0b11);
        UnlikeEnds { white: 0, odd: true }.keep(&mut table, ends);
        assert_eq!(table, [u64::MAX], "an apex that is an end has one neighbour only");
    }
}
