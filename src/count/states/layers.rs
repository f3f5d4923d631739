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
    fn new(groups: &Groups, set: PatternSet) -> Layer {
        let mut offset = GroupOffset::default();
        let mut offsets = Vec::with_capacity((1 << groups.slots) + 1);
        let mut most_pairs = 0;
        for ends in 0..1u32 << groups.slots {
            offsets.push(offset);
            let blocks: u64 = groups.table(&set, ends).iter().map(|word| u64::from(word.count_ones())).sum();
            // Most groups of a layer have no pattern.
            if blocks > 0 {
                let pairs = ends.count_ones() as usize / 2;
                offset.block += blocks;
                offset.state += blocks * matchings(pairs) as u64;
                most_pairs = pairs.max(most_pairs);
            }
        }
        offsets.push(offset);
        Layer { set, offsets: offsets.into(), pairs: most_pairs }
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
        let states = |group: u32| {
            let ends = (context | deposit(group, concerned)) as usize;
            self.offsets[ends + 1].state - self.offsets[ends].state
        };
        (0..1 << concerned.count_ones()).map(states).sum()
    }

    /// Work to fill the layer, in light states.
    pub fn work(&self) -> u64 {
        let states = self.offsets.windows(2).enumerate().map(|(ends, offset)| {
            let pairs = ends.count_ones() as usize / 2;
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
        let groups = Groups::new(order.slots);
        let rules = shared_rules(order);
        let rows = order.steps.last().map_or(0, |step| step.row as usize + 1);
        let cols = order.steps.len() / rows.max(1);
        let first = Layer::new(&groups, groups.without_ends(0));
        let mut layers = vec![Arc::new(first)];
        for (at, (step, rules)) in order.steps.iter().zip(&rules).enumerate() {
            if watch.is_stopped() {
                return None;
            }
            let layer = match equal_earlier_layer(&layers, order, at, cols) {
                Some(from) => layers[from].clone(),
                None => {
                    let closed_end = order.is_strip && at > 0;
                    Arc::new(Layer::new(&groups, groups.forward(&layers[at].set, step, rules, closed_end)))
                }
            };
            layers.push(layer);
        }
        if let Some(last) = layers.last_mut().filter(|_| order.is_strip) {
            // Other patterns would lead to the rows behind the longest board.
            *last = Arc::new(Layer::new(&groups, groups.closed_patterns(&last.set)));
        }
        for at in (0..order.steps.len()).rev().take(BACKWARD_ROWS * cols) {
            if watch.is_stopped() {
                return None;
            }
            let mut set = layers[at].set.clone();
            groups.backward(&mut set, &layers[at + 1].set, &rules[at], order.is_strip);
            layers[at] = Arc::new(Layer::new(&groups, set));
        }
        let own = layers.iter().map(Arc::as_ptr).collect::<HashSet<_>>().len() as u64;
        let offset_bytes = (1u64 << groups.slots) * size_of::<GroupOffset>() as u64;
        let bytes = own * (8 * groups.words() as u64 + offset_bytes);
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
            let states =
                |context: u32| [at, at + 1].map(|at| self.layers[at].context_states(context, concerned)).iter().sum();
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
    let same_step = order.steps[at].same_effect(&order.steps[earlier]);
    let same_before = Arc::ptr_eq(&layers[at], &layers[earlier]) || layers[at].set == layers[earlier].set;
    (same_step && same_before).then_some(earlier + 1)
}

fn shared_rules(order: &StepOrder) -> Vec<Arc<StepRules>> {
    let mut made: Vec<Arc<StepRules>> = Vec::new();
    for (at, step) in order.steps.iter().enumerate() {
        let same = (0..at).rev().take(4 * order.slots as usize).find(|&earlier| order.steps[earlier].same_effect(step));
        made.push(same.map_or_else(|| Arc::new(StepRules::new(step, order.slots)), |earlier| made[earlier].clone()));
    }
    made
}
