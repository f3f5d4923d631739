//! The starts of paths: one start of each orbit, one of the first moves that a symmetry exchanges, and one direction of
//! an open tour. [`OrbitImages`] expands a tour found to all tours that it stands for.

use super::rules::{PathGraph, several};
use crate::board::{Ending, Shape, Square, SquareMask, Symmetries, Symmetry};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A start, with everything that it determines.
#[derive(Clone, Copy, Default, Debug)]
pub struct Origin<M> {
    pub start: usize,
    /// The first moves to try.
    pub firsts: M,
    /// The required last square: of a closed tour the one left for the end, of an open tour a square with one move; else empty.
    pub last: M,
    /// Squares on which an open tour may end.
    pub ends: M,
    /// The ends whose tours count `weights.0`; tours with another end count `weights.1`.
    own: M,
    weights: (u64, u64),
    is_closed: bool,
}

impl<M: SquareMask> Origin<M> {
    /// The choice at level 0 that leads here: the start of an open tour, the last square of a closed one.
    pub fn choice(&self) -> usize {
        if self.is_closed { self.last.first() } else { self.start }
    }

    /// The number of tours that a tour with the end `last` counts.
    #[inline(always)]
    pub fn weight(&self, last: usize) -> u64 {
        if self.own.has(last) { self.weights.0 } else { self.weights.1 }
    }

    /// The count of a tour where classes are counted and no start was given.
    ///
    /// An open tour whose two ends lie in two orbits of squares is the only one found of its class. Of the others some are
    /// found twice, from both ends, and a closed tour is found with all its images; of them the canonical one counts.
    #[inline(always)]
    pub fn class_weight(&self, symmetries: &Symmetries, tour: &[u8]) -> u64 {
        let ending = Ending::open_if(!self.is_closed);
        let alone = tour.last().is_some_and(|&last| !self.own.has(usize::from(last)));
        u64::from(alone || symmetries.is_canonical(ending, tour))
    }
}

/// The origins of a search, and the tours that each tour found stands for.
pub type Origins<M> = (Vec<Origin<M>>, OrbitImages);

/// The tours that one tour found by a [`Path`](super::Path) stands for.
#[derive(Clone, Debug)]
pub struct OrbitImages {
    /// By symmetry, the image of every square; the identity first.
    symmetries: Arc<[Box<[u8]>]>,
    /// By square, the least square of its orbit, when a tour between two orbits stands for its reversal too.
    orbits: Option<Arc<[u8]>>,
}

impl OrbitImages {
    /// Calls `each` with every tour that the tour `squares` stands for, that tour first.
    ///
    /// # Panics
    /// When a square is not on the board.
    pub fn expand(&self, squares: &[u8], each: &mut dyn FnMut(&[u8])) {
        let orbit = |end: Option<&u8>| end.zip(self.orbits.as_ref()).map(|(&end, orbits)| orbits[end as usize]);
        let both_ways = orbit(squares.first()) != orbit(squares.last());
        let mut image = squares.to_vec();
        for table in self.symmetries.iter() {
            image.iter_mut().zip(squares).for_each(|(to, &from)| *to = table[from as usize]);
            each(&image);
            if both_ways {
                image.reverse();
                each(&image);
                image.reverse();
            }
        }
    }

    fn identity(shape: &Shape) -> OrbitImages {
        OrbitImages { symmetries: Arc::new([table(shape, Symmetry::Identity)]), orbits: None }
    }
}

/// The image of every square. Holes stay, so that symmetries which take each square to the same one have equal tables.
fn table(shape: &Shape, symmetry: Symmetry) -> Box<[u8]> {
    let image = |square| if shape.has(square) { symmetry.apply(shape.board(), square) } else { square };
    shape.board().all().map(|square| image(square).index() as u8).collect()
}

