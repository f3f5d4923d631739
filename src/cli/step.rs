//! `destrier step`: a search taken step by step on the screen.

use super::Failure;
use super::args::StepArgs;
use super::watch::on_terminal;
use crate::ui::stage::Exit;
use crate::ui::step::{self, Subject};

/// Shows the search until the user leaves; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the terminal failed.
pub fn run(args: &StepArgs) -> Result<u8, Failure> {
    let subject = subject(args)?;
    if !on_terminal() {
        let board = subject.board;
        let instead = format!("`destrier search {board}` searches without one");
        return Err(Failure::Usage(format!("step needs a terminal for its keys and its screen; {instead}")));
    }
    match step::run(subject) {
        Ok(Exit::Left) => Ok(0),
        Ok(Exit::Signal(signal)) => Ok(128 + signal as u8),
        Err(error) => Err(Failure::Running(error.to_string())),
    }
}

/// The search that is meant.
fn subject(args: &StepArgs) -> Result<Subject, Failure> {
    if let Some((finder, request)) = args.request()? {
        let search = finder.explained(&request).map_err(|refusal| Failure::Usage(refusal.to_string()))?;
        let order = request.order.map(|order| format!("order {order}"));
        let start = request.start.map(|start| format!("from {}", request.board.name(start)));
        let detail = order.into_iter().chain(start).collect::<Vec<_>>().join(", ");
        let method = finder.name().to_owned();
        return Ok(Subject { board: request.board, ending: request.ending, method, detail, search });
    }
    let plan = args.plan()?;
    let problem = &plan.problem;
    let search = plan.solver.explained(problem).map_err(|refusal| Failure::Usage(refusal.to_string()))?;
    let prune = (plan.solver.name() == "radley").then(|| format!("prune {}", problem.prune.name()));
    let start = problem.start.map(|start| format!("from {}", problem.board.name(start)));
    let detail = prune.into_iter().chain(start).collect::<Vec<_>>().join(", ");
    let method = plan.solver.name().to_owned();
    Ok(Subject { board: problem.board, ending: problem.ending, method, detail, search })
}
