//! Mirror images: which of two states that are each other's image a layer stores.
//!
//! Exchange left and right on a board, and a set of moves becomes another one, its **image**. Where the processed squares are
//! their own image, so are the sets of moves on them: a state has as many as its image. One of the two is enough, which halves
//! the states and the memory. The order of processing makes that possible: it takes a square and its image one after
//! the other (see `order`), so every second layer can be **halved**, and two that follow each other where a square is its own image.
//!
//! ```text
//! 0 7 2 5 4 3 6 1   processed in this order, on eight columns; halved after 1, after 3, after 5, after 7
//! ```
//!
//! # Which one
//!
//! Of two groups (sets of ends) that are each other's image a halved layer stores one ([`Halving::stores`]). A group that is
//! its own image it stores whole. Let `v` be the counts of a halved layer if everything were stored, `u` the counts of the groups
//! stored in place of two, and `s` those of the groups that are their own image. Then `v = u + image(u) + s`. Let `A` and `B`
//! process a square and its image. No square is processed twice, so their order does not matter, and the image of `B A u` is
//! `A B image(u) = B A image(u)`. So the next halved layer is
//!
//! ```text
//! B A v  =  B A u + image(B A u) + B A s
//! ```
//!
//! `A u` and `A s` are the layer between. They must not be added up, because only `u` counts twice: groups that come from `s`
//! carry a mark, **alone**, one more bit in the mask of their ends. The step `B` has two parts. The first gathers `B A u + B A s`
//! into the groups that are stored. The second gathers `B A u` for the groups that are not stored, and adds it to their images; for
//! a group that is its own image, it adds its own image to it. The middle square of a row is its own image; it is processed
//! alone, from a halved layer to a halved layer, by the same two parts.
//!
//! Open tours have the apex in a slot that the mirror leaves where it is. `A` and `B` may join their squares to it in either order only
//! if the same colours are allowed first and second, and the image of an allowed set of moves is allowed only if no square
//! is required: of other sweeps both images are stored (see `sweep`).
//!
//! # How many are stored between
//!
//! Between two halved layers few groups are lost again, because the choice of one of two images looks first at slots that the
//! two squares do not concern. `A` and `B` keep those as they are. So the layer between has both of two images only where
//! these slots look alike in the mirror.

/// How the mirror exchanges slots: the first ones hold the apex and the squares of the middle column, and the others stand in reverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mirror {
    pub slots: u32,
    /// Slots from 0 on that stay where they are.
    pub fixed: u32,
}

impl Mirror {
    /// The slot of the image of a square.
    pub fn slot(self, slot: u8) -> u8 {
        if u32::from(slot) < self.fixed { slot } else { (self.slots - 1 + self.fixed) as u8 - slot }
    }

    /// How many of these slots stay where they are.
    pub fn kept(self, mask: u32) -> usize {
        (mask & ((1 << self.fixed) - 1)).count_ones() as usize
    }

    /// The image of a mask of slots.
    pub fn image(self, mask: u32) -> u32 {
        let kept = (1 << self.fixed) - 1;
        mask & kept | (mask & !kept).reverse_bits() >> (32 - self.slots - self.fixed)
    }
}

/// Which of two images a halved layer stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Halving {
    pub mirror: Mirror,
    /// The slots that are compared first: those that the steps to the next halved layer leave alone.
    pub first: u32,
}

impl Halving {
    /// Whether the group with these ends is its own image.
    pub fn is_own_image(self, ends: u32) -> bool {
        self.mirror.image(ends) == ends
    }

    /// Whether the layer stores the group with these ends.
    pub fn stores(self, ends: u32) -> bool {
        let image = self.mirror.image(ends);
        (ends & self.first, ends) <= (image & self.first, image)
    }

    /// Whether states of the group with these ends are added to their images: it is not stored, or is its own image.
    pub fn adds_images(self, ends: u32) -> bool {
        !self.stores(ends) || self.is_own_image(ends)
    }
}

/// Which groups a layer stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    All,
    /// One of two that are each other's image.
    OneOfTwo(Halving),
    /// Those that come from a halved layer, with a mark if they come from a group that is its own image.
    Between,
}

