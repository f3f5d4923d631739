//! By which rule a crew hires: whom an idle worker nominates, what it is given, and who goes along.
//!
//! The rule that is used comes first; the others are those it has grown from, each one step further, and stay so that
//! they can be compared. README.md beside this file has the figures.

use super::protocol::{Choice, Company, NOTHING_TO_GIVE};
use crate::search::HandOver;

/// From here on a nomination draws workers: to look at every mailbox would cost more than the best choice gains.
const DRAW_WORKERS_MIN: usize = 64;
/// How many it draws.
const DRAWS: u32 = 8;

/// What a worker publishes, by which it is nominated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// The share of the tree that is left in its hands.
    Left,
    /// Its lowest open level.
    OpenLevel,
    /// The depth of its current node.
    Depth,
}

impl Key {
    /// The key of a worker in whose hands this share of the tree is left, with this open level and at this depth.
    pub fn of(
        self,
        left: impl FnOnce() -> f64,
        open_level: impl FnOnce() -> Option<usize>,
        depth: impl FnOnce() -> usize,
    ) -> u32 {
        match self {
            Key::Left => key_of_share(left()),
            Key::OpenLevel => open_level().map_or(NOTHING_TO_GIVE, |level| level as u32),
            Key::Depth => depth() as u32,
        }
    }
}

/// A rule; see the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// What a worker publishes.
    pub key: Key,
    /// Among whom one is nominated.
    pub choice: Choice,
    /// What the hired worker gets.
    pub hand_over: HandOver,
    /// Who goes along with it.
    pub company: Company,
}

impl Rule {
    /// The rule of a crew of so many workers: the usual one, or that of the source where the next move is handed over.
    pub fn of(workers: usize, hand_over: HandOver) -> Rule {
        let choice = if workers < DRAW_WORKERS_MIN { Choice::All } else { Choice::Drawn(DRAWS) };
        match hand_over {
            HandOver::Shallowest => Rule { key: Key::Left, choice, hand_over, company: Company::Half },
            HandOver::Next => Rule { choice, ..Rule::source() },
        }
    }

    /// The source's.
    const fn source() -> Rule {
        Rule { key: Key::Depth, choice: Choice::All, hand_over: HandOver::Next, company: Company::Nobody }
    }
}

/// A rule that was used before, by name.
#[derive(Clone, Copy, Debug)]
pub struct Earlier {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// The rule.
    pub rule: Rule,
}

const OPEN_LEVEL: Rule = Rule { key: Key::OpenLevel, hand_over: HandOver::Shallowest, ..Rule::source() };
const HALVING: Rule = Rule { company: Company::Half, ..OPEN_LEVEL };
const TWO_DRAWN: Rule = Rule { choice: Choice::Drawn(2), ..HALVING };

/// The rules that were used before, the first one first.
pub const EARLIER: [Earlier; 4] = [
    Earlier {
        name: "source",
        summary: "the lowest depth of all is nominated and gives its next move; nobody goes along (Radley)",
        rule: Rule::source(),
    },
    Earlier {
        name: "open-level",
        summary: "the lowest open level of all is nominated and gives its first branch",
        rule: OPEN_LEVEL,
    },
    Earlier { name: "halving", summary: "the same, and half of those who wait go along", rule: HALVING },
    Earlier { name: "two-drawn", summary: "the same, and two drawn at random are looked at, not all", rule: TWO_DRAWN },
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
        let [few, many] = [63, 64].map(|workers| Rule::of(workers, HandOver::Shallowest).choice);
        assert_eq!([few, many], [Choice::All, Choice::Drawn(DRAWS)]);
        assert_eq!(Rule::of(2, HandOver::Next), Rule::source());
    }
}
