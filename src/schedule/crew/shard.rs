//! A shard: the number of one part of a tree among many, and how it is written.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Number of parts in a group.
const GROUP: u32 = 128;

/// Part `index` of `of` parts, from 1 on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    index: u32,
    of: u32,
}

impl Shard {
    /// Largest number of parts: each part must find its prefixes among those of all parts.
    pub const MOST: u32 = 1_000_000;
    /// Version of the way in which prefixes are found and dealt out. Parts that were made in different ways do not fit
    /// together.
    pub const DEAL: u32 = 2;

    /// Part `index` of `of`; `None` when there is no such part.
    pub fn new(index: u32, of: u32) -> Option<Shard> {
        ((1..=of).contains(&index) && of <= Shard::MOST).then_some(Shard { index, of })
    }

    /// Number of this part, from 1.
    pub fn index(self) -> u32 {
        self.index
    }

    /// Number of all parts.
    pub fn of(self) -> u32 {
        self.of
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Shard, String> {
        text.parse()
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let wrong =
            || format!("'{text}' is no part: write I/N, such as 3/64, with I from 1 to N and N up to {}", Shard::MOST);
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        number(index).zip(number(of)).and_then(|(index, of)| Shard::new(index, of)).ok_or_else(wrong)
    }
}

impl Shard {
    /// Numbers of the parts in the group of this part.
    pub(in crate::schedule) fn group(self) -> RangeInclusive<u32> {
        let first = (self.index - 1) / GROUP * GROUP + 1;
        first..=(first + GROUP - 1).min(self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_as_they_are_written_and_others_are_not() {
        let shard: Shard = "3/64".parse().unwrap();
        assert_eq!((shard.index(), shard.of(), shard.to_string().as_str()), (3, 64, "3/64"));
        for wrong in ["", "3", "0/4", "5/4", "-1/4", "+1/4", "1/0", "1/1000001", "1/4/4", "a/b", "1 /4"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn groups_are_neighbours_and_cover_all_parts() {
        let group = |index, of| Shard::new(index, of).unwrap().group();
        assert_eq!((group(1, 3), group(3, 3)), (1..=3, 1..=3));
        assert_eq!((group(128, 300), group(129, 300), group(300, 300)), (1..=128, 129..=256, 257..=300));
    }
}
