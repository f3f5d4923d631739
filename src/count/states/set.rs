//! Sets of degree patterns.
//!
//! A pattern gives every slot a degree: 0, 1 (an end) or 2. It is stored in two parts. The **group** is the set of
//! slots that hold ends, a mask of slots with an even number of bits. The other slots of a group have degree 0 or 2,
//! and the **twos** of a pattern are the mask of its slots with degree 2. A set of patterns has one truth table for
//! each group: a bit for every choice of twos among the slots without an end. So 16 slots take half of 3^16 bits, 2.7
//! MB.
//!
//! A rule fixes the degrees of some slots and keeps the others. On truth tables that is two operations ([`Carry`]):
//! take the part of a table where a variable has a given value, and place a table as part of a larger one. Both work
//! word by word, 64 patterns at a time.
//!
//! Where one of two images is stored (see `mirror`), the mask of a group has one more bit, above the slots: the mark of groups
//! that are alone. Only the layers between halved ones have such groups; their tables come last, and the sets of other layers
//! end before them.

use super::mirror::{Halving, LOW_HALVES, Stored, mirror_table};
use super::order::FrontierStep;
use super::rule::{FixedDegrees, StepRule, StepRules, deposit, extract};
use crate::memory::zeros;
use rayon::prelude::*;
use std::ops::Range;

/// The places of the groups' truth tables, shared by all sets over one number of slots.
pub struct Groups {
    /// Number of slots.
    pub slots: u32,
    /// The mark of groups that are alone; 0 if both of two images are stored.
    alone: u32,
    /// By mask: the first word of its table. Groups with an odd number of ends have no table.
    start: Box<[usize]>,
}

/// Words of the truth table of `vars` variables.
fn words(vars: u32) -> usize {
    1 << vars.saturating_sub(6)
}

/// The choice from `slots` that follows `choice` in rising order; the empty choice follows the full one.
fn next_choice(choice: u32, slots: u32) -> u32 {
    choice.wrapping_sub(slots) & slots
}

/// All choices from `slots` in rising order.
fn all_choices(slots: u32) -> impl Iterator<Item = u32> + Clone {
    std::iter::successors(Some(0), move |&choice| Some(next_choice(choice, slots)).filter(|&next| next != 0))
}

/// The choices from at most three slots in rising order, repeated to eight entries.
fn choices(slots: u32) -> [u32; 8] {
    let mut choices = all_choices(slots).cycle();
    std::array::from_fn(|_| choices.next().unwrap_or_default())
}

impl Groups {
    /// The groups of `slots` slots, with and without the mark of groups that are alone if one of two images is stored.
    pub fn new(slots: u32, is_marked: bool) -> Groups {
        let alone = if is_marked { 1 << slots } else { 0 };
        let (mut next, masks) = (0, 1u32 << slots | alone << 1);
        let start = (0..=masks).map(|mask| {
            let (start, ends) = (next, mask & !alone);
            if mask < masks && ends.count_ones().is_multiple_of(2) {
                next += words(slots - ends.count_ones());
            }
            start
        });
        Groups { slots, alone, start: start.collect() }
    }

    /// Number of masks of a layer: of the sets of ends, with and without the mark if the layer has groups that are alone.
    pub fn masks(&self, stored: Stored) -> usize {
        if stored == Stored::Between { 2 << self.slots } else { 1 << self.slots }
    }

