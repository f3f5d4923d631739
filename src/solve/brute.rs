//! `brute`: Carter's plain search of all open tours, without any pruning.

use super::deliver::tours;
use super::foretell::{SearchedTours, foretell};
use super::{Output, Problem, Refusal, Solver, SolverCard, admit_ending, admit_size, boxed, wide};
use crate::board::Ending;
use crate::schedule::{Crew, Outcome, RunError};
use crate::search::explain::{BruteRules, Explained, Trail, Walk};
use crate::search::{self, Kernel};

/// The solver of this file.
pub struct Brute;

impl Solver for Brute {
    fn card(&self) -> &'static SolverCard {
        const CARD: SolverCard = SolverCard {
            exact_levels: true,
            ..SolverCard::new("brute", "open tours from every start, every move tried, nothing pruned (Carter 2016)")
        };
        &CARD
    }

    fn admits(&self, problem: &Problem) -> Result<(), Refusal> {
        admit_ending(problem, self.name(), Ending::Open)?;
        admit_size(problem)
    }

    fn solve(&self, problem: &Problem, mut crew: Crew, output: Output) -> Result<Outcome, RunError> {
        crew.deliver(tours(problem, output, None));
        foretell(&mut crew, problem, SearchedTours::All, false);
        match search::Brute::<u64>::new(problem.board, problem.start) {
            Some(search) => crew.run(&search),
            None => crew.run(&wide(search::Brute::<u128>::new(problem.board, problem.start))),
        }
    }

    fn kernel(&self, problem: &Problem) -> Result<Box<dyn Kernel>, Refusal> {
        let Problem { board, start, .. } = *problem;
        Ok(boxed(search::Brute::<u64>::new(board, start), || Box::new(wide(search::Brute::<u128>::new(board, start)))))
    }

    fn explained(&self, problem: &Problem) -> Result<Box<dyn Explained>, Refusal> {
        let rules = BruteRules::new(problem.board, problem.start);
        Ok(Box::new(Walk::new(Trail::new(problem.board), rules)))
    }
}
