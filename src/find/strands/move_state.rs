//! The position: which moves are in the tour, which are out, which are open, and the conclusions from them.
//!
//! ```text
//! a---.---b   three squares joined by two moves: a strand with the ends a and b, each the other's mate;
//!   .   .     a square that no move joins yet is a strand of its own, and its own mate
//! ```
//!
//! An open tour is treated as a closed tour through one more vertex, the *knot*. The squares that may be its ends are
//! joined to the knot by moves of their own kind. So every square needs two moves, and three rules are enough. A square
//! with two moves in rules out its other moves. A square with no more than two moves left takes them. A move between the
//! two ends of one strand is out, unless it completes the tour. Every change is recorded on a trail and can be undone.

use super::tight::{Tight, degrees};
use crate::board::{Board, MOVES, Shape, Square, opposite};

/// The move to the knot, behind the eight knight's moves of [`MOVES`].
const KNOT_MOVE: usize = 8;

/// A square, or the knot.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    /// Moves that are neither in nor out, as bits 0..=8.
    open: u16,
    /// Moves that are in.
    fixed: u16,
    /// The other end of the strand, while this vertex is an end of one.
    mate: u32,
}

/// A decision contradicts an earlier one: no tour contains the moves that are in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DeadEnd {
    /// The square, or the knot, that cannot get its two moves.
    pub at: usize,
}

/// A move: a square and one of its moves 0..=8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Move {
    pub from: usize,
    pub way: usize,
}

/// The position of a search, with its trail.
#[derive(Clone, Debug)]
pub(super) struct MoveState {
    steps: [i32; 8],
    /// The vertex of every square; the knot is the last.
    vertices: Vec<Vertex>,
    knot: usize,
    /// Number of moves of the knot that are open, and that are in.
    knot_open: u32,
    knot_fixed: u32,
    /// Number of moves of the complete tour.
    total: usize,
    /// Number of moves that are in, those to the knot included.
    pub joined: usize,
    /// The moves decided, each as `square * 32 + move * 2`, plus 1 if the move is in.
    trail: Vec<u32>,
    /// Vertices whose moves changed since the last propagation.
    changed: Vec<u32>,
    tight: Tight,
}

impl MoveState {
    /// A position with no move decided. `ends` are the squares that may be ends; `None` for a closed tour or a single square.
    pub fn new(shape: &Shape, ends: Option<&[Square]>) -> MoveState {
        let (board, live) = (shape.board(), shape.squares() as usize);
        let knot = board.squares() as usize;
        let mut vertices: Vec<Vertex> = (0..=board.squares()).map(|mate| Vertex { open: 0, fixed: 0, mate }).collect();
        for square in shape.all() {
            let to = |k: &usize| board.step(square, *k).is_some_and(|to| shape.has(to));
            vertices[square.index() as usize].open = (0..8).filter(to).fold(0, |set, k| set | 1 << k);
        }
        for end in ends.unwrap_or_default() {
            vertices[end.index() as usize].open |= 1 << KNOT_MOVE;
        }
        let mut tight = Tight::new(knot);
        for (square, vertex) in vertices[..knot].iter().enumerate() {
            tight.add(square, degrees(vertex.fixed, vertex.open));
        }
        MoveState {
            steps: MOVES.map(|(down, right)| down * board.cols() as i32 + right),
            vertices,
            knot,
            knot_open: ends.map_or(0, |ends| ends.len() as u32),
            knot_fixed: 0,
            // The tour of a single square has no move.
            total: if live == 1 { 0 } else { live + usize::from(ends.is_some()) },
            joined: 0,
            trail: Vec::new(),
            // The last square is propagated first; the order decides only which contradiction is reported.
            changed: shape.all().map(Square::index).collect(),
            tight,
        }
    }

    /// Whether the tour is complete.
    pub fn is_whole(&self) -> bool {
        self.joined == self.total
    }

    /// The length of the trail, for [`MoveState::undo`].
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// The knight's move between two squares.
    pub fn between(board: Board, a: Square, b: Square) -> Option<Move> {
        let way = (0..8).find(|&way| board.step(a, way) == Some(b))?;
        Some(Move { from: a.index() as usize, way })
    }

