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

use super::order::FrontierStep;
use super::rule::{FixedDegrees, StepRule, StepRules, deposit, extract};
use crate::memory::zeros;
use rayon::prelude::*;

/// The places of the groups' truth tables, shared by all sets over one number of slots.
pub struct Groups {
    /// Number of slots.
    pub slots: u32,
    /// By group: the first word of its table. Groups with an odd number of ends have no table.
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
    /// The groups of `slots` slots.
    pub fn new(slots: u32) -> Groups {
        let mut next = 0;
        let start = (0..=1u32 << slots).map(|ends| {
            let start = next;
            if ends < 1 << slots && ends.count_ones().is_multiple_of(2) {
                next += words(slots - ends.count_ones());
            }
            start
        });
        Groups { slots, start: start.collect() }
    }

    /// Number of words of a set.
    pub fn words(&self) -> usize {
        self.start[1 << self.slots]
    }

    pub fn table<'a>(&self, set: &'a PatternSet, ends: u32) -> &'a [u64] {
        &set.0[self.start[ends as usize]..self.start[ends as usize + 1]]
    }

    /// The tables of all groups, by the mask of the ends; a mask of an odd number of ends has an empty table.
    fn tables<'a>(&self, set: &'a mut PatternSet) -> Vec<&'a mut [u64]> {
        let mut rest = &mut set.0[..];
        let table = |ends: usize| rest.split_off_mut(..self.start[ends + 1] - self.start[ends]).unwrap_or_default();
        (0..1 << self.slots).map(table).collect()
    }

    pub fn empty(&self) -> PatternSet {
        PatternSet(zeros(self.words()))
    }

    /// The set of one pattern: no ends, and these twos.
    pub fn without_ends(&self, twos: u32) -> PatternSet {
        let mut set = self.empty();
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
        let leads_on = |ends: u32| ends != 0 || !closed_end;
        let (source, target) =
            (|rule: &StepRule| (rule.before, rule.fixed_before), |rule: &StepRule| (rule.after, rule.fixed_after));
        let mut after = self.carry_patterns(before, rules, leads_on, source, target);
        let tours = step.closed_patterns.iter().filter(|closed| self.has_closed(&after, closed.twos));
        let tours: Vec<u32> = tours.map(|closed| closed.twos).collect();
        after.0[..self.start[1]].fill(0);
        for twos in tours {
            after.0[twos as usize / 64] |= 1 << (twos % 64);
        }
        after
    }

    /// Drops from `before` the patterns from which a step leads to no pattern of `after`. If `closed_end`, the patterns
    /// without ends stay.
    pub fn backward(&self, before: &mut PatternSet, after: &PatternSet, rules: &StepRules, closed_end: bool) {
        let (source, target) =
            (|rule: &StepRule| (rule.after, rule.fixed_after), |rule: &StepRule| (rule.before, rule.fixed_before));
        let leading = self.carry_patterns(after, rules, |_| true, source, target);
        let first_word = if closed_end { self.start[1] } else { 0 };
        before.0.iter_mut().zip(leading.0).skip(first_word).for_each(|(word, leading)| *word &= leading);
    }

    /// The patterns of a set that have no ends.
    pub fn closed_patterns(&self, set: &PatternSet) -> PatternSet {
        let mut closed = self.empty();
        closed.0[..self.start[1]].copy_from_slice(&set.0[..self.start[1]]);
        closed
    }

    /// Whether the set has the pattern with these twos and no ends.
    fn has_closed(&self, set: &PatternSet, twos: u32) -> bool {
        set.0[twos as usize / 64] >> (twos % 64) & 1 == 1
    }

    /// The block of the pattern with these twos and no ends, if the set has it.
    pub fn closed_block(&self, set: &PatternSet, twos: u32) -> Option<usize> {
        let (words, bit) = (twos as usize / 64, twos % 64);
        let before: u32 = set.0[..words].iter().map(|word| word.count_ones()).sum();
        let within = (set.0[words] & ((1 << bit) - 1)).count_ones();
        self.has_closed(set, twos).then_some((before + within) as usize)
    }

    fn carry_patterns(
        &self,
        from: &PatternSet,
        rules: &StepRules,
        leads_on: impl Fn(u32) -> bool + Sync,
        source: impl Fn(&StepRule) -> (u32, FixedDegrees) + Sync,
        target: impl Fn(&StepRule) -> (u32, FixedDegrees) + Sync,
    ) -> PatternSet {
        let mut to = self.empty();
        let (contexts, mut tables) = self.contexts(rules.concerned, self.tables(&mut to));
        // Ends come in pairs: a context with an odd number of them is for the rules that add an odd number.
        let mut by_parity: [Vec<_>; 2] = Default::default();
        for rule in &rules.list {
            let ((source, fixed), (target, fixed_to)) = (source(rule), target(rule));
            let group = extract(target, rules.concerned) as usize;
            by_parity[source.count_ones() as usize % 2].push((source, fixed, fixed_to, group));
        }
        let tables_of = tables.par_chunks_mut(1 << rules.concerned.count_ones());
        contexts.par_iter().zip(tables_of).for_each_init(Carry::default, |carry, (context, tables)| {
            for &(source, fixed, fixed_to, group) in &by_parity[context.count_ones() as usize % 2] {
                let ends = *context | source;
                let table = self.table(from, ends);
                if table.iter().all(|&word| word == 0) || !leads_on(ends) {
                    continue;
                }
                carry.load(table, self.slots, ends);
                carry.take(fixed);
                carry.put(fixed_to);
                tables[group].iter_mut().zip(&carry.table).for_each(|(word, &bits)| *word |= bits);
            }
        });
        drop(tables);
        to
    }

    /// Sorts parts that belong to groups by context. Answers the ends of each context, and the parts of the groups of the
    /// first context, of the next, ..: for each context those of its `1 << concerned.count_ones()` groups, in the order of
    /// their numbers ([`extract`]).
    pub fn contexts<T: Default>(&self, concerned: u32, parts: Vec<T>) -> (Vec<u32>, Vec<T>) {
        let outside = !concerned & ((1 << self.slots) - 1);
        let ends_concerned: Vec<u32> = all_choices(concerned).collect();
        let contexts: Vec<u32> = all_choices(outside).collect();
        let mut parts = parts;
        let mut sorted = Vec::with_capacity(parts.len());
        for context in &contexts {
            sorted.extend(ends_concerned.iter().map(|ends| std::mem::take(&mut parts[(context | ends) as usize])));
        }
        (contexts, sorted)
    }
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

/// By bit p below 6: the bits of a word whose index has a 0 at p.
const LOW_HALVES: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

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
