//! Larger boards of the conformance tests: every solver counts the same under every scheduler, rule and number of
//! threads as on one worker. The small ones are in `tests/conform.rs`. And boards with holes: counted and listed, as in
//! `tests/count_twin.rs`.

use crate::shapes::{counts_and_listing, shape};
use destrier::board::Ending;
use destrier::cli::bench::{Bench, BenchRow, LapClock, TimedJob, board};
use destrier::job::Failure;
use destrier::schedule::Scheduler;
use destrier::search::{HandOver, Prune};
use destrier::solve::{Problem, enumerators};
use fastrand::Rng;

/// Squares of the largest shape.
const SHAPE_SQUARES: usize = 26;
/// Numbers of workers.
const CREWS: [usize; 5] = [1, 2, 3, 8, 64];

/// Solver, board, ending, prune test, tours (OEIS A175881, A175855, A165134, A083386), whether in the quick battery too.
type ConformCase = (&'static str, &'static str, Ending, Prune, u64, bool);

const CASES: &[ConformCase] = &[
    ("brute", "4x5", Ending::Open, Prune::None, 164, true),
    ("brute", "5x5", Ending::Open, Prune::None, 1728, false),
    ("radley", "5x6", Ending::Closed, Prune::AllIsolated, 8, true),
    ("radley", "6x6", Ending::Closed, Prune::AnyIsolated, 9862, false),
    ("path", "5x8", Ending::Closed, Prune::None, 44_202, true),
    ("path", "6x7", Ending::Closed, Prune::None, 1_067_638, false),
    ("path", "6x6", Ending::Open, Prune::None, 6_637_920, false),
    ("edges", "5x8", Ending::Closed, Prune::None, 44_202, true),
    ("edges", "6x7", Ending::Closed, Prune::None, 1_067_638, false),
    ("quarter-turn", "6x6", Ending::Closed, Prune::None, 10, true),
    ("quarter-turn", "9x9", Ending::Open, Prune::None, 3_615_248, false),
];

/// Prints one row for each case.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    for solver in enumerators() {
        let covered = CASES.iter().any(|case| case.0 == solver.name());
        if !covered {
            bench.add(BenchRow::new(solver.name()).must("cases", false))?;
        }
    }
    bench.add(check_shapes(bench.pick(60, 500)))?;
    let quick = bench.is_quick();
    for case in CASES.iter().filter(|case| case.5 == quick) {
        bench.add(check(case)?)?;
    }
    Ok(())
}

/// Counts shapes that are drawn by chance, and lists their tours.
fn check_shapes(shapes: usize) -> BenchRow {
    let (clock, mut random) = (LapClock::start(), Rng::with_seed(77));
    let found: Vec<_> = (0..shapes).map(|_| counts_and_listing(&shape(&mut random, SHAPE_SQUARES))).collect();
    let wrong: Vec<&str> = found.iter().filter_map(|found| Some(found.as_ref().err()?.as_str())).collect();
    let with = |ending: usize| found.iter().flatten().filter(|tours| tours[ending] > 0).count() as u64;
    BenchRow::new("boards with holes, counted and listed")
        .took(clock.time())
        .count("as_listed", (shapes - wrong.len()) as u64, shapes as u64)
        .figure("with_closed_tours", with(0))
        .figure("with_open_tours", with(1))
        .remark(wrong.join("; "))
}

fn check(&(solver, name, ending, prune, tours, _): &ConformCase) -> Result<BenchRow, Failure> {
    let clock = LapClock::start();
    let problem = Problem { prune, ..Problem::new(board(name), ending) };
    let serial = TimedJob::solve(solver, problem);
    let expected = serial.once()?.total();
    let mut row = BenchRow::new(format!("{name} {solver}")).count("tours", expected.tours, tours);
    let mut runs = 1u64;
    for scheduler in [Scheduler::HIRE, Scheduler::RAYON, Scheduler::STATIC, Scheduler::BLOCKS] {
        // Only hiring hands over by rule.
        let rules = if scheduler == Scheduler::HIRE { &HandOver::ALL[..] } else { &HandOver::ALL[..1] };
        for (threads, &rule) in CREWS.iter().flat_map(|threads| rules.iter().map(move |rule| (threads, rule))) {
            let outcome = serial.under(scheduler, *threads, rule).once()?;
            let total = outcome.total();
            runs += 1;
            if !outcome.complete()
                || (total.tours, total.nodes, total.pruned) != (tours, expected.nodes, expected.pruned)
            {
                row = row
                    .count("tours", total.tours, tours)
                    .count("nodes", total.nodes, expected.nodes)
                    .count("pruned", total.pruned, expected.pruned)
                    .must("complete", outcome.complete())
                    .remark(format!("{} {} x{threads}", scheduler.name(), rule.name()));
            }
        }
    }
    let said = "hire with both rules, rayon, static, static-blocks x1, 2, 3, 8, 64: all as serial";
    let row = row.took(clock.time()).figure("nodes", expected.nodes).figure("runs", runs);
    let said = if row.right() { said } else { "" };
    Ok(row.remark(said))
}