    /// The move from a square to the knot, which makes the square an end of the tour.
    pub fn knot_move(from: usize) -> Move {
        Move { from, way: KNOT_MOVE }
    }

    /// The squares that may be an end of the tour and are not decided.
    pub fn open_ends(&self) -> impl Iterator<Item = usize> {
        (0..self.knot).filter(|&square| self.vertices[square].open >> KNOT_MOVE & 1 == 1)
    }

    /// The open moves of a square.
    pub fn open(&self, square: usize) -> u16 {
        self.vertices[square].open
    }

    /// The square with the fewest options, searched from about `near` on; `None` if no move is open.
    pub fn tightest(&self, near: usize) -> Option<usize> {
        self.tight.first(near)
    }

    fn is_open(&self, at: Move) -> bool {
        self.vertices[at.from].open >> at.way & 1 == 1
    }

    /// The vertex to which a move leads.
    #[inline(always)]
    pub fn target(&self, from: usize, way: usize) -> usize {
        if way == KNOT_MOVE { self.knot } else { (from as i32 + self.steps[way]) as usize }
    }

    /// Changes the sets of moves of one square and files the square again.
    #[inline(always)]
    fn set(&mut self, square: usize, way: usize, change: impl FnOnce(&mut Vertex, u16)) {
        let vertex = &mut self.vertices[square];
        let before = degrees(vertex.fixed, vertex.open);
        change(vertex, 1 << way);
        let after = degrees(vertex.fixed, vertex.open);
        self.tight.change(square, before, after);
    }

    /// Changes the sets of moves of both vertices of a move. The knot has no sets, only numbers.
    #[inline(always)]
    fn set_both(&mut self, at: Move, to: usize, change: impl Fn(&mut Vertex, u16)) {
        self.set(at.from, at.way, &change);
        if at.way != KNOT_MOVE {
            self.set(to, opposite(at.way), change);
        }
    }

    /// Decides that an open move is out.
    pub fn rule_out(&mut self, at: Move) {
        let to = self.target(at.from, at.way);
        self.set_both(at, to, |vertex, bit| vertex.open ^= bit);
        self.knot_open -= u32::from(at.way == KNOT_MOVE);
        self.trail.push((at.from * 32 + at.way * 2) as u32);
        self.changed.extend([at.from as u32, to as u32]);
    }

