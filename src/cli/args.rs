//! What a search is asked for: the options as typed, and the plan they mean.

mod step;

pub use step::StepArgs;

use super::adapter;
use super::keep::KeepArgs;
use super::observe::{ObserveArgs, Observed};
use super::outfile::Lasts;
use super::output::{Destination, TourFormat, refuse_bytes_on_terminal};
use super::record::Recording;
use super::runs::DetachArgs;
use super::shard::PartArgs;
use crate::board::{Board, Ending, Holes, Square};
use crate::cli::failure::{Failure, usage};
use crate::cli::files::WrittenFiles;
use crate::gpu::DeviceChoice;
use crate::run::journal::Subject;
use crate::run::{Plan, Question};
use crate::schedule::{self, Scheduler};
use crate::search::{HandOver, Prune};
use crate::solve::{self, Method, Problem, SOLVERS, Solver};
use crate::store::holes as mask;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, value_parser};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Workers of the largest crew.
pub const THREADS_MAX: i64 = schedule::THREADS_MAX as i64;

/// `destrier search`.
#[derive(Args, Clone)]
pub struct SearchArgs {
    /// ROWSxCOLS, such as 6x6 or 3x10; 8 alone means 8x8
    pub board: Board,
    #[command(flatten)]
    pub options: Options,
    #[command(flatten)]
    pub part: PartArgs,
    #[command(flatten)]
    pub detach: DetachArgs,
}

/// `destrier watch`.
#[derive(Args, Clone)]
pub struct WatchArgs {
    /// ROWSxCOLS; without it the 8x8 closed search by `path`
    pub board: Option<Board>,
    #[command(flatten)]
    pub options: Options,
    /// Frames a second, 1 to 60
    #[arg(long, default_value_t = 10, value_parser = value_parser!(u32).range(1..=60))]
    pub fps: u32,
    /// Begin paused: p lets it go on, s enters one node per worker
    #[arg(long)]
    pub paused: bool,
    /// Begin in slow motion: so many nodes a second for each worker
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub slow: Option<u32>,
}

/// `destrier show`.
#[derive(Args)]
pub struct ShowArgs {
    /// The file of tours: lists of moves, grids, four paths, JSON, SVG or packed, compressed or not; without it, or when
    /// it is -, stdin
    pub file: Option<PathBuf>,
    /// The board of lists that do not name theirs
    #[arg(long)]
    pub board: Option<Board>,
    /// Begin with tour N of the file, from 1; of a packed file nothing before it is read
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub tour: Option<u64>,
}

/// What is searched, and how: the question, whoever is to answer it and whatever becomes of the answer.
#[derive(Args, Clone, Default)]
pub struct QuestionArgs {
    /// Closed tours, each counted once whatever its start and direction (the default)
    #[arg(long, conflicts_with = "open")]
    closed: bool,
    /// Open tours, each counted once per direction
    #[arg(long)]
    open: bool,
    /// How to search; without it the fastest for the question
    #[arg(long, value_name = "NAME", value_parser = solver_names())]
    solver: Option<String>,
    /// Open: only tours directed from this square. Closed: where the search starts
    #[arg(long, value_name = "SQUARE", conflicts_with = "unique")]
    start: Option<String>,
    /// The prune test of radley; without it none, as its author shipped it (step shows any-isolated)
    #[arg(long, value_name = "TEST", value_parser = prune_names())]
    prune: Option<String>,
    /// Prune only at this depth and deeper (radley)
    #[arg(long, value_name = "D")]
    prune_from: Option<usize>,
    /// Prune only at this depth and shallower (radley)
    #[arg(long, value_name = "D")]
    prune_to: Option<usize>,
    /// Number of workers, 1 to 4096; without it one per available core
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=THREADS_MAX))]
    threads: Option<u32>,
    /// How the workers share the work
    #[arg(long, value_name = "NAME", value_parser = scheduler_names(), default_value = "hire")]
    scheduler: String,
    /// Which branch a worker gives to the one it hires
    #[arg(long, value_name = "RULE", value_parser = hand_over_names(), default_value = "shallowest")]
    hand_over: String,
    /// The device of gpu: any (the default), hardware, software, cpu (its twin, no device), or a part of an adapter's
    /// name; software and cpu are no faster than the other solvers, by far
    #[arg(long, value_name = "NAME")]
    adapter: Option<DeviceChoice>,
    /// Keep every worker on one core, neighbours on cores that share a cache, and where there are more workers than cores
    /// several on each (Linux)
    #[arg(long)]
    pin: bool,
    /// One tour of each class under the board's symmetries and reversal
    #[arg(long)]
    unique: bool,
}

