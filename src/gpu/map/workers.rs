//! Moves the knights of a batch on the CPU, by several workers.

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

/// Moves of one task of a worker: some milliseconds.
const TASK_MOVES: u64 = 1 << 16;
/// Moves for each worker in one run: about a tenth of a second.
const RUN_MOVES: u64 = 1 << 22;

/// Workers on the CPU.
pub struct Workers {
    batch: Batch,
    pool: ThreadPool,
    label: DeviceLabel,
    /// For each order, its moves as indices into [`MOVES`](crate::board::MOVES).
    codes: Vec<[u8; 8]>,
}

impl Workers {
    /// Starts `threads` workers, at least 1.
    ///
    /// # Errors
    /// [`GpuError::Refused`] when the system does not start the threads.
    pub fn new(batch: Batch, threads: usize) -> Result<Workers, GpuError> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| GpuError::Refused(format!("cannot start {threads} threads: {error}")))?;
        let name = format!("CPU, {}", words::threads(threads));
        let label = DeviceLabel { name, kind: DeviceKind::Cpu, driver: String::new() };
        let codes = (0..batch.orders()).map(|n| Compass::nth(n).codes()).collect();
        Ok(Workers { batch, pool, label, codes })
    }

    /// Moves consecutive knights, from number `first` on.
    fn move_knights(&self, knights: &mut RuleKnights, first: u64, visits: &mut [u32]) {
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

    fn knights_per_run(&self) -> u64 {
        let share = RUN_MOVES.div_ceil(self.batch.board().squares().into());
        share * self.pool.current_num_threads() as u64
    }

    fn run(&mut self, knights: Range<u64>, stop: &Stop) -> Result<Option<Vec<u32>>, GpuError> {
        let mut visits = zeros((knights.end - knights.start) as usize);
        let turn = TASK_MOVES.div_ceil(self.batch.board().squares().into()) as usize;
        let board = || RuleKnights::new(self.batch.board(), self.codes[0]);
        self.pool.install(|| {
            visits.par_chunks_mut(turn).enumerate().for_each_init(board, |board, (n, visits)| {
                if !stop.is_asked() {
                    self.move_knights(board, knights.start + (n * turn) as u64, visits);
                }
            });
        });
        Ok((!stop.is_asked()).then_some(visits))
    }
}
