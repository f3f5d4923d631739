//! `edges`: closed tours by fixing edges instead of growing a path.

use super::deliver::tours;
use super::{Output, Problem, Refusal, Solver, SolverCard, admit_ending, admit_size, boxed, wide};
use crate::board::Ending;
use crate::schedule::{Crew, Outcome, RunError};
use crate::search::{self, Kernel};

/// The solver of this file.
pub struct Edges;

impl Solver for Edges {
    fn card(&self) -> &'static SolverCard {
        const CARD: SolverCard = SolverCard::new(
            "edges",
            "closed tours by fixing edges: forced ones first, then at the square with the fewest (after Knuth's Algorithm H)",
        );
        &CARD
    }

    /// A start does not change which tours there are: this search has none, and takes any.
    fn admits(&self, problem: &Problem) -> Result<(), Refusal> {
        admit_ending(problem, self.name(), Ending::Closed)?;
        admit_size(problem)
    }

    fn solve(&self, problem: &Problem, mut crew: Crew, output: Output) -> Result<Outcome, RunError> {
        crew.deliver(tours(problem, output, None));
        crew.expect(problem.known());
        match search::Edges::<u64, 64>::new(problem.board) {
            Some(search) => crew.run(&search),
            None => crew.run(&wide(search::Edges::<u128, 128>::new(problem.board))),
        }
    }

    fn kernel(&self, problem: &Problem) -> Result<Box<dyn Kernel>, Refusal> {
        let board = problem.board;
        let wider = || Box::new(wide(search::Edges::<u128, 128>::new(board))) as Box<dyn Kernel>;
        Ok(boxed(search::Edges::<u64, 64>::new(board), wider))
    }
}
