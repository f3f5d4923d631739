//! Tours on their way out and in again: handed out, written in every format, and verified.
//!
//! Seconds of one machine say little about another one. So a row says what share its CPU time is of a search that hands
//! nothing out: Radley's unpruned 6x6, which the quick battery estimates by the same search of a smaller board.

use crate::child::{self, program};
use crate::failed;
use destrier::board::{Ending, Route};
use destrier::cli::bench::{Bench, BenchRow, LapClock, LapTime, board};
use destrier::find::comb::Comb;
use destrier::job::output::{Destination, TourFormat};
use destrier::job::solve_unobserved;
use destrier::job::{Failure, running};
use destrier::schedule::{BlockOutput, CrewPlan};
use destrier::solve::{Problem, TourOutput};
use destrier::store::write::{self, Picture, WriteError};
use std::io::{self, Write};
use std::path::Path;

/// Radley's unpruned searches: board, tours and nodes, for the quick and the full battery.
const MEASURES: [(&str, u64, u64); 2] = [("5x6", 8, 7_745_182), ("6x6", 9862, 1_769_811_723)];
/// A board with its closed tours and their classes (OEIS A175881, A175855), for the quick and the full battery.
const WHOLE: [(&str, u64, u64); 2] = [("5x8", 44_202, 11_056), ("6x7", 1_067_638, 267_183)];
/// Tours of 8x8 that are kept in files.
const KEPT: [u64; 2] = [50_000, 1_000_000];
/// How they are kept: what a row calls it, the name of the file, and the options.
const WAYS: [(&str, &str, &[&str]); 3] =
    [("lists", "list", &[]), ("lists by zstd", "list.zst", &[]), ("packed", "packed", &["--format", "packed"])];
/// A large board, and the bytes of its tour in each of [`FORMATS`], for the quick and the full battery.
const LARGE: [(&str, [u64; 5]); 2] = [
    ("400x400", [906_408, 1_120_000, 1_226_401, 2_036_453, 60_063]),
    ("2000x2000", [28_330_010, 32_000_000, 36_330_001, 56_455_892, 1_500_063]),
];

type Writer = fn(&dyn Route, &mut dyn Write) -> Result<(), WriteError>;

const FORMATS: [(&str, Writer); 5] = [
    ("list", write::list),
    ("grid", write::grid),
    ("JSON", write::json),
    ("SVG", |route, to| write::svg(route, Picture::default(), to)),
    ("packed", write::packed),
];

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails, or a file cannot be written.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let folder = tempfile::tempdir().map_err(failed)?;
    whole(bench, folder.path())?;
    kept(bench, folder.path())?;
    large(bench)
}

/// All tours of a board: counted, handed out, written and sorted into classes.
fn whole(bench: &mut Bench, folder: &Path) -> Result<(), Failure> {
    let (name, tours, nodes) = bench.pick(MEASURES[0], MEASURES[1]);
    let (total, time) = searched("radley", &Problem::new(board(name), Ending::Closed), None)?;
    let row = BenchRow::new(format!("{name} by radley, the measure")).took(time);
    bench.add(row.count("tours", total.tours, tours).count("nodes", total.nodes, nodes))?;
    let measure = time.cpu_s * MEASURES[1].2 as f64 / nodes as f64;

    let (name, tours, classes) = bench.pick(WHOLE[0], WHOLE[1]);
    let problem = Problem::new(board(name), Ending::Closed);
    let format = TourFormat::Line;
    let file =
        Destination::new("--out", Some(&folder.join("whole")), false)?.formed(format, &problem.shape, problem.ending);
    let limited = Problem { limit: Some(tours + 1), ..problem.clone() };
    let unique = Problem { unique: true, ..problem.clone() };
    let nowhere: TourOutput = Some((Box::new(Nowhere), Box::new(|_, _| {})));
    let written = file.for_workers(format, &problem.shape);
    for (what, problem, output, tours, target) in [
        ("counted", &problem, None, tours, ""),
        ("handed out", &problem, nowhere, tours, "target: a share of 0.02"),
        ("to a file as lines", &problem, written, tours, "target: a share of 0.06"),
        ("limited, not written", &limited, None, tours, ""),
        ("classes, not written", &unique, None, classes, ""),
    ] {
        let (total, time) = searched("edges", problem, output)?;
        let row = BenchRow::new(format!("{name}, {what}"))
            .took(time)
            .count("tours", total.tours, tours)
            .figure("share", time.cpu_s / measure)
            .figure("tours_per_s", total.tours as f64 / time.wall_s);
        bench.add(row.remark(target))?;
    }
    file.keep()
}

/// What one worker counts, and how long that takes.
fn searched(
    solver: &str,
    problem: &Problem,
    output: TourOutput,
) -> Result<(destrier::search::Tally, LapTime), Failure> {
    let clock = LapClock::start();
    let outcome = solve_unobserved(solver, problem, CrewPlan::serial(), output)?;
    Ok((outcome.total(), clock.time()))
}

/// Many tours of 8x8 written in every way, and verified, by one thread and by two.
fn kept(bench: &mut Bench, folder: &Path) -> Result<(), Failure> {
    let tours = bench.pick(KEPT[0], KEPT[1]);
    let limit = tours.to_string();
    for (what, name, options) in WAYS {
        let file = folder.join(name);
        let search = ["search", "8x8", "--limit", &limit, "--force", "--json"];
        let verify = ["verify", "--closed", "--json"];
        for (done, key, args) in [("to a file", "tours", &search[..]), ("verified", "valid", &verify[..])] {
            let mut alone = None;
            for threads in ["1", "2"] {
                let mut command = program();
                command.args(args).args(["--threads", threads]);
                if key == "tours" {
                    command.args(options).arg("--out");
                }
                let (printed, _, time) = child::run(command.arg(&file))?;
                let report: serde_json::Value = serde_json::from_str(&printed).map_err(running)?;
                let row = BenchRow::new(format!("8x8 {what} {done} x{threads}"))
                    .took(time)
                    .count("tours", report[key].as_u64().unwrap_or(0), tours)
                    .figure("tours_per_s", tours as f64 / time.wall_s)
                    .figure("mb_per_s", file.metadata().map_err(failed)?.len() as f64 / 1e6 / time.wall_s)
                    .figure("times_as_fast_as_one", *alone.get_or_insert(time.wall_s) / time.wall_s);
                bench.add(row)?;
            }
        }
    }
    Ok(())
}

/// A tour of a large board, a formula that is verified on the way, in every format.
fn large(bench: &mut Bench) -> Result<(), Failure> {
    let (name, sizes) = bench.pick(LARGE[0], LARGE[1]);
    let tour = Comb::new(board(name), Ending::Closed, [None; 2], 0).map_err(running)?;
    for ((what, writer), size) in FORMATS.into_iter().zip(sizes) {
        let mut bytes = Bytes(0);
        let clock = LapClock::start();
        writer(&tour, &mut bytes).map_err(running)?;
        let time = clock.time();
        let row = BenchRow::new(format!("{name} as {what}")).took(time).count("bytes", bytes.0, size);
        let target = if what == "packed" { "" } else { "target: 300 MB/s" };
        bench.add(row.figure("mb_per_s", bytes.0 as f64 / 1e6 / time.cpu_s).remark(target))?;
    }
    Ok(())
}

/// Counts what is written.
struct Bytes(u64);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Drops the tours that it is handed.
struct Nowhere;

impl BlockOutput for Nowhere {
    fn write(&self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}
