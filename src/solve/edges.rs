//! `edges`: closed tours by fixing edges instead of growing a path.

use super::admit::{admit_ending, admit_size};
use super::card::Refusal;
use super::problem::Problem;
use super::solver::{SearchTree, Solver};

use super::card::SolverCard;
use crate::board::{Board, Ending, SquareMask};
use crate::search::{self, Kernel};

/// The solver of this file.
pub struct EdgesSolver;

impl Solver for EdgesSolver {
    fn card(&self) -> &'static SolverCard {
        const CARD: SolverCard = SolverCard {
            evenly: true,
            ..SolverCard::new(
                "edges",
                "closed tours by fixing edges: forced ones first, then at the square with the fewest (after Knuth's Algorithm H)",
            )
        };
        &CARD
    }

    /// A start does not change which tours there are: this search has none, and takes any.
    fn admits(&self, problem: &Problem) -> Result<(), Refusal> {
        admit_ending(problem, self.name(), Ending::Closed)?;
        admit_size(problem)
    }

    fn tree(&self, problem: &Problem, counted: bool) -> Result<SearchTree, Refusal> {
        let (board, counts_classes) = (problem.board, problem.unique && counted);
        let wide = || Some(Box::new(of_width::<u128, 128>(board, counts_classes)?) as Box<dyn Kernel>);
        Ok(SearchTree { counts_classes, ..SearchTree::of(of_width::<u64, 64>(board, counts_classes), wide) })
    }
}

/// The search of tours, or of classes that it counts; nothing when the mask cannot hold the board.
fn of_width<M: SquareMask, const N: usize>(board: Board, classes: bool) -> Option<search::Edges<M, N>> {
    if classes { search::Edges::classes(board) } else { search::Edges::new(board) }
}
