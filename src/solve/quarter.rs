//! `quarter-turn`: tours of square boards made of four copies of one path, each a quarter turn on.

use super::card::Refusal;
use super::problem::Problem;

use super::solver::{SearchTree, Solver};

use super::card::{SearchedTours, SolverCard};
use crate::search::quarter::{self, QuarterTurnError};

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
