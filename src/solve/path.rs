//! `path`: a path that grows square by square, with forced moves and a last square that is fixed in advance.

use super::admit::admit_size;
use super::card::{Refusal, SolverCard};
use super::problem::Problem;
use super::solver::{SearchTree, Solver, by_width};
use crate::board::{Ending, SquareMask};
use crate::explain::{Explained, ExplainedWalk, PathRules, Trail};
use crate::search;

/// The solver `path`.
pub struct PathSolver;

impl Solver for PathSolver {
    fn card(&self) -> &'static SolverCard {
        const CARD: SolverCard = SolverCard {
            evenly: true,
            ..SolverCard::new(
                "path",
                "open or closed tours by path extension, forced moves and a required last square; starts up to symmetry",
            )
        };
        &CARD
    }

    fn admits(&self, problem: &Problem) -> Result<(), Refusal> {
        admit_size(problem)
    }

    fn tree(&self, problem: &Problem, counted: bool) -> Result<SearchTree, Refusal> {
        Ok(by_width!(Mask: of_width::<Mask>(problem, counted)))
    }

    fn step_view(&self, problem: &Problem) -> Result<Box<dyn Explained>, Refusal> {
        let rules = PathRules::new(&problem.shape, problem.ending, problem.start)
            .unwrap_or_else(|| unreachable!("the problem was admitted, so the wide mask holds the board"));
        Ok(Box::new(ExplainedWalk::new(Trail::new(&problem.shape), rules)))
    }
}

/// The tree in masks of one width; `None` when the mask cannot hold the board.
fn of_width<M: SquareMask>(problem: &Problem, counted: bool) -> Option<SearchTree> {
    let Problem { ref shape, start, .. } = *problem;
    let search = match problem.ending {
        Ending::Open => search::Path::<M>::open(shape, start),
        Ending::Closed => search::Path::<M>::closed(shape, start),
    }?;
    let counts_classes = problem.unique && counted;
    let images = Some(search.images());
    let search = if counts_classes { search.classes(shape) } else { search };
    Some(SearchTree { kernel: Box::new(search), images, counts_classes })
}
