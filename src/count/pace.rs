//! How long a pass will take, from what this machine does now.
//!
//! Three things take time. A state takes a little. A pattern takes as much as [`STATES_A_PATTERN`] of them: whatever is
//! found out about it is found out once for its whole block. And fresh memory takes its time, on some machines more than
//! all counting in it: every page is handed over, and cleared, when it is written to for the first time. Two small boards
//! are counted and some memory is written to, which tells the rest.
//!
use super::error::CountError;
use super::plan::Plan;
use super::primes::NARROW;
use super::question::Question;
use super::residues::Modulus;
use super::settings::Settings;
use super::watch::Watch;
use crate::board::{Board, Ending};
use crate::memory::zeroed;
use rayon::prelude::*;
use std::ops::Range;
use std::time::Instant;

/// States that take as long as what is done once for a pattern.
const STATES_A_PATTERN: u64 = 1300;
/// Boards that are counted, closed: a second on two cores.
const BOARDS: [[u64; 2]; 2] = [[7, 8], [7, 10]];
/// Fresh memory that is written to, in bytes at most, and how far apart.
const FRESH: u64 = 1 << 27;
const PAGE: usize = 1 << 12;
/// What a state of a larger board takes, whose layers lie farther from the core; those that are no larger take no time.
const LARGER_TIMES: f64 = 1.2;
/// A number of so many bits that still fits 64 has counts of more than 32 where layers are large: 8x10 closed has 62 bits,
/// 8x8 open 54.
const WIDE_BITS: Range<f64> = 56.0..64.0;
/// What counts of 64 bits make of the time: twice the bytes, and steps that are done again.
const WIDE_TIMES: f64 = 1.6;

/// What things take on this machine.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Seconds a state.
    pub state: f64,
    /// Seconds a byte of fresh memory.
    pub fresh: f64,
}

impl Plan {
    /// Seconds that a pass modulo this will take, about.
    pub fn seconds(&self, pace: &Pace, modulus: Modulus, settings: &Settings, watch: &Watch) -> f64 {
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
        let times = LARGER_TIMES * if is_wide { WIDE_TIMES } else { 1.0 };
        times * pace.state * self.work() as f64 + pace.fresh * fresh as f64
    }

    /// States of one pass, and patterns as so many.
    fn work(&self) -> u64 {
        let rows = self.sweeps().iter().flat_map(|sweep| &sweep.rows);
        rows.map(|row| row.states + STATES_A_PATTERN * row.patterns).sum()
    }
}

impl Pace {
    /// That of so many threads, measured now: a second or two. Nothing if the boards that are counted for it do not fit in
    /// the memory that may be taken.
    ///
    /// # Errors
    /// [`CountError::Stopped`].
    pub fn now(settings: &Settings, watch: &Watch) -> Result<Option<Pace>, CountError> {
        let pace = Pace::tried(settings, watch);
        if watch.is_stopped() { Err(CountError::Stopped) } else { Ok(pace) }
    }

    /// The same; whatever comes if it was stopped.
    fn tried(settings: &Settings, watch: &Watch) -> Option<Pace> {
        let given = settings.given();
        let settings = Settings { memory: given, threads: settings.threads, ..Settings::default() };
        let (mut fresh, mut seconds, mut work) = (None, 0.0, 0);
        for [rows, cols] in BOARDS {
            let board = Board::new(cols, rows).ok()?;
            let question = Question { board, ending: Ending::Closed, start: None, unique: false, strict: false };
            let own = Watch::beside(watch);
            let plan = Plan::new(&question, settings.memory, &own).ok()?;
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
        Some(Pace { state: seconds / work as f64, fresh: fresh? })
    }
}

/// Seconds a byte of fresh memory, for the threads of the pool that this is called in.
fn seconds_a_byte(bytes: u64) -> Option<f64> {
    let mut memory = zeroed::<u8>(bytes as usize).ok()?;
    let began = Instant::now();
    memory.par_chunks_mut(PAGE).for_each(|page| page[0] = 1);
    Some(began.elapsed().as_secs_f64() / bytes.max(1) as f64)
}
