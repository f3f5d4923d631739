//! Between which depths each of Radley's prune tests pays most: his parameters are those depths, and he asks his
//! readers what they found.
//!
//! First the last depth is looked for, with the test from the root on; then the first one, with that last depth; both in
//! large steps, and then in steps of one around what was best. The candidates of a scan take turns, and what counts is
//! their CPU time, so that the best window is that of this machine: where a few are as good, any of them may win.
//!
//! # Source
//! James Radley, "Knight's Tour - A JVM thread performance benchmark", 2002.

use super::race::{Timed, TimedJob, race, verdict};
use super::{Bench, board};
use crate::board::Board;
use crate::job::Failure;
use crate::search::{Prune, RadleyOptions};
use std::ops::RangeInclusive;

/// The board, its closed tours, and how large the first steps are: of the quick bench and of the full one.
const BOARDS: [(&str, u64, usize); 2] = [("5x6", 8, 3), ("6x6", 9862, 6)];

/// A scan of windows, on one board, by one test.
struct Scan {
    board: Board,
    prune: Prune,
    rounds: usize,
}

/// Prints a row for each test.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench, small: bool) -> Result<(), Failure> {
    let (name, tours, step) = BOARDS[usize::from(!small)];
    let (board, rounds) = (board(name), if small { 3 } else { 1 });
    for prune in [Prune::AllIsolated, Prune::AnyIsolated, Prune::Region] {
        let scan = Scan { board, prune, rounds };
        let squares = board.squares() as usize;
        let coarse = || (1..=squares).step_by(step);
        let near = |depth: usize| depth.saturating_sub(step - 1).max(1)..=(depth + step - 1).min(squares);
        let last = scan.best(coarse(), |last| 0..=last)?;
        let last = scan.best(near(last), |last| 0..=last)?;
        let first = scan.best(coarse().filter(|&first| first <= last), |first| first..=last)?;
        let first = scan.best(near(first).filter(|&first| first <= last), |first| first..=last)?;
        let runs = [Prune::None, prune, prune].into_iter().zip([0..=squares, 0..=squares, first..=last]);
        let runs: Vec<TimedJob> = runs.map(|(prune, window)| scan.run(prune, window)).collect();
        let timed = race(&runs, rounds)?;
        let times = |other: &Timed| timed[2].time.cpu_s / other.time.cpu_s;
        let what = format!("{name} radley, {}, its best window", prune.name());
        let row = timed[2].row(what, tours, None).figure("from", first as u64).figure("to", last as u64);
        let row = row.figure("pruned", timed[2].total.pruned).figure("times_as_long_as_none", times(&timed[0]));
        let row = row.figure("times_as_long_as_everywhere", times(&timed[1]));
        bench.add(row.remark(verdict(timed[2].time.cpu_s, timed[0].time.cpu_s)))?;
    }
    Ok(())
}

impl Scan {
    fn run(&self, prune: Prune, window: RangeInclusive<usize>) -> TimedJob {
        TimedJob::radley(self.board, RadleyOptions { prune, window, ..RadleyOptions::shipped() })
    }

    /// The candidate whose window takes least.
    fn best(
        &self,
        candidates: impl Iterator<Item = usize>,
        window: impl Fn(usize) -> RangeInclusive<usize>,
    ) -> Result<usize, Failure> {
        let candidates: Vec<usize> = candidates.collect();
        let runs: Vec<TimedJob> = candidates.iter().map(|&depth| self.run(self.prune, window(depth))).collect();
        let timed = race(&runs, self.rounds)?;
        let best = candidates.iter().zip(&timed).min_by(|a, b| a.1.time.cpu_s.total_cmp(&b.1.time.cpu_s));
        Ok(best.map_or(self.board.squares() as usize, |(&depth, _)| depth))
    }
}
