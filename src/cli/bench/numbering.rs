//! How fast a tour of tiles is written down: numbering an array against filling it, and walking without one.
//!
//! Filling and numbering take turns on arrays of the same size, warm (one array, written before) and cold (a new one,
//! whose pages the system has yet to provide), and both are shared among threads by rows. Time is time on the wall, for
//! memory is what they wait for.

use super::clock::{Clock, Time};
use super::row::Row;
use super::{Bench, board};
use crate::board::{Board, Ending, Route, Square};
use crate::cli::failure::{Failure, running};
use crate::find::comb::Comb;
use crate::schedule::words;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::hint::black_box;

/// Arrays of up to so many squares are kept until the round is over, or the next one would get the same pages again.
const KEPT_SQUARES: u32 = 1 << 22;
/// Squares of a large board that are looked at afterwards.
const SPOTS: u32 = 100_000;
/// Steps from square to square that ask the formula for the number of the one and the square of the next.
const ASKED_STEPS: u32 = 1_000_000;

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when the threads cannot be started.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    for name in [bench.pick("200x200", "1000x1000"), bench.pick("1000x1000", "10000x10000")] {
        let board = board(name);
        let comb = Comb::new(board, Ending::Closed, [None; 2], 1).map_err(running)?;
        [1, 2].iter().try_for_each(|&threads| numbered_by_threads(bench, &comb, threads))?;
        walked(bench, &comb)?;
    }
    Ok(())
}

/// Fills and numbers one board by so many threads, and prints the rows.
///
/// # Errors
/// [`Failure`] when the threads cannot be started.
pub fn numbered_by(bench: &mut Bench, name: &str, threads: usize) -> Result<(), Failure> {
    let comb = Comb::new(board(name), Ending::Closed, [None; 2], 1).map_err(running)?;
    numbered_by_threads(bench, &comb, threads)
}

fn numbered_by_threads(bench: &mut Bench, comb: &Comb, threads: usize) -> Result<(), Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(running)?;
    [true, false].into_iter().try_for_each(|warm| numbered(bench, comb, &pool, warm))
}

/// Fills and numbers in turn.
fn numbered(bench: &mut Bench, comb: &Comb, pool: &ThreadPool, warm: bool) -> Result<(), Failure> {
    let board = comb.board();
    let fresh = || vec![0; board.squares() as usize];
    let (mut array, mut kept) = (fresh(), Vec::new());
    let mut times = [Vec::new(), Vec::new()];
    let mut right = true;
    array.fill(1);
    for _ in 0..bench.pick(3, if board.squares() > KEPT_SQUARES { 5 } else { 25 }) {
        for (way, times) in times.iter_mut().enumerate() {
            let mut own = if warm { std::mem::take(&mut array) } else { fresh() };
            let clock = Clock::start();
            match way {
                0 => pool.install(|| fill(board, &mut own)),
                _ => pool.install(|| number(comb, &mut own)),
            }
            times.push(clock.time());
            if way == 1 {
                right &= is_right(comb, &own);
            }
            match warm {
                true => array = own,
                false if board.squares() <= KEPT_SQUARES => kept.push(own),
                false => {}
            }
        }
    }
    let [filled, numbered] = times.map(|times| Time::median(times.into_iter()));
    let threads = words::threads(pool.current_num_threads());
    let how = format!("{}, {threads}", if warm { "warm" } else { "cold" });
    let ns = |time: Time| 1e9 * time.wall_s / f64::from(board.squares());
    bench.add(Row::new(format!("{board} filled {how}")).took(filled).figure("ns_per_square", ns(filled)))?;
    let row = Row::new(format!("{board} numbered {how}"))
        .took(numbered)
        .must("right", right)
        .figure("ns_per_square", ns(numbered))
        .figure("times_a_fill", numbered.wall_s / filled.wall_s);
    bench.add(row.remark(if warm { "target 2" } else { "target 1.1" }))
}

/// Rows that are one piece of work: about a mebibyte of numbers.
fn rows_at_once(board: Board) -> usize {
    (1 << 18 >> board.cols().ilog2()).max(1) * board.cols() as usize
}

fn fill(board: Board, array: &mut [u32]) {
    array.par_chunks_mut(rows_at_once(board)).for_each(|rows| black_box(rows).fill(0));
}

fn number(comb: &Comb, array: &mut [u32]) {
    let (board, at_once) = (comb.board(), rows_at_once(comb.board()));
    let cols = board.cols() as usize;
    array.par_chunks_mut(at_once).enumerate().for_each(|(chunk, rows)| {
        for (row, numbers) in (chunk * at_once / cols..).zip(rows.chunks_mut(cols)) {
            comb.number_row(row as u32, numbers);
        }
    });
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

/// Walks the whole tour, and asks for single steps.
fn walked(bench: &mut Bench, comb: &Comb) -> Result<(), Failure> {
    let (board, squares) = (comb.board(), comb.squares());
    let clock = Clock::start();
    let sum: u64 = comb.walk_from(0).map(|square| u64::from(square.index())).sum();
    let time = clock.time();
    let all = u64::from(squares) * u64::from(squares - 1) / 2;
    let row = Row::new(format!("{board} walked")).took(time).count("sum_of_squares_numbers", sum, all);
    bench.add(row.figure("ns_per_step", 1e9 * time.cpu_s / f64::from(squares)))?;

    let steps = ASKED_STEPS.min(squares - 1);
    let mut at = comb.square_at(0);
    let successor = |at: Square| comb.square_at(comb.number_of(at)? + 1);
    let clock = Clock::start();
    for _ in 0..steps {
        at = at.and_then(successor);
    }
    let time = clock.time();
    let row = Row::new(format!("{board}, the square after a square")).took(time);
    let row = row.must("arrived", at == comb.square_at(steps));
    bench.add(row.figure("ns_per_step", 1e9 * time.cpu_s / f64::from(steps)))
}
