//! Tables of ranks: what a change does to every matching at once.
//!
//! A table is built from tables of one pair fewer. Consider the pair of point 0 and its mate `x`, and the rest of the
//! matching without that pair. The matchings with one `x` have consecutive ranks, in the order of their rests. If the
//! change leaves the pair in place, it changes the rest, and the digit of the pair is put before the result. If the
//! change breaks the pair, the rest changes in another of the four ways:
//!
//! | change | condition | change of the rest | then |
//! | --- | --- | --- | --- |
//! | `Insert(0, j)` | | none | the digit of `j` is put before |
//! | `Insert(i, j)` | | `Insert` | the digit of `x` |
//! | `Join(0, j)` | `x = j` | forbidden: a cycle of its own | |
//! | `Join(0, j)` | | `Move`: the mate of `j` gets `x` instead | |
//! | `Join(i, j)` | `x` is `i` or `j` | `Move`: the mate of the other one gets 0 | |
//! | `Join(i, j)` | | `Join` | the digit of `x` |
//! | `Move(0, j)` | | `Insert` of 0 and `x` where they are after the change | |
//! | `Move(i, 0)` | `x = i` | none | the pair is still the lowest |
//! | `Move(i, 0)` | | `Move` | `Insert` of 0 and `x` where they are after the change |
//! | `Move(i, j)` | `x = i` | none | the digit of `j` |
//! | `Move(i, j)` | | `Move` | the digit of `x` |
//!
//! A table is built at its first use. Short tables are cached: there are some hundreds of them. Tables of eight pairs
//! and more are as long as the counts that use them, and are used once or twice.

use super::matching::{Change, PAIRS_MAX, matchings};
use super::mirror::Mirror;
use crate::memory::room;
use std::borrow::Cow;
use std::sync::OnceLock;

/// Most pairs whose ranks, and the mark of a forbidden change, fit 16 bits: 10,395 matchings of six pairs.
const SHORT_PAIRS: usize = 6;
/// Most pairs whose tables are cached.
const CACHED_PAIRS: usize = 7;
/// Most pairs whose tables are filled rank by rank.
const DIRECT_PAIRS: usize = 2;

/// The rank after a change, by the rank before it. Where the change is forbidden, the entry is the number of matchings
/// after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RankTable {
    /// Ranks of 16 bits.
    Short(Box<[u16]>),
    /// Ranks of 32 bits.
    Long(Box<[u32]>),
}

impl RankTable {
    /// The table of these ranks, whose changes have up to `pairs` pairs before or after.
    fn new(ranks: Vec<u32>, pairs: usize) -> RankTable {
        if pairs <= SHORT_PAIRS {
            RankTable::Short(ranks.into_iter().map(|rank| rank as u16).collect())
        } else {
            RankTable::Long(ranks.into())
        }
    }

    pub fn rank(&self, before: usize) -> usize {
        match self {
            RankTable::Short(ranks) => ranks[before].into(),
            RankTable::Long(ranks) => ranks[before] as usize,
        }
    }

    fn for_each(&self, visit: impl FnMut(u32)) {
        match self {
            RankTable::Short(ranks) => ranks.iter().map(|&rank| rank.into()).for_each(visit),
            RankTable::Long(ranks) => ranks.iter().copied().for_each(visit),
        }
    }
}

/// Most ends that keep their places in a mirror: those of the middle column, and the apex.
const KEPT_MAX: usize = 4;

/// The tables that have been built.
pub struct Tables {
    cache: Box<[OnceLock<RankTable>]>,
    /// Tables of images, by pairs and by the ends that keep their places.
    images: [[OnceLock<RankTable>; KEPT_MAX + 1]; PAIRS_MAX + 1],
}

impl Tables {
    pub fn new() -> Tables {
        let entries = 3 * (CACHED_PAIRS + 1) * (2 * CACHED_PAIRS + 1).pow(2);
        Tables { cache: (0..entries).map(|_| OnceLock::new()).collect(), images: Default::default() }
    }

    /// The ranks of the images of the matchings of `pairs` pairs, if the first `kept` ends keep their places and the others stand
    /// in reverse. Behind them the mark of a forbidden change, which is its own image.
    pub fn images(&self, pairs: usize, kept: usize) -> &RankTable {
        self.images[pairs][kept].get_or_init(|| RankTable::new(self.image_ranks(pairs, kept), pairs))
    }

    /// The image of the pair of 0 and `x` is inserted into the image of the rest.
    fn image_ranks(&self, pairs: usize, kept: usize) -> Vec<u32> {
        let mut ranks = room(matchings(pairs) + 1);
        let image = |point: usize| if point < kept { point } else { 2 * pairs - 1 + kept - point };
        for x in 1..2 * pairs {
            let (one, other) = (image(0), image(x));
            let rest = self.images(pairs - 1, kept.saturating_sub(1 + usize::from(x < kept)));
            let insert = self.get(Change::Insert(one.min(other) as u8, one.max(other) as u8), pairs - 1);
            let placed = |rank: usize| insert.as_ref().map_or(rank, |insert| insert.rank(rank)) as u32;
            ranks.extend((0..matchings(pairs - 1)).map(|rank| placed(rest.rank(rank))));
        }
        if pairs == 0 {
            ranks.push(0);
        }
        // The mark of a forbidden change.
        ranks.push(matchings(pairs) as u32);
        ranks
    }

