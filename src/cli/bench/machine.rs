//! What this machine is worth, in some minutes and as Markdown to send: its processor and memory, what sharing costs on it,
//! the rows of all groups, and here those of other work: an exact count, a tour written down, tours written to a file and
//! verified, and the batch of knights on the CPU and on each kind of device.

use super::row::{BenchRow, LapClock};
use super::{Bench, board, cores};
use crate::board::{Board, Ending, Route, Square, Tour};
use crate::cli::gpu;
use crate::cli::verify::{self, VerifyArgs};
use crate::count::{CountPlan, CountQuestion, CountWatch, Settings};
use crate::find::comb::Comb;
use crate::gpu::map::Batch;
use crate::gpu::{DeviceChoice, DevicePlace, ORDERS, adapters};
use crate::job::limits::available;
use crate::job::output::{Destination, TourFormat};
use crate::job::{Failure, io_failure, running, solve_unobserved};
use crate::memory::zeroed;
use crate::schedule::{CrewPlan, Scheduler};
use crate::solve::Problem;

/// A board and its closed tours, counted (OEIS A193055): of the quick bench and of the full one.
const COUNTED: [(&str, u64); 2] = [("6x8", 55_488_142), ("8x8", 13_267_364_410_532)];
/// Bytes that the count may take where the system does not say what is available.
const MEMORY: u64 = 4 << 30;
/// The board of which every square is numbered, and how often.
const NUMBERED: (&str, u64) = ("1000x1000", 25);
/// Tours of 8x8 that are written and verified: of the quick bench and of the full one.
const WRITTEN: [u64; 2] = [50_000, 1_000_000];
/// Knights of 8x8 that visit every square, of 64 x 40,320: counted by two programs of their own.
const COMPLETE: u64 = 2_501_648;
/// Orders for a driver in software, which is no rival: of the quick bench and of the full one.
const SOFTWARE_ORDERS: [u32; 2] = [400, 4000];

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    counted(bench)?;
    numbered(bench)?;
    written(bench)?;
    knights(bench, DevicePlace::Cpu(None), ORDERS)?;
    // Without any there is nothing to measure; `destrier doctor` says why.
    let mut devices = adapters().unwrap_or_default();
    devices.dedup_by_key(|device| device.kind);
    for device in devices {
        let orders =
            if device.kind.is_hardware() { ORDERS } else { bench.pick(SOFTWARE_ORDERS[0], SOFTWARE_ORDERS[1]) };
        match DevicePlace::open(&DeviceChoice::Named(device.name.clone())) {
            Ok(place) => knights(bench, place, orders)?,
            Err(why) => bench.add(BenchRow::new(format!("8x8 x {orders}, {device}")).remark(why.to_string()))?,
        }
    }
    Ok(())
}

/// An exact count; one that does not fit in memory is skipped and said.
fn counted(bench: &mut Bench) -> Result<(), Failure> {
    let (name, tours) = bench.pick(COUNTED[0], COUNTED[1]);
    let (clock, threads) = (LapClock::start(), cores());
    let watch = CountWatch::new(threads);
    let settings = Settings { threads, memory: available(threads).unwrap_or(MEMORY), ..Settings::default() };
    let question = CountQuestion::new(board(name), Ending::Closed);
    let answer = CountPlan::new(&question, settings.memory, &watch).and_then(|plan| plan.run(&settings, &watch, None));
    let row = BenchRow::new(format!("{name} closed, counted x{threads}"));
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) if error.is_too_large() => return bench.add(row.remark(format!("skipped: {error}"))),
        Err(error) => return Err(running(error)),
    };
    let (time, states) = (clock.time(), watch.snapshot().states);
    let count = answer.count().and_then(|count| count.value().try_into().ok()).unwrap_or_default();
    let row = row.took(time).count("tours", count, tours).figure("states", states);
    bench.add(row.figure("ns_per_state", 1e9 * time.cpu_s / states.max(1) as f64))
}

