//! `edges`: closed tours by fixing edges instead of growing a path.

use super::deliver::{counts, tours};
use super::foretell::{SearchedTours, foretell};
use super::{Output, Problem, Refusal, Solver, SolverCard, admit_ending, admit_size, boxed, wide};
use crate::board::{Board, Ending, Mask};
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
        let (board, classes) = (problem.board, problem.unique && output.is_none());
        crew.deliver(if classes { counts(problem) } else { tours(problem, output, None) });
        foretell(&mut crew, problem, SearchedTours::All, true);
        match of_width::<u64, 64>(board, classes) {
            Some(search) => crew.run(&search),
            None => crew.run(&wide(of_width::<u128, 128>(board, classes))),
        }
    }

    fn kernel(&self, problem: &Problem) -> Result<Box<dyn Kernel>, Refusal> {
        let board = problem.board;
        let wider = || Box::new(wide(of_width::<u128, 128>(board, false))) as Box<dyn Kernel>;
        Ok(boxed(of_width::<u64, 64>(board, false), wider))
    }
}

/// The search of tours, or of classes that nobody sees; nothing when the mask cannot hold the board.
fn of_width<M: Mask, const N: usize>(board: Board, classes: bool) -> Option<search::Edges<M, N>> {
    if classes { search::Edges::classes(board) } else { search::Edges::new(board) }
}
