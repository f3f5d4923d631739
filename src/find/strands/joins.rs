//! The position: which moves are in the tour, which are out and which are open, and what follows from that.
//!
//! ```text
//! a---.---b   three squares joined by two moves: a strand with the ends a and b, each the other's mate;
//!   .   .     a square that no move joins yet is a strand of its own, and its own mate
//! ```
//!
//! An open tour is a closed one through one square more, the *knot*, to which the squares that may be its ends are
//! joined by moves of their own kind. So every square wants two moves, and three rules are enough: a square with two
//! moves gives up its other ones; a square with no more than two left takes them; a move between the two ends of one
//! strand is out, unless it closes the whole. Every change goes on a trail and can be undone.

use super::tight::{Tight, degrees};
use crate::board::{Board, Holes, MOVES, Square, opposite};

/// The move to the knot, behind the eight knight's moves of [`MOVES`].
const TIE: usize = 8;

/// A square, or the knot.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    /// Moves that are neither in nor out, as bits 0..=8.
    open: u16,
    /// Moves that are in.
    fixed: u16,
    /// The other end of the strand, as long as this is an end of one.
    mate: u32,
}

/// A move has been decided against what was known: no tour contains what is fixed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DeadEnd {
    /// The square, or the knot, that could not get its two moves.
    pub at: usize,
}

/// A move: a square and one of its moves 0..=8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Move {
    pub from: usize,
    pub way: usize,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Joins {
    steps: [i32; 8],
    /// By square; the knot is the last.
    vertices: Vec<Vertex>,
    knot: usize,
    /// Moves of the knot that are open and that are in.
    knot_open: u32,
    knot_fixed: u32,
    /// Vertices of the tour, and moves of it that are in.
    total: usize,
    joined: usize,
    /// Moves decided, twice their number plus one if in.
    trail: Vec<u32>,
    /// Vertices whose moves have changed.
    changed: Vec<u32>,
    tight: Tight,
}

impl Joins {
    /// Nothing decided: closed, or open with ends among `ends`, or one square alone.
    pub fn new(board: Board, holes: &Holes, ends: Option<&[Square]>) -> Joins {
        let knot = board.squares() as usize;
        let live = knot - holes.len();
        let mut vertices: Vec<Vertex> = (0..=board.squares()).map(|mate| Vertex { open: 0, fixed: 0, mate }).collect();
        for square in board.all().filter(|&square| !holes.contains(square)) {
            let to = |k: &usize| board.step(square, *k).is_some_and(|to| !holes.contains(to));
            vertices[square.index() as usize].open = (0..8).filter(to).fold(0, |set, k| set | 1 << k);
        }
        for end in ends.unwrap_or_default() {
            vertices[end.index() as usize].open |= 1 << TIE;
        }
        let mut tight = Tight::new(knot);
        for (square, vertex) in vertices[..knot].iter().enumerate() {
            tight.add(square, degrees(vertex.fixed, vertex.open));
        }
        Joins {
            steps: MOVES.map(|(down, right)| down * board.cols() as i32 + right),
            vertices,
            knot,
            knot_open: ends.map_or(0, |ends| ends.len() as u32),
            knot_fixed: 0,
            // One square alone is whole with no move at all.
            total: if live == 1 { 0 } else { live + usize::from(ends.is_some()) },
            joined: 0,
            trail: Vec::new(),
            // What is added last is looked at first; the order matters only for what is said of a contradiction.
            changed: board.all().filter(|&square| !holes.contains(square)).map(Square::index).collect(),
            tight,
        }
    }

    /// Number of moves that are in, those to the knot included.
    pub fn joined(&self) -> usize {
        self.joined
    }

    /// Whether the tour is whole.
    pub fn is_whole(&self) -> bool {
        self.joined == self.total
    }

    /// Where the trail stands, to be gone back to.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// The knight's move between two squares.
    pub fn between(board: Board, a: Square, b: Square) -> Option<Move> {
        let way = (0..8).find(|&way| board.step(a, way) == Some(b))?;
        Some(Move { from: a.index() as usize, way })
    }

    /// The move from a square to the knot: the square is an end of the tour.
    pub fn tie(from: usize) -> Move {
        Move { from, way: TIE }
    }

