//! `destrier simulate`: a search by virtual workers on a virtual clock, for every number of workers of a list,
//! or in the live view for one.

mod crews;
mod report;
#[cfg(feature = "tui")]
mod watch;

use super::args::{self, names};
use super::{headless, search};
use crate::board::{Board, Ending};
use crate::cli::failure::{Failure, usage};
use crate::schedule::rule::{EARLIER, EarlierRule, NominationRule};
use crate::schedule::{Scheduler, TreeCut};
use crate::search::{HandOver, Kernel};
use crate::simulate::{Costs, Sharing, SimulationFigures, SimulationPlan, measure};
use crate::solve::{self, Problem, Solver};
use crate::stop::{Stop, StopReason};
use crate::words::number_of;
use clap::Args;
use clap::builder::PossibleValuesParser;
use crews::Crews;
use report::{SimulationForm, SimulationReport};
use std::sync::atomic::{AtomicUsize, Ordering};
#[cfg(feature = "tui")]
use watch::run as watched;

/// `destrier simulate`.
#[derive(Args)]
pub struct SimulateArgs {
    /// ROWSxCOLS, such as 6x6 or 3x10; 8 alone means 8x8
    board: Board,
    /// Numbers of workers, 1 to 4096 each: 1,2,64 or, doubling, 1,2,4,..1024
    #[arg(long, value_name = "LIST")]
    workers: Crews,
    /// Closed tours (the default)
    #[arg(long, conflicts_with = "open")]
    closed: bool,
    /// Open tours
    #[arg(long)]
    open: bool,
    /// How to search; without it the fastest for the question
    #[arg(long, value_name = "NAME", value_parser = args::solver_names())]
    solver: Option<String>,
    /// Open: only tours directed from this square. Closed: where the search starts
    #[arg(long, value_name = "SQUARE")]
    start: Option<String>,
    /// How the workers share the work; rayon is random stealing
    #[arg(long, value_name = "NAME", value_parser = args::scheduler_names(), default_value = "hire")]
    scheduler: String,
    /// Which branch a worker gives to the one it hires
    #[arg(long, value_name = "RULE", value_parser = args::hand_over_names(), default_value = "shallowest")]
    hand_over: String,
    /// Hire by a rule that was used before
    #[arg(long, value_name = "NAME", value_parser = rule_names(), conflicts_with = "hand_over")]
    rule: Option<String>,
    /// What takes how long: the same on every machine, or as measured on this one (`doctor --calibrate`)
    #[arg(long, value_name = "COSTS", value_parser = ["fixed", "measured"], default_value = "fixed")]
    costs: String,
    /// Where what is left to chance begins
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u32,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Print the rows as comma-separated values instead of text
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Show it in the live view, in virtual time; of one number of workers
    #[arg(long)]
    watch: bool,
}

fn rule_names() -> PossibleValuesParser {
    names(EARLIER.map(|earlier| (earlier.name, earlier.summary)))
}

/// Simulates the search for every number of workers; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when nothing can be printed any more.
pub fn run(args: &SimulateArgs) -> Result<u8, Failure> {
    let (solver, problem) = args.question()?;
    let kernel = solver.tree(&problem, false).map_err(usage)?.kernel;
    let scheduler = args::scheduler(&args.scheduler)?;
    let hand_over = args::find(&args.hand_over, HandOver::ALL, HandOver::name)?;
    let earlier = EARLIER.into_iter().find(|earlier| Some(earlier.name) == args.rule.as_deref());
    if earlier.is_some() && scheduler != Scheduler::Hire {
        return Err(usage(format!("--rule says how to hire, and {} does not: leave it out", scheduler.name())));
    }
    let crews = args.workers.numbers();
    if let Some(&many) = crews.iter().find(|&&workers| workers > 1 && scheduler == Scheduler::Serial) {
        return Err(usage(format!("the serial scheduler takes 1 worker, not {many}; hire, rayon or static take more")));
    }
    if let (true, [first, _, ..]) = (args.watch, crews) {
        let many = crews.len();
        return Err(usage(format!("--watch shows one crew, not {many}: write one number, --workers {first} say")));
    }
    let costs = if args.costs == "measured" { measure(&*kernel) } else { Costs::fixed() };
    let hand_over = earlier.map_or(hand_over, |earlier| earlier.rule.hand_over);
    let cast = Cast { solver, problem, earlier, costs, seed: args.seed };
    if args.watch {
        return watched(args, cast, (crews[0], scheduler, hand_over));
    }
    let plans: Vec<SimulationPlan> = crews.iter().map(|&workers| cast.plan(workers, scheduler, hand_over)).collect();
    play(&*kernel, &plans, args.report(&cast, scheduler, hand_over), args.form())
}

