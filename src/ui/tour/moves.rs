//! The moves from a square of a route: their ranks, and why the route takes the one it takes.

use crate::board::{Ending, Route, Square};
use crate::find::Tie;

/// One of the eight moves from the knight's square, in the order of [`MOVES`](crate::board::MOVES).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Candidate {
    /// The move leads off the board.
    OffBoard,
    /// The move leads to a hole.
    Hole(Square),
    /// The move leads to a visited square, with its number from 0.
    Visited(Square, u32),
    /// The knight can make the move.
    Free {
        /// The target square.
        square: Square,
        /// The number of unvisited neighbours of the target: Warnsdorff's rank.
        rank: u32,
    },
}

impl Candidate {
    /// The target square, if it is on the board.
    pub fn square(self) -> Option<Square> {
        match self {
            Candidate::OffBoard => None,
            Candidate::Hole(square) | Candidate::Visited(square, _) | Candidate::Free { square, .. } => Some(square),
        }
    }
}

/// The moves from one square of a route.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moves {
    /// The eight moves.
    pub candidates: [Candidate; 8],
    /// The move that the route takes; `None` at its end.
    pub taken: Option<usize>,
    /// The explanation of the move, for example `rank 2, the lowest`.
    pub why: String,
}

impl Moves {
    /// The moves from square `k` (from 0) of a route, with the squares up to `k` visited. `tie` is the tie-break of
    /// the rule that found the route, if known.
    ///
    /// # Panics
    /// If the route has no square `k`.
    pub fn at(route: &dyn Route, k: u32, tie: Option<Tie>) -> Moves {
        let board = route.board();
        let Some(from) = route.square_at(k) else { panic!("a route of {} has no square {k}", route.squares()) };
        let candidates: [Candidate; 8] = std::array::from_fn(|way| match board.step(from, way) {
            None => Candidate::OffBoard,
            Some(square) if route.holes().contains(square) => Candidate::Hole(square),
            Some(square) => match route.number_of(square) {
                Some(number) if number <= k => Candidate::Visited(square, number),
                _ => Candidate::Free { square, rank: rank(route, square, k) },
            },
        });
        let next = route.square_at(k + 1);
        let taken = next.and_then(|next| candidates.iter().position(|candidate| candidate.square() == Some(next)));
        let why = match taken {
            Some(way) => reason(route, &candidates, way, tie),
            None => ending(route, &candidates),
        };
        Moves { candidates, taken, why }
    }

    /// The squares that the knight can enter: index of the move, square and rank.
    pub fn free(&self) -> impl Iterator<Item = (usize, Square, u32)> {
        free(&self.candidates)
    }
}

fn free(candidates: &[Candidate]) -> impl Iterator<Item = (usize, Square, u32)> {
    candidates.iter().enumerate().filter_map(|(way, candidate)| match *candidate {
        Candidate::Free { square, rank } => Some((way, square, rank)),
        _ => None,
    })
}

/// Number of neighbours that are neither holes nor among the first `k + 1` squares.
fn rank(route: &dyn Route, square: Square, k: u32) -> u32 {
    let open = |next: &Square| !route.holes().contains(*next) && route.number_of(*next).is_none_or(|n| n > k);
    route.board().neighbours(square).filter(open).count() as u32
}

/// Compares the rank of the move taken with the others.
fn reason(route: &dyn Route, candidates: &[Candidate], taken: usize, tie: Option<Tie>) -> String {
    let named = |wanted: u32| {
        let same = free(candidates).filter(move |&(way, _, rank)| way != taken && rank == wanted);
        same.map(|(_, square, _)| route.board().name(square)).collect::<Vec<_>>()
    };
    let Some((_, _, own)) = free(candidates).find(|&(way, ..)| way == taken) else {
        unreachable!("a route visits no square twice")
    };
    let lowest = free(candidates).map(|(_, _, rank)| rank).min().unwrap_or(own);
    if free(candidates).count() == 1 {
        return "the only move".to_owned();
    }
    if own > lowest {
        let lower = named(lowest);
        let have = if lower.len() == 1 { "has" } else { "have" };
        return format!("not the lowest: rank {own} where {} {have} {lowest}", listed(&lower));
    }
    match named(own) {
        ties if ties.is_empty() => format!("rank {own}, the lowest"),
        ties => {
            let broken = tie.map_or(String::new(), |tie| format!(" broken by {tie}"));
            format!("rank {own}, the lowest; tie with {}{broken}", listed(&ties))
        }
    }
}

/// A list of names: `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [many @ .., last] => format!("{} and {last}", many.join(", ")),
    }
}

