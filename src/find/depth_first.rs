//! Depth-first search with backtracking, a square at a time, on boards of any size.
//!
//! This is the plainest search; its cost depends on which move is tried first. Its stack is a list, not the call stack, so
//! a path of a hundred million squares causes no stack overflow. A node is one square placed, retries included.
//!
//! A [`Heat`] keeps the mean visit number of every square: the mean depth at which the search entered it. When the squares
//! with the most moves come first, the middle of the board is used up early, and the knight is stranded on one side.
//!
//! # Source
//! Brad Miller and David Ranum, "Problem Solving with Algorithms and Data Structures using Python", section 7.14
//! (Knight's Tour Analysis).

use super::attempt::{Attempt, AttemptProgress};
use super::warnsdorff::{Field, MoveCourse, NATURAL, Ranks};
use crate::board::{Board, Ending, Shape, Square};
use crate::explain::{CandidateSquare, ExplainedRules, PlainRules, Trail};
use crate::search::Drawing;
use fastrand::Rng;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Which move is tried first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preference {
    /// The moves in this order, independent of the ranks of the squares.
    Order(MoveOrder),
    /// The move to the square with the fewest onward moves; among equal squares, the lowest move number. This is
    /// `order_by_avail` in the source.
    FewestFirst,
    /// The list of [`Preference::FewestFirst`], backwards.
    MostFirst,
}

impl Preference {
    /// The rules of the search for the step view, on a board without holes; `None` for a random order, which is not known before
    /// the search.
    pub fn rules(self, board: Board, ending: Ending, start: Option<Square>) -> Option<impl ExplainedRules> {
        let known = self != Preference::Order(MoveOrder::Random);
        let sort = move |trail: &Trail, moves: &mut [CandidateSquare]| self.sort(trail, moves);
        known.then(|| PlainRules::new(board, ending, start, sort))
    }

    fn sort(self, trail: &Trail, moves: &mut [CandidateSquare]) {
        match self {
            Preference::Order(MoveOrder::List(order)) => {
                moves.sort_by_key(|candidate| order.iter().position(|&number| number == candidate.number));
            }
            Preference::Order(_) => {}
            Preference::FewestFirst => moves.sort_by_key(|candidate| trail.rank(candidate.square)),
            Preference::MostFirst => {
                Preference::FewestFirst.sort(trail, moves);
                moves.reverse();
            }
        }
    }
}

/// A heat map: the mean visit number of every square, over all nodes of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heat {
    board: Board,
    /// For each square: the sum of the depths at which it was entered, and the number of entries.
    entered: Box<[(u64, u64)]>,
}

impl Heat {
    /// An empty heat map.
    pub fn new(board: Board) -> Heat {
        Heat { board, entered: vec![(0, 0); board.squares() as usize].into() }
    }

    pub fn board(&self) -> Board {
        self.board
    }

    /// The mean depth at which a square of the board was entered (the start has depth 1); `None` if it never was.
    pub fn mean(&self, square: Square) -> Option<f64> {
        let (sum, count) = self.entered[square.index() as usize];
        (count > 0).then(|| sum as f64 / count as f64)
    }

    /// Adds the entries of another search of this board.
    pub fn add(&mut self, other: &Heat) {
        for ((sum, count), (more, times)) in self.entered.iter_mut().zip(&other.entered) {
            *sum += more;
            *count += times;
        }
    }

    fn add_visit(&mut self, square: Square, depth: u32) {
        let (sum, count) = &mut self.entered[square.index() as usize];
        *sum += u64::from(depth);
        *count += 1;
    }
}

/// A depth-first search for tours from one start, or from every start in turn. It ends when it has found all tours.
pub struct DepthFirst {
    shape: Shape,
    ending: Ending,
    /// Indices of the squares that the search has yet to try as a start.
    starts: Range<u32>,
    start: Option<Square>,
    field: Field,
    course: MoveCourse,
    preference: Preference,
    rng: Rng,
    /// For each square of the path: the moves that have not been tried.
    levels: Vec<Ranks>,
    deepest: u32,
    heat: Option<Heat>,
}

