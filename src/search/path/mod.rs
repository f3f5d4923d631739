//! Path extension with forced moves and a required last square: open and closed tours.
//!
//! A path grows from its start, and every unvisited square is watched: the path must still enter and leave it. The
//! *exits* of a square are the unvisited squares a knight's move away. A square that the head leaves behind with one
//! exit is stranded, unless it is the last square. So, with S the head:
//!
//! ```text
//! . 1 . 2 .     1, 2 and 3 can be next. If 1 has one exit besides S, it must be next: it is a forced move. If 2 has
//! . . . . .     one, too, there is no tour this way: a dead end.
//! . . S . .     In an open tour one such square may be left behind: it is required last, and from then on there
//! 3 . . . .     can be no second one. In a closed tour a neighbour of the start is required last from the beginning.
//! ```
//!
//! Where the path branches, the search looks ahead. An unvisited square with two exits, to which the head cannot go,
//! will be passed between its two exits. A square with three such neighbours cannot be passed; one with two cannot be
//! entered from the head.
//!
//! Exits are counted for all squares at once, in three bit planes. A move takes one exit from each neighbour of the
//! head by a borrow through the planes; where the borrow fails, the square is stranded. That takes eight instructions,
//! without a loop or a branch. The look-ahead adds up eight shifted sets. The gain of each idea on 6x6, all open tours
//! by orbits:
//!
//! | nodes | with |
//! | --- | --- |
//! | 35.8 million | forced moves and the required last square; exits counted by a loop over the neighbours: 0.44 s |
//! | 27.2 | and the colour on which a tour ends |
//! | 17.3 | and one direction of tours that can be reversed |
//! | 11.1 | and one of the first moves that symmetry exchanges |
//! | 9.9 | and the look-ahead; exits counted in planes: 0.042 s |
//!
//! Closed tours of 6x7 took 37.4 million nodes and 0.40 s before these ideas, and take 29.3 million nodes and 0.124 s with
//! them (one core of a Xeon of 2021).
//!
//! Nodes are squares entered. The start counts (of a closed tour once for every square that may come last), and so do
//! forced moves and the last square; images under symmetry do not. A square entered from which the rules leave no move,
//! though squares are unvisited, counts as pruned at its own depth. So every node has nodes below it, or is pruned, or
//! ends a tour.
//!
//! This file is the search, which walks the stack; each idea has a file that knows no stack: the rules of a move `rules.rs`, where a
//! path begins `origin.rs`, the last levels without a stack `bare.rs`.

mod bare;
pub(crate) mod origin;
pub(crate) mod rules;

pub use origin::OrbitImages;

use super::kernel::{Branches, Burst, BurstEnd, BurstOutput, Drawing, Kernel, Task};
use super::stack::Stack;
use crate::board::{SMALL_SQUARES_MAX, Shape, Square, SquareMask, Symmetries};
use bare::PathRecursion;
use origin::{Origin, Origins};
use rules::{PathGraph, VacantSquares, several};
use std::sync::Arc;

/// Vacant squares, without the required last one, at which the sparse gear changes to the bare recursion. Some fifty
/// nodes lie below on average, and at most sixty thousand in trials (8x8 closed): a quarter of a millisecond.
const SPARSE: u32 = 28;

/// The search by path extension, of one board.
#[derive(Clone, Debug)]
pub struct Path<M> {
    graph: PathGraph<M>,
    origins: Vec<Origin<M>>,
    images: OrbitImages,
    stack: Stack<M>,
    /// The origin of the current path.
    origin: Origin<M>,
    /// The state after each entered square, by level.
    entered: Vec<EnteredSquare<M>>,
    classes: Option<Arc<Symmetries>>,
}

/// The state after the path has entered a square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EnteredSquare<M> {
    pub(crate) rest: VacantSquares<M>,
    /// The required last square, once it is known.
    pub(crate) last: M,
    /// While no last square is known: squares with one exit. At most one of them may be left behind, as the last.
    stranded: M,
}

impl<M: SquareMask> EnteredSquare<M> {
    /// The state before the start of `origin` is entered.
    pub(crate) fn before(graph: &PathGraph<M>, origin: &Origin<M>) -> EnteredSquare<M> {
        EnteredSquare { rest: graph.empty_board(origin.last), last: origin.last, stranded: M::EMPTY }
    }