impl Stored {
    /// The halving of a halved layer.
    pub fn halving(self) -> Option<Halving> {
        if let Stored::OneOfTwo(halving) = self { Some(halving) } else { None }
    }
}

/// The truth table of the images of patterns: its variables stand in reverse, but for the first `kept`, which stay. The table has
/// `vars` variables, 64 of its bits a word.
pub fn mirror_table(table: &mut [u64], vars: u32, kept: u32) {
    let swapped = vars.saturating_sub(kept);
    for low in 0..swapped / 2 {
        swap_variables(table, kept + low, vars - 1 - low);
    }
}

/// By bit p below 6: the bits of a word whose index has a 0 at p.
pub const LOW_HALVES: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// Exchanges two variables, `low < high`, of a truth table.
fn swap_variables(table: &mut [u64], low: u32, high: u32) {
    match (low, high) {
        (_, 0..6) => {
            // The bits with 1 at `low` and 0 at `high` go up by this, those with 0 and 1 come down.
            let (distance, lower) = ((1 << high) - (1 << low), !LOW_HALVES[low as usize] & LOW_HALVES[high as usize]);
            for word in table {
                let differ = (*word >> distance ^ *word) & lower;
                *word ^= differ ^ differ << distance;
            }
        }
        (0..6, _) => {
            let half = 1 << (high - 6);
            for part in table.chunks_exact_mut(2 * half) {
                let (zeros, ones) = part.split_at_mut(half);
                for (zero, one) in zeros.iter_mut().zip(ones) {
                    let differ = (*zero >> (1 << low) ^ *one) & LOW_HALVES[low as usize];
                    *one ^= differ;
                    *zero ^= differ << (1 << low);
                }
            }
        }
        _ => {
            let (low, high) = (1usize << (low - 6), 1usize << (high - 6));
            for word in (0..table.len()).filter(|word| word & low != 0 && word & high == 0) {
                table.swap(word, word ^ low ^ high);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_exchanges_all_slots_but_the_fixed_ones() {
        for mirror in [Mirror { slots: 8, fixed: 0 }, Mirror { slots: 9, fixed: 3 }, Mirror { slots: 2, fixed: 2 }] {
            let slots = 0..mirror.slots as u8;
            for mask in 0..1u32 << mirror.slots {
                let images = slots.clone().filter(|slot| mask >> slot & 1 == 1).map(|slot| 1 << mirror.slot(slot));
                assert_eq!(mirror.image(mask), images.sum::<u32>());
                assert_eq!(mirror.image(mirror.image(mask)), mask);
            }
        }
    }

    #[test]
    fn of_two_images_one_is_stored_and_the_first_slots_decide() {
        let mirror = Mirror { slots: 8, fixed: 0 };
        for first in [0, 0b1111_1111, 0b0110_0110] {
            let halving = Halving { mirror, first };
            for ends in 0..256 {
                let image = mirror.image(ends);
                assert_eq!(halving.stores(ends) && halving.stores(image), image == ends);
                assert!(halving.stores(ends) || halving.stores(image));
                // A change outside the first slots does not change the choice, unless the first slots look alike.
                let other = ends ^ (0b1001_0101 & !first);
                let is_alike = ends & first == image & first;
                assert!(is_alike || halving.stores(ends) == halving.stores(other));
            }
        }
    }

    /// Every bit goes where its reversed index tells.
    #[test]
    fn a_mirrored_table_has_the_reversed_variables() {
        for (vars, kept) in [(0, 0), (3, 1), (5, 0), (6, 0), (7, 0), (9, 2), (13, 0), (14, 3)] {
            let bits = 1usize << vars;
            let mut table = vec![0u64; bits.div_ceil(64)];
            let is_set = |bit: usize| (bit * bit + bit / 7) % 5 < 2;
            (0..bits).filter(|&bit| is_set(bit)).for_each(|bit| table[bit / 64] |= 1 << (bit % 64));
            mirror_table(&mut table, vars, kept);
            for bit in 0..bits {
                let low = bit & ((1 << kept) - 1);
                let image = (kept..vars).fold(low, |image, var| image | (bit >> var & 1) << (vars - 1 - var + kept));
                assert_eq!(table[bit / 64] >> (bit % 64) & 1 == 1, is_set(image), "{vars} {kept} {bit}");
            }
        }
    }
}
