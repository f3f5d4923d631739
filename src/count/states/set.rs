//! Sets of degree patterns.
//!
//! A pattern gives every slot a degree: 0, 1 (an end) or 2. It is stored in two parts. The **group** is the set of
//! slots that hold ends, a mask of slots with an even number of bits. The other slots of a group have degree 0 or 2,
//! and the **twos** of a pattern are the mask of its slots with degree 2. A set of patterns lists the groups that have any. Each
//! has one truth table: a bit for every choice of twos among the slots without an end. So 16 slots take at most half of 3^16 bits,
//! 2.7 MB.
//!
//! A rule fixes the degrees of some slots and keeps the others. On truth tables that is two operations ([`Carry`]):
//! take the part of a table where a variable has a given value, and place a table as part of a larger one. Both work
//! word by word, 64 patterns at a time.
//!
//! Where one of two images is stored (see `mirror`), the mask of a group has one more bit, above the slots: the mark of groups
//! that are alone. Only the layers between halved ones have such groups.

use super::apex::UnlikeEnds;
use super::mirror::{Halving, LOW_HALVES, Stored, mirror_table};
use super::order::FrontierStep;
use super::rule::{FixedDegrees, StepRule, StepRules, all_choices, by_context, deposit, extract, next_choice};
use rayon::prelude::*;

/// The groups of a sweep: its slots.
pub struct Groups {
    pub slots: u32,
}

/// A set of patterns: the groups that have any, by rising mask, with their truth tables.
#[derive(Clone, PartialEq, Eq)]
pub struct PatternSet {
    masks: Vec<u32>,
    /// Where the table of each group begins, and one entry more for the end of the last one.
    starts: Vec<usize>,
    words: Vec<u64>,
}

impl PatternSet {
    /// The set without patterns.
    fn empty() -> PatternSet {
        PatternSet { masks: Vec::new(), starts: vec![0], words: Vec::new() }
    }

    /// The set of these tables by the masks of their groups, in any order. Several tables of one group are added up.
    fn of<'a>(tables: impl Iterator<Item = (u32, &'a [u64])>) -> PatternSet {
        let tables = by_mask(&tables.collect::<Vec<_>>());
        let mut set = PatternSet::empty();
        set.words.reserve(tables.iter().map(|(_, table)| table.len()).sum());
        for group in tables.chunk_by(|(one, _), (other, _)| one == other) {
            let first = set.words.len();
            set.words.extend_from_slice(group[0].1);
            for (_, table) in &group[1..] {
                set.words[first..].iter_mut().zip(*table).for_each(|(word, &bits)| *word |= bits);
            }
            if set.words[first..].iter().all(|&word| word == 0) {
                set.words.truncate(first);
            } else {
                set.masks.push(group[0].0);
                set.starts.push(set.words.len());
            }
        }
        set
    }

    /// Adds a group, which is not in order yet.
    fn push(&mut self, mask: u32, table: impl Iterator<Item = u64>) {
        self.masks.push(mask);
        self.words.extend(table);
        self.starts.push(self.words.len());
    }

    /// The groups that have patterns, by rising mask.
    pub fn masks(&self) -> &[u32] {
        &self.masks
    }

    /// The place of a group among those that have patterns, if it has any.
    pub fn place(&self, mask: u32) -> Option<usize> {
        self.masks.binary_search(&mask).ok()
    }

    /// The truth table of the group at a place.
    pub fn table_at(&self, place: usize) -> &[u64] {
        &self.words[self.starts[place]..self.starts[place + 1]]
    }

    /// The truth table of a group; empty if the group has no patterns.
    pub fn table(&self, mask: u32) -> &[u64] {
        self.place(mask).map_or(&[], |place| self.table_at(place))
    }

    /// The groups with their tables.
    fn tables(&self) -> impl Iterator<Item = (u32, &[u64])> {
        self.masks.iter().enumerate().map(|(place, &mask)| (mask, self.table_at(place)))
    }

    /// Calls `visit` with the tables of all sets of ends of `slots` slots, in rising order; groups without patterns have zeros.
    pub fn for_each_table(&self, slots: u32, mut visit: impl FnMut(&[u64])) {
        let zeros = vec![0; words(slots)];
        for mask in (0..1u32 << slots).filter(|mask| mask.count_ones().is_multiple_of(2)) {
            visit(self.place(mask).map_or(&zeros[..words(slots - mask.count_ones())], |place| self.table_at(place)));
        }
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&self.words[..]) + size_of_val(&self.masks[..]) + size_of_val(&self.starts[..])
    }

    /// The block of the pattern with these twos and no ends, if the set has it. The patterns without ends come first in a set.
    pub fn closed_block(&self, twos: u32) -> Option<usize> {
        let table = self.table(0);
        let (words, bit) = (twos as usize / 64, twos % 64);
        let below = |word: &u64| (word & ((1 << bit) - 1)).count_ones();
        let before: u32 = table.iter().take(words).map(|word| word.count_ones()).sum();
        let within = table.get(words).filter(|&&word| word >> bit & 1 == 1).map(below)?;
        Some((before + within) as usize)
    }
}

