//! How fast tours are counted without listing them, and how near that comes to merely moving the same bytes.
//!
//! Beside each count of one board stands a plain copy: as many bytes as the count stored, in buffers of the size of its
//! largest layer, by as many threads. Every counter is written once and read at least once, so that a count which only
//! waited for memory would take about as long. The copy is made twice: into fresh buffers, whose pages the system has yet
//! to map and clear, as it has to for a count; and into the same ones again, which is the bandwidth of the memory.

use super::clock::{Clock, Time};
use super::row::BenchRow;
use super::speed::{EVERY, boards_up_to, every_open_count};
use super::{Bench, board, cores, memory};
use crate::board::{Board, Ending};
use crate::count::{CountAnswer, CountError, CountPlan, CountQuestion, CountSnapshot, CountWatch, RowMeter, Settings};
use crate::job::limits::Peak;
use crate::job::{Failure, running};
use crate::memory::zeroed;
use crate::words;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::hint::black_box;

/// Bytes that a thread copies at a time.
const CHUNK: usize = 1 << 20;

/// Bytes of a count where only those that are not zero are kept: it has its place beside it.
const SPARSE_BYTES: u64 = 8;

/// A question with its answer: board, ending, threads; the tours, in the convention of `count` (OEIS A193055, A193054,
/// A165134); whether it is part of the quick bench; and what to hold it against.
pub type CountingCase = (&'static str, Ending, usize, u64, bool, &'static str);

const CASES: &[CountingCase] = &[
    ("6x8", Ending::Closed, 1, 55_488_142, true, ""),
    ("6x6", Ending::Open, 1, 6_637_920, true, ""),
    ("7x8", Ending::Closed, 2, 34_524_432_316, true, ""),
    ("8x8", Ending::Closed, 1, 13_267_364_410_532, false, ""),
    ("8x8", Ending::Closed, 2, 13_267_364_410_532, false, "target 8 s, 3 GB"),
    ("8x8", Ending::Open, 2, 19_591_828_170_979_904, false, "target 120 s, 14 GB"),
];

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a count fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let quick = bench.is_quick();
    for case in CASES.iter().filter(|case| case.4 || !quick) {
        answer(bench, case)?;
    }
    if !bench.is_quick() {
        bench.add(all_open_counts()?)?;
    }
    Ok(())
}

/// One count, with what it took.
pub struct TimedCount {
    /// The answer.
    pub answer: CountAnswer,
    /// The last look at it.
    pub last: CountSnapshot,
    /// How long it took.
    pub time: Time,
    peak_bytes: Option<u64>,
    /// Bytes of all counters that were stored, and of those of the largest layer.
    stored: u64,
    layer: u64,
}

impl TimedCount {
    /// Counts; all of it is timed, the plan too.
    pub fn of(question: &CountQuestion, threads: usize) -> Result<TimedCount, CountError> {
        let settings = Settings { threads, memory: memory(threads), ..Settings::default() };
        let (peak, clock, watch) = (Peak::from_now(), Clock::start(), CountWatch::new(threads));
        let plan = CountPlan::new(question, settings.memory, &watch)?;
        let answer = plan.run(&settings, &watch)?;
        let (last, time) = (watch.snapshot(), clock.time());
        let (stored, layer) = counters(&plan, &last);
        Ok(TimedCount { answer, last, time, peak_bytes: peak.bytes(), stored, layer })
    }

    /// The number; all numbers of the bench have at most 64 bits.
    fn tours(&self) -> u64 {
        self.answer.count().and_then(|count| count.value().try_into().ok()).unwrap_or_default()
    }
}

/// Bytes of all counters that a run stored, and of those of its largest dense layer. Widths are known by the row, of the
/// last sweep; the others are taken to be like it.
fn counters(plan: &CountPlan, last: &CountSnapshot) -> (u64, u64) {
    let dense = |states: u64, bits: u32| states * u64::from(bits) / 8;
    let bytes = |row: &RowMeter| if row.bits == 0 { row.nonzero * SPARSE_BYTES } else { dense(row.done, row.bits) };
    let states: u64 = last.by_row.iter().map(|row| row.done).sum();
    let of_sweep: u64 = last.by_row.iter().map(bytes).sum();
    let rows = plan.sweeps().last().map_or(&[][..], |sweep| &sweep.rows);
    let layer = rows.iter().zip(&last.by_row).map(|(planned, row)| dense(planned.peak, row.bits)).max();
    let stored = of_sweep as f64 * last.states as f64 / states.max(1) as f64;
    (stored as u64, layer.unwrap_or(0))
}

