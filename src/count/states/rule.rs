//! What a step does to degree patterns: all the ways to give the processed square its two moves.
//!
//! A square has degree 0, 1 or 2 when it is processed. Its missing moves must lead to neighbours still ahead with a
//! degree below 2: at most eleven choices for four neighbours. The square's slot and the slots of its neighbours ahead
//! are the **slots concerned**. A [`StepRule`] is a choice, together with the slots concerned that hold ends before and
//! after. The rest of a pattern stays as it is, so the same few rules serve every pattern. Patterns that agree outside
//! the slots concerned form a **context**: no rule leads from one context to another. Within a context, a group is
//! numbered by the slots concerned that hold ends ([`extract`]).

use super::apex::APEX_SLOT;
use super::matching::Change;
use super::mirror::{Mirror, Stored};
use super::order::FrontierStep;
use crate::memory::room;

/// One choice at a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepRule {
    /// The chosen neighbours, as bits of their places in [`FrontierStep::ahead`].
    pub chosen: u32,
    /// The slots concerned that hold ends before the step.
    pub before: u32,
    /// The number of the group before the step within its context: its ends among the slots concerned.
    pub group_before: usize,
    /// The slots concerned that hold ends after the step.
    pub after: u32,
    /// Slots without an end before the step whose degree the rule fixes.
    pub fixed_before: FixedDegrees,
    /// Slots without an end after the step whose degree the rule fixes.
    pub fixed_after: FixedDegrees,
    effect: SlotEffect,
}

/// Slots whose degree is fixed at 0 or 2.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FixedDegrees {
    /// The slots with a fixed degree.
    pub slots: u32,
    /// The slots among them with degree 2.
    pub twos: u32,
}

impl FixedDegrees {
    fn add(&mut self, slot: u32, two: bool) {
        self.slots |= slot;
        self.twos |= if two { slot } else { 0 };
    }
}

/// What a rule does to the ends, by slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SlotEffect {
    Same,
    Move { from: u32, to: u32 },
    Insert(u32, u32),
    Join(u32, u32),
}

