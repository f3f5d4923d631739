//! Attempts at a tour put together of moves, and the root that all of them begin at.

use super::joins::{Joins, Move, ways};
use super::question::{Contradiction, StrandQuestion, TourEnds};
use crate::board::{Board, Holes, Square};
use crate::find::attempt::{Attempt, AttemptProgress, seed_of};
use crate::search::Drawing;
use fastrand::Rng;
use std::sync::Arc;

/// Attempts after which the limit of nodes doubles; the last of each round is thorough.
pub const ROUND: u64 = 4;

/// Nodes that the attempts of the first round may enter, for each square. A tour that needs no luck takes two thirds of
/// a node for each square; with a limit of 20 instead, closed 50x50 took 22 ms on average instead of 1.
const NODES_PER_SQUARE: u64 = 2;

/// What is forced before the first choice; every attempt begins here. Cheap to clone.
#[derive(Clone, Debug)]
pub struct StrandRoot(Arc<KnownSquare>);

#[derive(Clone, Debug)]
struct KnownSquare {
    board: Board,
    ends: TourEnds,
    /// The squares of the tour; closed ones begin at the first.
    live: Box<[Square]>,
    joins: Joins,
}

impl StrandRoot {
    /// What follows from the question: tours of `board` around `holes`, with these ends, that contain the moves `must`
    /// and none of the moves `must_not`.
    ///
    /// # Errors
    /// A [`Contradiction`] when there is no such tour for a reason that shows at once.
    pub fn new(
        board: Board,
        holes: &Holes,
        ends: TourEnds,
        must: &[[Square; 2]],
        must_not: &[[Square; 2]],
    ) -> Result<StrandRoot, Contradiction> {
        let question = StrandQuestion { board, holes, ends, must, must_not };
        let joins = question.settle()?;
        Ok(StrandRoot(Arc::new(KnownSquare { board, ends, live: question.live().collect(), joins })))
    }

    /// The same, its closed tours begun at `start`; open ones begin where their ends say.
    pub fn begun_at(mut self, start: Square) -> StrandRoot {
        let live = &mut Arc::make_mut(&mut self.0).live;
        if let Some(at) = live.iter().position(|&square| square == start) {
            live.swap(0, at);
        }
        self
    }

    /// Nodes that an attempt may enter.
    pub fn limit(&self, attempt: u64) -> u64 {
        (NODES_PER_SQUARE * self.0.live.len() as u64) << (attempt / ROUND).min(40)
    }

    /// Attempt number `attempt` at a tour. Choices follow from the seed and this number.
    pub fn attempt(&self, seed: u64, attempt: u64) -> Strands {
        let thorough = attempt % ROUND == ROUND - 1;
        let mut strands = Strands {
            root: self.clone(),
            joins: self.0.joins.clone(),
            rng: Rng::with_seed(seed_of(seed, attempt)),
            levels: Vec::new(),
            near: 0,
            left: self.limit(attempt),
            thorough,
            pinned: false,
            next: NextMove::Choose,
        };
        if !thorough {
            strands.pin_ends();
        }
        strands
    }
}

/// What an attempt does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NextMove {
    /// Choose a move, or take the tour that is whole.
    Choose,
    /// Go back: what is fixed is in no tour, or in none that is new.
    GoBack,
    /// Nothing.
    Stop,
}

/// A choice that is made.
#[derive(Clone, Copy, Debug)]
struct StrandLevel {
    /// Length of the trail before it.
    mark: u32,
    from: u32,
    way: u8,
}

/// What an attempt may come to hold for each square, in bytes: what is known of it, four moves on the trail, and two
/// choices for three squares.
const BYTES_PER_SQUARE: usize = 36;

/// One attempt; see the [module](super).
#[derive(Clone, Debug)]
pub struct Strands {
    root: StrandRoot,
    joins: Joins,
    rng: Rng,
    /// The choices that are made.
    levels: Vec<StrandLevel>,
    /// The square of the last choice.
    near: usize,
    /// Nodes left until the attempt gives up.
    left: u64,
    thorough: bool,
    /// Whether an end has been chosen at random, so that the end of the search proves nothing.
    pinned: bool,
    next: NextMove,
}

