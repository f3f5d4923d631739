//! `quarter-turn`: tours strung from four rotated copies of one path.
//!
//! The search walks the quotient of a square board, n x n, by quarter turns: n²/4 orbits (rounded down) instead of n²
//! squares. A path through every orbit gives four paths that are turned into one another and share no square. Where
//! their ends, and the centre of an odd board, are a knight's move apart, they can be strung to tours (`stringing`).
//!
//! # Which tours it counts, each once
//! - *Open, directed*: every tour that can be cut into four paths, and the centre on odd boards, such that the paths
//!   are quarter turns of one another, in either direction.
//! - *Closed, undirected, n = 2 mod 4*: every tour that a quarter turn leaves unchanged (`+0 +1 +2 +3`). From 10x10 on
//!   tours `+0 -1 +2 -3` exist as well (1,124,308 there), but a quarter turn makes other tours of them.
//! - *Closed, undirected, n = 0 mod 4*: a quarter turn leaves no tour unchanged there. The search counts the tours that
//!   can be cut into four paths that are quarter turns of one another, all of them `+0 -1 +2 -3`.
//! - *Closed, n odd*: there is none.
//!
//! # The tree
//! A path can be strung only if one of its ends is a neighbour of an image of the other (then the orbits form a cycle),
//! or if both ends lie in loops of the quotient. So the tree has at most two roots, and each relevant path through the
//! orbits lies in it once:
//! - Every cycle through the orbits, begun at the corner, whose two neighbours it must use: one is entered next, the
//!   other is reserved for the last place. All paths that are cuts of the cycle are read off its one leaf.
//! - On even boards, every path from one loop to the other, which is reserved for the last place.
//!
//! At a node the search looks at the unvisited neighbours of the head. A neighbour without an exit makes a dead end, a
//! neighbour with a single exit must be entered now, and two such neighbours make a dead end. Branches left out by
//! these rules count as pruned. A node is an orbit entered; two moves to one orbit are one branch, which the leaves
//! unfold (`unfold`). The neighbour with the fewest exits is tried first, so that the first tour comes within 250 nodes
//! on every board from 6x6 to 16x16.
//!
//! # Source
//! Cameron Carter, "PCSE Final Project", 2016, section 2.2, for odd n. The order of the neighbours is that of H. C. von
//! Warnsdorf, "Des Rösselsprunges einfachste und allgemeinste Lösung", 1823.

mod four;
pub(crate) mod quotient;
mod stringing;
pub(crate) mod unfold;

#[cfg(test)]
mod tests;

pub use four::{FourPaths, four_paths, four_paths_of, four_ranges};

use super::kernel::{Branches, Burst, BurstEnd, BurstOutput, Drawing, HandOver, Kernel, Task};
use super::stack::Stack;
use crate::board::{Board, Ending, SquareMask};
use quotient::{ORBITS_MAX, Quotient};
use std::ops::RangeInclusive;
use std::sync::Arc;
use unfold::Unfolding;

/// The sides of the boards that it searches.
pub const SIDES: RangeInclusive<u32> = 5..=16;

/// The sample that the source prints for 9x9: four paths, one a column, of squares numbered from 1.
pub const SAMPLE: &str = include_str!("sample.txt");

/// Orbits left at which the sparse gear changes to bare recursion, in subtrees of 8 to 40 nodes on average, and of 1939
/// at most (8x8 to 10x10).
const BARE_ORBITS: u32 = 12;

/// The orbit of the corners.
const CORNER: usize = 0;

/// Why a board cannot be searched by quarter turns.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum QuarterTurnError {
    /// A quarter turn does not keep the board in place.
    #[error("{0} is not a square board: a quarter turn does not keep it in place")]
    NotSquare(Board),
    /// The board is smaller than 5x5.
    #[error("{0} is too small: quarter turns are searched on square boards from 5x5; below, only 1x1 has a tour")]
    Small(Board),
    /// The board is larger than 16x16.
    #[error("{0} is too large: quarter turns are searched on square boards up to 16x16, whose 64 orbits fill a word")]
    Large(Board),
}