/// The explanation at the last square.
fn ending(route: &dyn Route, candidates: &[Candidate]) -> String {
    let board = route.board();
    if !route.is_whole() {
        let left = board.squares() - route.holes().len() as u32 - route.squares();
        let squares = if left == 1 { "square is" } else { "squares are" };
        let stuck = if free(candidates).next().is_none() { "a dead end" } else { "the way ends here" };
        return format!("{stuck}: {left} {squares} unvisited");
    }
    match (route.ending(), route.square_at(0)) {
        (Ending::Closed, Some(start)) => format!("the last square: a move to {} closes the tour", board.name(start)),
        _ => "the last square: the tour is complete".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{KURAPATI, NumberedRoute, Shape, Tour, parse_grid, parse_move_list};

    fn kurapati() -> NumberedRoute {
        let (board, squares) = parse_grid(KURAPATI).unwrap();
        NumberedRoute::from(&Tour::verify(board, Ending::Open, squares).unwrap())
    }

    /// Ranks by brute force, counted on a board of visited squares.
    fn ranks_by_hand(route: &dyn Route, k: u32) -> Vec<(Square, u32)> {
        let visited: Vec<Square> = route.walk().take(k as usize + 1).collect();
        let open = |square: Square| {
            let all = route.board().neighbours(square);
            all.filter(|next| !visited.contains(next) && !route.holes().contains(*next)).collect::<Vec<_>>()
        };
        open(visited[k as usize]).into_iter().map(|square| (square, open(square).len() as u32)).collect()
    }

    #[test]
    fn ranks_are_those_of_a_board_laid_out_by_hand() {
        let tour = kurapati();
        let (board, squares) = parse_move_list("5x5 a1 b3 c1 a2 b4 d5 e3 d1 b2").unwrap();
        let part = NumberedRoute::part(board, Ending::Open, squares).unwrap();
        for route in [&tour as &dyn Route, &part] {
            for k in 0..route.squares() {
                let moves = Moves::at(route, k, None);
                let found: Vec<_> = moves.free().map(|(_, square, rank)| (square, rank)).collect();
                assert_eq!(found, ranks_by_hand(route, k), "move {k}");
                let taken = moves.taken.map(|way| route.board().step(route.square_at(k).unwrap(), way));
                assert_eq!(taken.flatten(), route.square_at(k + 1), "move {k}");
            }
        }
    }

    #[test]
    fn the_reason_is_a_sentence() {
        let tour = kurapati();
        let why = |k| Moves::at(&tour, k, None).why;
        // The start e6: f8 in the top row has 3 ways on, as d8 and g7 have.
        assert_eq!(why(0), "rank 3, the lowest; tie with d8 and g7");
        let kurapati = Moves::at(&tour, 0, Some(Tie::Kurapati)).why;
        assert_eq!(kurapati, "rank 3, the lowest; tie with d8 and g7 broken by kurapati");
        // f8: h7 has 2 ways on, fewer than all others.
        assert_eq!(why(1), "rank 2, the lowest");
        assert_eq!(why(62), "the only move");
        assert_eq!(why(63), "the last square: the tour is complete");
        let (board, squares) = parse_move_list("5x5 a1 b3 d4").unwrap();
        let part = NumberedRoute::part(board, Ending::Open, squares).unwrap();
        assert_eq!(Moves::at(&part, 1, None).why, "not the lowest: rank 3 where a5 has 1");
        assert_eq!(Moves::at(&part, 2, None).why, "the way ends here: 22 squares are unvisited");
    }

    #[test]
    fn a_dead_end_a_hole_and_a_closing_move_are_called_that() {
        let (board, squares) = parse_move_list("3x3 a3 c2 a1 b3 c1 a2 c3 b1").unwrap();
        let part = NumberedRoute::part(board, Ending::Open, squares.clone()).unwrap();
        assert_eq!(Moves::at(&part, 7, None).why, "a dead end: 1 square is unvisited");
        let hole = crate::board::Holes::new([board.parse_square("b2").unwrap()]);
        let ring = NumberedRoute::from(&Tour::verify(Shape::new(board, hole), Ending::Closed, squares).unwrap());
        assert_eq!(Moves::at(&ring, 7, None).why, "the last square: a move to a3 closes the tour");
        let (board, squares) = parse_move_list("3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1").unwrap();
        let hole = crate::board::Holes::new([board.parse_square("a2").unwrap()]);
        let tour = NumberedRoute::from(&Tour::verify(Shape::new(board, hole.clone()), Ending::Open, squares).unwrap());
        let moves = Moves::at(&tour, 10, None);
        assert!(moves.candidates.contains(&Candidate::Hole(hole.squares()[0])));
    }
}
