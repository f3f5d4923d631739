//! `destrier step`: a search, or the cycles of the three-cycle board, taken step by step, on the screen or in lines.

mod lines;

use super::adapter;
use super::args::{ProblemArgs, StepArgs, square, square_board, with_holes};
use super::screen::left;
use super::terminal::needs_terminal;
use crate::board::{Ending, Shape};
use crate::gpu::DeviceChoice;
use crate::job::{Answer, Failure, refuse_if, usage};
use crate::run::Question;
use crate::search::Prune;
use crate::solve::{self, Finder, Problem, Request, RequestOption};
use crate::ui::step::{self, CyclesSubject, StepSubject};

/// The prune test without an option: `search` has none, and a search that cuts nothing has no cuts to be shown.
const PRUNE: Prune = Prune::AnyIsolated;

/// Shows the search until the user leaves.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the terminal failed.
pub fn run(args: &StepArgs) -> Result<Answer, Failure> {
    let named = args.problem.solver.as_deref();
    let question = match named.filter(|name| solve::solver_by_name(name).is_none()).and_then(solve::finder_by_name) {
        Some(finder) => Question::Find(finder, args.request(finder)?),
        None => args.search()?,
    };
    let in_lines = args.lines || args.steps.is_some();
    if let Question::Find(finder, request) = &question
        && finder.card().cycles
    {
        let subject = CyclesSubject::of(request, false).map_err(Failure::Usage)?;
        refuse_if(in_lines, "the cycles of gpu-cycles have no lines: leave out --lines, or take another method")?;
        needs_terminal("step", &format!("`destrier find {} --method gpu-cycles` does without one", request.board()))?;
        return left(step::run_cycles(subject).map(|(exit, _)| exit));
    }
    let subject = StepSubject { note: args.note(&question), ..StepSubject::of(&question).map_err(Failure::Usage)? };
    if in_lines {
        return lines::tell(subject, args.steps).map(|()| Answer::Yes);
    }
    needs_terminal("step", &format!("`destrier step {} --lines` does without one", subject.shape))?;
    left(step::run(subject))
}

impl StepArgs {
    /// What is said on the screen of what was not asked for: why something is pruned.
    fn note(&self, question: &Question) -> Option<String> {
        let Question::Search(solver, problem) = question else { return None };
        if let Some(reason) = problem.why_impossible() {
            return Some(format!("no tour will come: {reason}"));
        }
        (solver.card().prunes && self.problem.prune.is_none()).then(|| {
            let test = PRUNE.name();
            format!("{test} is the default here, to show cuts; search prunes nothing unless --prune asks for it")
        })
    }

    /// The board with its holes; without one, a square of this side.
    fn shape(&self, side: u64) -> Result<Shape, Failure> {
        let shape = self.board.clone().unwrap_or_else(|| square_board(side).into());
        with_holes(&shape, self.problem.holes.as_deref())
    }

    /// The search of all tours that is asked for.
    fn search(&self) -> Result<Question, Failure> {
        let ProblemArgs { closed, open, ref solver, prune, .. } = self.problem;
        let shape = self.shape(6)?;
        let named = solver.as_deref().and_then(solve::solver_by_name);
        let takes = |ending| named.is_none_or(|solver| solver.admits(&Problem::new(shape.clone(), ending)).is_ok());
        let exists = if shape.has_holes() {
            shape.colours_forbid(Ending::Closed, None, None).is_none()
        } else {
            shape.board().existence(Ending::Closed).exists
        };
        let closes = takes(Ending::Closed) && exists || !takes(Ending::Open);
        let open = open || !(closed || closes);
        let usual = match (open, shape.has_holes()) {
            (true, _) => "brute",
            (false, true) => "path",
            (false, false) => "radley",
        };
        let solver = solver.clone().unwrap_or_else(|| usual.to_owned());
        let prunes = solve::solver_by_name(&solver).is_some_and(|solver| solver.card().prunes);
        let prune = prune.or_else(|| prunes.then_some(PRUNE));
        refuse_if(self.adapter != DeviceChoice::Any, "--adapter is for gpu-cycles: add --method gpu-cycles")?;
        refuse_if(self.order.is_some(), "--order is for methods that find one tour, such as dfs")?;
        let asked =
            ProblemArgs { closed: !open, open, solver: Some(solver), prune, holes: None, ..self.problem.clone() };
        let (solver, problem) = asked.problem(&shape)?;
        Ok(Question::Search(solver, problem))
    }

    /// What a method that finds one tour is asked: an open tour, if nothing is said.
    fn request(&self, finder: &dyn Finder) -> Result<Request, Failure> {
        let ProblemArgs { closed, ref start, prune, prune_from, prune_to, unique, .. } = self.problem;
        let (card, name) = (finder.card(), finder.name());
        let prunes = prune.is_some() || prune_from.is_some() || prune_to.is_some();
        refuse_if(prunes, format_args!("only radley has prune tests, {name} has none"))?;
        refuse_if(unique, format_args!("{name} finds one tour, no classes of tours: leave out --unique"))?;
        let shape = self.shape(if card.cycles { 8 } else { 6 })?;
        let start = square(shape.board(), "--start", start.as_deref())?;
        let ending = if closed { Ending::Closed } else { Ending::Open };
        let request =
            Request { start, order: self.order, adapter: self.adapter.clone(), ..Request::new(shape, ending) };
        let ignores = |option: RequestOption| (option.is_set)(&request) && !card.takes(&option);
        refuse_if(ignores(RequestOption::ADAPTER), "--adapter is for gpu-cycles: add --method gpu-cycles")?;
        let own = format_args!("{name} has an order of its own: leave out --order, or use dfs");
        refuse_if(ignores(RequestOption::ORDER), own)?;
        finder.admits(&request).map_err(usage)?;
        adapter::check(&request.adapter)?;
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Step {
        #[command(flatten)]
        args: StepArgs,
    }

    #[test]
    fn what_has_no_steps_is_refused_with_its_reason() {
        for (words, says) in [
            ("6x6 --unique", "counts every tour, not classes of tours: leave out --unique"),
            ("6x6 --method dfs --unique", "dfs finds one tour, no classes of tours: leave out --unique"),
            ("6x6 --method dfs --prune region", "only radley has prune tests, dfs has none"),
            ("6x6 --solver brute --open --prune region", "only radley has prune tests, brute has none"),
            ("6x6 --order natural", "--order is for methods that find one tour"),
            ("6x6 --method dfs --adapter cpu", "--adapter is for gpu-cycles"),
            ("6x6 --start z9", "--start"),
        ] {
            let args = Step::parse_from(["step"].into_iter().chain(words.split_whitespace())).args;
            let refused = run(&args).err().map(|failure| failure.to_string()).unwrap_or_default();
            assert!(refused.contains(says), "{words}: {refused}");
        }
    }
}
