//! What is to be looked at step by step: the options of `step` as typed, and what they mean.

#[cfg(feature = "tui")]
use super::question::{ProblemArgs, QuestionArgs};
#[cfg(feature = "tui")]
use super::values::{square, square_board};
use crate::board::Board;
#[cfg(feature = "tui")]
use crate::board::Ending;
#[cfg(feature = "tui")]
use crate::cli::adapter;
use crate::find::MoveOrder;
use crate::gpu::DeviceChoice;
#[cfg(feature = "tui")]
use crate::job::{Failure, usage};
#[cfg(feature = "tui")]
use crate::run::{Plan, Question};
use crate::search::Prune;
#[cfg(feature = "tui")]
use crate::solve;
use crate::solve::{Method, SOLVERS};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

/// `destrier step`.
#[derive(Args, Clone)]
pub struct StepArgs {
    /// ROWSxCOLS; without it 6x6, for gpu-cycles 8x8
    board: Option<Board>,
    /// Closed tours (the default, where the board has any)
    #[arg(long, conflicts_with = "open")]
    closed: bool,
    /// Open tours
    #[arg(long)]
    open: bool,
    /// How to search; without it radley for closed tours, brute for open ones
    #[arg(long, visible_alias = "method", value_name = "NAME", value_parser = method_names())]
    solver: Option<String>,
    /// Where the search starts
    #[arg(long, value_name = "SQUARE")]
    start: Option<String>,
    /// The prune test of radley; without it any-isolated
    ///
    /// So there are cuts to see: search prunes nothing unless asked.
    #[arg(long, value_name = "TEST", value_enum)]
    prune: Option<Prune>,
    /// Prune only at this depth and deeper (radley)
    #[arg(long, value_name = "D")]
    prune_from: Option<usize>,
    /// Prune only at this depth and shallower (radley)
    #[arg(long, value_name = "D")]
    prune_to: Option<usize>,
    /// In which order moves are tried: natural, or the digits 0 to 7 in any order
    #[arg(long, value_name = "ORDER")]
    order: Option<MoveOrder>,
    /// The device of gpu-cycles: any, hardware, software, cpu, or a part of an adapter's name
    #[arg(long, value_name = "NAME", default_value = "any")]
    adapter: DeviceChoice,
}

/// The prune test without an option: `search` has none, and a search that cuts nothing has no cuts to be shown.
#[cfg(feature = "tui")]
const PRUNE: Prune = Prune::AnyIsolated;

#[cfg(feature = "tui")]
impl StepArgs {
    /// What is said on the screen of what was not asked for: why something is pruned.
    pub fn note(&self, plan: &Plan) -> Option<String> {
        let Question::Search(solver, problem) = &plan.question else { return None };
        if let Some(reason) = problem.why_impossible() {
            return Some(format!("no tour will come: {reason}"));
        }
        (solver.card().prunes && self.prune.is_none()).then(|| {
            let test = PRUNE.name();
            format!("{test} is the default here, to show cuts; search prunes nothing unless --prune asks for it")
        })
    }

    /// What is to be searched step by step.
    ///
    /// # Errors
    /// As [`QuestionArgs::plan`].
    pub fn plan(&self) -> Result<Plan, Failure> {
        let board = self.board.unwrap_or_else(|| square_board(6));
        let named = self.solver.as_deref().and_then(solve::solver_by_name);
        let takes = |ending| named.is_none_or(|solver| solver.admits(&solve::Problem::new(board, ending)).is_ok());
        let closes = takes(Ending::Closed) && (board.existence(Ending::Closed).exists || !takes(Ending::Open));
        let open = self.open || !(self.closed || closes);
        let solver = self.solver.clone().unwrap_or_else(|| if open { "brute" } else { "radley" }.to_owned());
        let prunes = solve::solver_by_name(&solver).is_some_and(|solver| solver.card().prunes);
        let prune = self.prune.or_else(|| prunes.then_some(PRUNE));
        let problem = ProblemArgs {
            closed: !open,
            open,
            solver: Some(solver),
            start: self.start.clone(),
            prune,
            prune_from: self.prune_from,
            prune_to: self.prune_to,
            ..ProblemArgs::default()
        };
        if self.adapter != DeviceChoice::Any {
            return Err(usage("--adapter is for gpu-cycles: add --method gpu-cycles"));
        }
        if self.order.is_some() {
            return Err(usage("--order is for methods that find one tour, such as dfs"));
        }
        QuestionArgs::of(problem).plan(board)
    }

