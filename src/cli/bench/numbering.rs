//! How fast a tour of tiles is written down: numbering an array against filling it.
//!
//! Filling and numbering take turns on arrays of the same size, warm (one array, which the same threads have just
//! written) and cold (a new one, whose pages the system has yet to provide), by one thread and by two, to whom pieces of
//! some rows are dealt out. Time is time on the wall, for memory is what they wait for.
//!
//! What else the machine does takes milliseconds from the one or the other: medians of times on the wall have been 1.7
//! times apart, and two threads no faster than one, where the work was the same and two threads got one core. So every
//! round is compared with itself, and the CPU times of the pieces are compared too. `cores` is CPU time by time on the
//! wall: how much of the machine the threads had. If one of them did more than its part, or waited for the other, there
//! would be fewer cores for numbering than for filling.
//!
//! With two cores to themselves two threads number a cold 1000x1000 in 0.92 to 0.94 times a fill by two threads and a cold
//! 10,000x10,000 in 0.91 to 0.92 times, 1.7 to 1.8 times as fast as one thread does; warm 1.6 to 1.8, and 0.9 to 1.1
//! times. Beside a count on every core the system gives two threads the time of one core, often on one core: the pieces
//! are dealt out evenly, 156 and 157 of 313, and yet two are no faster than one.

use super::asked::board;
use super::clock::{Time, median, spent};
use super::report::Bench;
use super::row::BenchRow;
use crate::board::{Board, Ending, Route};
use crate::find::comb::Comb;
use crate::job::{Failure, running};
use crate::memory::zeros;
use crate::words;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Arrays of up to so many squares are kept until the round is over, or the next one would get the same pages again.
const KEPT_SQUARES: u32 = 1 << 22;
/// Squares of a large board that are looked at afterwards.
const SPOTS: u32 = 100_000;
/// How many times a fill numbering may take: warm, and cold.
const TARGETS: [f64; 2] = [2.0, 1.1];
/// With less than this part of the cores asked for, a machine is too busy for times on the wall.
const QUIET: f64 = 0.8;

/// The closed tour of tiles of a board.
///
/// # Errors
/// [`Failure`] when the board has none.
pub fn comb(name: &str) -> Result<Comb, Failure> {
    Comb::new(board(name), Ending::Closed, [None; 2], 1).map_err(running)
}

/// Fills and numbers in turn, by each number of threads in turn, and prints the rows.
///
/// # Errors
/// [`Failure`] when the threads cannot be started.
pub fn numbered(bench: &mut Bench, comb: &Comb, threads: &[usize]) -> Result<(), Failure> {
    let pool = |&threads| ThreadPoolBuilder::new().num_threads(threads).build().map_err(running);
    let pools = threads.iter().map(pool).collect::<Result<Vec<_>, _>>()?;
    let rounds = bench.pick(3, if comb.squares() > KEPT_SQUARES { 9 } else { 25 });
    for warm in [true, false] {
        let taken = taken(comb, &pools, warm, rounds);
        for (pool, own) in pools.iter().zip(&taken) {
            let how = if warm { "warm" } else { "cold" };
            let how = format!("{how}, {}", words::threads(pool.current_num_threads()));
            let [filled, numbered] = own.rows(comb.board(), &how, pool.current_num_threads());
            bench.add(filled)?;
            let numbered = numbered.remark(format!("target {}", TARGETS[usize::from(!warm)]));
            bench.add(match threads {
                [1, _, ..] if pool.current_num_threads() > 1 => {
                    numbered.figure("speed_up", in_pairs(&taken[0].numbered, &own.numbered, |time| time.wall_s))
                }
                _ => numbered,
            })?;
        }
    }
    Ok(())
}

/// What the threads of a pool took, by round.
#[derive(Default)]
struct Taken {
    filled: Vec<Time>,
    numbered: Vec<Time>,
    wrong: bool,
}

impl Taken {
    fn rows(&self, board: Board, how: &str, threads: usize) -> [BenchRow; 2] {
        let row = |what: &str, times: &[Time]| {
            let time = Time::median(times.iter().copied());
            let ns = 1e9 * time.wall_s / f64::from(board.squares());
            let row = BenchRow::new(format!("{board} {what} {how}")).took(time).figure("ns_per_square", ns);
            row.figure("cores", cores(times))
        };
        let numbered = row("numbered", &self.numbered)
            .must("right", !self.wrong)
            .figure("times_a_fill", in_pairs(&self.numbered, &self.filled, |time| time.wall_s))
            .figure("cpu_times_a_fill", in_pairs(&self.numbered, &self.filled, |time| time.cpu_s));
        let busy = cores(&self.filled) < QUIET * threads as f64;
        [row("filled", &self.filled), numbered.remark(if busy { "too few cores: the CPU times count" } else { "" })]
    }
}

/// How much of the machine the threads had.
fn cores(times: &[Time]) -> f64 {
    median(times.iter().map(|time| time.cpu_s / time.wall_s))
}

