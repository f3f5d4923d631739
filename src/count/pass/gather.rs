//! The inner loop: gathers the counts after a square from the counts before it.
//!
//! Every pattern after the step collects from the few patterns that lead to it. The counts of a pattern are one
//! **block**, with a count for each matching of its ends. A rule takes a whole block to another block by one table of
//! ranks:
//!
//! ```text
//! for every rule that leads to this pattern:  for r in 0..block.len():  sum[table[r]] += block[r]
//! ```
//!
//! All patterns of a context (see `rule`) are worked on together. The context is read once and stays in the core's own
//! cache. No other context writes where it writes, so the threads need no locks and no atomic counts. Blocks of zeros
//! are marked, and are neither written nor read: in the first rows most blocks are zero.

use crate::count::states::layers::Layer;
use crate::count::states::matching::{Change, matchings};
use crate::count::states::rule::{StepRule, StepRules, deposit};
use crate::count::states::set::Groups;
use crate::count::states::table::{RankTable, Tables};
use crate::memory::{reserve, zeros};
use std::borrow::Cow;

/// A layer is stored sparse while fewer than one in this many states of the layer before have a nonzero count.
pub const SPARSE_SHARE: u64 = 8;

/// A width of sums. Sums never overflow, except modulo 2^64, where they wrap.
pub trait SumWidth: bytemuck::Zeroable + Copy + Default + Ord + Into<u128> + Send {
    /// The sum with a further term.
    fn plus(self, term: Self) -> Self;
}

/// A width of stored counts, to which sums of width `A` are cut.
pub trait CountWidth<A>: bytemuck::Pod + Send + Sync {
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
pub enum GroupSource<'a, S> {
    /// Every count: the blocks in the order of their twos, and the marks of the blocks that have a nonzero count.
    Dense(&'a [S], &'a [bool]),
    /// The nonzero counts.
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

/// The nonzero counts of a group.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SparseGroup {
    /// By block, in the order of their twos: how many of `counts` come before the end of the block.
    pub ends: Vec<u32>,
    /// Ranks and their counts, block by block.
    pub counts: Vec<(u32, u32)>,
}

impl SparseGroup {
    pub fn block(&self, at: usize) -> &[(u32, u32)] {
        let first = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.counts[first as usize..self.ends[at] as usize]
    }
}

/// Where the counts of a group are written.
pub struct GroupTarget<'a, D> {
    /// The blocks.
    pub counts: &'a mut [D],
    /// One mark for each block.
    pub marks: &'a mut [bool],
}

impl<D> Default for GroupTarget<'_, D> {
    fn default() -> Self {
        GroupTarget { counts: &mut [], marks: &mut [] }
    }
}

/// What is learned about counts while they are stored.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StoreFindings {
    /// The largest count, before it was cut to the width in which it is stored.
    pub largest: u128,
    /// Number of nonzero counts.
    pub nonzero: u64,
}

impl StoreFindings {
    /// The findings of two parts together.
    pub fn and(self, other: StoreFindings) -> StoreFindings {
        StoreFindings { largest: self.largest.max(other.largest), nonzero: self.nonzero + other.nonzero }
    }
}

/// The work of one step.
pub struct Gather<'a> {
    /// The groups of both layers.
    pub groups: &'a Groups,
    /// The layer that is read.
    pub before: &'a Layer,
    /// The layer that is written.
    pub after: &'a Layer,
    /// The rules of the step.
    pub rules: &'a StepRules,
    /// The tables of ranks.
    pub tables: &'a Tables,
}

/// Scratch memory of a thread, kept between contexts.
pub struct Scratch<A> {
    /// Sums of one block, all zero between blocks, with room for the number that marks a forbidden rank.
    sums: Vec<A>,
    /// The ranks with a nonzero sum, in a sparse step.
    nonzero_ranks: Vec<u32>,
    twos_after: Vec<u32>,
    twos_before: Vec<Vec<u32>>,
}

/// 16-bit tables have ranks below this.
const SHORT_RANKS: usize = 1 << 14;

impl<A: SumWidth> Scratch<A> {
    /// Scratch memory for blocks of up to `pairs` pairs.
    pub fn new(pairs: usize) -> Scratch<A> {
        let sums = zeros(SHORT_RANKS.max(matchings(pairs) + 1));
        Scratch { sums, nonzero_ranks: Vec::new(), twos_after: Vec::new(), twos_before: Vec::new() }
    }
}

/// A rule, applied to one context.
struct Feed<'a, S> {
    rule: &'a StepRule,
    source: GroupSource<'a, S>,
    /// The twos of the blocks of the source.
    twos: &'a [u32],
    /// Index in `twos` where the search for the next block starts: both sides rise.
    next: usize,
    /// Pairs of ends before the step.
    pairs: usize,
    /// States of a block.
    size: usize,
    change: Change,
    /// Ranks before to ranks after; none for the identity, and none where a long table would be used for a few ranks
    /// only.
    ranks: Option<Cow<'a, RankTable>>,
}

