//! Perfect matchings by number: which path ends are mates, as one integer.
//!
//! A frontier with `2k` path ends holds `k` paths. What matters about them is only which end is the mate of which: a
//! perfect matching of `2k` points. There are `(2k-1)!! = 1*3*5*..*(2k-1)` of them, numbered without a gap. The mate of
//! the lowest point has some position among the other `2k-1` points. That position is the leading digit of the number,
//! worth `(2k-3)!!` each, and the rest of the matching is numbered in the same way.
//!
//! ```text
//! k = 2, points 0 1 2 3:   rank 0  (0 1)(2 3)    rank 1  (0 2)(1 3)    rank 2  (0 3)(1 2)
//! ```
//!
//! A processed square changes a matching in one of four ways ([`Change`]): from ranks before to ranks after. This file
//! changes one rank, through the matching itself; `table` builds whole tables of ranks by recursion.

/// Most pairs of ends of a frontier: 20 slots can hold 10.
pub const PAIRS_MAX: usize = 10;
/// Most points.
const POINTS_MAX: usize = 2 * PAIRS_MAX;

/// Number of matchings of `pairs` pairs, `(2 pairs - 1)!!`; 1 for none.
pub const fn matchings(pairs: usize) -> usize {
    let (mut product, mut factor) = (1, 1);
    while factor < 2 * pairs {
        product *= factor;
        factor += 2;
    }
    product
}

/// What a processed square does to the matching of the ends. Points are numbered in the order of their slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// The matching stays as it is.
    Same,
    /// Point `i` before becomes point `j` after. The other points keep their order, and all keep their mates.
    Move(u8, u8),
    /// A new path is added: its ends are the points `i < j` after.
    Insert(u8, u8),
    /// Points `i` and `j` before are joined and are no longer ends: their mates become mates of each other.
    Join(u8, u8),
}

/// A matching, as the mate of each point.
type Mates = [u8; POINTS_MAX];

fn mates(rank: usize, pairs: usize) -> Mates {
    let (mut rank, mut mates) = (rank, [0; POINTS_MAX]);
    let mut unmatched = (1u32 << (2 * pairs)) - 1;
    for left in (0..pairs).rev() {
        let lowest = unmatched.trailing_zeros();
        unmatched &= unmatched - 1;
        let position = rank / matchings(left);
        rank %= matchings(left);
        let mut others = unmatched;
        (0..position).for_each(|_| others &= others - 1);
        let mate = others.trailing_zeros();
        unmatched &= !(1 << mate);
        (mates[lowest as usize], mates[mate as usize]) = (mate as u8, lowest as u8);
    }
    mates
}

fn number(mates: &Mates, pairs: usize) -> usize {
    let mut unmatched = (1u32 << (2 * pairs)) - 1;
    let mut rank = 0;
    let mut left = pairs;
    while unmatched != 0 {
        let lowest = unmatched.trailing_zeros();
        let mate = u32::from(mates[lowest as usize]);
        unmatched &= unmatched - 1;
        let position = (unmatched & ((1 << mate) - 1)).count_ones() as usize;
        unmatched &= !(1 << mate);
        rank = rank * (2 * left - 1) + position;
        left -= 1;
    }
    rank
}

impl Change {
    /// Number of pairs after the change of `pairs` pairs.
    pub fn pairs_after(self, pairs: usize) -> usize {
        match self {
            Change::Same | Change::Move(..) => pairs,
            Change::Insert(..) => pairs + 1,
            Change::Join(..) => pairs - 1,
        }
    }

    /// The number of each point after the change. The entry of a point that is no longer an end is meaningless.
    fn labels(self, pairs: usize) -> Mates {
        let mut label = [0; POINTS_MAX];
        for (point, label) in label.iter_mut().enumerate().take(2 * pairs) {
            let point = point as u8;
            *label = match self {
                Change::Same => point,
                Change::Move(from, to) if point == from => to,
                Change::Move(from, to) => {
                    let closed_up = point - u8::from(point > from);
                    closed_up + u8::from(closed_up >= to)
                }
                Change::Insert(low, high) => {
                    let shifted = point + u8::from(point >= low);
                    shifted + u8::from(shifted >= high)
                }
                Change::Join(a, b) => point - u8::from(point > a) - u8::from(point > b),
            };
        }
        label
    }

