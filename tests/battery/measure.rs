//! What groups measure with: a corner, memory for a count, and ways of doing the same that take turns.

use destrier::board::{Board, Square};
use destrier::cli::bench::{LapClock, LapTime};
use destrier::job::limits::available;
use std::time::Duration;

/// Bytes that a count may take where the system does not say what is available.
const MEMORY: u64 = 4 << 30;
/// A round that is shorter than this repeats the work.
const ROUND_MIN: Duration = Duration::from_millis(100);

/// The top left corner, where Radley and the trees of one start begin.
pub fn corner(board: Board) -> Square {
    board.at(0).unwrap_or_else(|| unreachable!("every board has a square 0"))
}

/// Bytes that a count by so many threads may take.
pub fn memory(threads: usize) -> u64 {
    available(threads).unwrap_or(MEMORY)
}

/// Lets ways of doing something take turns for some rounds; of each the median time of once, and what it came to last.
pub fn turns<T>(rounds: usize, ways: &mut [impl FnMut() -> T]) -> Vec<(LapTime, T)> {
    let mut times = vec![Vec::new(); ways.len()];
    let mut last = Vec::new();
    for _ in 0..rounds.max(1) {
        last.clear();
        for (way, times) in ways.iter_mut().zip(&mut times) {
            let (clock, mut done) = (LapClock::start(), 0.0);
            loop {
                let result = way();
                done += 1.0;
                let LapTime { cpu_s, wall_s } = clock.time();
                if wall_s >= ROUND_MIN.as_secs_f64() {
                    times.push(LapTime { cpu_s: cpu_s / done, wall_s: wall_s / done });
                    last.push(result);
                    break;
                }
            }
        }
    }
    times.into_iter().map(|times| LapTime::median(times.into_iter())).zip(last).collect()
}
