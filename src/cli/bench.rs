//! `destrier bench`: the program's own figures, each with its count asserted.
//!
//! Rows come in groups, one file each, and are printed as they are measured. A row prints seconds and how many
//! calibrations they are: the calibration is a fixed loop of this program's own, so that figures from two machines can
//! be compared. Times are CPU times of the process where nothing else is said, because they bear a busy machine better
//! than wall time does; where several runs are compared they take turns, and the medians of several rounds are printed.

mod calibration;
mod child;
mod clock;
mod conform;
mod counting;
mod delivery;
mod estimates;
mod finding;
mod hire_check;
#[cfg(feature = "tui")]
mod kept;
mod kills;
mod lanes;
mod levels;
mod machine;
mod map;
mod numbering;
mod progress;
mod prunes;
mod quarter_turn;
mod race;
mod ranges;
#[cfg(feature = "tui")]
mod record;
mod row;
mod sharing;
mod speed;
mod speedup;
mod squares;
mod uniform;
#[cfg(feature = "tui")]
mod view;
mod windows;

use crate::board::{Board, Square};
use crate::cli::args::{cores, names};
use crate::cli::chart::{self, Chart};
use crate::job::say::print_object;
use crate::job::{Failure, usage};
use crate::saved;
use clap::Args;
use clap::builder::PossibleValuesParser;
use row::BenchRow;
use serde::Serialize;
use std::io::{self, Write};
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
    /// With prunes: between which depths each prune test pays most, too; takes some minutes
    #[arg(long)]
    windows: bool,
    /// Write the charts of speedup and squares into this folder, as SVG and as comma-separated values
    #[arg(long, value_name = "DIR")]
    charts: Option<PathBuf>,
    /// With uniform: 8x8 too, whose layers are kept in this folder, some 12 GB; those that are there are used
    #[arg(long, value_name = "DIR")]
    layers: Option<PathBuf>,
    /// Replace charts that are there
    #[arg(long, requires = "charts")]
    force: bool,
    /// Print one JSON object; the rows go to stderr as they are measured
    #[arg(long)]
    json: bool,
}

/// Rows that belong together.
struct Group {
    name: &'static str,
    summary: &'static str,
    run: fn(&mut Bench) -> Result<(), Failure>,
}

/// Every group, in the order in which they run.
const GROUPS: &[Group] = &[
    Group { name: "speed", summary: "how fast the solvers list tours, beside other programs", run: speed::run },
    Group { name: "delivery", summary: "handing out, writing, reading and checking tours", run: delivery::run },
    Group {
        name: "counting",
        summary: "exact counts without listing, beside copying as many bytes",
        run: counting::run,
    },
    Group { name: "ranges", summary: "every board of a range counted in one sweep", run: ranges::run },
    Group {
        name: "estimates",
        summary: "how many of 100 intervals of count --estimate hold the known number",
        run: estimates::run,
    },
    Group { name: "uniform", summary: "tours by number, and whether they are drawn uniformly", run: uniform::run },
    Group { name: "progress", summary: "whether what runs say of their progress comes true", run: progress::run },
    Group { name: "prunes", summary: "what Radley's prune tests and reductions gain and cost", run: prunes::run },
    Group { name: "sharing", summary: "the schedulers on a balanced and an unbalanced tree", run: sharing::run },
    Group {
        name: "speedup",
        summary: "the schedulers by threads, measured and simulated, as charts",
        run: speedup::run,
    },
    Group { name: "squares", summary: "Carter's search with a thread for every square, as a chart", run: squares::run },
    Group { name: "hire-check", summary: "instructions per node of the hire check (valgrind)", run: hire_check::run },
    Group { name: "levels", summary: "what it costs to keep figures by depth", run: levels::run },
    Group { name: "quarter-turn", summary: "Carter's rotational search and his tasks", run: quarter_turn::run },
    Group { name: "numbering", summary: "writing down a tour of tiles, beside filling the array", run: numbering::run },
    Group { name: "finding", summary: "how fast one tour is found, square by square or at once", run: finding::run },
    Group { name: "map", summary: "the batch of knights, on the CPU and on each kind of device", run: map::run },
    Group { name: "lanes", summary: "subtrees in the lanes of a device, beside every core", run: lanes::run },
    #[cfg(feature = "tui")]
    Group { name: "view", summary: "what the live view costs, and what it writes", run: view::run },
    #[cfg(feature = "tui")]
    Group { name: "record", summary: "what recording costs, and what it writes", run: record::run },
    #[cfg(feature = "tui")]
    Group { name: "kept", summary: "what it costs to keep a search in a file", run: kept::run },
    Group { name: "kills", summary: "runs that are killed and go on, to the exact figures", run: kills::run },
    Group { name: "conform", summary: "larger boards of the conformance battery", run: conform::run },
    Group {
        name: MACHINE,
        summary: "only when it is named: what this machine is worth, as Markdown",
        run: machine::run,
    },
];

/// The charts of the groups that draw some.
const CHARTS: [&str; 3] = ["speedup-balanced", "speedup-unbalanced", "speedup-squares"];

/// The group that measures again what other groups do.
const MACHINE: &str = "machine";

/// What the columns are.
const HEADING: &str = "CPU seconds, the same in calibrations (cal), seconds on the wall, figures; \
     those of other programs are from another machine";

