//! The names of the tie-breaks: which square Warnsdorff's rule takes when several have the lowest rank.

use std::fmt;
use std::str::FromStr;

/// A tie-break of Warnsdorff's rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tie {
    /// The order in which Kurapati's shader compares the neighbours.
    Kurapati,
    /// A fixed order, clockwise.
    Fixed,
    /// A random square of those with the lowest rank.
    Random,
    /// The lowest sum of the ranks 1 level ahead, then 2, up to this level, 1..=[`Tie::LEVELS_MAX`]; then a random square
    /// (Pohl).
    Pohl(u32),
    /// The square farthest from the centre of the board, then the fixed order (Roth).
    Roth,
    /// The square farthest from the centre of the board, then a random one.
    RothRandom,
    /// The square with the neighbour of lowest rank, then a random one.
    LowestNeighbour,
}

impl Tie {
    /// Most levels that a tie-break looks ahead; each level costs up to eight times the level before.
    pub const LEVELS_MAX: u32 = 5;

    /// The names that a user may type, for help and error messages.
    pub const NAMES: &str = "kurapati, fixed, random, pohl-1 to pohl-5, roth, roth-random, lowest-neighbour";

    /// One tie-break of each kind, the default first.
    pub const ALL: [Tie; 7] =
        [Tie::Roth, Tie::RothRandom, Tie::Kurapati, Tie::Fixed, Tie::Random, Tie::Pohl(1), Tie::LowestNeighbour];
}

impl Tie {
    /// Whether the tie-break ends with a random choice; the other tie-breaks are deterministic.
    pub fn is_random(self) -> bool {
        !matches!(self, Tie::Kurapati | Tie::Fixed | Tie::Roth)
    }
}

impl fmt::Display for Tie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tie::Kurapati => f.pad("kurapati"),
            Tie::Fixed => f.pad("fixed"),
            Tie::Random => f.pad("random"),
            Tie::Pohl(levels) => f.pad(&format!("pohl-{levels}")),
            Tie::Roth => f.pad("roth"),
            Tie::RothRandom => f.pad("roth-random"),
            Tie::LowestNeighbour => f.pad("lowest-neighbour"),
        }
    }
}

/// The text, which names no tie-break.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no tie-break: write {names}", names = Tie::NAMES)]
pub struct TieError(pub String);

impl FromStr for Tie {
    type Err = TieError;

    fn from_str(text: &str) -> Result<Tie, TieError> {
        let levels = text.strip_prefix("pohl-").and_then(|levels| levels.parse().ok());
        if let Some(levels @ 1..=Tie::LEVELS_MAX) = levels {
            return Ok(Tie::Pohl(levels));
        }
        let named = Tie::ALL.into_iter().find(|tie| tie.to_string() == text);
        named.ok_or_else(|| TieError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_break_is_parsed_from_its_own_name() {
        for tie in Tie::ALL.into_iter().chain([Tie::Pohl(5)]) {
            assert_eq!(tie.to_string().parse(), Ok(tie));
        }
        for text in ["", "pohl", "pohl-0", "pohl-6", "pohl--1", "Roth"] {
            assert_eq!(text.parse::<Tie>(), Err(TieError(text.to_owned())), "{text}");
        }
    }
}
