//! The rules for the moves after a square has been entered, on bit sets alone.
//!
//! The *exits* of a vacant square are its vacant neighbours, the required last square included; the head is not vacant.
//! Every square but the last needs two exits, or one exit and the head before it.

use crate::board::{Shape, SmallBoard, SquareMask};

/// Whether there are two squares or more.
#[inline(always)]
pub fn several<M: SquareMask>(squares: M) -> bool {
    !squares.without_first().is_empty()
}

/// By vacant square, the number of its exits minus two: digit k of that number in bit plane k.
///
/// ```text
/// exits      2  3  4  5  6  7  8
/// plane 2    .  .  .  .  1  1  1
/// plane 1    .  .  1  1  .  .  1
/// plane 0    .  1  .  1  .  1  .
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exits<M>(pub M, pub M, pub M);

impl<M: SquareMask> Exits<M> {
    /// The exits on an empty board where every square has at least two, or is the first or the last one.
    fn new(board: &SmallBoard<M>) -> Exits<M> {
        let plane = |k: u32| {
            let has = |&s: &usize| board.neighbours(s).len().saturating_sub(2) >> k & 1 == 1;
            board.all().iter().filter(has).fold(M::EMPTY, |set, s| set | M::bit(s))
        };
        Exits(plane(0), plane(1), plane(2))
    }

    /// The squares with two exits; squares that are not vacant may be among them.
    #[inline(always)]
    fn two(self) -> M {
        !(self.0 | self.1 | self.2)
    }

    /// Takes one exit from each of `squares`. The number of a square that had two is wrong afterwards.
    #[inline(always)]
    fn lose(&mut self, squares: M) {
        let borrow = squares & !self.0;
        self.0 ^= squares;
        self.2 ^= borrow & !self.1;
        self.1 ^= borrow;
    }
}

/// The unvisited part of a board: the vacant squares without the required last one, and their exits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VacantSquares<M> {
    pub vacant: M,
    pub exits: Exits<M>,
}

/// The knight graph, and the exits on an empty board.
#[derive(Clone, Debug)]
pub struct PathGraph<M> {
    board: SmallBoard<M>,
    exits: Exits<M>,
}

impl<M: SquareMask> PathGraph<M> {
    /// The graph of `shape`; `None` when the mask cannot hold it.
    pub fn new(shape: impl Into<Shape>) -> Option<PathGraph<M>> {
        let board = SmallBoard::new(shape)?;
        Some(PathGraph { exits: Exits::new(&board), board })
    }

    /// The empty board with the required last square `last` (one square or none).
    pub fn empty_board(&self, last: M) -> VacantSquares<M> {
        VacantSquares { vacant: self.all() & !last, exits: self.exits }
    }

    #[inline(always)]
    pub fn squares(&self) -> usize {
        self.board.squares()
    }

    pub fn all(&self) -> M {
        self.board.all()
    }

    /// The squares with at most `most` moves. The rules require two exits of every square but the first and the last one.
    pub fn with_moves(&self, most: u32) -> M {
        let few = self.all().iter().filter(|&square| self.neighbours(square).len() <= most);
        few.fold(M::EMPTY, |set, square| set | M::bit(square))
    }

    /// The squares a knight's move away.
    #[inline(always)]
    pub fn neighbours(&self, square: usize) -> M {
        self.board.neighbours(square)
    }

    /// The squares that have two or more, and those that have three or more, neighbours in `set`; the results may hold
    /// numbers past the board.
    #[inline(always)]
    pub fn crowded(&self, set: M) -> (M, M) {
        // Two moves that go by the same rows are added first: their squares reach some squares once, others twice.
        let [[a, b], [c, d]] = self.board.columns_aside(set);
        let once = self.board.rows_apart(a | b, c | d);
        let twice = self.board.rows_apart(a & b, c & d);
        let (mut one, mut two, mut three) = (M::EMPTY, M::EMPTY, M::EMPTY);
        for (once, twice) in once.into_iter().zip(twice) {
            three |= (two & once) | (one & twice);
            two |= (one & once) | twice;
            one |= once;
        }
        (two, three)
    }

    /// The vacant neighbours of `square`, which has just been removed from `rest`, and those of them that it leaves with
    /// one exit. Takes one exit from each neighbour.
    #[inline(always)]
    fn stand_on(&self, rest: &mut VacantSquares<M>, square: usize) -> (M, M) {
        let neighbours = self.neighbours(square);
        let stranded = neighbours & rest.vacant & rest.exits.two();
        let moves = neighbours & rest.vacant;
        rest.exits.lose(moves);
        (moves, stranded)
    }

