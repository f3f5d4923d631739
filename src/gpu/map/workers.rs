//! The knights of a batch on the CPU, shared among workers.

use super::batch::{Batch, MapEngine};
use crate::find::RuleKnights;
use crate::gpu::compass::Compass;
use crate::gpu::label::{DeviceKind, DeviceLabel, GpuError};
use crate::memory::zeros;
use crate::stop::Stop;
use crate::words;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::Range;

/// Moves that one worker makes without asking for more: some milliseconds.
const TURN_MOVES: u64 = 1 << 16;
/// Moves for each worker in what they are given at once: a tenth of a second or so.
const SHARE_MOVES: u64 = 1 << 22;

/// Workers on the CPU.
pub struct Workers {
    batch: Batch,
    pool: ThreadPool,
    label: DeviceLabel,
    /// By order.
    codes: Vec<[u8; 8]>,
}

impl Workers {
    /// So many workers, at least 1.
    ///
    /// # Errors
    /// [`GpuError::Refused`] when the system does not start so many threads.
    pub fn new(batch: Batch, threads: usize) -> Result<Workers, GpuError> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| GpuError::Refused(format!("cannot start {threads} threads: {error}")))?;
        let name = format!("CPU, {}", words::threads(threads));
        let label = DeviceLabel { name, kind: DeviceKind::Cpu, driver: String::new() };
        let codes = (0..batch.orders()).map(|n| Compass::nth(n).codes()).collect();
        Ok(Workers { batch, pool, label, codes })
    }

    /// Some knights in a row, by one worker.
    fn turn(&self, knights: &mut RuleKnights, first: u64, visits: &mut [u32]) {
        let mut compared = None;
        for (k, visits) in (first..).zip(visits) {
            let (order, start) = self.batch.knight(k);
            if compared != Some(order) {
                compared = Some(order);
                knights.set_order(self.codes[order as usize]);
            }
            let start = self.batch.board().at(start);
            *visits = start.map_or_else(|| unreachable!("starts are squares"), |start| knights.count_visits(start));
        }
    }
}

impl MapEngine for Workers {
    fn label(&self) -> &DeviceLabel {
        &self.label
    }

    fn at_once(&self) -> u64 {
        let share = SHARE_MOVES.div_ceil(self.batch.board().squares().into());
        share * self.pool.current_num_threads() as u64
    }

    fn run(&mut self, knights: Range<u64>, stop: &Stop) -> Result<Option<Vec<u32>>, GpuError> {
        let mut visits = zeros((knights.end - knights.start) as usize);
        let turn = TURN_MOVES.div_ceil(self.batch.board().squares().into()) as usize;
        let board = || RuleKnights::new(self.batch.board(), self.codes[0]);
        self.pool.install(|| {
            visits.par_chunks_mut(turn).enumerate().for_each_init(board, |board, (n, visits)| {
                if !stop.is_asked() {
                    self.turn(board, knights.start + (n * turn) as u64, visits);
                }
            });
        });
        Ok((!stop.is_asked()).then_some(visits))
    }
}