impl Gather<'_> {
    /// Gathers one context. `sources` and `targets` hold its groups in the order of their numbers. Every sum goes
    /// through `finish` before it is stored.
    pub fn gather_dense<S, A, D>(
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
        for (group, target) in targets.iter_mut().enumerate().filter(|(_, target)| !target.marks.is_empty()) {
            self.collect_feeds(context, group, sources, twos_before, twos_after, &mut feeds);
            let size = target.counts.len() / target.marks.len();
            let blocks = target.counts.chunks_exact_mut(size).zip(target.marks.iter_mut());
            for (&twos, (block, mark)) in twos_after.iter().zip(blocks) {
                let fed = feeds.iter_mut().fold(false, |fed, feed| feed.add(twos, sums) | fed);
                let part = if fed { store(block, &mut sums[..size], finish) } else { StoreFindings::default() };
                // Joins that would close a cycle too early were added up behind the block.
                sums[size] = A::default();
                *mark = part.nonzero > 0;
                found = found.and(part);
            }
        }
        found
    }

    /// Gathers one context from sparse sources, and stores nonzero counts only.
    pub fn gather_sparse<A: SumWidth + From<u32>>(
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
        let Scratch { sums, nonzero_ranks, twos_after, twos_before } = scratch;
        self.list_sources(context, sources, twos_before);
        let (mut found, mut feeds) = (StoreFindings::default(), Vec::new());
        for (group, target) in targets.iter_mut().enumerate() {
            let Some(target) = target else { continue };
            self.collect_feeds(context, group, sources, twos_before, twos_after, &mut feeds);
            let size = matchings((context | deposit(group as u32, self.rules.concerned)).count_ones() as usize / 2);
            for &twos in &*twos_after {
                feeds.iter_mut().for_each(|feed| feed.add_sparse(twos, sums, nonzero_ranks));
                reserve(&mut target.counts, nonzero_ranks.len());
                for rank in nonzero_ranks.drain(..) {
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

    /// Lists the twos of every nonzero source.
    fn list_sources<S>(&self, context: u32, sources: &[GroupSource<'_, S>], lists: &mut Vec<Vec<u32>>) {
        lists.resize_with(lists.len().max(sources.len()), Vec::new);
        for (group, (source, twos)) in sources.iter().zip(lists.iter_mut()).enumerate() {
            twos.clear();
            if !source.is_zero() {
                let ends = context | deposit(group as u32, self.rules.concerned);
                self.groups.for_each(&self.before.set, ends, |mask| twos.push(mask));
            }
        }
    }

    /// Sets `feeds` to the rules that lead to the group with number `group` and have a nonzero source, and `twos_after`
    /// to the twos of the group.
    fn collect_feeds<'a, S: Copy>(
        &'a self,
        context: u32,
        group: usize,
        sources: &[GroupSource<'a, S>],
        twos: &'a [Vec<u32>],
        twos_after: &mut Vec<u32>,
        feeds: &mut Vec<Feed<'a, S>>,
    ) {
        let concerned = deposit(group as u32, self.rules.concerned);
        let after = context | concerned;
        twos_after.clear();
        self.groups.for_each(&self.after.set, after, |mask| twos_after.push(mask));
        let feed = |rule: &'a StepRule| {
            let (source, twos) = (sources[rule.group_before], &twos[rule.group_before][..]);
            if twos.is_empty() {
                return None;
            }
            let before = context | rule.before;
            let pairs = before.count_ones() as usize / 2;
            let change = rule.change(before, after);
            let few = matches!(source, GroupSource::Sparse(_)) && !Tables::is_cached(change, pairs);
            let ranks = if few { None } else { self.tables.get(change, pairs) };
            Some(Feed { rule, source, twos, next: 0, pairs, size: matchings(pairs), change, ranks })
        };
        feeds.clear();
        if !twos_after.is_empty() {
            feeds.extend(self.rules.leading_to(group).iter().filter_map(feed));
        }
    }
}

impl<'a, S: Copy> Feed<'a, S> {
    /// The block that leads to the pattern with these twos, if there is one.
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

    /// Adds the block that leads to the pattern with these twos. Returns whether a marked or nonempty block was added.
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

    /// Adds a sparse block, and lists the ranks whose sums were zero before.
    fn add_sparse<A: SumWidth + From<u32>>(&mut self, twos: u32, sums: &mut [A], nonzero_ranks: &mut Vec<u32>) {
        let (Some(at), GroupSource::Sparse(group)) = (self.find(twos), self.source) else { return };
        for &(rank, count) in group.block(at) {
            let rank = self.rank(rank);
            if sums[rank] == A::default() {
                nonzero_ranks.push(rank as u32);
            }
            sums[rank] = sums[rank].plus(count.into());
        }
    }

    fn rank(&self, before: u32) -> usize {
        match &self.ranks {
            Some(table) => table.rank(before as usize),
            None if self.change == Change::Same => before as usize,
            None => self.change.rank_after(self.pairs, before as usize),
        }
    }
}

/// Adds each count of a block to the sum at its rank after.
fn add<S: Copy, A: SumWidth + From<S>>(ranks: Option<&RankTable>, block: &[S], sums: &mut [A]) {
    let add = |sum: &mut A, count: S| *sum = sum.plus(count.into());
    match ranks {
        None => sums.iter_mut().zip(block).for_each(|(sum, &count)| add(sum, count)),
        Some(RankTable::Short(ranks)) => {
            // An array and a mask of its length: so the compiler drops the bounds check.
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

/// Stores the sums of a block, and sets them to zero.
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
