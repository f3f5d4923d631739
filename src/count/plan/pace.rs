//! Estimates how long a pass will take, from a measurement of this machine.
//!
//! Three things take time:
//!
//! * A state. It takes longer where its pattern has many pairs of ends: then the sums of a block do not fit the core's
//!   caches.
//! * A pattern. It takes as much time as many states, for the work that is done once for its whole block.
//! * Fresh memory. On some machines it takes longer than all counting in it: the system maps and clears every page at
//!   the first write.
//!
//! The measurement counts two small boards and writes to some fresh memory.
//!
//! The weights below were fitted to processor times of 7x8 to 7x10 and 8x8 to 8x10, closed and open. The test machine
//! had two cores of a virtual machine, whose own speed varies by a third. For 29 of 30 counts from 6x12 to 8x11 the
//! plan said 0.76 to 1.28 times the time that the count then took, planning included; for one it said 0.66. An estimate
//! by states alone said 0.5 to 2.2 times.

use super::count_plan::CountPlan;
use crate::board::{Board, Ending};
use crate::count::ask::primes::NARROW;
use crate::count::ask::question::CountQuestion;
use crate::count::ask::residues::Modulus;
use crate::count::ask::settings::Settings;
use crate::count::error::CountError;
use crate::count::watch::CountWatch;
use crate::memory::zeroed;
use rayon::prelude::*;
use std::time::Instant;

/// Boards counted for the measurement, closed: a second on two cores.
const BOARDS: [[u64; 2]; 2] = [[7, 8], [7, 10]];
/// Most bytes of fresh memory that the measurement writes to, and the distance between two writes.
const FRESH_BYTES: u64 = 1 << 27;
const PAGE: usize = 1 << 12;
/// Bits of a number that has counts of more than 32 bits where layers are large: 8x10 closed has 62 bits, 8x8 open 54.
const WIDE_BITS: f64 = 56.0;
/// More time for counts of 64 bits and more: twice the bytes, and steps that are repeated in a wider width.
const WIDE_FACTOR: f64 = 1.3;
/// Memory that the machine has ready, in bytes. Memory beyond it takes three times as long: a virtual machine may have
/// given some back.
const READY_BYTES: u64 = 4 << 30;

/// Speed of this machine.
#[derive(Clone, Copy, Debug)]
pub struct MeasuredPace {
    /// Seconds a light state.
    pub seconds_per_state: f64,
    /// Seconds a byte of fresh memory.
    pub seconds_per_fresh_byte: f64,
}

impl CountPlan {
    /// Estimates the seconds of one pass modulo `modulus`.
    pub fn pass_seconds(&self, pace: &MeasuredPace, modulus: Modulus, settings: &Settings, watch: &CountWatch) -> f64 {
        let is_wide = match modulus {
            Modulus::None => self.number_bits(watch).is_some_and(|bits| bits >= WIDE_BITS),
            Modulus::TwoTo64 => true,
            Modulus::Prime(prime) => prime >= NARROW,
        };
        // Files are written to where memory has room for them.
        let fresh = match settings.spill {
            Some(_) => 0,
            None => self.count_bytes(32) + if is_wide { self.count_bytes(64) } else { 0 },
        };
        let fresh = fresh + 2 * fresh.saturating_sub(READY_BYTES);
        let times = if is_wide { WIDE_FACTOR } else { 1.0 };
        times * pace.seconds_per_state * self.work() as f64 + pace.seconds_per_fresh_byte * fresh as f64
    }

    /// Work of one pass, in light states (states of few pairs).
    fn work(&self) -> u64 {
        self.sweeps().iter().flat_map(|sweep| &sweep.rows).map(|row| row.work).sum()
    }
}

impl MeasuredPace {
    /// Measures the pace of the settings' threads, in a second or two. Returns nothing if the measured boards do not
    /// fit in the memory limit.
    ///
    /// # Errors
    /// [`CountError::Stopped`].
    pub fn measure(settings: &Settings, watch: &CountWatch) -> Result<Option<MeasuredPace>, CountError> {
        let pace = MeasuredPace::measure_until_stopped(settings, watch);
        if watch.is_stopped() { Err(CountError::Stopped) } else { Ok(pace) }
    }

    /// Measures the pace; the result is meaningless if the watch was stopped.
    fn measure_until_stopped(settings: &Settings, watch: &CountWatch) -> Option<MeasuredPace> {
        let given = settings.usable_memory();
        let settings = Settings { memory: given, threads: settings.threads, ..Settings::default() };
        let (mut fresh, mut seconds, mut work) = (None, 0.0, 0);
        for [rows, cols] in BOARDS {
            let board = Board::new(cols, rows).ok()?;
            let question = CountQuestion::new(board, Ending::Closed);
            let own = CountWatch::nested(watch);
            let plan = CountPlan::new(&question, settings.memory, &own).ok()?;
            let page = match fresh {
                Some(page) => page,
                None => plan.pool.install(|| fresh_byte_seconds(FRESH_BYTES.min(given / 4)))?,
            };
            fresh = Some(page);
            let planned = own.elapsed();
            plan.run(&settings, &own, None).ok()?.only()?;
            let took = (own.elapsed() - planned).as_secs_f64();
            // The time for fresh memory varies between two measurements, so half of the time at least counts as states.
            seconds += (took - page * plan.count_bytes(32) as f64).max(took / 2.0);
            work += plan.work();
        }
        Some(MeasuredPace { seconds_per_state: seconds / work as f64, seconds_per_fresh_byte: fresh? })
    }
}

/// Seconds a byte of fresh memory, with the threads of the pool in which this is called.
fn fresh_byte_seconds(bytes: u64) -> Option<f64> {
    let mut memory = zeroed::<u8>(bytes as usize).ok()?;
    let began = Instant::now();
    memory.par_chunks_mut(PAGE).for_each(|page| page[0] = 1);
    Some(began.elapsed().as_secs_f64() / bytes.max(1) as f64)
}
