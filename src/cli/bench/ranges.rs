//! How fast every board of a range is counted in one sweep a modulus, beside its largest board alone; every known number
//! of the range must come out.

use super::clock::{Clock, Time};
use super::row::BenchRow;
use super::{Bench, board, memory};
use crate::board::Ending;
use crate::count::{CountPlan, CountQuestion, CountWatch, Settings, Strip};
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
        let question = CountQuestion::new(board(last), ending);
        let memory = memory(THREADS);
        let settings = Settings { threads: THREADS, memory, ..Settings::default() };

        let (clock, watch) = (Clock::start(), CountWatch::new(THREADS));
        let plan = CountPlan::new(&CountQuestion::of_range(strip, ending), memory, &watch).map_err(running)?;
        let answer = plan.run(&settings, &watch).map_err(running)?;
        let (time, states) = (clock.time(), watch.snapshot().states);
        let known = answer.boards.iter().filter_map(|settled| {
            let known = settled.board.known_tours(ending)?;
            Some(*settled.count.value() == BigUint::from(known.count))
        });
        let (agree, differ): (Vec<bool>, Vec<bool>) = known.partition(|agrees| *agrees);

        let (clock, watch) = (Clock::start(), CountWatch::new(THREADS));
        let alone = CountPlan::new(&question, memory, &watch).and_then(|plan| plan.run(&settings, &watch));
        let (alone, time_alone, states_alone) = (alone.map_err(running)?, clock.time(), watch.snapshot().states);
        let same = answer.boards.last().map(|settled| &settled.count) == alone.count();

        let pace = |time: &Time, states: u64| 1e9 * time.cpu_s / states.max(1) as f64;
        let row = BenchRow::new(format!("{strip} {}, x{THREADS}", ending.name()))
            .took(time)
            .figure("boards", answer.boards.len() as u64)
            .figure("known_and_equal", agree.len() as u64)
            .count("known_and_different", differ.len() as u64, 0)
            .figure("states", states)
            .figure("ns_per_state", pace(&time, states))
            .figure("ns_per_state_of_the_largest_alone", pace(&time_alone, states_alone))
            .must("the_largest_alone_is_the_same", same);
        bench.add(row)?;
    }
    Ok(())
}
