//! Tours on their way out and in again: handed out, written in every way, read and checked.
//!
//! Seconds of one machine say little about another one. So every row also says what share its CPU time is of a search
//! that hands nothing out: Radley's unpruned 6x6, which the quick bench estimates by the same search of a smaller board.

use super::clock::{Clock, Time};
use super::row::BenchRow;
use super::{Bench, board};
use crate::board::{Board, Ending, Route};
use crate::cli::verify::{self, VerifyArgs};
use crate::job::output::{Destination, TourFormat};
use crate::job::unobserved::solve;
use crate::job::{Failure, running};
use crate::run::{Continuation, PreparedRun, Question};
use crate::schedule::{CrewPlan, Outlet, Scheduler};
use crate::solve::{self, Problem, Request, TourOutput};
use crate::store::write::{self, Picture, WriteError};
use std::io::{self, Write};
use std::path::Path;

/// Who searches.
const SOLVER: &str = "edges";
/// Threads of the rows that say what a second one gains.
const THREADS: [usize; 2] = [1, 2];
/// Radley's unpruned searches: board, tours and nodes, for the quick and the full bench.
const MEASURES: [(&str, u64, u64); 2] = [("5x6", 8, 7_745_182), ("6x6", 9862, 1_769_811_723)];
/// A board with its closed tours and their classes (OEIS A175881, A175855), for the quick and the full bench.
const WHOLE: [(&str, u64, u64); 2] = [("5x8", 44_202, 11_056), ("6x7", 1_067_638, 267_183)];

/// A large board, and the bytes of its tour as list, grid, JSON, SVG and packed, for the quick and the full bench.
const LARGE: [(&str, [u64; 5]); 2] = [
    ("400x400", [906_408, 1_120_000, 1_226_401, 2_036_453, 60_063]),
    ("2000x2000", [28_330_010, 32_000_000, 36_330_001, 56_455_892, 1_500_063]),
];

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails, or a file cannot be written.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let measure = measure(bench)?;
    let folder = tempfile::tempdir()?;
    let [quick, full] = WHOLE;
    let (name, tours, classes) = bench.pick(quick, full);
    let problem = Problem::new(board(name), Ending::Closed);
    let mut add = |what: &str, problem: &Problem, output, tours, target| {
        let (found, time) = searched(problem, 1, output)?;
        let row = row(format!("{name}, {what}"), found, tours, time, measure);
        bench.add(row.remark(target))
    };
    add("counted", &problem, None, tours, "")?;
    add("handed out", &problem, nowhere(), tours, "target: a share of 0.02")?;
    let (file, out) = written(folder.path(), "whole", problem.board, TourFormat::Line)?;
    add("to a file as lines", &problem, out, tours, "target: a share of 0.06")?;
    file.keep()?;
    add("limited, not written", &Problem { limit: Some(tours + 1), ..problem.clone() }, None, tours, "")?;
    add("classes, not written", &Problem { unique: true, ..problem.clone() }, None, classes, "")?;
    kept(bench, folder.path(), measure)?;
    large(bench)
}

/// The search that others are held against; answers its CPU time, in seconds.
fn measure(bench: &mut Bench) -> Result<f64, Failure> {
    let [quick, full] = MEASURES;
    let (name, tours, nodes) = bench.pick(quick, full);
    let clock = Clock::start();
    let problem = Problem::new(board(name), Ending::Closed);
    let total = solve("radley", &problem, CrewPlan::serial(), None)?.total();
    let time = clock.time();
    let row = BenchRow::new(format!("{name} by radley, the measure")).took(time);
    bench.add(row.count("tours", total.tours, tours).count("nodes", total.nodes, nodes))?;
    Ok(time.cpu_s * full.2 as f64 / nodes as f64)
}

/// A way to keep tours: what a row calls it, how they are written, and how the name of the file ends.
const KEPT: [(&str, TourFormat, &str); 3] =
    [("lists", TourFormat::Line, ""), ("lists by zstd", TourFormat::Line, ".zst"), ("packed", TourFormat::Packed, "")];

