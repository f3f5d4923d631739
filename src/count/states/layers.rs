//! The layers of a sweep: which states are possible after each square. The pattern passes find them before anything is
//! counted.
//!
//! A **layer** is the set of degree patterns after some number of squares. The forward pass starts at the empty board
//! and finds every pattern that can be reached. The backward pass starts at the finished tour, covers the last four
//! rows, and drops every pattern that leads nowhere. The patterns that remain have the states that are stored: a
//! pattern with `k` pairs of ends has `(2k-1)!!`, one for each matching. From here on memory, work and progress are
//! known.
//!
//! Once a whole row of layers repeats, every further row repeats it: tall boards plan no longer than short ones.

use super::matching::matchings;
use super::mirror::{Halving, Stored};
use super::order::StepOrder;
use super::rule::{StepRules, deposit};
use super::set::{Groups, PatternSet};
use crate::count::watch::CountWatch;
use std::collections::HashSet;
use std::sync::Arc;

/// Rows of the backward pass; it would drop nothing in the rows above.
const BACKWARD_ROWS: usize = 4;

/// Work for a pattern, in light states: it is done once for its whole block.
const STATES_A_PATTERN: u64 = 130;
/// Work for a state, in light states, by its pairs of ends: from 7, 8 and 9 pairs on.
const HEAVY: [(usize, u64); 3] = [(7, 2), (8, 5), (9, 10)];

/// The layers of a sweep.
pub struct Layers {
    /// The groups of every layer.
    pub groups: Groups,
    /// The layers; one more than there are steps. The first is before the first square, the last has the finished tour.
    pub layers: Vec<Arc<Layer>>,
    /// The rules of each step; equal ones are shared.
    pub rules: Vec<Arc<StepRules>>,
    /// Bytes of all layers.
    pub bytes: u64,
}

/// The states after some number of squares.
pub struct Layer {
    /// The degree patterns of the states.
    pub set: PatternSet,
    /// Where each group begins, by the mask of its ends, and one entry more for the end of the last group.
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
    fn new(groups: &Groups, set: PatternSet, stored: Stored) -> Layer {
        let mut offset = GroupOffset::default();
        let mut offsets = Vec::with_capacity(groups.masks(stored) + 1);
        let mut most_pairs = 0;
        for mask in 0..groups.masks(stored) as u32 {
            offsets.push(offset);
            let blocks: u64 = groups.table(&set, mask).iter().map(|word| u64::from(word.count_ones())).sum();
            // Most groups of a layer have no pattern.
            if blocks > 0 {
                let pairs = pairs(mask);
                offset.block += blocks;
                offset.state += blocks * matchings(pairs) as u64;
                most_pairs = pairs.max(most_pairs);
            }
        }
        offsets.push(offset);
        Layer { set, offsets: offsets.into(), pairs: most_pairs, stored }
    }

    /// Number of states.
    pub fn states(&self) -> u64 {
        self.end().state
    }

    /// Number of patterns.
    pub fn blocks(&self) -> u64 {
        self.end().block
    }

    /// Number of states of a context: of all groups with these ends outside the slots concerned.
    pub fn context_states(&self, context: u32, concerned: u32) -> u64 {
        (0..1 << concerned.count_ones()).map(|group| self.group_states(context | deposit(group, concerned))).sum()
    }

    /// Number of states of the groups of a context that are added to their images, if the layer is halved.
    pub fn image_states(&self, halving: Halving, context: u32, concerned: u32) -> u64 {
        let groups = (0..1 << concerned.count_ones()).map(|group| context | deposit(group, concerned));
        groups.filter(|&ends| halving.adds_images(ends)).map(|ends| self.group_states(halving.mirror.image(ends))).sum()
    }

    fn group_states(&self, mask: u32) -> u64 {
        let place = self.offsets.get(mask as usize..mask as usize + 2);
        place.map_or(0, |place| place[1].state - place[0].state)
    }

    /// Work to fill the layer, in light states.
    pub fn work(&self) -> u64 {
        let states = self.offsets.windows(2).enumerate().map(|(ends, offset)| {
            let pairs = pairs(ends as u32);
            let times = HEAVY.iter().rev().find(|&&(from, _)| pairs >= from).map_or(1, |&(_, times)| times);
            times * (offset[1].state - offset[0].state)
        });
        states.sum::<u64>() + STATES_A_PATTERN * self.blocks()
    }

    fn end(&self) -> GroupOffset {
        self.offsets[self.offsets.len() - 1]
    }
}

