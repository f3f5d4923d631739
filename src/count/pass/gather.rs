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
//!
//! A step to a halved layer (see `mirror`) goes over the contexts twice. The second time it gathers the blocks that are not stored,
//! and adds each to the block of its image, at the ranks of the images. Still no two contexts write to one block, because no two blocks
//! have one image.

use super::counts::{CountWidth, StoreFindings, SumTerms, SumWidth, findings, store, store_images};
use crate::count::states::context::{ContextGroup, ContextGroups};
use crate::count::states::layers::{Layer, pairs};
use crate::count::states::matching::{Change, matchings};
use crate::count::states::mirror::Halving;
use crate::count::states::rule::{StepRule, StepRules};
use crate::count::states::set::Groups;
use crate::count::states::table::{RankTable, Tables};
use crate::memory::{reserve, zeros};
use crate::system::at_best_level;
use std::borrow::Cow;

/// A layer is stored sparse while fewer than one in this many states of the layer before have a nonzero count.
pub const SPARSE_SHARE: u64 = 16;

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

/// The work of one step, or of one part of it.
#[derive(Clone, Copy)]
pub struct Gather<'a> {
    /// The groups of both layers.
    pub groups: &'a Groups,
    /// The layer that is read.
    pub before: &'a Layer,
    /// The layer that is written.
    pub after: &'a Layer,
    pub rules: &'a StepRules,
    /// The tables of ranks.
    pub tables: &'a Tables,
    /// How many terms a sum may have before it is reduced (see [`SumTerms`]).
    pub most_terms: u64,
    /// For the second part of a step to a halved layer: adds blocks to their images there.
    pub images: Option<Halving>,
}

/// Scratch memory of a thread, kept between contexts.
pub struct Scratch<A> {
    /// Sums of one block, all zero between blocks, with room for the number that marks a forbidden rank.
    sums: Vec<A>,
    /// The ranks with a nonzero sum, in a sparse step.
    nonzero_ranks: Vec<u32>,
    twos_after: Vec<u32>,
    lists: SourceLists,
}

/// The sources of a context, and their blocks.
#[derive(Default)]
struct SourceLists {
    /// By the number of a group within the context: which source it is, if it has patterns.
    source_of: Vec<Option<usize>>,
    /// By source: the twos of its blocks, or none if it is zero.
    twos: Vec<Vec<u32>>,
}

impl SourceLists {
    fn list<S>(&mut self, gather: &Gather<'_>, context: ContextGroups<'_>, sources: &[GroupSource<'_, S>]) {
        self.source_of.clear();
        self.source_of.resize(1 << gather.rules.concerned.count_ones(), None);
        self.twos.resize_with(self.twos.len().max(sources.len()), Vec::new);
        let (before, groups) = (&gather.before.set, context.sources.iter().zip(sources));
        for (at, ((group, source), twos)) in groups.zip(&mut self.twos).enumerate() {
            self.source_of[group.number] = Some(at);
            twos.clear();
            if !source.is_zero() {
                let mask = before.masks()[group.place];
                gather.groups.for_each(before.table_at(group.place), mask, |mask| twos.push(mask));
            }
        }
    }
}

/// 16-bit tables have ranks below this.
const SHORT_RANKS: usize = 1 << 14;

impl<A: SumWidth> Scratch<A> {
    /// Scratch memory for blocks of up to `pairs` pairs.
    pub fn dense(pairs: usize) -> Scratch<A> {
        Scratch::with_sums(SHORT_RANKS.max(matchings(pairs) + 1))
    }

    /// Scratch memory for sparse blocks of up to `pairs` pairs.
    pub fn sparse(pairs: usize) -> Scratch<A> {
        Scratch::with_sums(matchings(pairs) + 1)
    }

    fn with_sums(sums: usize) -> Scratch<A> {
        let sums = zeros(sums);
        Scratch { sums, nonzero_ranks: Vec::new(), twos_after: Vec::new(), lists: SourceLists::default() }
    }
}

/// A rule, applied to one context.
struct AppliedRule<'a, S> {
    rule: &'a StepRule,
    source: GroupSource<'a, S>,
    /// The twos of the blocks of the source.
    twos: &'a [u32],
    /// Index in `twos` where the search for the next block starts, if both sides rise.
    next: Option<usize>,
    /// Pairs of ends before the step.
    pairs: usize,
    /// States of a block.
    size: usize,
    change: Change,
    /// Whether the sums go through `finish` before the feed adds to them (see [`SumTerms`]).
    reduces: bool,
    /// Ranks before to ranks after; none for the identity, and none where a long table would be used for a few ranks
    /// only.
    ranks: Option<Cow<'a, RankTable>>,
}

