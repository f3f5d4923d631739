//! Subtrees as they lie in the queue, and how the first of them are made.

use super::rules::SubtreeRules;
use crate::board::{Ending, SquareMask};
use std::collections::VecDeque;

/// Words of a packed prefix.
///
/// ```text
/// word  0      1  2 3     4 5   6 7      8 ..
///       depth  -  vacant  last  untried  the path, four squares in a word, the first in the lowest byte
/// ```
pub const PREFIX_WORDS: usize = 24;
/// The first word of the path.
const PATH_WORD: usize = 8;

/// A subtree: a path that has been entered, and the untried steps from its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prefix {
    path: Vec<u8>,
    /// Squares that are not on the path.
    pub vacant: u64,
    /// Squares on which a tour may end.
    pub last: u64,
    /// Untried steps from the end of the path.
    pub untried: u64,
}

impl Prefix {
    /// A prefix whose path is the start alone.
    pub fn root(start: usize, vacant: u64, last: u64, untried: u64) -> Prefix {
        Prefix { path: vec![start as u8], vacant, last, untried }
    }

    /// The part of a subtree that lies below the steps `untried` from the end of this path.
    ///
    /// # Panics
    /// When the path is empty.
    pub fn part(path: Vec<u8>, all: u64, last: u64, untried: u64) -> Prefix {
        assert!(!path.is_empty(), "a path has a start");
        let vacant = path.iter().fold(all, |vacant, &square| vacant & !u64::bit(square.into()));
        Prefix { path, vacant, last, untried }
    }

    /// The squares of the path, in order.
    pub fn path(&self) -> &[u8] {
        &self.path
    }

    pub fn packed(&self) -> [u32; PREFIX_WORDS] {
        let mut words = [0; PREFIX_WORDS];
        words[0] = self.path.len() as u32;
        for (at, set) in [(2, self.vacant), (4, self.last), (6, self.untried)] {
            [words[at], words[at + 1]] = halves(set);
        }
        for (level, &square) in self.path.iter().enumerate() {
            words[PATH_WORD + level / 4] |= u32::from(square) << (8 * (level % 4));
        }
        words
    }
}

/// A set of squares as two words, the lower squares first.
pub fn halves(set: u64) -> [u32; 2] {
    [set as u32, (set >> 32) as u32]
}

/// The set of squares in two words.
pub fn from_halves(halves: [u32; 2]) -> u64 {
    u64::from(halves[0]) | u64::from(halves[1]) << 32
}

/// Prefixes for the queue, and what was counted while making them: together they cover the whole search.
#[derive(Debug)]
pub struct PrefixDeal {
    /// The prefixes; none of their subtrees is empty.
    pub prefixes: Vec<Prefix>,
    /// Nodes entered while making the prefixes.
    pub nodes: u64,
    /// Tours found while making the prefixes: only that of a board of one square.
    pub tours: u64,
}

impl SubtreeRules {
    /// The prefixes whose path is the start alone. Their subtrees hold every tour once; the start counts as entered.
    ///
    /// A closed tour uses two neighbours of its start: the lower one is the second square, the higher one the last.
    /// So there is one prefix for each possible second square, and all these prefixes belong to one node, the start.
    pub fn roots(&self) -> Vec<Prefix> {
        let root =
            |start: usize, last: u64, untried: u64| Prefix::root(start, self.all ^ u64::bit(start), last, untried);
        match self.ending {
            Ending::Open => self.starts.iter().map(|start| root(start, self.all, self.near[start])).collect(),
            Ending::Closed => {
                let start = self.starts.first();
                let seconds = self.near[start].iter();
                let above = |second: usize| self.near[start] & !(u64::bit(second) | (u64::bit(second) - 1));
                let closable = seconds.filter(|&second| above(second) != 0);
                closable.map(|second| root(start, above(second), u64::bit(second))).collect()
            }
        }
    }
}

/// Makes about `wanted` prefixes, shortest paths first. A path longer than half the board is not extended.
pub fn make_prefixes(rules: &SubtreeRules, wanted: usize) -> PrefixDeal {
    let (mut nodes, tours) = rules.root_counts();
    let mut open: VecDeque<Prefix> = rules.roots().into();
    open.retain(|prefix| prefix.untried & prefix.vacant != 0);
    while let Some(prefix) = open.front() {
        if open.len() >= wanted || prefix.path.len() as u32 > rules.squares() / 2 {
            break;
        }
        let Some(prefix) = open.pop_front() else { break };
        for next in prefix.untried.iter() {
            nodes += 1;
            let child = extended(rules, &prefix, next);
            if child.untried != 0 {
                open.push_back(child);
            }
        }
    }
    PrefixDeal { prefixes: open.into(), nodes, tours }
}

/// The prefix whose path has one more square.
fn extended(rules: &SubtreeRules, prefix: &Prefix, next: usize) -> Prefix {
    let left = usize::from(prefix.path[prefix.path.len() - 1]);
    let vacant = prefix.vacant ^ u64::bit(next);
    let path = prefix.path.iter().copied().chain([next as u8]).collect();
    Prefix { path, vacant, last: prefix.last, untried: rules.next_steps(left, next, vacant, prefix.last) }
}