/// The search for tours strung from four rotated copies of one path; the [module](self) describes its tree.
#[derive(Clone, Debug)]
pub struct QuarterTurn {
    unfolding: Arc<Unfolding>,
    roots: u64,
    stack: Stack<u64>,
    path: [u8; ORBITS_MAX],
    left: u64,
    reserved: u64,
}

impl QuarterTurn {
    /// The search of `board` for tours of this ending, without work until [`Kernel::begin`].
    ///
    /// # Errors
    /// [`QuarterTurnError`] when the board is not square or its side not in [`SIDES`].
    pub fn new(board: Board, ending: Ending) -> Result<QuarterTurn, QuarterTurnError> {
        match board.rows() {
            rows if rows != board.cols() => return Err(QuarterTurnError::NotSquare(board)),
            rows if rows < *SIDES.start() => return Err(QuarterTurnError::Small(board)),
            rows if rows > *SIDES.end() => return Err(QuarterTurnError::Large(board)),
            _ => {}
        }
        let unfolding = Unfolding::new(board, ending);
        let roots = roots(&unfolding.quotient, ending);
        let stack = Stack::new();
        Ok(QuarterTurn { unfolding: Arc::new(unfolding), roots, stack, path: [0; ORBITS_MAX], left: 0, reserved: 0 })
    }

    /// Appends `orbit` to the path, which has `level` orbits.
    fn append(&mut self, level: usize, orbit: usize) {
        if level == 0 {
            self.reserved = reserved(&self.unfolding.quotient, orbit);
        }
        self.path[level] = orbit as u8;
        self.left ^= u64::bit(orbit);
    }

    /// Enters `orbit`, counts it, and opens its branches or unfolds the complete path.
    fn enter(&mut self, orbit: usize, out: &mut BurstOutput<'_>) {
        let level = self.stack.depth();
        self.stack.enter(orbit);
        self.append(level, orbit);
        out.count_node(out.levels, level + 1);
        let children = match self.left {
            0 => {
                finish(&self.unfolding, &self.path[..=level], out);
                0
            }
            left => branches(&self.unfolding.quotient, orbit, left, self.reserved, level + 2, out),
        };
        self.stack.open(children);
    }

    /// Enters `orbit` and everything below it, on the machine stack.
    fn exhaust(&mut self, orbit: usize, level: usize, left: u64, out: &mut BurstOutput<'_>) {
        self.path[level] = orbit as u8;
        out.count_node(out.levels, level + 1);
        let left = left ^ u64::bit(orbit);
        if left == 0 {
            return finish(&self.unfolding, &self.path[..=level], out);
        }
        for next in branches(&self.unfolding.quotient, orbit, left, self.reserved, level + 2, out).iter() {
            self.exhaust(next, level + 1, left, out);
        }
    }
}

impl Kernel for QuarterTurn {
    fn branches(&self) -> &dyn Branches {
        &self.stack
    }

    fn branches_mut(&mut self) -> &mut dyn Branches {
        &mut self.stack
    }

    fn begin(&mut self, task: &Task) {
        self.stack.begin(task, self.roots);
        self.left = self.unfolding.quotient.all();
        let before = task.choices.split_last().map_or(&[][..], |(_, before)| before);
        for (level, &orbit) in before.iter().enumerate() {
            self.append(level, orbit.into());
        }
    }

    fn advance(&mut self, mut burst: Burst<'_>, out: &mut BurstOutput<'_>) -> BurstEnd {
        let burst = &mut burst;
        loop {
            let untried = self.stack.untried();
            if untried.is_empty() {
                match self.stack.leave() {
                    None => return BurstEnd::Exhausted,
                    Some(orbit) => self.left |= u64::bit(orbit),
                }
                continue;
            }
            if burst.is_due() {
                return BurstEnd::Yielded;
            }
            let level = self.stack.depth();
            // A root must be entered first: it determines which orbit is reserved.
            if !burst.every_node() && level > 0 && self.left.len() <= BARE_ORBITS {
                let orbit = untried.first();
                self.stack.take(orbit);
                self.exhaust(orbit, level, self.left, out);
            } else {
                self.enter(first_choice(&self.unfolding.quotient, level, self.left, untried), out);
            }
        }
    }

