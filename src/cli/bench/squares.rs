//! Carter's figures 2.1 to 2.3: how much faster his plain search is with a thread for every square, on 4, 8 and 16 cores.
//!
//! He starts `m*n` threads, and each searches from one square. On a machine with as many cores that is measured, held
//! to so many of them; elsewhere it is reckoned from the nodes below each square: threads that are more than the cores
//! share them evenly, and every start of a thread costs what it costs here.
//!
//! What his times cannot be: 38 million nodes of 5x5 in 0.083 s are 2.2 ns a node, for a recursion that makes a list of
//! moves in each; and 5x6, with 66 times as many, then takes 5.5 s, where he found none in serial. In parallel they are
//! 0.18 ns a node. His loop has `hist` and `vis` in OpenMP's `private`, which leaves the copies of a thread without a
//! value: squares that no knight has been to count as visited, and most of the tree is not searched. So his speed-up
//! beyond the number of cores is one of other work.
//!
//! # Source
//! Cameron Carter, "PCSE Final Project", 2016, section 2.1.

use super::race::{Timed, TimedJob, race};
use super::row::{BenchRow, median};
use super::{Bench, board, cores};
use crate::board::Ending;
use crate::cli::chart::{Chart, ChartPoint, Curve};
use crate::cli::reproduce::{CARTER, published};
use crate::job::{Failure, running};
use crate::schedule::Scheduler;
use crate::search::HandOver;
use crate::solve::Problem;
use crate::system::{self, ThreadRefused};
use std::time::{Duration, Instant};

/// The numbers of cores he had.
const CORES: [usize; 3] = [4, 8, 16];

/// What he prints of a board.
struct Published {
    board: &'static str,
    /// Its open tours, directed.
    tours: u64,
    /// Seconds in serial, where he has them.
    serial_s: Option<f64>,
    /// Seconds on [`CORES`].
    parallel_s: [f64; 3],
}

impl Published {
    fn of(board: &'static str) -> Published {
        let figure = |field: &str, threads: usize| -> Option<f64> {
            let words = format!("search {board} --open --solver brute --scheduler static-blocks --threads {threads}");
            published(CARTER, &words, field)?.parse().ok()
        };
        Published {
            board,
            tours: figure("tours", 1).map_or(0, |tours| tours as u64),
            serial_s: figure("elapsed_s", 1),
            parallel_s: CORES.map(|cores| figure("elapsed_s", cores).unwrap_or(f64::NAN)),
        }
    }
}

/// How often a thread is started, to know what that costs.
const STARTS: usize = 200;

/// Prints the rows and the chart.
///
/// # Errors
/// [`Failure`] when a run fails, or the chart cannot be written.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let start_s = start_of_a_thread_s()?;
    let here = cores();
    let own = (here > 1 && !CORES.contains(&here)).then_some(here);
    let crews: Vec<usize> = own.into_iter().chain(CORES).collect();
    let mut curves: Vec<Curve> =
        crews.iter().zip("ABCD".chars()).map(|(&cores, letter)| curve(cores, letter)).collect();
    let published = ["3x4", "4x4", "4x5", "5x5", "5x6"].map(Published::of);
    curves.extend(his_curves(&published));
    let boards = &published[..bench.pick(4, published.len())];
    for row in boards {
        let search = CarterSearch::in_serial(bench, row)?;
        for (curve, &cores) in curves.iter_mut().zip(&crews) {
            curve.points.push(if curve.simulated {
                search.reckoned(bench, cores, start_s)?
            } else {
                search.measured(bench, cores)?
            });
        }
    }
    let last = boards[boards.len() - 1].board;
    let chart = Chart {
        title: format!("Carter's search, a thread for every square of 3x4 to {last}: speed-up beside serial"),
        along: ("squares", false),
        upright: "times as fast",
        curves,
    };
    bench.draw("speedup-squares", &chart)
}

fn curve(cores: usize, letter: char) -> Curve {
    // Whether this process may run on as many cores, and can be held to fewer.
    let is_real = cfg!(target_os = "linux") && cores <= self::cores();
    Curve { name: format!("{cores} cores"), letter, simulated: !is_real, points: vec![] }
}

/// What he prints.
fn his_curves(published: &[Published]) -> Vec<Curve> {
    let curve = |(nth, (cores, letter)): (usize, (usize, char))| {
        let point = |row: &Published| {
            let squares = f64::from(board(row.board).squares());
            Some(ChartPoint::exact(squares, row.serial_s? / row.parallel_s[nth]))
        };
        let points = published.iter().filter_map(point).collect();
        Curve { name: format!("Carter 2016 on {cores} cores"), letter, simulated: false, points }
    };
    CORES.into_iter().zip("XYZ".chars()).enumerate().map(curve).collect()
}

/// His search of a board.
struct CarterSearch<'a> {
    row: &'a Published,
    problem: Problem,
    serial: Timed,
    /// The nodes below each square.
    nodes: Vec<u64>,
}

