//! Tests of the kernel against a plain version of the rule, and against the figures of the literature.

use super::*;
use crate::board::{Board, Ending, Holes, KURAPATI, Shape, Square, Symmetry, Tour, parse_grid};
use crate::find::{Attempt, AttemptProgress, Tie, run};
use crate::search::Drawing;
use proptest::prelude::*;

const TIES: [Tie; 9] = [
    Tie::Kurapati,
    Tie::Fixed,
    Tie::Random,
    Tie::Pohl(1),
    Tie::Pohl(2),
    Tie::Pohl(3),
    Tie::Roth,
    Tie::RothRandom,
    Tie::LowestNeighbour,
];

fn knight(board: Board, start: Square, manner: RuleManner) -> Warnsdorff {
    Warnsdorff::new(board, Ending::Open, start, manner)
}

/// The squares that a knight visits, whether all of them or not.
fn way(mut knight: Warnsdorff) -> Vec<Square> {
    run(&mut knight);
    knight.field.path().into()
}

fn completes(side: u64, start: u32, manner: RuleManner) -> bool {
    let board = Board::new(side, side).unwrap();
    run(&mut knight(board, board.at(start).unwrap(), manner)).0.is_some()
}

#[test]
fn kurapatis_sample_is_printed_digit_for_digit() {
    let board: Board = "8x8".parse().unwrap();
    let squares = run(&mut knight(board, board.square(2, 4).unwrap(), RuleManner::new(Tie::Kurapati))).0.unwrap();
    let tour = Tour::verify(board, Ending::Open, squares).unwrap();
    assert_eq!(parse_grid(KURAPATI).unwrap().1, tour.squares());
    assert!(completes(32, 9 * 32 + 15, RuleManner::new(Tie::Kurapati)));
}

#[test]
fn kurapatis_order_completes_from_as_many_starts_as_recomputed() {
    // From the cycle model of his program: side, starts that complete.
    for (side, expected) in [(5, 9), (6, 36), (7, 18), (8, 63), (9, 40), (10, 98), (16, 253), (20, 390), (32, 939)] {
        let starts = 0..side * side;
        let complete = starts.filter(|&start| completes(side.into(), start, RuleManner::new(Tie::Kurapati))).count();
        assert_eq!(complete, expected, "side {side}");
    }
    let board: Board = "8x8".parse().unwrap();
    assert_eq!(way(knight(board, board.square(0, 2).unwrap(), RuleManner::new(Tie::Kurapati))).len(), 60);
}

#[test]
fn roth_completes_nearly_every_corner() {
    // No side from 5 to 120 fails; the first failure is 248.
    for side in (5..=120).chain([247, 249]) {
        assert!(completes(side, 0, RuleManner::new(Tie::Roth)), "side {side}");
    }
    assert!(!completes(248, 0, RuleManner::new(Tie::Roth)));
}

/// Follows a knight and checks every choice against [`plain_choices`].
fn follow_rule(shape: impl Into<Shape>, start: Square, tie: Tie, seed: u64) {
    let shape = shape.into();
    let board = shape.board();
    let way = way(Warnsdorff::new(&shape, Ending::Open, start, RuleManner { seed, ..RuleManner::new(tie) }));
    let mut visited: Vec<bool> = board.all().map(|square| !shape.has(square)).collect();
    for (i, &here) in way.iter().enumerate() {
        assert!(!visited[here.index() as usize]);
        visited[here.index() as usize] = true;
        let left = plain_choices(board, |square| visited[square.index() as usize], here, tie);
        match way.get(i + 1) {
            None => assert_eq!(left, []),
            Some(next) => assert!(left.contains(next), "{board} {tie} move {i} to {}", board.name(*next)),
        }
    }
}