    /// The moves from `square`, just entered, when the last square is known; `gate` holds its neighbours. Without a move,
    /// the path is a dead end, or a tour but for its last square if no square is vacant.
    #[inline(always)]
    pub fn moves_to_last(&self, rest: &mut VacantSquares<M>, square: usize, gate: M) -> M {
        let (moves, stranded) = self.stand_on(rest, square);
        let moves = if stranded.is_empty() { moves } else { stranded };
        if several(stranded) || (gate & rest.vacant).is_empty() { M::EMPTY } else { moves }
    }

    /// The squares that will be passed between their two exits: no move leads there now, and they are none of `ends`.
    #[inline(always)]
    pub fn bound(&self, rest: &VacantSquares<M>, moves: M, ends: M) -> M {
        rest.vacant & rest.exits.two() & !moves & !ends
    }

    /// Of several `moves`, none of them forced, those that leave every other square two exits: the look-ahead that
    /// [`super`] describes.
    #[inline(always)]
    pub fn sparing_moves_to_last(&self, rest: &VacantSquares<M>, moves: M, gate: M) -> M {
        let bound = self.bound(rest, moves, M::EMPTY);
        let (two, three) = self.crowded(bound);
        if several(bound & gate) || !(three & rest.vacant).is_empty() { M::EMPTY } else { moves & !two }
    }

    /// The moves from `square`, just entered, while the last square may still be any of `ends`. Returns also the stranded
    /// squares, which the move must not leave behind except as the last one.
    #[inline(always)]
    pub fn moves_to_any(&self, rest: &mut VacantSquares<M>, square: usize, ends: M) -> (M, M) {
        let (moves, stranded) = self.stand_on(rest, square);
        if stranded.is_empty() {
            return (moves, stranded);
        }
        let second = stranded.without_first();
        let first = stranded ^ second;
        let moves = if second.is_empty() {
            if (first & ends).is_empty() { first } else { moves }
        } else if several(second) {
            M::EMPTY
        } else {
            let spare = |last: M, next: M| if (last & ends).is_empty() { M::EMPTY } else { next };
            spare(first, second) | spare(second, first)
        };
        (moves, stranded)
    }

