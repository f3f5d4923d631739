//! Strands against a plain search: which tours are found, what is proven, and how many tours there are.

use super::*;
use crate::board::{Board, Ending, Holes, Shape, Square, Tour};
use crate::find::attempt::ROUND;
use crate::find::{Attempt, AttemptProgress};
use crate::search::Drawing;
use fastrand::Rng;
use proptest::prelude::*;
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
struct TestQuestion {
    shape: Shape,
    ends: TourEnds,
    must: Vec<[Square; 2]>,
    must_not: Vec<[Square; 2]>,
}

impl TestQuestion {
    fn plain(board: &str, ends: TourEnds) -> TestQuestion {
        TestQuestion { shape: board.parse().unwrap(), ends, must: Vec::new(), must_not: Vec::new() }
    }

    fn root(&self) -> Result<StrandRoot, Contradiction> {
        StrandRoot::new(&self.shape, self.ends, &self.must, &self.must_not)
    }

    fn ending(&self) -> Ending {
        if self.ends == TourEnds::Closed { Ending::Closed } else { Ending::Open }
    }

    /// Whether these squares are a tour that fits the question.
    fn admits(&self, squares: &[Square]) -> bool {
        let tour = Tour::verify(&self.shape, self.ending(), squares);
        let around = (self.ends == TourEnds::Closed).then(|| [squares[squares.len() - 1], squares[0]]);
        let moves: Vec<[Square; 2]> = squares.array_windows().copied().chain(around).collect();
        let has = |&[a, b]: &[Square; 2]| moves.contains(&[a, b]) || moves.contains(&[b, a]);
        let ends_fit = match self.ends {
            TourEnds::Closed => true,
            TourEnds::Open { start, end } => {
                start.is_none_or(|start| squares[0] == start) && end.is_none_or(|end| *squares.last().unwrap() == end)
            }
        };
        tour.is_ok() && ends_fit && self.must.iter().all(has) && !self.must_not.iter().any(has)
    }

    /// Every tour, by a plain search that extends one path. It cuts a branch only where two squares have one exit left.
    fn tours(&self, most: usize) -> BTreeSet<Vec<u32>> {
        let mut found = BTreeSet::new();
        let starts = self.shape.all();
        for start in starts.take(if self.ends == TourEnds::Closed { 1 } else { usize::MAX }) {
            let given = matches!(self.ends, TourEnds::Open { start: Some(given), .. } if given != start);
            if !given {
                self.extend(&mut vec![start], most, &mut found);
            }
        }
        found
    }

    fn extend(&self, path: &mut Vec<Square>, most: usize, found: &mut BTreeSet<Vec<u32>>) {
        if found.len() >= most {
            return;
        }
        let live = self.shape.squares() as usize;
        if path.len() == live {
            if self.admits(path) {
                found.insert(canonical(self.ends, path));
            }
            return;
        }
        let head = path[path.len() - 1];
        let free = |square: Square, path: &[Square]| self.shape.has(square) && !path.contains(&square);
        let exits = |square: Square, path: &[Square]| {
            let home = self.ends == TourEnds::Closed && self.shape.board().adjacent(square, path[0]);
            let beside = |&to: &Square| to == path[path.len() - 1] || free(to, path);
            self.shape.board().neighbours(square).filter(beside).count() + usize::from(home && path.len() > 1)
        };
        let stranded = self.shape.board().all().filter(|&square| free(square, path) && exits(square, path) < 2).count();
        if stranded > usize::from(self.ends != TourEnds::Closed) {
            return;
        }
        let mut next: Vec<Square> = self.shape.board().neighbours(head).filter(|&square| free(square, path)).collect();
        next.sort_by_key(|&square| exits(square, path));
        for square in next {
            path.push(square);
            self.extend(path, most, found);
            path.pop();
        }
    }
}

/// The form in which tours are compared: undirected, unless an end is given.
fn canonical(ends: TourEnds, squares: &[Square]) -> Vec<u32> {
    let mut forward: Vec<u32> = squares.iter().map(|square| square.index()).collect();
    let mut backward: Vec<u32> = forward.iter().rev().copied().collect();
    match ends {
        TourEnds::Open { start: None, end: None } => {}
        TourEnds::Open { .. } => return forward,
        TourEnds::Closed => {
            for way in [&mut forward, &mut backward] {
                let least = (0..way.len()).min_by_key(|&i| way[i]).unwrap();
                way.rotate_left(least);
            }
        }
    }
    forward.min(backward)
}