/// The best of all ways of `hops` moves, without the kernel; a grade is a tuple, and the least grade is the best.
fn plain_hops(board: Board, visited: &[bool], here: Square, hops: usize, tie: Tie) -> Vec<Square> {
    type Graded = ((bool, usize, Vec<u32>), Vec<Square>);
    fn ways(
        board: Board,
        visited: &mut Vec<bool>,
        here: Square,
        way: &mut Vec<Square>,
        ranks: &mut Vec<u32>,
        hops: usize,
        all: &mut Vec<Graded>,
    ) {
        let open: Vec<Square> = board.neighbours(here).filter(|square| !visited[square.index() as usize]).collect();
        if open.is_empty() || way.len() == hops {
            let dead_end = open.is_empty() && visited.contains(&false);
            all.push(((dead_end, hops - way.len(), ranks.clone()), way.clone()));
            return;
        }
        for next in open {
            let rank = board.neighbours(next).filter(|square| !visited[square.index() as usize]).count();
            visited[next.index() as usize] = true;
            way.push(next);
            ranks.push(rank as u32);
            ways(board, visited, next, way, ranks, hops, all);
            ranks.pop();
            way.pop();
            visited[next.index() as usize] = false;
        }
    }
    let mut all = Vec::new();
    let mut visited = visited.to_vec();
    ways(board, &mut visited, here, &mut Vec::new(), &mut Vec::new(), hops, &mut all);
    let best = all.iter().map(|(grade, _)| grade.clone()).min().unwrap();
    let mut best: Vec<Vec<Square>> = all.into_iter().filter(|(grade, _)| *grade == best).map(|(_, way)| way).collect();
    // A deterministic order takes the first move with which any of the best ways begins.
    let order = ties::order(tie, Symmetry::Identity);
    let mut here = here;
    for i in 0..best[0].len() {
        let next = order
            .iter()
            .filter_map(|&k| board.step(here, k.into()))
            .find(|next| best.iter().any(|way| way[i] == *next));
        here = next.unwrap();
        best.retain(|way| way[i] == here);
    }
    best.remove(0)
}

