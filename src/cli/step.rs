//! `destrier step`: a search, or the cycles of the three-cycle board, taken step by step on the screen.

use super::args::StepArgs;
use super::screen::left;
use super::terminal::needs_terminal;
use crate::job::Failure;
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
        needs_terminal("step", &format!("`destrier find {} --method gpu-cycles` does without one", request.board))?;
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
    needs_terminal("step", &format!("`destrier search {}` does without one", subject.board))?;
    left(step::run(subject))
}
