//! By which rule a crew hires: whom an idle worker nominates, what it is given, and who goes along.
//!
//! The rule that is used comes first; the others are those it has grown from, each one step further, and stay so that
//! they can be compared. README.md beside this file has the figures.

use super::protocol::{Company, NOTHING_TO_GIVE, NominationScope};
use crate::search::HandOver;

/// From here on a nomination draws workers: to look at every mailbox would cost more than the best choice gains.
const DRAW_WORKERS_MIN: usize = 64;
/// How many it draws.
const DRAWS: u32 = 8;

/// What a worker publishes, by which it is nominated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NominationKey {
    /// The share of the tree that is left in its hands.
    Left,
    /// Its lowest open level.
    OpenLevel,
    /// The depth of its current node.
    Depth,
}

impl NominationKey {
    /// The key of a worker in whose hands this share of the tree is left, with this open level and at this depth.
    pub fn of(
        self,
        left: impl FnOnce() -> f64,
        open_level: impl FnOnce() -> Option<usize>,
        depth: impl FnOnce() -> usize,
    ) -> u32 {
        match self {
            NominationKey::Left => key_of_share(left()),
            NominationKey::OpenLevel => open_level().map_or(NOTHING_TO_GIVE, |level| level as u32),
            NominationKey::Depth => depth() as u32,
        }
    }
}

/// A rule; see the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NominationRule {
    /// What a worker publishes.
    pub key: NominationKey,
    /// Among whom one is nominated.
    pub choice: NominationScope,
    /// What the hired worker gets.
    pub hand_over: HandOver,
    /// Who goes along with it.
    pub company: Company,
}

impl NominationRule {
    /// The rule of a crew of so many workers: the usual one, or that of the source where the next move is handed over.
    pub fn of(workers: usize, hand_over: HandOver) -> NominationRule {
        let choice = if workers < DRAW_WORKERS_MIN { NominationScope::All } else { NominationScope::Drawn(DRAWS) };
        match hand_over {
            HandOver::Shallowest => {
                NominationRule { key: NominationKey::Left, choice, hand_over, company: Company::Half }
            }
            HandOver::Next => NominationRule { choice, ..NominationRule::source() },
        }
    }

    /// The source's.
    const fn source() -> NominationRule {
        NominationRule {
            key: NominationKey::Depth,
            choice: NominationScope::All,
            hand_over: HandOver::Next,
            company: Company::Nobody,
        }
    }
}

/// A rule that was used before, by name.
#[derive(Clone, Copy, Debug)]
pub struct EarlierRule {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// The rule.
    pub rule: NominationRule,
}

const OPEN_LEVEL: NominationRule =
    NominationRule { key: NominationKey::OpenLevel, hand_over: HandOver::Shallowest, ..NominationRule::source() };
const HALVING: NominationRule = NominationRule { company: Company::Half, ..OPEN_LEVEL };
const TWO_DRAWN: NominationRule = NominationRule { choice: NominationScope::Drawn(2), ..HALVING };

/// The rules that were used before, the first one first.
pub const EARLIER: [EarlierRule; 4] = [
    EarlierRule {
        name: "source",
        summary: "the lowest depth of all is nominated and gives its next move; nobody goes along (Radley)",
        rule: NominationRule::source(),
    },
    EarlierRule {
        name: "open-level",
        summary: "the lowest open level of all is nominated and gives its first branch",
        rule: OPEN_LEVEL,
    },
    EarlierRule { name: "halving", summary: "the same, and half of those who wait go along", rule: HALVING },
    EarlierRule {
        name: "two-drawn",
        summary: "the same, and two drawn at random are looked at, not all",
        rule: TWO_DRAWN,
    },
];

/// A share of the tree, 0..=1, as the key of a nomination: the larger the lower, and that of no share at all says that
/// there is nothing to give. It is the upper half of the number's own bits, which are in the order of what they stand for.
fn key_of_share(share: f64) -> u32 {
    u32::MAX - (share.max(0.0).to_bits() >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_shares_have_lower_keys_and_none_has_the_highest() {
        let shares = [1.0, 0.999, 0.5, 0.25, 1e-9, 1e-60, 0.0];
        let keys = shares.map(key_of_share);
        assert!(keys.is_sorted_by(|a, b| a < b), "{keys:?}");
        assert_eq!(keys[6], NOTHING_TO_GIVE);
        assert_eq!(key_of_share(-0.0), NOTHING_TO_GIVE);
    }

    #[test]
    fn small_crews_look_at_everybody_and_large_ones_draw() {
        let [few, many] = [63, 64].map(|workers| NominationRule::of(workers, HandOver::Shallowest).choice);
        assert_eq!([few, many], [NominationScope::All, NominationScope::Drawn(DRAWS)]);
        assert_eq!(NominationRule::of(2, HandOver::Next), NominationRule::source());
    }
}