    /// The squares that may still be an end of the tour, undecided.
    pub fn open_ends(&self) -> impl Iterator<Item = usize> {
        (0..self.knot).filter(|&square| self.vertices[square].open >> TIE & 1 == 1)
    }

    /// The moves of a square that are open.
    pub fn open(&self, square: usize) -> u16 {
        self.vertices[square].open
    }

    /// The square with the fewest options, from about `near` on, if any move is open.
    pub fn tightest(&self, near: usize) -> Option<usize> {
        self.tight.first(near)
    }

    fn is_open(&self, at: Move) -> bool {
        self.vertices[at.from].open >> at.way & 1 == 1
    }

    /// Where a move leads.
    #[inline(always)]
    pub fn target(&self, from: usize, way: usize) -> usize {
        if way == TIE { self.knot } else { (from as i32 + self.steps[way]) as usize }
    }

    /// Takes the move from or into the sets of one of its squares, of which the knot keeps only numbers.
    #[inline(always)]
    fn set(&mut self, square: usize, way: usize, change: impl FnOnce(&mut Vertex, u16)) {
        let vertex = &mut self.vertices[square];
        let before = degrees(vertex.fixed, vertex.open);
        change(vertex, 1 << way);
        let after = degrees(vertex.fixed, vertex.open);
        self.tight.change(square, before, after);
    }

    /// The same for both its squares; the knot counts.
    #[inline(always)]
    fn set_both(&mut self, at: Move, to: usize, change: impl Fn(&mut Vertex, u16)) {
        self.set(at.from, at.way, &change);
        if at.way != TIE {
            self.set(to, opposite(at.way), change);
        }
    }

    /// Decides that an open move is out.
    pub fn drop(&mut self, at: Move) {
        let to = self.target(at.from, at.way);
        self.set_both(at, to, |vertex, bit| vertex.open ^= bit);
        self.knot_open -= u32::from(at.way == TIE);
        self.trail.push((at.from * 32 + at.way * 2) as u32);
        self.changed.extend([at.from as u32, to as u32]);
    }

    /// Decides that an open move is in.
    pub fn join(&mut self, at: Move) -> Result<(), DeadEnd> {
        let to = self.target(at.from, at.way);
        // A square that has its two moves, and has not yet given up its others, is no end: its mate means nothing.
        if let Some(at) = [at.from, to].into_iter().find(|&vertex| self.fixes(vertex) == 2) {
            return Err(DeadEnd { at });
        }
        let (a, b) = (self.vertices[at.from].mate as usize, self.vertices[to].mate as usize);
        if a == to && self.joined + 1 < self.total {
            return Err(DeadEnd { at: at.from });
        }
        self.set_both(at, to, |vertex, bit| {
            vertex.open ^= bit;
            vertex.fixed ^= bit;
        });
        if at.way == TIE {
            self.knot_open -= 1;
            self.knot_fixed += 1;
        }
        self.joined += 1;
        self.trail.push((at.from * 32 + at.way * 2 + 1) as u32);
        self.changed.extend([at.from as u32, to as u32]);
        self.vertices[a].mate = b as u32;
        self.vertices[b].mate = a as u32;
        if self.joined + 1 < self.total
            && let Some(closing) = self.open_between(a, b)
        {
            self.drop(closing);
        }
        Ok(())
    }

    /// The open move between two vertices.
    fn open_between(&self, a: usize, b: usize) -> Option<Move> {
        let (from, to) = if a == self.knot { (b, a) } else { (a, b) };
        let ways = ways(self.vertices[from].open);
        ways.map(|way| Move { from, way }).find(|at| self.target(at.from, at.way) == to)
    }

    /// Decides an open move, if it is not yet decided so.
    pub fn demand(&mut self, at: Move, wanted: bool) -> Result<(), DeadEnd> {
        match (self.is_open(at), wanted) {
            (true, true) => self.join(at),
            (true, false) => {
                self.drop(at);
                Ok(())
            }
            (false, _) if (self.vertices[at.from].fixed >> at.way & 1 == 1) == wanted => Ok(()),
            (false, _) => Err(DeadEnd { at: at.from }),
        }
    }

