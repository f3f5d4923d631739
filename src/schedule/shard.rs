//! One part of a tree out of many, of which every machine can work out for itself what it is.
//!
//! The tree is opened, with the search's own pruning, down to nodes whose share of it (every branching shares equally)
//! is small: some [`PREFIXES`] of them for each part. In the order in which the search comes to them they are cut
//! into blocks of as many as there are parts, and each block is dealt out, one to each part, in an order drawn for that
//! block. Neighbours in the tree are alike, so parts are more alike than if they had been drawn from the whole; and since
//! which part gets which is drawn, some parts tell what all of them come to, and how sure that is.
//!
//! The nodes above the prefixes are entered by every part, but counted by the first one only: the figures of all parts
//! add up to those of the tree.

use super::deliver::Courier;
use super::{Crew, outcome::Totals};
use crate::search::{HandOver, Nodes, Out, Search, Status, Tally, Task, TourSink};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Prefixes in each part, at least and at most, where the tree has as many: sizes differ widely, four times their mean is
/// their standard deviation, and the more there are in a part the more they make up for each other.
const PREFIXES: RangeInclusive<u64> = 16..=1024;
/// Prefixes of all parts together, between these bounds: every part has to find them, in less than a second.
const PREFIXES_OF_ALL: u64 = 1 << 19;
/// How large the prefixes may be at first, in shares of which there would be as many as wanted: none is as large as it may
/// be.
const COARSE: f64 = 4.0;
/// How much smaller the prefixes are to be when there were too few.
const FINER: f64 = 4.0;
/// Where the drawing of the order begins.
const SEED: u64 = 2002;

/// Part `index` of `of` parts, from 1 on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    index: u32,
    of: u32,
}

impl Shard {
    /// Parts at most: each must find its prefixes, among those of all.
    pub const MOST: u32 = 1_000_000;
    /// How the prefixes are found and dealt out; parts made in another way do not fit together.
    pub const DEAL: u32 = 1;

    /// Part `index` of `of`; nothing when there is no such part.
    pub fn new(index: u32, of: u32) -> Option<Shard> {
        ((1..=of).contains(&index) && of <= Shard::MOST).then_some(Shard { index, of })
    }

    /// Its number, from 1.
    pub fn index(self) -> u32 {
        self.index
    }

    /// How many there are.
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

impl Crew {
    /// The prefixes of a shard, which nobody has entered; the nodes above them are counted as worker 0's, of the first
    /// shard.
    pub(super) fn open_shard<S: Search + Clone>(&self, search: &S, shard: Shard) -> Vec<Task> {
        let mut opener = search.clone();
        let (limit, mut totals) = (fineness(&mut opener, shard), Totals::default());
        let mut mine = Vec::new();
        let mut deal = Deal::new(shard);
        self.guard(0, || {
            let mut courier = self.delivery().map(|delivery| Courier::new(delivery, self.control()));
            let first = shard.index == 1;
            let sink = courier.as_mut().filter(|_| first).map(|courier| courier as &mut dyn TourSink);
            let levels = self.meters().levels() != super::Levels::Off;
            let mut out = Out { tally: &mut totals.tally, levels, sink };
            open(&mut opener, limit, &mut out, &mut |task| mine.extend(deal.is_next_mine().then_some(task)));
            if let Some(courier) = &mut courier {
                courier.flush();
            }
        });
        if shard.index == 1 {
            self.carry(totals.tally);
        }
        mine
    }
}

/// How small a share a prefix is to have.
fn fineness<S: Search>(search: &mut S, shard: Shard) -> f64 {
    let of = u64::from(shard.of);
    let wanted = of * (PREFIXES_OF_ALL / of).clamp(*PREFIXES.start(), *PREFIXES.end());
    let mut limit = COARSE / wanted as f64;
    let mut before = 0;
    loop {
        let (mut tally, mut count) = (Tally::default(), 0);
        open(search, limit, &mut Out { tally: &mut tally, levels: false, sink: None }, &mut |_| count += 1);
        // Of a tree that has no more it is no use to go on.
        if count >= wanted || (count <= before && tally.nodes > wanted) || count == 0 {
            return limit;
        }
        (before, limit) = (count, limit / FINER);
    }
}

/// Enters all nodes whose share is not below `limit`, and hands what lies below them to `each`, not entered.
fn open<S: Search>(search: &mut S, limit: f64, out: &mut Out<'_>, each: &mut dyn FnMut(Task)) {
    search.begin(&Task::root());
    loop {
        if search.child_share() < limit {
            std::iter::from_fn(|| search.split(HandOver::Next)).for_each(&mut *each);
        }
        if search.advance(&mut Nodes(1), out) == Status::Exhausted {
            return;
        }
    }
}

/// Deals prefixes out as they come.
struct Deal {
    shard: Shard,
    random: u64,
    /// The places of a block, shuffled.
    places: Vec<u32>,
    /// The next place in the block.
    next: u32,
    mine: u32,
}

impl Deal {
    fn new(shard: Shard) -> Deal {
        Deal { shard, random: SEED, places: (0..shard.of).collect(), next: shard.of, mine: 0 }
    }

    /// Whether the next prefix is one of the part's.
    fn is_next_mine(&mut self) -> bool {
        if self.next == self.shard.of {
            for last in (1..self.places.len()).rev() {
                let other = ((u128::from(self.draw()) * (last as u128 + 1)) >> 64) as usize;
                self.places.swap(last, other);
            }
            (self.next, self.mine) = (0, self.places[self.shard.index as usize - 1]);
        }
        self.next += 1;
        self.next - 1 == self.mine
    }

    /// The next random number. Written out here, for what the parts are must never change with a library.
    ///
    /// # Source
    /// Guy L. Steele, Doug Lea, Christine H. Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
    fn draw(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
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
    fn every_prefix_belongs_to_one_part_and_the_deal_never_changes() {
        let parts: Vec<Vec<bool>> = (1..=7)
            .map(|index| {
                let mut deal = Deal::new(Shard::new(index, 7).unwrap());
                (0..25).map(|_| deal.is_next_mine()).collect()
            })
            .collect();
        let owners: Vec<usize> = (0..25).map(|k| parts.iter().position(|part| part[k]).unwrap()).collect();
        assert!((0..25).all(|k| parts.iter().filter(|part| part[k]).count() == 1));
        assert_eq!(owners[..14], [0; 14]);
    }
}
