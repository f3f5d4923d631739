//! Solvers of earlier versions: their journals are still shown, and each refuses every problem with what to use instead.

use super::card::{Refusal, SolverCard};
use super::problem::Problem;
use super::solver::{SearchTree, Solver};

/// A solver that earlier versions had.
pub struct FormerSolver {
    card: &'static SolverCard,
    /// Why it was removed, and what to use now.
    advice: &'static str,
}

/// Every solver that earlier versions had.
pub const FORMER_SOLVERS: &[FormerSolver] = &[FormerSolver {
    card: &SolverCard::new("gpu", "open or closed tours by path extension in thousands of lanes at once"),
    advice: "no GPU has ever been measured with it; use --solver edges for closed tours or path for open ones, on every core",
}];

impl FormerSolver {
    fn refusal(&self) -> Refusal {
        Refusal(format!("the solver {} was removed: {}", self.card.name, self.advice))
    }
}

impl Solver for FormerSolver {
    fn card(&self) -> &'static SolverCard {
        self.card
    }

    fn admits(&self, _: &Problem) -> Result<(), Refusal> {
        Err(self.refusal())
    }

    fn tree(&self, _: &Problem, _counted: bool) -> Result<SearchTree, Refusal> {
        Err(self.refusal())
    }
}