    /// The rank after the change of a matching of `pairs` pairs. A join that would close a path into a separate cycle
    /// returns the number of matchings after it, which is no rank.
    ///
    /// With one pair before, a join closes the last path. That cycle is wanted, and its rank is 0. Whether the cycle is
    /// the whole tour depends on the pattern, not on the matching.
    pub fn rank_after(self, pairs: usize, rank: usize) -> usize {
        let before = mates(rank, pairs);
        let label = self.labels(pairs);
        let after = self.pairs_after(pairs);
        let mut mates = [0; POINTS_MAX];
        let mut pair = |a: u8, b: u8| (mates[a as usize], mates[b as usize]) = (b, a);
        let mut gone = [u8::MAX; 4];
        match self {
            Change::Insert(low, high) => pair(low, high),
            Change::Join(i, j) => {
                let (mate_i, mate_j) = (before[i as usize], before[j as usize]);
                if mate_i == j {
                    return if pairs == 1 { 0 } else { matchings(after) };
                }
                gone = [i, j, mate_i, mate_j];
                pair(label[mate_i as usize], label[mate_j as usize]);
            }
            Change::Same | Change::Move(..) => {}
        }
        for point in (0..2 * pairs as u8).filter(|point| !gone.contains(point)) {
            pair(label[point as usize], label[before[point as usize] as usize]);
        }
        number(&mates, after)
    }