/// The origins of closed tours through `start`, or through a square with the fewest moves, such as a corner: every undirected
/// tour once.
///
/// Of the two moves of a tour at its start, one is made first and the other is left for the end. The moves are sorted,
/// and the later one is left for the end. A move farther along the longer side comes later, because that makes the tree
/// smaller: on 6x7 it has 29.3 million nodes, in the other order 33.4.
pub fn closed<M: SquareMask>(shape: &Shape, graph: &PathGraph<M>, start: Option<Square>) -> Origins<M> {
    let (board, fewest) = (shape.board(), graph.all().iter().min_by_key(|&square| graph.neighbours(square).len()));
    let start = start.map(|start| start.index() as usize).or(fewest).unwrap_or(0);
    let along = |square: usize| {
        let lane = |square: usize| {
            let (row, col) = (square as u32 / board.cols(), square as u32 % board.cols());
            if board.rows() > board.cols() { row } else { col }
        };
        lane(square).abs_diff(lane(start))
    };
    let mut moves: Vec<usize> = graph.neighbours(start).iter().collect();
    moves.sort_by_key(|&square| along(square));
    // The colours alternate, so a closed tour has equally many squares of both.
    let [light, dark] = shape.colours();
    let possible = graph.with_moves(1).is_empty() && light == dark;
    let all = graph.all();
    let origin = |(k, &last): (usize, &usize)| {
        let before = if possible { &moves[..k] } else { &[] };
        let firsts = before.iter().fold(M::EMPTY, |set, &square| set | M::bit(square));
        Origin { start, firsts, last: M::bit(last), ends: M::EMPTY, own: all, weights: (1, 1), is_closed: true }
    };
    (moves.iter().enumerate().skip(1).map(origin).collect(), OrbitImages::identity(shape))
}

/// The origins of open tours, directed, from `start` or from every square.
///
/// The symmetries of the question are those of the shape, or those that keep the start. They map tours to tours, and
/// only the identity keeps both a start and its first move. So the search tries one of the first moves that they
/// exchange, and a tour counts once for each symmetry. From every square, a tour whose ends lie in two orbits is found
/// in one direction, from the orbit that comes first, and counts twice.
///
/// Holes leave squares with one move. Such a square is the start or the last one, so three of them leave no tour.
pub fn open<M: SquareMask>(shape: &Shape, graph: &PathGraph<M>, start: Option<Square>) -> Origins<M> {
    let keeps = |symmetry: &&Symmetry| start.is_none_or(|start| symmetry.apply(shape.board(), start) == start);
    // On a board one wide, different symmetries have equal images.
    let symmetries: BTreeSet<Box<[u8]>> =
        shape.symmetries().iter().filter(keeps).map(|&symmetry| table(shape, symmetry)).collect();
    let symmetries: Arc<[Box<[u8]>]> = symmetries.into_iter().collect();
    let count = symmetries.len() as u64;
    let possible = graph.with_moves(0).is_empty() || graph.squares() == 1;
    let narrow = graph.with_moves(1);
    let origin = |start: usize, ends: M, own: M| {
        let keeping = || symmetries.iter().filter(|table| usize::from(table[start]) == start);
        let least = |&first: &usize| keeping().all(|table| usize::from(table[first]) >= first);
        let firsts = graph.neighbours(start).iter().filter(least).fold(M::EMPTY, |set, first| set | M::bit(first));
        let ends = ends & end_colour(shape, start);
        let last = narrow & !M::bit(start);
        let possible = possible && !ends.is_empty() && !several(last) && (last & !ends).is_empty();
        let [firsts, last] = if possible { [firsts, last] } else { [M::EMPTY; 2] };
        Origin { start, firsts, last, ends, own, weights: (count, 2 * count), is_closed: false }
    };
    if let Some(start) = start {
        let origin = origin(start.index() as usize, graph.all(), graph.all());
        return (vec![origin], OrbitImages { symmetries, orbits: None });
    }
    let (mut origins, mut later) = (Vec::new(), graph.all());
    let mut orbits = vec![0; shape.board().squares() as usize];
    for orbit in shape.orbits() {
        let start = orbit.representative().index();
        let members = orbit.members.iter().map(|(square, _)| square.index() as usize);
        let own = members.fold(M::EMPTY, |set, square| set | M::bit(square));
        own.iter().for_each(|square| orbits[square] = start as u8);
        origins.push(origin(start as usize, later, own));
        later &= !own;
    }
    (origins, OrbitImages { symmetries, orbits: Some(orbits.into()) })
}

