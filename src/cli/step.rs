//! `destrier step`: a search, or the cycles of the three-cycle board, taken step by step on the screen.

use super::args::StepArgs;
use super::screen::{left, on_terminal};
use crate::job::{Failure, usage};
use crate::run::Question;
use crate::ui::cycles;
use crate::ui::step::{self, StepSubject};

/// Shows the search until the user leaves. Returns the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the terminal failed.
pub fn run(args: &StepArgs) -> Result<u8, Failure> {
    let request = args.request()?;
    if let Some((finder, request)) = &request
        && finder.card().cycles
    {
        let subject = cycles::CyclesSubject::of(request, false).map_err(Failure::Usage)?;
        terminal(&format!("`destrier find {} --method gpu-cycles`", request.board))?;
        return left(cycles::run(subject).map(|(exit, _)| exit));
    }
    let (question, note) = match request {
        Some((finder, request)) => (Question::Find(finder, request), None),
        None => {
            let plan = args.plan()?;
            let note = args.note(&plan);
            (plan.question, note)
        }
    };
    let subject = StepSubject { note, ..StepSubject::of(&question).map_err(Failure::Usage)? };
    terminal(&format!("`destrier search {}`", subject.board))?;
    left(step::run(subject))
}

/// Refuses to go on without a terminal.
fn terminal(instead: &str) -> Result<(), Failure> {
    if on_terminal()? {
        return Ok(());
    }
    let message = format!("step needs a terminal for its keys and its screen; {instead} does without one");
    Err(usage(message))
}
