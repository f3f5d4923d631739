//! The walk from layer to layer: the states before a state, in the order of the numbering, with their counts.
//!
//! Many tours walk together. Before each step the tours are sorted by context (see `rule`). The states before and after a
//! step are of one context, so the groups of a context are read once, used for all its tours, and dropped. Threads take
//! contexts; the result of a tour does not depend on the thread.

use super::packed_layer::{GroupCounts, PackedLayer};
use crate::count::error::CountError;
use crate::count::states::layers::{Layer, Layers};
use crate::count::states::rule::{StepRule, StepRules, deposit, extract};
use rayon::prelude::*;
use std::io;
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// Tours of one context that a thread takes at a time.
const TOURS_PER_TASK: usize = 256;

/// A state: a degree pattern and the matching of its ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct FrontierState {
    /// The slots that hold ends.
    pub(super) ends: u32,
    /// The slots with degree 2.
    pub(super) twos: u32,
    /// The rank of the matching.
    pub(super) rank: u32,
}

/// A tour that walks through the layers.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct TourWalker {
    /// The current state.
    pub(super) state: FrontierState,
    /// The index of the tour.
    pub(super) tour: u32,
    /// The neighbours that the square of the current step chooses, as bits of places.
    pub(super) chosen: u8,
    /// In a walk back: the number among the sets of moves that lead to the state. In a walk forward: the sum of the
    /// beginnings of the stretches so far.
    pub(super) number: u64,
}

/// One step of the walk, and the counts before it.
pub(super) struct LayerStep<'a> {
    layers: &'a Layers,
    before: &'a Layer,
    rules: &'a StepRules,
    counts: &'a PackedLayer<'a>,
}

impl<'a> LayerStep<'a> {
    /// The step after `at` squares. `counts` is the layer before the step.
    pub(super) fn new(layers: &'a Layers, at: usize, counts: &'a PackedLayer<'a>) -> LayerStep<'a> {
        LayerStep { layers, before: &layers.layers[at], rules: &layers.rules[at], counts }
    }

    /// Takes every walker one step back, to the state before whose stretch has the walker's number. The counts that lead to
    /// a state must exceed the number of its walker: otherwise the layers contradict each other.
    pub(super) fn step_back(&self, walkers: &mut [TourWalker]) -> Result<(), CountError> {
        self.for_each_walker(walkers, |context, walker, ranks| {
            let after = walker.state;
            let mut found = None;
            context.each_predecessor(after, ranks, |rule, before, count| {
                if walker.number < count {
                    found = Some((rule.chosen, before));
                    return ControlFlow::Break(());
                }
                walker.number -= count;
                ControlFlow::Continue(())
            })?;
            let Some((chosen, before)) = found else { return Err(CountError::contradictory_layers()) };
            (walker.chosen, walker.state) = (chosen as u8, before);
            Ok(())
        })
    }

    /// Takes every walker one step forward by its choice, and adds to its number the counts of all states that come before its
    /// state in the order of the numbering. A choice that no rule allows contradicts the layers.
    pub(super) fn step_forward(&self, walkers: &mut [TourWalker]) -> Result<(), CountError> {
        self.for_each_walker(walkers, |context, walker, ranks| {
            let before = walker.state;
            let after = context.successor(before, walker.chosen.into()).ok_or_else(CountError::contradictory_layers)?;
            let mut found = false;
            context.each_predecessor(after, ranks, |_, other, count| {
                found = other == before && count > 0;
                match walker.number.checked_add(count) {
                    Some(sum) if !found => walker.number = sum,
                    _ => return ControlFlow::Break(()),
                }
                ControlFlow::Continue(())
            })?;
            walker.state = after;
            if found { Ok(()) } else { Err(CountError::contradictory_layers()) }
        })
    }

    /// Calls `work` for every walker, with its context and a buffer for ranks.
    fn for_each_walker(
        &self,
        walkers: &mut [TourWalker],
        work: impl Fn(&Context<'_>, &mut TourWalker, &mut Vec<usize>) -> Result<(), CountError> + Sync,
    ) -> Result<(), CountError> {
        let concerned = self.rules.concerned;
        let key = |walker: &TourWalker| walker.state.ends & !concerned;
        walkers.par_sort_unstable_by_key(|walker| (key(walker), walker.state));
        walkers.par_chunk_by_mut(|one, other| key(one) == key(other)).try_for_each(|walkers| {
            let context = Context::new(self, key(&walkers[0]));
            walkers.par_chunks_mut(TOURS_PER_TASK).try_for_each_init(Vec::new, |ranks, walkers| {
                walkers.iter_mut().try_for_each(|walker| work(&context, walker, ranks))
            })
        })
    }
}

/// One context of a step.
struct Context<'a> {
    step: &'a LayerStep<'a>,
    ends: u32,
    /// The groups of the layer before, by place; each is read on first use.
    groups: Box<[OnceLock<io::Result<GroupCounts<'a>>>]>,
}

impl<'a> Context<'a> {
    fn new(step: &'a LayerStep<'a>, ends: u32) -> Context<'a> {
        let places = 1 << step.rules.concerned.count_ones();
        Context { step, ends, groups: (0..places).map(|_| OnceLock::new()).collect() }
    }

    /// The group of the layer before at a place: its number within its context.
    fn group(&self, place: usize) -> Result<&GroupCounts<'a>, CountError> {
        let LayerStep { layers, before, rules, counts } = self.step;
        let ends = self.ends | deposit(place as u32, rules.concerned);
        let group = self.groups[place].get_or_init(|| counts.group(&layers.groups, before, ends));
        group.as_ref().map_err(CountError::layer)
    }

    /// Visits the states before that lead to `after`, in the order of the numbering, each with its rule and count, until `visit`
    /// breaks. States of patterns that are not stored, or whose counts are all 0, are left out: their count is 0.
    fn each_predecessor(
        &self,
        after: FrontierState,
        ranks: &mut Vec<usize>,
        mut visit: impl FnMut(&StepRule, FrontierState, u64) -> ControlFlow<()>,
    ) -> Result<(), CountError> {
        let rules = self.step.rules;
        for rule in rules.leading_to(extract(after.ends, rules.concerned) as usize) {
            if after.twos & rule.fixed_after.slots != rule.fixed_after.twos {
                continue;
            }
            let ends = self.ends | rule.before;
            let twos = after.twos & !rule.fixed_after.slots | rule.fixed_before.twos;
            let group = self.group(rule.group_before)?;
            let Some(block) = group.block(twos) else { continue };
            let pairs = ends.count_ones() as usize / 2;
            rule.change(ends, after.ends).origins(pairs, after.rank as usize, ranks);
            for &rank in &*ranks {
                let before = FrontierState { ends, twos, rank: rank as u32 };
                if visit(rule, before, block.count(rank)).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The state to which a choice leads; `None` if the state `before` does not allow the choice.
    fn successor(&self, before: FrontierState, chosen: u32) -> Option<FrontierState> {
        let rules = self.step.rules;
        let fits = |rule: &&StepRule| {
            rule.chosen == chosen
                && rule.before == before.ends & rules.concerned
                && before.twos & rule.fixed_before.slots == rule.fixed_before.twos
        };
        let rule = rules.list.iter().find(fits)?;
        let ends = self.ends | rule.after;
        let twos = before.twos & !rule.fixed_before.slots | rule.fixed_after.twos;
        let pairs = before.ends.count_ones() as usize / 2;
        let rank = rule.change(before.ends, ends).rank_after(pairs, before.rank as usize);
        Some(FrontierState { ends, twos, rank: rank as u32 })
    }
}
