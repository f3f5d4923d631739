//! The trait of what moves lanes, the orders and reports of its dispatches, and the memory of the lanes between them.

use super::prefix::Prefix;
use crate::gpu::label::{DeviceLabel, GpuError};
use std::time::Duration;

/// Words of a lane's head.
pub const HEAD_WORDS: usize = 8;
/// The word of the head that holds the depth, the number of squares on the path; 0 for a lane without a prefix.
pub const DEPTH: usize = 0;
/// The word of the head that holds the depth of the lane's prefix.
pub const BASE: usize = 1;
/// The two words of the head that hold the squares not on the path.
pub const VACANT: usize = 2;
/// The two words of the head that hold the squares on which a tour may end.
pub const LAST: usize = 4;

#[derive(Clone, Copy, Debug)]
pub struct DispatchOrders {
    /// Steps that each lane may take.
    pub budget: u32,
    /// Index of the first prefix in the queue that no lane has taken.
    pub next: u32,
    /// The number of prefixes in the queue.
    pub end: u32,
    /// Whether tours are stored. A lane that finds one when no room is left waits with it.
    pub keep: bool,
}

/// What a dispatch did.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DispatchReport {
    /// Index of the first prefix in the queue that no lane has taken.
    pub next: u32,
    /// Lanes that have not finished their prefix.
    pub live: u32,
    /// Nodes entered.
    pub nodes: u32,
    pub tours: u32,
    /// Steps of all lanes together, and the most of one lane.
    pub steps: [u32; 2],
    /// The path of lane 0.
    pub lane0_path: Vec<u8>,
    /// The squares of the stored tours, one tour after the other.
    pub tour_squares: Vec<u8>,
    /// Time that the dispatch took.
    pub took: Duration,
}

/// The results of a dispatch, for the caller of an enumeration.
#[derive(Clone, Debug, Default)]
pub struct DispatchOutcome {
    /// Nodes entered.
    pub nodes: u64,
    pub tours: u64,
    /// The squares of the stored tours, one tour after the other.
    pub tour_squares: Vec<u8>,
    /// The path of lane 0.
    pub lane0_path: Vec<u8>,
    /// Mean number of lanes at work, until the last one stopped.
    pub live: f64,
    /// Time that the dispatch took.
    pub took: Duration,
}

/// The memory of the lanes between two dispatches, laid out as on a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaneMemory {
    /// [`HEAD_WORDS`] words for each lane.
    pub heads: Vec<[u32; HEAD_WORDS]>,
    /// Untried steps, at `[level * lanes + lane]`; level 0 stands for a lane without a prefix.
    pub untried: Vec<u64>,
    /// The square of each level of the path, at `[level * lanes + lane]`.
    pub path: Vec<u32>,
}

impl LaneMemory {
    /// The memory of `lanes` lanes without a prefix, on a board of `squares` squares.
    pub fn new(lanes: u32, squares: u32) -> LaneMemory {
        let (lanes, levels) = (lanes as usize, squares as usize + 1);
        LaneMemory {
            heads: vec![[0; HEAD_WORDS]; lanes],
            untried: vec![0; levels * lanes],
            path: vec![0; levels * lanes],
        }
    }

    /// The index of a level of a lane in [`LaneMemory::untried`] and [`LaneMemory::path`].
    pub fn index(&self, lane: usize, level: u32) -> usize {
        level as usize * self.heads.len() + lane
    }

    /// The path of a lane up to a level.
    pub fn path_to(&self, lane: usize, level: u32) -> Vec<u8> {
        (1..=level).map(|level| self.path[self.index(lane, level)] as u8).collect()
    }
}

/// Moves the lanes, in memory of this program or of a device.
pub trait LaneEngine {
    /// The device, or the twin.
    fn label(&self) -> DeviceLabel;

    /// Replaces the queue, whose prefixes have all been taken.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn load_queue(&mut self, queue: &[Prefix]) -> Result<(), GpuError>;

    /// Runs a dispatch: every lane takes some steps.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn advance(&mut self, orders: DispatchOrders) -> Result<DispatchReport, GpuError>;

    /// Reads the memory of the lanes.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn memory(&mut self) -> Result<LaneMemory, GpuError>;

    /// Replaces the untried steps of all lanes.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn set_untried(&mut self, untried: &[u64]) -> Result<(), GpuError>;
}

#[derive(Clone, Copy, Debug)]
pub struct EngineSize {
    pub lanes: u32,
    /// Prefixes that the queue can hold.
    pub queue: u32,
    /// Tours that a dispatch can store; 0 if tours are only counted.
    pub tours_max: u32,
}
