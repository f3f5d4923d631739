//! The inner loop: the counts after one square, gathered from those before.
//!
//! Every pattern after the step collects from the few patterns that lead to it. A pattern's counts are one **block**,
//! one for each matching of its ends, and a rule takes a whole block to another by one table of ranks:
//!
//! ```text
//! for every rule that leads to this pattern:  for r in 0..block.len():  sum[table[r]] += block[r]
//! ```
//!
//! All patterns of a context (see `rule`) are worked on together: what it reads is read once and stays in the core's
//! own cache, and what it writes nobody else writes, so that threads need neither locks nor atomic counts.
//! Blocks that hold only zeros are marked, and are neither written nor read: in the first rows most are.

use super::layers::Layer;
use super::matching::{Change, matchings};
use super::rule::{StepRule, StepRules, deposit};
use super::set::Groups;
use super::table::{RankTable, Tables};
use crate::memory::{reserve, zeros};
use std::borrow::Cow;

/// A layer is kept sparse while the one before has fewer counts that are not zero than one in this many of its states.
pub(super) const SPARSE_SHARE: u64 = 8;

/// A width to sum in. Sums are wide enough for what is summed, except modulo 2^64, where they wrap.
pub(super) trait SumWidth: bytemuck::Zeroable + Copy + Default + Ord + Into<u128> + Send {
    /// The sum with a further term.
    fn plus(self, term: Self) -> Self;
}

/// A width of stored counts, into which sums of width `A` are cut.
pub(super) trait CountWidth<A>: bytemuck::Pod + Send + Sync {
    /// The low bits of a sum.
    fn cut(sum: A) -> Self;
}

macro_rules! widths {
    ($($sum:ty => $($stored:ty)*;)*) => {$(
        impl SumWidth for $sum {
            fn plus(self, term: $sum) -> $sum {
                self.wrapping_add(term)
            }
        }
        $(impl CountWidth<$sum> for $stored {
            fn cut(sum: $sum) -> $stored {
                sum as $stored
            }
        })*
    )*};
}
widths! {
    u32 => u16 u32;
    u64 => u16 u32 u64;
    u128 => u64;
}

/// The counts of one group before a step.
#[derive(Clone, Copy)]
pub(super) enum GroupSource<'a, S> {
    /// Every count: the blocks in the order of their twos, and which of them are not all zero.
    Dense(&'a [S], &'a [bool]),
    /// Those that are not zero.
    Sparse(&'a SparseGroup),
}

impl<S> Default for GroupSource<'_, S> {
    fn default() -> Self {
        GroupSource::Dense(&[], &[])
    }
}

impl<S> GroupSource<'_, S> {
    fn is_zero(&self) -> bool {
        match self {
            GroupSource::Dense(_, marks) => !marks.contains(&true),
            GroupSource::Sparse(group) => group.counts.is_empty(),
        }
    }
}

/// The counts of a group that are not zero.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct SparseGroup {
    /// By block, in the order of their twos: how many of `counts` come before the block's end.
    pub(super) ends: Vec<u32>,
    /// Ranks, and their counts, block by block.
    pub(super) counts: Vec<(u32, u32)>,
}

impl SparseGroup {
    /// The counts of one block.
    pub(super) fn block(&self, at: usize) -> &[(u32, u32)] {
        let first = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.counts[first as usize..self.ends[at] as usize]
    }
}

/// Where the counts of one group go.
pub(super) struct GroupTarget<'a, D> {
    /// The blocks.
    pub(super) counts: &'a mut [D],
    /// One mark for each block.
    pub(super) marks: &'a mut [bool],
}

impl<D> Default for GroupTarget<'_, D> {
    fn default() -> Self {
        GroupTarget { counts: &mut [], marks: &mut [] }
    }
}

/// What was found out about counts while they were stored.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct StoreFindings {
    /// The largest, before it was cut to the width in which it is stored.
    pub(super) largest: u128,
    /// How many are not zero.
    pub(super) nonzero: u64,
}

impl StoreFindings {
    /// Of two parts together.
    pub(super) fn and(self, other: StoreFindings) -> StoreFindings {
        StoreFindings { largest: self.largest.max(other.largest), nonzero: self.nonzero + other.nonzero }
    }
}

/// One step's work.
pub(super) struct Gather<'a> {
    /// The groups of both layers.
    pub(super) groups: &'a Groups,
    /// The layer read.
    pub(super) before: &'a Layer,
    /// The layer written.
    pub(super) after: &'a Layer,
    /// The step's rules.
    pub(super) rules: &'a StepRules,
    /// Ranks before to ranks after.
    pub(super) tables: &'a Tables,
}

/// What one thread keeps between contexts.
pub(super) struct Scratch<A> {
    /// Sums of one block, zero between blocks, with room for a rank that is none.
    sums: Vec<A>,
    /// The ranks whose sums are not zero, while only those are kept.
    touched: Vec<u32>,
    twos_after: Vec<u32>,
    twos_before: Vec<Vec<u32>>,
}

