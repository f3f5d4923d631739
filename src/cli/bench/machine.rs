//! What this machine is worth, in some minutes, as Markdown for a README: its cores, how each scheduler shares two trees
//! among them, exact counts, the numbering of a large board, the best depths of Radley's prune tests and, on each kind of device
//! there is, cycles of the three-cycle board, the batch of knights, and lanes beside every core.

use super::clock::median;
use super::numbering::{comb, numbered};
use super::row::BenchRow;
use super::sharing::TREES;
use super::{Bench, board, cores, counting, lanes, map, speedup, windows};
use crate::board::Ending;
use crate::cli::chart::Curve;
use crate::cli::doctor;
use crate::gpu::cycle::{CycleEngine, CycleState};
use crate::gpu::{Compass, DeviceChoice, DeviceLabel, adapters};
use crate::job::{Failure, running};
use std::fmt::Write;

/// Closed and open tours of 8x8, and of 6x8 and 6x6 for the quick bench, in the convention of `count`.
const COUNTS: [[(&str, Ending, u64); 2]; 2] = [
    [("6x8", Ending::Closed, 55_488_142), ("6x6", Ending::Open, 6_637_920)],
    [("8x8", Ending::Closed, 13_267_364_410_532), ("8x8", Ending::Open, 19_591_828_170_979_904)],
];
/// The board that is numbered.
const NUMBERED: [&str; 2] = ["1000x1000", "10000x10000"];
/// Widths of the boards of which cycles are timed, and where the knight starts: rows and columns from 0.
const CYCLED: [(&str, u32, u32); 2] = [("8x8", 2, 4), ("32x32", 9, 15)];
/// How often.
const CYCLE_ROUNDS: usize = 3;

/// Measures, and prints the tables at the end.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let mut shared = Vec::new();
    for tree in TREES {
        let (name, tours) = bench.pick(tree.boards[0], tree.boards[1]);
        let (serial_s, _, curves) = speedup::measured(bench, tree, name, tours)?;
        shared.push((format!("{}: {name} {}, {serial_s:.3} s", tree.name, tree.solver), curves));
    }
    let from = bench.rows().len();
    for (name, ending, tours) in bench.pick(COUNTS[0], COUNTS[1]) {
        counting::answer(bench, &(name, ending, cores(), tours, bench.is_quick(), ""))?;
    }
    let comb = comb(bench.pick(NUMBERED[0], NUMBERED[1]))?;
    numbered(bench, &comb, &[cores()])?;
    windows::run(bench, true)?;
    let mut devices = adapters().unwrap_or_default();
    devices.dedup_by_key(|label| label.kind);
    devices.iter().try_for_each(|device| cycles(bench, device))?;
    map::run(bench)?;
    lanes::run(bench)?;
    let tables = tables(&shared, &bench.rows()[from..]);
    bench.say(&tables)?;
    Ok(())
}

/// The time of a cycle of the three-cycle board.
fn cycles(bench: &mut Bench, device: &DeviceLabel) -> Result<(), Failure> {
    for (name, row, col) in CYCLED {
        let board = board(name);
        let start = board.square(row, col).ok_or_else(|| running(name))?;
        let state = || CycleState::new(board, start, Compass::SOURCE).map_err(running);
        let mut engine = CycleEngine::open(&DeviceChoice::Named(device.name.clone()), state()?).map_err(running)?;
        let mut times = Vec::new();
        for _ in 0..CYCLE_ROUNDS {
            let spent = engine.run_whole(state()?).map_err(running)?;
            times.push(1e6 * spent.wall.as_secs_f64() / f64::from(engine.state().cycles().max(1)));
        }
        let squares = engine.state().path().len() as u64;
        let row = BenchRow::new(format!("{name} three-cycle board, {}", engine.label()));
        let row = row.count("squares_visited", squares, u64::from(board.squares()));
        bench.add(row.figure("us_per_cycle", median(times.into_iter())))?;
    }
    Ok(())
}

/// The tables, ready for a README.
fn tables(shared: &[(String, Vec<Curve>)], rows: &[BenchRow]) -> String {
    let mut text = format!("\n```text\n{}```\n", doctor::machine());
    for (tree, curves) in shared.iter().filter(|(_, curves)| !curves.is_empty()) {
        let points = |curve: &Curve| curve.points.iter().skip(1).copied().collect::<Vec<_>>();
        let threads: String = points(&curves[0]).iter().map(|point| format!(" {} |", point.x)).collect();
        let _ = writeln!(text, "\n| speed-up, {tree} |{threads}");
        let _ = writeln!(text, "| --- |{}", " ---: |".repeat(points(&curves[0]).len()));
        for curve in curves {
            let cells = points(curve).into_iter().map(|point| {
                let (least, greatest) = point.spread;
                format!(" {:.2} ({least:.2} to {greatest:.2}) |", point.y)
            });
            let _ = writeln!(text, "| {} |{}", curve.name, cells.collect::<String>());
        }
    }
    let _ = writeln!(text, "\n| work | CPU s | wall s | figures |\n| --- | ---: | ---: | --- |");
    for row in rows {
        let _ = writeln!(text, "{}", row.markdown());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::chart::ChartPoint;

    #[test]
    fn tables_have_a_column_for_each_number_of_threads() {
        let points = vec![
            ChartPoint::exact(1.0, 1.0),
            ChartPoint { x: 2.0, y: 1.9, spread: (1.8, 1.95) },
            ChartPoint::exact(4.0, 3.5),
        ];
        let curve = Curve { name: "hire".into(), letter: 'H', simulated: false, points };
        let row = BenchRow::new("8x8 closed").count("tours", 1, 1).remark("a|b");
        let text = tables(&[("a tree".into(), vec![curve])], &[row]);
        assert!(text.contains("| speed-up, a tree | 2 | 4 |\n| --- | ---: | ---: |\n"), "{text}");
        assert!(text.contains("| hire | 1.90 (1.80 to 1.95) | 3.50 (3.50 to 3.50) |\n"), "{text}");
        assert!(text.contains("| 8x8 closed |  |  | tours 1; a/b |\n"), "{text}");
        assert!(text.starts_with("\n```text\ncores "), "{text}");
    }
}
