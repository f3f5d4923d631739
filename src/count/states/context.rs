//! The contexts of a step: the groups before and after it that rules connect.
//!
//! A rule changes the slots concerned and keeps the others. So the groups that agree outside the slots concerned, before and
//! after, are worked on by themselves: no other group leads to theirs.

use super::layers::{Layer, Layers};
use super::mirror::Halving;
use super::rule::by_context;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// The contexts of a step that have states after it, by rising ends.
pub struct Contexts {
    /// The groups before the step, by context and number.
    pub sources: Vec<ContextGroup>,
    /// The groups after the step, by context and number.
    pub targets: Vec<ContextGroup>,
    pub list: Vec<StepContext>,
}

pub struct StepContext {
    /// The ends outside the slots concerned.
    pub ends: u32,
    /// Its groups before the step, among all.
    pub sources: Range<usize>,
    /// Its groups after the step, among all.
    pub targets: Range<usize>,
    /// States of the sources.
    pub states_before: u64,
    /// States of the targets.
    pub states: u64,
}

/// The groups of one context, before and after the step, in the order of their numbers.
#[derive(Clone, Copy)]
pub struct ContextGroups<'a> {
    /// The ends outside the slots concerned.
    pub ends: u32,
    pub sources: &'a [ContextGroup],
    pub targets: &'a [ContextGroup],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContextGroup {
    /// Its number within the context (see `rule`).
    pub number: usize,
    /// Its place among the groups of its layer that have patterns.
    pub place: usize,
}

impl Contexts {
    /// The contexts of a step from the layer before to the layer after. If images are added to a halved layer, they are the contexts of
    /// the groups that are gathered: a target stands for the group whose image it is.
    pub fn new(before: &Layer, after: &Layer, concerned: u32, images: Option<Halving>) -> Contexts {
        let gathered = |&mask: &u32| images.map_or(mask, |halving| halving.mirror.image(mask));
        let groups = |groups: Vec<(u32, usize, usize)>| -> Vec<(u32, ContextGroup)> {
            groups.into_iter().map(|(context, number, place)| (context, ContextGroup { number, place })).collect()
        };
        let sources = groups(by_context(before.set.masks().iter().copied(), concerned));
        let targets = groups(by_context(after.set.masks().iter().map(gathered), concerned));
        let states = |layer: &Layer, groups: &[(u32, ContextGroup)]| -> u64 {
            groups.iter().map(|(_, group)| layer.states_of(group.place)).sum()
        };
        let (mut list, mut source, mut target) = (Vec::new(), 0, 0);
        for groups in targets.chunk_by(|one, other| one.0 == other.0) {
            let ends = groups[0].0;
            source += sources[source..].partition_point(|&(context, _)| context < ends);
            let first = source;
            source += sources[source..].iter().take_while(|&&(context, _)| context == ends).count();
            list.push(StepContext {
                ends,
                sources: first..source,
                targets: target..target + groups.len(),
                states_before: states(before, &sources[first..source]),
                states: states(after, groups),
            });
            target += groups.len();
        }
        let groups = |groups: Vec<(u32, ContextGroup)>| groups.into_iter().map(|(_, group)| group).collect();
        Contexts { sources: groups(sources), targets: groups(targets), list }
    }

    /// The most states of a context before and after a step of a sweep together.
    pub fn largest(Layers { layers, rules, .. }: &Layers) -> u64 {
        let largest = |at: usize| {
            let (before, after) = (&layers[at], &layers[at + 1]);
            let parts = [None, after.stored.halving()].into_iter().map(|images| {
                let contexts = Contexts::new(before, after, rules[at].concerned, images);
                contexts.list.iter().map(|context| context.states_before + context.states).max().unwrap_or(0)
            });
            parts.max().unwrap_or(0)
        };
        // One of several equal steps is enough; nearly all steps of a tall board are equal.
        let mut met = HashSet::new();
        let steps = (0..rules.len()).filter(|&at| {
            let layers = [at, at + 1].map(|at| Arc::as_ptr(&layers[at]));
            met.insert((layers, rules[at].concerned))
        });
        steps.map(largest).max().unwrap_or(0)
    }
}