/// Writes many tours of 8x8 in every way, and checks them, by one thread and by more.
fn kept(bench: &mut Bench, folder: &Path, measure: f64) -> Result<(), Failure> {
    let tours = bench.pick(50_000, 1_000_000);
    let problem = Problem { limit: Some(tours), ..Problem::new(board("8x8"), Ending::Closed) };
    let name = |kept: &str, end: &str, threads: usize| format!("{kept}{threads}{end}");
    for (what, format, end) in KEPT {
        let mut alone = None;
        for threads in THREADS {
            let (file, output) = written(folder, &name(what, end, threads), problem.board, format)?;
            let (found, time) = searched(&problem, threads, output)?;
            file.keep()?;
            let row = row(format!("8x8 {what} to a file x{threads}"), found, tours, time, measure);
            let alone = *alone.get_or_insert(time.wall_s);
            bench.add(row.figure("times_as_fast_as_one", alone / time.wall_s))?;
        }
    }
    for (what, _, end) in KEPT {
        let mut alone = None;
        for threads in THREADS {
            let file = folder.join(name(what, end, threads));
            let bytes = file.metadata()?.len();
            let clock = Clock::start();
            let found = verify::verdict(&VerifyArgs::of(file, threads as u32))?.valid;
            let time = clock.time();
            let row = row(format!("8x8 {what} verified x{threads}"), found, tours, time, measure)
                .figure("mb_per_s", bytes as f64 / 1e6 / time.wall_s)
                .figure("bytes_per_tour", bytes as f64 / tours as f64);
            let alone = *alone.get_or_insert(time.wall_s);
            let row = row.figure("times_as_fast_as_one", alone / time.wall_s);
            let target = "target: a share of 0.04 a million, 1.8 times as fast by two";
            bench.add(row.remark(if end.is_empty() { target } else { "" }))?;
        }
    }
    Ok(())
}

/// Writes a tour of a large board, a formula that is verified on the way, in every format.
fn large(bench: &mut Bench) -> Result<(), Failure> {
    let (name, sizes) = bench.pick(LARGE[0], LARGE[1]);
    let request = Request::new(board(name), Ending::Closed);
    let finder = solve::finder_by_name("tiles").ok_or_else(|| running("no method is called tiles"))?;
    let (clock, mut bytes) = (Clock::start(), Bytes(0));
    let question = Question::Find(finder, request);
    let (run, _) = PreparedRun::new(&question, CrewPlan::serial(), Continuation::default(), false);
    let found = run.answer(None, &|_, _| {}).map_err(running)?;
    let tour = &**found.tours().first().ok_or_else(|| running("tiles lays every large board"))?;
    write::list(tour, &mut bytes).map_err(running)?;
    let row = BenchRow::new(format!("{name} laid, checked and written as list")).took(clock.time());
    bench.add(row.count("bytes", bytes.0, sizes[0]))?;
    type Writer = fn(&dyn Route, &mut dyn Write) -> Result<(), WriteError>;
    let writers: [(&str, Writer); 5] = [
        ("list", write::list),
        ("grid", write::grid),
        ("JSON", write::json),
        ("SVG", |route, to| write::svg(route, Picture::default(), to)),
        ("packed", write::packed),
    ];
    for ((what, writer), size) in writers.into_iter().zip(sizes) {
        let mut bytes = Bytes(0);
        let clock = Clock::start();
        writer(tour, &mut bytes).map_err(running)?;
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

/// A row of so many tours.
fn row(what: String, found: u64, tours: u64, time: Time, measure: f64) -> BenchRow {
    let row = BenchRow::new(what).took(time).count("tours", found, tours);
    row.figure("share", time.cpu_s / measure).figure("tours_per_s", found as f64 / time.wall_s)
}

/// Answers how many tours were found, and how long that took.
fn searched(problem: &Problem, threads: usize, output: TourOutput) -> Result<(u64, Time), Failure> {
    let clock = Clock::start();
    let plan = if threads == 1 { CrewPlan::serial() } else { CrewPlan::of(threads, Scheduler::Hire) };
    let outcome = solve(SOLVER, problem, plan, output)?;
    Ok((outcome.total().tours, clock.time()))
}

/// A file that workers write to.
fn written(folder: &Path, name: &str, board: Board, format: TourFormat) -> Result<(Destination, TourOutput), Failure> {
    let file = Destination::new("--out", Some(&folder.join(name)), false)?.formed(format, board, Ending::Closed);
    let output = file.for_workers(format, board);
    Ok((file, output))
}

/// Tours are handed out, and dropped.
fn nowhere() -> TourOutput {
    Some((Box::new(Nowhere), Box::new(|_, _| {})))
}

struct Nowhere;

impl Outlet for Nowhere {
    fn write(&self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}
