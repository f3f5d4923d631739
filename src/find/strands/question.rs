//! The question that a search answers, what is forced at once, and why there is no tour as far as that needs no search.

use super::move_state::{DeadEnd, MoveState, ways};
use crate::board::{Board, Ending, Shape, Square};

/// Where a tour starts and ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TourEnds {
    Closed,
    /// The tour is open, with this first and this last square; an end that is `None` may be any square.
    Open {
        start: Option<Square>,
        end: Option<Square>,
    },
}

/// Why a question has no tour: a proof, in one sentence without its full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Contradiction {
    /// All squares are holes.
    #[error("every square is a hole")]
    Nothing,
    #[error("{} is a hole", .0.name(*.1))]
    Hole(Board, Square),
    /// A move of the question is no knight's move.
    #[error("no knight's move leads from {} to {}", .0.name(.1[0]), .0.name(.1[1]))]
    NotAMove(Board, [Square; 2]),
    /// A square has no move, or one where it needs two.
    #[error("{} has {} move left{}", .0.name(*.1), if *.2 == 0 { "no" } else { "one" }, if *.2 == 0 { "" } else { " and needs two" })]
    Exits(Board, Square, u32),
    /// More squares have only one move than a tour has ends.
    #[error("{}, {} and {} have one move left, and only two squares can be ends", .0.name(.1[0]), .0.name(.1[1]), .0.name(.1[2]))]
    ThreeEnds(Board, [Square; 3]),
    /// The squares are not connected; `holes` says whether there are any.
    #[error("{} into {parts} parts", if *holes { "the holes cut the board" } else { "the board falls" })]
    Parts { holes: bool, parts: usize },
    /// The colours forbid the tour; [`Shape::colours_forbid`](crate::board::Shape::colours_forbid) gives the sentence.
    #[error("{0}")]
    Colours(String),
    /// The forced moves leave a square without the moves it needs, or close a cycle too early.
    #[error("{}", forced_message(*.0, *.1))]
    Forced(Board, Option<Square>),
}

fn forced_message(board: Board, at: Option<Square>) -> String {
    match at {
        Some(square) => format!("the forced moves leave no move for {}", board.name(square)),
        None => "the forced moves leave no two squares for the ends".to_owned(),
    }
}

/// The question from which a [`StrandRoot`](super::StrandRoot) is made.
pub(super) struct StrandQuestion<'a> {
    pub shape: &'a Shape,
    pub ends: TourEnds,
    pub must: &'a [[Square; 2]],
    pub must_not: &'a [[Square; 2]],
}

impl StrandQuestion<'_> {
    /// The position in which everything that is forced from the start is decided.
    pub fn propagate(&self) -> Result<MoveState, Contradiction> {
        let (shape, board) = (self.shape, self.shape.board());
        self.check_squares()?;
        let candidates = self.end_candidates();
        let mut joins = MoveState::new(shape, candidates.as_deref());
        let dead = |dead: DeadEnd| Contradiction::Forced(board, board.at(dead.at as u32));
        for &[a, b] in self.must_not {
            let at = MoveState::between(board, a, b).ok_or(Contradiction::NotAMove(board, [a, b]))?;
            joins.decide(at, false).map_err(dead)?;
        }
        if self.count() == 1 && self.ends != TourEnds::Closed {
            return Ok(joins);
        }
        self.check_exits(&joins)?;
        self.check_connected(&joins)?;
        let [start, end] = self.given_ends();
        let ending = if self.ends == TourEnds::Closed { Ending::Closed } else { Ending::Open };
        if let Some(reason) = shape.colours_forbid(ending, start, end) {
            return Err(Contradiction::Colours(reason));
        }
        for &[a, b] in self.must {
            let at = MoveState::between(board, a, b).ok_or(Contradiction::NotAMove(board, [a, b]))?;
            joins.decide(at, true).map_err(dead)?;
        }
        for end in self.given_ends().into_iter().flatten() {
            joins.decide(MoveState::knot_move(end.index() as usize), true).map_err(dead)?;
        }
        joins.propagate().map_err(dead)?;
        Ok(joins)
    }

    /// Number of squares of a tour.
    fn count(&self) -> usize {
        self.shape.squares() as usize
    }

    fn given_ends(&self) -> [Option<Square>; 2] {
        match self.ends {
            TourEnds::Closed => [None; 2],
            TourEnds::Open { start, end } => [start, end],
        }
    }

    /// Checks that the moves of the question are knight's moves and its squares are no holes.
    fn check_squares(&self) -> Result<(), Contradiction> {
        let (shape, board) = (self.shape, self.shape.board());
        if self.count() == 0 {
            return Err(Contradiction::Nothing);
        }
        let moves = self.must.iter().chain(self.must_not);
        if let Some(&no_move) = moves.clone().find(|[a, b]| !board.adjacent(*a, *b)) {
            return Err(Contradiction::NotAMove(board, no_move));
        }
        let named = self.must.iter().flatten().copied().chain(self.given_ends().into_iter().flatten());
        match named.into_iter().find(|&square| shape.holes().contains(square)) {
            Some(hole) => Err(Contradiction::Hole(board, hole)),
            None => Ok(()),
        }
    }

    /// Checks that every square has a way in and a way out.
    fn check_exits(&self, joins: &MoveState) -> Result<(), Contradiction> {
        let board = self.shape.board();
        let mut ends = Vec::new();
        for square in self.shape.all() {
            let exits = (joins.open(square.index() as usize) & 0xFF).count_ones();
            if exits == 0 || exits == 1 && self.ends == TourEnds::Closed {
                return Err(Contradiction::Exits(board, square, exits));
            }
            if exits == 1 {
                ends.push(square);
            }
        }
        match ends[..] {
            [a, b, c, ..] => Err(Contradiction::ThreeEnds(board, [a, b, c])),
            _ => Ok(()),
        }
    }

    /// Checks that the squares are connected by moves.
    fn check_connected(&self, joins: &MoveState) -> Result<(), Contradiction> {
        let mut seen = vec![false; self.shape.board().squares() as usize];
        let mut parts = 0;
        for square in self.shape.all() {
            let mut left = vec![square.index() as usize];
            if std::mem::replace(&mut seen[left[0]], true) {
                continue;
            }
            parts += 1;
            while let Some(from) = left.pop() {
                for to in ways(joins.open(from) & 0xFF).map(|way| joins.target(from, way)) {
                    if !std::mem::replace(&mut seen[to], true) {
                        left.push(to);
                    }
                }
            }
        }
        if parts == 1 { Ok(()) } else { Err(Contradiction::Parts { holes: self.shape.has_holes(), parts }) }
    }

    /// The squares that may be ends, by their colour; `None` if the tour is closed.
    fn end_candidates(&self) -> Option<Vec<Square>> {
        if self.ends == TourEnds::Closed || self.count() == 1 {
            return None;
        }
        let (board, [light, dark]) = (self.shape.board(), self.shape.colours());
        let given: Vec<Square> = self.given_ends().into_iter().flatten().collect();
        let admitted = |square: &Square| {
            let own = board.is_dark(*square);
            // With equal numbers of both colours the ends differ in colour; otherwise both are of the more frequent colour.
            let fits =
                if light == dark { given.iter().all(|&end| board.is_dark(end) != own) } else { own == (dark > light) };
            fits && given.len() < 2 || given.contains(square)
        };
        Some(self.shape.all().filter(admitted).collect())
    }
}
