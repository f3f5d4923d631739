//! The layers of a sweep: which states are possible after each square. The pattern passes find them before anything is
//! counted.
//!
//! A **layer** is the set of degree patterns after some number of squares. The forward pass starts at the empty board
//! and finds every pattern that can be reached. The backward pass starts at the finished tour, covers the last four
//! rows (all rows of a board with holes), and drops every pattern that leads nowhere. The patterns that remain have the
//! states that are stored: a pattern with `k` pairs of ends has `(2k-1)!!`, one for each matching. Of two groups of patterns that are mirror images, a
//! layer may store one (see `mirror`). From here on memory, work and progress are known.
//!
//! Once a whole row of layers repeats, every further row repeats it: tall boards plan no longer than short ones. Far from holes the
//! backward pass repeats its rows, too.
//!
//! In a layer the states of a pattern are a block, one for each matching of its ends; the blocks of a group stand one after the other, by rising
//! twos; the groups stand one after the other, by rising mask.

use super::matching::matchings;
use super::mirror::Stored;
use super::order::StepOrder;
use super::rule::StepRules;
use super::set::{Groups, PatternSet};
use crate::count::watch::CountWatch;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// Rows of the backward pass of a whole board; it would drop nothing in the rows above.
const BACKWARD_ROWS: u32 = 4;

/// The layers of a sweep.
pub struct Layers {
    /// The groups of every layer.
    pub groups: Groups,
    /// The layers; one more than there are steps. The first is before the first square, the last has the finished tour.
    pub layers: Vec<Arc<Layer>>,
    /// The rules of each step; equal ones are shared.
    pub rules: Vec<Arc<StepRules>>,
    pub bytes: u64,
}

impl Layers {
    /// Runs the pattern passes of an order. Returns nothing if stopped.
    pub fn new(order: &StepOrder, watch: &CountWatch) -> Option<Layers> {
        let groups = Groups { slots: order.slots };
        let rules = shared_rules(order);
        let first = Layer::new(groups.without_ends(0), order.stored(0));
        let mut layers = vec![Arc::new(first)];
        for (at, (step, rules)) in order.steps.iter().zip(&rules).enumerate() {
            if watch.is_stopped() {
                return None;
            }
            let layer = match equal_earlier_layer(&layers, order, at) {
                Some(from) => layers[from].clone(),
                None => {
                    let closed_end = order.reads_tours(at) && at > 0;
                    let set = groups.forward(&layers[at].set, step, rules, closed_end);
                    Arc::new(Layer::new(set, step.stored))
                }
            };
            layers.push(layer);
        }
        if let Some(last) = layers.last_mut().filter(|_| order.is_range) {
            // Other patterns would lead to the rows behind the longest board.
            *last = Arc::new(Layer::new(groups.closed_patterns(&last.set), last.stored));
        }
        let forward: Vec<*const Layer> = layers.iter().map(Arc::as_ptr).collect();
        for at in (first_backward_step(order)..order.steps.len()).rev() {
            if watch.is_stopped() {
                return None;
            }
            // Some later step with the same rules may have led from the same layer to the same one.
            let is_equal = |&later: &usize| {
                Arc::ptr_eq(&rules[at], &rules[later])
                    && forward[at] == forward[later]
                    && Arc::ptr_eq(&layers[at + 1], &layers[later + 1])
            };
            layers[at] = match (at + 1..order.steps.len()).find(is_equal) {
                Some(later) => layers[later].clone(),
                None => {
                    let (Layer { set: before, stored, .. }, after) = (&*layers[at], &layers[at + 1].set);
                    let set = groups.backward(before, after, &order.steps[at], &rules[at], order.reads_tours(at));
                    let known = layers[at + 1..].iter().find(|layer| layer.set == set && layer.stored == *stored);
                    known.cloned().unwrap_or_else(|| Arc::new(Layer::new(set, *stored)))
                }
            };
        }
        let mut met = HashSet::new();
        let own = layers.iter().filter(|layer| met.insert(Arc::as_ptr(layer)));
        let bytes = own.map(|layer| layer.set.bytes() + size_of_val(&*layer.offsets)).sum::<usize>() as u64;
        Some(Layers { groups, layers, rules, bytes })
    }

    /// The most states of two neighbouring layers together, from a layer on.
    pub fn most_neighbours(&self, first: usize) -> u64 {
        self.layers[first..].windows(2).map(|pair| pair[0].states() + pair[1].states()).max().unwrap_or(0)
    }
}

/// The first step of the backward pass.
fn first_backward_step(order: &StepOrder) -> usize {
    let rows = order.steps.last().map_or(0, |step| step.row + 1);
    if order.has_holes { 0 } else { order.steps_of_rows(rows.saturating_sub(BACKWARD_ROWS)) }
}

/// An earlier layer that equals the one after step `at`: some rows earlier the step was equal, and began from an equal layer.
fn equal_earlier_layer(layers: &[Arc<Layer>], order: &StepOrder, at: usize) -> Option<usize> {
    let same_before =
        |&earlier: &usize| Arc::ptr_eq(&layers[at], &layers[earlier]) || layers[at].set == layers[earlier].set;
    order.equal_earlier_steps(at).find(same_before).map(|earlier| earlier + 1)
}

fn shared_rules(order: &StepOrder) -> Vec<Arc<StepRules>> {
    let mut made: Vec<Arc<StepRules>> = Vec::new();
    for (at, step) in order.steps.iter().enumerate() {
        let new = || Arc::new(StepRules::new(step, order.slots, order.stored(at)));
        let same = order.equal_earlier_steps(at).next();
        made.push(same.map_or_else(new, |earlier| made[earlier].clone()));
    }
    made
}

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