    /// The table of a group, by its mask. A mask of an odd number of ends has an empty table, and so has a mask with a mark where
    /// the layer has no such groups.
    pub fn table<'a>(&self, set: &'a PatternSet, mask: u32) -> &'a [u64] {
        set.0.get(self.place(mask)).unwrap_or(&[])
    }

    fn place(&self, mask: u32) -> Range<usize> {
        self.start[mask as usize]..self.start[mask as usize + 1]
    }

    /// The tables of the groups with the masks below `masks`.
    fn tables<'a>(&self, set: &'a mut PatternSet, masks: usize) -> Vec<&'a mut [u64]> {
        let mut rest = &mut set.0[..];
        let table = |mask: usize| rest.split_off_mut(..self.start[mask + 1] - self.start[mask]).unwrap_or_default();
        (0..masks).map(table).collect()
    }

    /// The set without patterns.
    pub fn empty(&self, stored: Stored) -> PatternSet {
        PatternSet(zeros(self.start[self.masks(stored)]))
    }

    /// The set of one pattern: no ends, and these twos.
    pub fn without_ends(&self, twos: u32) -> PatternSet {
        let mut set = self.empty(Stored::All);
        set.0[twos as usize / 64] |= 1 << (twos % 64);
        set
    }

    /// Calls `visit` with the twos of every pattern of a group, in rising order.
    pub fn for_each(&self, set: &PatternSet, ends: u32, mut visit: impl FnMut(u32)) {
        let free = !ends & ((1 << self.slots) - 1);
        // The 64 patterns of a word differ in the six lowest free slots: eight choices from three, times eight from
        // three.
        let (three, six) = (deposit(0b111, free), deposit(0b11_1111, free));
        let (low, high) = (choices(three), choices(six & !three));
        let mut above = 0u32;
        for &word in self.table(set, ends) {
            let mut word = word;
            while word != 0 {
                let bits = word.trailing_zeros() as usize;
                visit(above | high[bits >> 3] | low[bits & 7]);
                word &= word - 1;
            }
            above = next_choice(above, free & !six);
        }
    }

    /// The patterns to which a step leads from the patterns of `before`; if `closed_end`, only from those that have
    /// ends.
    ///
    /// A pattern without ends is a tour that has been closed. It stays only if it is a tour of a whole board.
    pub fn forward(&self, before: &PatternSet, step: &FrontierStep, rules: &StepRules, closed_end: bool) -> PatternSet {
        let leads_on = |ends: u32, rule: &StepRule| (ends != 0 || !closed_end) && rules.allow(rule, ends);
        let (source, target) =
            (|rule: &StepRule| (rule.before, rule.fixed_before), |rule: &StepRule| (rule.after, rule.fixed_after));
        let mut after = self.carry_patterns(before, step.stored, rules, leads_on, source, target);
        let masks = if step.stored == Stored::Between { &[0, self.alone][..] } else { &[0] };
        for &mask in masks {
            let closed = &mut after.0[self.place(mask)];
            let tours = step.closed_patterns.iter().map(|closed| closed.twos).filter(|&twos| has_bit(closed, twos));
            let tours: Vec<u32> = tours.collect();
            closed.fill(0);
            tours.into_iter().for_each(|twos| closed[twos as usize / 64] |= 1 << (twos % 64));
        }
        if let Stored::OneOfTwo(halving) = step.stored {
            self.halve(&mut after, halving);
        }
        after
    }

    /// Drops from `before`, in which `stored` tells which groups are stored, the patterns from which a step leads to no pattern of
    /// `after`. If `closed_end`, the patterns without ends stay.
    pub fn backward(
        &self,
        (before, stored): (&mut PatternSet, Stored),
        (after, step): (&PatternSet, &FrontierStep),
        rules: &StepRules,
        closed_end: bool,
    ) {
        let (source, target) =
            (|rule: &StepRule| (rule.after, rule.fixed_after), |rule: &StepRule| (rule.before, rule.fixed_before));
        let leads_back = |ends: u32, rule: &StepRule| rules.allow(rule, ends ^ rule.after ^ rule.before);
        let carry = |after: &PatternSet| self.carry_patterns(after, stored, rules, leads_back, source, target);
        let leading = match step.stored.halving() {
            Some(halving) => carry(&self.whole(after, halving)),
            None => carry(after),
        };
        let first_word = if closed_end { self.start[1] } else { 0 };
        before.0.iter_mut().zip(leading.0).skip(first_word).for_each(|(word, leading)| *word &= leading);
    }

    /// Makes a set that has whatever patterns, where one of two images is stored: replaces patterns by their images, and adds the
    /// images to groups that are their own image.
    fn halve(&self, set: &mut PatternSet, halving: Halving) {
        for ends in (0..1 << self.slots).filter(|&ends| halving.adds_images(ends)) {
            self.add_images(set, ends, halving);
            if !halving.stores(ends) {
                set.0[self.place(ends)].fill(0);
            }
        }
    }

    /// A set with both of two images, of which `halved` has one.
    fn whole(&self, halved: &PatternSet, halving: Halving) -> PatternSet {
        let mut whole = halved.clone();
        for ends in (0..1 << self.slots).filter(|&ends| !halving.adds_images(ends)) {
            self.add_images(&mut whole, ends, halving);
        }
        whole
    }

    /// Adds the images of the patterns of a group.
    fn add_images(&self, set: &mut PatternSet, ends: u32, halving: Halving) {
        let table = &set.0[self.place(ends)];
        if table.iter().all(|&word| word == 0) {
            return;
        }
        let (mut images, free) = (table.to_vec(), !ends & ((1 << self.slots) - 1));
        mirror_table(&mut images, free.count_ones(), halving.mirror.kept(free) as u32);
        let to = &mut set.0[self.place(halving.mirror.image(ends))];
        to.iter_mut().zip(images).for_each(|(word, images)| *word |= images);
    }

    /// The patterns of a set that have no ends.
    pub fn closed_patterns(&self, set: &PatternSet, stored: Stored) -> PatternSet {
        let mut closed = self.empty(stored);
        closed.0[..self.start[1]].copy_from_slice(&set.0[..self.start[1]]);
        closed
    }

    /// The block of the pattern with these twos and no ends, if the set has it.
    pub fn closed_block(&self, set: &PatternSet, twos: u32) -> Option<usize> {
        let (words, bit) = (twos as usize / 64, twos % 64);
        let before: u32 = set.0[..words].iter().map(|word| word.count_ones()).sum();
        let within = (set.0[words] & ((1 << bit) - 1)).count_ones();
        has_bit(&set.0, twos).then_some((before + within) as usize)
    }

    /// Carries patterns by all rules. `allowed` tells whether a rule may be used from a group.
    fn carry_patterns(
        &self,
        from: &PatternSet,
        stored_to: Stored,
        rules: &StepRules,
        allowed: impl Fn(u32, &StepRule) -> bool + Sync,
        source: impl Fn(&StepRule) -> (u32, FixedDegrees) + Sync,
        target: impl Fn(&StepRule) -> (u32, FixedDegrees) + Sync,
    ) -> PatternSet {
        let mut to = self.empty(stored_to);
        let tables = self.tables(&mut to, self.masks(stored_to));
        let (contexts, mut tables) = self.contexts(rules.concerned, tables);
        // Ends come in pairs: a context with an odd number of them is for the rules that add an odd number.
        let mut by_parity: [Vec<_>; 2] = Default::default();
        for rule in &rules.list {
            let group = extract(target(rule).0, rules.concerned) as usize;
            by_parity[(source(rule).0 & !self.alone).count_ones() as usize % 2].push((rule, group));
        }
        let tables_of = tables.par_chunks_mut(1 << rules.concerned.count_ones());
        contexts.par_iter().zip(tables_of).for_each_init(Carry::default, |carry, (context, tables)| {
            for &(rule, group) in &by_parity[context.count_ones() as usize % 2] {
                let (source, fixed) = source(rule);
                let ends = *context | source;
                let table = self.table(from, ends);
                if table.iter().all(|&word| word == 0) || !allowed(ends, rule) {
                    continue;
                }
                carry.load(table, self.slots, ends);
                carry.take(fixed);
                carry.put(target(rule).1);
                tables[group].iter_mut().zip(&carry.table).for_each(|(word, &bits)| *word |= bits);
            }
        });
        drop(tables);
        to
    }

    /// Sorts parts that belong to groups by context. Answers the ends of each context, and the parts of the groups of the
    /// first context, of the next, ..: for each context those of its `1 << concerned.count_ones()` groups, in the order of
    /// their numbers ([`extract`]). Groups that have no part get a part of their own.
    pub fn contexts<T: Default>(&self, concerned: u32, parts: Vec<T>) -> (Vec<u32>, Vec<T>) {
        let outside = !concerned & ((1 << self.slots) - 1);
        let ends_concerned: Vec<u32> = all_choices(concerned).collect();
        let contexts: Vec<u32> = all_choices(outside).collect();
        let mut parts = parts;
        parts.resize_with(contexts.len() * ends_concerned.len(), T::default);
        let mut sorted = Vec::with_capacity(parts.len());
        for context in &contexts {
            sorted.extend(ends_concerned.iter().map(|ends| std::mem::take(&mut parts[(context | ends) as usize])));
        }
        (contexts, sorted)
    }
}

