//! One attempt at a tour put together of moves, the root that all attempts share, and tours between all pairs of squares.

use super::move_state::{Move, MoveState, ways};
use super::question::{Contradiction, StrandQuestion, TourEnds};
use crate::board::{Board, Shape, Square};
use crate::find::attempt::{Attempt, AttemptProgress, ROUND, node_limit, seed_of};
use crate::search::Drawing;
use fastrand::Rng;
use std::sync::Arc;

/// The position before the first choice, with every forced move decided. Every attempt starts here. Cheap to clone.
#[derive(Clone, Debug)]
pub struct StrandRoot(Arc<RootPosition>);

#[derive(Clone, Debug)]
struct RootPosition {
    board: Board,
    ends: TourEnds,
    /// The squares of the tour; a closed tour starts at the first of them.
    squares: Box<[Square]>,
    joins: MoveState,
}

impl StrandRoot {
    /// The root of a search for tours of `shape`, with the ends `ends`, that contain the moves `must` and
    /// none of the moves `must_not`.
    ///
    /// # Errors
    /// A [`Contradiction`] when there is no such tour for a reason that needs no search.
    pub fn new(
        shape: impl Into<Shape>,
        ends: TourEnds,
        must: &[[Square; 2]],
        must_not: &[[Square; 2]],
    ) -> Result<StrandRoot, Contradiction> {
        let shape = shape.into();
        let (board, question) = (shape.board(), StrandQuestion { shape: &shape, ends, must, must_not });
        let joins = question.propagate()?;
        Ok(StrandRoot(Arc::new(RootPosition { board, ends, squares: shape.all().collect(), joins })))
    }

    /// This root, whose closed tours start at `start`. The start of an open tour is part of its ends.
    pub fn starting_at(mut self, start: Square) -> StrandRoot {
        let squares = &mut Arc::make_mut(&mut self.0).squares;
        if let Some(at) = squares.iter().position(|&square| square == start) {
            squares.swap(0, at);
        }
        self
    }

    /// Most nodes of attempt number `attempt`.
    pub fn node_limit(&self, attempt: u64) -> u64 {
        node_limit(self.0.squares.len(), attempt)
    }

    /// Attempt number `attempt` at a tour. The seed and this number determine its choices.
    pub fn attempt(&self, seed: u64, attempt: u64) -> Strands {
        let thorough = attempt % ROUND == ROUND - 1;
        let mut strands = Strands {
            root: self.clone(),
            joins: self.0.joins.clone(),
            rng: Rng::with_seed(seed_of(seed, attempt)),
            levels: Vec::new(),
            near: 0,
            left: self.node_limit(attempt),
            thorough,
            has_random_end: false,
            next: NextMove::Choose,
        };
        if !thorough {
            strands.choose_ends();
        }
        strands
    }

    /// The first tour that the attempts with these numbers find in turn. `None` if there is no tour, or no attempt finds one.
    pub fn first_tour(&self, seed: u64, attempts: impl IntoIterator<Item = u64>) -> Option<Box<[Square]>> {
        for attempt in attempts {
            match self.attempt(seed, attempt).advance(u64::MAX, &mut 0) {
                AttemptProgress::Found(tour) => return Some(tour),
                AttemptProgress::Exhausted => return None,
                AttemptProgress::GivenUp | AttemptProgress::Going => {}
            }
        }
        None
    }
}

/// The next step of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NextMove {
    /// Choose a move, or return the tour if it is complete.
    Choose,
    /// Backtrack: the moves decided are in no tour, or in none that is new.
    GoBack,
    /// Give up.
    Stop,
}

/// One choice.
#[derive(Clone, Copy, Debug)]
struct StrandLevel {
    /// Length of the trail before the choice.
    mark: u32,
    from: u32,
    way: u8,
}

/// The most memory of an attempt for each square, in bytes: its vertex, four moves on the trail, and two choices for three
/// squares.
const BYTES_PER_SQUARE: usize = 36;