fn boards() -> impl Strategy<Value = (Board, Square)> {
    let sides = prop_oneof![(1u64..14, 1u64..14), (1u64..4, 1u64..40), (14u64..26, 14u64..26)];
    (sides, any::<prop::sample::Index>()).prop_map(|((rows, cols), at)| {
        let board = Board::new(rows, cols).unwrap();
        (board, board.at(at.index(board.squares() as usize) as u32).unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_choice_follows_the_rule((board, start) in boards(), tie in prop::sample::select(&TIES[..]), seed: u64) {
        follow_rule(board, start, tie, seed);
    }

    #[test]
    fn holes_count_as_no_squares(
        (board, start) in boards(),
        dug in prop::collection::vec(any::<prop::sample::Index>(), 1..9),
    ) {
        let dug = dug.iter().filter_map(|at| board.at(at.index(board.squares() as usize) as u32));
        let shape = Shape::new(board, Holes::new(dug.filter(|&square| square != start)));
        for tie in [Tie::Kurapati, Tie::Roth, Tie::LowestNeighbour] {
            follow_rule(&shape, start, tie, 0);
        }
    }

    #[test]
    fn several_hops_follow_the_best_way(
        (board, start) in boards(),
        hops in 2u32..4,
        tie in prop::sample::select(&[Tie::Kurapati, Tie::Fixed][..]),
    ) {
        let way = way(knight(board, start, RuleManner { hops, ..RuleManner::new(tie) }));
        let mut visited = vec![false; board.squares() as usize];
        visited[start.index() as usize] = true;
        let mut plain = vec![start];
        while plain.len() < way.len() {
            for next in plain_hops(board, &visited, plain[plain.len() - 1], hops as usize, tie) {
                visited[next.index() as usize] = true;
                plain.push(next);
            }
        }
        prop_assert_eq!(plain, way);
    }

    #[test]
    fn bursts_do_not_matter(
        (board, start) in boards(),
        tie in prop::sample::select(&TIES[..]),
        hops in 1u32..3,
        burst in 1u64..9,
    ) {
        let manner = RuleManner { hops, seed: 7, ..RuleManner::new(tie) };
        let whole = run(&mut knight(board, start, manner));
        let (mut knight, mut entered) = (knight(board, start, manner), 0);
        let found = loop {
            match knight.advance(burst, &mut entered) {
                AttemptProgress::Going => prop_assert_eq!(knight.depth() as u64, entered),
                AttemptProgress::Found(squares) => break Some(squares),
                AttemptProgress::GivenUp | AttemptProgress::Exhausted => break None,
            }
        };
        prop_assert_eq!((found, entered), whole);
        prop_assert_eq!(knight.advance(burst, &mut entered), AttemptProgress::GivenUp);
    }

    #[test]
    fn a_mirror_only_mirrors_the_path(
        side in 5u64..20,
        at in any::<prop::sample::Index>(),
        mirror in prop::sample::select(&Symmetry::ALL[..]),
    ) {
        let board = Board::new(side, side).unwrap();
        let start = board.at(at.index(board.squares() as usize) as u32).unwrap();
        for tie in [Tie::Kurapati, Tie::Roth] {
            let plain = way(knight(board, start, RuleManner::new(tie)));
            let image = way(knight(board, mirror.apply(board, start), RuleManner { mirror, ..RuleManner::new(tie) }));
            let plain: Vec<Square> = plain.into_iter().map(|square| mirror.apply(board, square)).collect();
            prop_assert_eq!(plain, image);
        }
    }
}

#[test]
fn a_random_tie_break_chooses_every_equal_square() {
    let board: Board = "8x8".parse().unwrap();
    let start = board.at(0).unwrap();
    let mut seen = [0; 64];
    for seed in 0..1000 {
        let mut knight = knight(board, start, RuleManner { seed, ..RuleManner::new(Tie::Random) });
        knight.advance(2, &mut 0);
        seen[knight.field.square().index() as usize] += 1;
    }
    // Two equal squares from the corner: 1000 fair draws stay within six deviations of 500.
    let counts: Vec<i32> = seen.into_iter().filter(|&count| count > 0).collect();
    assert!(counts.len() == 2 && counts.iter().all(|count| (400..600).contains(count)), "{counts:?}");
}

#[test]
fn closed_tours_are_as_many_as_published() {
    // From the cycle model: 9 of the 63 tours of 8x8 close, and 8 of the 36 of 6x6.
    for (side, closed) in [(8u64, 9), (6, 8)] {
        let board = Board::new(side, side).unwrap();
        let found = board.all().filter_map(|start| {
            let manner = RuleManner::new(Tie::Kurapati);
            let squares = run(&mut Warnsdorff::new(board, Ending::Closed, start, manner)).0?;
            Some(Tour::verify(board, Ending::Closed, squares).unwrap())
        });
        assert_eq!(found.count(), closed);
    }
}

#[test]
fn only_the_end_of_a_long_path_is_drawn() {
    let board: Board = "150x150".parse().unwrap();
    let mut knight = knight(board, board.at(0).unwrap(), RuleManner::new(Tie::Roth));
    let (squares, _) = run(&mut knight);
    let mut drawing = Drawing::default();
    knight.draw(&mut drawing);
    let squares: Vec<u32> = squares.unwrap().iter().map(|square| square.index()).collect();
    let skipped = squares.len() - Drawing::SQUARES_MAX;
    assert_eq!((drawing.skipped as usize, &drawing.chains[0][..]), (skipped, &squares[skipped..]));
}

/// Warnsdorff's rule for one move, without the kernel: the square to which a knight on `here` moves, or all squares among
/// which a random tie-break chooses. Every rank is counted from the visited squares.
fn plain_choices(board: Board, visited: impl Fn(Square) -> bool, here: Square, tie: Tie) -> Vec<Square> {
    let around = Around {
        board,
        order: ties::order(tie, Symmetry::Identity),
        open: |square| square != here && !visited(square),
    };
    let mut left: Vec<Square> = around.of(here).collect();
    keep_least(&mut left, |square| around.rank(square));
    match tie {
        Tie::Kurapati | Tie::Fixed | Tie::Random => {}
        Tie::Roth | Tie::RothRandom => keep_least(&mut left, |square| u128::MAX - distance(board, square)),
        Tie::Pohl(levels) => (1..=levels).for_each(|level| keep_least(&mut left, |square| around.sum(square, level))),
        Tie::LowestNeighbour => {
            keep_least(&mut left, |square| around.of(square).map(|next| around.rank(next)).min().unwrap_or(u32::MAX));
        }
    }
    if !tie.is_random() {
        left.truncate(1);
    }
    left
}

fn keep_least<V: Ord>(squares: &mut Vec<Square>, value: impl Fn(Square) -> V) {
    let Some(least) = squares.iter().copied().map(&value).min() else { return };
    squares.retain(|&square| value(square) == least);
}

/// Twice the distance from the centre of the board, squared.
fn distance(board: Board, square: Square) -> u128 {
    let (row, col) = board.row_col(square);
    let off = |at: u32, side: u32| u128::from((2 * u64::from(at)).abs_diff(u64::from(side - 1)));
    let (down, right) = (off(row, board.rows()), off(col, board.cols()));
    down * down + right * right
}

/// The open squares around a square.
struct Around<F> {
    board: Board,
    order: [u8; 8],
    open: F,
}

impl<F: Fn(Square) -> bool> Around<F> {
    fn of(&self, square: Square) -> impl Iterator<Item = Square> {
        self.order.iter().filter_map(move |&k| self.board.step(square, k.into())).filter(|&square| (self.open)(square))
    }

    fn rank(&self, square: Square) -> u32 {
        self.of(square).count() as u32
    }

    /// The sum of the ranks `level` levels ahead.
    fn sum(&self, square: Square, level: u32) -> u64 {
        match level {
            0 => self.rank(square).into(),
            _ => self.of(square).map(|next| self.sum(next, level - 1)).sum(),
        }
    }
}
