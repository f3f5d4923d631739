//! Whether the intervals of `count --estimate` hold what they promise, on boards whose numbers are known.
//!
//! Each board is estimated from many seeds. Of 100 intervals of 95 % some five miss the number; 90 must hold it. The
//! seeds are fixed, so that the same intervals come out everywhere.

use destrier::board::{CountKind, Ending, Shape};
use destrier::cli::bench::{Bench, BenchRow, LapClock, board, cores};
use destrier::count::estimate::{Estimator, WalkLimit, Walks};
use destrier::job::{Failure, running};

/// The boards; numbers from `board::known_counts`.
const BOARDS: [(&str, Ending); 12] = [
    ("6x6", Ending::Closed),
    ("3x20", Ending::Closed),
    ("5x8", Ending::Closed),
    ("6x8", Ending::Closed),
    ("7x8", Ending::Closed),
    ("8x8", Ending::Closed),
    ("8x10", Ending::Closed),
    ("9x10", Ending::Closed),
    ("5x5", Ending::Open),
    ("4x10", Ending::Open),
    ("6x6", Ending::Open),
    ("8x8", Ending::Open),
];

/// Shapes, and their numbers by `count`.
const SHAPES: [(&str, Ending, f64); 4] = [
    ("6x6-a1,f1", Ending::Closed, 51_504.0),
    ("7x7-d4", Ending::Closed, 93_075_384.0),
    ("8x8-a1,h1,a8,h8", Ending::Closed, 849_554_024_857_540.0),
    ("6x6-a1,f1,a6,f6", Ending::Open, 117_513_808.0),
];

/// Squares of a board beyond which an interval takes more walks.
const LARGE: u32 = 64;

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a number is not known.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    for (name, ending) in BOARDS {
        let board = board(name);
        let known = match ending {
            Ending::Closed => board.known_count(CountKind::ClosedUndirected),
            Ending::Open => board.known_open_directed(),
        };
        let known = known
            .ok_or_else(|| running(format!("no number of {} tours of {board} is known", ending.name())))?
            .count as f64;
        bench.add(holds(bench, &board.into(), ending, known)?)?;
    }
    for (name, ending, known) in SHAPES {
        bench.add(holds(bench, &name.parse().map_err(running)?, ending, known)?)?;
    }
    Ok(())
}

/// The row of a shape whose number is known.
fn holds(bench: &Bench, shape: &Shape, ending: Ending, known: f64) -> Result<BenchRow, Failure> {
    let (seeds, samples) = bench.pick((20, 200), (100, 1000));
    // Weights of walks on large boards differ more.
    let samples = if shape.squares() > LARGE && !bench.is_quick() { 4 * samples } else { samples };
    let clock = LapClock::start();
    let estimator = Estimator::new(shape, ending).map_err(running)?;
    let (mut held, mut mean, mut effective) = (0, 0.0, 0.0);
    for seed in 0..seeds {
        let (tally, _) = estimator.run(&Walks::default(), seed, WalkLimit::Samples(samples), cores());
        held += u64::from(tally.holds(known) == Some(true));
        mean += tally.estimate() / known / seeds as f64;
        effective += tally.effective_samples() / samples as f64 / seeds as f64;
    }
    let row = BenchRow::new(format!("{shape} {}, intervals from {samples} walks", ending.name()))
        .took(clock.time())
        .figure("seeds", seeds)
        .figure("hold", held)
        .figure("mean_of_known", mean)
        .figure("effective_share", effective)
        .must("nine_of_ten_hold", 10 * held >= 9 * seeds || bench.is_quick() && 10 * held >= 8 * seeds);
    Ok(row)
}
