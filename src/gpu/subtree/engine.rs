//! What moves the lanes: what a dispatch is told, and what it did.

use super::prefix::Prefix;
use crate::gpu::label::{DeviceLabel, GpuError};
use std::time::Duration;

/// Words of a lane's head.
pub const HEAD: usize = 8;
/// The word that holds the squares on the path; 0 for a lane without a prefix.
pub const DEPTH: usize = 0;
/// The word that holds those of them that came with the prefix.
pub const BASE: usize = 1;
/// The two words of the squares that are not on the path.
pub const VACANT: usize = 2;
/// The two words of the squares on which a tour may end.
pub const LAST: usize = 4;

/// What a dispatch is told.
#[derive(Clone, Copy, Debug)]
pub struct DispatchOrders {
    /// Steps that each lane may take.
    pub budget: u32,
    /// The first prefix of the queue that is not taken.
    pub next: u32,
    /// The end of the queue.
    pub end: u32,
    /// Whether tours are to be kept; a lane that finds one when there is no room left waits with it.
    pub keep: bool,
}

/// What a dispatch did.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DispatchReport {
    /// The first prefix of the queue that is not taken.
    pub next: u32,
    /// Lanes that have not finished their prefix.
    pub live: u32,
    /// Nodes entered.
    pub nodes: u32,
    /// Tours found.
    pub tours: u32,
    /// Steps that all lanes took, and the most that one took.
    pub steps: [u32; 2],
    /// The path of lane 0.
    pub shown: Vec<u8>,
    /// The tours, if they are kept, one after the other.
    pub kept: Vec<u8>,
    /// How long it took.
    pub took: Duration,
}

/// What came of a dispatch.
#[derive(Clone, Debug, Default)]
pub struct DispatchOutcome {
    /// Nodes entered.
    pub nodes: u64,
    /// Tours found.
    pub tours: u64,
    /// The tours, if they are kept, one after the other.
    pub kept: Vec<u8>,
    /// The path of lane 0.
    pub shown: Vec<u8>,
    /// Lanes at work, in the mean until the last one stopped, by their number.
    pub live: f64,
    /// How long it took.
    pub took: Duration,
}

/// What the lanes know between two dispatches; on a device it lies in the same order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaneMemory {
    /// [`HEAD`] words for each lane.
    pub heads: Vec<[u32; HEAD]>,
    /// Steps that are untried at `[level * lanes + lane]`, level 0 for a lane without a prefix.
    pub untried: Vec<u64>,
    /// The square entered as the `level`-th, likewise.
    pub path: Vec<u32>,
}

impl LaneMemory {
    /// That of so many lanes without a prefix, on a board of so many squares.
    pub fn new(lanes: u32, squares: u32) -> LaneMemory {
        let (lanes, levels) = (lanes as usize, squares as usize + 1);
        LaneMemory { heads: vec![[0; HEAD]; lanes], untried: vec![0; levels * lanes], path: vec![0; levels * lanes] }
    }

    /// Where level `level` of a lane lies in [`LaneMemory::untried`] and [`LaneMemory::path`].
    pub fn at(&self, lane: usize, level: u32) -> usize {
        level as usize * self.heads.len() + lane
    }

    /// The path of a lane up to a level.
    pub fn path_to(&self, lane: usize, level: u32) -> Vec<u8> {
        (1..=level).map(|level| self.path[self.at(lane, level)] as u8).collect()
    }
}

/// Where lanes are: in memory of this program or of a device.
pub trait LaneEngine {
    /// What does the work.
    fn label(&self) -> DeviceLabel;

    /// Puts prefixes into the queue, from its beginning on; those that were there have been taken.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn feed(&mut self, queue: &[Prefix]) -> Result<(), GpuError>;

    /// Lets every lane take some steps.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn advance(&mut self, orders: DispatchOrders) -> Result<DispatchReport, GpuError>;

    /// What the lanes know.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn memory(&mut self) -> Result<LaneMemory, GpuError>;

    /// Replaces the steps that are untried.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn set_untried(&mut self, untried: &[u64]) -> Result<(), GpuError>;
}

/// How large an engine is.
#[derive(Clone, Copy, Debug)]
pub struct EngineSize {
    /// Lanes.
    pub lanes: u32,
    /// Prefixes that the queue holds.
    pub queue: u32,
    /// Tours that are kept in a dispatch; 0 when they are only counted.
    pub kept: u32,
}
