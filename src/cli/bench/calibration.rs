//! The calibration: a fixed piece of work, so that figures from two machines can be compared.
//!
//! Words are mixed and their set bits walked one by one, as the kernels walk the moves of a knight: shifts, and-not, and
//! a loop that ends where the data says, which no branch predictor foresees. It touches no memory.

use super::clock::Clock;
use super::row::BenchRow;
use std::hint::black_box;

/// Words mixed: about one second on a core of 2020.
const WORDS: u64 = 140_000_000;
/// What comes out.
const SUM: u64 = 0x2003_3500_de45_bce1;

/// Runs the calibration; its CPU time is the unit of all other rows.
pub fn run() -> BenchRow {
    let clock = Clock::start();
    let sum = work(black_box(WORDS));
    BenchRow::new("a fixed loop").took(clock.time()).must("sum", sum == SUM)
}

fn work(words: u64) -> u64 {
    let mut word: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut sum = 0u64;
    for _ in 0..words {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        let mut bits = word & 0xFF;
        while bits != 0 {
            sum = sum.rotate_left(5) ^ word.wrapping_add(u64::from(bits.trailing_zeros()));
            bits &= bits - 1;
        }
    }
    sum
}
