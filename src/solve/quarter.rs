//! `quarter-turn`: tours of square boards made of four copies of one path, each a quarter turn on.

use super::deliver::tours;
use super::foretell::{SearchedTours, foretell};
use super::{Output, Problem, Refusal, Solver, SolverCard};
use crate::schedule::{Crew, Outcome, RunError};
use crate::search::Kernel;
use crate::search::quarter::{self, QuarterTurnError};

/// The solver of this file.
pub struct QuarterTurn;

impl Solver for QuarterTurn {
    fn card(&self) -> &'static SolverCard {
        const CARD: SolverCard = SolverCard {
            restricted: true,
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

    fn solve(&self, problem: &Problem, mut crew: Crew, output: Output) -> Result<Outcome, RunError> {
        crew.deliver(tours(problem, output, None));
        foretell(&mut crew, problem, SearchedTours::QuarterTurn, false);
        match search(problem) {
            Ok(search) => crew.run(&search),
            Err(error) => unreachable!("the problem was admitted: {error}"),
        }
    }

    fn kernel(&self, problem: &Problem) -> Result<Box<dyn Kernel>, Refusal> {
        match search(problem) {
            Ok(search) => Ok(Box::new(search)),
            Err(error) => Err(Refusal(error.to_string())),
        }
    }
}

fn search(problem: &Problem) -> Result<quarter::QuarterTurn, QuarterTurnError> {
    quarter::QuarterTurn::new(problem.board, problem.ending)
}
