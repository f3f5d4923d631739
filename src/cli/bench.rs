//! `destrier bench`: the program's own figures, each with its count asserted.
//!
//! Rows come in groups, one file each, and are printed as they are measured. A row prints seconds and how many
//! calibrations they are: the calibration is a fixed loop of this program's own, so that figures from two machines can
//! be compared. Times are CPU times of the process where nothing else is said, because they bear a busy machine better
//! than wall time does; where several runs are compared they take turns, and the medians of several rounds are printed.
//!
//! What measures and reports is public: `tests/battery`, the developer's own rows, is made of it. A [`Group`] adds each
//! [`BenchRow`] to the [`Bench`]; a [`Clock`] times work, [`turns`] and [`race()`] time ways of doing it side by side.

mod asked;
mod calibration;
mod charts;
mod clock;
mod counting;
mod delivery;
mod lanes;
mod machine;
mod map;
mod numbering;
mod prunes;
mod quarter_turn;
mod race;
mod ranges;
mod report;
mod row;
mod sharing;
mod speed;
mod speedup;
mod squares;
mod windows;

pub use asked::{board, cores, corner, memory};
pub use clock::{Clock, Time, median, turns};
pub use numbering::{comb, numbered};
pub use race::{Timed, TimedJob, race};
pub use report::{Bench, Group};
pub use row::{BenchRow, Value};

use crate::job::{Failure, usage};
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::{Path, PathBuf};

/// `destrier bench`.
#[derive(Args)]
pub struct BenchArgs {
    /// Groups of rows to measure; without one, all of them
    #[arg(value_name = "GROUP", value_parser = group_names())]
    groups: Vec<String>,
    /// Small boards: less than a minute
    #[arg(long)]
    quick: bool,
    /// With prunes: between which depths each prune test pays most; some minutes
    #[arg(long)]
    windows: bool,
    /// Write the charts of speedup and squares into DIR, as SVG and CSV
    #[arg(long, value_name = "DIR")]
    charts: Option<PathBuf>,
    /// Replace charts that are there
    #[arg(long, requires = "charts")]
    force: bool,
    /// Print one JSON object; rows go to stderr as they are measured
    #[arg(long)]
    json: bool,
}

/// The group that measures again what other groups do.
const MACHINE: &str = "machine";

/// Every group, in the order in which they run: whether windows of prune tests are looked for, and where charts go.
fn groups(windows: bool, charts: Option<&Path>) -> Vec<Group<'_>> {
    vec![
        Group::new("speed", "how fast the solvers list tours, beside other programs", speed::run),
        Group::new("delivery", "handing out, writing, reading and checking tours", delivery::run),
        Group::new("counting", "exact counts without listing, beside copying as many bytes", counting::run),
        Group::new("ranges", "every board of a range counted in one sweep", ranges::run),
        Group::new("prunes", "what Radley's prune tests and reductions gain and cost", move |bench| {
            prunes::run(bench, windows)
        }),
        Group::new("sharing", "the schedulers on a balanced and an unbalanced tree", sharing::run),
        Group::new("speedup", "the schedulers by threads, measured and simulated, as charts", move |bench| {
            speedup::run(bench, charts)
        }),
        Group::new("squares", "Carter's search with a thread for every square, as a chart", move |bench| {
            squares::run(bench, charts)
        }),
        Group::new("quarter-turn", "Carter's rotational search and his tasks", quarter_turn::run),
        Group::new("map", "the batch of knights, on the CPU and on each kind of device", map::run),
        Group::new("lanes", "subtrees in the lanes of a device, beside every core", lanes::run),
        Group::new(MACHINE, "only when it is named: what this machine is worth, as Markdown", machine::run),
    ]
}

fn group_names() -> PossibleValuesParser {
    Group::names(&groups(false, None))
}

/// Measures the groups asked for; 1 when a count is wrong.
///
/// # Errors
/// [`Failure`] when a run fails or the rows cannot be printed.
pub fn run(args: &BenchArgs) -> Result<u8, Failure> {
    let named = |name: &str| args.groups.iter().any(|group| group == name);
    if args.windows && !named("prunes") {
        return Err(usage("--windows is for prunes: write bench prunes --windows"));
    }
    if let Some(folder) = &args.charts {
        if !args.groups.is_empty() && !["speedup", "squares"].into_iter().any(named) {
            return Err(usage("--charts is for speedup and squares: write bench speedup squares --charts DIR"));
        }
        charts::can_go_to(folder, args.force)?;
    }
    let groups = groups(args.windows, args.charts.as_deref());
    let asked = |group: &Group<'_>| named(group.name()) || args.groups.is_empty() && group.name() != MACHINE;
    Bench::measure(groups.into_iter().filter(asked), args.quick, args.json)
}