    /// Draws all conclusions from what has changed.
    pub fn settle(&mut self) -> Result<(), DeadEnd> {
        while let Some(at) = self.changed.pop() {
            let done = if at as usize == self.knot { self.settle_knot() } else { self.settle_square(at as usize) };
            if done.is_err() {
                self.changed.clear();
                return done;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn settle_square(&mut self, from: usize) -> Result<(), DeadEnd> {
        let Vertex { open, fixed, .. } = self.vertices[from];
        let (fixes, opens) = split(degrees(fixed, open));
        if fixes == 2 {
            ways(open).for_each(|way| self.drop(Move { from, way }));
        } else if fixes + opens <= 2 {
            if fixes + opens < 2 {
                return Err(DeadEnd { at: from });
            }
            for way in ways(open) {
                // Closing a strand may have dropped it meanwhile.
                self.demand(Move { from, way }, true)?;
            }
        }
        Ok(())
    }

    fn settle_knot(&mut self) -> Result<(), DeadEnd> {
        if self.knot_fixed + self.knot_open < 2 {
            return Err(DeadEnd { at: self.knot });
        }
        if self.knot_open > 0 && (self.knot_fixed == 2 || self.knot_fixed + self.knot_open == 2) {
            let wanted = self.knot_fixed < 2;
            for from in self.open_ends().collect::<Vec<_>>() {
                self.demand(Move { from, way: TIE }, wanted)?;
            }
        }
        Ok(())
    }

    /// Goes back to where the trail had this length.
    pub fn undo(&mut self, mark: usize) {
        self.changed.clear();
        for decided in self.trail.split_off(mark).into_iter().rev() {
            let at = Move { from: decided as usize / 32, way: decided as usize / 2 % 16 };
            let to = self.target(at.from, at.way);
            if decided % 2 == 0 {
                self.set_both(at, to, |vertex, bit| vertex.open ^= bit);
                self.knot_open += u32::from(at.way == TIE);
                continue;
            }
            self.set_both(at, to, |vertex, bit| {
                vertex.open ^= bit;
                vertex.fixed ^= bit;
            });
            if at.way == TIE {
                self.knot_open += 1;
                self.knot_fixed -= 1;
            }
            self.joined -= 1;
            for vertex in [at.from, to] {
                // What lies inside a strand has kept its mate of before.
                let mate = if self.fixes(vertex) == 0 { vertex } else { self.vertices[vertex].mate as usize };
                self.vertices[mate].mate = vertex as u32;
            }
        }
    }

    /// Number of moves of a vertex that are in.
    #[inline(always)]
    fn fixes(&self, vertex: usize) -> u32 {
        if vertex == self.knot { self.knot_fixed } else { u32::from(split(degrees(self.vertices[vertex].fixed, 0)).0) }
    }

    /// The squares in a row from `from` on, along the moves that are in.
    pub fn strand(&self, from: usize) -> Vec<u32> {
        let (mut at, mut came, mut squares) = (from, usize::MAX, vec![from as u32]);
        loop {
            let next = ways(self.vertices[at].fixed & !(1 << TIE))
                .map(|way| self.target(at, way))
                .find(|&to| to != came && to != from);
            let Some(next) = next else { return squares };
            squares.push(next as u32);
            (came, at) = (at, next);
        }
    }

    /// The squares joined to the knot.
    pub fn ties(&self) -> impl Iterator<Item = usize> {
        (0..self.knot).filter(|&square| self.vertices[square].fixed >> TIE & 1 == 1)
    }

    /// The squares at the ends of strands of two or more.
    pub fn strand_ends(&self) -> impl Iterator<Item = usize> {
        (0..self.knot).filter(|&square| (self.vertices[square].fixed & !(1 << TIE)).count_ones() == 1)
    }
}

/// The moves of a set, the least first.
pub(super) fn ways(mut set: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let way = set.trailing_zeros() as usize;
            set &= set - 1;
            way
        })
    })
}

/// Number of moves in, and open.
fn split(degrees: u8) -> (u8, u8) {
    (degrees >> 4, degrees & 15)
}
