//! Which states there can be after each square: the pattern passes, before anything is counted.
//!
//! A **layer** is the set of degree patterns after some number of squares. Forwards from the empty board every pattern
//! is found that can be reached; backwards from the finished tour, over the last four rows, every pattern is dropped
//! that leads nowhere. What is left has the states that will be stored: for a pattern with `k` pairs of ends one for
//! each of the `(2k-1)!!` matchings. Memory, work and progress are known from here.
//!
//! Once a whole row of layers repeats, every further row repeats it: tall boards plan no longer than short ones.

use super::matching::matchings;
use super::order::StepOrder;
use super::rule::{StepRules, deposit};
use super::set::{Groups, PatternSet};
use super::watch::CountWatch;
use std::collections::HashSet;
use std::sync::Arc;

/// Backward passes go over this many rows; further up they drop nothing.
const BACKWARD_ROWS: usize = 4;

/// States that take as long as what is done once for a pattern.
const STATES_A_PATTERN: u64 = 130;
/// How many times as long a state takes, by the pairs of ends: from 7, 8 and 9 on.
const HEAVY: [(usize, u64); 3] = [(7, 2), (8, 5), (9, 10)];

/// The layers of a board.
pub(super) struct Layers {
    /// Where the groups are.
    pub(super) groups: Groups,
    /// One more than there are steps: the first is before the first square, the last has the finished tour.
    pub(super) layers: Vec<Arc<Layer>>,
    /// The rules of each step; equal ones shared.
    pub(super) rules: Vec<Arc<StepRules>>,
    /// Bytes of all layers.
    pub(super) bytes: u64,
}

/// The states after some number of squares.
pub(super) struct Layer {
    /// Their patterns.
    pub(super) set: PatternSet,
    /// By the ends' mask: the first state and the first block of each group, and one entry more for where the last
    /// group ends.
    pub(super) places: Box<[GroupOffset]>,
    /// The most pairs of ends that a pattern has.
    pub(super) pairs: usize,
}

/// Where a group begins in a layer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct GroupOffset {
    /// States before it.
    pub(super) state: u64,
    /// Blocks before it: a block is the states of one pattern.
    pub(super) block: u64,
}

impl Layer {
    fn new(groups: &Groups, set: PatternSet) -> Layer {
        let mut place = GroupOffset::default();
        let mut places = Vec::with_capacity((1 << groups.slots) + 1);
        let mut most_pairs = 0;
        for ends in 0..1u32 << groups.slots {
            places.push(place);
            let blocks: u64 = groups.table(&set, ends).iter().map(|word| u64::from(word.count_ones())).sum();
            let pairs = ends.count_ones() as usize / 2;
            place.block += blocks;
            place.state += blocks * matchings(pairs) as u64;
            most_pairs = if blocks > 0 { pairs.max(most_pairs) } else { most_pairs };
        }
        places.push(place);
        Layer { set, places: places.into(), pairs: most_pairs }
    }

    /// How many states the layer stores.
    pub(super) fn states(&self) -> u64 {
        self.end().state
    }

    /// How many patterns it has.
    pub(super) fn blocks(&self) -> u64 {
        self.end().block
    }

    /// How many states it stores of one context: the groups with these ends and any of the slots concerned.
    pub(super) fn states_of(&self, context: u32, concerned: u32) -> u64 {
        let states = |place: u32| {
            let ends = (context | deposit(place, concerned)) as usize;
            self.places[ends + 1].state - self.places[ends].state
        };
        (0..1 << concerned.count_ones()).map(states).sum()
    }

    /// What a layer takes, as so many states of few pairs.
    pub(super) fn work(&self) -> u64 {
        let states = self.places.windows(2).enumerate().map(|(ends, place)| {
            let pairs = ends.count_ones() as usize / 2;
            let times = HEAVY.iter().rev().find(|&&(from, _)| pairs >= from).map_or(1, |&(_, times)| times);
            times * (place[1].state - place[0].state)
        });
        states.sum::<u64>() + STATES_A_PATTERN * self.blocks()
    }

    fn end(&self) -> GroupOffset {
        self.places[self.places.len() - 1]
    }
}

impl Layers {
    /// Plans the order; nothing if stopped.
    pub(super) fn new(order: &StepOrder, watch: &CountWatch) -> Option<Layers> {
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
            let layer = match repeated(&layers, order, at, cols) {
                Some(from) => layers[from].clone(),
                None => {
                    let closed_end = order.is_strip && at > 0;
                    Arc::new(Layer::new(&groups, groups.forward(&layers[at].set, step, rules, closed_end)))
                }
            };
            layers.push(layer);
        }
        if let Some(last) = layers.last_mut().filter(|_| order.is_strip) {
            // Whatever else there is would lead to the rows behind the longest board.
            *last = Arc::new(Layer::new(&groups, groups.closed(&last.set)));
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
        let places = (1u64 << groups.slots) * size_of::<GroupOffset>() as u64;
        let bytes = own * (8 * groups.words() as u64 + places);
        Some(Layers { groups, layers, rules, bytes })
    }
}

impl Layers {
    /// The most states that two neighbouring layers have together.
    pub(super) fn most_neighbours(&self) -> u64 {
        self.layers.windows(2).map(|pair| pair[0].states() + pair[1].states()).max().unwrap_or(0)
    }

    /// The most states that a context has before and after a step together.
    pub(super) fn largest_contexts(&self) -> u64 {
        let largest = |at: usize| {
            let concerned = self.rules[at].concerned;
            let outside = !concerned & ((1 << self.groups.slots) - 1);
            let context = |place: u32| deposit(place, outside);
            let states =
                |context: u32| [at, at + 1].map(|at| self.layers[at].states_of(context, concerned)).iter().sum();
            (0..1u32 << outside.count_ones()).map(context).map(states).max().unwrap_or(0)
        };
        // Of steps that are alike, and of a tall board nearly all are, one tells as much as all.
        let mut met = HashSet::new();
        let steps = (0..self.rules.len()).filter(|&at| {
            let layers = [at, at + 1].map(|at| Arc::as_ptr(&self.layers[at]));
            met.insert((layers, self.rules[at].concerned))
        });
        steps.map(largest).max().unwrap_or(0)
    }

    /// The most patterns that a layer has.
    pub(super) fn most_blocks(&self) -> u64 {
        self.layers.iter().map(|layer| layer.blocks()).max().unwrap_or(0)
    }
}

/// An earlier layer that the one after step `at` must equal: the steps since are the same steps as those before, and
/// began from an equal layer.
fn repeated(layers: &[Arc<Layer>], order: &StepOrder, at: usize, cols: usize) -> Option<usize> {
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