impl DepthFirst {
    /// A search from `start`. Without a start it searches open tours from every open square in turn, and closed tours from
    /// the first open square only, because every closed tour visits it. `None` if every square is a hole.
    pub fn new(
        shape: impl Into<Shape>,
        ending: Ending,
        start: Option<Square>,
        preference: Preference,
        seed: u64,
    ) -> Option<DepthFirst> {
        let shape = shape.into();
        let first = start.or_else(|| shape.all().next())?;
        let all = start.is_none() && ending == Ending::Open;
        let starts = first.index()..if all { shape.board().squares() } else { first.index() + 1 };
        let field = Field::new(&shape, first);
        let course = field.course(match preference {
            Preference::Order(MoveOrder::List(codes)) => codes,
            _ => NATURAL,
        });
        let (start, rng, levels, heat) = (None, Rng::with_seed(seed), Vec::new(), None);
        Some(DepthFirst { shape, ending, starts, start, field, course, preference, rng, levels, deepest: 0, heat })
    }

    /// Starts an empty heat map, which the search fills from the next node.
    pub fn keep_heat(&mut self) {
        self.heat = Some(Heat::new(self.shape.board()));
    }

    /// The heat map, if [`DepthFirst::keep_heat`] started one.
    pub fn heat(&self) -> Option<&Heat> {
        self.heat.as_ref()
    }

    /// Number of squares of the longest path so far.
    pub fn deepest(&self) -> u32 {
        self.deepest
    }

    /// Removes the next move to try from those of the last square, and returns it.
    fn take_next_move(&mut self) -> Option<usize> {
        let untried = self.levels.last_mut()?;
        match self.preference {
            Preference::Order(MoveOrder::Random) => untried.take_any(&mut self.rng),
            Preference::Order(_) | Preference::FewestFirst => untried.take_first(),
            Preference::MostFirst => untried.take_last(),
        }
    }

    /// Backtracks to the next untried move and makes it, or places the knight on the next start. Returns `false` when the
    /// search is exhausted.
    fn enter_next(&mut self) -> bool {
        while !self.levels.is_empty() {
            if let Some(k) = self.take_next_move() {
                self.field.make_move(&self.course, k);
                return true;
            }
            self.levels.pop();
            if !self.levels.is_empty() {
                self.field.undo_move(&self.course);
            }
        }
        let shape = &self.shape;
        let mut open = self.starts.by_ref().filter_map(|index| shape.board().at(index)).filter(|&at| shape.has(at));
        let Some(start) = open.next() else { return false };
        if self.start.replace(start).is_some() {
            self.field = Field::new(&self.shape, start);
        }
        true
    }

    fn is_tour(&self) -> bool {
        let closes = || self.start.is_some_and(|start| self.shape.board().adjacent(self.field.square(), start));
        self.field.is_full() && (self.ending == Ending::Open || closes())
    }
}

impl Attempt for DepthFirst {
    fn advance(&mut self, nodes: u64, entered: &mut u64) -> AttemptProgress {
        for _ in 0..nodes {
            if !self.enter_next() {
                return AttemptProgress::Exhausted;
            }
            let ranks = self.field.look(&self.course);
            self.levels.push(match self.preference {
                Preference::Order(_) => ranks.without_ranks(),
                Preference::FewestFirst | Preference::MostFirst => ranks,
            });
            *entered += 1;
            self.deepest = self.deepest.max(self.field.visited);
            if let Some(heat) = &mut self.heat {
                heat.add_visit(self.field.square(), self.field.visited);
            }
            if self.is_tour() {
                return AttemptProgress::Found(self.field.path());
            }
        }
        AttemptProgress::Going
    }

    fn depth(&self) -> usize {
        self.levels.len()
    }

    fn draw(&self, drawing: &mut Drawing) {
        self.field.draw(drawing);
    }
}

/// An order of the moves; a number is an index into [`MOVES`](crate::board::MOVES).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveOrder {
    /// 0 to 7, the numbers of the moves.
    Natural,
    /// A new random order at every square.
    Random,
    /// One permutation of 0..8, used at every square.
    List([u8; 8]),
}

impl fmt::Display for MoveOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveOrder::Natural => f.pad("natural"),
            MoveOrder::Random => f.pad("random"),
            MoveOrder::List(moves) => f.pad(&moves.map(|k| char::from(b'0' + k)).iter().collect::<String>()),
        }
    }
}

/// The text, which is no order of moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no order of moves: write natural, random, or the digits 0 to 7 in any order, such as 76543210")]
pub struct OrderError(pub String);

impl FromStr for MoveOrder {
    type Err = OrderError;

