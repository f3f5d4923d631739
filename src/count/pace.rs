//! How long a pass will take, from what this machine does now.
//!
//! Three things take time. A state takes a little. A pattern takes as much as [`STATES_A_PATTERN`] of them: whatever is
//! found out about it is found out once for its whole block. And fresh memory takes its time, on some machines more than
//! all counting in it: every page is handed over, and cleared, when it is written to for the first time. Two small boards
//! are counted and some memory is written to, which tells the rest.
//!
//! Measured on two cores of a virtual machine, as multiples of what the count took: 6x10 1.1, 7x8 0.8, 8x8 0.9, 8x9 and
//! 8x10 0.75, open 7x8 0.95, open 7x10 1.25. By states alone it was 0.5 to 2.2.

use super::error::CountError;
use super::plan::Plan;
use super::question::Question;
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
/// Fresh memory that is written to, in bytes, and how far apart.
const FRESH: usize = 1 << 27;
const PAGE: usize = 1 << 12;
/// What a state of a larger board takes, whose layers lie farther from the core.
const LARGER_TIMES: f64 = 1.2;
/// A number of so many bits that still fits 64 has counts of more than 32 where layers are large: 8x10 closed has 59 bits,
/// 8x8 open 54.
const WIDE_BITS: Range<f64> = 56.0..64.0;
/// What such counts make of the time: twice the bytes, and steps that are done again.
const WIDE_TIMES: f64 = 1.6;

/// What things take on this machine.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Seconds a state.
    work: f64,
    /// Seconds a byte of fresh memory.
    fresh: f64,
}

impl Plan {
    /// Seconds that one pass will take, about: from the pace of small boards, counted on this machine now. Nothing if they
    /// do not fit in the memory that may be taken.
    ///
    /// # Errors
    /// [`CountError::Stopped`].
    pub fn seconds(&self, settings: &Settings, watch: &Watch) -> Result<Option<f64>, CountError> {
        let seconds = self.tried(settings, watch);
        if watch.is_stopped() { Err(CountError::Stopped) } else { Ok(seconds) }
    }

    /// The same; whatever comes if it was stopped.
    fn tried(&self, settings: &Settings, watch: &Watch) -> Option<f64> {
        let trial = Settings { memory: settings.given(), threads: settings.threads, ..Settings::default() };
        let pace = Pace::of(self, &trial, watch)?;
        let is_wide = self.size(watch).is_some_and(|bits| WIDE_BITS.contains(&bits));
        // Files are written to where there is room in memory.
        let fresh = match settings.spill {
            Some(_) => 0,
            None => self.counts(32) + if is_wide { self.counts(64) } else { 0 },
        };
        let times = LARGER_TIMES * if is_wide { WIDE_TIMES } else { 1.0 };
        Some(times * pace.work * self.work() as f64 + pace.fresh * fresh as f64)
    }

    /// States of one pass, and patterns as so many.
    fn work(&self) -> u64 {
        let rows = self.sweeps().iter().flat_map(|sweep| &sweep.rows);
        rows.map(|row| row.states + STATES_A_PATTERN * row.patterns).sum()
    }
}

impl Pace {
    /// That of the threads of `plan`.
    fn of(plan: &Plan, settings: &Settings, watch: &Watch) -> Option<Pace> {
        let mut memory = zeroed::<u8>(FRESH).ok()?;
        let began = Instant::now();
        plan.pool.install(|| memory.par_chunks_mut(PAGE).for_each(|page| page[0] = 1));
        let fresh = began.elapsed().as_secs_f64() / FRESH as f64;
        drop(memory);
        let (mut seconds, mut work) = (0.0, 0);
        for [rows, cols] in BOARDS {
            let board = Board::new(cols, rows).ok()?;
            let question = Question { board, ending: Ending::Closed, start: None, unique: false, strict: false };
            let own = Watch::beside(watch);
            let plan = Plan::new(&question, settings.memory, &own).ok()?;
            let planned = own.elapsed();
            plan.run(settings, &own).ok()?.count?;
            seconds += (own.elapsed() - planned).as_secs_f64() - fresh * plan.counts(32) as f64;
            work += plan.work();
        }
        // What fresh memory takes is not the same twice.
        Some(Pace { work: seconds.max(0.0) / work as f64, fresh })
    }
}
