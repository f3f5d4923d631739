//! How fast every board of a range is counted in one sweep a modulus, beside its largest board alone; every known number
//! of the range must come out.

use super::counting::TimedCount;
use super::row::BenchRow;
use super::{Bench, board};
use crate::board::Ending;
use crate::count::{CountQuestion, Strip};
use crate::job::{Failure, running};
use num_bigint::BigUint;

/// The smallest board of a range and the largest, the ending, and whether it is part of the quick bench.
const RANGES: [(&str, &str, Ending, bool); 4] = [
    ("5x1", "5x22", Ending::Closed, true),
    ("6x1", "6x16", Ending::Closed, false),
    ("7x1", "7x10", Ending::Closed, false),
    ("6x1", "6x8", Ending::Open, false),
];

/// Threads of each.
const THREADS: usize = 2;

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a count fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let quick = bench.is_quick();
    for &(first, last, ending, _) in RANGES.iter().filter(|range| range.3 || !quick) {
        let strip = Strip::new(board(first), board(last)).map_err(running)?;
        let range = TimedCount::of(&CountQuestion::of_range(strip, ending), THREADS).map_err(running)?;
        let known = range.answer.boards.iter().filter_map(|settled| {
            let known = settled.board.known_tours(ending)?;
            Some(*settled.count.value() == BigUint::from(known.count))
        });
        let (agree, differ): (Vec<bool>, Vec<bool>) = known.partition(|agrees| *agrees);

        let alone = TimedCount::of(&CountQuestion::new(board(last), ending), THREADS).map_err(running)?;
        let same = range.answer.boards.last().map(|settled| &settled.count) == alone.answer.count();

        let pace = |counted: &TimedCount| 1e9 * counted.time.cpu_s / counted.last.states.max(1) as f64;
        let row = BenchRow::new(format!("{strip} {}, x{THREADS}", ending.name()))
            .took(range.time)
            .figure("boards", range.answer.boards.len() as u64)
            .figure("known_and_equal", agree.len() as u64)
            .count("known_and_different", differ.len() as u64, 0)
            .figure("states", range.last.states)
            .figure("ns_per_state", pace(&range))
            .figure("ns_per_state_of_the_largest_alone", pace(&alone))
            .must("the_largest_alone_is_the_same", same);
        bench.add(row)?;
    }
    Ok(())
}