/// The numbers of a tour of tiles, written to an array again and again; the tour is verified.
fn numbered(bench: &mut Bench) -> Result<(), Failure> {
    let (name, rounds) = NUMBERED;
    let comb = Comb::new(board(name), Ending::Closed, [None; 2], 1).map_err(running)?;
    let board = comb.board();
    let mut numbers = zeroed::<u32>(board.squares() as usize).map_err(running)?;
    let clock = LapClock::start();
    for _ in 0..rounds {
        let rows = numbers.chunks_exact_mut(board.cols() as usize);
        (0..).zip(rows).for_each(|(row, numbers)| comb.number_row(row, numbers));
    }
    let time = clock.time();
    let row =
        BenchRow::new(format!("{name} numbered {rounds} times")).took(time).must("a_tour", is_tour(board, &numbers));
    bench.add(row.figure("ns_per_square", 1e9 * time.cpu_s / (rounds * u64::from(board.squares())) as f64))
}

/// Whether every number leads to the next one by a knight's move, and the last to the first.
fn is_tour(board: Board, numbers: &[u32]) -> bool {
    let mut squares: Vec<Option<Square>> = vec![None; numbers.len()];
    for (square, &number) in board.all().zip(numbers) {
        if let Some(at) = squares.get_mut(number as usize) {
            *at = Some(square);
        }
    }
    let squares: Option<Vec<Square>> = squares.into_iter().collect();
    squares.is_some_and(|squares| Tour::verify(board, Ending::Closed, squares).is_ok())
}

/// Tours of 8x8 written to a file as lists, and verified.
fn written(bench: &mut Bench) -> Result<(), Failure> {
    let (tours, threads) = (bench.pick(WRITTEN[0], WRITTEN[1]), cores());
    let problem = Problem { limit: Some(tours), ..Problem::new(board("8x8"), Ending::Closed) };
    let folder = tempfile::tempdir().map_err(io_failure("a temporary folder"))?;
    let file = folder.path().join("tours");
    let format = TourFormat::Line;
    let out = Destination::new("--out", Some(&file), false)?.formed(format, &problem.shape, problem.ending);
    let row = |what: &str, found: u64, clock: &LapClock| {
        let time = clock.time();
        let row = BenchRow::new(format!("8x8 lists {what} x{threads}")).took(time).count("tours", found, tours);
        row.figure("tours_per_s", found as f64 / time.wall_s)
    };
    let clock = LapClock::start();
    let crew = CrewPlan::of(threads, Scheduler::HIRE);
    let found = solve_unobserved("edges", &problem, crew, out.for_workers(format, &problem.shape))?.total().tours;
    out.keep()?;
    bench.add(row("to a file", found, &clock))?;
    let clock = LapClock::start();
    let valid = verify::tally(&VerifyArgs::of(file, threads as u32))?.valid;
    bench.add(row("verified", valid, &clock))
}

/// The batch of knights: every start of 8x8 with so many orders of the moves. A device moves its knights beside the CPU, which
/// must agree on every one of them.
fn knights(bench: &mut Bench, place: DevicePlace, orders: u32) -> Result<(), Failure> {
    let compare = !matches!(place, DevicePlace::Cpu(_));
    let batch = Batch::new(board("8x8"), orders).map_err(running)?;
    let outcome = gpu::whole(batch, place, compare)?;
    let pace = outcome.moves_per_s();
    let mut row = BenchRow::new(format!("8x8 x {orders}, {}", outcome.done_by.label)).figure("moves_per_s", pace);
    if orders == ORDERS {
        row = row.count("complete", outcome.map.complete(), COMPLETE);
    }
    if let Some(compared) = &outcome.compared {
        row = row
            .count("knights_compared", compared.knights, outcome.map.batch().knights())
            .count("unequal", compared.unequal, 0)
            .figure("times_the_CPU", pace / compared.moves_per_s());
    }
    bench.add(row.remark(outcome.done_by.instead.map_or(String::new(), |why| why.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_no_tour_are_seen() {
        let comb = Comb::new(board("200x200"), Ending::Closed, [None; 2], 1).unwrap();
        let mut numbers = vec![0; 40_000];
        (0..).zip(numbers.chunks_exact_mut(200)).for_each(|(row, numbers)| comb.number_row(row, numbers));
        assert!(is_tour(comb.board(), &numbers));
        numbers.swap(3, 4);
        assert!(!is_tour(comb.board(), &numbers));
    }
}