impl CarterSearch<'_> {
    fn in_serial<'a>(bench: &mut Bench, row: &'a Published) -> Result<CarterSearch<'a>, Failure> {
        let problem = Problem::new(board(row.board), Ending::Open);
        let serial = race(&[TimedJob::solve("brute", problem.clone())], bench.pick(1, 5))?.remove(0);
        let from = |start| TimedJob::solve("brute", Problem { start: Some(start), ..problem.clone() });
        let nodes = problem.board().all().map(|start| Ok(from(start).once()?.total().nodes));
        let nodes = nodes.collect::<Result<Vec<u64>, Failure>>()?;
        let line = serial.row(format!("{} open brute, serial", row.board), row.tours, Some(nodes.iter().sum()));
        let line = line.figure("ns_per_node", serial.ns_per_node());
        bench.add(match row.serial_s {
            Some(his) => line.figure("his_s", his).figure("his_ns_per_node", 1e9 * his / serial.total.nodes as f64),
            None => line.remark("he has no time in serial"),
        })?;
        Ok(CarterSearch { row, problem, serial, nodes })
    }

    /// A thread for every square, on as many cores.
    fn measured(&self, bench: &mut Bench, cores: usize) -> Result<ChartPoint, Failure> {
        let threads = self.nodes.len();
        let run = TimedJob::solve("brute", self.problem.clone());
        let run = run.under(Scheduler::BLOCKS, threads, HandOver::Shallowest);
        let timed = held_to(cores, || race(&[run], bench.pick(1, 5)))??.remove(0);
        let (y, spread) = timed.speed_up(&self.serial);
        let what = format!("{} open brute, {threads} threads on {cores} cores", self.row.board);
        let line = timed.row(what, self.row.tours, Some(self.serial.total.nodes)).figure("speed_up", y);
        bench.add(his(line.figure("least", spread.0).figure("greatest", spread.1), self.row, cores))?;
        Ok(ChartPoint { x: threads as f64, y, spread })
    }

    /// The same on cores that this machine has not.
    fn reckoned(&self, bench: &mut Bench, cores: usize, start_s: f64) -> Result<ChartPoint, Failure> {
        let CarterSearch { row, serial, nodes, .. } = self;
        let node_s = serial.time.cpu_s / serial.total.nodes.max(1) as f64;
        let took_s = start_s * nodes.len() as f64 + node_s * shared_evenly(nodes, cores);
        let y = serial.time.cpu_s / took_s;
        let what = format!("{} open brute, {} threads on {cores} cores, simulated", row.board, nodes.len());
        let line = BenchRow::new(what).figure("wall_s", took_s).figure("speed_up", y);
        bench.add(his(line.figure("most_by_largest_square", bound(nodes)), row, cores))?;
        Ok(ChartPoint::exact(nodes.len() as f64, y))
    }
}

/// His figures beside ours.
fn his(line: BenchRow, row: &Published, cores: usize) -> BenchRow {
    let Some(nth) = CORES.iter().position(|&his| his == cores) else { return line };
    let line = line.figure("his_s", row.parallel_s[nth]);
    if let Some(serial) = row.serial_s { line.figure("his_speed_up", serial / row.parallel_s[nth]) } else { line }
}

/// What no number of cores can exceed when a square is one piece.
fn bound(nodes: &[u64]) -> f64 {
    nodes.iter().sum::<u64>() as f64 / nodes.iter().copied().max().unwrap_or(1).max(1) as f64
}

/// How long threads with so many nodes each take on so many cores that they share evenly, in nodes.
///
/// While more threads than cores are left, each goes at the same part of the speed of a core; so the smallest ends first.
fn shared_evenly(nodes: &[u64], cores: usize) -> f64 {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable();
    let (mut took, mut done) = (0.0, 0);
    for (ended, &own) in nodes.iter().enumerate() {
        let left = nodes.len() - ended;
        let speed = (cores as f64 / left as f64).min(1.0);
        took += (own - done) as f64 / speed;
        done = own;
    }
    took
}

/// Seconds that the start and the end of a thread cost, in the median.
fn start_of_a_thread_s() -> Result<f64, ThreadRefused> {
    let once = |_| {
        let began = Instant::now();
        Ok(system::start("empty", || {})?.join().map_or(Duration::ZERO, |()| began.elapsed()).as_secs_f64())
    };
    Ok(median((0..STARTS).map(once).collect::<Result<Vec<_>, _>>()?.into_iter()))
}

/// Does something on the first so many of the cores that this thread may run on; threads that it starts are held to
/// them too.
#[cfg(target_os = "linux")]
fn held_to<T>(wanted: usize, body: impl FnOnce() -> T) -> Result<T, Failure> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let all = sched_getaffinity(None).map_err(|error| running(error.to_string()))?;
    let mut few = CpuSet::new();
    (0..CpuSet::MAX_CPU).filter(|&core| all.is_set(core)).take(wanted).for_each(|core| few.set(core));
    sched_setaffinity(None, &few).map_err(|error| running(error.to_string()))?;
    let done = body();
    sched_setaffinity(None, &all).map_err(|error| running(error.to_string()))?;
    Ok(done)
}

/// As it is where threads cannot be held.
#[cfg(not(target_os = "linux"))]
fn held_to<T>(_: usize, body: impl FnOnce() -> T) -> Result<T, Failure> {
    Ok(body())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_share_cores_evenly() {
        assert_eq!(shared_evenly(&[5, 5, 5, 5], 4), 5.0);
        assert_eq!(shared_evenly(&[5, 5, 5, 5], 1), 20.0);
        assert_eq!(shared_evenly(&[5, 5, 5, 5], 8), 5.0);
        // Three on two cores until the small one is done, then each has one: 3 * 1.5, then 7.
        assert_eq!(shared_evenly(&[10, 3, 10], 2), 4.5 + 7.0);
        assert_eq!(bound(&[10, 3, 10]), 2.3);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_held_to_a_core_is_let_go_again() {
        use rustix::thread::sched_getaffinity;
        let before = sched_getaffinity(None).unwrap();
        let within = held_to(1, || std::thread::spawn(|| sched_getaffinity(None).unwrap().count()).join().unwrap());
        assert_eq!((within.unwrap(), sched_getaffinity(None).unwrap()), (1, before));
    }
}