/// Every tour of the first attempt that is exhaustive.
fn all(root: &StrandRoot, question: &TestQuestion, seed: u64) -> BTreeSet<Vec<u32>> {
    for attempt in (ROUND - 1..).step_by(ROUND as usize) {
        let (mut strands, mut found) = (root.attempt(seed, attempt), BTreeSet::new());
        loop {
            match strands.advance(1 << 20, &mut 0) {
                AttemptProgress::Going => {}
                AttemptProgress::Found(tour) => {
                    assert!(question.admits(&tour), "{question:?}");
                    assert!(found.insert(canonical(question.ends, &tour)), "a tour was found twice: {question:?}");
                }
                AttemptProgress::GivenUp => break,
                AttemptProgress::Exhausted => return found,
            }
        }
    }
    unreachable!("the limit doubles")
}

/// Boards of some sizes with a few holes, ends and moves.
fn questions(squares: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = TestQuestion> {
    let boards: Vec<Board> = (1..=10u64)
        .flat_map(|rows| (1..=10u64).map(move |cols| Board::new(rows, cols).unwrap()))
        .filter(|board| squares.contains(&board.squares()))
        .collect();
    (prop::sample::select(boards), any::<u64>()).prop_map(|(board, seed)| {
        let mut rng = Rng::with_seed(seed);
        let square = |rng: &mut Rng| board.at(rng.u32(..board.squares())).unwrap();
        let some = |rng: &mut Rng| rng.bool().then(|| square(rng));
        let moves = |rng: &mut Rng, most| -> Vec<[Square; 2]> {
            let drawn = (0..rng.usize(..=most)).filter_map(|_| {
                let from = square(rng);
                let to: Vec<Square> = board.neighbours(from).collect();
                Some([from, *rng.choice(&to)?])
            });
            drawn.collect()
        };
        let holes = match rng.u8(..3) {
            0 => Holes::none(),
            most => Holes::new((0..most * 2).map(|_| square(&mut rng))),
        };
        let ends =
            if rng.bool() { TourEnds::Closed } else { TourEnds::Open { start: some(&mut rng), end: some(&mut rng) } };
        let must = moves(&mut rng, 2);
        let must_not = moves(&mut rng, 2);
        TestQuestion { shape: Shape::new(board, holes), ends, must, must_not }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_tour_is_found_if_and_only_if_there_is_one(question in questions(1..=30), seed: u64) {
        let exists = !question.tours(1).is_empty();
        match question.root() {
            Err(reason) => prop_assert!(!exists, "{reason}"),
            Ok(root) => match root.first_tour(seed, 0..) {
                None => prop_assert!(!exists),
                Some(tour) => prop_assert!(question.admits(&tour)),
            }
        }
    }
}

proptest! {
    #[test]
    fn a_thorough_attempt_finds_every_tour_once(question in questions(1..=20), seed: u64) {
        let tours = question.tours(usize::MAX);
        match question.root() {
            Err(reason) => prop_assert!(tours.is_empty(), "{reason}"),
            Ok(root) => prop_assert_eq!(all(&root, &question, seed), tours),
        }
    }
}

#[test]
fn counts_are_those_published() {
    // Conventions: closed undirected; open undirected.
    for (board, ends, tours) in [
        ("5x6", TourEnds::Closed, 8),
        ("6x6", TourEnds::Closed, 9862),
        ("3x10", TourEnds::Closed, 16),
        ("3x4", TourEnds::Open { start: None, end: None }, 8),
        ("5x5", TourEnds::Open { start: None, end: None }, 864),
    ] {
        let question = TestQuestion::plain(board, ends);
        assert_eq!(all(&question.root().unwrap(), &question, 1).len(), tours, "{board}");
    }
}

/// A law of every attempt: the length of the bursts changes neither the tours nor the nodes before each.
#[test]
fn bursts_change_nothing() {
    let question = TestQuestion::plain("6x6", TourEnds::Open { start: None, end: None });
    let root = question.root().unwrap();
    let run = |attempt: u64, burst: u64| {
        let (mut strands, mut entered, mut events) = (root.attempt(5, attempt), 0, Vec::new());
        loop {
            let before = entered;
            let progress = strands.advance(burst, &mut entered);
            assert!(entered - before <= burst);
            match progress {
                AttemptProgress::Going => continue,
                AttemptProgress::Found(_) if events.len() < 50 => events.push((entered, progress)),
                progress => {
                    events.push((entered, progress));
                    return events;
                }
            }
        }
    };
    for attempt in [0, 1, 15] {
        let whole = run(attempt, u64::MAX);
        assert!(whole.len() > 1, "{whole:?}");
        assert_eq!(run(attempt, 1), whole);
        assert_eq!(run(attempt, 7), whole);
    }
}

#[test]
fn strands_are_drawn_as_chains_and_a_tour_as_one() {
    let question = TestQuestion::plain("8x8", TourEnds::Closed);
    let mut strands = question.root().unwrap().attempt(1, 0);
    let mut drawing = Drawing::default();
    strands.draw(&mut drawing);
    // Only the two moves of every corner are forced.
    assert_eq!((drawing.chains.len(), strands.depth()), (4, 8));
    assert!(drawing.chains.iter().all(|chain| chain.len() == 3));
    while !matches!(strands.advance(1, &mut 0), AttemptProgress::Found(_)) {
        strands.draw(&mut drawing);
        let drawn: usize = drawing.chains.iter().map(|chain| chain.len() - 1).sum();
        assert_eq!(drawn, strands.depth().min(63));
    }
    strands.draw(&mut drawing);
    assert_eq!((drawing.chains.len(), drawing.chains[0].len()), (1, 64));
}

#[test]
fn large_boards_are_found() {
    for (board, ends) in
        [("50x50", TourEnds::Closed), ("51x51", TourEnds::Open { start: None, end: None }), ("3x40", TourEnds::Closed)]
    {
        let question = TestQuestion::plain(board, ends);
        assert!(question.admits(&question.root().unwrap().first_tour(1, 0..).unwrap()), "{board}");
    }
}

#[test]
fn every_contradiction_has_its_sentence() {
    let board: Board = "5x5".parse().unwrap();
    let square = |name: &str| board.parse_square(name).unwrap();
    let open = TourEnds::Open { start: None, end: None };
    let reason = |holes: &[&str], ends, must: &[[&str; 2]], must_not: &[[&str; 2]]| {
        let holes = Holes::new(holes.iter().map(|name| square(name)));
        let [must, must_not] =
            [must, must_not].map(|moves| moves.iter().map(|pair| pair.map(square)).collect::<Vec<_>>());
        StrandRoot::new(Shape::new(board, holes), ends, &must, &must_not).unwrap_err().to_string()
    };
    assert_eq!(reason(&["b3", "c2"], open, &[], &[]), "a1 has no move left");
    assert_eq!(reason(&["b3"], TourEnds::Closed, &[], &[]), "a5 has one move left and needs two");
    let corners = "e5, a1 and e1 have one move left, and only two squares can be ends";
    assert_eq!(
        reason(&["b3", "d3"], open, &[], &[["e1", "d3"]]),
        "a5, e5 and a1 have one move left, and only two squares can be ends"
    );
    assert_eq!(reason(&["d3"], open, &[], &[["a1", "c2"]]), corners);
    let colours = "a knight changes colour at every move, and 12 light and 13 dark squares do not make a closed tour";
    assert_eq!(reason(&[], TourEnds::Closed, &[], &[]), colours);
    assert_eq!(reason(&["a1"], open, &[["a1", "b3"]], &[]), "a1 is a hole");
    assert_eq!(reason(&[], open, &[["a1", "b2"]], &[]), "no knight's move leads from a1 to b2");
    let three = reason(&[], open, &[["c3", "a2"], ["c3", "b1"], ["c3", "d1"]], &[]);
    assert_eq!(three, "the forced moves leave no move for c3");
    let both = reason(&[], open, &[["a1", "b3"]], &[["a1", "b3"]]);
    assert_eq!(both, "the forced moves leave no move for a1");
}

#[test]
fn holes_that_cut_the_board_are_reported() {
    let board: Board = "8x11".parse().unwrap();
    // Two columns of holes, which no knight jumps over.
    let wall = |col: u32| (0..8).flat_map(move |row| [board.square(row, col), board.square(row, col + 1)]);
    let parts = |walls: &[u32]| {
        let holes = Holes::new(walls.iter().flat_map(|&col| wall(col)).flatten());
        StrandRoot::new(Shape::new(board, holes), TourEnds::Closed, &[], &[]).unwrap_err().to_string()
    };
    assert_eq!(parts(&[5]), "the holes cut the board into 2 parts");
}