    fn from_str(text: &str) -> Result<MoveOrder, OrderError> {
        match text {
            "natural" => return Ok(MoveOrder::Natural),
            "random" => return Ok(MoveOrder::Random),
            _ => {}
        }
        let error = || OrderError(text.to_owned());
        let moves: [u8; 8] = text.as_bytes().try_into().map_err(|_| error())?;
        let moves = moves.map(|digit| digit.wrapping_sub(b'0'));
        (0..8).all(|k| moves.contains(&k)).then_some(MoveOrder::List(moves)).ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Holes, Tour};
    use crate::explain::{Explained, ExplainedWalk, StepEvent};
    use crate::find::run;
    use std::collections::HashSet;

    const PREFERENCES: [Preference; 5] = [
        Preference::Order(MoveOrder::Natural),
        Preference::Order(MoveOrder::Random),
        Preference::Order(MoveOrder::List([3, 1, 4, 0, 5, 2, 7, 6])),
        Preference::FewestFirst,
        Preference::MostFirst,
    ];

    fn search(board: &str, ending: Ending, start: Option<u32>, preference: Preference) -> DepthFirst {
        let board: Board = board.parse().unwrap();
        let start = start.and_then(|start| board.at(start));
        DepthFirst::new(board, ending, start, preference, 1).unwrap()
    }

    /// Every tour, verified and different, and the nodes of the whole tree.
    fn everything(mut search: DepthFirst) -> (usize, u64) {
        let (mut tours, mut nodes) = (HashSet::new(), 0);
        loop {
            match search.advance(1000, &mut nodes) {
                AttemptProgress::Going => {}
                AttemptProgress::Found(squares) => {
                    assert!(tours.insert(Tour::verify(&search.shape, search.ending, squares).unwrap()));
                }
                AttemptProgress::GivenUp => unreachable!("a whole search does not give up"),
                AttemptProgress::Exhausted => return (tours.len(), nodes),
            }
        }
    }

    /// The search written recursively. Counts the nodes until the first tour; returns whether there is one.
    fn plain(board: Board, path: &mut Vec<Square>, preference: Preference, nodes: &mut u64) -> bool {
        *nodes += 1;
        if path.len() == board.squares() as usize {
            return true;
        }
        let here = path[path.len() - 1];
        let open = |square: &Square| !path.contains(square);
        let mut next: Vec<Square> = match preference {
            Preference::Order(MoveOrder::List(codes)) => {
                codes.iter().filter_map(|&k| board.step(here, k.into())).filter(open).collect()
            }
            _ => board.neighbours(here).filter(open).collect(),
        };
        if matches!(preference, Preference::FewestFirst | Preference::MostFirst) {
            next.sort_by_key(|&square| board.neighbours(square).filter(open).count());
        }
        if preference == Preference::MostFirst {
            next.reverse();
        }
        for square in next {
            path.push(square);
            if plain(board, path, preference, nodes) {
                return true;
            }
            path.pop();
        }
        false
    }

    #[test]
    fn the_number_of_tours_and_nodes_does_not_depend_on_the_order() {
        // Directed tours: OEIS A079137 doubled; 304 of the 1728 of 5x5 begin in a corner.
        for (board, ending, start, tours) in [
            ("3x4", Ending::Open, None, 16),
            ("4x5", Ending::Open, None, 164),
            ("5x5", Ending::Open, Some(0), 304),
            ("4x4", Ending::Open, None, 0),
            ("1x1", Ending::Open, None, 1),
            ("2x2", Ending::Open, None, 0),
        ] {
            let totals = PREFERENCES.map(|preference| everything(search(board, ending, start, preference)));
            assert_eq!(totals, [(tours, totals[0].1); 5], "{board}");
        }
    }

    #[test]
    fn the_first_tour_takes_as_many_nodes_as_the_plain_search() {
        for preference in [PREFERENCES[0], PREFERENCES[2], Preference::FewestFirst, Preference::MostFirst] {
            for (board, start) in [("3x4", 0), ("4x5", 0), ("5x5", 0), ("5x5", 12)] {
                let mut search = search(board, Ending::Open, Some(start), preference);
                let mut path = vec![search.shape.board().at(start).unwrap()];
                let mut nodes = 0;
                let found = plain(search.shape.board(), &mut path, preference, &mut nodes);
                assert_eq!(run(&mut search), (found.then(|| path.into()), nodes), "{board} {preference:?}");
            }
        }
    }