impl StepRule {
    /// The change of the matching, where `before` and `after` are all slots that hold ends.
    pub fn change(&self, before: u32, after: u32) -> Change {
        let point = |ends: u32, slot: u32| (ends & (slot - 1)).count_ones() as u8;
        match self.effect {
            SlotEffect::Same => Change::Same,
            SlotEffect::Move { from, to } => match (point(before, from), point(after, to)) {
                (i, j) if i == j => Change::Same,
                (i, j) => Change::Move(i, j),
            },
            SlotEffect::Insert(a, b) => Change::Insert(point(after, a.min(b)), point(after, a.max(b))),
            SlotEffect::Join(a, b) => Change::Join(point(before, a.min(b)), point(before, a.max(b))),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepRules {
    /// The slots concerned: the square's own and those of its neighbours ahead, and the mark of groups that are alone if the
    /// step sets or clears it.
    pub concerned: u32,
    /// All rules, ordered by `after`, then by choice. Rules with one `after` have different choices, or differ in the mark.
    pub list: Vec<StepRule>,
    /// By the number of the group after the step: how many rules come before the rules that lead to it.
    first: Vec<usize>,
    /// Most states before the step that lead to one state after it.
    pub fan_in: u64,
    /// The mirror, if the layer before is halved.
    halved_before: Option<Mirror>,
    /// The mark of groups that are alone (see `mirror`), if the step sets or clears it; otherwise 0.
    alone: u32,
}

impl StepRules {
    /// The rules of a step, where `before` tells which groups are stored before it.
    pub fn new(step: &FrontierStep, slots: u32, before: Stored) -> StepRules {
        let mut list = Vec::new();
        for (degree, chosen) in choices(&step.ahead) {
            // One bit for each neighbour: whether it is an end before the step. A new square in the old slot cannot be
            // one.
            for ends in 0..1 << step.ahead.len() {
                list.extend(rule(step, degree, chosen, ends));
            }
        }
        // A step sets the mark or leaves it, or clears it where it is set.
        let (sets, clears) = (step.stored == Stored::Between, before == Stored::Between);
        let alone = if sets || clears { 1 << slots } else { 0 };
        if alone != 0 {
            let marked = |rule: &StepRule| {
                if sets {
                    StepRule { after: rule.after | alone, ..*rule }
                } else {
                    StepRule { before: rule.before | alone, ..*rule }
                }
            };
            list = list.iter().flat_map(|rule| [*rule, marked(rule)]).collect();
        }
        let concerned = step.concerned() | alone;
        list.sort_by_key(|rule: &StepRule| rule.after);
        list.iter_mut().for_each(|rule| rule.group_before = extract(rule.before, concerned) as usize);
        let first = |group| list.partition_point(|rule| extract(rule.after, concerned) < group);
        let first = (0..=1 << concerned.count_ones()).map(first).collect();
        // A state that is stored alone and one that is not may lead to one state.
        let fan_in = fan_in(step, slots) * if clears { 2 } else { 1 };
        let halved_before = before.halving().map(|halving| halving.mirror);
        StepRules { concerned, list, first, fan_in, halved_before, alone }
    }

    /// Whether a rule may be used from the group with these ends before the step: the mark of groups that are alone is set where
    /// the group is its own image.
    pub fn allow(&self, rule: &StepRule, before: u32) -> bool {
        let Some(mirror) = self.halved_before.filter(|_| self.alone != 0) else { return true };
        (rule.after & self.alone != 0) == (mirror.image(before) == before)
    }

    /// Whether the states of the group with these ends before the step stand for their images, too.
    pub fn stands_for_two(&self, before: u32) -> bool {
        match self.halved_before {
            Some(mirror) => mirror.image(before) != before,
            None => before & self.alone == 0,
        }
    }

    /// The rules that lead to the group with number `group` of a context.
    pub fn leading_to(&self, group: usize) -> &[StepRule] {
        &self.list[self.first[group]..self.first[group + 1]]
    }
}

/// Most states before a step that lead to one state after it.
///
/// The choice and the state after the step determine the state before it, unless two paths were joined: then one of the pairs
/// after was two pairs before, in either direction. A join leaves degree 2 on the neighbours that it chose. With degree 2 on
/// `twos` of the neighbours there is a join for each of them and for each two of them, and ends are left on at most the other slots,
/// without that of the square itself, which is free or holds a new square that was not chosen.
fn fan_in(step: &FrontierStep, slots: u32) -> u64 {
    let all = choices(&step.ahead).count() as u64;
    let with_twos = |twos: u64| {
        let joins = twos * (twos + 1) / 2;
        let ends = u64::from(slots).saturating_sub(1 + twos) & !1;
        all - joins + joins * ends
    };
    (0..=step.ahead.len() as u64).map(with_twos).max().unwrap_or(1)
}

/// The choices: the square's degree before the step, and the chosen neighbours as bits of their places in `ahead`.
fn choices(ahead: &[u8]) -> impl Iterator<Item = (u32, u32)> {
    (0u32..1 << ahead.len()).filter(|chosen| chosen.count_ones() <= 2).map(|chosen| (2 - chosen.count_ones(), chosen))
}

/// The rule of a choice; the bits of `ends` tell which neighbours are ends before the step. Returns nothing if it is
/// forbidden.
fn rule(step: &FrontierStep, degree: u32, chosen: u32, ends: u32) -> Option<StepRule> {
    let own = 1u32 << step.slot;
    let mut rule = StepRule {
        chosen,
        before: if degree == 1 { own } else { 0 },
        group_before: 0,
        after: 0,
        fixed_before: FixedDegrees::default(),
        fixed_after: FixedDegrees::default(),
        effect: SlotEffect::Same,
    };
    if degree != 1 {
        rule.fixed_before.add(own, degree == 2);
    }
    // The ends that the new moves touch, and the squares that become ends.
    let (mut touched, mut new) = (if degree == 1 { vec![own] } else { Vec::new() }, Vec::new());
    let mut own_slot_is_end = false;
    for (place, &slot) in step.ahead.iter().enumerate() {
        let (slot, is_chosen, was_end) = (1 << slot, chosen >> place & 1 == 1, ends >> place & 1 == 1);
        if let Some(apex) = step.apex.filter(|_| slot == 1 << APEX_SLOT) {
            let allowed = if was_end { apex.second } else { apex.first };
            if is_chosen && !allowed || !is_chosen && apex.required {
                return None;
            }
        }
        match (is_chosen, was_end) {
            (_, true) if slot == own => return None,
            (true, false) => {
                if slot == own {
                    own_slot_is_end = true;
                } else {
                    rule.fixed_before.add(slot, false);
                }
                rule.after |= slot;
                new.push(slot);
            }
            (true, true) => {
                rule.before |= slot;
                rule.fixed_after.add(slot, true);
                touched.push(slot);
            }
            (false, true) => {
                rule.before |= slot;
                rule.after |= slot;
            }
            (false, false) => {}
        }
    }
    if !own_slot_is_end {
        rule.fixed_after.add(own, false);
    }
    rule.effect = match (&touched[..], &new[..]) {
        (&[from], &[to]) => SlotEffect::Move { from, to },
        ([], &[a, b]) => SlotEffect::Insert(a, b),
        (&[a, b], []) => SlotEffect::Join(a, b),
        _ => SlotEffect::Same,
    };
    Some(rule)
}

/// The groups with these masks by contexts, both rising, and in each by number, with their places among `masks`. No two masks are
/// equal.
///
/// Looks up all masks there could be: for the thousands of groups of a layer that takes less than to sort them.
pub fn by_context(masks: impl Iterator<Item = u32> + Clone, concerned: u32) -> Vec<(u32, usize, usize)> {
    let all = masks.clone().fold(concerned, |all, mask| all | mask);
    let mut place_of = vec![u32::MAX; all as usize + 1];
    (0..).zip(masks.clone()).for_each(|(place, mask)| place_of[mask as usize] = place);
    let mut groups = room(masks.count());
    let numbered: Vec<u32> = all_choices(concerned).collect();
    for context in all_choices(all & !concerned) {
        for (number, &ends) in numbered.iter().enumerate() {
            let place = place_of[(context | ends) as usize];
            if place != u32::MAX {
                groups.push((context, number, place as usize));
            }
        }
    }
    groups
}

/// The choice from `slots` that follows `choice` in rising order; the empty choice follows the full one.
pub fn next_choice(choice: u32, slots: u32) -> u32 {
    choice.wrapping_sub(slots) & slots
}

/// All choices from `slots` in rising order.
pub fn all_choices(slots: u32) -> impl Iterator<Item = u32> + Clone {
    std::iter::successors(Some(0), move |&choice| Some(next_choice(choice, slots)).filter(|&next| next != 0))
}

/// The bits of `value` where `mask` has ones, packed at the low end.
pub fn extract(value: u32, mask: u32) -> u32 {
    let (mut result, mut mask, mut bit) = (0, mask, 0);
    while mask != 0 {
        result |= (value >> mask.trailing_zeros() & 1) << bit;
        mask &= mask - 1;
        bit += 1;
    }
    result
}

/// The low bits of `value`, spread to the places where `mask` has ones.
pub fn deposit(value: u32, mask: u32) -> u32 {
    let (mut result, mut mask, mut value) = (0, mask, value);
    while mask != 0 && value != 0 {
        result |= (value & 1) << mask.trailing_zeros();
        mask &= mask - 1;
        value >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::count::ask::primes::{WIDE, WIDE_TERMS};
    use crate::count::states::apex::Apex;
    use crate::count::states::order::{Images, StepOrder};

    #[test]
    fn groups_are_in_the_order_of_their_contexts_and_numbers() {
        for concerned in [0, 0b1, 0b1010_0110, 0b1111_1111, 0b1_0000_0001] {
            let masks: Vec<u32> = (0..256).filter(|mask| mask * mask % 7 < 4).map(|mask| mask ^ 0b1_0110).collect();
            let mut sorted: Vec<(u32, usize, usize)> = masks
                .iter()
                .enumerate()
                .map(|(place, &mask)| (mask & !concerned, extract(mask, concerned) as usize, place))
                .collect();
            sorted.sort();
            assert_eq!(by_context(masks.iter().copied(), concerned), sorted);
        }
        assert_eq!(by_context([].into_iter(), 0b11), []);
    }

    /// So remainders of 56 bits add up in 64 bits, reduced at most once between.
    #[test]
    fn no_count_has_more_than_twice_256_terms() {
        let apex = Apex { first: [true; 2], second: [true; 2], unlike: true, required: None };
        let mut most = 0;
        for (cols, images) in (1..=9).flat_map(|cols| [(cols, Images::OneOfTwo), (cols, Images::Both)]) {
            for apex in [None, Some(apex)] {
                let order = StepOrder::of_range(Board::new(10, cols).unwrap(), &[8], apex, images);
                for (at, step) in order.steps.iter().enumerate() {
                    most = most.max(StepRules::new(step, order.slots, order.stored(at)).fan_in);
                }
            }
        }
        assert_eq!(most, 362);
        assert!(u128::from(WIDE_TERMS) * u128::from(WIDE) <= 1 << 64 && most < 2 * WIDE_TERMS);
    }
}