/// What `search` and `watch` share.
#[derive(Args, Clone, Default)]
pub struct Options {
    #[command(flatten)]
    asked: QuestionArgs,
    /// Stop after exactly N tours; the summary says that it is not complete, and the exit code is 0
    #[arg(long, value_name = "N", value_parser = parse_number)]
    limit: Option<u64>,
    /// Stop after this time: 500ms, 30s, 5m, 2h; the summary says that it is not complete, and the exit code is 0
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    deadline: Option<Duration>,
    /// Write every tour to FILE, compressed when it ends in .zst, or to stdout when it is -
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How tours are written: one a line, as boards of move numbers, or packed
    #[arg(long, value_enum, default_value_t, requires = "out")]
    pub format: TourFormat,
    /// Record the run in FILE, for `destrier replay`; compressed when it ends in .zst
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    observe: ObserveArgs,
    #[command(flatten)]
    pub keep: KeepArgs,
    /// Replace the FILEs if they exist
    #[arg(long)]
    force: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

#[cfg(feature = "tui")]
impl WatchArgs {
    /// The plan of the view.
    ///
    /// # Errors
    /// As [`Options::plan`].
    pub fn plan(&self) -> Result<Plan, Failure> {
        let mut options = self.options.clone();
        let board = self.board.unwrap_or_else(|| {
            // The edge search lists 8x8 too fast to be watched; a path that grows and shrinks is the better picture.
            options.asked.solver.get_or_insert_with(|| "path".to_owned());
            square_board(8)
        });
        options.plan(board)
    }
}

fn square_board(side: u64) -> Board {
    Board::new(side, side).unwrap_or_else(|_| unreachable!("a few squares a side are a board"))
}

impl QuestionArgs {
    #[cfg(feature = "tui")]
    fn defaults() -> QuestionArgs {
        QuestionArgs { scheduler: "hire".into(), hand_over: "shallowest".into(), ..QuestionArgs::default() }
    }

    /// The same, by so many workers unless it says how many.
    #[must_use]
    pub fn by(mut self, workers: u32) -> QuestionArgs {
        self.threads.get_or_insert(workers);
        self
    }

    /// What the options mean for a board, all limits checked.
    ///
    /// # Errors
    /// [`Failure::Usage`] when they contradict each other, or when the solver does not take the question.
    pub fn plan(&self, board: Board) -> Result<Plan, Failure> {
        let ending = if self.open { Ending::Open } else { Ending::Closed };
        let solver = match &self.solver {
            Some(name) => solve::solver_by_name(name).ok_or_else(|| usage(format!("no solver is called {name}")))?,
            None => solve::default_solver(ending),
        };
        let start = square(board, "--start", self.start.as_deref())?;
        let mut problem = Problem { start, unique: self.unique, ..Problem::new(board, ending) };
        self.plan_pruning(solver, &mut problem)?;
        self.plan_adapter(solver, &mut problem)?;
        solver.admits(&problem).map_err(usage)?;
        let scheduler = scheduler(&self.scheduler)?;
        let hand_over = find(&self.hand_over, HandOver::ALL, HandOver::name)?;
        if solver.card().single_worker {
            self.refuse_sharing(solver.name(), scheduler, hand_over)?;
        }
        let scheduler = if solver.card().single_worker { Scheduler::Serial } else { scheduler };
        let threads = match (scheduler, self.threads) {
            (Scheduler::Serial, None | Some(1)) => 1,
            (Scheduler::Serial, Some(n)) => {
                return Err(usage(format!(
                    "the serial scheduler takes 1 thread, not {n}; hire, rayon or static take more"
                )));
            }
            (_, asked) => threads(asked),
        };
        if self.pin && !cfg!(target_os = "linux") {
            return Err(usage("--pin is for Linux: other systems let no program choose its cores"));
        }
        let question = Question::Search(solver, problem);
        Ok(Plan { question, threads, scheduler, hand_over, deadline: None, shard: None, pin: self.pin })
    }