    /// The look-ahead of [`PathGraph::sparing_moves_to_last`] while the last square may still be any of `ends`.
    #[inline(always)]
    pub fn sparing_moves_to_any(&self, rest: &VacantSquares<M>, moves: M, ends: M) -> M {
        let bound = self.bound(rest, moves, ends);
        let (two, three) = self.crowded(bound);
        if (three & rest.vacant).is_empty() { moves & !two } else { M::EMPTY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Walks a random path that breaks no rule; `check` receives each square and the unvisited part before it.
    fn stroll(
        board: &str,
        last: Option<usize>,
        seed: u64,
        mut check: impl FnMut(&PathGraph<u64>, VacantSquares<u64>, usize),
    ) {
        let graph = PathGraph::new(board.parse::<Shape>().unwrap()).unwrap();
        let mut random = fastrand::Rng::with_seed(seed);
        let mut rest = graph.empty_board(last.map_or(0, u64::bit));
        let mut moves = rest.vacant;
        while !moves.is_empty() {
            let square = moves.iter().nth(random.usize(..moves.len() as usize)).unwrap();
            rest.vacant ^= u64::bit(square);
            check(&graph, rest, square);
            let stranded;
            (moves, stranded) = graph.stand_on(&mut rest, square);
            match stranded.len() {
                0 => {}
                1 => moves = stranded,
                _ => break,
            }
        }
    }

    fn exits(graph: &PathGraph<u64>, vacant: u64, last: u64, square: usize) -> u32 {
        (graph.neighbours(square) & (vacant | last)).len()
    }

    fn with_exits(graph: &PathGraph<u64>, vacant: u64, last: u64, count: u32) -> u64 {
        let squares = vacant.iter().filter(|&square| exits(graph, vacant, last, square) == count);
        squares.fold(0, |set, square| set | u64::bit(square))
    }

    proptest! {
        #[test]
        fn planes_count_the_exits(seed: u64, last in proptest::option::of(0usize..30)) {
            let required = last.map_or(0, u64::bit);
            stroll("5x6", last, seed, |graph, mut rest, square| {
                let vacant = rest.vacant;
                let (moves, stranded) = graph.stand_on(&mut rest, square);
                let near = graph.neighbours(square);
                assert_eq!(moves, near & vacant);
                // Away from the head no square has fewer than two.
                assert_eq!(stranded, with_exits(graph, vacant, required, 1));
                assert_eq!(rest.exits.two() & vacant, with_exits(graph, vacant, required, 2));
                for square in (vacant & !stranded).iter() {
                    let Exits(a, b, c) = rest.exits;
                    let digits = [a, b, c].map(|plane| u32::from(plane.has(square)));
                    let count = 2 + digits[0] + 2 * digits[1] + 4 * digits[2];
                    assert_eq!(count, exits(graph, vacant, required, square));
                }
            });
        }

        #[test]
        fn moves_follow_the_rules(seed: u64, last in 0usize..30, ends: u64) {
            stroll("5x6", Some(last), seed, |graph, rest, square| {
                let (vacant, gate) = (rest.vacant, graph.neighbours(last));
                let stranded = with_exits(graph, vacant, u64::bit(last), 1);
                let expected = match stranded.len() {
                    _ if gate & vacant == 0 => 0,
                    0 => graph.neighbours(square) & vacant,
                    1 => stranded,
                    _ => 0,
                };
                assert_eq!(graph.moves_to_last(&mut rest.clone(), square, gate), expected);
            });
            stroll("5x6", None, seed, |graph, rest, square| {
                let vacant = rest.vacant;
                let stranded = with_exits(graph, vacant, 0, 1);
                // A move is right when what it leaves behind can be the last square: nothing, or one of the ends.
                let right = |&next: &usize| match stranded & !u64::bit(next) {
                    0 => true,
                    left => left.len() == 1 && left & ends == left,
                };
                let moves = (graph.neighbours(square) & vacant).iter().filter(right);
                let expected = (moves.fold(0, |set, next| set | u64::bit(next)), stranded);
                assert_eq!(graph.moves_to_any(&mut rest.clone(), square, ends), expected);
            });
        }

        #[test]
        fn the_look_ahead_spares_squares_that_others_need(seed: u64, last in 0usize..30, ends: u64) {
            let expect = |graph: &PathGraph<u64>, vacant: u64, moves: u64, bound: u64| {
                let claims = |square: usize| (graph.neighbours(square) & bound & !moves).len();
                let free = moves.iter().filter(|&square| claims(square) < 2);
                let dead = vacant.iter().any(|square| claims(square) > 2);
                if dead { 0 } else { free.fold(0, |set, square| set | u64::bit(square)) }
            };
            stroll("5x6", Some(last), seed, |graph, mut rest, square| {
                let gate = graph.neighbours(last);
                let moves = graph.moves_to_last(&mut rest, square, gate);
                if several(moves) {
                    let bound = with_exits(graph, rest.vacant, u64::bit(last), 2);
                    let gate_dead = several(bound & !moves & gate);
                    let expected = if gate_dead { 0 } else { expect(graph, rest.vacant, moves, bound) };
                    assert_eq!(graph.sparing_moves_to_last(&rest, moves, gate), expected);
                }
            });
            stroll("5x6", None, seed, |graph, mut rest, square| {
                let (moves, stranded) = graph.moves_to_any(&mut rest, square, ends);
                if several(moves) && stranded.is_empty() {
                    let bound = with_exits(graph, rest.vacant, 0, 2) & !ends;
                    let expected = expect(graph, rest.vacant, moves, bound);
                    assert_eq!(graph.sparing_moves_to_any(&rest, moves, ends), expected);
                }
            });
        }

        #[test]
        fn shifted_sets_count_neighbours(set: u64) {
            for board in ["1x1", "1x7", "2x3", "7x2", "3x3", "3x4", "5x6", "8x8", "4x16"] {
                let graph = PathGraph::<u64>::new(board.parse::<Shape>().unwrap()).unwrap();
                let set = set & graph.all();
                let with = |count| {
                    let squares = graph.all().iter().filter(|&square| (graph.neighbours(square) & set).len() >= count);
                    squares.fold(0, |set, square| set | u64::bit(square))
                };
                let (two, three) = graph.crowded(set);
                prop_assert_eq!((two & graph.all(), three & graph.all()), (with(2), with(3)), "{}", board);
            }
        }
    }
}
