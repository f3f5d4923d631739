//! `destrier step`: a search, or the cycles of the three-cycle board, taken step by step on the screen.

use super::Failure;
use super::args::StepArgs;
use super::watch::on_terminal;
use crate::solve::{Finder, GpuCycles, Request};
use crate::ui::stage::Exit;
use crate::ui::step::{self, Subject};
use crate::ui::{UiError, cycles};

/// Shows the search until the user leaves; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the terminal failed.
pub fn run(args: &StepArgs) -> Result<u8, Failure> {
    let request = args.request()?;
    if let Some((finder, request)) = &request
        && finder.name() == GpuCycles.name()
    {
        let subject = cycles::Subject::of(request, false).map_err(Failure::Usage)?;
        terminal(&format!("`destrier find {} --method gpu-cycles`", request.board))?;
        return left(cycles::run(subject).map(|(exit, _)| exit));
    }
    let subject = match request {
        Some((finder, request)) => explained(finder, request)?,
        None => subject(args)?,
    };
    terminal(&format!("`destrier search {}`", subject.board))?;
    left(step::run(subject))
}

/// Refuses to go on without a terminal.
fn terminal(instead: &str) -> Result<(), Failure> {
    if on_terminal() {
        return Ok(());
    }
    let message = format!("step needs a terminal for its keys and its screen; {instead} does without one");
    Err(Failure::Usage(message))
}

/// The exit code of a view that was left.
///
/// # Errors
/// [`Failure::Running`] when the terminal failed.
fn left(exit: Result<Exit, UiError>) -> Result<u8, Failure> {
    match exit {
        Ok(Exit::Left) => Ok(0),
        Ok(Exit::Signal(signal)) => Ok(128 + signal as u8),
        Err(error) => Err(error.into()),
    }
}

/// The search of a method that finds one tour.
fn explained(finder: &dyn Finder, request: Request) -> Result<Subject, Failure> {
    let search = finder.explained(&request).map_err(|refusal| Failure::Usage(refusal.to_string()))?;
    let order = request.order.map(|order| format!("order {order}"));
    let start = request.start.map(|start| format!("from {}", request.board.name(start)));
    let detail = order.into_iter().chain(start).collect::<Vec<_>>().join(", ");
    let method = finder.name().to_owned();
    Ok(Subject { board: request.board, ending: request.ending, method, detail, search })
}

/// The search of a method that counts all tours.
fn subject(args: &StepArgs) -> Result<Subject, Failure> {
    let plan = args.plan()?;
    let problem = &plan.problem;
    let search = plan.solver.explained(problem).map_err(|refusal| Failure::Usage(refusal.to_string()))?;
    let prune = (plan.solver.name() == "radley").then(|| format!("prune {}", problem.prune.name()));
    let start = problem.start.map(|start| format!("from {}", problem.board.name(start)));
    let detail = prune.into_iter().chain(start).collect::<Vec<_>>().join(", ");
    let method = plan.solver.name().to_owned();
    Ok(Subject { board: problem.board, ending: problem.ending, method, detail, search })
}