/// Whether the bit with this number is set.
fn has_bit(words: &[u64], bit: u32) -> bool {
    words[bit as usize / 64] >> (bit % 64) & 1 == 1
}

/// A set of patterns: the truth tables of all groups, in order.
#[derive(Clone, PartialEq, Eq)]
pub struct PatternSet(Vec<u64>);

impl PatternSet {
    pub fn table_words(&self) -> &[u64] {
        &self.0
    }
}

/// A truth table that is carried from one group to another.
#[derive(Default)]
struct Carry {
    /// The slots that are variables.
    free: u32,
    table: Vec<u64>,
    other: Vec<u64>,
}

impl Carry {
    fn load(&mut self, table: &[u64], slots: u32, ends: u32) {
        self.free = !ends & ((1 << slots) - 1);
        self.table.clear();
        self.table.extend_from_slice(table);
    }

    /// Takes the part of the table where the fixed slots have their degrees; they are no longer variables.
    fn take(&mut self, fixed: FixedDegrees) {
        let mut slots = fixed.slots & self.free;
        while slots != 0 {
            let slot = 1 << slots.ilog2();
            slots ^= slot;
            self.free ^= slot;
            self.narrow(self.place(slot), fixed.twos & slot != 0);
        }
    }

    /// Makes the fixed slots variables, where they have their degrees.
    fn put(&mut self, fixed: FixedDegrees) {
        debug_assert!(fixed.slots & self.free == 0);
        let mut slots = fixed.slots;
        while slots != 0 {
            let slot = 1 << slots.trailing_zeros();
            slots ^= slot;
            self.free |= slot;
            self.widen(self.place(slot), fixed.twos & slot != 0);
        }
    }