    /// The ranks before the change, rising, of the matchings of `pairs` pairs that it takes to `rank`. The identity and
    /// a move have one, an insertion has one or none. A join that closes the last path has one. Another join has two
    /// for each pair that is left, because either end of the pair may have been the mate of either joined end.
    pub fn origins(self, pairs: usize, rank: usize, origins: &mut Vec<usize>) {
        origins.clear();
        let after = mates(rank, self.pairs_after(pairs));
        match self {
            Change::Same => return origins.push(rank),
            Change::Join(..) if pairs == 1 => return origins.push(0),
            Change::Insert(low, high) if after[low as usize] != high => return,
            _ => {}
        }
        let gone = if let Change::Join(i, j) = self { [i, j] } else { [u8::MAX; 2] };
        let label = self.labels(pairs);
        let stay = || (0..2 * pairs as u8).filter(|point| !gone.contains(point));
        let mut point_of = [0; POINTS_MAX];
        stay().for_each(|point| point_of[label[point as usize] as usize] = point);
        let mut before = [0; POINTS_MAX];
        stay().for_each(|point| before[point as usize] = point_of[after[label[point as usize] as usize] as usize]);
        if let Change::Join(i, j) = self {
            for a in stay() {
                let b = before[a as usize];
                let mut mates = before;
                (mates[i as usize], mates[a as usize]) = (a, i);
                (mates[j as usize], mates[b as usize]) = (b, j);
                origins.push(number(&mates, pairs));
            }
            origins.sort_unstable();
        } else {
            origins.push(number(&before, pairs));
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The rank of the image of a matching: the first `kept` points stay and the others stand in reverse. The tables of images are
    /// tested against it.
    pub fn image_rank(rank: usize, pairs: usize, kept: usize) -> usize {
        let image = |point: usize| if point < kept { point } else { 2 * pairs - 1 + kept - point };
        let (before, mut after) = (mates(rank, pairs), [0; POINTS_MAX]);
        for point in 0..2 * pairs {
            after[image(point)] = image(before[point].into()) as u8;
        }
        number(&after, pairs)
    }

    fn all(pairs: usize) -> Vec<Mates> {
        (0..matchings(pairs)).map(|rank| mates(rank, pairs)).collect()
    }

    #[test]
    fn ranks_have_no_gap_and_count_up() {
        for pairs in 0..=6 {
            let all = all(pairs);
            assert_eq!(all.len(), matchings(pairs));
            assert!(all.iter().enumerate().all(|(at, mates)| number(mates, pairs) == at));
        }
        assert_eq!((0..=8).map(matchings).collect::<Vec<_>>(), [1, 1, 3, 15, 105, 945, 10_395, 135_135, 2_027_025]);
    }

    /// A matching as a set of pairs of names. The tests change names where the code changes numbers.
    fn named(mates: &Mates, names: &[u32]) -> BTreeSet<(u32, u32)> {
        let pair = |at: usize| (names[at], names[mates[at] as usize]);
        (0..names.len()).map(pair).map(|(a, b)| (a.min(b), a.max(b))).collect()
    }

    /// Names for the ends in the order of their slots: even numbers, so that odd ones can be put between.
    fn names(pairs: usize) -> Vec<u32> {
        (1..=2 * pairs as u32).map(|n| 2 * n).collect()
    }

    #[test]
    fn every_change_does_what_its_name_says() {
        for pairs in 1..=4 {
            for (i, j) in (0..2 * pairs).flat_map(|i| (0..2 * pairs).map(move |j| (i, j))) {
                check_move(pairs, i, j);
                if i < j {
                    check_join(pairs, i, j);
                    check_insert(pairs, i, j);
                }
            }
        }
    }

    /// Compares the way back with the way forward, for every change.
    #[test]
    fn origins_are_exactly_the_ranks_that_a_change_takes_there() {
        let mut origins = Vec::new();
        for pairs in 0..=4 {
            let points = 2 * pairs as u8;
            let places = |points: u8| (0..points).flat_map(move |i| (0..points).map(move |j| (i, j)));
            let moves = places(points).filter(|(i, j)| i != j).map(|(i, j)| Change::Move(i, j));
            let joins = places(points).filter(|(i, j)| i < j).map(|(i, j)| Change::Join(i, j));
            let inserts = places(points + 2).filter(|(i, j)| i < j).map(|(i, j)| Change::Insert(i, j));
            for change in moves.chain(joins).chain(inserts).chain([Change::Same]) {
                let there = ranks(change, pairs);
                for after in 0..matchings(change.pairs_after(pairs)) {
                    change.origins(pairs, after, &mut origins);
                    let all: Vec<usize> = (0..there.len()).filter(|&before| there[before] == after).collect();
                    assert_eq!(origins, all, "{change:?} of {pairs} pairs to {after}");
                }
            }
        }
    }

    fn ranks(change: Change, pairs: usize) -> Vec<usize> {
        (0..matchings(pairs)).map(|rank| change.rank_after(pairs, rank)).collect()
    }

    fn check_move(pairs: usize, i: usize, j: usize) {
        let before = names(pairs);
        let mut after = before.clone();
        let end = after.remove(i);
        after.insert(j, end);
        let all = all(pairs);
        for (mates, rank) in all.iter().zip(ranks(Change::Move(i as u8, j as u8), pairs)) {
            assert_eq!(named(mates, &before), named(&all[rank], &after));
        }
    }

    fn check_insert(pairs: usize, i: usize, j: usize) {
        let mut after = names(pairs - 1);
        after.insert(i, 1);
        after.insert(j, 3);
        let (before, with) = (all(pairs - 1), all(pairs));
        for (mates, rank) in before.iter().zip(ranks(Change::Insert(i as u8, j as u8), pairs - 1)) {
            let mut expected = named(mates, &names(pairs - 1));
            expected.insert((1, 3));
            assert_eq!(expected, named(&with[rank], &after));
        }
    }

    fn check_join(pairs: usize, i: usize, j: usize) {
        let before = names(pairs);
        let after: Vec<u32> = before.iter().copied().filter(|&end| end != before[i] && end != before[j]).collect();
        let without = all(pairs - 1);
        for (mates, rank) in all(pairs).iter().zip(ranks(Change::Join(i as u8, j as u8), pairs)) {
            let mut expected = named(mates, &before);
            let gone: Vec<(u32, u32)> =
                expected.iter().copied().filter(|&(a, b)| [a, b].iter().any(|end| !after.contains(end))).collect();
            if let [only] = gone[..] {
                assert_eq!(only, (before[i], before[j]));
                assert_eq!(rank, if pairs == 1 { 0 } else { without.len() });
                continue;
            }
            let mates: Vec<u32> = gone.iter().flat_map(|&(a, b)| [a, b]).filter(|end| after.contains(end)).collect();
            expected.retain(|pair| !gone.contains(pair));
            expected.insert((mates[0].min(mates[1]), mates[0].max(mates[1])));
            assert_eq!(expected, named(&without[rank], &after));
        }
    }
}
