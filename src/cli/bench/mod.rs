//! `destrier bench`: the program's own figures, each with its count asserted.
//!
//! Rows come in groups, one file each, and are printed as they are measured. A row prints seconds and how many
//! calibrations they are: the calibration is a fixed loop of this program's own, so that figures from two machines can
//! be compared. Times are CPU times of the process where nothing else is said, because they bear a busy machine better
//! than wall time does; where several runs are compared they take turns, and the medians of several rounds are printed.
//!
//! What measures and reports is public: `tests/battery`, the developer's own rows, is made of it. A [`Group`] adds each
//! [`BenchRow`] to the [`Bench`]; a [`LapClock`] times work, and [`race()`] times searches side by side.

mod machine;
mod race;
mod report;
mod row;
mod speed;
mod speedup;
mod squares;

pub use crate::cli::args::cores;
pub use race::{Timed, TimedJob, race};
pub use report::{Bench, BenchOptions, BenchOutput, Group};
pub use row::BenchRow;
pub use row::{LapClock, LapTime, median};

use crate::board::Board;
use crate::job::{Answer, Failure, refuse_if, usage};
use crate::saved;
use clap::Args;
use std::path::{Path, PathBuf};

/// `destrier bench`.
#[derive(Args)]
pub struct BenchArgs {
    /// Groups of rows to measure; without one, all of them but machine
    #[arg(value_name = "GROUP", value_parser = Group::names(&GROUPS))]
    groups: Vec<String>,
    /// Small boards: less than a minute
    #[arg(long)]
    quick: bool,
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

/// Every group, in the order in which they run.
const GROUPS: [Group; 4] = [
    Group::new("speed", "how fast the solvers list tours, beside other programs", speed::run),
    Group::new("speedup", "the schedulers by threads, measured and simulated, as charts", speedup::run),
    Group::new("squares", "Carter's search with a thread for every square, as a chart", squares::run),
    Group::new(MACHINE, "only when it is named: all groups and some figures more, as Markdown on stdout", machine::run),
];
/// The group that has all the others measured.
const MACHINE: &str = "machine";
/// The groups that draw.
const DRAWN: [&str; 3] = ["speedup", "squares", MACHINE];
/// The charts that they draw.
const CHARTS: [&str; 3] = ["speedup-balanced", "speedup-unbalanced", "speedup-squares"];

/// Measures the groups asked for; 1 when a count is wrong.
///
/// # Errors
/// [`Failure`] when a run fails or the rows cannot be printed.
pub fn run(args: &BenchArgs) -> Result<Answer, Failure> {
    let named = |name: &str| args.groups.iter().any(|group| group == name);
    if let Some(folder) = &args.charts {
        let draws = args.groups.is_empty() || DRAWN.into_iter().any(named);
        refuse_if(!draws, "--charts is for speedup and squares: write bench speedup squares --charts DIR")?;
        charts_can_go_to(folder, args.force)?;
    }
    let asked = |group: &&Group| {
        if args.groups.is_empty() { group.name != MACHINE } else { named(group.name) || named(MACHINE) }
    };
    let output = if args.json {
        BenchOutput::Json
    } else if named(MACHINE) {
        BenchOutput::Markdown
    } else {
        BenchOutput::Lines
    };
    let options = BenchOptions { quick: args.quick, output, folder: args.charts.clone() };
    Bench::measure(GROUPS.iter().filter(asked), options)
}

/// Whether charts can be written into this folder, which is made if it is not there.
///
/// # Errors
/// [`Failure::Usage`] when one is there that is not to be replaced, or the folder takes no file.
fn charts_can_go_to(folder: &Path, force: bool) -> Result<(), Failure> {
    let there = CHARTS.iter().flat_map(|name| ["svg", "csv"].map(|ending| folder.join(format!("{name}.{ending}"))));
    if let Some(file) = there.into_iter().find(|file| file.exists() && !force) {
        return Err(usage(format!("--charts: {} exists; add --force to replace it", file.display())));
    }
    let written = std::fs::create_dir_all(folder).and_then(|()| saved::create_part(folder, None));
    written.map(drop).map_err(|error| usage(format!("--charts {}: {error}", folder.display())))
}

/// The board of a table.
///
/// # Panics
/// When the text is no board: it stands in the code.
pub fn board(text: &str) -> Board {
    text.parse().unwrap_or_else(|error| unreachable!("{text} stands in a table of this program: {error}"))
}