impl Layers {
    /// Runs the pattern passes of an order. Returns nothing if stopped.
    pub fn new(order: &StepOrder, watch: &CountWatch) -> Option<Layers> {
        let groups = Groups::new(order.slots, order.mirror.is_some());
        let rules = shared_rules(order);
        let rows = order.steps.last().map_or(0, |step| step.row as usize + 1);
        let cols = order.steps.len() / rows.max(1);
        let first = Layer::new(&groups, groups.without_ends(0), order.stored(0));
        let mut layers = vec![Arc::new(first)];
        for (at, (step, rules)) in order.steps.iter().zip(&rules).enumerate() {
            if watch.is_stopped() {
                return None;
            }
            let layer = match equal_earlier_layer(&layers, order, at, cols) {
                Some(from) => layers[from].clone(),
                None => {
                    let closed_end = order.reads_tours(at) && at > 0;
                    let set = groups.forward(&layers[at].set, step, rules, closed_end);
                    Arc::new(Layer::new(&groups, set, step.stored))
                }
            };
            layers.push(layer);
        }
        if let Some(last) = layers.last_mut().filter(|_| order.is_strip) {
            // Other patterns would lead to the rows behind the longest board.
            *last = Arc::new(Layer::new(&groups, groups.closed_patterns(&last.set, last.stored), last.stored));
        }
        for at in (0..order.steps.len()).rev().take(BACKWARD_ROWS * cols) {
            if watch.is_stopped() {
                return None;
            }
            let (mut set, stored) = (layers[at].set.clone(), layers[at].stored);
            let after = (&layers[at + 1].set, &order.steps[at]);
            groups.backward((&mut set, stored), after, &rules[at], order.reads_tours(at));
            layers[at] = Arc::new(Layer::new(&groups, set, stored));
        }
        let mut met = HashSet::new();
        let own = layers.iter().filter(|layer| met.insert(Arc::as_ptr(layer)));
        let bytes =
            own.map(|layer| size_of_val(layer.set.table_words()) + size_of_val(&*layer.offsets)).sum::<usize>() as u64;
        Some(Layers { groups, layers, rules, bytes })
    }
}

impl Layers {
    /// The most states of two neighbouring layers together.
    pub fn most_neighbours(&self) -> u64 {
        self.layers.windows(2).map(|pair| pair[0].states() + pair[1].states()).max().unwrap_or(0)
    }

    /// The most states of a context before and after a step together.
    pub fn largest_contexts(&self) -> u64 {
        let largest = |at: usize| {
            let concerned = self.rules[at].concerned;
            let outside = !concerned & ((1 << self.groups.slots) - 1);
            let context = |number: u32| deposit(number, outside);
            let (before, after) = (&self.layers[at], &self.layers[at + 1]);
            let states = |context: u32| {
                let images = after.stored.halving().map(|halving| after.image_states(halving, context, concerned));
                before.context_states(context, concerned)
                    + after.context_states(context, concerned).max(images.unwrap_or(0))
            };
            (0..1u32 << outside.count_ones()).map(context).map(states).max().unwrap_or(0)
        };
        // One of several equal steps is enough; nearly all steps of a tall board are equal.
        let mut met = HashSet::new();
        let steps = (0..self.rules.len()).filter(|&at| {
            let layers = [at, at + 1].map(|at| Arc::as_ptr(&self.layers[at]));
            met.insert((layers, self.rules[at].concerned))
        });
        steps.map(largest).max().unwrap_or(0)
    }

    /// The most patterns of a layer.
    pub fn most_blocks(&self) -> u64 {
        self.layers.iter().map(|layer| layer.blocks()).max().unwrap_or(0)
    }
}

/// An earlier layer that equals the one after step `at`: one period earlier the step was equal, and began from an equal
/// layer.
fn equal_earlier_layer(layers: &[Arc<Layer>], order: &StepOrder, at: usize, cols: usize) -> Option<usize> {
    let period = 2 * cols;
    let earlier = at.checked_sub(period)?;
    let same_step = order.steps[at].same_effect(&order.steps[earlier]) && order.stored(at) == order.stored(earlier);
    let same_before = Arc::ptr_eq(&layers[at], &layers[earlier]) || layers[at].set == layers[earlier].set;
    (same_step && same_before).then_some(earlier + 1)
}

fn shared_rules(order: &StepOrder) -> Vec<Arc<StepRules>> {
    let mut made: Vec<Arc<StepRules>> = Vec::new();
    for (at, step) in order.steps.iter().enumerate() {
        let before = order.stored(at);
        let is_same = |&earlier: &usize| order.steps[earlier].same_effect(step) && order.stored(earlier) == before;
        let same = (0..at).rev().take(4 * order.slots as usize).find(is_same);
        let new = || Arc::new(StepRules::new(step, order.slots, before));
        made.push(same.map_or_else(new, |earlier| made[earlier].clone()));
    }
    made
}