/// One attempt at a tour put together of moves; the [module](super) describes the search.
#[derive(Clone, Debug)]
pub struct Strands {
    root: StrandRoot,
    joins: MoveState,
    rng: Rng,
    /// The choices made.
    levels: Vec<StrandLevel>,
    /// The square of the last choice; the next one is chosen near it.
    near: usize,
    /// Nodes left until the attempt gives up.
    left: u64,
    thorough: bool,
    /// Whether an end was chosen at random; an exhausted search then proves nothing.
    has_random_end: bool,
    next: NextMove,
}

impl Strands {
    /// Chooses ends at random where none is given.
    fn choose_ends(&mut self) {
        while let Some(end) = self.random_end() {
            self.has_random_end = true;
            let decided = self.joins.decide(end, true).and_then(|()| self.joins.propagate());
            if decided.is_err() {
                self.next = NextMove::Stop;
                return;
            }
        }
    }

    /// The move to the knot of a random square that may still be an end.
    fn random_end(&mut self) -> Option<Move> {
        let RootPosition { board, squares, .. } = &*self.root.0;
        let dark = |square: usize| board.at(square as u32).map(|square| board.is_dark(square));
        let other = self.joins.chosen_ends().next().and_then(dark);
        // An even number of squares has ends of either colour.
        let fits = |&square: &usize| squares.len() % 2 == 1 || other.is_none() || other != dark(square);
        let ends: Vec<usize> = self.joins.open_ends().filter(fits).collect();
        Some(MoveState::knot_move(*self.rng.choice(&ends)?))
    }

    fn choose_move(&mut self) {
        let Some(from) = self.joins.tightest(self.near) else {
            unreachable!("a propagated position that is not complete has open moves");
        };
        let open = self.joins.open(from);
        let nth = self.rng.u32(..open.count_ones());
        let way = ways(open).nth(nth as usize).unwrap_or_else(|| unreachable!("a tight square has open moves"));
        let choice = Move { from, way };
        self.levels.push(StrandLevel { mark: self.joins.mark() as u32, from: from as u32, way: way as u8 });
        self.near = from;
        self.follow(choice, true);
    }

    /// Undoes the last choice and rules its move out; returns whether there was a choice.
    fn go_back(&mut self) -> bool {
        let Some(StrandLevel { mark, from, way }) = self.levels.pop() else { return false };
        let choice = Move { from: from as usize, way: way.into() };
        self.joins.undo(mark as usize);
        self.near = choice.from;
        self.follow(choice, false);
        true
    }

    /// Decides a move, in if `is_in` and otherwise out, and draws all conclusions.
    fn follow(&mut self, choice: Move, is_in: bool) {
        let settled = self.joins.decide(choice, is_in).and_then(|()| self.joins.propagate());
        self.next = if settled.is_ok() { NextMove::Choose } else { NextMove::GoBack };
    }

    /// The complete tour, from its start.
    fn tour(&self) -> Box<[Square]> {
        let RootPosition { board, ends, squares: all, .. } = &*self.root.0;
        let start = match *ends {
            TourEnds::Closed => None,
            TourEnds::Open { start: Some(start), .. } => Some(start.index() as usize),
            TourEnds::Open { start: None, end } => {
                self.joins.chosen_ends().find(|&square| end.is_none_or(|end| end.index() as usize != square))
            }
        };
        // A tour without an end is closed or has one square.
        let from = start.unwrap_or(all[0].index() as usize);
        let mut squares: Box<[Square]> =
            self.joins.strand(from).into_iter().filter_map(|square| board.at(square)).collect();
        // A closed tour has one form, whichever attempt finds it.
        if let (TourEnds::Closed, [_, second, .., last]) = (ends, &*squares)
            && second > last
        {
            squares[1..].reverse();
        }
        squares
    }
}

