//! A tour of tiles: numbering an array against filling it, by one thread and by two, and walking without an array.

use destrier::board::{Route, Square};
use destrier::cli::bench::{Bench, BenchRow, Clock, comb, numbered};
use destrier::find::comb::Comb;
use destrier::job::Failure;

/// Steps from square to square that ask the formula for the number of the one and the square of the next.
const ASKED_STEPS: u32 = 1_000_000;

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when the threads cannot be started.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    for name in [bench.pick("200x200", "1000x1000"), bench.pick("1000x1000", "10000x10000")] {
        let comb = comb(name)?;
        numbered(bench, &comb, &[1, 2])?;
        walked(bench, &comb)?;
    }
    Ok(())
}

/// Walks the whole tour, and asks for single steps.
fn walked(bench: &mut Bench, comb: &Comb) -> Result<(), Failure> {
    let (board, squares) = (comb.board(), comb.squares());
    let clock = Clock::start();
    let sum: u64 = comb.walk_from(0).map(|square| u64::from(square.index())).sum();
    let time = clock.time();
    let all = u64::from(squares) * u64::from(squares - 1) / 2;
    let row = BenchRow::new(format!("{board} walked")).took(time).count("sum_of_squares_numbers", sum, all);
    bench.add(row.figure("ns_per_step", 1e9 * time.cpu_s / f64::from(squares)))?;

    let steps = ASKED_STEPS.min(squares - 1);
    let mut at = comb.square_at(0);
    let successor = |at: Square| comb.square_at(comb.number_of(at)? + 1);
    let clock = Clock::start();
    for _ in 0..steps {
        at = at.and_then(successor);
    }
    let time = clock.time();
    let row = BenchRow::new(format!("{board}, the square after a square")).took(time);
    let row = row.must("arrived", at == comb.square_at(steps));
    bench.add(row.figure("ns_per_step", 1e9 * time.cpu_s / f64::from(steps)))
}