impl Strands {
    /// Chooses ends at random where none is given.
    fn pin_ends(&mut self) {
        while let Some(end) = self.some_end() {
            self.pinned = true;
            let pinned = self.joins.demand(end, true).and_then(|()| self.joins.settle());
            if pinned.is_err() {
                self.next = NextMove::Stop;
                return;
            }
        }
    }

    /// A random square that may be an end and is not yet decided on.
    fn some_end(&mut self) -> Option<Move> {
        let KnownSquare { board, live, .. } = &*self.root.0;
        let dark = |square: usize| board.at(square as u32).map(|square| board.is_dark(square));
        let other = self.joins.ties().next().and_then(dark);
        // An even number of squares has ends of either colour.
        let fits = |&square: &usize| live.len() % 2 == 1 || other.is_none() || other != dark(square);
        let ends: Vec<usize> = self.joins.open_ends().filter(fits).collect();
        Some(Joins::tie(*self.rng.choice(&ends)?))
    }

    /// Chooses a move.
    fn choose(&mut self) {
        let Some(from) = self.joins.tightest(self.near) else {
            unreachable!("a position that is settled and not whole has open moves");
        };
        let open = self.joins.open(from);
        let nth = self.rng.u32(..open.count_ones());
        let way = ways(open).nth(nth as usize).unwrap_or_else(|| unreachable!("a tight square has open moves"));
        let choice = Move { from, way };
        self.levels.push(StrandLevel { mark: self.joins.mark() as u32, from: from as u32, way: way as u8 });
        self.near = from;
        self.follow(choice, true);
    }

    /// Takes back the last choice and rules it out; answers whether there was one.
    fn go_back(&mut self) -> bool {
        let Some(StrandLevel { mark, from, way }) = self.levels.pop() else { return false };
        let choice = Move { from: from as usize, way: way.into() };
        self.joins.undo(mark as usize);
        self.near = choice.from;
        self.follow(choice, false);
        true
    }

    /// Decides a move, with all consequences.
    fn follow(&mut self, choice: Move, wanted: bool) {
        let settled = self.joins.demand(choice, wanted).and_then(|()| self.joins.settle());
        self.next = if settled.is_ok() { NextMove::Choose } else { NextMove::GoBack };
    }

    /// The whole tour, from its start.
    fn tour(&self) -> Box<[Square]> {
        let KnownSquare { board, ends, live, .. } = &*self.root.0;
        let start = match *ends {
            TourEnds::Closed => None,
            TourEnds::Open { start: Some(start), .. } => Some(start.index() as usize),
            TourEnds::Open { start: None, end } => {
                self.joins.ties().find(|&square| end.is_none_or(|end| end.index() as usize != square))
            }
        };
        // Without an end, a tour is closed, or one square.
        let from = start.unwrap_or(live[0].index() as usize);
        let mut squares: Box<[Square]> =
            self.joins.strand(from).into_iter().filter_map(|square| board.at(square)).collect();
        // A closed tour comes out in one form, whichever attempt finds it.
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
                        return if self.pinned { AttemptProgress::GivenUp } else { AttemptProgress::Exhausted };
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
                    self.choose();
                }
            }
        }
    }

    fn depth(&self) -> usize {
        self.joins.joined()
    }

    fn bytes(&self) -> usize {
        BYTES_PER_SQUARE * self.root.0.live.len()
    }

    fn draw(&self, drawing: &mut Drawing) {
        drawing.reserved = None;
        drawing.skipped = 0;
        drawing.chains.clear();
        if self.joins.is_whole() {
            drawing.chains.push(self.tour().iter().map(|square| square.index()).collect());
            return;
        }
        // A strand is met from both its ends.
        let strands = self.joins.strand_ends().map(|end| self.joins.strand(end));
        drawing.chains.extend(strands.filter(|strand| strand[0] < strand[strand.len() - 1]));
    }
}

/// The first tour of attempts 0, 1, .. in turn, or that there is none. It may take very long.
pub fn first(root: &StrandRoot, seed: u64) -> Option<Box<[Square]>> {
    for attempt in 0.. {
        let mut strands = root.attempt(seed, attempt);
        loop {
            match strands.advance(u64::MAX, &mut 0) {
                AttemptProgress::Going => {}
                AttemptProgress::Found(tour) => return Some(tour),
                AttemptProgress::GivenUp => break,
                AttemptProgress::Exhausted => return None,
            }
        }
    }
    None
}
