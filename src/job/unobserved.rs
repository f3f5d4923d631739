//! Searches that nothing observes, for measurements.

use super::failure::{Failure, running};
use crate::event::EventSender;
use crate::run::{Continuation, PreparedRun, Question};
use crate::schedule::{Crew, CrewPlan, RunOutcome};
use crate::search::Kernel;
use crate::solve::{self, Problem, TourOutput};

/// Searches by the solver of a name with this crew; `output` receives the tours.
///
/// # Errors
/// [`Failure`] when no solver has the name, when it does not take the problem, or when the run fails.
pub fn solve(solver: &str, problem: &Problem, crew: CrewPlan, output: TourOutput) -> Result<RunOutcome, Failure> {
    let solver = solve::solver_by_name(solver).ok_or_else(|| running(format!("no solver is called {solver}")))?;
    solver.admits(problem).map_err(running)?;
    let question = Question::Search(solver, problem.clone());
    let (run, _) = PreparedRun::new(&question, crew, Continuation::default(), false);
    Ok(run.answer(output, &|_, _| {}).map_err(running)?.outcome)
}

/// Searches the tree of a kernel with this crew.
///
/// # Errors
/// When the run fails.
pub fn search(kernel: &dyn Kernel, crew: CrewPlan) -> Result<RunOutcome, Failure> {
    Crew::new(crew, EventSender::nowhere()).run(kernel).map_err(running)
}