/// How much more the one took than the other in the same round: what slows a whole round down changes nothing.
fn in_pairs(times: &[Time], others: &[Time], of: fn(Time) -> f64) -> f64 {
    median(times.iter().zip(others).map(|(&time, &other)| of(time) / of(other)))
}

/// Lets filling and numbering take turns on every pool.
fn taken(comb: &Comb, pools: &[ThreadPool], warm: bool, rounds: usize) -> Vec<Taken> {
    let board = comb.board();
    let fresh = || zeros(board.squares() as usize);
    let mut arrays: Vec<Vec<u32>> = Vec::new();
    let mut taken: Vec<Taken> = pools.iter().map(|_| Taken::default()).collect();
    for _ in 0..rounds {
        for (pool, taken) in pools.iter().zip(&mut taken) {
            for numbering in [false, true] {
                let mut array = if warm { arrays.pop().unwrap_or_else(fresh) } else { fresh() };
                if warm {
                    dealt_out(pool, board, &mut array, fill);
                }
                if numbering {
                    taken.numbered.push(dealt_out(pool, board, &mut array, |row, rows| number(comb, row, rows)));
                    taken.wrong |= !is_right(comb, &array);
                } else {
                    taken.filled.push(dealt_out(pool, board, &mut array, fill));
                }
                if warm || board.squares() <= KEPT_SQUARES {
                    arrays.push(array);
                }
            }
        }
    }
    taken
}

/// Rows that are one piece of work: about a mebibyte of numbers.
fn rows_at_once(board: Board) -> usize {
    (1 << 18 >> board.cols().ilog2()).max(1)
}

/// Deals the rows of an array out to the threads of a pool, a piece at a time, each with the number of its first row: the
/// CPU time of the work, and the time that passed since the first thread was awake.
fn dealt_out(pool: &ThreadPool, board: Board, array: &mut [u32], work: impl Fn(usize, &mut [u32]) + Sync) -> Time {
    let rows = rows_at_once(board);
    pool.install(|| {
        let start = Instant::now();
        let pieces = array.par_chunks_mut(rows * board.cols() as usize).enumerate();
        let cpu: Duration = pieces.map(|(piece, numbers)| spent(|| work(piece * rows, numbers))).sum();
        Time { cpu_s: cpu.as_secs_f64(), wall_s: start.elapsed().as_secs_f64() }
    })
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
    let squares = (0..board.squares()).step_by(step as usize).filter_map(|index| board.at(index));
    squares.into_iter().all(|square| {
        let number = numbers[square.index() as usize];
        let next = comb.square_at((number + 1) % board.squares());
        comb.square_at(number) == Some(square)
            && next.is_some_and(|next| board.adjacent(square, next))
            && next.map(|next| numbers[next.index() as usize]) == Some((number + 1) % board.squares())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_write_what_the_walk_says() {
        // Several pieces each, the last one shorter; the thin one is laid across.
        for name in ["700x701", "1201x300", "100001x4"] {
            let comb = Comb::new(board(name), Ending::Open, [None; 2], 3).unwrap();
            let board = comb.board();
            assert!(board.rows() as usize > rows_at_once(board), "{name}");
            let mut walked = vec![u32::MAX; board.squares() as usize];
            (0..).zip(comb.walk()).for_each(|(number, square)| walked[square.index() as usize] = number);
            for threads in 1..=3 {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let mut written = vec![u32::MAX; walked.len()];
                let time = dealt_out(&pool, board, &mut written, |row, rows| number(&comb, row, rows));
                assert!(written == walked, "{name} by {threads}");
                assert!(0.0 < time.cpu_s && time.cpu_s <= 1.1 * threads as f64 * time.wall_s, "{name}: {time:?}");
            }
        }
    }

    #[test]
    fn a_round_that_the_machine_slows_down_changes_no_ratio() {
        let times = |wall_s: [f64; 3]| wall_s.map(|wall_s| Time { cpu_s: 1.0, wall_s });
        let (filled, numbered) = (times([1.0, 4.0, 1.0]), times([1.1, 4.4, 4.0]));
        let medians = [numbered, filled].map(|times| Time::median(times.into_iter()).wall_s);
        assert_eq!(medians[0] / medians[1], 4.0);
        let (filled, numbered) = (filled.to_vec(), numbered.to_vec());
        assert!((in_pairs(&numbered, &filled, |time| time.wall_s) - 1.1).abs() < 1e-9);

        let said = |filled| {
            let taken = Taken { filled, numbered: numbered.clone(), wrong: false };
            taken.rows(board("1000x1000"), "warm, 1 thread", 1)[1].to_string()
        };
        assert!(!said(filled).contains("too few cores"));
        assert!(said(times([4.0; 3]).to_vec()).contains("cpu times a fill 1.00  (too few cores: the CPU times count)"));
    }
}