    /// Decides that an open move is in.
    pub fn join(&mut self, at: Move) -> Result<(), DeadEnd> {
        let to = self.target(at.from, at.way);
        // A square with two moves in whose other moves are still open is no end of a strand, and its mate is out of date.
        if let Some(at) = [at.from, to].into_iter().find(|&vertex| self.fixed_moves(vertex) == 2) {
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
        if at.way == KNOT_MOVE {
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
            self.rule_out(closing);
        }
        Ok(())
    }

    /// The open move between two vertices.
    fn open_between(&self, a: usize, b: usize) -> Option<Move> {
        let (from, to) = if a == self.knot { (b, a) } else { (a, b) };
        let ways = ways(self.vertices[from].open);
        ways.map(|way| Move { from, way }).find(|at| self.target(at.from, at.way) == to)
    }

    /// Decides a move, in if `is_in` and otherwise out, unless it is decided in this way already.
    pub fn decide(&mut self, at: Move, is_in: bool) -> Result<(), DeadEnd> {
        match (self.is_open(at), is_in) {
            (true, true) => self.join(at),
            (true, false) => {
                self.rule_out(at);
                Ok(())
            }
            (false, _) if (self.vertices[at.from].fixed >> at.way & 1 == 1) == is_in => Ok(()),
            (false, _) => Err(DeadEnd { at: at.from }),
        }
    }

    /// Draws all conclusions from the moves that changed.
    pub fn propagate(&mut self) -> Result<(), DeadEnd> {
        while let Some(at) = self.changed.pop() {
            let done =
                if at as usize == self.knot { self.propagate_knot() } else { self.propagate_square(at as usize) };
            if done.is_err() {
                self.changed.clear();
                return done;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn propagate_square(&mut self, from: usize) -> Result<(), DeadEnd> {
        let Vertex { open, fixed, .. } = self.vertices[from];
        let (fixes, opens) = split_degrees(degrees(fixed, open));
        if fixes == 2 {
            ways(open).for_each(|way| self.rule_out(Move { from, way }));
        } else if fixes + opens <= 2 {
            if fixes + opens < 2 {
                return Err(DeadEnd { at: from });
            }
            for way in ways(open) {
                // The rule for the ends of a strand may have ruled this move out meanwhile.
                self.decide(Move { from, way }, true)?;
            }
        }
        Ok(())
    }

    fn propagate_knot(&mut self) -> Result<(), DeadEnd> {
        if self.knot_fixed + self.knot_open < 2 {
            return Err(DeadEnd { at: self.knot });
        }
        if self.knot_open > 0 && (self.knot_fixed == 2 || self.knot_fixed + self.knot_open == 2) {
            let is_in = self.knot_fixed < 2;
            for from in self.open_ends().collect::<Vec<_>>() {
                self.decide(Move { from, way: KNOT_MOVE }, is_in)?;
            }
        }
        Ok(())
    }

    /// Undoes decisions until the trail has the length `mark`.
    pub fn undo(&mut self, mark: usize) {
        self.changed.clear();
        for decided in self.trail.split_off(mark).into_iter().rev() {
            let at = Move { from: decided as usize / 32, way: decided as usize / 2 % 16 };
            let to = self.target(at.from, at.way);
            if decided % 2 == 0 {
                self.set_both(at, to, |vertex, bit| vertex.open ^= bit);
                self.knot_open += u32::from(at.way == KNOT_MOVE);
                continue;
            }
            self.set_both(at, to, |vertex, bit| {
                vertex.open ^= bit;
                vertex.fixed ^= bit;
            });
            if at.way == KNOT_MOVE {
                self.knot_open += 1;
                self.knot_fixed -= 1;
            }
            self.joined -= 1;
            for vertex in [at.from, to] {
                // A vertex inside a strand still has the mate from when it was an end.
                let mate = if self.fixed_moves(vertex) == 0 { vertex } else { self.vertices[vertex].mate as usize };
                self.vertices[mate].mate = vertex as u32;
            }
        }
    }

    #[inline(always)]
    fn fixed_moves(&self, vertex: usize) -> u32 {
        if vertex == self.knot {
            self.knot_fixed
        } else {
            u32::from(split_degrees(degrees(self.vertices[vertex].fixed, 0)).0)
        }
    }

    /// The squares along the moves that are in, from `from` to the end of its strand.
    pub fn strand(&self, from: usize) -> Vec<u32> {
        let (mut at, mut came, mut squares) = (from, usize::MAX, vec![from as u32]);
        loop {
            let next = ways(self.vertices[at].fixed & !(1 << KNOT_MOVE))
                .map(|way| self.target(at, way))
                .find(|&to| to != came && to != from);
            let Some(next) = next else { return squares };
            squares.push(next as u32);
            (came, at) = (at, next);
        }
    }

    /// The squares joined to the knot: the ends decided so far.
    pub fn chosen_ends(&self) -> impl Iterator<Item = usize> {
        (0..self.knot).filter(|&square| self.vertices[square].fixed >> KNOT_MOVE & 1 == 1)
    }

    /// The squares at the ends of strands of two or more squares.
    pub fn strand_ends(&self) -> impl Iterator<Item = usize> {
        (0..self.knot).filter(|&square| (self.vertices[square].fixed & !(1 << KNOT_MOVE)).count_ones() == 1)
    }
}

/// The moves of a set, the lowest number first.
pub(super) fn ways(mut set: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let way = set.trailing_zeros() as usize;
            set &= set - 1;
            way
        })
    })
}

/// The numbers of moves that are in, and that are open.
fn split_degrees(degrees: u8) -> (u8, u8) {
    (degrees >> 4, degrees & 15)
}