/// Counts as often as the median needs, and copies as many bytes; what does not fit in memory is skipped and said.
pub fn answer(bench: &mut Bench, &(name, ending, threads, tours, quick, beside): &CountingCase) -> Result<(), Failure> {
    let board = board(name);
    let question = CountQuestion::new(board, ending);
    // The long ones need no median, and bear none. Their first round is for the memory: a machine that is virtual may have to
    // get it from its host, which takes as long as counting in it, and the copies have theirs at hand.
    let rounds = if quick { bench.pick(3, 5) } else { 2 };
    let rounds = (0..rounds).map(|_| TimedCount::of(&question, threads)).collect::<Result<Vec<_>, _>>();
    let (word, of_threads) = (ending.name(), words::threads(threads));
    let row = BenchRow::new(format!("{board} {word}, {of_threads}"));
    let mut rounds = match rounds {
        Ok(rounds) => rounds,
        Err(error @ (CountError::Refused(_) | CountError::PlanTooLarge { .. })) => {
            return bench.add(row.remark(format!("skipped: {error}")).remark(beside));
        }
        Err(error) => return Err(running(error)),
    };
    let wrong = rounds.iter().find(|counted| counted.tours() != tours).map(TimedCount::tours);
    if !quick {
        rounds.remove(0);
    }
    rounds.sort_by(|a, b| a.time.cpu_s.total_cmp(&b.time.cpu_s));
    let counted = &rounds[rounds.len() / 2];
    let time = Time::median(rounds.iter().map(|counted| counted.time));

    let states = counted.last.states.max(1);
    let row = row
        .took(time)
        .count("tours", wrong.unwrap_or(tours), tours)
        .figure("states", counted.last.states)
        .figure("peak_states", counted.answer.peak_states)
        .figure("ns_per_state", 1e9 * time.cpu_s / states as f64);
    let row = counted.peak_bytes.map_or(row.clone(), |bytes| row.figure("peak_bytes", bytes));
    bench.add(row.remark(beside))?;

    let copies = (0..bench.pick(3, 5)).map(|_| copy(counted.stored, counted.layer, threads));
    let copies = copies.collect::<Result<Vec<_>, _>>()?;
    for (place, pages) in ["fresh", "warm"].into_iter().enumerate() {
        let copied = Time::median(copies.iter().map(|times| times[place]));
        let row = BenchRow::new(format!("{board} {word}, its bytes copied to {pages} pages, {of_threads}"))
            .took(copied)
            .figure("bytes", counted.stored)
            .figure("count_takes_times_the_cpu", time.cpu_s / copied.cpu_s)
            .figure("times_the_wall", time.wall_s / copied.wall_s);
        bench.add(row)?;
    }
    Ok(())
}

/// Copies so many bytes from one buffer to another, round and round, by so many threads: in fresh buffers, and again.
fn copy(bytes: u64, buffer: u64, threads: usize) -> Result<[Time; 2], Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(running)?;
    let clock = Clock::start();
    let len = buffer.clamp(1, bytes.max(1)) as usize;
    let mut buffers = [zeroed::<u8>(len).map_err(running)?, zeroed::<u8>(len).map_err(running)?];
    let copy_all = |buffers: &mut [Vec<u8>; 2]| {
        let mut left = bytes;
        while left > 0 {
            let now = left.min(len as u64) as usize;
            let [from, to] = buffers;
            let chunks = from[..now].par_chunks(CHUNK).zip(to[..now].par_chunks_mut(CHUNK));
            pool.install(|| chunks.for_each(|(from, to)| black_box(to).copy_from_slice(black_box(from))));
            buffers.reverse();
            left -= now as u64;
        }
    };
    copy_all(&mut buffers);
    let fresh = clock.time();
    // What was never written is read from one page of zeros, which every cache holds.
    buffers.iter_mut().for_each(|buffer| buffer.fill(1));
    let clock = Clock::start();
    copy_all(&mut buffers);
    Ok([fresh, clock.time()])
}

/// All open tours of the boards of `speed`, counted.
fn all_open_counts() -> Result<BenchRow, Failure> {
    let [_, (squares_max, tours)] = EVERY;
    let count = |board: Board| {
        TimedCount::of(&CountQuestion::new(board, Ending::Open), cores())
            .map(|counted| (board, counted.tours(), counted.time))
            .map_err(running)
    };
    let counted = boards_up_to(squares_max).into_iter().map(count).collect::<Result<Vec<_>, _>>()?;
    let row = every_open_count(squares_max, tours, &counted);
    Ok(row.remark(format!("x{}", cores())).remark("target 1 s; Luschny x2 35"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_bytes_are_copied_whatever_the_buffers() {
        for (bytes, buffer) in [(0, 0), (10, 3), (3 << 20, 1 << 20), (5, 1 << 30)] {
            assert!(copy(bytes, buffer, 2).is_ok());
        }
    }

    #[test]
    fn a_count_of_the_bench_knows_its_bytes() {
        let question = CountQuestion::new(board("6x8"), Ending::Closed);
        let counted = TimedCount::of(&question, 1).unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(counted.tours(), 55_488_142);
        assert!(0 < counted.layer && counted.layer < counted.stored);
    }
}
