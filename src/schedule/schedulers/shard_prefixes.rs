//! The prefixes of a shard. Each machine works out for itself which part of the tree is its shard.
//!
//! The tree is opened, with the search's own pruning, down to nodes with a small share of it, where every branching shares
//! equally. These prefixes are cut, in the order of the search, into blocks of as many prefixes as there are parts. Each
//! block is dealt out, one prefix to each part, in an order drawn for that block. Neighbours in the tree are alike, so
//! parts are more alike than if they had been drawn from the whole tree. And since the deal is drawn at random, some parts
//! tell the total of all parts, and how sure that total is.
//!
//! Subtrees differ widely: the standard deviation of their sizes is four times their mean. A part must hold a thousand
//! subtrees to be within an eighth of the mean, and no part can open that many prefixes for all of many parts. So the deal
//! is made twice. Up to 128 parts of neighbouring numbers are a group. They put together the coarse prefixes that they were
//! dealt, open them further, and deal the result out among themselves. Each part opens the whole tree coarsely, and its
//! group's share of it finely.
//!
//! The nodes above the prefixes are entered by every part, but counted once: those above the coarse prefixes by the first
//! part, those below the coarse prefixes by the first part of the group. So the figures of all parts add up to those of the
//! tree.
//!
//! Parts that were dealt in different ways do not fit together: a change of the deal takes a new version of the checkpoints of
//! searches (`bounded/kind.rs`).

use crate::mix;
use crate::schedule::crew::delivery::TourWriter;
use crate::schedule::crew::lifecycle::CrewContext;
use crate::schedule::crew::plan::Shard;
use crate::schedule::figures::snapshot::Levels;
use crate::search::{Burst, BurstEnd, BurstOutput, HandOver, Kernel, Tally, Task, TourSink};

/// Coarse prefixes per part, at least, where the tree has as many.
const COARSE: u64 = 16;
/// Prefixes per part, at least, where the tree has as many.
const FINE: u64 = 1024;
/// Largest share of a prefix at the first try, as a multiple of the mean share of the wanted number of prefixes.
const LARGEST: f64 = 4.0;
/// Divisor of the largest share when there were too few prefixes.
const FINER: f64 = 4.0;
/// Seed of the random order of the deal.
const SEED: u64 = 2002;

/// The prefixes of a shard, which no worker has entered. Worker 0 counts the nodes above them that the shard counts.
pub fn open_shard(context: &CrewContext, kernel: &dyn Kernel, shard: Shard) -> Vec<Task> {
    let (mut kernel, mut mine, mut tally) = (kernel.another(), Vec::new(), Tally::default());
    context.guard(0, || {
        let mut tours = context.tour_writer(0);
        let levels = context.meters().levels() != Levels::Off;
        let mut opening = Opening { kernel: &mut *kernel, tally: &mut tally, levels, tours: tours.as_mut() };
        let group = shard.group();
        let mut deal = ShardDeal::new(shard.of(), SEED);
        let root = [Task::root()];
        let limit = opening.fineness(&root, COARSE * u64::from(shard.of()));
        let coarse =
            opening.open(&root, limit, shard.index() == 1, |task| group.contains(&deal.next()).then_some(task));
        let members = group.end() - group.start() + 1;
        let mut deal = ShardDeal::new(members, SEED ^ u64::from(*group.start()));
        let own = shard.index() - group.start() + 1;
        let limit = opening.fineness(&coarse, FINE * u64::from(members));
        mine = opening.open(&coarse, limit, own == 1, |task| (deal.next() == own).then_some(task));
        if let Some(tours) = &mut tours {
            tours.flush();
        }
    });
    context.carry(vec![tally]);
    mine
}

/// A search that opens a tree, and where its nodes and tours go.
struct Opening<'o, 'c> {
    kernel: &'o mut dyn Kernel,
    tally: &'o mut Tally,
    levels: bool,
    tours: Option<&'o mut TourWriter<'c>>,
}