    /// Refuses what says how workers share the work, of a solver that has but one.
    fn refuse_sharing(&self, name: &str, scheduler: Scheduler, hand_over: HandOver) -> Result<(), Failure> {
        let shares = !matches!(scheduler, Scheduler::Hire | Scheduler::Serial) || hand_over != HandOver::Shallowest;
        if shares || self.pin || self.threads.is_some_and(|threads| threads > 1) {
            return Err(usage(format!(
                "{name} works in lanes of a device, and in one thread: leave out --threads, --scheduler, --hand-over and --pin"
            )));
        }
        Ok(())
    }

    fn plan_adapter(&self, solver: &dyn Solver, problem: &mut Problem) -> Result<(), Failure> {
        let Some(wanted) = &self.adapter else { return Ok(()) };
        if !solver.card().single_worker {
            let name = solver.name();
            return Err(usage(format!("only gpu works on an adapter, {name} does not; add --solver gpu")));
        }
        adapter::check(wanted)?;
        problem.adapter = wanted.clone();
        Ok(())
    }

    fn plan_pruning(&self, solver: &dyn Solver, problem: &mut Problem) -> Result<(), Failure> {
        let asked = self.prune.is_some() || self.prune_from.is_some() || self.prune_to.is_some();
        if asked && !solver.card().prunes {
            return Err(usage(format!("only radley has prune tests, {} has none; add --solver radley", solver.name())));
        }
        if let Some(name) = &self.prune {
            problem.prune = find(name, Prune::ALL, Prune::name)?;
        }
        let window = self.prune_from.unwrap_or(0)..=self.prune_to.unwrap_or(usize::MAX);
        if window.is_empty() {
            let (from, to) = (window.start(), window.end());
            return Err(usage(format!("no depth is from {from} and to {to}: --prune-from must not exceed --prune-to")));
        }
        if problem.prune == Prune::None && (self.prune_from.is_some() || self.prune_to.is_some()) {
            return Err(usage("a depth window needs a test: add --prune all-isolated, any-isolated or region"));
        }
        problem.window = window;
        Ok(())
    }
}

impl Options {
    /// What the options mean for a board, all limits checked.
    ///
    /// # Errors
    /// As [`QuestionArgs::plan`].
    pub fn plan(&self, board: Board) -> Result<Plan, Failure> {
        let mut plan = self.asked.plan(board)?;
        if let Question::Search(_, problem) = &mut plan.question {
            problem.limit = self.limit;
        }
        Ok(Plan { deadline: self.deadline, ..plan })
    }

