//! What is asked, and why there can be no such tour, as far as that shows before any search.

use super::joins::{DeadEnd, Joins, ways};
use crate::board::{Board, Ending, Holes, Square};

/// Where the tours wanted begin and end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TourEnds {
    /// Nowhere: they are closed.
    Closed,
    /// At these squares; anywhere where there is none.
    Open {
        /// The first square.
        start: Option<Square>,
        /// The last square.
        end: Option<Square>,
    },
}

/// Why a question has no answer: proven, in a sentence without its full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Contradiction {
    /// No square is left.
    #[error("every square is a hole")]
    Nothing,
    /// A square of the question is to be left out.
    #[error("{} is a hole", .0.name(*.1))]
    Hole(Board, Square),
    /// A move of the question is none.
    #[error("no knight's move leads from {} to {}", .0.name(.1[0]), .0.name(.1[1]))]
    NotAMove(Board, [Square; 2]),
    /// A square without moves, or with one where it needs two.
    #[error("{} has {} move left{}", .0.name(*.1), if *.2 == 0 { "no" } else { "one" }, if *.2 == 0 { "" } else { " and needs two" })]
    Exits(Board, Square, u32),
    /// More squares with one move than a tour has ends.
    #[error("{}, {} and {} have one move left, and only two squares can be ends", .0.name(.1[0]), .0.name(.1[1]), .0.name(.1[2]))]
    ThreeEnds(Board, [Square; 3]),
    /// The squares are not connected.
    #[error("{} into {parts} parts", if *holes { "the holes cut the board" } else { "the board falls" })]
    Parts {
        /// Whether there are holes.
        holes: bool,
        /// Number of parts.
        parts: usize,
    },
    /// The colours forbid it: [`Board::colours_forbid`] says how.
    #[error("{0}")]
    Colours(String),
    /// What is forced leaves a square without the moves it needs, or closes a circle too early.
    #[error("{}", forced(*.0, *.1))]
    Forced(Board, Option<Square>),
}

fn forced(board: Board, at: Option<Square>) -> String {
    match at {
        Some(square) => format!("the moves that are forced leave none for {}", board.name(square)),
        None => "the moves that are forced leave no two squares for the ends".to_owned(),
    }
}

/// What a [`StrandRoot`](super::StrandRoot) is made of.
pub(super) struct StrandQuestion<'a> {
    pub board: Board,
    pub holes: &'a Holes,
    pub ends: TourEnds,
    pub must: &'a [[Square; 2]],
    pub must_not: &'a [[Square; 2]],
}

impl StrandQuestion<'_> {
    /// Everything that is forced from the start.
    pub fn settle(&self) -> Result<Joins, Contradiction> {
        let StrandQuestion { board, holes, .. } = *self;
        self.check_squares()?;
        let candidates = self.candidates();
        let mut joins = Joins::new(board, holes, candidates.as_deref());
        let dead = |dead: DeadEnd| Contradiction::Forced(board, board.at(dead.at as u32));
        for &[a, b] in self.must_not {
            let at = Joins::between(board, a, b).ok_or(Contradiction::NotAMove(board, [a, b]))?;
            joins.demand(at, false).map_err(dead)?;
        }
        if self.count() == 1 && self.ends != TourEnds::Closed {
            return Ok(joins);
        }
        self.check_exits(&joins)?;
        self.check_parts(&joins)?;
        let [start, end] = self.given();
        let ending = if self.ends == TourEnds::Closed { Ending::Closed } else { Ending::Open };
        if let Some(reason) = board.colours_forbid(holes, ending, start, end) {
            return Err(Contradiction::Colours(reason));
        }
        for &[a, b] in self.must {
            let at = Joins::between(board, a, b).ok_or(Contradiction::NotAMove(board, [a, b]))?;
            joins.demand(at, true).map_err(dead)?;
        }
        for end in self.given().into_iter().flatten() {
            joins.demand(Joins::tie(end.index() as usize), true).map_err(dead)?;
        }
        joins.settle().map_err(dead)?;
        Ok(joins)
    }

    /// Number of squares of the tour.
    fn count(&self) -> usize {
        self.board.squares() as usize - self.holes.len()
    }

    /// The squares of the tour.
    pub fn live(&self) -> impl Iterator<Item = Square> {
        self.board.all().filter(|&square| !self.holes.contains(square))
    }

    fn given(&self) -> [Option<Square>; 2] {
        match self.ends {
            TourEnds::Closed => [None; 2],
            TourEnds::Open { start, end } => [start, end],
        }
    }

    /// Squares and moves that are asked for must be on the board and no holes.
    fn check_squares(&self) -> Result<(), Contradiction> {
        let StrandQuestion { board, holes, .. } = *self;
        if self.count() == 0 {
            return Err(Contradiction::Nothing);
        }
        let moves = self.must.iter().chain(self.must_not);
        if let Some(&no_move) = moves.clone().find(|[a, b]| !board.adjacent(*a, *b)) {
            return Err(Contradiction::NotAMove(board, no_move));
        }
        let named = self.must.iter().flatten().copied().chain(self.given().into_iter().flatten());
        match named.into_iter().find(|&square| holes.contains(square)) {
            Some(hole) => Err(Contradiction::Hole(board, hole)),
            None => Ok(()),
        }
    }

    /// Every square needs a way in and a way out.
    fn check_exits(&self, joins: &Joins) -> Result<(), Contradiction> {
        let StrandQuestion { board, .. } = *self;
        let mut ends = Vec::new();
        for square in self.live() {
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

    /// The squares must hang together.
    fn check_parts(&self, joins: &Joins) -> Result<(), Contradiction> {
        let mut seen = vec![false; self.board.squares() as usize];
        let mut parts = 0;
        for square in self.live() {
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
        if parts == 1 { Ok(()) } else { Err(Contradiction::Parts { holes: !self.holes.is_empty(), parts }) }
    }

    /// The squares that may be ends, by their colour; nothing if the tour is closed.
    fn candidates(&self) -> Option<Vec<Square>> {
        if self.ends == TourEnds::Closed || self.count() == 1 {
            return None;
        }
        let [light, dark] = self.board.colours(self.holes);
        let given: Vec<Square> = self.given().into_iter().flatten().collect();
        let admitted = |square: &Square| {
            let own = self.board.is_dark(*square);
            // As many of one colour as of the other: the ends differ. One more: they are of that colour.
            let fits = if light == dark {
                given.iter().all(|&end| self.board.is_dark(end) != own)
            } else {
                own == (dark > light)
            };
            fits && given.len() < 2 || given.contains(square)
        };
        Some(self.live().filter(admitted).collect())
    }
}
