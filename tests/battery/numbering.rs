//! A tour of tiles: numbering an array beside filling it, by one thread and by two, and walking without an array.
//!
//! Filling and numbering take turns on arrays of the same size, warm (one array, which the same threads have just
//! written) and cold (a new one, whose pages the system has yet to provide). Pieces of some rows are dealt out to the
//! threads. Time is time on the wall, for memory is what they wait for; every round is compared with itself, because what
//! else the machine does takes milliseconds from the one or the other. The CPU time is that of the threads for the pieces:
//! the clock of the process learns of another thread only at the next tick. `cores` is CPU time by time on the wall; with
//! fewer than there are threads the machine is too busy for times on the wall.
//!
//! With two cores to themselves two threads number a cold 1000x1000 in 0.92 to 0.94 times a fill by two threads and a cold
//! 10,000x10,000 in 0.91 to 0.92 times, 1.7 to 1.8 times as fast as one thread does; warm 1.6 to 1.8, and 0.9 to 1.1
//! times.

use destrier::board::{Board, Ending, Route, Square};
use destrier::cli::bench::{Bench, BenchRow, LapClock, LapTime, board, median};
use destrier::find::comb::Comb;
use destrier::job::{Failure, running};
use destrier::memory::zeros;
use destrier::words;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Arrays of up to so many squares are kept until the round is over, or the next one would get the same pages again.
const KEPT_SQUARES: u32 = 1 << 22;
/// Squares of a large board that are looked at afterwards.
const SPOTS: u32 = 100_000;
/// How many times a fill numbering may take: warm, and cold.
const TARGETS: [f64; 2] = [2.0, 1.1];
/// Steps from square to square that ask the formula for the number of the one and the square of the next.
const ASKED_STEPS: u32 = 1_000_000;

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when the threads cannot be started.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    for name in [bench.pick("200x200", "1000x1000"), bench.pick("1000x1000", "10000x10000")] {
        let comb = Comb::new(board(name), Ending::Closed, [None; 2], 1).map_err(running)?;
        for (warm, threads) in [(true, 1), (true, 2), (false, 1), (false, 2)] {
            beside_a_fill(bench, &comb, warm, threads)?;
        }
        walked(bench, &comb)?;
    }
    Ok(())
}

/// Fills and numbers in turn.
fn beside_a_fill(bench: &mut Bench, comb: &Comb, warm: bool, threads: usize) -> Result<(), Failure> {
    let board = comb.board();
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(running)?;
    let fresh = || zeros(board.squares() as usize);
    let small = board.squares() <= KEPT_SQUARES;
    let (mut arrays, mut filled, mut numbered, mut right) = (Vec::<Vec<u32>>::new(), Vec::new(), Vec::new(), true);
    for _ in 0..bench.pick(3, if small { 25 } else { 9 }) {
        for numbering in [false, true] {
            let mut array = if warm { arrays.pop().unwrap_or_else(fresh) } else { fresh() };
            if warm {
                dealt_out(&pool, board, &mut array, fill);
            }
            if numbering {
                numbered.push(dealt_out(&pool, board, &mut array, |row, rows| number(comb, row, rows)));
                right &= is_right(comb, &array);
            } else {
                filled.push(dealt_out(&pool, board, &mut array, fill));
            }
            if warm || small {
                arrays.push(array);
            }
        }
    }
    let how = format!("{}, {}", if warm { "warm" } else { "cold" }, words::threads(threads));
    for (what, times) in [("filled", &filled), ("numbered", &numbered)] {
        let time = LapTime::median(times.iter().copied());
        // What slows a whole round down changes no ratio.
        let fills = |of: fn(&LapTime) -> f64| median(times.iter().zip(&filled).map(|(time, fill)| of(time) / of(fill)));
        let row = BenchRow::new(format!("{board} {what} {how}"))
            .took(time)
            .figure("ns_per_square", 1e9 * time.wall_s / f64::from(board.squares()))
            .figure("cores", median(times.iter().map(|time| time.cpu_s / time.wall_s)));
        bench.add(match what {
            "filled" => row,
            _ => row
                .must("right", right)
                .figure("times_a_fill", fills(|time| time.wall_s))
                .figure("cpu_times_a_fill", fills(|time| time.cpu_s))
                .remark(format!("target {}", TARGETS[usize::from(!warm)])),
        })?;
    }
    Ok(())
}

/// Deals the rows of an array out to the threads of a pool, a piece of about a mebibyte of numbers at a time, each with the
/// number of its first row: the CPU time of the work, and the time that passed since the first thread was awake.
fn dealt_out(pool: &ThreadPool, board: Board, array: &mut [u32], work: impl Fn(usize, &mut [u32]) + Sync) -> LapTime {
    let rows = (1 << 18 >> board.cols().ilog2()).max(1);
    pool.install(|| {
        let start = Instant::now();
        let pieces = array.par_chunks_mut(rows * board.cols() as usize).enumerate();
        let cpu: Duration = pieces.map(|(piece, numbers)| spent(|| work(piece * rows, numbers))).sum();
        LapTime { cpu_s: cpu.as_secs_f64(), wall_s: start.elapsed().as_secs_f64() }
    })
}

/// CPU time that this thread spends on some work, that of the system for it too.
fn spent(work: impl FnOnce()) -> Duration {
    let cpu = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
    };
    let before = cpu();
    work();
    cpu().saturating_sub(before)
}

fn fill(_: usize, numbers: &mut [u32]) {
    black_box(numbers).fill(0);
}

/// Writes the numbers of some rows from this one on.
fn number(comb: &Comb, row: usize, numbers: &mut [u32]) {
    for (row, numbers) in (row..).zip(numbers.chunks_mut(comb.board().cols() as usize)) {
        comb.number_row(row as u32, numbers);
    }
}

/// Whether the numbers are those of a tour: all of them on a small board, many on a large one.
fn is_right(comb: &Comb, numbers: &[u32]) -> bool {
    let board = comb.board();
    let step = (board.squares() / SPOTS).max(1);
    (0..board.squares()).step_by(step as usize).filter_map(|index| board.at(index)).all(|square| {
        let number = numbers[square.index() as usize];
        let next = comb.square_at((number + 1) % board.squares());
        comb.square_at(number) == Some(square)
            && next.is_some_and(|next| board.adjacent(square, next))
            && next.map(|next| numbers[next.index() as usize]) == Some((number + 1) % board.squares())
    })
}

/// Walks the whole tour, and asks for single steps.
fn walked(bench: &mut Bench, comb: &Comb) -> Result<(), Failure> {
    let (board, squares) = (comb.board(), comb.squares());
    let clock = LapClock::start();
    let sum: u64 = comb.walk_from(0).map(|square| u64::from(square.index())).sum();
    let time = clock.time();
    let all = u64::from(squares) * u64::from(squares - 1) / 2;
    let row = BenchRow::new(format!("{board} walked")).took(time).count("sum_of_squares_numbers", sum, all);
    bench.add(row.figure("ns_per_step", 1e9 * time.cpu_s / f64::from(squares)))?;

    let steps = ASKED_STEPS.min(squares - 1);
    let mut at = comb.square_at(0);
    let successor = |at: Square| comb.square_at(comb.number_of(at)? + 1);
    let clock = LapClock::start();
    for _ in 0..steps {
        at = at.and_then(successor);
    }
    let time = clock.time();
    let row = BenchRow::new(format!("{board}, the square after a square")).took(time);
    let row = row.must("arrived", at == comb.square_at(steps));
    bench.add(row.figure("ns_per_step", 1e9 * time.cpu_s / f64::from(steps)))
}