    /// The number of a slot among the variables, given as a mask.
    fn place(&self, slot: u32) -> u32 {
        (self.free & (slot - 1)).count_ones()
    }

    /// Takes the half where the variable `var` has `value`.
    fn narrow(&mut self, var: u32, value: bool) {
        if let ([word], 0..6) = (&mut self.table[..], var) {
            *word = squeeze(*word >> (u32::from(value) << var), var);
            return;
        }
        self.other.clear();
        if var >= 6 {
            let half = 1 << (var - 6);
            let parts = self.table.chunks_exact(2 * half);
            self.other.extend(parts.flat_map(|part| if value { &part[half..] } else { &part[..half] }));
        } else {
            let half = |word: &u64| squeeze(word >> (u32::from(value) << var), var);
            let pairs = self.table.chunks(2);
            self.other.extend(pairs.map(|pair| half(&pair[0]) | pair.get(1).map_or(0, half) << 32));
        }
        std::mem::swap(&mut self.table, &mut self.other);
    }

    /// Makes the table the half where a new variable `var` has `value`; the other half is empty.
    fn widen(&mut self, var: u32, value: bool) {
        let vars = self.free.count_ones();
        let widened = |half: u64| spread(half, var) << (u32::from(value) << var);
        if let ([word], 0..7) = (&mut self.table[..], vars) {
            *word = widened(*word & LOW_HALVES[5]);
            return;
        }
        self.other.clear();
        if var >= 6 {
            let half = 1 << (var - 6);
            for part in self.table.chunks_exact(half) {
                let empty = std::iter::repeat_n(0, half);
                if value {
                    self.other.extend(empty);
                    self.other.extend_from_slice(part);
                } else {
                    self.other.extend_from_slice(part);
                    self.other.extend(empty);
                }
            }
        } else {
            for word in &self.table {
                self.other.push(widened(*word & LOW_HALVES[5]));
                if vars > 6 {
                    self.other.push(widened(word >> 32));
                }
            }
        }
        std::mem::swap(&mut self.table, &mut self.other);
    }
}

/// The 32 bits whose index has a 0 at `bit`, packed at the low end.
fn squeeze(word: u64, bit: u32) -> u64 {
    (bit..5).fold(word & LOW_HALVES[bit as usize], |word, p| (word | word >> (1 << p)) & LOW_HALVES[p as usize + 1])
}

/// The low 32 bits, spread to where the index has a 0 at `bit`.
fn spread(word: u64, bit: u32) -> u64 {
    (bit..5).rev().fold(word, |word, p| (word | word << (1 << p)) & LOW_HALVES[p as usize])
}