    /// Bytes of all tables of images of up to `pairs` pairs, with the ends in the slots of a mirror.
    pub fn image_bytes(mirror: Mirror, pairs: usize) -> u64 {
        let (fixed, others) = (mirror.fixed as usize, (mirror.slots - mirror.fixed) as usize);
        let bytes = |pairs: usize| matchings(pairs) as u64 * if pairs <= SHORT_PAIRS { 2 } else { 4 };
        let tables = |pairs: usize| (0..=fixed.min(2 * pairs)).filter(|kept| 2 * pairs - kept <= others).count() as u64;
        (0..=pairs).map(|pairs| tables(pairs) * bytes(pairs)).sum()
    }

    /// Bytes of all cached tables of up to `pairs` pairs, if every one is built.
    pub fn bytes(pairs: usize) -> u64 {
        let cached = (1..=pairs.min(CACHED_PAIRS)).map(|pairs| {
            let (points, bytes) = (2 * pairs, if pairs <= SHORT_PAIRS { 2 } else { 4 });
            points * (points - 1) * (matchings(pairs) * 3 / 2 + matchings(pairs - 1) / 2) * bytes
        });
        cached.sum::<usize>() as u64
    }

    /// Bytes of uncached tables while a thread works on a group: one for each rule that leads to it from groups of
    /// `pairs` pairs, and the tables from which they are built.
    pub fn long_bytes(pairs: usize) -> u64 {
        if pairs > CACHED_PAIRS { 6 * 4 * matchings(pairs) as u64 } else { 0 }
    }

    /// Whether the table of a change is cached; otherwise every [`Tables::get`] builds it.
    pub fn is_cached(change: Change, pairs: usize) -> bool {
        pairs.max(change.pairs_after(pairs)) <= CACHED_PAIRS
    }

    /// The table of a change of `pairs` pairs; `None` for [`Change::Same`], which needs no table.
    pub fn get(&self, change: Change, pairs: usize) -> Option<Cow<'_, RankTable>> {
        let (kind, i, j) = match change {
            Change::Same => return None,
            Change::Move(i, j) => (0, i, j),
            Change::Insert(i, j) => (1, i, j),
            Change::Join(i, j) => (2, i, j),
        };
        let build = || RankTable::new(self.build(change, pairs), pairs.max(change.pairs_after(pairs)));
        if !Self::is_cached(change, pairs) {
            return Some(Cow::Owned(build()));
        }
        let side = 2 * CACHED_PAIRS + 1;
        let entry = ((kind * (CACHED_PAIRS + 1) + pairs) * side + i as usize) * side + j as usize;
        Some(Cow::Borrowed(self.cache[entry].get_or_init(build)))
    }

    fn build(&self, change: Change, pairs: usize) -> Vec<u32> {
        if pairs <= DIRECT_PAIRS {
            return (0..matchings(pairs)).map(|rank| change.rank_after(pairs, rank) as u32).collect();
        }
        let mut ranks = room(matchings(pairs));
        for x in 1..2 * pairs as u8 {
            match change {
                Change::Same => self.append(Change::Same, pairs - 1, 0, &mut ranks),
                Change::Insert(i, j) => self.insert(i, j, x, pairs, &mut ranks),
                Change::Join(i, j) => self.join(i, j, x, pairs, &mut ranks),
                Change::Move(i, j) => self.shift(i, j, x, pairs, &mut ranks),
            }
        }
        ranks
    }

    /// Appends the ranks of the changed rests, behind a first pair whose digit adds `base`.
    fn append(&self, change: Change, pairs: usize, base: usize, ranks: &mut Vec<u32>) {
        let base = base as u32;
        match self.get(change, pairs) {
            None => ranks.extend((0..matchings(pairs) as u32).map(|rank| base + rank)),
            Some(table) => table.for_each(|rank| ranks.push(base + rank)),
        }
    }

    fn insert(&self, i: u8, j: u8, x: u8, pairs: usize, ranks: &mut Vec<u32>) {
        let worth = matchings(pairs);
        if i == 0 {
            let digits = usize::from(x - 1) * matchings(pairs - 1);
            return self.append(Change::Same, pairs - 1, usize::from(j - 1) * worth + digits, ranks);
        }
        let above_i = x + u8::from(x >= i);
        let x = above_i + u8::from(above_i >= j);
        self.append(Change::Insert(without(i, x), without(j, x)), pairs - 1, usize::from(x - 1) * worth, ranks);
    }

    fn join(&self, i: u8, j: u8, x: u8, pairs: usize, ranks: &mut Vec<u32>) {
        let forbidden = matchings(pairs - 1) as u32;
        if i == 0 && x == j {
            return ranks.extend((0..matchings(pairs - 1)).map(|_| forbidden));
        }
        if i == 0 {
            return self.append(move_change(without(j, x), without(x, j)), pairs - 1, 0, ranks);
        }
        if x == i || x == j {
            let other = if x == i { j } else { i };
            return self.append(move_change(without(other, x), 0), pairs - 1, 0, ranks);
        }
        let (forbidden_rest, first) = (matchings(pairs - 2) as u32, ranks.len());
        let digit = x - u8::from(x > i) - u8::from(x > j) - 1;
        self.append(Change::Join(without(i, x), without(j, x)), pairs - 1, 0, ranks);
        let base = u32::from(digit) * forbidden_rest;
        for rank in &mut ranks[first..] {
            *rank = if *rank == forbidden_rest { forbidden } else { base + *rank };
        }
    }

    fn shift(&self, i: u8, j: u8, x: u8, pairs: usize, ranks: &mut Vec<u32>) {
        let after = |point: u8| {
            let closed_up = point - u8::from(point > i);
            closed_up + u8::from(closed_up >= j)
        };
        let worth = matchings(pairs - 1);
        if i == 0 {
            let x = after(x);
            return self.append(Change::Insert(j.min(x), j.max(x)), pairs - 1, 0, ranks);
        }
        if x == i {
            // Point 0 is still the lower of the pair, unless the moved point has passed below it; either way the pair
            // comes first.
            let digit = if j == 0 { 0 } else { j - 1 };
            return self.append(Change::Same, pairs - 1, usize::from(digit) * worth, ranks);
        }
        let rest = |x: u8| without(i, x);
        if j > 0 {
            let to = without(j, after(x));
            return self.append(move_change(rest(x), to), pairs - 1, usize::from(after(x) - 1) * worth, ranks);
        }
        let first = ranks.len();
        self.append(move_change(rest(x), 0), pairs - 1, 0, ranks);
        if let Some(insert) = self.get(Change::Insert(1, after(x)), pairs - 1) {
            ranks[first..].iter_mut().for_each(|rank| *rank = insert.rank(*rank as usize) as u32);
        }
    }
}