    /// The file that tours are to be written to.
    pub fn out(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    /// Where the tours go, checked before any work begins, and how long a file lasts without its name.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the file cannot be written, or stdout is claimed twice.
    pub fn output(&self, plan: &Plan, lasts: Lasts) -> Result<Destination, Failure> {
        let output = Destination::lasting("--out", self.out.as_deref(), self.force, lasts)?;
        let output = output.formed(self.format, plan.question.board(), plan.question.ending());
        match output {
            Destination::Stdout(_) if self.json => {
                Err(usage("--json and --out - both claim stdout: give --out a file"))
            }
            Destination::Stdout(_) if self.format == TourFormat::Packed => {
                refuse_bytes_on_terminal()?;
                Ok(output)
            }
            output => Ok(output),
        }
    }

    /// The journal of a run of this plan and what else is made of it, begun if that was asked for.
    ///
    /// # Errors
    /// [`Failure::Usage`] when a file cannot be written, or there is no file to replace.
    pub fn recording(&self, plan: &Plan) -> Result<Recording, Failure> {
        if self.force && self.out.is_none() && self.record.is_none() && self.observe.trace.is_none() {
            return Err(usage("--force replaces a file: add --out or --record, or --trace"));
        }
        let subject = Subject::Run(plan.clone());
        let observed = Observed::begin(&self.observe, self.force, &subject)?;
        Ok(Recording::begin(self.record.as_deref(), self.force, || subject)?.observed(observed))
    }

    /// Refuses two files that are one, of those that a run writes: `before` are files beside those of these options.
    ///
    /// # Errors
    /// As [`WrittenFiles::check`].
    pub fn check_files(&self, before: WrittenFiles) -> Result<(), Failure> {
        let files = before.saved("--checkpoint", self.keep.checkpoint.as_deref()).file("--out", self.out());
        files.file("--record", self.record.as_deref()).file("--trace", self.observe.trace.as_deref()).check()
    }
}

/// The item of this name.
///
/// # Errors
/// [`Failure::Usage`] when there is none.
pub fn find<T: Copy, const N: usize>(name: &str, all: [T; N], name_of: fn(T) -> &'static str) -> Result<T, Failure> {
    let found = all.into_iter().find(|&item| name_of(item) == name);
    found.ok_or_else(|| usage(format!("'{name}' is none of {}", all.map(name_of).join(", "))))
}

/// The scheduler of this name.
///
/// # Errors
/// [`Failure::Usage`] when there is none.
pub fn scheduler(name: &str) -> Result<Scheduler, Failure> {
    find(name, Scheduler::ALL, Scheduler::name)
}

/// Takes these names, each with what is said of it in the help.
pub fn names(all: impl IntoIterator<Item = (&'static str, &'static str)>) -> PossibleValuesParser {
    PossibleValuesParser::new(all.into_iter().map(|(name, help)| PossibleValue::new(name).help(help)))
}

/// The names of the methods that enumerate.
pub fn solver_names() -> PossibleValuesParser {
    names(solve::enumerators().map(|solver| (solver.name(), solver.card().summary)))
}

/// Every method, enumerators and finders, each name once.
fn method_names() -> PossibleValuesParser {
    let mut methods = SOLVERS.to_vec();
    methods.sort_by_key(|method| method.name());
    methods.dedup_by_key(|method| method.name());
    let value = |method: Method| {
        let value = PossibleValue::new(method.name()).help(method.summary());
        // The others are known, so as to say why they have no step view.
        value.hide(!has_step_view(method.name()))
    };
    PossibleValuesParser::new(methods.into_iter().map(value))
}

/// Whether a search of a small board by this name can be looked at step by step.
fn has_step_view(name: &str) -> bool {
    let board = square_board(6);
    [Ending::Closed, Ending::Open].into_iter().any(|ending| {
        let problem = Problem::new(board, ending);
        let searches = solve::solver_by_name(name)
            .is_some_and(|solver| solver.admits(&problem).is_ok() && solver.step_view(&problem).is_ok());
        let finder = solve::finder_by_name(name);
        searches || finder.is_some_and(|finder| finder.step_view(&solve::Request::new(board, ending)).is_ok())
    }) || name == solve::Finder::name(&solve::GpuCyclesFinder)
}

/// The names of the schedulers.
pub fn scheduler_names() -> PossibleValuesParser {
    names(Scheduler::ALL.map(|scheduler| (scheduler.name(), scheduler.summary())))
}

/// The names of the rules by which branches are handed over.
pub fn hand_over_names() -> PossibleValuesParser {
    PossibleValuesParser::new(HandOver::ALL.map(HandOver::name))
}

fn prune_names() -> PossibleValuesParser {
    names(Prune::ALL.map(|prune| (prune.name(), prune.summary())))
}

/// The square that an option names, if it is given.
///
/// # Errors
/// [`Failure::Usage`] when it is none of the board.
pub fn square(board: Board, option: &str, name: Option<&str>) -> Result<Option<Square>, Failure> {
    let square = name.map(|name| board.parse_square(name)).transpose();
    square.map_err(|error| usage(format!("{option}: {error}")))
}

/// The squares that the mask in the file of `--holes` leaves out.
///
/// # Errors
/// [`Failure::Usage`] when it is no mask of the board.
pub fn holes(file: &Path, board: Board) -> Result<Holes, Failure> {
    mask::read(file, board).map_err(|error| usage(format!("--holes {}: {error}", file.display())))
}

/// Number of workers: as many as are asked for, or one per available core.
pub fn threads(asked: Option<u32>) -> usize {
    asked.map_or_else(cores, |threads| threads as usize)
}

/// Cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Reads a number of things, one at least.
///
/// # Errors
/// A sentence that says what would be right.
pub fn parse_number(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("write a number from 1 to {}", u64::MAX)),
    }
}

/// Reads a time such as `500ms`, `30s`, `1.5m`, `2h`; a number alone is seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let number_end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(number_end);
    let factor = match unit {
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(format!("'{unit}' is no unit of time: write ms, s, m, h or d, as in 30s")),
    };
    let value: f64 = number.parse().map_err(|_| format!("'{text}' is no time: write 500ms, 30s, 5m or 2h"))?;
    match Duration::try_from_secs_f64(value * factor) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err(format!("'{text}' is no time to wait for: it must be above zero and below some 500 billion years")),
    }
}
