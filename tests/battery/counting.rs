//! How fast tours are counted without listing them, and how near that comes to merely moving the same bytes; and ranges of
//! boards, counted in one sweep.
//!
//! Beside each count of one board stands a plain copy: as many bytes as the count stored, in buffers of the size of its
//! largest layer, by as many threads. Every counter is written once and read at least once, so that a count which only
//! waited for memory would take about as long. The copy is made twice: into fresh buffers, whose pages the system has yet
//! to map and clear, as it has to for a count; and into the same ones again, which is the bandwidth of the memory.

use crate::measure::memory;
use destrier::board::Ending;
use destrier::cli::bench::{Bench, BenchRow, LapClock, LapTime, board};
use destrier::count::{
    BoardRange, CountAnswer, CountError, CountPlan, CountQuestion, CountSnapshot, CountWatch, RowMeter, Settings,
};
use destrier::job::limits::peak_from_now;
use destrier::job::{Failure, running};
use destrier::memory::zeroed;
use destrier::words;
use num_bigint::BigUint;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::hint::black_box;

/// Bytes that a thread copies at a time.
const CHUNK: usize = 1 << 20;
/// Bytes of a count where only those that are not zero are kept: it has its place beside it.
const SPARSE_BYTES: u64 = 8;

/// A question with its answer.
struct CountCase {
    board: &'static str,
    ending: Ending,
    threads: usize,
    /// In the convention of `count` (OEIS A193055, A193054, A165134).
    tours: u64,
    /// Whether it is part of the quick battery.
    quick: bool,
    target: &'static str,
}

const fn closed(board: &'static str, threads: usize, tours: u64) -> CountCase {
    CountCase { board, ending: Ending::Closed, threads, tours, quick: true, target: "" }
}

const CASES: [CountCase; 6] = [
    closed("6x8", 1, 55_488_142),
    CountCase { ending: Ending::Open, ..closed("6x6", 1, 6_637_920) },
    closed("7x8", 2, 34_524_432_316),
    CountCase { quick: false, ..closed("8x8", 1, 13_267_364_410_532) },
    CountCase { quick: false, target: "target 8 s, 3 GB", ..closed("8x8", 2, 13_267_364_410_532) },
    CountCase {
        ending: Ending::Open,
        quick: false,
        target: "target 120 s, 14 GB",
        ..closed("8x8", 2, 19_591_828_170_979_904)
    },
];

/// The smallest board of a range and the largest, the ending, and whether it is part of the quick battery.
const RANGES: [(&str, &str, Ending, bool); 4] = [
    ("5x1", "5x22", Ending::Closed, true),
    ("6x1", "6x16", Ending::Closed, false),
    ("7x1", "7x10", Ending::Closed, false),
    ("6x1", "6x8", Ending::Open, false),
];
/// Threads of each.
const THREADS: usize = 2;

/// Prints the rows of counts of one board.
///
/// # Errors
/// [`Failure`] when a count fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let quick = bench.is_quick();
    CASES.iter().filter(|case| case.quick || !quick).try_for_each(|case| beside_a_copy(bench, case))
}

/// One count, with what it took.
struct TimedCount {
    answer: CountAnswer,
    /// The last look at it.
    last: CountSnapshot,
    time: LapTime,
    peak_bytes: Option<u64>,
    /// Bytes of all counters that were stored, and of those of the largest layer.
    stored: u64,
    layer: u64,
}

impl TimedCount {
    /// Counts; all of it is timed, the plan too.
    fn of(question: &CountQuestion, threads: usize) -> Result<TimedCount, CountError> {
        let settings = Settings { threads, memory: memory(threads), ..Settings::default() };
        let (peak, clock, watch) = (peak_from_now(), LapClock::start(), CountWatch::new(threads));
        let plan = CountPlan::new(question, settings.memory, &watch)?;
        let answer = plan.run(&settings, &watch, None)?;
        let (last, time) = (watch.snapshot(), clock.time());
        let (stored, layer) = counters(&plan, &last);
        Ok(TimedCount { answer, last, time, peak_bytes: peak(), stored, layer })
    }

    /// The number, if it has at most 64 bits.
    fn tours(&self) -> u64 {
        self.answer.count().and_then(|count| count.value().try_into().ok()).unwrap_or_default()
    }

