//! Warnsdorff's rule square by square: slow, but easy to read. The workers are compared with it where there is no
//! device.

use super::batch::{Batch, MapEngine};
use crate::board::{Board, Square};
use crate::gpu::compass::{Compass, STEPS};
use crate::gpu::label::{DeviceKind, DeviceLabel, GpuError};
use crate::memory::filled;
use crate::stop::Stop;
use std::ops::Range;

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
    let (width, height) = (i64::from(board.cols()), i64::from(board.rows()));
    let mut been = filled(false, board.squares() as usize);
    let place = |(col, row): (i64, i64)| (row * width + col) as usize;
    let step = |(col, row): (i64, i64), k: u8| {
        let (right, down) = STEPS[usize::from(k)];
        (col + i64::from(right), row + i64::from(down))
    };
    let (row, col) = board.row_col(start);
    let mut here = (i64::from(col), i64::from(row));
    let mut count = 1;
    been[place(here)] = true;
    loop {
        let open = |&(col, row): &(i64, i64)| {
            (0..width).contains(&col) && (0..height).contains(&row) && !been[place((col, row))]
        };
        let rank = |square: (i64, i64)| (0..8).filter(|&k| open(&step(square, k))).count();
        let next = compass.moves().map(|k| step(here, k)).into_iter().filter(open).min_by_key(|&square| rank(square));
        let Some(next) = next else { return count };
        here = next;
        been[place(here)] = true;
        count += 1;
    }
}