/// Ranks of tables of 16 bits lie below.
const SHORT_RANKS: usize = 1 << 14;

impl<A: SumWidth> Scratch<A> {
    /// Room for blocks of `pairs` pairs and fewer.
    pub(super) fn new(pairs: usize) -> Scratch<A> {
        let sums = zeros(SHORT_RANKS.max(matchings(pairs) + 1));
        Scratch { sums, touched: Vec::new(), twos_after: Vec::new(), twos_before: Vec::new() }
    }
}

/// A rule at work in one context.
struct Feed<'a, S> {
    rule: &'a StepRule,
    source: GroupSource<'a, S>,
    /// Which twos the blocks of the source have.
    twos: &'a [u32],
    /// The next block that may be the one wanted: both sides rise.
    next: usize,
    /// Pairs of ends before.
    pairs: usize,
    /// States a block.
    size: usize,
    change: Change,
    /// Ranks before to ranks after; none where they are the same, or too few are wanted of a long table.
    ranks: Option<Cow<'a, RankTable>>,
}

impl Gather<'_> {
    /// Works on one context: `sources` and `targets` hold its groups by which of the slots concerned hold ends. Every
    /// sum goes through `finish` before it is stored.
    pub(super) fn context<S, A, D>(
        &self,
        context: u32,
        sources: &[GroupSource<'_, S>],
        targets: &mut [GroupTarget<'_, D>],
        scratch: &mut Scratch<A>,
        finish: impl Fn(A) -> A + Copy,
    ) -> StoreFindings
    where
        S: Copy,
        A: SumWidth + From<S> + From<u32>,
        D: CountWidth<A>,
    {
        let Scratch { sums, twos_after, twos_before, .. } = scratch;
        self.list_sources(context, sources, twos_before);
        let (mut found, mut feeds) = (StoreFindings::default(), Vec::new());
        for (place, target) in targets.iter_mut().enumerate().filter(|(_, target)| !target.marks.is_empty()) {
            self.feeds(context, place, sources, twos_before, twos_after, &mut feeds);
            let size = target.counts.len() / target.marks.len();
            let blocks = target.counts.chunks_exact_mut(size).zip(target.marks.iter_mut());
            for (&twos, (block, mark)) in twos_after.iter().zip(blocks) {
                let fed = feeds.iter_mut().fold(false, |fed, feed| feed.add(twos, sums) | fed);
                let part = if fed { store(block, &mut sums[..size], finish) } else { StoreFindings::default() };
                // A join that closes a cycle of its own was added up behind the block.
                sums[size] = A::default();
                *mark = part.nonzero > 0;
                found = found.and(part);
            }
        }
        found
    }

    /// The same, of sparse sources, and keeping what is not zero.
    pub(super) fn context_sparse<A: SumWidth + From<u32>>(
        &self,
        context: u32,
        sources: &[GroupSource<'_, u32>],
        targets: &mut [Option<&mut SparseGroup>],
        scratch: &mut Scratch<A>,
        finish: impl Fn(A) -> A + Copy,
    ) -> StoreFindings
    where
        u32: CountWidth<A>,
    {
        let Scratch { sums, touched, twos_after, twos_before } = scratch;
        self.list_sources(context, sources, twos_before);
        let (mut found, mut feeds) = (StoreFindings::default(), Vec::new());
        for (place, target) in targets.iter_mut().enumerate() {
            let Some(target) = target else { continue };
            self.feeds(context, place, sources, twos_before, twos_after, &mut feeds);
            let size = matchings((context | deposit(place as u32, self.rules.concerned)).count_ones() as usize / 2);
            for &twos in &*twos_after {
                feeds.iter_mut().for_each(|feed| feed.touch(twos, sums, touched));
                reserve(&mut target.counts, touched.len());
                for rank in touched.drain(..) {
                    let count = finish(std::mem::take(&mut sums[rank as usize]));
                    if (rank as usize) < size && count != A::default() {
                        found = found.and(StoreFindings { largest: count.into(), nonzero: 1 });
                        target.counts.push((rank, u32::cut(count)));
                    }
                }
                target.ends.push(target.counts.len() as u32);
            }
        }
        found
    }

    /// Lists the twos of every source that is not zero.
    fn list_sources<S>(&self, context: u32, sources: &[GroupSource<'_, S>], lists: &mut Vec<Vec<u32>>) {
        lists.resize_with(lists.len().max(sources.len()), Vec::new);
        for (place, (source, twos)) in sources.iter().zip(lists.iter_mut()).enumerate() {
            twos.clear();
            if !source.is_zero() {
                let ends = context | deposit(place as u32, self.rules.concerned);
                self.groups.for_each(&self.before.set, ends, |mask| twos.push(mask));
            }
        }
    }

    /// Makes `feeds` the rules that lead to the group at `place` of the context and have something to bring, and
    /// `twos_after` the list of the group's twos.
    fn feeds<'a, S: Copy>(
        &'a self,
        context: u32,
        place: usize,
        sources: &[GroupSource<'a, S>],
        twos: &'a [Vec<u32>],
        twos_after: &mut Vec<u32>,
        feeds: &mut Vec<Feed<'a, S>>,
    ) {
        let concerned = deposit(place as u32, self.rules.concerned);
        let after = context | concerned;
        twos_after.clear();
        self.groups.for_each(&self.after.set, after, |mask| twos_after.push(mask));
        let feed = |rule: &'a StepRule| {
            let (source, twos) = (sources[rule.place_before], &twos[rule.place_before][..]);
            if twos.is_empty() {
                return None;
            }
            let before = context | rule.before;
            let pairs = before.count_ones() as usize / 2;
            let change = rule.change(before, after);
            let few = matches!(source, GroupSource::Sparse(_)) && !Tables::keeps(change, pairs);
            let ranks = if few { None } else { self.tables.get(change, pairs) };
            Some(Feed { rule, source, twos, next: 0, pairs, size: matchings(pairs), change, ranks })
        };
        feeds.clear();
        if !twos_after.is_empty() {
            feeds.extend(self.rules.leading_to(place).iter().filter_map(feed));
        }
    }
}

impl<'a, S: Copy> Feed<'a, S> {
    /// Where the block is that comes to the pattern with these twos, if one does.
    fn find(&mut self, twos: u32) -> Option<usize> {
        let (before, after) = (self.rule.fixed_before, self.rule.fixed_after);
        if twos & after.slots != after.twos {
            return None;
        }
        let wanted = twos & !after.slots | before.twos;
        while self.twos.get(self.next).is_some_and(|&twos| twos < wanted) {
            self.next += 1;
        }
        (self.twos.get(self.next) == Some(&wanted)).then_some(self.next)
    }

    /// Adds what comes to the pattern with these twos; whether anything does.
    fn add<A: SumWidth + From<S> + From<u32>>(&mut self, twos: u32, sums: &mut [A]) -> bool {
        let Some(at) = self.find(twos) else { return false };
        match self.source {
            GroupSource::Dense(_, marks) if !marks[at] => false,
            GroupSource::Dense(counts, _) => {
                add(self.ranks.as_deref(), &counts[at * self.size..][..self.size], sums);
                true
            }
            GroupSource::Sparse(group) => {
                for &(rank, count) in group.block(at) {
                    let sum = &mut sums[self.rank(rank)];
                    *sum = sum.plus(count.into());
                }
                !group.block(at).is_empty()
            }
        }
    }

    /// Adds what comes of a sparse source, and notes which sums were zero before.
    fn touch<A: SumWidth + From<u32>>(&mut self, twos: u32, sums: &mut [A], touched: &mut Vec<u32>) {
        let (Some(at), GroupSource::Sparse(group)) = (self.find(twos), self.source) else { return };
        for &(rank, count) in group.block(at) {
            let rank = self.rank(rank);
            if sums[rank] == A::default() {
                touched.push(rank as u32);
            }
            sums[rank] = sums[rank].plus(count.into());
        }
    }

    fn rank(&self, before: u32) -> usize {
        match &self.ranks {
            Some(table) => table.rank(before as usize),
            None if self.change == Change::Same => before as usize,
            None => self.change.of(self.pairs, before as usize),
        }
    }
}

/// Adds a block to the sums, each count where its rank leads.
fn add<S: Copy, A: SumWidth + From<S>>(ranks: Option<&RankTable>, block: &[S], sums: &mut [A]) {
    let add = |sum: &mut A, count: S| *sum = sum.plus(count.into());
    match ranks {
        None => sums.iter_mut().zip(block).for_each(|(sum, &count)| add(sum, count)),
        Some(RankTable::Short(ranks)) => {
            // An array and a mask of its length: the compiler sees that no index is out of bounds.
            let Some(sums) = sums.first_chunk_mut::<SHORT_RANKS>() else { unreachable!("Scratch::new has room") };
            for (&rank, &count) in ranks.iter().zip(block) {
                add(&mut sums[usize::from(rank) & (SHORT_RANKS - 1)], count);
            }
        }
        Some(RankTable::Long(ranks)) => {
            ranks.iter().zip(block).for_each(|(&rank, &count)| add(&mut sums[rank as usize], count));
        }
    }
}

/// Moves the sums of a block to where they are stored, and leaves zeros.
fn store<A: SumWidth, D: CountWidth<A>>(block: &mut [D], sums: &mut [A], finish: impl Fn(A) -> A) -> StoreFindings {
    let (mut largest, mut nonzero) = (A::default(), 0u32);
    for (stored, sum) in block.iter_mut().zip(sums) {
        let count = finish(std::mem::take(sum));
        largest = largest.max(count);
        nonzero += u32::from(count != A::default());
        *stored = D::cut(count);
    }
    StoreFindings { largest: largest.into(), nonzero: nonzero.into() }
}
