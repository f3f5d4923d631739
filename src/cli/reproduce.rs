//! `destrier reproduce`: a published table, run again and printed beside the published figures.

mod carter;
mod counts;
mod cycles;
mod gordon;
mod knights;
mod kurapati;
mod miller;
mod pairs;
mod radley;

use super::args::parse_time;
use crate::cli::failure::{Failure, running, usage};
use crate::event::EventSender;
use crate::schedule::{Crew, CrewPlan, Levels, Outcome, Scheduler};
use crate::solve::{self, Problem};
use clap::Args;
use std::time::Duration;

/// What can be reproduced.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Table {
    /// Radley 2002: branches pruned by depth on 6x6, under every scheduler and several numbers of threads
    Radley,
    /// Carter 2016: all open tours of the boards from 3x4 to 5x6
    Carter,
    /// Kurapati 2007: his 8x8 tour, from how many starts his rule completes, by plain search and by the
    /// three-cycle board, the orders of Squirrel and Cull, and between which squares there are tours
    Kurapati,
    /// Miller and Ranum: depth-first search by three orders of moves, with heat maps of what it visits when
    Miller,
    /// Gordon and Slocum 2004: coded walks, random and bred, with repair and without
    Gordon,
    /// The known numbers of tours, counted again; those out of reach with the memory and the time that they would take
    Counts,
}

/// `destrier reproduce`.
#[derive(Args)]
pub struct ReproduceArgs {
    /// The table
    table: Table,
    /// How long each count of `counts` may take: what is planned to take longer is named and left out (default: 30s)
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    budget: Option<Duration>,
}

/// [`ReproduceArgs::budget`] without the option: so long that the table of counts ends in minutes on two cores.
const BUDGET: Duration = Duration::from_secs(30);

/// Reproduces a table; 1 when a figure differs.
///
/// # Errors
/// [`Failure`] when a run fails or the table cannot be printed.
pub fn run(args: &ReproduceArgs) -> Result<u8, Failure> {
    if args.budget.is_some() && !matches!(args.table, Table::Counts) {
        return Err(usage("--budget is for counts: the other tables always take the same work"));
    }
    let same = match args.table {
        Table::Radley => radley::run()?,
        Table::Carter => carter::run()?,
        Table::Kurapati => kurapati::run()? & cycles::run()? & knights::run()? & pairs::run()?,
        Table::Miller => miller::run()?,
        Table::Gordon => gordon::run()?,
        Table::Counts => counts::run(args.budget.unwrap_or(BUDGET))?,
    };
    Ok(u8::from(!same))
}

/// Runs a problem to its end, exact by depth if the solver can.
fn solve(name: &str, problem: &Problem, scheduler: Scheduler, threads: usize) -> Result<Outcome, Failure> {
    let solver = solve::by_name(name).ok_or_else(|| running(format!("no solver is called {name}")))?;
    solver.admits(problem).map_err(running)?;
    let levels = if solver.card().exact_levels { Levels::Exact } else { Levels::Off };
    let plan = CrewPlan { levels, ..CrewPlan::of(threads, scheduler) };
    let outcome = solver.solve(problem, Crew::new(plan, EventSender::nowhere()), None);
    outcome.map_err(running)
}