/// Tables by rising masks of their groups, sorted by counting the masks.
fn by_mask<'a>(tables: &[(u32, &'a [u64])]) -> Vec<(u32, &'a [u64])> {
    let most = tables.iter().map(|&(mask, _)| mask as usize).max().unwrap_or(0);
    let mut places = vec![0u32; most + 2];
    tables.iter().for_each(|&(mask, _)| places[mask as usize + 1] += 1);
    (0..=most).for_each(|mask| places[mask + 1] += places[mask]);
    let mut sorted = vec![(0, &[][..]); tables.len()];
    for &(mask, table) in tables {
        let place = &mut places[mask as usize];
        sorted[*place as usize] = (mask, table);
        *place += 1;
    }
    sorted
}

/// Words of the truth table of `vars` variables.
fn words(vars: u32) -> usize {
    1 << vars.saturating_sub(6)
}

/// The choices from at most three slots in rising order, repeated to eight entries.
fn choices(slots: u32) -> [u32; 8] {
    let mut choices = all_choices(slots).cycle();
    std::array::from_fn(|_| choices.next().unwrap_or_default())
}

impl Groups {
    /// The set of one pattern: no ends, and these twos.
    pub fn without_ends(&self, twos: u32) -> PatternSet {
        let mut table = vec![0; words(self.slots)];
        table[twos as usize / 64] = 1 << (twos % 64);
        PatternSet::of([(0, &table[..])].into_iter())
    }

    /// Slots of a group that hold no end.
    fn free(&self, mask: u32) -> u32 {
        !mask & ((1 << self.slots) - 1)
    }

