//! How long a pass will take, from what this machine does now.
//!
//! Three things take time. A state takes a little, and more where its pattern has many pairs of ends: then the sums of a
//! block do not fit the core's caches. A pattern takes as much as many states: whatever is found out about it is found out
//! once for its whole block. And fresh memory takes its time, on some machines more than all counting in it: every page is
//! handed over, and cleared, when it is written to for the first time. Two small boards are counted and some memory is
//! written to, which tells the rest.
//!
//! The weights below were fitted to processor times of 7x8 to 7x10 and 8x8 to 8x10, closed and open. On two cores of a virtual
//! machine, itself a third faster at times, plans said 0.76 to 1.28 times what 29 counts from 6x12 to 8x11 then took, planning
//! included, and of one more 0.66. By states alone it was 0.5 to 2.2.

use super::error::CountError;
use super::plan::CountPlan;
use super::primes::NARROW;
use super::question::CountQuestion;
use super::residues::Modulus;
use super::settings::Settings;
use super::watch::CountWatch;
use crate::board::{Board, Ending};
use crate::memory::zeroed;
use rayon::prelude::*;
use std::ops::Range;
use std::time::Instant;

/// Of open tours more rules lead to a pattern.
const OPEN_TIMES: f64 = 1.2;
/// Boards that are counted, closed: a second on two cores.
const BOARDS: [[u64; 2]; 2] = [[7, 8], [7, 10]];
/// Fresh memory that is written to, in bytes at most, and how far apart.
const FRESH: u64 = 1 << 27;
const PAGE: usize = 1 << 12;
/// What a state of a larger board takes, whose layers lie farther from the core; what is no larger takes no time.
const LARGER_TIMES: f64 = 1.05;
/// A number of so many bits that still fits 64 has counts of more than 32 where layers are large: 8x10 closed has 62 bits,
/// 8x8 open 54.
const WIDE_BITS: Range<f64> = 56.0..64.0;
/// What counts of 64 bits make of the time: twice the bytes, and steps that are done again.
const WIDE_TIMES: f64 = 1.3;
/// Much memory may be more than this machine has at hand: one that is virtual has given some back. What is beyond this takes
/// three times as long.
const AT_HAND: u64 = 4 << 30;

/// What things take on this machine.
#[derive(Clone, Copy, Debug)]
pub struct MeasuredPace {
    /// Seconds a state.
    pub state: f64,
    /// Seconds a byte of fresh memory.
    pub fresh: f64,
}

impl CountPlan {
    /// Seconds that a pass modulo this will take, about.
    pub fn seconds(&self, pace: &MeasuredPace, modulus: Modulus, settings: &Settings, watch: &CountWatch) -> f64 {
        let is_wide = match modulus {
            Modulus::None => self.size(watch).is_some_and(|bits| WIDE_BITS.contains(&bits)),
            Modulus::TwoTo64 => true,
            Modulus::Prime(prime) => prime >= NARROW,
        };
        // Files are written to where there is room in memory.
        let fresh = match settings.spill {
            Some(_) => 0,
            None => self.counts(32) + if is_wide { self.counts(64) } else { 0 },
        };
        let fresh = fresh + 2 * fresh.saturating_sub(AT_HAND);
        let is_open = self.question().ending == Ending::Open;
        let times = [(true, LARGER_TIMES), (is_wide, WIDE_TIMES), (is_open, OPEN_TIMES)];
        let times: f64 = times.into_iter().filter(|&(holds, _)| holds).map(|(_, times)| times).product();
        times * pace.state * self.work() as f64 + pace.fresh * fresh as f64
    }

    /// What one pass takes, as so many states of few pairs.
    fn work(&self) -> u64 {
        self.sweeps().iter().flat_map(|sweep| &sweep.rows).map(|row| row.work).sum()
    }
}

impl MeasuredPace {
    /// That of so many threads, measured now: a second or two. Nothing if the boards that are counted for it do not fit in
    /// the memory that may be taken.
    ///
    /// # Errors
    /// [`CountError::Stopped`].
    pub fn now(settings: &Settings, watch: &CountWatch) -> Result<Option<MeasuredPace>, CountError> {
        let pace = MeasuredPace::tried(settings, watch);
        if watch.is_stopped() { Err(CountError::Stopped) } else { Ok(pace) }
    }

    /// The same; whatever comes if it was stopped.
    fn tried(settings: &Settings, watch: &CountWatch) -> Option<MeasuredPace> {
        let given = settings.given();
        let settings = Settings { memory: given, threads: settings.threads, ..Settings::default() };
        let (mut fresh, mut seconds, mut work) = (None, 0.0, 0);
        for [rows, cols] in BOARDS {
            let board = Board::new(cols, rows).ok()?;
            let question = CountQuestion { board, ending: Ending::Closed, start: None, unique: false, strict: false };
            let own = CountWatch::beside(watch);
            let plan = CountPlan::new(&question, settings.memory, &own).ok()?;
            let page = match fresh {
                Some(page) => page,
                None => plan.pool.install(|| seconds_a_byte(FRESH.min(given / 4)))?,
            };
            fresh = Some(page);
            let planned = own.elapsed();
            plan.run(&settings, &own).ok()?.count?;
            let took = (own.elapsed() - planned).as_secs_f64();
            // What fresh memory takes is not the same twice.
            seconds += (took - page * plan.counts(32) as f64).max(took / 2.0);
            work += plan.work();
        }
        Some(MeasuredPace { state: seconds / work as f64, fresh: fresh? })
    }
}

/// Seconds a byte of fresh memory, for the threads of the pool that this is called in.
fn seconds_a_byte(bytes: u64) -> Option<f64> {
    let mut memory = zeroed::<u8>(bytes as usize).ok()?;
    let began = Instant::now();
    memory.par_chunks_mut(PAGE).for_each(|page| page[0] = 1);
    Some(began.elapsed().as_secs_f64() / bytes.max(1) as f64)
}
