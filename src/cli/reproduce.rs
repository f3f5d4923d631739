//! `destrier reproduce`: a published table, run again and printed beside the published figures.

pub(in crate::cli) mod carter;
mod counts;
mod cycles;
mod gordon;
mod knights;
mod kurapati;
mod miller;
mod pairs;
mod radley;
mod report;
mod schedulers;
mod trees;

use super::args::parse_time;
use crate::job::{Failure, usage};
use clap::Args;
use report::{Reproduce, TableReport};
use std::time::Duration;

/// What can be reproduced.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum SourceTable {
    /// Radley 2002: branches pruned by depth on 6x6, under every scheduler and several numbers of threads; with
    /// --prune all-isolated, which gives his figures: search prunes nothing unless asked
    Radley,
    /// Carter 2016: all open tours of the boards from 3x4 to 5x6, on 1, 4, 8 and 16 threads, and figures 2.1 to 2.3
    Carter,
    /// Kurapati 2007: his 8x8 tour, from how many starts his rule completes, by plain search and by the
    /// three-cycle board, the orders of Squirrel and Cull, and between which squares there are tours
    Kurapati,
    /// Miller and Ranum: the sizes of search trees, and depth-first search by three orders of moves, with times to the
    /// first tour and heat maps of what it visits when
    Miller,
    /// Gordon and Slocum 2004: coded walks, random and bred, with repair and without
    Gordon,
    /// The hire protocol, its earlier rules and its rivals among 64 and 1024 simulated workers, beside the prototype
    Schedulers,
    /// The known numbers of tours, counted again; those out of reach with the memory and the time that they would take
    Counts,
}

/// `destrier reproduce`.
#[derive(Args)]
pub struct ReproduceArgs {
    /// The table
    table: SourceTable,
    /// With counts: how long each count may take, 30s without it
    ///
    /// What would take longer is named and left out.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    budget: Option<Duration>,
    /// With schedulers: the larger tree too; some minutes
    #[arg(long)]
    full: bool,
}

/// How a source is reproduced.
enum Work {
    /// Row by row, so that a screen can show it.
    InRows(Reproduce),
    /// Printed by itself; answers whether every figure is the published one.
    Printed(fn(&ReproduceArgs) -> Result<bool, Failure>),
}

impl SourceTable {
    fn work(self) -> Work {
        match self {
            SourceTable::Radley => Work::InRows(radley::run),
            SourceTable::Carter => Work::InRows(carter::run),
            SourceTable::Miller => Work::InRows(miller::run),
            SourceTable::Kurapati => {
                Work::Printed(|_| Ok(kurapati::run()? & cycles::run()? & knights::run()? & pairs::run()?))
            }
            SourceTable::Schedulers => Work::Printed(|args| schedulers::run(args.full)),
            SourceTable::Gordon => Work::Printed(|_| gordon::run()),
            SourceTable::Counts => Work::Printed(|args| counts::run(args.budget.unwrap_or(BUDGET))),
        }
    }
}

/// [`ReproduceArgs::budget`] without the option: so long that the table of counts ends in minutes on two cores.
const BUDGET: Duration = Duration::from_secs(30);

/// Reproduces a table; 1 when a figure differs.
///
/// # Errors
/// [`Failure`] when a run fails or the table cannot be printed.
pub fn run(args: &ReproduceArgs) -> Result<u8, Failure> {
    if args.budget.is_some() && !matches!(args.table, SourceTable::Counts) {
        return Err(usage("--budget is for counts: the other tables always take the same work"));
    }
    if args.full && !matches!(args.table, SourceTable::Schedulers) {
        return Err(usage("--full is for schedulers: the other tables are always printed in full"));
    }
    let same = match args.table.work() {
        Work::InRows(work) => TableReport::printed().reproduce(work)? == Some(true),
        Work::Printed(print) => print(args)?,
    };
    Ok(u8::from(!same))
}

/// The rows of a table of numbers, below a line of headings.
fn rows<const N: usize>(csv: &str) -> impl Iterator<Item = [u64; N]> + '_ {
    let row = |line: &str| line.split(',').map(|number| number.parse().ok()).collect::<Option<Vec<_>>>();
    csv.lines().skip(1).filter_map(move |line| row(line)?.try_into().ok())
}