    /// Calls `visit` with the twos of every pattern of a group with this table, in rising order.
    #[inline]
    pub fn for_each(&self, table: &[u64], mask: u32, mut visit: impl FnMut(u32)) {
        let free = self.free(mask);
        // The 64 patterns of a word differ in the six lowest free slots: eight choices from three, times eight from
        // three.
        let (three, six) = (deposit(0b111, free), deposit(0b11_1111, free));
        let (low, high) = (choices(three), choices(six & !three));
        let mut above = 0u32;
        for &word in table {
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
        let mut carried = self.carry(before, rules, leads_on, source, target);
        if let Some(unlike) = step.unlike {
            carried.iter_mut().for_each(|set| self.keep_unlike(set, unlike));
        }
        let tours = step.closed_patterns.iter().map(|closed| closed.twos);
        carried.iter_mut().for_each(|set| self.keep_closed(set, tours.clone()));
        let mut images = PatternSet::empty();
        let tables = || carried.iter().flat_map(PatternSet::tables);
        let Stored::OneOfTwo(halving) = step.stored else { return PatternSet::of(tables()) };
        for (ends, table) in tables().filter(|&(ends, _)| halving.adds_images(ends)) {
            self.push_images(&mut images, ends, table, halving);
        }
        PatternSet::of(tables().filter(|&(ends, _)| halving.stores(ends)).chain(images.tables()))
    }

    /// Keeps of the patterns without ends those with these twos.
    fn keep_closed(&self, set: &mut PatternSet, tours: impl Iterator<Item = u32> + Clone) {
        for place in (0..set.masks.len()).filter(|&place| self.free(set.masks[place]).count_ones() == self.slots) {
            let table = &mut set.words[set.starts[place]..set.starts[place + 1]];
            for (word, bits) in (0..).zip(table) {
                let of_word = tours.clone().filter(|twos| twos / 64 == word);
                *bits &= of_word.fold(0, |kept, twos| kept | 1 << (twos % 64));
            }
        }
    }

    /// Drops the patterns that join two squares of one colour to the apex.
    fn keep_unlike(&self, set: &mut PatternSet, unlike: UnlikeEnds) {
        for (mask, starts) in set.masks.iter().zip(set.starts.windows(2)) {
            unlike.keep(&mut set.words[starts[0]..starts[1]], mask & ((1 << self.slots) - 1));
        }
    }

    /// Drops from `before` the patterns from which a step leads to no pattern of `after`. If `closed_end`, the patterns without
    /// ends stay.
    pub fn backward(
        &self,
        before: &PatternSet,
        after: &PatternSet,
        step: &FrontierStep,
        rules: &StepRules,
        closed_end: bool,
    ) -> PatternSet {
        let (source, target) =
            (|rule: &StepRule| (rule.after, rule.fixed_after), |rule: &StepRule| (rule.before, rule.fixed_before));
        let leads_back = |ends: u32, rule: &StepRule| rules.allow(rule, ends ^ rule.after ^ rule.before);
        let carry = |after: &PatternSet| {
            let carried = self.carry(after, rules, leads_back, source, target);
            PatternSet::of(carried.iter().flat_map(PatternSet::tables))
        };
        let leading = match step.stored {
            Stored::OneOfTwo(halving) => carry(&self.whole(after, halving)),
            _ => carry(after),
        };
        let mut both = PatternSet::empty();
        for (mask, table) in before.tables() {
            let stays = if mask == 0 && closed_end { table } else { leading.table(mask) };
            if !stays.is_empty() {
                both.push(mask, table.iter().zip(stays).map(|(word, stays)| word & stays));
            }
        }
        PatternSet::of(both.tables())
    }

    /// A set with both of two images, of which `halved` has one.
    fn whole(&self, halved: &PatternSet, halving: Halving) -> PatternSet {
        let mut images = PatternSet::empty();
        for (ends, table) in halved.tables().filter(|&(ends, _)| !halving.is_own_image(ends)) {
            self.push_images(&mut images, ends, table, halving);
        }
        PatternSet::of(halved.tables().chain(images.tables()))
    }

    /// Adds the images of the patterns of a group to a set.
    fn push_images(&self, set: &mut PatternSet, ends: u32, table: &[u64], halving: Halving) {
        let (first, free) = (set.words.len(), self.free(ends));
        set.push(halving.mirror.image(ends), table.iter().copied());
        mirror_table(&mut set.words[first..], free.count_ones(), halving.mirror.kept(free) as u32);
    }

    /// The patterns of a set that have no ends.
    pub fn closed_patterns(&self, set: &PatternSet) -> PatternSet {
        PatternSet::of(set.tables().filter(|&(mask, _)| mask == 0))
    }

    /// Carries patterns by all rules, context by context. `allowed` tells whether a rule may be used from a group. Each group is in
    /// one of the sets, which are not in order.
    fn carry(
        &self,
        from: &PatternSet,
        rules: &StepRules,
        allowed: impl Fn(u32, &StepRule) -> bool + Sync,
        source: impl Fn(&StepRule) -> (u32, FixedDegrees) + Sync,
        target: impl Fn(&StepRule) -> (u32, FixedDegrees) + Sync,
    ) -> Vec<PatternSet> {
        let concerned = rules.concerned;
        let number = |mask: u32| extract(mask, concerned) as usize;
        let numbered = |rule| (number(source(rule).0), number(target(rule).0), rule);
        let mut numbered: Vec<(usize, usize, &StepRule)> = rules.list.iter().map(numbered).collect();
        numbered.sort_by_key(|&(from, ..)| from);
        let groups = 1usize << concerned.count_ones();
        let first: Vec<usize> =
            (0..=groups).map(|group| numbered.partition_point(|&(from, ..)| from < group)).collect();
        let places = by_context(from.masks.iter().copied(), concerned);
        let contexts = places.par_chunk_by(|one, other| one.0 == other.0);
        let begin = || (PatternSet::empty(), Carry::default(), vec![Vec::new(); groups]);
        let carried = contexts.fold(begin, |(mut carried, mut carry, mut tables), places| {
            for &(_, group, place) in places {
                let (ends, table) = (from.masks[place], from.table_at(place));
                for &(_, group, rule) in &numbered[first[group]..first[group + 1]] {
                    if allowed(ends, rule) && carry.load(table, self.free(ends)).take(source(rule).1) {
                        carry.put(target(rule).1);
                        carry.add_to(&mut tables[group]);
                    }
                }
            }
            for (group, table) in (0..).zip(&mut tables).filter(|(_, table)| !table.is_empty()) {
                carried.push(places[0].0 | deposit(group, concerned), table.drain(..));
            }
            (carried, carry, tables)
        });
        carried.map(|(carried, ..)| carried).collect()
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
    fn load(&mut self, table: &[u64], free: u32) -> &mut Carry {
        self.free = free;
        self.table.clear();
        self.table.extend_from_slice(table);
        self
    }

    /// Takes the part of the table where the fixed slots have their degrees; they are no longer variables. Returns whether any pattern
    /// is left.
    fn take(&mut self, fixed: FixedDegrees) -> bool {
        let mut slots = fixed.slots & self.free;
        while slots != 0 {
            let slot = 1 << slots.ilog2();
            slots ^= slot;
            self.free ^= slot;
            self.narrow(self.place(slot), fixed.twos & slot != 0);
        }
        self.table.iter().any(|&word| word != 0)
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

    /// Adds the patterns to a table, which may be empty.
    fn add_to(&self, table: &mut Vec<u64>) {
        table.resize(self.table.len(), 0);
        table.iter_mut().zip(&self.table).for_each(|(word, &bits)| *word |= bits);
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