impl Attempt for Strands {
    fn advance(&mut self, nodes: u64, entered: &mut u64) -> AttemptProgress {
        let mut burst = nodes;
        loop {
            match self.next {
                NextMove::Stop => return AttemptProgress::GivenUp,
                NextMove::GoBack => {
                    if !self.go_back() {
                        return if self.has_random_end { AttemptProgress::GivenUp } else { AttemptProgress::Exhausted };
                    }
                }
                NextMove::Choose if self.joins.is_whole() => {
                    self.next = if self.thorough { NextMove::GoBack } else { NextMove::Stop };
                    return AttemptProgress::Found(self.tour());
                }
                NextMove::Choose if self.left == 0 => self.next = NextMove::Stop,
                NextMove::Choose if burst == 0 => return AttemptProgress::Going,
                NextMove::Choose => {
                    burst -= 1;
                    self.left -= 1;
                    *entered += 1;
                    self.choose_move();
                }
            }
        }
    }

    fn depth(&self) -> usize {
        self.joins.joined
    }

    fn bytes(&self) -> usize {
        BYTES_PER_SQUARE * self.root.0.squares.len()
    }

    fn draw(&self, drawing: &mut Drawing) {
        drawing.reserved = None;
        drawing.skipped = 0;
        drawing.chains.clear();
        if self.joins.is_whole() {
            drawing.chains.push(self.tour().iter().map(|square| square.index()).collect());
            return;
        }
        // Each strand occurs twice, once for each end.
        let strands = self.joins.strand_ends().map(|end| self.joins.strand(end));
        drawing.chains.extend(strands.filter(|strand| strand[0] < strand[strand.len() - 1]));
    }
}

/// Numbers of unordered pairs of different squares of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SquarePairs {
    /// The pairs with an open tour from one square to the other.
    pub joined: u64,
    /// The pairs that the colours allow as ends.
    pub admissible: u64,
}

/// Searches for a tour between every two squares of a board. The search is exhaustive where there is no tour.
///
/// A board with both sides from 6 on takes about 10 microseconds for each pair. A narrow board, where most pairs have no
/// tour, takes much longer.
pub fn count_pairs(board: Board) -> SquarePairs {
    let mut pairs = SquarePairs { joined: 0, admissible: 0 };
    let admissible = |start: Square| {
        let after = board.all().skip(start.index() as usize + 1);
        after.map(move |end| (start, end)).filter(|&(start, end)| {
            let ending = crate::board::Ending::Open;
            Shape::from(board).colours_forbid(ending, Some(start), Some(end)).is_none()
        })
    };
    for (start, end) in board.all().flat_map(admissible) {
        pairs.admissible += 1;
        let ends = TourEnds::Open { start: Some(start), end: Some(end) };
        // A contradiction also proves that there is no tour.
        let root = StrandRoot::new(board, ends, &[], &[]);
        pairs.joined += u64::from(root.is_ok_and(|root| root.first_tour(0, 0..).is_some()));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures are recomputed by a program that extends one path from every start.
    #[test]
    fn the_numbers_of_pairs_are_those_of_a_plain_program() {
        for (board, joined, admissible) in [
            ("5x5", 42, 78),
            ("5x6", 178, 225),
            ("4x7", 49, 196),
            ("4x8", 64, 256),
            ("5x7", 153, 153),
            ("6x6", 324, 324),
            ("7x7", 300, 300),
        ] {
            assert_eq!(count_pairs(board.parse().unwrap()), SquarePairs { joined, admissible }, "{board}");
        }
    }

    #[test]
    fn the_theorems_about_pairs_agree_with_the_search() {
        for text in ["3x7", "4x5", "5x5", "6x5", "5x7", "6x6"] {
            let board: Board = text.parse().unwrap();
            for (start, end) in board.all().flat_map(|start| board.all().map(move |end| (start, end))) {
                let Some(known) = board.existence_between(Some(start), Some(end)) else { continue };
                let ends = TourEnds::Open { start: Some(start), end: Some(end) };
                let tour = StrandRoot::new(board, ends, &[], &[]).ok().and_then(|root| root.first_tour(7, 0..));
                assert_eq!(known.exists, tour.is_some(), "{text} {start:?} {end:?}: {}", known.reason);
            }
        }
    }
}
