//! `quarter-turn` as a finder: tours made of four copies of one path, each a quarter turn on.

use super::finder::{FindAnswer, FindResult, Finder, Request};

use super::card::{FinderCard, SearchedTours, SolverCard};
use super::problem::Problem;
use super::solver::{SearchTree, Solver};

use super::card::Refusal;

use super::finder::impossible;
use crate::find::{Attempt, QuarterTurns};
use crate::schedule::{Crew, RaceEnd, RaceResult, RunError};
use crate::search::quarter::{self, QuarterTurnError};
use crate::words::grouped;

/// The solver of this file.
pub struct QuarterTurnSolver;

impl Solver for QuarterTurnSolver {
    fn card(&self) -> &'static SolverCard {
        const CARD: SolverCard = SolverCard {
            tours: SearchedTours::QuarterTurn,
            ..SolverCard::new(
                "quarter-turn",
                "tours of square boards up to 16x16 made of four rotated copies of one path (Carter 2016)",
            )
        };
        &CARD
    }

    fn admits(&self, problem: &Problem) -> Result<(), Refusal> {
        if let Some(start) = problem.start {
            let start = problem.board.name(start);
            return Err(Refusal(format!(
                "quarter-turn finds its starts itself and takes none, so leave out --start {start}"
            )));
        }
        search(problem).map(|_| ()).map_err(|error| Refusal(error.to_string()))
    }

    fn tree(&self, problem: &Problem, _: bool) -> Result<SearchTree, Refusal> {
        let search = search(problem).map_err(|error| Refusal(error.to_string()))?;
        Ok(SearchTree { kernel: Box::new(search), images: None, counts_classes: false })
    }
}

fn search(problem: &Problem) -> Result<quarter::QuarterTurn, QuarterTurnError> {
    quarter::QuarterTurn::new(problem.board, problem.ending)
}

/// Attempts, which enter up to 1000 x 2^15 nodes each in the end.
const ATTEMPTS: u64 = 64;

/// The method of this file.
pub struct QuarterTurnFinder;

impl Finder for QuarterTurnFinder {
    fn card(&self) -> &'static FinderCard {
        const CARD: FinderCard = FinderCard {
            paths: true,
            ..FinderCard::new(
                "quarter-turn",
                "tours of square boards up to 16x16 made of four rotated copies of one path (Carter 2016)",
            )
        };
        &CARD
    }

    fn admits(&self, request: &Request) -> Result<(), Refusal> {
        if !request.is_plain() {
            let what =
                "quarter-turn finds its starts and ends itself, and knows no holes or prescribed moves; edges does";
            return Err(Refusal(what.to_owned()));
        }
        match quarter::QuarterTurn::new(request.board, request.ending) {
            Ok(_) => Ok(()),
            Err(error) => Err(Refusal(error.to_string())),
        }
    }

    fn find(&self, request: &Request, crew: Crew) -> Result<FindResult, RunError> {
        if let Some(reason) = impossible(request) {
            return FindResult::impossible(&crew, reason);
        }
        let attempt = |number| {
            let attempt = QuarterTurns::new(request.board, request.ending, request.seed, number).ok();
            attempt.filter(|_| number < ATTEMPTS).map(|attempt| Box::new(attempt) as Box<dyn Attempt>)
        };
        let found = request.race(&crew, &attempt, none)?;
        // What is proven is proven of tours of this symmetry alone.
        let answer = match found.answer {
            FindAnswer::Impossible(reason) => FindAnswer::NotFound(reason),
            answer => answer,
        };
        Ok(FindResult { answer, ..found })
    }
}

fn none(finish: &RaceResult) -> String {
    match finish.end {
        RaceEnd::Exhausted => {
            "no four rotated copies of one path make such a tour, as an exhaustive search shows".to_owned()
        }
        _ => format!("not found within the limit of {} attempts, which proves nothing", grouped(finish.attempts)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::finder::testing::ask;
    use super::*;
    use crate::board::{Ending, Tour};
    use crate::search::quarter::four_paths;

    fn request(board: &str, ending: Ending) -> Request {
        Request::new(board.parse().unwrap(), ending)
    }

    #[test]
    fn tours_have_four_paths_and_follow_from_the_seed() {
        for (board, ending) in [("6x6", Ending::Open), ("8x8", Ending::Closed), ("9x9", Ending::Open)] {
            let asked = Request { tours: 5, seed: 2, ..request(board, ending) };
            let tours = ask(&QuarterTurnFinder, &asked, 1).unwrap();
            assert_eq!(tours, ask(&QuarterTurnFinder, &asked, 3).unwrap());
            for squares in &tours {
                let tour = Tour::verify(asked.board, ending, squares.as_slice()).unwrap();
                assert!(four_paths(&tour).is_some(), "{board}");
            }
            assert_eq!(tours.len(), 5);
        }
        // 6x6 has ten closed tours that a quarter turn leaves as they are.
        let asked = Request { tours: 50, ..request("6x6", Ending::Closed) };
        assert_eq!(ask(&QuarterTurnFinder, &asked, 1).unwrap().len(), 10);
    }

    #[test]
    fn what_it_does_not_take_is_told() {
        let reason = |request: &Request| ask(&QuarterTurnFinder, request, 1).unwrap_err();
        assert!(reason(&request("7x7", Ending::Closed)).starts_with("impossible: both sides are odd"));
        assert!(reason(&request("5x6", Ending::Open)).contains("is not a square board"));
        let started = Request { start: request("6x6", Ending::Open).board.at(0), ..request("6x6", Ending::Open) };
        assert!(reason(&started).ends_with("edges does"));
    }
}