/// What is simulated, but for who shares it.
struct Cast {
    solver: &'static dyn Solver,
    problem: Problem,
    earlier: Option<EarlierRule>,
    costs: Costs,
    seed: u32,
}

impl Cast {
    /// The rule that was used before, if these branches are handed over by it.
    fn earlier(&self, hand_over: HandOver) -> Option<EarlierRule> {
        self.earlier.filter(|earlier| earlier.rule.hand_over == hand_over)
    }

    /// What so many workers do under a scheduler.
    fn plan(&self, workers: usize, scheduler: Scheduler, hand_over: HandOver) -> SimulationPlan {
        let rule =
            || self.earlier(hand_over).map_or_else(|| NominationRule::of(workers, hand_over), |earlier| earlier.rule);
        let sharing = match scheduler {
            Scheduler::Hire | Scheduler::Serial => Sharing::Hire(rule()),
            Scheduler::Rayon => Sharing::Steal,
            Scheduler::Static => Sharing::Deal(TreeCut::Even),
            Scheduler::Blocks => Sharing::Deal(TreeCut::Blocks),
        };
        SimulationPlan { workers, sharing, costs: self.costs, seed: self.seed }
    }
}

#[cfg(not(feature = "tui"))]
fn watched(_: &SimulateArgs, _: Cast, _: (usize, Scheduler, HandOver)) -> Result<u8, Failure> {
    Err(usage("this destrier was built without its screens (feature tui): leave out --watch"))
}

/// Simulates plan after plan, and prints what each comes to.
fn play(
    kernel: &dyn Kernel,
    plans: &[SimulationPlan],
    mut report: SimulationReport<'_>,
    form: SimulationForm,
) -> Result<u8, Failure> {
    let (stop, at) = (Stop::default(), AtomicUsize::new(0));
    let line = || match plans.get(at.load(Ordering::Relaxed)) {
        Some(plan) => format!("simulating {}", number_of(plan.workers, "worker")),
        None => String::new(),
    };
    let body = || {
        report.open(form)?;
        for plan in plans {
            let Some(figures) = plan.run(kernel, &stop) else { break };
            report.add(&figures, form)?;
            at.fetch_add(1, Ordering::Relaxed);
        }
        report.close(plans.len(), form)
    };
    let (printed, signal) = headless::heeding(|| stop.ask(StopReason::Signal), line, body)?;
    search::exit_code(printed, signal)
}

impl SimulateArgs {
    /// How the report is printed.
    fn form(&self) -> SimulationForm {
        match (self.json, self.csv) {
            (true, _) => SimulationForm::Json,
            (_, true) => SimulationForm::Csv,
            _ => SimulationForm::Text,
        }
    }

    /// The report, without a row.
    fn report<'a>(&'a self, cast: &Cast, scheduler: Scheduler, hand_over: HandOver) -> SimulationReport<'a> {
        SimulationReport {
            board: cast.problem.board,
            ending: cast.problem.ending.name(),
            solver: cast.solver.name(),
            scheduler: scheduler.name(),
            hand_over: hand_over.name(),
            rule: cast.earlier(hand_over).map_or("usual", |earlier| earlier.name),
            costs: &self.costs,
            prices: cast.costs,
            seed: cast.seed,
            rows: Vec::new(),
            complete: false,
        }
    }

    /// What is searched, and how.
    fn question(&self) -> Result<(&'static dyn Solver, Problem), Failure> {
        let ending = if self.open { Ending::Open } else { Ending::Closed };
        let solver = match &self.solver {
            Some(name) => solve::solver_by_name(name).ok_or_else(|| usage(format!("no solver is called {name}")))?,
            None => solve::default_solver(ending),
        };
        let start = args::square(self.board, "--start", self.start.as_deref())?;
        let problem = Problem { start, ..Problem::new(self.board, ending) };
        solver.admits(&problem).map_err(usage)?;
        Ok((solver, problem))
    }
}
