//! What Radley's prune tests gain, what they cost where they cut nothing, and what his two reductions gain.

use super::race::{Timed, TimedJob, race, verdict};
use super::row::BenchRow;
use super::{Bench, board};
use crate::job::Failure;
use crate::search::{Prune, RadleyOptions};
use std::ops::RangeInclusive;

/// Every depth.
const ALL_DEPTHS: RangeInclusive<usize> = 0..=usize::MAX;
/// Depths at which the source's parameters let the test run in one of its settings.
const WINDOW: RangeInclusive<usize> = 9..=22;

/// A test, where it may cut, and the nodes and cut branches of 5x6 and of 6x6.
///
/// 6x6 with `all-isolated` is the source's table; the other figures were recomputed by another program, except those
/// of `region` and of 5x6.
type Tested = (Prune, RangeInclusive<usize>, [u64; 2], [u64; 2]);

const TESTS: &[Tested] = &[
    (Prune::None, ALL_DEPTHS, [7_745_182, 0], [1_769_811_723, 0]),
    (Prune::AllIsolated, ALL_DEPTHS, [5_675_180, 442_826], [1_021_591_377, 113_782_239]),
    (Prune::AllIsolated, WINDOW, [5_849_515, 353_940], [1_388_460_655, 20_423_934]),
    (Prune::AnyIsolated, ALL_DEPTHS, [743_813, 282_377], [150_613_402, 48_416_874]),
    (Prune::Region, ALL_DEPTHS, [386_274, 364_398], [65_889_002, 61_373_920]),
];

/// Branches of the whole tree of 5x6 that a test would cut.
const COUNTED: &[(Prune, u64)] =
    &[(Prune::AllIsolated, 628_944), (Prune::AnyIsolated, 2_054_022), (Prune::Region, 7_358_908)];

/// A reduction switched off: its name, whether the first move is fixed and the last square reserved, the nodes of 5x6 and
/// of 6x6, and what the source says of it.
type Reduction = (&'static str, bool, bool, [u64; 2], &'static str);

const REDUCTIONS: [Reduction; 2] = [
    ("first move not fixed", false, true, [16_078_045, 3_539_623_445], "the source: fixing it halves the time"),
    ("last square not reserved", true, false, [50_060_489, 9_715_912_480], "the source: reserving it gains 5 times"),
];

/// Prints the rows, and those of the windows if they are looked for.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench, windows: bool) -> Result<(), Failure> {
    let shipped = gains(bench)?;
    costs(bench)?;
    reductions(bench, &shipped)?;
    if windows { super::windows::run(bench, bench.is_quick()) } else { Ok(()) }
}

/// Whether each test pays; answers the run without one.
fn gains(bench: &mut Bench) -> Result<Timed, Failure> {
    let (board, rounds) = bench.pick((board("5x6"), 3), (board("6x6"), 1));
    let tours = bench.pick(8, 9862);
    let runs: Vec<TimedJob> = TESTS
        .iter()
        .map(|(prune, window, ..)| RadleyOptions { prune: *prune, window: window.clone(), ..RadleyOptions::shipped() })
        .map(|rules| TimedJob::radley(board, rules))
        .collect();
    let mut timed = race(&runs, rounds)?;
    for ((prune, window, small, large), run) in TESTS.iter().zip(&timed) {
        let [nodes, pruned] = bench.pick(*small, *large);
        let at = if *window == ALL_DEPTHS { "" } else { ", depths 9..22" };
        let row = row(format!("{board} radley, {}{at}", prune.name()), run, tours, nodes).count(
            "pruned",
            run.total.pruned,
            pruned,
        );
        bench.add(match prune {
            Prune::None => row,
            _ => as_long(row, run, &timed[0]).remark(verdict(run.time.cpu_s, timed[0].time.cpu_s)),
        })?;
    }
    Ok(timed.swap_remove(0))
}

/// What each test costs on a tree where its answer is ignored.
fn costs(bench: &mut Bench) -> Result<(), Failure> {
    let board = board("5x6");
    let unpruned = TimedJob::radley(board, RadleyOptions::shipped());
    let ignored = COUNTED.iter().map(|&(prune, _)| RadleyOptions { prune, cut: false, ..RadleyOptions::shipped() });
    let runs: Vec<TimedJob> =
        std::iter::once(unpruned).chain(ignored.map(|rules| TimedJob::radley(board, rules))).collect();
    let timed = race(&runs, bench.pick(3, 9))?;
    for (&(prune, pruned), run) in COUNTED.iter().zip(&timed[1..]) {
        let what = format!("{board} radley, {}, ignored", prune.name());
        let row = row(what, run, 8, timed[0].total.nodes).count("pruned", run.total.pruned, pruned);
        let said = "a test that cuts nothing; the source expects some 50 times as long";
        bench.add(as_long(row, run, &timed[0]).remark(said))?;
    }
    Ok(())
}

/// What the two reductions gain, beside the run `shipped` that has both.
fn reductions(bench: &mut Bench, shipped: &Timed) -> Result<(), Failure> {
    let (board, rounds) = bench.pick((board("5x6"), 3), (board("6x6"), 1));
    let tours = bench.pick(8, 9862);
    for (name, fix_first, reserve_last, nodes, claim) in REDUCTIONS {
        let rules = RadleyOptions { fix_first, reserve_last, ..RadleyOptions::shipped() };
        let run = race(&[TimedJob::radley(board, rules)], rounds)?.remove(0);
        // Without its first move fixed every tour is found in both directions.
        let tours = if fix_first { tours } else { 2 * tours };
        let times_the_nodes = run.total.nodes as f64 / shipped.total.nodes as f64;
        let row = row(format!("{board} radley, {name}"), &run, tours, bench.pick(nodes[0], nodes[1]))
            .figure("times_the_nodes", times_the_nodes);
        bench.add(as_long(row, &run, shipped).remark(claim))?;
    }
    Ok(())
}

fn row(what: String, run: &Timed, tours: u64, nodes: u64) -> BenchRow {
    run.row(what, tours, Some(nodes)).figure("ns_per_node", run.ns_per_node())
}

fn as_long(row: BenchRow, run: &Timed, without: &Timed) -> BenchRow {
    row.figure("times_as_long", run.time.cpu_s / without.time.cpu_s)
}
