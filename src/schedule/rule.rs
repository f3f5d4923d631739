//! The rule by which a crew hires: which worker an idle worker nominates, which part it is given, and which helpers go
//! along.
//!
//! The rule in use is [`NominationRule::of`]. The [`EARLIER`] rules are the steps by which it was developed. They are kept
//! for comparison; README.md beside this file has the figures.

use super::slot::{Company, NOTHING_TO_GIVE, NominationScope};
use crate::search::HandOver;

/// Number of workers from which on a nomination draws workers at random: in such a crew a look at every mailbox costs more
/// than the best choice gains.
const DRAW_WORKERS_MIN: usize = 64;
/// Number of workers drawn.
const DRAWS: u32 = 8;

/// How a tree is divided before the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeCut {
    /// Into many prefixes, dealt out in turn.
    Even,
    /// As in the source: into the starts, or a few prefixes where there are too few starts, dealt out in blocks.
    Blocks,
}

/// The key of nomination, which each worker publishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NominationKey {
    /// The share of the tree that the worker has left.
    Left,
    /// The lowest open level of the worker.
    OpenLevel,
    /// The depth of the current node of the worker.
    Depth,
}

impl NominationKey {
    /// The key of a worker with this share of the tree left, this open level and this depth.
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

/// A rule of nomination and hand-over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NominationRule {
    /// What each worker publishes.
    pub key: NominationKey,
    /// Among which workers one is nominated.
    pub choice: NominationScope,
    /// Which branch the hired worker gets.
    pub hand_over: HandOver,
    /// Which helpers go along with the hired worker.
    pub company: Company,
}

impl NominationRule {
    /// The rule of a crew of this many workers: the usual rule, or the source's rule where the next move is handed over.
    pub fn of(workers: usize, hand_over: HandOver) -> NominationRule {
        let choice = if workers < DRAW_WORKERS_MIN { NominationScope::All } else { NominationScope::Drawn(DRAWS) };
        match hand_over {
            HandOver::Shallowest => {
                NominationRule { key: NominationKey::Left, choice, hand_over, company: Company::Half }
            }
            HandOver::Next => NominationRule { choice, ..NominationRule::source() },
        }
    }

    const fn source() -> NominationRule {
        NominationRule {
            key: NominationKey::Depth,
            choice: NominationScope::All,
            hand_over: HandOver::Next,
            company: Company::None,
        }
    }
}

/// A rule that was used before, with its name.
#[derive(Clone, Copy, Debug)]
pub struct EarlierRule {
    /// Name of the rule on the command line.
    pub name: &'static str,
    /// One line about the rule, for help texts.
    pub summary: &'static str,
    pub rule: NominationRule,
}

const OPEN_LEVEL: NominationRule =
    NominationRule { key: NominationKey::OpenLevel, hand_over: HandOver::Shallowest, ..NominationRule::source() };
const HALVING: NominationRule = NominationRule { company: Company::Half, ..OPEN_LEVEL };
const TWO_DRAWN: NominationRule = NominationRule { choice: NominationScope::Drawn(2), ..HALVING };

/// The rules that were used before, the oldest first.
pub const EARLIER: [EarlierRule; 4] = [
    EarlierRule {
        name: "source",
        summary: "the worker with the lowest depth is nominated and gives its next move; no helper goes along (Radley)",
        rule: NominationRule::source(),
    },
    EarlierRule {
        name: "open-level",
        summary: "the worker with the lowest open level is nominated and gives its first branch",
        rule: OPEN_LEVEL,
    },
    EarlierRule { name: "halving", summary: "as open-level, and half of the waiting helpers go along", rule: HALVING },
    EarlierRule {
        name: "two-drawn",
        summary: "as halving, but a nomination looks at two workers drawn at random, not at all",
        rule: TWO_DRAWN,
    },
];

/// A share of the tree, 0..=1, as a key of nomination. A larger share has a lower key; the key of no share says that there
/// is nothing to give. The key is the upper half of the bits of the number, whose order is that of the numbers.
fn key_of_share(share: f64) -> u32 {
    // Of two zeros either may be the greater one: the sum has no sign.
    u32::MAX - ((share.max(0.0) + 0.0).to_bits() >> 32) as u32
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
    fn small_crews_look_at_all_workers_and_large_ones_draw() {
        let [few, many] = [63, 64].map(|workers| NominationRule::of(workers, HandOver::Shallowest).choice);
        assert_eq!([few, many], [NominationScope::All, NominationScope::Drawn(DRAWS)]);
        assert_eq!(NominationRule::of(2, HandOver::Next), NominationRule::source());
    }
}
