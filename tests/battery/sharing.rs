//! What schedulers do to a tree that is hard to share, with many more workers than cores; how even a static division is of a
//! tree with one start, nearly all of which lies below a few of its first nodes; and Carter's attempt to share tasks of
//! single statements.

use crate::measure::turns;
use destrier::board::{Board, Ending, Square};
use destrier::cli::bench::{Bench, BenchRow, LapClock, TimedJob, board, race};
use destrier::job::{Failure, running};
use destrier::schedule::{RunOutcome, Scheduler};
use destrier::search::HandOver;
use destrier::solve::Problem;

/// Workers of the rows where they are many.
const MANY: usize = 64;
/// By how much the share of a worker may exceed its part, of the static division that is to be even.
const UNEVEN_MAX: f64 = 0.03;

/// Boards of the rotational search, their open directed tours of this kind, and what is to be said.
///
/// 7x7 was recomputed by plain search; the larger ones are this program's own.
const ROTATED: [(&str, u64, &str); 3] = [
    ("7x7", 15_296, "71 nodes and the tables: nothing to share; the source prints 8.6e-6 s on 4, 8 and 16 cores"),
    ("9x9", 3_615_248, "the source prints 0.39 s on 4, 8 and 16 cores"),
    ("10x10", 201_972_992, "a tree large enough to be shared"),
];
/// How often the squares of 7x7 are turned, and the sum of the indices that come out each time.
const TURNED: (u64, u64) = (2293, 3 * 49 * 48 / 2);

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let (name, tours) = bench.pick(("5x8", 44_202), ("6x7", 1_067_638));
    for scheduler in [Scheduler::HIRE, Scheduler::RAYON, Scheduler::STATIC] {
        let clock = LapClock::start();
        let outcome = closed("path", name).under(scheduler, MANY, HandOver::Shallowest).once()?;
        let total = outcome.total();
        let row = BenchRow::new(format!("{name} path, {} x{MANY}", scheduler.name()))
            .took(clock.time())
            .count("tours", total.tours, tours)
            .figure("imbalance", busiest(&outcome) * MANY as f64)
            .figure("hires", outcome.sharing().hires);
        bench.add(row.figure("nodes_per_hire", total.nodes / outcome.sharing().hires.max(1)))?;
    }
    [Scheduler::STATIC, Scheduler::BLOCKS].into_iter().try_for_each(|scheduler| divide(bench, scheduler))
}

fn closed(solver: &'static str, name: &str) -> TimedJob {
    TimedJob::solve(solver, Problem::new(board(name), Ending::Closed))
}

/// The largest share of the nodes that one worker entered.
fn busiest(outcome: &RunOutcome) -> f64 {
    let most = outcome.workers.iter().map(|worker| worker.tally.nodes).max().unwrap_or(0);
    most as f64 / outcome.total().nodes as f64
}

/// Prints which share of the nodes the busiest worker of a static division enters.
fn divide(bench: &mut Bench, scheduler: Scheduler) -> Result<(), Failure> {
    // OEIS A175855.
    let (name, tours) = bench.pick(("6x7", 1_067_638), ("6x8", 55_488_142));
    let (clock, mut row) = (LapClock::start(), BenchRow::new(format!("shares of {name} edges, {}", scheduler.name())));
    for (threads, largest) in [(2, "largest_of_2"), (4, "largest_of_4"), (8, "largest_of_8")] {
        let outcome = closed("edges", name).under(scheduler, threads, HandOver::Shallowest).once()?;
        let share = busiest(&outcome);
        row = row.must("all_tours", outcome.total().tours == tours).figure(largest, share);
        // The blocks are the source's way, which is uneven.
        if scheduler == Scheduler::STATIC {
            row = row.must("even", share <= 1.0 / threads as f64 + UNEVEN_MAX);
        }
    }
    bench.add(row.took(clock.time()))
}

/// Prints the rows of Carter's rotational search: how fast it is, that it can be shared, and why his own attempt to share it
/// failed. He made tasks of single statements: the rotated coordinates of one square.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn quarter_turn(bench: &mut Bench) -> Result<(), Failure> {
    for (name, tours, source) in ROTATED {
        let serial = TimedJob::solve("quarter-turn", Problem::new(board(name), Ending::Open));
        let runs = [1, 2].map(|threads| serial.under(Scheduler::HIRE, threads, HandOver::Shallowest));
        let timed = race(&runs, bench.pick(1, 5))?;
        for (threads, run) in [1, 2].iter().zip(&timed) {
            let row = run
                .row(format!("{name} open, hire x{threads}"), tours, Some(timed[0].total.nodes))
                .figure("speed_up", timed[0].time.wall_s / run.time.wall_s)
                .figure("cores_had", run.time.cpu_s / run.time.wall_s);
            bench.add(row.remark(source))?;
        }
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().map_err(running)?;
    let (board, (times, sum)) = (board("7x7"), TURNED);
    let turned = |turned: fn(Board, Square) -> [Square; 3]| {
        let all = || board.all().flat_map(move |square| turned(board, square)).map(|square| u64::from(square.index()));
        pool.install(|| (0..times).map(|_| all().sum::<u64>()).sum::<u64>())
    };
    let mut ways = [turned_in_line, turned_as_tasks as fn(Board, Square) -> [Square; 3]].map(|way| move || turned(way));
    let timed = turns(bench.pick(3, 9), &mut ways);
    let first = timed[0].0;
    for (how, (time, came)) in ["in line", "as tasks of rayon x2"].iter().zip(timed) {
        let row = BenchRow::new(format!("{board}, squares turned {how}")).took(time).count("sum", came, times * sum);
        bench.add(row.figure("times_as_long", time.wall_s / first.wall_s))?;
    }
    Ok(())
}

/// The square that a quarter turn takes this one to.
fn turn(board: Board, square: Square) -> Square {
    let (row, col) = board.row_col(square);
    let turned = board.square(col, board.rows() - 1 - row);
    turned.unwrap_or_else(|| unreachable!("a quarter turn keeps a square board in place"))
}

fn turned_in_line(board: Board, square: Square) -> [Square; 3] {
    let once = turn(board, square);
    let twice = turn(board, once);
    [once, twice, turn(board, twice)]
}

fn turned_as_tasks(board: Board, square: Square) -> [Square; 3] {
    let twice = || turn(board, turn(board, square));
    let thrice = || turn(board, turn(board, turn(board, square)));
    let (once, (twice, thrice)) = rayon::join(|| turn(board, square), || rayon::join(twice, thrice));
    [once, twice, thrice]
}
