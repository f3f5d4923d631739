//! `brute`: Carter's plain search of all open tours, without any pruning.

use super::admit::{admit_ending, admit_size};
use super::card::{Refusal, SolverCard};
use super::problem::Problem;
use super::solver::{SearchTree, Solver, by_width};
use crate::board::Ending;
use crate::explain::{Explained, ExplainedWalk, Trail, brute_rules};
use crate::search::Brute;

/// The solver `brute`.
pub struct BruteSolver;

impl Solver for BruteSolver {
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

    fn tree(&self, problem: &Problem, _: bool) -> Result<SearchTree, Refusal> {
        let Problem { ref shape, start, .. } = *problem;
        Ok(by_width!(Mask: Brute::<Mask>::new(shape, start).map(SearchTree::of)))
    }

    fn step_view(&self, problem: &Problem) -> Result<Box<dyn Explained>, Refusal> {
        let rules = brute_rules(&problem.shape, problem.start);
        Ok(Box::new(ExplainedWalk::new(Trail::new(&problem.shape), rules)))
    }
}