    /// The state after the path has gone on to `square`, and the moves from there before the look-ahead.
    pub(crate) fn after(&self, graph: &PathGraph<M>, origin: &Origin<M>, square: usize) -> (EnteredSquare<M>, M) {
        let last = self.last_after(square);
        let mut rest = self.rest;
        rest.vacant &= !(M::bit(square) | last);
        let (moves, stranded) = if last.is_empty() {
            graph.moves_to_any(&mut rest, square, origin.ends)
        } else if rest.vacant.is_empty() {
            (graph.neighbours(square) & last, M::EMPTY)
        } else {
            (graph.moves_to_last(&mut rest, square, graph.neighbours(last.first())), M::EMPTY)
        };
        (EnteredSquare { rest, last, stranded }, moves)
    }

    /// Of these moves, those that the look-ahead leaves.
    fn sparing(&self, graph: &PathGraph<M>, origin: &Origin<M>, moves: M) -> M {
        if !self.stranded.is_empty() || !several(moves) {
            moves
        } else if self.last.is_empty() {
            graph.sparing_moves_to_any(&self.rest, moves, origin.ends)
        } else {
            graph.sparing_moves_to_last(&self.rest, moves, graph.neighbours(self.last.first()))
        }
    }

    /// The square that is required last after a move to `square`.
    fn last_after(&self, square: usize) -> M {
        if self.last.is_empty() { self.stranded & !M::bit(square) } else { self.last }
    }
}

impl<M: SquareMask> Path<M> {
    /// The search for the closed tours of `shape`, undirected, through `start` or a square with the fewest moves; `None` when the mask cannot
    /// hold the board.
    ///
    /// # Panics
    /// When the start is not on the board, or is a hole.
    pub fn closed(shape: impl Into<Shape>, start: Option<Square>) -> Option<Path<M>> {
        Path::new(&shape.into(), start, origin::closed)
    }

    /// The search for the open tours of `shape`, directed, from `start` or from every square; `None` when the mask cannot
    /// hold the board. A tour that it finds stands for [`Path::images`] and counts as all of them.
    ///
    /// # Panics
    /// When the start is not on the board, or is a hole.
    pub fn open(shape: impl Into<Shape>, start: Option<Square>) -> Option<Path<M>> {
        Path::new(&shape.into(), start, origin::open)
    }

    fn new(
        shape: &Shape,
        start: Option<Square>,
        origins: impl FnOnce(&Shape, &PathGraph<M>, Option<Square>) -> Origins<M>,
    ) -> Option<Path<M>> {
        assert!(start.is_none_or(|start| shape.has(start)), "the start must be on the board");
        let graph = PathGraph::new(shape)?;
        let (origins, images) = origins(shape, &graph, start);
        let origin = Origin::default();
        let entered = vec![EnteredSquare::before(&graph, &origin); graph.squares() + 1];
        Some(Path { graph, origins, images, stack: Stack::new(), origin, entered, classes: None })
    }

    /// Makes a search from every start of `shape` count classes of tours: tours that symmetries of the board and reversal
    /// make of each other count one. The tours that it hands out do not change.
    pub fn classes(self, shape: &Shape) -> Path<M> {
        Path { classes: Some(Arc::new(Symmetries::new(shape))), ..self }
    }

    /// The tours that a tour handed to a sink stands for. A receiver expands each tour by it and returns how many it
    /// accepted.
    pub fn images(&self) -> OrbitImages {
        self.images.clone()
    }

    /// Moves from `level` to the next by `choice`; returns the choices there.
    fn arrive(&mut self, level: usize, choice: usize) -> M {
        if level > 0 {
            return self.stand_on(level, choice);
        }
        let chosen = self.origins.iter().find(|origin| origin.choice() == choice);
        self.origin = *chosen.unwrap_or_else(|| unreachable!("a choice at the root is that of an origin"));
        let Origin { start, firsts, .. } = self.origin;
        self.entered[0] = EnteredSquare::before(&self.graph, &self.origin);
        self.stand_on(0, start) & firsts
    }