impl Gather<'_> {
    /// No sum of the step is larger, if no count before it exceeds `largest`. The largest number stands for all beyond 128 bits.
    pub fn largest_sum(&self, largest: u128) -> u128 {
        // In a halved layer a count may stand for two.
        let halves = if self.after.stored.halving().is_some() { 2 } else { 1 };
        largest.saturating_mul((halves * self.rules.fan_in).into())
    }

    /// Gathers one context. `sources` and `targets` hold its groups in the order of their numbers. Every sum goes
    /// through `finish` before it is stored.
    pub fn gather_dense<S: CountWidth<A>, A: SumWidth, D: CountWidth<A>>(
        &self,
        context: ContextGroups<'_>,
        sources: &[GroupSource<'_, S>],
        targets: &mut [GroupTarget<'_, D>],
        scratch: &mut Scratch<A>,
        finish: impl Fn(A) -> A + Copy,
    ) -> StoreFindings {
        let Scratch { sums, twos_after, lists, .. } = scratch;
        lists.list(self, context, sources);
        let (mut found, mut feeds) = (StoreFindings::default(), Vec::new());
        for (&group, target) in context.targets.iter().zip(targets) {
            self.collect_feeds(context, group, sources, lists, twos_after, &mut feeds);
            let size = target.counts.len() / target.marks.len();
            let blocks = target.counts.chunks_exact_mut(size).zip(target.marks.iter_mut());
            for (&twos, (block, mark)) in twos_after.iter().zip(blocks) {
                let fed = feeds.iter_mut().fold(false, |fed, feed| {
                    if feed.reduces {
                        sums[..size].iter_mut().for_each(|sum| *sum = finish(*sum));
                    }
                    feed.add(twos, sums) | fed
                });
                // Joins that would close a cycle too early were added up behind the block.
                sums[size] = A::default();
                let part = match self.images {
                    None if fed => store(block, &mut sums[..size], finish),
                    Some(images) if fed => {
                        let ranks = self.image_ranks(images, group);
                        store_images(block, *mark, &mut sums[..size], ranks, finish)
                    }
                    Some(_) if *mark => findings(block),
                    _ => StoreFindings::default(),
                };
                *mark = part.nonzero > 0;
                found = found.and(part);
            }
        }
        found
    }

    /// Gathers one context from sparse sources, and stores nonzero counts only.
    pub fn gather_sparse<A: SumWidth>(
        &self,
        context: ContextGroups<'_>,
        sources: &[GroupSource<'_, u32>],
        targets: &mut [&mut SparseGroup],
        scratch: &mut Scratch<A>,
        finish: impl Fn(A) -> A + Copy,
    ) -> StoreFindings
    where
        u32: CountWidth<A>,
    {
        let Scratch { sums, nonzero_ranks, twos_after, lists } = scratch;
        lists.list(self, context, sources);
        let (mut found, mut feeds) = (StoreFindings::default(), Vec::new());
        for (&group, target) in context.targets.iter().zip(targets) {
            self.collect_feeds(context, group, sources, lists, twos_after, &mut feeds);
            let image_ranks = self.images.filter(|_| !feeds.is_empty()).map(|images| self.image_ranks(images, group));
            if self.images.is_some() && feeds.is_empty() {
                found = target
                    .counts
                    .iter()
                    .fold(found, |found, &(_, count)| found.and(StoreFindings { largest: count.into(), nonzero: 1 }));
                continue;
            }
            let size = matchings(pairs(self.after.set.masks()[group.place]));
            let earlier = std::mem::take(*target);
            for (block, &twos) in twos_after.iter().enumerate() {
                if image_ranks.is_some() {
                    add_sparse(earlier.block(block), |rank| rank as usize, sums, nonzero_ranks);
                }
                feeds.iter_mut().for_each(|feed| feed.add_sparse(twos, image_ranks, sums, nonzero_ranks));
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

    /// Sets `feeds` to the rules that lead to the group with number `group` and have a nonzero source, and `twos_after`
    /// to the twos of the group; if its blocks are added to their images, in the order of the images.
    fn collect_feeds<'a, S: Copy>(
        &'a self,
        context: ContextGroups<'_>,
        group: ContextGroup,
        sources: &[GroupSource<'a, S>],
        lists: &'a SourceLists,
        twos_after: &mut Vec<u32>,
        feeds: &mut Vec<AppliedRule<'a, S>>,
    ) {
        let (table, stored) = (self.after.set.table_at(group.place), self.after.set.masks()[group.place]);
        twos_after.clear();
        match self.images {
            None => self.groups.for_each(table, stored, |twos| twos_after.push(twos)),
            Some(Halving { mirror, .. }) => {
                self.groups.for_each(table, stored, |twos| twos_after.push(mirror.image(twos)));
            }
        }
        let after = self.images.map_or(stored, |images| images.mirror.image(stored));
        let mut terms = SumTerms::new(self.most_terms);
        let feed = |rule: &'a StepRule| {
            let source = lists.source_of[rule.group_before]?;
            let (source, twos) = (sources[source], &lists.twos[source][..]);
            let before = context.ends | rule.before;
            let is_wanted = self.images.is_none() || self.rules.stands_for_two(before);
            if twos.is_empty() || !is_wanted || !self.rules.allow(rule, before) {
                return None;
            }
            let pairs = pairs(before);
            let change = rule.change(before, after);
            let few = matches!(source, GroupSource::Sparse(_)) && !Tables::is_cached(change, pairs);
            let ranks = if few { None } else { self.tables.get(change, pairs) };
            let next = self.images.is_none().then_some(0);
            let reduces = terms.add(change, after.count_ones());
            Some(AppliedRule { rule, source, twos, next, pairs, size: matchings(pairs), change, reduces, ranks })
        };
        feeds.clear();
        if !twos_after.is_empty() {
            feeds.extend(self.rules.leading_to(group.number).iter().filter_map(feed));
        }
    }

    /// The ranks of the images of the matchings of a group.
    fn image_ranks(&self, Halving { mirror, .. }: Halving, group: ContextGroup) -> &RankTable {
        let ends = self.after.set.masks()[group.place];
        self.tables.images(pairs(ends), mirror.kept(ends))
    }
}

impl<'a, S: Copy> AppliedRule<'a, S> {
    /// The block that leads to the pattern with these twos, if there is one.
    fn find(&mut self, twos: u32) -> Option<usize> {
        let (before, after) = (self.rule.fixed_before, self.rule.fixed_after);
        if twos & after.slots != after.twos {
            return None;
        }
        let wanted = twos & !after.slots | before.twos;
        let Some(next) = &mut self.next else { return self.twos.binary_search(&wanted).ok() };
        while self.twos.get(*next).is_some_and(|&twos| twos < wanted) {
            *next += 1;
        }
        (self.twos.get(*next) == Some(&wanted)).then_some(*next)
    }

    /// Adds the block that leads to the pattern with these twos. Returns whether a marked or nonempty block was added.
    fn add<A: SumWidth>(&mut self, twos: u32, sums: &mut [A]) -> bool
    where
        S: CountWidth<A>,
    {
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

    /// Adds a sparse block, at the ranks of the images if they are given, and lists the ranks whose sums were zero before.
    fn add_sparse<A: SumWidth>(
        &mut self,
        twos: u32,
        images: Option<&RankTable>,
        sums: &mut [A],
        nonzero_ranks: &mut Vec<u32>,
    ) {
        let (Some(at), GroupSource::Sparse(group)) = (self.find(twos), self.source) else { return };
        let place = |rank| images.map_or(self.rank(rank), |images| images.rank(self.rank(rank)));
        add_sparse(group.block(at), place, sums, nonzero_ranks);
    }

    fn rank(&self, before: u32) -> usize {
        match &self.ranks {
            Some(table) => table.rank(before as usize),
            None if self.change == Change::Same => before as usize,
            None => self.change.rank_after(self.pairs, before as usize),
        }
    }
}

/// Adds each count of a sparse block to the sum at its place, and lists the places whose sums were zero before.
fn add_sparse<A: SumWidth>(block: &[(u32, u32)], place: impl Fn(u32) -> usize, sums: &mut [A], nonzero: &mut Vec<u32>) {
    for &(rank, count) in block {
        let place = place(rank);
        if sums[place] == A::default() {
            nonzero.push(place as u32);
        }
        sums[place] = sums[place].plus(count.into());
    }
}

at_best_level! {
    /// Adds each count of a block to the sum at its rank after.
    fn add, add_by_v3, add_by_any [S: CountWidth<A>, A: SumWidth] [S, A]
        (ranks: Option<&RankTable>, block: &[S], sums: &mut [A]) -> () {
        let add = |sum: &mut A, count: S| *sum = sum.plus(count.widened());
        match ranks {
            None => sums.iter_mut().zip(block).for_each(|(sum, &count)| add(sum, count)),
            Some(RankTable::Short(ranks)) => {
                // An array and a mask of its length: so the compiler drops the bounds check.
                let Some(sums) = sums.first_chunk_mut::<SHORT_RANKS>() else { unreachable!("Scratch::dense has room") };
                for (&rank, &count) in ranks.iter().zip(block) {
                    add(&mut sums[usize::from(rank) & (SHORT_RANKS - 1)], count);
                }
            }
            Some(RankTable::Long(ranks)) => {
                ranks.iter().zip(block).for_each(|(&rank, &count)| add(&mut sums[rank as usize], count));
            }
        }
    }
}