    #[test]
    fn a_tour_goes_round_holes() {
        let board: Board = "3x3".parse().unwrap();
        let holes = Holes::new(board.at(4));
        let search = |ending| {
            DepthFirst::new(Shape::new(board, holes.clone()), ending, None, Preference::FewestFirst, 0).unwrap()
        };
        assert_eq!([Ending::Open, Ending::Closed].map(|ending| everything(search(ending)).0), [16, 2]);
        assert!(
            DepthFirst::new(Shape::new(board, Holes::new(board.all())), Ending::Open, None, Preference::MostFirst, 0)
                .is_none()
        );
    }

    #[test]
    fn the_heat_is_the_mean_of_the_depths() {
        let mut search = search("8x8", Ending::Open, Some(0), Preference::FewestFirst);
        search.keep_heat();
        let squares = run(&mut search).0.unwrap();
        let heat = search.heat().unwrap();
        // No square was taken back, so every mean is the visit number.
        for (visit, &square) in (1u32..).zip(&squares) {
            assert_eq!(heat.mean(square), Some(visit.into()));
        }
        let mut both = heat.clone();
        both.add(heat);
        assert_eq!(both.mean(squares[63]), Some(64.0));
        assert_eq!(Heat::new(search.shape.board()).mean(squares[0]), None);
        assert_eq!(search.deepest(), 64);
    }

    #[test]
    fn an_order_is_parsed_from_its_own_text() {
        for order in [MoveOrder::Natural, MoveOrder::Random, MoveOrder::List([7, 6, 5, 4, 3, 2, 1, 0])] {
            assert_eq!(order.to_string().parse(), Ok(order));
        }
        for text in ["", "0123456", "01234566", "12345678", "natural "] {
            assert_eq!(text.parse::<MoveOrder>(), Err(OrderError(text.to_owned())), "{text}");
        }
    }

    /// Enters up to `limit` nodes with the walk and with the kernel, and compares the path after each node. Returns the
    /// number of tours.
    fn agree(board: &str, ending: Ending, start: Option<u32>, preference: Preference, limit: u64) -> u64 {
        let board: Board = board.parse().unwrap();
        let start = start.map(|start| board.at(start).unwrap());
        let rules = preference.rules(board, ending, start).unwrap();
        let mut walk = ExplainedWalk::new(Trail::new(board), rules);
        let mut kernel = DepthFirst::new(board, ending, start, preference, 0).unwrap();
        let (mut ours, mut theirs) = (Drawing::default(), Drawing::default());
        let (mut nodes, mut tours) = (0, 0);
        while nodes < limit {
            let enters = loop {
                match walk.step() {
                    StepEvent::Entered { .. } => break true,
                    StepEvent::Finished => break false,
                    _ => {}
                }
            };
            assert_eq!(walk.counts().tours, tours, "tours before node {nodes} of {board} {preference:?}");
            match kernel.advance(1, &mut nodes) {
                AttemptProgress::Exhausted => {
                    assert!(!enters);
                    break;
                }
                progress => tours += u64::from(matches!(progress, AttemptProgress::Found(_))),
            }
            assert_eq!(walk.counts().nodes, nodes);
            walk.draw(&mut ours);
            kernel.draw(&mut theirs);
            assert_eq!(ours.chains, theirs.chains, "node {nodes} of {board} {preference:?}");
        }
        tours
    }

    #[test]
    fn squares_are_entered_in_the_order_of_the_kernel() {
        let list = MoveOrder::List([3, 1, 4, 0, 5, 2, 7, 6]);
        for preference in [
            Preference::Order(MoveOrder::Natural),
            Preference::Order(list),
            Preference::FewestFirst,
            Preference::MostFirst,
        ] {
            assert_eq!(agree("3x4", Ending::Open, None, preference, u64::MAX), 16);
            agree("1x1", Ending::Open, None, preference, u64::MAX);
            agree("4x4", Ending::Open, Some(5), preference, u64::MAX);
            agree("5x6", Ending::Closed, None, preference, 20_000);
            agree("8x8", Ending::Open, Some(20), preference, 5_000);
            agree("20x30", Ending::Open, Some(0), preference, 2_000);
        }
    }

    #[test]
    fn a_random_order_is_refused() {
        let preference = Preference::Order(MoveOrder::Random);
        assert!(preference.rules("5x5".parse().unwrap(), Ending::Open, None).is_none());
    }
}