/// The number of a point after the pair of 0 and `x` is removed.
fn without(point: u8, x: u8) -> u8 {
    point - 1 - u8::from(point > x)
}

fn move_change(i: u8, j: u8) -> Change {
    if i == j { Change::Same } else { Change::Move(i, j) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::states::matching::tests::image_rank;

    /// Compares the tables of images with the matchings themselves, and finds that an image of an image is the thing itself.
    #[test]
    fn a_table_of_images_is_its_images_rank_by_rank() {
        let tables = Tables::new();
        for (pairs, kept) in (0..=6).flat_map(|pairs| (0..=KEPT_MAX.min(2 * pairs)).map(move |kept| (pairs, kept))) {
            let images = tables.images(pairs, kept);
            for rank in 0..matchings(pairs) {
                assert_eq!(images.rank(rank), image_rank(rank, pairs, kept), "{pairs} pairs, {kept} kept, rank {rank}");
                assert_eq!(images.rank(images.rank(rank)), rank);
            }
            assert_eq!(images.rank(matchings(pairs)), matchings(pairs));
        }
    }

    /// Compares every table of up to five pairs, and some longer ones, with the matchings themselves.
    #[test]
    fn a_table_is_its_change_rank_by_rank() {
        let tables = Tables::new();
        let mut looked_at = 0;
        let mut check = |change: Change, pairs: usize| {
            let table = tables.get(change, pairs).unwrap();
            let step = if pairs < 6 { 1 } else { 97 };
            for rank in (0..matchings(pairs)).step_by(step) {
                assert_eq!(
                    table.rank(rank),
                    change.rank_after(pairs, rank),
                    "{change:?} of {pairs} pairs, rank {rank}"
                );
                looked_at += 1;
            }
        };
        for pairs in 1..=7 {
            let points = 2 * pairs as u8;
            let places = |points: u8| (0..points).flat_map(move |i| (0..points).map(move |j| (i, j)));
            let some = |&(i, j): &(u8, u8)| pairs < 6 || (i * 5 + j) % 7 == 0;
            places(points).filter(|(i, j)| i != j).filter(some).for_each(|(i, j)| check(Change::Move(i, j), pairs));
            places(points).filter(|(i, j)| i < j).filter(some).for_each(|(i, j)| check(Change::Join(i, j), pairs));
            places(points + 2)
                .filter(|(i, j)| i < j)
                .filter(some)
                .for_each(|(i, j)| check(Change::Insert(i, j), pairs));
        }
        assert!(looked_at > 100_000);
    }
}
