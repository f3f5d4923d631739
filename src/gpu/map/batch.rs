//! A batch of knights: the question, what moves them, and what came of the first of them.

use crate::board::{Board, Square};
use crate::gpu::compass::{Compass, ORDERS};
use crate::gpu::label::{DeviceLabel, GpuError};
use crate::memory::zeros;
use crate::stop::Stop;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// Squares of the largest board: a knight on it takes a second or so on a GPU, and there is one for every square.
pub const SQUARES_MAX: u32 = 1 << 20;

/// Every start of a board with each of the first orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "WrittenBatch")]
pub struct Batch {
    board: Board,
    orders: u32,
}

impl Batch {
    /// So many orders from [`Compass::nth`] of 0 on.
    ///
    /// # Errors
    /// [`GpuError::Refused`] when the board has more than [`SQUARES_MAX`] squares, or there are not so many orders.
    pub fn new(board: Board, orders: u32) -> Result<Batch, GpuError> {
        if board.squares() > SQUARES_MAX {
            let (most, has) = (SQUARES_MAX, board.squares());
            return Err(GpuError::Refused(format!("a map takes boards of up to {most} squares, {board} has {has}")));
        }
        if !(1..=ORDERS).contains(&orders) {
            return Err(GpuError::Refused(format!("a map takes 1 to {ORDERS} orders of the moves, not {orders}")));
        }
        Ok(Batch { board, orders })
    }

    /// The board.
    pub fn board(self) -> Board {
        self.board
    }

    /// How many orders there are.
    pub fn orders(self) -> u32 {
        self.orders
    }

    /// How many knights there are.
    pub fn knights(self) -> u64 {
        u64::from(self.orders) * u64::from(self.board.squares())
    }

    /// The number of the order and the start of knight `k`.
    pub(super) fn knight(self, k: u64) -> (u32, u32) {
        let starts = u64::from(self.board.squares());
        ((k / starts) as u32, (k % starts) as u32)
    }
}

/// A batch as it is written down, by whomever.
#[derive(Deserialize)]
struct WrittenBatch {
    board: Board,
    orders: u32,
}

impl TryFrom<WrittenBatch> for Batch {
    type Error = GpuError;

    fn try_from(WrittenBatch { board, orders }: WrittenBatch) -> Result<Batch, GpuError> {
        Batch::new(board, orders)
    }
}

/// Moves knights.
pub trait MapEngine {
    /// What does it.
    fn label(&self) -> &DeviceLabel;

    /// How many knights it likes to be given at once, at least 1.
    fn at_once(&self) -> u64;

    /// How many squares each of these knights of the batch visits; nothing when it was told to stop.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed; then none of them is done.
    fn run(&mut self, knights: Range<u64>, stop: &Stop) -> Result<Option<Vec<u32>>, GpuError>;
}

/// What came of the first knights of a batch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "WrittenMap")]
pub struct Map {
    batch: Batch,
    tried: u64,
    moves: u64,
    by_start: Vec<u32>,
    pub(super) by_order: Vec<u32>,
}

/// A map as it is written down, by whomever.
#[derive(Deserialize)]
struct WrittenMap {
    batch: Batch,
    tried: u64,
    moves: u64,
    by_start: Vec<u32>,
    by_order: Vec<u32>,
}

impl TryFrom<WrittenMap> for Map {
    type Error = &'static str;

    fn try_from(map: WrittenMap) -> Result<Map, &'static str> {
        let WrittenMap { batch, tried, moves, by_start, by_order } = map;
        let lengths = [batch.board.squares(), batch.orders].map(|n| n as usize);
        if lengths != [by_start.len(), by_order.len()] || tried > batch.knights() {
            return Err("a map of another batch");
        }
        Ok(Map { batch, tried, moves, by_start, by_order })
    }
}

impl Map {
    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Map>() + size_of_val(&self.by_start[..]) + size_of_val(&self.by_order[..])
    }

    /// Before the first knight.
    pub fn new(batch: Batch) -> Map {
        let [by_start, by_order] = [batch.board.squares(), batch.orders].map(|n| zeros(n as usize));
        Map { batch, tried: 0, moves: 0, by_start, by_order }
    }

    /// Takes in how many squares the next knights visited.
    pub fn add(&mut self, mut visits: &[u32]) {
        let squares = self.batch.board.squares();
        while !visits.is_empty() {
            let (order, start) = self.batch.knight(self.tried);
            let (row, rest) = visits.split_at(visits.len().min((squares - start) as usize));
            let mut complete = 0;
            for (of_start, &visits) in self.by_start[start as usize..].iter_mut().zip(row) {
                let is_complete = u32::from(visits == squares);
                *of_start += is_complete;
                complete += is_complete;
            }
            self.by_order[order as usize] += complete;
            self.moves += row.iter().map(|&visits| u64::from(visits - 1)).sum::<u64>();
            self.tried += row.len() as u64;
            visits = rest;
        }
    }

    /// The question.
    pub fn batch(&self) -> Batch {
        self.batch
    }

    /// Knights that have come to their ends.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// How many of them visited every square.
    pub fn complete(&self) -> u64 {
        self.by_start.iter().copied().map(u64::from).sum()
    }

    /// Moves made by all of them.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// From each start: the orders with which every square is visited.
    pub fn by_start(&self) -> &[u32] {
        &self.by_start
    }

    /// Orders tried from this start.
    pub fn tried_from(&self, start: Square) -> u32 {
        let (orders, starts) = self.batch.knight(self.tried);
        orders + u32::from(start.index() < starts)
    }

    /// The orders tried from every start, each with the starts from which it completes.
    fn done(&self) -> &[u32] {
        &self.by_order[..self.batch.knight(self.tried).0 as usize]
    }

    /// How many orders complete from so many starts.
    pub fn histogram(&self) -> BTreeMap<u32, u32> {
        let mut orders = BTreeMap::new();
        for &complete in self.done() {
            *orders.entry(complete).or_default() += 1;
        }
        orders
    }

    /// The first of the orders that complete from the most starts, and from how many.
    pub fn best(&self) -> Option<(Compass, u32)> {
        let &most = self.done().iter().max()?;
        let first = self.done().iter().position(|&complete| complete == most)?;
        Some((Compass::nth(first as u32), most))
    }
}
