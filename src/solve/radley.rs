//! `radley`: closed tours from a corner, with Radley's prune tests.

use super::admit::{admit_ending, admit_size, admit_whole_board};
use super::card::{Refusal, SolverCard, refuse};
use super::problem::Problem;
use super::solver::{SearchTree, Solver, by_width};
use crate::board::Ending;
use crate::explain::{Explained, ExplainedWalk, RadleyRules, Trail};
use crate::search::{Radley, RadleyOptions};

/// The solver `radley`.
pub struct RadleySolver;

impl Solver for RadleySolver {
    fn card(&self) -> &'static SolverCard {
        const CARD: SolverCard = SolverCard {
            exact_levels: true,
            prunes: true,
            ..SolverCard::new(
                "radley",
                "closed tours from a corner, first move fixed, last square reserved, optional prune tests (Radley 2002)",
            )
        };
        &CARD
    }

    fn admits(&self, problem: &Problem) -> Result<(), Refusal> {
        admit_ending(problem, self.name(), Ending::Closed)?;
        admit_size(problem)?;
        admit_whole_board(problem, self.name())?;
        let (board, corners) = (problem.board(), problem.board().corners());
        refuse(problem.start.filter(|start| !corners.contains(start)).map(|start| {
            let (names, start) = (corners.map(|corner| board.name(corner)).join(", "), board.name(start));
            format!("radley starts in a corner, not in {start}; the corners of {board} are {names}")
        }))
    }

    fn tree(&self, problem: &Problem, _: bool) -> Result<SearchTree, Refusal> {
        let (board, rules) = (problem.board(), rules(problem));
        Ok(by_width!(Mask: Radley::<Mask>::new(board, rules.clone()).map(SearchTree::of)))
    }

    fn step_view(&self, problem: &Problem) -> Result<Box<dyn Explained>, Refusal> {
        let RadleyOptions { start, prune, window, .. } = rules(problem);
        let rules = RadleyRules::new(problem.board(), start, prune, window);
        Ok(Box::new(ExplainedWalk::new(Trail::new(problem.board()), rules)))
    }
}

fn rules(problem: &Problem) -> RadleyOptions {
    let shipped = RadleyOptions::shipped();
    let start = problem.start.unwrap_or(shipped.start);
    RadleyOptions { start, prune: problem.prune, window: problem.window.clone(), ..shipped }
}
