//! Moves the knights of a batch on the CPU: by several workers, and square by square, which is slow, but easy to read. The
//! workers are compared with that where there is no device.

use super::batch::{Batch, MapEngine};
use crate::board::{Board, Square};
use crate::find::RuleKnights;
use crate::gpu::compass::Compass;
use crate::gpu::label::{DeviceKind, DeviceLabel, GpuError};
use crate::memory::{filled, zeros};
use crate::stop::Stop;
use crate::system;
use crate::words;
use rayon::ThreadPool;
use rayon::prelude::*;
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
        let pool = system::pool(threads).map_err(GpuError::Refused)?;
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

/// Squares visited by the knights of one run, at most: about a tenth of a second.
const RUN_SQUARES: u64 = 1 << 20;

/// The rule, square by square.
pub struct PlainRule {
    batch: Batch,
    label: DeviceLabel,
}

impl PlainRule {
    /// The rule for the knights of this batch.
    pub fn new(batch: Batch) -> PlainRule {
        let name = "plain twin, square by square".to_owned();
        PlainRule { batch, label: DeviceLabel { name, kind: DeviceKind::Cpu, driver: String::new() } }
    }
}

impl MapEngine for PlainRule {
    fn label(&self) -> &DeviceLabel {
        &self.label
    }

    fn knights_per_run(&self) -> u64 {
        RUN_SQUARES.div_ceil(self.batch.board().squares().into())
    }

    fn run(&mut self, knights: Range<u64>, stop: &Stop) -> Result<Option<Vec<u32>>, GpuError> {
        let board = self.batch.board();
        let visits = knights.map(|k| {
            let (order, start) = self.batch.knight(k);
            let start = board.at(start).filter(|_| !stop.is_asked())?;
            Some(visits(board, Compass::nth(order), start))
        });
        Ok(visits.collect())
    }
}

/// The number of squares that a knight visits from `start`. Each move leads to the square with the fewest vacant
/// squares around it, to the first of several in this order.
pub fn visits(board: Board, compass: Compass, start: Square) -> u32 {
    let mut been = filled(false, board.squares() as usize);
    let (mut here, mut count) = (start, 0);
    loop {
        been[here.index() as usize] = true;
        count += 1;
        let ranked = compass.ranked(board, here, |square: &Square| !been[square.index() as usize]);
        // `min_by_key` takes the first of several.
        let Some((_, next)) = ranked.min_by_key(|&(rank, _)| rank) else { return count };
        here = next;
    }
}
