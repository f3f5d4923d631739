//! What is searched, and by which workers: the same for `search`, `watch`, `compare`, `shards` and `simulate`.

use super::values::{THREADS_MAX, square, threads, with_holes};
use crate::board::{Ending, SMALL_SQUARES_MAX, Shape};
use crate::job::{Failure, refuse_if, usage};
use crate::run::{Plan, Question};
use crate::schedule::Scheduler;
use crate::search::{HandOver, Prune};
use crate::solve::{self, Problem, Solver};
use crate::words::number_in;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::path::PathBuf;

/// Depth of the deepest search: on a board of so many squares.
const DEPTH_MAX: u64 = SMALL_SQUARES_MAX as u64;

/// What is searched.
#[derive(Args, Clone)]
pub struct ProblemArgs {
    /// Closed tours, each counted once whatever its start and direction (the default)
    #[arg(long, conflicts_with = "open")]
    pub closed: bool,
    /// Open tours, each counted once per direction
    #[arg(long)]
    pub open: bool,
    /// How to search; without it the fastest way
    #[arg(long, value_name = "NAME", value_parser = solver_names(), help_heading = "Method")]
    pub solver: Option<String>,
    /// Leave out the squares that a file names, or name them in the board: 8x8-a1,h8
    ///
    /// The file is a picture of the board (# x * 1 a hole, . o _ 0 s a square), or a list of squares.
    #[arg(long, value_name = "FILE")]
    pub holes: Option<PathBuf>,
    /// Open tours: where each begins. Closed tours: where the search begins
    #[arg(long, value_name = "SQUARE")]
    pub start: Option<String>,
    /// The prune test of radley; without it none
    ///
    /// None is what its author shipped. `destrier step` shows any-isolated unless another is named.
    #[arg(long, value_name = "TEST", value_enum, help_heading = "Method")]
    pub prune: Option<Prune>,
    /// Prune only at this depth and deeper (radley)
    #[arg(long, value_name = "D", value_parser = number_in::<usize>(0..=DEPTH_MAX), help_heading = "Method")]
    pub prune_from: Option<usize>,
    /// Prune only at this depth and shallower (radley)
    #[arg(long, value_name = "D", value_parser = number_in::<usize>(0..=DEPTH_MAX), help_heading = "Method")]
    pub prune_to: Option<usize>,
    /// One tour of each class under symmetry and reversal
    #[arg(long, conflicts_with = "start")]
    pub unique: bool,
}

impl ProblemArgs {
    /// The problem on a shape less the holes of `--holes`, and the solver for it.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the options contradict each other, or when the solver does not take the problem.
    pub fn problem(&self, shape: &Shape) -> Result<(&'static dyn Solver, Problem), Failure> {
        let (board, shape) = (shape.board(), with_holes(shape, self.holes.as_deref())?);
        let ending = Ending::open_if(self.open);
        let solver = match &self.solver {
            Some(name) => solve::solver_by_name(name).ok_or_else(|| usage(format!("no solver is called {name}")))?,
            None => solve::default_solver(ending),
        };
        let start = square(board, "--start", self.start.as_deref())?;
        let mut problem = Problem { start, unique: self.unique, ..Problem::new(shape, ending) };
        self.add_pruning(solver, &mut problem)?;
        solver.admits(&problem).map_err(usage)?;
        Ok((solver, problem))
    }

    fn add_pruning(&self, solver: &dyn Solver, problem: &mut Problem) -> Result<(), Failure> {
        let has_window = self.prune_from.is_some() || self.prune_to.is_some();
        let (has_none, name) = ((has_window || self.prune.is_some()) && !solver.card().prunes, solver.name());
        refuse_if(has_none, format_args!("only radley has prune tests, {name} has none; add --solver radley"))?;
        problem.prune = self.prune.unwrap_or(problem.prune);
        let (from, to) = (self.prune_from.unwrap_or(0), self.prune_to.unwrap_or(usize::MAX));
        let why = format_args!("no depth is from {from} and to {to}: --prune-from must not exceed --prune-to");
        refuse_if(from > to, why)?;
        problem.window = from..=to;
        let has_test = problem.prune != Prune::None;
        let needed = "a depth window needs a test: add --prune all-isolated, any-isolated or region";
        refuse_if(has_window && !has_test, needed)
    }
}

/// By how many workers.
#[derive(Args, Clone, Copy, Default, PartialEq, Debug)]
#[command(next_help_heading = "Sharing the work")]
pub struct ThreadsArgs {
    /// Number of workers, 1 to 4096; without it one per core
    ///
    /// DESTRIER_THREADS, or else SLURM_CPUS_PER_TASK, asks for fewer than there are cores.
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..=THREADS_MAX))]
    pub threads: Option<u32>,
}

/// What is searched, and how the workers share it.
#[derive(Args, Clone)]
pub struct QuestionArgs {
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    by: ThreadsArgs,
    /// How the workers share the work
    #[arg(long, value_name = "NAME", value_enum, default_value = "hire", help_heading = "Sharing the work")]
    scheduler: Scheduler,
    /// Which branch a worker gives to the one it hires
    #[arg(long, value_name = "RULE", value_enum, default_value = "shallowest", help_heading = "Sharing the work")]
    hand_over: HandOver,
    /// Keep every worker on one core (Linux)
    ///
    /// Neighbours work on cores that share a cache. With more workers than cores, several share each core.
    #[arg(long, help_heading = "Sharing the work")]
    pin: bool,
}

impl QuestionArgs {
    /// This question with so many workers, unless the user typed a number.
    #[must_use]
    pub fn by(mut self, workers: u32) -> QuestionArgs {
        self.by.threads.get_or_insert(workers);
        self
    }

    /// The plan for a shape, all limits checked.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the options contradict each other, or when the solver does not take the question.
    pub fn plan(&self, shape: &Shape) -> Result<Plan, Failure> {
        let (solver, problem) = self.problem.problem(shape)?;
        let &QuestionArgs { scheduler, hand_over, pin, .. } = self;
        let asked = self.by.threads.map(|threads| threads as usize);
        let threads = scheduler.threads(asked, threads(self.by.threads)?).map_err(usage)?;
        let pins = cfg!(target_os = "linux");
        refuse_if(pin && !pins, "--pin is for Linux: other systems let no program choose its cores")?;
        Ok(Plan { scheduler, hand_over, pin, ..Plan::of(Question::Search(solver, problem), threads) })
    }
}

/// The names of the methods that enumerate; those of earlier versions are known, so as to say what to use instead.
fn solver_names() -> PossibleValuesParser {
    let value = |solver: &dyn Solver| PossibleValue::new(solver.name()).help(solver.card().summary);
    let former = solve::former_solvers().map(|solver| value(solver).hide(true));
    PossibleValuesParser::new(solve::enumerators().map(value).chain(former))
}
