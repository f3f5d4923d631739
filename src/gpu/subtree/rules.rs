//! The steps of a search on a small board: its knight graph, and which steps are dead ends; and its subtrees as they lie in
//! the queue.

use super::lane::DispatchReport;
use crate::board::{Board, Ending, SmallBoard, Square, SquareMask};
use std::collections::VecDeque;

/// Squares of the largest board: a set of squares is two words of 32 bits.
pub const SQUARES_MAX: u32 = 64;

/// The board, and the tours to search.
#[derive(Clone, Debug)]
pub struct SubtreeRules {
    /// By square: the squares a knight's move away.
    pub(super) near: Vec<u64>,
    /// All squares.
    pub(super) all: u64,
    ending: Ending,
    starts: u64,
}

impl SubtreeRules {
    /// Rules for tours of this ending. Closed tours are counted once each, and searched from the start or from a
    /// corner. Open tours are directed, and searched from the start or from every square. `None` if the board has
    /// more than [`SQUARES_MAX`] squares.
    pub fn new(board: Board, ending: Ending, start: Option<Square>) -> Option<SubtreeRules> {
        let small = SmallBoard::<u64>::new(board)?;
        let all = small.all();
        let starts = match (start, ending) {
            (Some(start), _) => u64::bit(start.index() as usize),
            (None, Ending::Open) => all,
            (None, Ending::Closed) => u64::bit(0),
        };
        Some(SubtreeRules { near: small.neighbour_masks().to_vec(), all, ending, starts })
    }

    /// The number of squares of the board.
    pub fn squares(&self) -> u32 {
        self.all.len()
    }

    /// The steps from `at`, which has just been entered from `left`; none in a dead end.
    ///
    /// ```text
    /// . x . x .     L left, A at: L cannot be entered any more, so every free square x beside it has lost a neighbour.
    /// x . . . x     It needs two that are free or A, or one if the tour may end on it.
    /// . . L . .
    /// x . . . A
    /// . x . x .
    /// ```
    ///
    /// If only one free square is left to end on, it is saved for the end. The shader has these lines, one by one.
    pub fn next_steps(&self, left: usize, at: usize, vacant: u64, last: u64) -> u64 {
        let ends = vacant & last;
        if ends == 0 {
            return 0;
        }
        let usable = vacant | u64::bit(at);
        let mut beside = self.near[left] & vacant;
        while beside != 0 {
            let square = beside.first();
            let needed = if last.has(square) { 1 } else { 2 };
            if (self.near[square] & usable).len() < needed {
                return 0;
            }
            beside = beside.without_first();
        }
        let steps = self.near[at] & vacant;
        if ends.len() == 1 && ends != vacant { steps & !ends } else { steps }
    }
}

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
    /// The subtree below the steps `untried` from the end of this path.
    pub fn new(path: Vec<u8>, all: u64, last: u64, untried: u64) -> Prefix {
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

impl SubtreeRules {
    /// The prefixes whose path is the start alone. Their subtrees hold every tour once; the start counts as entered.
    ///
    /// A closed tour uses two neighbours of its start: the lower one is the second square, the higher one the last.
    /// So there is one prefix for each possible second square, and all these prefixes belong to one node, the start.
    pub fn roots(&self) -> Vec<Prefix> {
        let root = |start: usize, last, untried| Prefix::new(vec![start as u8], self.all, last, untried);
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

/// Makes about `wanted` prefixes, shortest paths first, none with an empty subtree; together they cover the whole search. A path
/// longer than half the board is not extended. Returns what was entered and found on the way, too: a tour only on a board of
/// one square.
pub fn make_prefixes(rules: &SubtreeRules, wanted: usize) -> (Vec<Prefix>, DispatchReport) {
    let mut nodes = u64::from(rules.starts.len());
    let tours = u64::from(rules.ending == Ending::Open && rules.squares() == 1);
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
    let report = DispatchReport { nodes, tours, tour_squares: vec![0; tours as usize], ..DispatchReport::default() };
    (open.into(), report)
}

/// The prefix whose path has one more square.
fn extended(rules: &SubtreeRules, prefix: &Prefix, next: usize) -> Prefix {
    let left = usize::from(prefix.path[prefix.path.len() - 1]);
    let vacant = prefix.vacant ^ u64::bit(next);
    let path = prefix.path.iter().copied().chain([next as u8]).collect();
    Prefix { path, vacant, last: prefix.last, untried: rules.next_steps(left, next, vacant, prefix.last) }
}
