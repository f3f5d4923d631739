//! `quarter-turn`: tours of square boards made of four copies of one path, each a quarter turn after the other.
//!
//! The solver enumerates all of them, the finder looks for single tours by random openings of that search.

use super::admit::admit_whole_board;
use super::attempts::{AttemptFinder, AttemptSeries};
use super::card::{Refusal, SearchedTours, SolverCard, refuse};
use super::finder::{FinderCard, why_impossible};
use super::problem::Problem;
use super::solver::{SearchTree, Solver};
use crate::board::SMALL_SQUARES_MAX;
use crate::explain::{Explained, ExplainedWalk, QuarterRules, Trail};
use crate::find::QuarterTurns;
use crate::schedule::{RaceEnd, RaceResult};
use crate::search::quarter::{self, QuarterTurnError};
use crate::words::grouped;

const SUMMARY: &str = "tours of square boards up to 16x16 made of four rotated copies of one path (Carter 2016)";

/// The solver `quarter-turn`.
pub struct QuarterTurnSolver;

impl Solver for QuarterTurnSolver {
    fn card(&self) -> &'static SolverCard {
        const CARD: SolverCard =
            SolverCard { tours: SearchedTours::QuarterTurn, ..SolverCard::new("quarter-turn", SUMMARY) };
        &CARD
    }

    fn admits(&self, problem: &Problem) -> Result<(), Refusal> {
        admit_whole_board(problem, self.name())?;
        let start = problem.start.map(|start| problem.board().name(start));
        refuse(start.map(|start| format!("quarter-turn chooses its starts itself; leave out --start {start}")))?;
        search(problem).map(|_| ()).map_err(|error| Refusal(error.to_string()))
    }

    fn tree(&self, problem: &Problem, _: bool) -> Result<SearchTree, Refusal> {
        search(problem).map(SearchTree::of).map_err(|error| Refusal(error.to_string()))
    }

    fn step_view(&self, problem: &Problem) -> Result<Box<dyn Explained>, Refusal> {
        let board = problem.board();
        // Its reasons name squares by a set of so many.
        let is_large = board.squares() as usize > SMALL_SQUARES_MAX;
        refuse(is_large.then(|| format!("the step view of quarter-turn is for boards up to 11x11, not {board}")))?;
        let rules = QuarterRules::new(board, problem.ending).map_err(|error| Refusal(error.to_string()))?;
        Ok(Box::new(ExplainedWalk::new(Trail::turned(board), rules)))
    }
}

fn search(problem: &Problem) -> Result<quarter::QuarterTurn, QuarterTurnError> {
    quarter::QuarterTurn::new(problem.board(), problem.ending)
}

/// Number of attempts; the last ones enter up to 1000 x 2^15 nodes each.
const ATTEMPTS: u64 = 64;

/// The finder `quarter-turn`.
pub const QUARTER_TURN: AttemptFinder = AttemptFinder {
    card: &FinderCard { paths: true, ..FinderCard::new("quarter-turn", SUMMARY) },
    admits: |request, _| {
        let why = "quarter-turn takes no start, end, holes or prescribed moves; use edges, which does";
        refuse((!request.is_plain()).then_some(why))?;
        let search = quarter::QuarterTurn::new(request.board(), request.ending);
        search.map(drop).map_err(|error| Refusal(error.to_string()))
    },
    attempts: |request, _| {
        why_impossible(request).map_or(Ok(()), Err)?;
        let attempt = |number| {
            let attempt = QuarterTurns::new(request.board(), request.ending, request.seed, number).ok();
            attempt.filter(|_| number < ATTEMPTS)
        };
        // An exhaustive search proves only that there is no tour of this symmetry.
        Ok(AttemptSeries { is_proof: false, ..AttemptSeries::new(attempt, why_none) })
    },
    step_view: None,
};

fn why_none(finish: &RaceResult) -> String {
    match finish.end {
        RaceEnd::Exhausted => {
            "no four rotated copies of one path make such a tour, as an exhaustive search shows".to_owned()
        }
        _ => format!("not found within the limit of {} attempts, which proves nothing", grouped(finish.attempts)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::ask;
    use super::*;
    use crate::board::{Ending, Shape, Tour};
    use crate::search::quarter::four_paths;
    use crate::solve::Request;

    fn request(board: &str, ending: Ending) -> Request {
        Request::new(board.parse::<Shape>().unwrap(), ending)
    }

    #[test]
    fn a_step_view_is_for_boards_of_so_many_squares() {
        let view =
            |board: &str| QuarterTurnSolver.step_view(&Problem::new(board.parse::<Shape>().unwrap(), Ending::Open));
        assert!(view("11x11").is_ok());
        assert!(view("12x12").is_err_and(|refusal| refusal.0.contains("up to 11x11, not 12x12")));
    }

    #[test]
    fn tours_have_four_paths_and_follow_from_the_seed() {
        for (board, ending) in [("6x6", Ending::Open), ("8x8", Ending::Closed), ("9x9", Ending::Open)] {
            let asked = Request { tours: 5, seed: 2, ..request(board, ending) };
            let tours = ask(&QUARTER_TURN, &asked, 1).unwrap();
            assert_eq!(tours, ask(&QUARTER_TURN, &asked, 3).unwrap());
            for squares in &tours {
                let tour = Tour::verify(asked.board(), ending, squares.as_slice()).unwrap();
                assert!(four_paths(&tour).is_some(), "{board}");
            }
            assert_eq!(tours.len(), 5);
        }
        // 6x6 has ten closed tours that a quarter turn leaves as they are.
        let asked = Request { tours: 50, ..request("6x6", Ending::Closed) };
        assert_eq!(ask(&QUARTER_TURN, &asked, 1).unwrap().len(), 10);
    }

    #[test]
    fn a_refusal_says_what_is_not_taken() {
        let reason = |request: &Request| ask(&QUARTER_TURN, request, 1).unwrap_err();
        assert!(reason(&request("7x7", Ending::Closed)).starts_with("impossible: both sides are odd"));
        assert!(reason(&request("5x6", Ending::Open)).contains("is not a square board"));
        let started = Request { start: request("6x6", Ending::Open).board().at(0), ..request("6x6", Ending::Open) };
        assert!(reason(&started).ends_with("use edges, which does"));
    }
}