    /// The method that finds one tour, if such a one is meant, and what it is asked: an open tour, if nothing is said.
    ///
    /// # Errors
    /// [`Failure::Usage`] when it does not take the question.
    pub fn request(&self) -> Result<Option<(&'static dyn solve::Finder, solve::Request)>, Failure> {
        let Some(finder) =
            self.solver.as_deref().filter(|name| solve::solver_by_name(name).is_none()).and_then(solve::finder_by_name)
        else {
            return Ok(None);
        };
        if self.prune.is_some() || self.prune_from.is_some() || self.prune_to.is_some() {
            return Err(usage(format!("only radley has prune tests, {} has none", finder.name())));
        }
        let side = if finder.card().cycles { 8 } else { 6 };
        let board = self.board.unwrap_or_else(|| square_board(side));
        let start = square(board, "--start", self.start.as_deref())?;
        let ending = if self.closed { Ending::Closed } else { Ending::Open };
        let adapter = self.adapter.clone();
        let request = solve::Request { start, order: self.order, adapter, ..solve::Request::new(board, ending) };
        if request.adapter != DeviceChoice::Any && !finder.card().options.contains(&solve::RequestOption::Adapter) {
            return Err(usage("--adapter is for gpu-cycles: add --method gpu-cycles"));
        }
        if request.order.is_some() && !finder.card().options.contains(&solve::RequestOption::Order) {
            return Err(usage(format!("{} has an order of its own: leave out --order, or use dfs", finder.name())));
        }
        finder.admits(&request).map_err(usage)?;
        adapter::check(&request.adapter)?;
        Ok(Some((finder, request)))
    }
}

/// The methods that can be looked at step by step. To ask each of them would take as long as the rest of the start of the program.
const WITH_STEP_VIEW: [&str; 9] = [
    "brute",
    "dfs",
    "edges",
    "gpu-cycles",
    "order-by-avail",
    "order-by-avail-reversed",
    "path",
    "quarter-turn",
    "radley",
];

/// Every method, enumerators and finders, each name once.
fn method_names() -> PossibleValuesParser {
    let mut methods = SOLVERS.to_vec();
    methods.sort_by_key(|method| method.name());
    methods.dedup_by_key(|method| method.name());
    let value = |method: Method| {
        let value = PossibleValue::new(method.name()).help(method.summary());
        // The others are known, so as to say why they have no step view.
        value.hide(!WITH_STEP_VIEW.contains(&method.name()))
    };
    PossibleValuesParser::new(methods.into_iter().map(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;
    use crate::solve::{self, Problem};

    /// Whether a search of a small board by this name can be looked at step by step.
    fn has_step_view(name: &str) -> bool {
        let board: Board = "6x6".parse().unwrap();
        [Ending::Closed, Ending::Open].into_iter().any(|ending| {
            let problem = Problem::new(board, ending);
            let searches = solve::solver_by_name(name)
                .is_some_and(|solver| solver.admits(&problem).is_ok() && solver.step_view(&problem).is_ok());
            let finder = solve::finder_by_name(name);
            searches || finder.is_some_and(|finder| finder.step_view(&solve::Request::new(board, ending)).is_ok())
        }) || name == solve::Finder::name(&solve::GpuCyclesFinder)
    }

    #[test]
    fn the_methods_with_a_step_view_are_those_that_give_one() {
        let names = SOLVERS.iter().map(|method| method.name());
        let mut with: Vec<&str> = names.filter(|name| has_step_view(name)).collect();
        with.sort_unstable();
        with.dedup();
        assert_eq!(with, WITH_STEP_VIEW);
    }
}
