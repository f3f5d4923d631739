//! What Radley's prune tests gain, what they cost where they cut nothing, what his two reductions gain, and between which
//! depths each test pays most: his parameters are those depths, and he asks his readers what they found.
//!
//! # Source
//! James Radley, "Knight's Tour - A JVM thread performance benchmark", 2002.

use crate::measure::turns;
use destrier::board::Board;
use destrier::cli::bench::{Bench, BenchRow, LapTime, board};
use destrier::job::search_unobserved;
use destrier::job::{Failure, running};
use destrier::schedule::CrewPlan;
use destrier::search::{Prune, Radley, RadleyOptions, Tally};
use std::ops::RangeInclusive;

/// A rule, and what a search by it counts.
struct RuleCase {
    name: &'static str,
    rules: RadleyOptions,
    tours: [u64; 2],
    nodes: [u64; 2],
    /// Branches that were cut, or would be.
    pruned: [u64; 2],
}

/// The cases, each with its figures of 5x6 and of 6x6; the first one is what the others are held against.
///
/// 6x6 with `all-isolated` is the source's table; the other figures were recomputed by another program, except those
/// of `region` and of 5x6.
fn cases() -> Vec<RuleCase> {
    let case = |name, rules, nodes, pruned| RuleCase { name, rules, tours: [8, 9862], nodes, pruned };
    let plain = RadleyOptions::shipped;
    let by = |prune| RadleyOptions { prune, ..plain() };
    let window = RadleyOptions { window: 9..=22, ..by(Prune::AllIsolated) };
    let (first, last) =
        (RadleyOptions { fix_first: false, ..plain() }, RadleyOptions { reserve_last: false, ..plain() });
    vec![
        case("no test", plain(), [7_745_182, 1_769_811_723], [0, 0]),
        case("all-isolated", by(Prune::AllIsolated), [5_675_180, 1_021_591_377], [442_826, 113_782_239]),
        case("all-isolated, depths 9..22", window, [5_849_515, 1_388_460_655], [353_940, 20_423_934]),
        case("any-isolated", by(Prune::AnyIsolated), [743_813, 150_613_402], [282_377, 48_416_874]),
        case("region", by(Prune::Region), [386_274, 65_889_002], [364_398, 61_373_920]),
        // Without its first move fixed every tour is found in both directions. The source: fixing it halves the time.
        RuleCase { tours: [16, 19_724], ..case("first move not fixed", first, [16_078_045, 3_539_623_445], [0, 0]) },
        // The source: reserving it gains 5 times.
        case("last square not reserved", last, [50_060_489, 9_715_912_480], [0, 0]),
    ]
}

/// Branches of the whole tree of 5x6 that a test would cut. The source expects a test that cuts nothing to take some 50
/// times as long.
const IGNORED: [(Prune, u64); 3] =
    [(Prune::AllIsolated, 628_944), (Prune::AnyIsolated, 2_054_022), (Prune::Region, 7_358_908)];

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let small = board("5x6");
    let cases = cases();
    let rules: Vec<RadleyOptions> = cases.iter().map(|case| case.rules.clone()).collect();
    let (board, of) = bench.pick((small, 0), (board("6x6"), 1));
    let timed = searched(board, &rules, bench.pick(3, 1))?;
    for (case, run) in cases.iter().zip(&timed) {
        bench.add(row(case, of, board, run, &timed[0]))?;
    }
    let ignored = IGNORED.map(|(prune, pruned)| RuleCase {
        name: prune.name(),
        rules: RadleyOptions { prune, cut: false, ..RadleyOptions::shipped() },
        tours: [8, 0],
        nodes: [7_745_182, 0],
        pruned: [pruned, 0],
    });
    let rules = [RadleyOptions::shipped()].into_iter().chain(ignored.iter().map(|case| case.rules.clone()));
    let timed = searched(small, &rules.collect::<Vec<_>>(), bench.pick(3, 9))?;
    for (case, run) in ignored.iter().zip(&timed[1..]) {
        bench.add(row(case, 0, small, run, &timed[0]).remark("its answer is ignored"))?;
    }
    if bench.is_quick() { Ok(()) } else { windows(bench, small) }
}

fn row(
    case: &RuleCase,
    of: usize,
    board: Board,
    (time, total): &(LapTime, Tally),
    plain: &(LapTime, Tally),
) -> BenchRow {
    BenchRow::new(format!("{board} radley, {}", case.name))
        .took(*time)
        .count("tours", total.tours, case.tours[of])
        .count("nodes", total.nodes, case.nodes[of])
        .count("pruned", total.pruned, case.pruned[of])
        .figure("ns_per_node", 1e9 * time.cpu_s / total.nodes as f64)
        .figure("times_as_long", time.cpu_s / plain.0.cpu_s)
        .figure("times_the_nodes", total.nodes as f64 / plain.1.nodes as f64)
}

/// Searches by one worker under each of these rules, in turn.
fn searched(board: Board, rules: &[RadleyOptions], rounds: usize) -> Result<Vec<(LapTime, Tally)>, Failure> {
    let radley = |rules: &RadleyOptions| Radley::<u64>::new(board, rules.clone());
    let kernels: Option<Vec<Radley<u64>>> = rules.iter().map(radley).collect();
    let kernels = kernels.ok_or_else(|| running(format!("{board} is larger than the boards of radley")))?;
    let mut ways: Vec<_> = kernels.iter().map(|kernel| || search_unobserved(kernel, CrewPlan::serial())).collect();
    turns(rounds, &mut ways).into_iter().map(|(time, run)| Ok((time, run?.total()))).collect()
}

/// Looks for the depths between which each test pays most: first the last depth, with the test from the root on, then the
/// first one. The candidates take turns, and what counts is their CPU time, so that the best window is that of this machine:
/// where a few are as good, any of them may win.
fn windows(bench: &mut Bench, board: Board) -> Result<(), Failure> {
    let depths = board.squares() as usize;
    for prune in [Prune::AllIsolated, Prune::AnyIsolated, Prune::Region] {
        let within = |window: RangeInclusive<usize>| RadleyOptions { prune, window, ..RadleyOptions::shipped() };
        let best = |windows: Vec<RangeInclusive<usize>>| -> Result<RangeInclusive<usize>, Failure> {
            let rules: Vec<RadleyOptions> = windows.iter().cloned().map(within).collect();
            let timed = searched(board, &rules, 3)?;
            let best = windows.into_iter().zip(timed).min_by(|a, b| a.1.0.cpu_s.total_cmp(&b.1.0.cpu_s));
            Ok(best.map_or(0..=depths, |(window, _)| window))
        };
        let last = *best((1..=depths).map(|last| 0..=last).collect())?.end();
        let window = best((1..=last).map(|first| first..=last).collect())?;
        let (from, to) = (*window.start() as u64, *window.end() as u64);
        let timed = searched(board, &[RadleyOptions::shipped(), within(0..=depths), within(window)], 3)?;
        let [(none, _), (everywhere, _), (time, total)] = &timed[..] else { continue };
        let row = BenchRow::new(format!("{board} radley, {}, its best window", prune.name()))
            .took(*time)
            .count("tours", total.tours, 8)
            .figure("from", from)
            .figure("to", to)
            .figure("times_as_long_as_none", time.cpu_s / none.cpu_s);
        bench.add(row.figure("times_as_long_as_everywhere", time.cpu_s / everywhere.cpu_s))?;
    }
    Ok(())
}
