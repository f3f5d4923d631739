//! What is to be looked at step by step: the options of `step` and `show` as typed.

use super::question::ProblemArgs;
use crate::board::Shape;
use crate::find::MoveOrder;
use crate::gpu::DeviceChoice;
use crate::solve::{Method, SOLVERS};
use crate::words::number_in;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Args};
use std::path::PathBuf;

/// `destrier step`.
#[derive(Args, Clone)]
#[command(mut_args(as_steps))]
pub struct StepArgs {
    /// ROWSxCOLS, also with holes: 6x6-a1,f6; without it 6x6, for gpu-cycles 8x8
    pub board: Option<Shape>,
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// In which order moves are tried: natural, or the digits 0 to 7 in any order
    #[arg(long, value_name = "ORDER")]
    pub order: Option<MoveOrder>,
    /// The device of gpu-cycles: any, hardware, software, cpu, or a part of an adapter's name
    #[arg(long, value_name = "NAME", default_value = "any")]
    pub adapter: DeviceChoice,
    /// Tell the search in lines: as many steps as are typed, or all of them in a pipe
    #[arg(long)]
    pub lines: bool,
    /// Tell N steps in lines, and leave
    #[arg(long, value_name = "N", value_parser = number_in::<u64>(1..=u64::MAX))]
    pub steps: Option<u64>,
}

/// `destrier show`.
#[derive(Args)]
pub struct ShowArgs {
    /// The file of tours; without it, or when it is -, stdin
    ///
    /// Lists of moves, grids, JSON, SVG or packed, compressed or not.
    pub file: Option<PathBuf>,
    /// The board of lists that do not name theirs
    #[arg(long)]
    pub board: Option<Shape>,
    /// Begin with tour N of the file, from 1
    #[arg(long, value_name = "N", value_parser = number_in::<u64>(1..=u64::MAX))]
    pub tour: Option<u64>,
}

/// An option of a problem, with what differs for `step`.
fn as_steps(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "closed" => arg.help("Closed tours (the default, where the board has any)"),
        "open" => arg.help("Open tours"),
        "solver" => arg
            .help("How to search; without it radley for closed tours, brute for open ones, path around holes")
            .visible_alias("method")
            .value_parser(method_names()),
        "start" => arg.help("Where the search starts"),
        "prune" => {
            let test = "The prune test of radley; without it any-isolated";
            arg.help(test).long_help(format!("{test}\n\nSo there are cuts to see: search prunes nothing unless asked."))
        }
        // It is refused: a step view counts every tour.
        "unique" => arg.hide(true),
        _ => arg,
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
    use crate::board::{Board, Ending};
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
