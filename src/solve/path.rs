//! `path`: a path that grows square by square, with forced moves and a square that must come last.

use super::deliver::{counts, tours};
use super::foretell::{SearchedTours, foretell};
use super::{Output, Problem, Refusal, Solver, SolverCard, admit_size, boxed, wide};
use crate::board::{Ending, Mask};
use crate::schedule::{Crew, Outcome, RunError};
use crate::search::explain::{Explained, PathRules, Trail, Walk};
use crate::search::{self, Kernel};

/// The solver of this file.
pub struct Path;

impl Solver for Path {
    fn card(&self) -> &'static SolverCard {
        const CARD: SolverCard = SolverCard::new(
            "path",
            "open or closed tours by path extension, forced moves and a required last square; starts up to symmetry",
        );
        &CARD
    }

    fn admits(&self, problem: &Problem) -> Result<(), Refusal> {
        admit_size(problem)
    }

    fn solve(&self, problem: &Problem, crew: Crew, output: Output) -> Result<Outcome, RunError> {
        match of_width::<u64>(problem) {
            Some(search) => run(search, problem, crew, output),
            None => run(wide(of_width::<u128>(problem)), problem, crew, output),
        }
    }

    fn kernel(&self, problem: &Problem) -> Result<Box<dyn Kernel>, Refusal> {
        Ok(boxed(of_width::<u64>(problem), || Box::new(wide(of_width::<u128>(problem)))))
    }

    fn explained(&self, problem: &Problem) -> Result<Box<dyn Explained>, Refusal> {
        let rules = wide(PathRules::new(problem.board, problem.ending, problem.start));
        Ok(Box::new(Walk::new(Trail::new(problem.board), rules)))
    }
}

fn run<M: Mask>(
    search: search::Path<M>,
    problem: &Problem,
    mut crew: Crew,
    output: Output,
) -> Result<Outcome, RunError> {
    foretell(&mut crew, problem, SearchedTours::All, true);
    if problem.unique && output.is_none() {
        crew.deliver(counts(problem));
        return crew.run(&search.classes(problem.board));
    }
    crew.deliver(tours(problem, output, Some(search.images())));
    crew.run(&search)
}

fn of_width<M: Mask>(problem: &Problem) -> Option<search::Path<M>> {
    match problem.ending {
        Ending::Open => search::Path::open(problem.board, problem.start),
        Ending::Closed => search::Path::closed(problem.board, problem.start),
    }
}