    /// Enters `square`, one level above `level`; returns the moves from it.
    fn stand_on(&mut self, level: usize, square: usize) -> M {
        let (entered, moves) = self.entered[level].after(&self.graph, &self.origin, square);
        self.entered[level + 1] = entered;
        entered.sparing(&self.graph, &self.origin, moves)
    }

    /// The squares of the current path, in order.
    fn way(&self) -> impl Iterator<Item = u8> {
        let start = (self.stack.depth() > 0).then_some(self.origin.start as u8);
        start.into_iter().chain(self.stack.chosen().iter().skip(1).copied())
    }

    fn run<const WATCHED: bool>(&mut self, burst: &mut Burst<'_>, out: &mut BurstOutput<'_>) -> BurstEnd {
        loop {
            let untried = self.stack.untried();
            let depth = self.stack.depth();
            if untried.is_empty() {
                if self.stack.leave().is_none() {
                    return BurstEnd::Exhausted;
                }
            } else if burst.is_due() {
                return BurstEnd::Yielded;
            } else if !burst.every_node() && depth > 0 && (1..=SPARSE).contains(&self.entered[depth].rest.vacant.len())
            {
                self.exhaust::<WATCHED>(untried.first(), out);
            } else {
                self.enter(untried.first(), out);
            }
        }
    }

    /// Enters the next level by `choice`.
    fn enter(&mut self, choice: usize, out: &mut BurstOutput<'_>) {
        let moves = self.arrive(self.stack.depth(), choice);
        self.stack.enter(choice);
        self.stack.open(moves);
        let depth = self.stack.depth();
        out.count_node(out.levels, depth);
        if depth == self.graph.squares() {
            let way = || self.way().collect::<Vec<u8>>();
            out.tally.tours += match (&mut out.sink, &self.classes) {
                (Some(sink), _) => sink.tour(&way()),
                (None, Some(symmetries)) => self.origin.class_weight(symmetries, &way()),
                (None, None) => self.origin.weight(choice),
            };
        } else if moves.is_empty() {
            out.count_pruned(out.levels, depth, 1);
        }
    }

    /// Exhausts the subtree of `square` by the bare recursion.
    fn exhaust<const WATCHED: bool>(&mut self, square: usize, out: &mut BurstOutput<'_>) {
        self.stack.take(square);
        let mut way = [0; SMALL_SQUARES_MAX];
        if WATCHED {
            way.iter_mut().zip(self.way()).for_each(|(to, from)| *to = from);
        }
        let current = &self.entered[self.stack.depth()];
        let last = current.last_after(square);
        let mut bare = PathRecursion::<M, WATCHED> {
            graph: &self.graph,
            origin: &self.origin,
            last: 0,
            way,
            tally: out.tally,
            levels: out.levels,
            classes: self.classes.as_deref(),
            sink: out.sink.as_mut().map(|sink| &mut **sink as _),
        };
        let below = if last.is_empty() {
            bare.walk(current.rest, M::bit(square))
        } else {
            bare.require(last.first(), current.rest, M::bit(square))
        };
        out.tally.nodes += below.nodes;
        out.tally.tours += below.tours;
    }
}

impl<M: SquareMask> Kernel for Path<M> {
    fn branches(&self) -> &dyn Branches {
        &self.stack
    }

    fn branches_mut(&mut self) -> &mut dyn Branches {
        &mut self.stack
    }

    fn begin(&mut self, task: &Task) {
        let roots = self.origins.iter().fold(M::EMPTY, |set, origin| set | M::bit(origin.choice()));
        self.stack.begin(task, roots);
        for level in 0..self.stack.depth() {
            self.arrive(level, self.stack.chosen()[level] as usize);
        }
    }

    fn advance(&mut self, mut burst: Burst<'_>, out: &mut BurstOutput<'_>) -> BurstEnd {
        let burst = &mut burst;
        if out.levels || out.sink.is_some() || self.classes.is_some() {
            self.run::<true>(burst, out)
        } else {
            self.run::<false>(burst, out)
        }
    }

    fn draw(&self, drawing: &mut Drawing) {
        let depth = self.stack.depth();
        let last = if depth > 0 { self.entered[depth].last } else { M::EMPTY };
        let way: Vec<u8> = self.way().collect();
        drawing.path(way.into_iter().map(u32::from), (!last.is_empty()).then(|| last.first() as u32));
    }
}

#[cfg(test)]
mod tests;