impl Opening<'_, '_> {
    /// The share below which a node is a prefix, so that there are at least `wanted` prefixes below these tasks.
    fn fineness(&mut self, tasks: &[Task], wanted: u64) -> f64 {
        let share: f64 = tasks.iter().map(|task| task.share).sum();
        let mut limit = LARGEST * share / wanted as f64;
        let mut before = 0;
        loop {
            let (mut tally, mut count) = (Tally::default(), 0);
            let mut out = BurstOutput::counting(&mut tally);
            tasks.iter().for_each(|task| open(self.kernel, task, limit, &mut out, &mut |_| count += 1));
            // Stop also when the tree has no more prefixes.
            if count >= wanted || (count <= before && tally.nodes > wanted) || count == 0 {
                return limit;
            }
            (before, limit) = (count, limit / FINER);
        }
    }

    /// Opens these tasks down to prefixes with a share below `limit`, and answers the prefixes that `keep` keeps. If
    /// `is_counted`, the nodes are counted and their tours delivered.
    fn open(
        &mut self,
        tasks: &[Task],
        limit: f64,
        is_counted: bool,
        mut keep: impl FnMut(Task) -> Option<Task>,
    ) -> Vec<Task> {
        let mut others = Tally::default();
        let sink = self.tours.as_mut().filter(|_| is_counted).map(|tours| &mut **tours as &mut dyn TourSink);
        let tally = if is_counted { &mut *self.tally } else { &mut others };
        let mut out = BurstOutput { tally, levels: self.levels, sink };
        let mut kept = Vec::new();
        tasks.iter().for_each(|task| open(self.kernel, task, limit, &mut out, &mut |task| kept.extend(keep(task))));
        kept
    }
}

/// Enters all nodes of a subtree whose share is at least `limit`, and hands the tasks below them to `each`, not entered.
fn open(kernel: &mut dyn Kernel, task: &Task, limit: f64, out: &mut BurstOutput<'_>, each: &mut dyn FnMut(Task)) {
    if task.share < limit {
        return each(task.clone());
    }
    kernel.begin(task);
    loop {
        if kernel.branches().child_share() < limit {
            std::iter::from_fn(|| kernel.split(HandOver::Next)).for_each(&mut *each);
        }
        if kernel.advance(Burst::nodes(1), out) == BurstEnd::Exhausted {
            return;
        }
    }
}

/// Deals prefixes out in the order of the search, among parts numbered from 1.
struct ShardDeal {
    random: u64,
    /// Numbers of the parts, shuffled for the current block.
    order: Vec<u32>,
    /// Index of the next part in `order`.
    place: usize,
}

impl ShardDeal {
    fn new(parts: u32, seed: u64) -> ShardDeal {
        ShardDeal { random: seed, order: (1..=parts).collect(), place: parts as usize }
    }

    /// Number of the part that gets the next prefix.
    fn next(&mut self) -> u32 {
        if self.place == self.order.len() {
            for last in (1..self.order.len()).rev() {
                let other = ((u128::from(mix::next(&mut self.random)) * (last as u128 + 1)) >> 64) as usize;
                self.order.swap(last, other);
            }
            self.place = 0;
        }
        self.place += 1;
        self.order[self.place - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part must never change: other parts were made by an earlier version.
    #[test]
    fn every_part_gets_one_of_a_block_and_the_deal_is_always_the_same() {
        let mut deal = ShardDeal::new(7, SEED);
        let dealt: Vec<u32> = (0..21).map(|_| deal.next()).collect();
        for block in dealt.chunks(7) {
            let mut block = block.to_vec();
            block.sort_unstable();
            assert_eq!(block, [1, 2, 3, 4, 5, 6, 7]);
        }
        assert_eq!(dealt[..14], [6, 5, 2, 3, 7, 1, 4, 7, 5, 1, 6, 3, 4, 2]);
    }
}
