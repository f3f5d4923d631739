//! A batch of knights: the question, the trait of what moves the knights, and the results so far.

use crate::board::{Board, Square};
use crate::gpu::compass::{Compass, ORDERS};
use crate::gpu::label::{DeviceLabel, GpuError};
use crate::memory::zeros;
use crate::stop::Stop;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// Squares of the largest board. A knight on it takes about a second on a GPU, and every square is the start of one.
pub const SQUARES_MAX: u32 = 1 << 20;

/// Every start of a board, each with the first `orders` orders of the moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "WrittenBatch")]
pub struct Batch {
    board: Board,
    orders: u32,
}

impl Batch {
    /// A batch of the orders [`Compass::nth`] of 0 up to, but not including, `orders`.
    ///
    /// # Errors
    /// [`GpuError::Refused`] when the board has more than [`SQUARES_MAX`] squares, or `orders` is not within
    /// 1..=[`ORDERS`].
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

    pub fn board(self) -> Board {
        self.board
    }

    pub fn orders(self) -> u32 {
        self.orders
    }

    /// The number of knights: starts times orders.
    pub fn knights(self) -> u64 {
        u64::from(self.orders) * u64::from(self.board.squares())
    }

    /// The order and the start of knight `k`, each by its number.
    pub(super) fn knight(self, k: u64) -> (u32, u32) {
        let starts = u64::from(self.board.squares());
        ((k / starts) as u32, (k % starts) as u32)
    }
}

/// A batch as a file stores it, not yet checked.
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

/// Moves the knights of a batch.
pub trait MapEngine {
    /// The name of the device or of the workers.
    fn label(&self) -> &DeviceLabel;

    /// How many knights one call of [`run`](MapEngine::run) should get, at least 1.
    fn knights_per_run(&self) -> u64;

    /// The number of squares that each of these knights of the batch visits, or `None` if `stop` was asked.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed; then no result of this call is valid.
    fn run(&mut self, knights: Range<u64>, stop: &Stop) -> Result<Option<Vec<u32>>, GpuError>;
}

/// The results of the first knights of a batch: how many complete a tour, by start and by order of the moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "WrittenMap")]
pub struct Map {
    batch: Batch,
    tried: u64,
    moves: u64,
    by_start: Vec<u32>,
    pub(super) by_order: Vec<u32>,
}

/// A map as a file stores it, not yet checked.
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
            return Err("the numbers of a map do not match its board and its orders");
        }
        Ok(Map { batch, tried, moves, by_start, by_order })
    }
}

impl Map {
    /// Bytes of memory that the map occupies.
    pub fn bytes(&self) -> usize {
        size_of::<Map>() + size_of_val(&self.by_start[..]) + size_of_val(&self.by_order[..])
    }

    /// The map of a batch before any of its knights has moved.
    pub fn new(batch: Batch) -> Map {
        let [by_start, by_order] = [batch.board.squares(), batch.orders].map(|n| zeros(n as usize));
        Map { batch, tried: 0, moves: 0, by_start, by_order }
    }

    /// Adds the results of the next knights: how many squares each visited.
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

    /// The batch that this map belongs to.
    pub fn batch(&self) -> Batch {
        self.batch
    }

    /// Knights with a result.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// Knights that visited every square.
    pub fn complete(&self) -> u64 {
        self.by_start.iter().copied().map(u64::from).sum()
    }

    /// Moves of all knights.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// By start: the number of orders with which a knight visits every square.
    pub fn by_start(&self) -> &[u32] {
        &self.by_start
    }

    /// The number of orders tried from this start.
    pub fn tried_from(&self, start: Square) -> u32 {
        let (orders, starts) = self.batch.knight(self.tried);
        orders + u32::from(start.index() < starts)
    }

    /// For each order tried from every start: the number of starts from which it completes.
    fn finished_orders(&self) -> &[u32] {
        &self.by_order[..self.batch.knight(self.tried).0 as usize]
    }

    /// By number of complete starts: the number of orders that have it.
    pub fn histogram(&self) -> BTreeMap<u32, u32> {
        let mut orders = BTreeMap::new();
        for &complete in self.finished_orders() {
            *orders.entry(complete).or_default() += 1;
        }
        orders
    }

    /// The order that completes from the most starts, the first if there are several, and that number of starts.
    pub fn best(&self) -> Option<(Compass, u32)> {
        let &most = self.finished_orders().iter().max()?;
        let first = self.finished_orders().iter().position(|&complete| complete == most)?;
        Some((Compass::nth(first as u32), most))
    }
}