fn group_names() -> PossibleValuesParser {
    names(GROUPS.iter().map(|group| (group.name, group.summary)))
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
    if args.layers.is_some() && (args.quick || !args.groups.is_empty() && !named("uniform")) {
        return Err(usage("--layers is for 8x8 in the full bench: write bench uniform --layers DIR"));
    }
    if let Some(folder) = &args.charts {
        if !args.groups.is_empty() && !["speedup", "squares"].into_iter().any(named) {
            return Err(usage("--charts is for speedup and squares: write bench speedup squares --charts DIR"));
        }
        let there = CHARTS.iter().flat_map(|name| ["svg", "csv"].map(|ending| folder.join(format!("{name}.{ending}"))));
        if let Some(file) = there.into_iter().find(|file| file.exists() && !args.force) {
            return Err(usage(format!("--charts: {} exists; add --force to replace it", file.display())));
        }
        can_write_in(folder).map_err(|error| usage(format!("--charts {}: {error}", folder.display())))?;
    }
    let calibration = calibration::run();
    let (group, calibration_s) = ("calibration", calibration.time().cpu_s);
    let (charts, layers) = (args.charts.clone(), args.layers.clone());
    let mut bench = Bench {
        group,
        quick: args.quick,
        windows: args.windows,
        json: args.json,
        charts,
        layers,
        calibration_s,
        rows: vec![],
    };
    bench.say(HEADING)?;
    bench.add(calibration)?;
    for group in GROUPS.iter().filter(|group| named(group.name) || args.groups.is_empty() && group.name != MACHINE) {
        bench.group = group.name;
        (group.run)(&mut bench)?;
    }
    bench.finish()
}

/// The rows measured so far, and how they are measured.
struct Bench {
    /// The group that is measured.
    group: &'static str,
    quick: bool,
    /// Whether the windows of prune tests are looked for.
    windows: bool,
    json: bool,
    /// Where charts go.
    charts: Option<PathBuf>,
    /// Where the layers of 8x8 are kept.
    layers: Option<PathBuf>,
    calibration_s: f64,
    rows: Vec<BenchRow>,
}

/// The JSON object.
#[derive(Serialize)]
struct BenchReport<'a> {
    quick: bool,
    cores: usize,
    calibration_s: f64,
    rows: &'a [BenchRow],
    right: bool,
}

impl Bench {
    /// The one or the other, for the quick and for the full bench.
    fn pick<T>(&self, quick: T, full: T) -> T {
        if self.quick { quick } else { full }
    }

    /// Prints a row and keeps it.
    fn add(&mut self, mut row: BenchRow) -> Result<(), Failure> {
        row.group = self.group;
        row.calibrate(self.calibration_s);
        self.say(&row.to_string())?;
        self.rows.push(row);
        Ok(())
    }

    fn say(&self, line: &str) -> io::Result<()> {
        if self.json { writeln!(io::stderr(), "{line}") } else { writeln!(io::stdout(), "{line}") }
    }

    /// Prints a chart, and writes its files.
    fn chart(&self, name: &str, chart: &Chart) -> Result<(), Failure> {
        self.say(&chart::text(chart))?;
        let Some(folder) = &self.charts else { return Ok(()) };
        for (ending, body) in [("svg", chart::svg(chart)), ("csv", chart.csv())] {
            let file = folder.join(format!("{name}.{ending}"));
            let mut part = saved::create_part(folder, None)?;
            part.write_all(body.as_bytes())?;
            part.persist(&file).map_err(|error| error.error)?;
            self.say(&format!("written: {}", file.display()))?;
        }
        Ok(())
    }

    /// Number of rows with a count that is wrong.
    fn wrong(&self) -> usize {
        self.rows.iter().filter(|row| !row.right()).count()
    }

    /// Ends the report. Returns the exit code.
    fn finish(&self) -> Result<u8, Failure> {
        let right = self.wrong() == 0;
        if self.json {
            let Bench { quick, calibration_s, rows, .. } = self;
            let report = BenchReport { quick: *quick, cores: cores(), calibration_s: *calibration_s, rows, right };
            print_object(&report)?;
        }
        if !right {
            self.say(&format!("WRONG: {} of {} rows", self.wrong(), self.rows.len()))?;
        }
        Ok(u8::from(!right))
    }
}

/// Makes a folder, if it is not there, and a file in it that goes again.
fn can_write_in(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    saved::create_part(folder, None).map(drop)
}

/// The board of a table in this program.
fn board(text: &str) -> Board {
    text.parse().unwrap_or_else(|error| unreachable!("{text} stands in a table of this program: {error}"))
}

/// The top left corner, where Radley and the trees of one start begin.
fn corner(board: Board) -> Square {
    board.at(0).unwrap_or_else(|| unreachable!("every board has a square 0"))
}

/// Whether something pays, in words: `with` and `without` are the seconds or nodes of the two ways.
fn verdict(with: f64, without: f64) -> &'static str {
    match with / without {
        ratio if ratio < 0.98 => "pays",
        ratio if ratio > 1.02 => "does not pay",
        _ => "makes no difference",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_count_is_counted() {
        let right = BenchRow::new("6x6").count("tours", 9862, 9862);
        let wrong = BenchRow::new("6x6").count("tours", 9861, 9862);
        let bench = Bench {
            group: "",
            quick: true,
            windows: false,
            json: false,
            charts: None,
            layers: None,
            calibration_s: 1.0,
            rows: vec![right, wrong],
        };
        assert_eq!(bench.wrong(), 1);
    }

    #[test]
    fn verdicts_leave_room_for_noise() {
        assert_eq!([0.9, 1.0, 1.1].map(|with| verdict(with, 1.0)), ["pays", "makes no difference", "does not pay"]);
    }
}