/// The squares on which a tour from `start` may end, by colour. The colours alternate, so there are as many squares of both, or
/// one more of the colour on which the tour begins and ends.
fn end_colour<M: SquareMask>(shape: &Shape, start: usize) -> M {
    let (board, [light, dark]) = (shape.board(), shape.colours());
    let own = board.at(start as u32).is_some_and(|start| board.is_dark(start));
    let (own_squares, others) = if own { (dark, light) } else { (light, dark) };
    let end = match own_squares.checked_sub(others) {
        Some(0) => !own,
        Some(1) => own,
        _ => return M::EMPTY,
    };
    let ends = shape.all().filter(|&square| board.is_dark(square) == end);
    ends.fold(M::EMPTY, |set, square| set | M::bit(square.index() as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn origins(board: &str, start: Option<u32>) -> Vec<Origin<u64>> {
        let board: Board = board.parse().unwrap();
        open(&board.into(), &PathGraph::new(board).unwrap(), start.and_then(|start| board.at(start))).0
    }

    fn squares(set: u64) -> Vec<usize> {
        set.iter().collect()
    }

    /// ```text
    ///  0  1  2  3     Four orbits of starts, in this order: 0 3 8 11, then 1 2 9 10, then 4 7, then 5 6. A tour
    ///  4  5  6  7     from 0 ends on the other colour, 1 3 4 6 9 11; one from 1 on 0 2 5 7 8 10, of which 0 and 8 are
    ///  8  9 10 11     in an earlier orbit. From 4 and 5, on the middle row, the moves up and down are images.
    /// ```
    #[test]
    fn starts_firsts_and_ends_of_an_oblong_board() {
        let origins = origins("3x4", None);
        let starts: Vec<_> = origins.iter().map(|origin| (origin.start, squares(origin.firsts))).collect();
        assert_eq!(starts, [(0, vec![6, 9]), (1, vec![7, 8, 10]), (4, vec![2]), (5, vec![3])]);
        assert_eq!(squares(origins[0].ends), [1, 3, 4, 6, 9, 11]);
        assert_eq!(squares(origins[1].ends), [2, 5, 7, 10]);
        assert_eq!(origins[0].choice(), 0);
        assert_eq!([3, 1].map(|last| origins[0].weight(last)), [4, 8]);
    }

    #[test]
    fn of_first_moves_that_a_symmetry_exchanges_one_is_tried() {
        let firsts = |start| squares(origins("5x5", Some(start))[0].firsts);
        // From the corner, on a diagonal: to 7 or 11. From the centre all eight are images of one.
        assert_eq!((firsts(0), firsts(12)), (vec![7], vec![1]));
        // On the middle column but on no diagonal: left and right are images.
        assert_eq!(firsts(2), [5, 11]);
        // The wrong colour on an odd board: no first move.
        assert!(firsts(1).is_empty());
        // With a start given, the reversal of a tour has another start.
        let corner = origins("5x5", Some(0))[0];
        assert_eq!([4, 12].map(|last| corner.weight(last)), [2, 2]);
    }

    #[test]
    fn the_move_along_the_longer_side_is_left_for_the_end() {
        for (board, last) in [("6x7", 9), ("7x6", 13)] {
            let board: Board = board.parse().unwrap();
            let (origins, images) = closed::<u64>(&board.into(), &PathGraph::new(board).unwrap(), None);
            assert_eq!(origins.len(), 1);
            let origin = origins[0];
            assert_eq!((origin.start, origin.choice(), origin.firsts.len(), origin.weight(3)), (0, last, 1, 1));
            let mut seen = Vec::new();
            images.expand(&[1, 2, 3], &mut |tour| seen.push(tour.to_vec()));
            assert_eq!(seen, [[1, 2, 3]]);
        }
    }

    #[test]
    fn every_pair_of_moves_at_the_start_is_tried_once() {
        let board: Board = "6x6".parse().unwrap();
        let (origins, _) = closed::<u64>(&board.into(), &PathGraph::new(board).unwrap(), board.at(14));
        let pairs: BTreeSet<_> = origins
            .iter()
            .flat_map(|origin| {
                origin.firsts.iter().map(|first| (first.min(origin.choice()), first.max(origin.choice())))
            })
            .collect();
        assert_eq!((pairs.len(), origins.iter().map(|origin| origin.firsts.len()).sum()), (28, 28));
    }

    #[test]
    fn boards_without_tours_have_no_first_move() {
        for board in ["1x2", "2x2", "1x7", "2x9", "3x3"] {
            assert!(origins(board, None).iter().all(|origin| origin.firsts.is_empty()), "{board}");
        }
        for board in ["1x1", "2x5", "3x3", "5x5", "3x5"] {
            let board: Board = board.parse().unwrap();
            let (origins, _) = closed::<u64>(&board.into(), &PathGraph::new(board).unwrap(), None);
            assert!(origins.iter().all(|origin| origin.firsts.is_empty()), "{board}");
        }
    }
}