    fn split(&mut self, rule: HandOver) -> Option<Task> {
        let quotient = &self.unfolding.quotient;
        self.stack.split(rule, |way, untried| {
            let left = way.iter().fold(quotient.all(), |left, &orbit| left ^ u64::bit(orbit.into()));
            first_choice(quotient, way.len(), left, untried)
        })
    }

    fn draw(&self, drawing: &mut Drawing) {
        let path = &self.path[..self.stack.depth()];
        drawing.fragments((0..4).map(|turn| self.unfolding.first_lift(path, turn)));
    }
}

/// The orbits at which paths begin.
pub(crate) fn roots(quotient: &Quotient, ending: Ending) -> u64 {
    // On 5x5 both neighbours of the corner lie in one orbit, so no cycle goes through it.
    let cycles = if quotient.neighbours(CORNER).len() == 2 { u64::bit(CORNER) } else { 0 };
    let loops = quotient.loops ^ quotient.loops.without_first();
    match (ending, quotient.board.rows() % 4) {
        (Ending::Open, _) => cycles | loops,
        (Ending::Closed, 2) => cycles,
        (Ending::Closed, 0) => loops,
        (Ending::Closed, _) => 0,
    }
}

/// The orbit reserved for the last place of a path that begins at `root`.
pub(crate) fn reserved(quotient: &Quotient, root: usize) -> u64 {
    match root {
        CORNER => quotient.neighbours(CORNER).without_first(),
        _ => quotient.loops ^ u64::bit(root),
    }
}

/// The branch to try first: the one with the fewest exits. Of the roots it is the loop, because its tours come sooner.
#[inline]
fn first_choice(quotient: &Quotient, level: usize, left: u64, untried: u64) -> usize {
    if level == 0 {
        return untried.iter().last().unwrap_or(CORNER);
    }
    untried.iter().min_by_key(|&orbit| (quotient.neighbours(orbit) & left).len()).unwrap_or(CORNER)
}

/// The orbits to enter from `head` when `left` are unvisited. Orbits left out because of their exits count as pruned at
/// `depth`.
#[inline(always)]
fn branches(
    quotient: &Quotient,
    head: usize,
    left: u64,
    reserved: u64,
    depth: usize,
    out: &mut BurstOutput<'_>,
) -> u64 {
    let near = quotient.neighbours(head) & left;
    if left == reserved {
        return near;
    }
    let candidates = near & !reserved;
    let stranded = near != candidates && quotient.neighbours(reserved.first()) & left == 0;
    let kept = if stranded { 0 } else { forced(quotient, candidates, left) };
    out.count_pruned(out.levels, depth, (candidates ^ kept).len().into());
    kept
}

/// The orbits of `candidates`, the unvisited neighbours of the head, that may be entered next.
#[inline(always)]
fn forced(quotient: &Quotient, candidates: u64, left: u64) -> u64 {
    let mut forced = 0;
    for orbit in candidates.iter() {
        let exits = quotient.neighbours(orbit) & left;
        if exits.without_first() == 0 {
            if exits == 0 || forced != 0 {
                return 0;
            }
            forced = u64::bit(orbit);
        }
    }
    if forced == 0 { candidates } else { forced }
}

/// Counts or hands out the tours of a path through every orbit.
fn finish(unfolding: &Unfolding, orbits: &[u8], out: &mut BurstOutput<'_>) {
    out.tally.tours += match &mut out.sink {
        None => unfolding.count(orbits),
        Some(sink) => unfolding.emit(orbits, *sink),
    };
}