    fn ns_per_state(&self) -> f64 {
        1e9 * self.time.cpu_s / self.last.states.max(1) as f64
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
fn beside_a_copy(bench: &mut Bench, case: &CountCase) -> Result<(), Failure> {
    let CountCase { ending, threads, tours, quick, target, .. } = *case;
    let board = board(case.board);
    let question = CountQuestion::new(board, ending);
    // The long ones need no median, and bear none. Their first round is for the memory: a machine that is virtual may have to
    // get it from its host, which takes as long as counting in it, and the copies have theirs at hand.
    let rounds = if quick { bench.pick(3, 5) } else { 2 };
    let what = format!("{board} {}", ending.name());
    let row = BenchRow::new(format!("{what}, {}", words::threads(threads)));
    let counted = (0..rounds).map(|_| TimedCount::of(&question, threads)).collect::<Result<Vec<_>, _>>();
    let mut counted = match counted {
        Ok(counted) => counted,
        Err(error) if error.is_too_large() => {
            return bench.add(row.remark(format!("skipped: {error}")).remark(target));
        }
        Err(error) => return Err(running(error)),
    };
    let right = counted.iter().all(|round| round.tours() == tours);
    if !quick {
        counted.remove(0);
    }
    counted.sort_by(|a, b| a.time.cpu_s.total_cmp(&b.time.cpu_s));
    let middle = &counted[counted.len() / 2];
    let row = row
        .took(middle.time)
        .count("tours", middle.tours(), tours)
        .must("every_round_right", right)
        .figure("states", middle.last.states)
        .figure("peak_states", middle.answer.peak_states)
        .figure("ns_per_state", middle.ns_per_state());
    let row = match middle.peak_bytes {
        Some(bytes) => row.figure("peak_bytes", bytes),
        None => row,
    };
    bench.add(row.must("bytes", 0 < middle.layer && middle.layer < middle.stored).remark(target))?;

    let copies = (0..bench.pick(3, 5)).map(|_| copy(middle.stored, middle.layer, threads));
    let copies = copies.collect::<Result<Vec<_>, _>>()?;
    for (place, pages) in ["fresh", "warm"].into_iter().enumerate() {
        let copied = LapTime::median(copies.iter().map(|times| times[place]));
        let row = BenchRow::new(format!("{what}, its bytes copied to {pages} pages"))
            .took(copied)
            .figure("bytes", middle.stored)
            .figure("count_takes_times_the_cpu", middle.time.cpu_s / copied.cpu_s)
            .figure("times_the_wall", middle.time.wall_s / copied.wall_s);
        bench.add(row)?;
    }
    Ok(())
}

/// Copies so many bytes from one buffer to another, round and round, by so many threads: in fresh buffers, and again.
fn copy(bytes: u64, buffer: u64, threads: usize) -> Result<[LapTime; 2], Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(running)?;
    let clock = LapClock::start();
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
    let clock = LapClock::start();
    copy_all(&mut buffers);
    Ok([fresh, clock.time()])
}

/// Prints the rows of ranges, each beside its largest board alone; every known number of the range must come out.
///
/// # Errors
/// [`Failure`] when a count fails.
pub fn ranges(bench: &mut Bench) -> Result<(), Failure> {
    let quick = bench.is_quick();
    for &(first, last, ending, _) in RANGES.iter().filter(|range| range.3 || !quick) {
        let range = BoardRange::new(board(first), board(last)).map_err(running)?;
        let counted = TimedCount::of(&CountQuestion::of_range(range, ending), THREADS).map_err(running)?;
        let alone = TimedCount::of(&CountQuestion::new(board(last), ending), THREADS).map_err(running)?;
        let boards = &counted.answer.boards;
        let known = boards.iter().filter_map(|settled| {
            let known = settled.board.known_tours(ending)?;
            Some(*settled.count.value() == BigUint::from(known.count))
        });
        let (agree, differ): (Vec<bool>, Vec<bool>) = known.partition(|agrees| *agrees);
        let row = BenchRow::new(format!("{range} {}, x{THREADS}", ending.name()))
            .took(counted.time)
            .figure("boards", boards.len() as u64)
            .figure("known_and_equal", agree.len() as u64)
            .count("known_and_different", differ.len() as u64, 0)
            .figure("ns_per_state", counted.ns_per_state())
            .figure("ns_per_state_of_the_largest_alone", alone.ns_per_state());
        let same = boards.last().map(|settled| &settled.count) == alone.answer.count();
        bench.add(row.must("the_largest_alone_is_the_same", same))?;
    }
    Ok(())
}
